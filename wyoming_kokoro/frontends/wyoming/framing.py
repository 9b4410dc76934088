"""How the audio of one answer is put into events. Pure: takes PCM and gives the bytes to send.

Home Assistant takes a connection that closes between two events for the end of a streamed answer and keeps the stump for
ever, but throws away what ends inside an event. So in the streaming dialect the header of the next event always goes out
together with the payload of the one before, and a failure at any moment, even of the whole machine, is inside an event.
A plain answer is framed plainly: clients of that dialect may poll, and polling loses half-read headers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event
from wyoming.tts import SynthesizeStopped

from wyoming_kokoro.frontends.wyoming.wire import encode_event, encode_head

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wyoming_kokoro.model.audio import AudioFormat

PAYLOAD_BYTES = 2048
"""Of every audio chunk in the streaming dialect, and at most of those in the plain one."""

_STUMP_OF_START = b'{"type":"audio-start","data_length":40}\n{"'
"""An event that ends after 2 of its 40 announced bytes."""


class Framing(Protocol):
    """The frames of one answer: one `audio-start`, the chunks, one `audio-stop`."""

    def begin(self) -> bytes:
        """What goes out before there is any audio."""
        ...

    def audio(self, pcm: bytes) -> Iterator[bytes]:
        """Whole writes that carry this PCM; some of it may be kept back."""
        ...

    def finish(self) -> bytes:
        """The rest, and the end of the answer."""
        ...

    def reply(self, reply: bytes) -> bytes | None:
        """The event where it may be sent now; None where it is kept until the end of the answer."""
        ...

    def fail(self, error: bytes) -> bytes:
        """How an answer ends that can't be finished: with the `error` event where there is a place for it."""
        ...


class PlainFraming:
    """Every event whole in itself."""

    def __init__(self, audio: AudioFormat) -> None:
        self._audio = audio
        self._started = False

    def begin(self) -> bytes:
        """Nothing: an error before the first audio is the whole answer."""
        return b""

    def audio(self, pcm: bytes) -> Iterator[bytes]:
        """Chunks of at most `PAYLOAD_BYTES`; the first goes out together with `audio-start`."""
        for offset in range(0, len(pcm), PAYLOAD_BYTES):
            payload = pcm[offset : offset + PAYLOAD_BYTES]
            yield self._start() + encode_head(_chunk(self._audio), len(payload)) + payload

    def finish(self) -> bytes:
        """`audio-stop`."""
        return self._start() + _audio_stop()

    def reply(self, reply: bytes) -> bytes | None:
        """Between two events there is always room."""
        return reply

    def fail(self, error: bytes) -> bytes:
        """The error, and no `audio-stop`: an answer without one is not taken for whole."""
        return error

    def _start(self) -> bytes:
        if self._started:
            return b""
        self._started = True
        return _audio_start(self._audio)


class HeaderAheadFraming:
    """Inside an event at every moment from `begin` to `finish`."""

    def __init__(self, audio: AudioFormat) -> None:
        self._audio = audio
        self._head = encode_head(_chunk(audio), PAYLOAD_BYTES)
        self._kept = bytearray()
        self._is_open = False
        self._heard = False

    def begin(self) -> bytes:
        """`audio-start` and the header of a first chunk whose audio does not exist yet."""
        self._is_open = True
        return _audio_start(self._audio) + self._head

    def audio(self, pcm: bytes) -> Iterator[bytes]:
        """Payloads of exactly `PAYLOAD_BYTES`, each with the next header; the last one is kept for `finish`."""
        self._kept += pcm
        start = 0
        try:
            while len(self._kept) - start > PAYLOAD_BYTES:
                payload = bytes(self._kept[start : start + PAYLOAD_BYTES])
                start += PAYLOAD_BYTES
                self._heard = True
                yield payload + self._head
        finally:
            del self._kept[:start]

    def finish(self) -> bytes:
        """The last payload, filled with silence, and the only regular end."""
        self._is_open = False
        stop = _audio_stop() + encode_event(SynthesizeStopped().event())
        return bytes(self._kept).ljust(PAYLOAD_BYTES, b"\0") + stop

    def reply(self, reply: bytes) -> bytes | None:
        """Inside an open event there is no room."""
        return None if self._is_open else reply

    def fail(self, error: bytes) -> bytes:
        """Ends inside an event, whatever came before. Once there was sound the cut says all; before, the error is told."""
        if not self._is_open:
            return error + _STUMP_OF_START
        if self._heard:
            return b""
        return bytes(PAYLOAD_BYTES) + error + self._head


def _chunk(audio: AudioFormat) -> Event:
    return _without_nulls(AudioChunk(rate=audio.rate, width=audio.width, channels=audio.channels, audio=b"").event())


def _audio_start(audio: AudioFormat) -> bytes:
    return encode_event(_without_nulls(AudioStart(rate=audio.rate, width=audio.width, channels=audio.channels).event()))


def _audio_stop() -> bytes:
    return encode_event(_without_nulls(AudioStop().event()))


def _without_nulls(event: Event) -> Event:
    """There are no timestamps here."""
    return Event(event.type, {name: value for name, value in event.data.items() if value is not None})
