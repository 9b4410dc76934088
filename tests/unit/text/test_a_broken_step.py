"""What becomes of a sentence when one step of its language is broken."""

from __future__ import annotations

import logging

import pytest

from wyoming_kokoro.text import spoken as stages_of_texts
from wyoming_kokoro.text.normalise import Pass, passes_for
from wyoming_kokoro.text.spoken import Speaking


def _raises(text: str) -> str:
    raise ValueError(f"a broken step saw {text}")


def _recurses(text: str) -> str:
    return _recurses(text)


@pytest.mark.parametrize(("broken", "kind"), [(_raises, "ValueError"), (_recurses, "RecursionError")])
def test_a_step_that_raises_is_skipped_and_the_others_still_work(
    broken: object, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert callable(broken)
    passes = [Pass("broken", broken), *passes_for("en-US")]
    with caplog.at_level(logging.INFO):
        assert Speaking("en-US", passes).spoken("Milk is $2 at 5 pm.") == "Milk is two dollars at five P M."
    assert [record.getMessage() for record in caplog.records] == [
        f"The text step broken failed with {kind} and is skipped for this sentence"
    ]
    assert caplog.records[0].name == stages_of_texts.__name__


def test_a_step_that_loses_the_whole_text_is_skipped(caplog: pytest.LogCaptureFixture) -> None:
    passes = [Pass("eats", lambda _: "…"), Pass("loud", str.upper)]
    assert Speaking("es", passes).spoken("hola") == "HOLA"
    assert "The text step eats left nothing to be spoken" in caplog.text


def test_the_text_is_not_in_the_log_at_level_info(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        assert Speaking("en-US", [Pass("broken", _raises)]).spoken("A secret 5.") == "A secret 5."
    assert "secret" not in caplog.text


def test_the_stages_show_the_text_unchanged_by_the_broken_step() -> None:
    stages = Speaking("en-US", [Pass("broken", _raises)]).stages("At 5.")
    assert stages == [("clean", "At 5."), ("broken", "At 5.")]
