"""What every stage makes of each kind of text, in each language, is what its golden file has."""

from __future__ import annotations

import pytest

from tests.fixtures.spoken_stages import FOLDER, LANGUAGES, golden


def test_every_language_has_its_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(LANGUAGES)
    assert set(LANGUAGES) == {"en-US", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh-CN"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stages_are_those_of_the_golden_file(language: str) -> None:
    made = golden(language)
    assert made.splitlines() == (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines()
