"""How fast the text stages are: bytes of a second on one core, how soon the first sentence is out, and the memory they take.

    python -m benchmarks.text_speed [--kib 1024]

The bars: 200 kB/s, the same for a text of twice the length, and 5 ms to the first sentence once a language is loaded.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from typing import NamedTuple

from benchmarks.readings import readings
from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.text.pipeline import SentenceStream, TextPipeline

_PROSE = (
    "The lamp in the hall is on, and nobody is at home. Rain is expected in the evening, with 12 mm until midnight; the "
    "windows upstairs are still open. The washing machine will be done at 6:45 pm. "
)
_BLOCKS = (
    "# The house\n\nThe **lamp** in the hall is on, and nobody is at home. Rain is expected in the "
    "[evening](https://a.example/b), with 12 mm until midnight.\n\n- The `windows` upstairs are still open\n"
    "- The *washing machine* will be done at 6:45 pm\n\n"
    "| Room | State |\n|---|---|\n| Hall | on |\n\n"
)
_LANGUAGES = ("en-US", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh-CN")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kib", type=int, default=1024, help="size of the longer text")
    size_bytes = parser.parse_args().kib * 1024
    print(f"{'text':<24} {'kB/s, half':>10} {'kB/s':>10} {'first ms':>9} {'peak kB':>9}")
    for sample in _samples():
        TextPipeline().cut(sample.text[:400], language=sample.language, profile=Profile.LATENCY, text_format=sample.text_format)
        whole = sample.text * (size_bytes // len(sample.text.encode()) + 1)
        half, full = (_speed(whole[: round(len(whole) * part)], sample) for part in (0.5, 1))
        print(f"{sample.name:<24} {half:>10.0f} {full:>10.0f} {_first_ms(whole, sample):>9.2f} {_peak_kb(whole, sample):>9.0f}")


class _Sample(NamedTuple):
    name: str
    language: str
    text: str
    text_format: TextFormat = TextFormat.PLAIN


def _samples() -> list[_Sample]:
    dense = [
        _Sample(
            f"readings {language}",
            language,
            " ".join(reading.text for reading in readings() if reading.language == language) + " ",
        )
        for language in _LANGUAGES
    ]
    markdown = [
        _Sample("prose in Markdown", "en-US", f"{_PROSE}\n\n", TextFormat.MARKDOWN),
        _Sample("marks of Markdown", "en-US", _BLOCKS, TextFormat.MARKDOWN),
    ]
    return [_Sample("prose en-US", "en-US", _PROSE), *markdown, *dense]


def _stream(sample: _Sample) -> SentenceStream:
    return TextPipeline().stream(language=sample.language, profile=Profile.LATENCY, text_format=sample.text_format)


def _fed(text: str, sample: _Sample) -> None:
    stream = _stream(sample)
    for start in range(0, len(text), 1000):
        stream.feed(text[start : start + 1000])
    stream.finish()


def _speed(text: str, sample: _Sample) -> float:
    """Thousands of bytes in a second of one core."""
    began = time.process_time()
    _fed(text, sample)
    return len(text.encode()) / (time.process_time() - began) / 1000


def _peak_kb(text: str, sample: _Sample) -> float:
    """The most memory that the stages held at one time, beside the text."""
    tracemalloc.start()
    _fed(text, sample)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak_bytes / 1000


def _first_ms(text: str, sample: _Sample) -> float:
    stream = _stream(sample)
    began = time.process_time()
    for start in range(0, len(text), 40):
        if stream.feed(text[start : start + 40]):
            break
    return 1000 * (time.process_time() - began)


if __name__ == "__main__":
    main()
