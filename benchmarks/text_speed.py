"""How fast the text stages are: bytes of a second on one core, and how soon the first sentence is out.

    python -m benchmarks.text_speed [--kib 1024]

The bars: 200 kB/s, the same for a text of twice the length, and 5 ms to the first sentence once a language is loaded.
"""

from __future__ import annotations

import argparse
import time

from benchmarks.readings import readings
from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.text.pipeline import SentenceStream, TextPipeline

_PROSE = (
    "The lamp in the hall is on, and nobody is at home. Rain is expected in the evening, with 12 mm until midnight; the "
    "windows upstairs are still open. The washing machine will be done at 6:45 pm. "
)
_LANGUAGES = ("en-US", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh-CN")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kib", type=int, default=1024, help="size of the longer text")
    size_bytes = parser.parse_args().kib * 1024
    print(f"{'text':<24} {'kB/s, half':>10} {'kB/s':>10} {'first ms':>9}")
    for name, language, text in _texts():
        TextPipeline().cut(text[:400], language=language, profile=Profile.LATENCY, text_format=TextFormat.PLAIN)
        whole = text * (size_bytes // len(text.encode()) + 1)
        half, full = (_speed(whole[: round(len(whole) * part)], language) for part in (0.5, 1))
        print(f"{name:<24} {half:>10.0f} {full:>10.0f} {_first_ms(whole, language):>9.2f}")


def _texts() -> list[tuple[str, str, str]]:
    dense = [
        (
            f"readings {language}",
            language,
            " ".join(reading.text for reading in readings() if reading.language == language) + " ",
        )
        for language in _LANGUAGES
    ]
    return [("prose en-US", "en-US", _PROSE), *dense]


def _stream(language: str) -> SentenceStream:
    return TextPipeline().stream(language=language, profile=Profile.LATENCY, text_format=TextFormat.PLAIN)


def _speed(text: str, language: str) -> float:
    """Thousands of bytes in a second of one core."""
    stream = _stream(language)
    began = time.process_time()
    for start in range(0, len(text), 1000):
        stream.feed(text[start : start + 1000])
    stream.finish()
    return len(text.encode()) / (time.process_time() - began) / 1000


def _first_ms(text: str, language: str) -> float:
    stream = _stream(language)
    began = time.process_time()
    for start in range(0, len(text), 40):
        if stream.feed(text[start : start + 40]):
            break
    return 1000 * (time.process_time() - began)


if __name__ == "__main__":
    main()
