"""What a stranger hears of normalised sentences, and of their readings written by hand: word error rates by Whisper.

Whisper writes figures, so what it heard is put in words before it is compared.

    python -m benchmarks.readings_heard [--count 40]

The texts are the American ones of `tests/fixtures/readings/`, then the British ones. The bar: no worse than hand-written.
"""

from __future__ import annotations

import argparse
import asyncio

from benchmarks.readings import Reading, readings
from tests.transcribe import transcribe, word_error_rate
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.model.recipe import Boundary, Utterance
from wyoming_kokoro.ports import Engine
from wyoming_kokoro.settings.tree import EngineSettings
from wyoming_kokoro.text.spoken import Speaking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40, help="how many sentences")
    chosen = [reading for tag in ("en-US", "en-GB") for reading in readings() if reading.language == tag]
    asyncio.run(_compare(chosen[: parser.parse_args().count]))


async def _compare(chosen: list[Reading]) -> None:
    engine = build_engine(EngineSettings(engine="onnx"), SystemClock())
    speaking = Speaking("en-US")
    await engine.start()
    try:
        heard: dict[str, str] = {}
        for text in dict.fromkeys(text for reading in chosen for text in (reading.said, reading.expected)):
            heard[text] = speaking.spoken(transcribe(await _spoken(engine, text)))
    finally:
        await engine.stop()
    expected = [reading.expected for reading in chosen]
    normalised = word_error_rate(expected, [heard[reading.said] for reading in chosen])
    by_hand = word_error_rate(expected, [heard[reading.expected] for reading in chosen])
    print(f"{len(chosen)} sentences: word error rate {normalised:.3f} normalised, {by_hand:.3f} written by hand")


async def _spoken(engine: Engine, text: str) -> bytes:
    utterance = Utterance(
        spoken=text,
        voice="af_heart",
        speed=1.0,
        language="en-US",
        opens=Boundary.START,
        closes=Boundary.SENTENCE,
        model=engine.fingerprint,
    )
    return (await engine.synthesize(utterance)).pcm


if __name__ == "__main__":
    main()
