"""How many texts of `tests/fixtures/readings/` are said as their expected readings have it, by language.

    python -m benchmarks.readings [--all]

`--all` prints every text that is said otherwise.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import yaml

from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.text.pipeline import TextPipeline

FOLDER = Path(__file__).parents[1] / "tests" / "fixtures" / "readings"


@dataclass(frozen=True, slots=True)
class Reading:
    """One text of the collection."""

    language: str
    kind: str
    text: str
    expected: str
    facts: tuple[str, ...]
    """What a second source says of parts of it: `cardinal 85`, `month 3`, `unit length-meter 50`, `currency EUR 2`."""

    @property
    def said(self) -> str:
        """What the text stages make of it."""
        sentences = TextPipeline().cut(
            self.text, language=self.language, profile=Profile.BALANCED, text_format=TextFormat.PLAIN
        )
        return " ".join(sentence.spoken for sentence in sentences)


def readings() -> list[Reading]:
    """The whole collection."""
    return [
        Reading(path.stem, kind, text, expected, tuple(fact.strip() for fact in facts.split(";") if fact.strip()))
        for path in sorted(FOLDER.glob("*.yaml"))
        for kind, text, expected, facts in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="print every text that is said otherwise")
    arguments = parser.parse_args()
    score: dict[str, list[bool]] = {}
    for reading in readings():
        said = reading.said
        score.setdefault(reading.language, []).append(said == reading.expected)
        if arguments.all and said != reading.expected:
            print(f"{reading.language} {reading.kind}: {reading.text}\n  expected {reading.expected}\n  said     {said}")
    for language, results in score.items():
        print(f"{language:<6} {sum(results):>3} of {len(results):>3}")
    everything = [result for results in score.values() for result in results]
    print(f"{'all':<6} {sum(everything):>3} of {len(everything):>3}")


if __name__ == "__main__":
    main()
