"""How a request wants to be spoken, checked before anything is written."""

from __future__ import annotations

import pytest

from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.settings import WorkSettings
from wyoming_kokoro.text.pipeline import TextPipeline


def _recipes() -> Recipes:
    return Recipes(KokoroVoices("af_heart"), TextPipeline(), WorkSettings(), model=lambda: "m", speed=1.0)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (None, "en-US"),
        ("en-GB", "en-GB"),
        ("en_us", "en-US"),
        ("en", "en-US"),
        ("fr-CA", "fr"),
        ("PT", "pt-BR"),
        ("es-MX", "es"),
    ],
)
def test_a_language_is_known_by_any_of_its_usual_tags(asked: str | None, meant: str) -> None:
    assert _recipes().manner(CastRequest(source="test", language=asked)).language == meant


@pytest.mark.parametrize("asked", ["de", "", "klingon"])
def test_a_language_that_nobody_speaks_is_refused_and_those_that_are_spoken_are_named(asked: str) -> None:
    with pytest.raises(RefusedError, match="en-GB, en-US, es, fr, hi, it") as refused:
        _recipes().manner(CastRequest(source="test", language=asked))
    assert refused.value.field == "language"


@pytest.mark.parametrize("speed", [0.49, 2.01, 0.0, -1.0, float("nan")])
def test_a_pace_outside_the_range_is_refused(speed: float) -> None:
    with pytest.raises(RefusedError, match=r"between 0\.5 and 2"):
        _recipes().manner(CastRequest(source="test", speed=speed))
