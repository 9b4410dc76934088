"""`wyoming-kokoro say`: a text into a WAV file, without a server and without a journal."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.script import read_script
from wyoming_kokoro.cli.sound_file import SoundFile
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator

    from wyoming_kokoro.cli.script import Script
    from wyoming_kokoro.ports import Engine
    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Write the file, and tell on standard error how far it is."""
    script = read_script(arguments, settings)
    with SoundFile(arguments.out) as sound:
        seconds, gen_seconds = asyncio.run(_say(script, settings, sound))
    pace = f", made {seconds / gen_seconds:.1f} times as fast as it is heard" if gen_seconds else ""
    _tell(f"{arguments.out}: {seconds:.2f} s of sound by {script.voice.name}{pace}")
    return ExitStatus.DONE


async def _say(script: Script, settings: Settings, sound: SoundFile) -> tuple[float, float]:
    """Seconds of the sound, and of the work."""
    sentences = script.sentences()
    seconds = gen_seconds = 0.0
    async with _started(settings) as engine:
        recipe = script.recipe(sentences, speed=settings.engine.speed, model=engine.fingerprint)
        utterances = [recipe.utterance(sentence) for sentence in sentences]
        for index, utterance in enumerate(utterances):
            for following in utterances[index + 1 : index + 2]:
                engine.prepare(following)
            speech = await engine.synthesize(utterance)
            sound.write(speech.pcm)
            seconds, gen_seconds = seconds + speech.seconds, gen_seconds + speech.gen_seconds
            took = f"{speech.seconds:.2f} s of sound in {speech.gen_seconds:.2f} s"
            _tell(f"sentence {index + 1} of {len(utterances)}: {took}: {utterance.spoken}")
    return seconds, gen_seconds


@contextlib.asynccontextmanager
async def _started(settings: Settings) -> AsyncIterator[Engine]:
    _tell("starting the engine")
    engine = build_engine(settings.engine, SystemClock())
    try:
        await engine.start()
        yield engine
    finally:
        await engine.stop()


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
