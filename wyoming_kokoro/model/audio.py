"""What sound is made of here. The words are Wyoming's: rate, width, channels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AudioFormat:
    """Shape of raw, little-endian, interleaved PCM."""

    rate: int
    """Frames per second."""
    width: int = 2
    """Bytes per sample."""
    channels: int = 1

    @property
    def frame_bytes(self) -> int:
        """Bytes of one frame: a sample of every channel."""
        return self.width * self.channels

    @property
    def bytes_per_second(self) -> int:
        """Bytes of one second of sound."""
        return self.rate * self.frame_bytes

    def seconds(self, size_bytes: int) -> float:
        """Duration of that many bytes."""
        return size_bytes / self.bytes_per_second

    def milliseconds(self, size_bytes: int) -> int:
        """Duration of that many bytes, rounded to whole milliseconds."""
        return round(1000 * size_bytes / self.bytes_per_second)

    def silence(self, milliseconds: int) -> bytes:
        """Digital silence of that duration."""
        return bytes(self.rate * milliseconds // 1000 * self.frame_bytes)


SPEECH = AudioFormat(rate=24_000)
"""What Kokoro speaks: 24 kHz, 16 bit, mono."""


@dataclass(frozen=True, slots=True)
class WordTiming:
    """Where one spoken word lies in the sound of its sentence."""

    word: str
    start_seconds: float
    end_seconds: float


@dataclass(frozen=True, slots=True)
class Speech:
    """The sound of one sentence in the format `SPEECH`, trimmed for its place (`Utterance.opens`, `closes`)."""

    pcm: bytes
    gen_seconds: float
    """What it took to make."""
    words: tuple[WordTiming, ...] = ()
    """Exact word timings, where the engine knows them."""

    @property
    def seconds(self) -> float:
        """Duration of the sound."""
        return SPEECH.seconds(len(self.pcm))
