"""What the Wyoming door needs of the core, without a journal or an engine: says at once what it was told to say."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import asynccontextmanager

from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.frontends.wyoming.limits import Limits
from wyoming_kokoro.frontends.wyoming.server import WyomingServer
from wyoming_kokoro.model.errors import RefusedError, VoiceOfAHouseError
from wyoming_kokoro.model.voice import Voice
from wyoming_kokoro.settings import WyomingSettings

LOOPBACK = "tcp://127.0.0.1:0"
VOICES = (
    Voice(name="af_heart", language="en-US", description="Heart, American English, female", aliases=("heart", "marin")),
    Voice(name="bm_lewis", language="en-GB", description="Lewis, British English, male"),
    Voice(name="jf_alpha", language="ja", description="Alpha, Japanese, female", installed=False, extra="ja"),
)


def pcm_of(text: str, frames_per_char: int = 240) -> bytes:
    """Never silent, never the same for two texts."""
    block = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest().replace(b"\0", b"\1")
    size = 2 * frames_per_char * len(text)
    return (block * (size // len(block) + 1))[:size]


class FakeIncoming:
    """Text on its way in."""

    def __init__(self, house: FakeHouse, request: object) -> None:
        self.house = house
        self.request = request
        self.text = ""
        self.is_complete = asyncio.Event()
        self.is_fed = asyncio.Event()
        self.is_abandoned = asyncio.Event()

    def feed(self, text: str) -> None:
        if len(self.text) + len(text) > self.house.max_chars:
            raise RefusedError("text", f"at most {self.house.max_chars} characters are spoken")
        self.text += text
        self.is_fed.set()

    def end(self) -> None:
        self.is_complete.set()

    async def cast_id(self) -> str | None:
        if self.house.is_live:
            await self.is_fed.wait()
        else:
            await self.is_complete.wait()
        if self.house.cast_error is not None:
            raise self.house.cast_error
        return f"cast{self.house.asked.index(self)}" if self.text.strip() else None

    async def abandon(self) -> None:
        self.is_abandoned.set()


class FakeHouse:
    """Intake and listening in one. A cast is one piece, the sound of its whole text, unless `pieces` says otherwise."""

    def __init__(self) -> None:
        self.asked: list[FakeIncoming] = []
        self.max_chars = 100_000
        self.is_live = False
        self.pieces: list[bytes] | None = None
        self.open_error: VoiceOfAHouseError | None = None
        self.cast_error: Exception | None = None
        self.end_error: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.listeners = 0
        self.heard_pieces = 0
        self.is_listened_to = asyncio.Event()
        self.is_left = asyncio.Event()
        self.is_asked = asyncio.Event()

    def open(self, request: object) -> FakeIncoming:
        if self.open_error is not None:
            raise self.open_error
        incoming = FakeIncoming(self, request)
        self.asked.append(incoming)
        self.is_asked.set()
        return incoming

    async def listen(self, cast_id: str):
        incoming = self.asked[int(cast_id.removeprefix("cast"))]
        self.listeners += 1
        self.is_listened_to.set()
        try:
            for index, pcm in enumerate(self.pieces if self.pieces is not None else [pcm_of(incoming.text)]):
                self.heard_pieces += 1
                yield Piece(index=index, pcm=pcm, text="", seq_num=index)
                await self.gate.wait()
            if self.end_error is not None:
                raise self.end_error
        finally:
            self.listeners -= 1
            self.is_left.set()


class FakeVoices:
    """`ports.Voices` over a fixed list."""

    def __init__(self, voices: tuple[Voice, ...] = VOICES) -> None:
        self.voices = voices

    @property
    def default(self) -> Voice:
        return self.voices[0]

    def all(self) -> tuple[Voice, ...]:
        return self.voices

    def resolve(self, name: str) -> Voice:
        return next(voice for voice in self.voices if voice.name == name)


@asynccontextmanager
async def serving(house: FakeHouse, limits: Limits | None = None, **settings: object):
    """The door of that house, open; gives its port."""
    chosen = WyomingSettings(**{"uri": LOOPBACK, "zeroconf": False, **settings})
    server = WyomingServer(chosen, house, house, FakeVoices(), limits=limits)
    port = await server.start()
    try:
        yield port
    finally:
        await server.stop(0)
