"""The formats in which the sound of a cast is served, each as one stream from its first byte to its last.

A cast is served by one encoder from beginning to end, so there is one header and no seam between two sentences. Equal sound
gives equal bytes in every format, however it was cut into pieces: a late listener gets what an early one got, and a part of a
finished cast can be fetched again. The bytes of a cast that is being made and of the finished one are the same in MP3 and Opus;
in FLAC and WAV the header differs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from wyoming_kokoro.audio.flac import FlacStream
from wyoming_kokoro.audio.mp3 import Mp3Stream, mp3_bytes
from wyoming_kokoro.audio.opus import OpusStream
from wyoming_kokoro.audio.wav import WavStream, wav_bytes
from wyoming_kokoro.model.audio import SPEECH

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

_THREADS = 4

_SLICE_BYTES = SPEECH.bytes_per_second
"""What is encoded in one go: bounds what is held in memory, and how long a cancelled listener still keeps a thread busy."""


class Encoder(Protocol):
    """PCM of the format `SPEECH` into one file. It blocks, and only one thread may use it at a time."""

    def feed(self, pcm: bytes) -> bytes:
        """What comes out for that much more sound, perhaps nothing yet.

        A ValueError for no whole number of frames, for more sound than was promised, or after the end.
        """
        ...

    def finish(self) -> bytes:
        """The rest of the file. A ValueError where less sound came than was promised."""
        ...

    def close(self) -> None:
        """Let go of everything, finished or not. Any number of times."""
        ...


@dataclass(frozen=True, slots=True)
class ServedFormat:
    """How one format is asked for and announced."""

    name: str
    """Also the ending of its files."""
    media_type: str
    is_chunkable: bool = True
    """It can be played while the cast is being made."""


FORMATS: Mapping[str, ServedFormat] = MappingProxyType(
    {
        served.name: served
        for served in (
            ServedFormat("mp3", "audio/mpeg"),
            ServedFormat("flac", "audio/flac"),
            ServedFormat("wav", "audio/wav"),
            ServedFormat("opus", "audio/ogg"),
        )
    }
)

_STREAMS: Mapping[str, Callable[[int | None], Encoder]] = {
    "mp3": lambda _: Mp3Stream(),
    "flac": FlacStream,
    "wav": WavStream,
    "opus": lambda _: OpusStream(),
}


def open_encoder(name: str, *, total_bytes: int | None = None) -> Encoder:
    """An encoder for the format of that name.

    `total_bytes` is the size of all the PCM, where it is known: headers are exact then. A ValueError for a name that is not
    among `FORMATS`, and for no whole number of frames.
    """
    _check_name(name)
    if total_bytes is not None:
        _check_frames(total_bytes)
    return _Promised(_STREAMS[name](total_bytes), total_bytes)


def content_length(name: str, pcm_bytes: int) -> int | None:
    """The size of the finished file, where it is known without encoding (WAV, MP3), or None. Errors as `open_encoder`."""
    _check_name(name)
    _check_frames(pcm_bytes)
    sizes = {"wav": wav_bytes, "mp3": mp3_bytes}
    return sizes[name](pcm_bytes) if name in sizes else None


@cache
def encoder_version(name: str) -> str:
    """Names the program behind the bytes: only while it is the same are they the same. Errors as `open_encoder`."""
    _check_name(name)
    package = {"mp3": "lameenc", "wav": "wyoming-kokoro"}.get(name, "soundfile")
    return f"{package} {version(package)}"


async def encoded(pieces: AsyncIterator[bytes], name: str, *, total_bytes: int | None = None) -> AsyncGenerator[bytes, None]:
    """The file, bit by bit, as the pieces of PCM come; no chunk is empty. Errors are those of `open_encoder` and `Encoder`.

    The encoder runs in threads. The next piece is asked for when what came of the last one has been taken, so a slow reader
    holds one piece and no more. `pieces` is closed at the end, whatever the end is.
    """
    encoder = open_encoder(name, total_bytes=total_bytes)
    try:
        async for piece in pieces:
            for part in _slices(piece):
                if chunk := await _in_thread(partial(encoder.feed, part)):
                    yield chunk
        if chunk := await _in_thread(encoder.finish):
            yield chunk
    finally:
        encoder.close()
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


class _Promised:
    """Holds the sound to what was said about it, and the caller to the order of the calls."""

    def __init__(self, stream: Encoder, total_bytes: int | None) -> None:
        self._stream = stream
        self._total_bytes = total_bytes
        self._fed_bytes = 0
        self._is_over = False

    def feed(self, pcm: bytes) -> bytes:
        _check_frames(len(pcm))
        self._check_open()
        self._fed_bytes += len(pcm)
        if self._total_bytes is not None and self._fed_bytes > self._total_bytes:
            raise ValueError(f"more than the {self._total_bytes} bytes of sound that were promised")
        return self._stream.feed(pcm) if pcm else b""

    def finish(self) -> bytes:
        self._check_open()
        self._is_over = True
        if self._total_bytes not in (None, self._fed_bytes):
            raise ValueError(f"{self._fed_bytes} bytes of sound instead of the {self._total_bytes} that were promised")
        return self._stream.finish()

    def close(self) -> None:
        self._is_over = True
        self._stream.close()

    def _check_open(self) -> None:
        if self._is_over:
            raise ValueError("the file is at its end")


async def _in_thread(work: Callable[[], bytes]) -> bytes:
    """What it returns; when cancelled, only once the thread has let go of the encoder, however often it is cancelled."""
    job = _threads().submit(work)
    running = asyncio.wrap_future(job)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        while not (job.cancel() or job.done()):
            with suppress(asyncio.CancelledError):
                await asyncio.wait([running])
        raise


@cache
def _threads() -> ThreadPoolExecutor:
    """Of the encoders alone: a crowd of listeners must not keep those waiting who make the sound."""
    return ThreadPoolExecutor(_THREADS, "encoder")


def _slices(pcm: bytes) -> Iterator[bytes]:
    return (pcm[start : start + _SLICE_BYTES] for start in range(0, len(pcm), _SLICE_BYTES))


def _check_name(name: str) -> None:
    if name not in FORMATS:
        raise ValueError(f"{name!r} is not one of {', '.join(FORMATS)}")


def _check_frames(size_bytes: int) -> None:
    if size_bytes < 0 or size_bytes % SPEECH.frame_bytes:
        raise ValueError(f"{size_bytes} bytes are no whole number of frames")
