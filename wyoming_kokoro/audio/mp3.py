"""MP3 as a stream: the one format that every player takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.model.audio import SPEECH

if TYPE_CHECKING:
    import lameenc

BITRATE_KBPS = 48
"""Constant, so that the size of a file follows from its duration. For one channel of speech at 24 kHz it is ample."""

_QUALITY = 5
"""LAME's scale, 0 best and 9 fastest. 5 is the fastest that still shapes its noise: 5 ms for a second of sound."""

_SAMPLES = 576
"""Samples in a frame of this sample rate."""

_FRAME_BYTES = _SAMPLES * BITRATE_KBPS * 1000 // 8 // SPEECH.rate
"""A whole number at this rate: no frame is ever padded."""

_DELAY_FRAMES = 2
"""What the encoder's own delay and the last frame's overlap add."""


def mp3_bytes(pcm_bytes: int) -> int:
    """Size of the MP3 of that much PCM."""
    frames = -(-pcm_bytes // SPEECH.frame_bytes // _SAMPLES)
    return (frames + _DELAY_FRAMES) * _FRAME_BYTES if frames else 0


class Mp3Stream:
    """Frames of constant size, without tags of any kind, so that a player starts anywhere. Implements `containers.Encoder`.

    About 46 ms of silence come before the sound and up to 50 ms behind it. No sound at all gives no bytes.
    """

    def __init__(self) -> None:
        self._lame: lameenc.Encoder | None = None

    def feed(self, pcm: bytes) -> bytes:
        """The frames that are complete."""
        if self._lame is None:
            self._lame = _open_lame()
        return bytes(self._lame.encode(pcm))

    def finish(self) -> bytes:
        """The last frames."""
        lame, self._lame = self._lame, None
        return b"" if lame is None else bytes(lame.flush())

    def close(self) -> None:
        """Give the encoder's memory back."""
        self._lame = None


def _open_lame() -> lameenc.Encoder:
    import lameenc

    lame = lameenc.Encoder()
    lame.silence()
    lame.set_channels(SPEECH.channels)
    lame.set_in_sample_rate(SPEECH.rate)
    lame.set_out_sample_rate(SPEECH.rate)
    lame.set_bit_rate(BITRATE_KBPS)
    lame.set_quality(_QUALITY)
    return lame
