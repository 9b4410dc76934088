"""Whether every way to compute the model is understood as well as the model as it is shipped: 36 clips, three voices.

python -m benchmarks.hearing [--ways NAME ...]

For each way: the word error rate by Whisper, the loudness beside the shipped model's in decibels (the largest difference of a
voice), and the largest step between samples where clips of one voice are joined.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.networks import SHIPPED, Feeds, ways
from tests.transcribe import transcribe, word_error_rate
from wyoming_kokoro.audio.joins import trim
from wyoming_kokoro.audio.samples import to_pcm
from wyoming_kokoro.engine.kokoro import Network
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.weights import fetch
from wyoming_kokoro.model.recipe import Boundary

if TYPE_CHECKING:
    from wyoming_kokoro.engine.kokoro import Array

VOICES = ("af_heart", "am_michael", "bf_emma")
TEXTS = (
    "The front door is open, and somebody is standing outside.",
    "The washing machine has finished. Please empty it soon.",
    "Dinner is ready. Everybody should come to the kitchen now.",
    "Tomorrow will be cloudy with a little rain in the afternoon.",
    "The quick brown fox jumps over the lazy dog.",
    "Turn off the lights in the living room before you leave.",
    "Please remember to lock the back door before you go to bed.",
    "The train to London leaves from the other platform this evening.",
    "Somebody has left a parcel for you in front of the garage.",
    "The garden gate was left open once more, and the dog is outside.",
    "Your coffee is ready, and there is fresh bread on the table.",
    "It is getting colder, so the heating was switched on upstairs.",
)


def clips(network: Network, feeds: Feeds, voice: str) -> list[Array]:
    """Every text by that voice, trimmed as for a cast."""
    sounds = [network.run(feeds.feed(text, voice), Stop())[0] for text in TEXTS]
    return [trim(sound, Boundary.SENTENCE, Boundary.SENTENCE).samples for sound in sounds]


def loudness(sounds: Sequence[Array]) -> float:
    """Decibels below full scale of all of them together."""
    return float(20 * np.log10(np.sqrt(np.mean(np.square(np.concatenate(list(sounds)))))))


def largest_step(sounds: Sequence[Array]) -> float:
    """Between the last sample of a clip and the first of the next, in full scale."""
    return max(abs(float(after[0] - before[-1])) for before, after in pairwise(sounds))


def run(wanted: Sequence[str] | None) -> None:
    """Measure and print, the shipped one first."""
    folder = fetch().folder
    feeds = Feeds(folder)
    levels: dict[str, float] = {}
    print(f"{'':<18}{'WER':>7}{'loudness':>10}{'step':>8}   of {len(TEXTS) * len(VOICES)} clips")
    for way in ways(folder):
        if wanted and way.name not in {SHIPPED, *wanted}:
            continue
        network = way.load()
        heard: list[str] = []
        differences, steps = [0.0], []
        for voice in VOICES:
            sounds = clips(network, feeds, voice)
            heard += [transcribe(to_pcm(sound)) for sound in sounds]
            steps.append(largest_step(sounds))
            differences.append(abs(loudness(sounds) - levels.setdefault(voice, loudness(sounds))))
        errors = word_error_rate(list(TEXTS) * len(VOICES), heard)
        print(f"{way.name:<18}{errors:>7.3f}{max(differences):>7.2f} dB{max(steps):>8.3f}", flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ways", nargs="*")
    run(parser.parse_args().ways)


if __name__ == "__main__":
    main()
