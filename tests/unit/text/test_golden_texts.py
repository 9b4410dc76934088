"""Texts of every language with all that is said for them, sentence by sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.text.pipeline import TextPipeline

FIXTURES = Path(__file__).parents[2] / "fixtures" / "text"
CASES = [case for path in sorted(FIXTURES.glob("*.json")) for case in json.loads(path.read_text(encoding="utf-8"))]


def test_every_language_has_its_texts() -> None:
    assert {case["language"] for case in CASES} == {"en-US", "en-GB", "es", "fr-FR", "hi", "it", "ja", "pt-BR", "zh-CN"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['text_format']}-{case['input'][:20]}")
def test_a_text_is_said_as_its_golden_file_has_it(case: dict[str, Any]) -> None:
    options = {
        "language": case["language"],
        "profile": Profile(case["profile"]),
        "text_format": TextFormat(case["text_format"]),
    }
    sentences = TextPipeline().cut(case["input"], **options)
    assert [
        {"text": sentence.text, "spoken": sentence.spoken, "closes": str(sentence.closes), **sentence.manner}
        for sentence in sentences
    ] == case["sentences"]
    assert "".join(sentence["text"] for sentence in case["sentences"]) == case["input"].strip()
    explained = TextPipeline().explain(case["input"], **options)
    assert [(one.text, one.spoken) for one in explained] == [(sentence.text, sentence.spoken) for sentence in sentences]
