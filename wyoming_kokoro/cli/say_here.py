"""Speaks with an engine of its own into a file, without a server and without a journal."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from wyoming_kokoro.audio.joins import with_pause
from wyoming_kokoro.audio.levelling import levelled
from wyoming_kokoro.cli.script import read_script
from wyoming_kokoro.cli.sound_file import sound_file
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.errors import RefusedError

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator
    from pathlib import Path

    from wyoming_kokoro.cli.progress import Progress
    from wyoming_kokoro.cli.script import Script
    from wyoming_kokoro.ports import Engine
    from wyoming_kokoro.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Spoken:
    """What came of it."""

    voice: str
    seconds: float
    """Of sound."""
    gen_seconds: float
    """Of work."""


def say_here(arguments: argparse.Namespace, settings: Settings, out: Path, progress: Progress) -> Spoken:
    """Write the file. Raises `RefusedError` and `EngineError`."""
    script = read_script(arguments, settings)
    with sound_file(out) as sound:
        return asyncio.run(_say(script, settings, sound, progress))


async def _say(script: Script, settings: Settings, sound: IO[bytes], progress: Progress) -> Spoken:
    sentences = script.sentences()
    seconds = gen_seconds = 0.0
    async with _started(settings, progress) as engine:
        recipe = script.recipe(sentences, speed=settings.engine.speed, model=engine.fingerprint)
        utterances = [recipe.utterance(sentence) for sentence in sentences]
        for index, utterance in enumerate(utterances):
            for following in utterances[index + 1 : index + 2]:
                engine.prepare(following)
            speech = await engine.synthesize(utterance)
            pcm = with_pause(speech.pcm, utterance.pause_ms)
            _put(sound, levelled(pcm, script.voice.gain_db))
            seconds, gen_seconds = seconds + SPEECH.seconds(len(pcm)), gen_seconds + speech.gen_seconds
            progress.sentence(index + 1, utterance.spoken, speech.seconds, (index + 1) / len(utterances))
    return Spoken(script.voice.name, seconds, gen_seconds)


@contextlib.asynccontextmanager
async def _started(settings: Settings, progress: Progress) -> AsyncIterator[Engine]:
    progress.tell("starting the engine")
    engine = build_engine(settings.engine, SystemClock())
    try:
        await engine.start()
        yield engine
    finally:
        await engine.stop()


def _put(sound: IO[bytes], pcm: bytes) -> None:
    try:
        sound.write(pcm)
    except OSError as error:
        raise RefusedError("--out", f"can't put the sound aside: {error.strerror}") from error
