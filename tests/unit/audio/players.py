"""Sound to serve, and the programs of other people that open what is served."""

from __future__ import annotations

import io
import wave
from typing import TYPE_CHECKING

import av
import miniaudio
import numpy as np
import soundfile
from numpy.typing import NDArray

from wyoming_kokoro.model.audio import SPEECH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


Sound = NDArray[np.float64]
RATE = SPEECH.rate


def sentence(seconds: float, hertz: float = 180.0, seed: int = 1) -> bytes:
    """Something like speech: a buzz with a little breath, that comes out of silence and goes back into it."""
    t = np.arange(round(seconds * RATE)) / RATE
    buzz = sum(np.sin(2 * np.pi * hertz * k * t) / k for k in range(1, 6))
    breath = np.random.default_rng(seed).normal(0.0, 0.01, len(t))
    envelope = np.clip(np.minimum(t - 0.03, seconds - 0.2 - t) / 0.02, 0.0, 1.0)
    return bytes(np.rint(32767 * 0.4 * envelope * (buzz / 1.6 + breath)).astype("<i2").tobytes())


def samples(pcm: bytes) -> Sound:
    return np.frombuffer(pcm, "<i2").astype(np.float64) / 32768


def by_ffmpeg(file: bytes) -> Sound:
    """By FFmpeg's own libraries, at the rate of speech."""
    resampler = av.AudioResampler("flt", "mono", RATE)
    with av.open(io.BytesIO(file)) as container:
        frames = [out for frame in container.decode(audio=0) for out in resampler.resample(frame)]
    frames += resampler.resample(None)
    return np.concatenate([frame.to_ndarray().reshape(-1) for frame in frames]).astype(np.float64)


def by_libsndfile(file: bytes) -> Sound:
    sound, rate = soundfile.read(io.BytesIO(file))
    assert rate == RATE
    return np.asarray(sound, np.float64)


def by_miniaudio(file: bytes) -> Sound:
    """By the small decoders that are built into many players."""
    decoded = miniaudio.decode(file, nchannels=1, sample_rate=RATE)
    return samples(bytes(decoded.samples))


def by_python(file: bytes) -> Sound:
    with wave.open(io.BytesIO(file)) as sound:
        assert (sound.getframerate(), sound.getsampwidth(), sound.getnchannels()) == (RATE, 2, 1)
        return samples(sound.readframes(sound.getnframes()))


PLAYERS: Mapping[str, tuple[Callable[[bytes], Sound], ...]] = {
    "mp3": (by_ffmpeg, by_libsndfile, by_miniaudio),
    "flac": (by_ffmpeg, by_libsndfile, by_miniaudio),
    "wav": (by_ffmpeg, by_libsndfile, by_miniaudio, by_python),
    "opus": (by_ffmpeg, by_libsndfile),
}
