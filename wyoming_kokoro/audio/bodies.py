"""The bodies of audio records: PCM of one sentence in `model.audio.SPEECH`, kept exactly."""

from __future__ import annotations

import asyncio
import io

from wyoming_kokoro.model.audio import SPEECH

FLAC = "flac"
PCM = "pcm"


class FlacBodies:
    """One FLAC file per sentence: half the size of PCM, encoded and decoded in a thread. Implements `ports.Bodies`."""

    @property
    def body_format(self) -> str:
        """`flac`."""
        return FLAC

    async def encode(self, pcm: bytes) -> bytes:
        """The FLAC of that PCM; equal PCM gives equal bytes. A ValueError for no frame, or no whole number of them."""
        return await asyncio.to_thread(encode_flac, pcm)

    async def decode(self, body: bytes, body_format: str) -> bytes:
        """The PCM in a FLAC or PCM body; a ValueError where there is none."""
        if body_format == FLAC:
            return await asyncio.to_thread(decode_flac, body)
        return _checked_pcm(body, body_format)


class PcmBodies:
    """Bodies that are the PCM itself, without a thread: for simulations and tests. Implements `ports.Bodies`."""

    @property
    def body_format(self) -> str:
        """`pcm`."""
        return PCM

    async def encode(self, pcm: bytes) -> bytes:
        """The same bytes; a ValueError where they are no whole number of frames."""
        return _checked_pcm(pcm, PCM)

    async def decode(self, body: bytes, body_format: str) -> bytes:
        """The PCM in a FLAC or PCM body; a ValueError where there is none."""
        if body_format == FLAC:
            return decode_flac(body)
        return _checked_pcm(body, body_format)


def encode_flac(pcm: bytes) -> bytes:
    """A FLAC file with that PCM, of the format `SPEECH`; blocks for about 0.4 ms per second of sound."""
    import soundfile

    if not _checked_pcm(pcm, PCM):
        raise ValueError("there is no sound in it")
    file = io.BytesIO()
    with soundfile.SoundFile(
        file, "w", samplerate=SPEECH.rate, channels=SPEECH.channels, format="FLAC", subtype="PCM_16"
    ) as flac:
        flac.buffer_write(pcm, "int16")
    return file.getvalue()


def decode_flac(body: bytes) -> bytes:
    """The PCM in a FLAC file of the format `SPEECH`; a ValueError where it is damaged or of another format."""
    import soundfile

    if not body.startswith(b"fLaC"):
        raise ValueError("not a FLAC file")
    try:
        with soundfile.SoundFile(io.BytesIO(body)) as flac:
            _check_shape(flac.samplerate, flac.channels)
            expected_frames = flac.frames
            pcm = bytes(flac.buffer_read(-1, "int16"))
    except soundfile.SoundFileError as error:
        raise ValueError(f"not a readable FLAC file: {error}") from error
    if len(pcm) != expected_frames * SPEECH.frame_bytes:
        raise ValueError("the FLAC file is cut short")
    return pcm


def _check_shape(rate: int, channels: int) -> None:
    if (rate, channels) != (SPEECH.rate, SPEECH.channels):
        raise ValueError(f"{rate} Hz with {channels} channels instead of {SPEECH.rate} Hz with {SPEECH.channels}")


def _checked_pcm(pcm: bytes, body_format: str) -> bytes:
    if body_format != PCM:
        raise ValueError(f"unknown body format {body_format!r}")
    if len(pcm) % SPEECH.frame_bytes:
        raise ValueError(f"{len(pcm)} bytes are no whole number of frames")
    return bytes(pcm)
