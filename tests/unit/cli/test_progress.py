"""Progress on a terminal and elsewhere, and somebody else's text on either."""

from __future__ import annotations

import io

import pytest

from wyoming_kokoro.cli.one_line import one_line
from wyoming_kokoro.cli.progress import open_progress


class Terminal(io.StringIO):
    """What looks like one."""

    def isatty(self) -> bool:
        return True


def test_elsewhere_every_sentence_is_a_line() -> None:
    stream = io.StringIO()
    progress = open_progress(stream)
    progress.tell("starting")
    progress.sentence(1, "Good\nevening.", 1.5, 0.5)
    progress.close()
    assert stream.getvalue() == "starting\nsentence 1, 50%: 1.50 s of sound: Good evening.\n"


def test_on_a_terminal_one_line_is_written_over_and_over() -> None:
    stream = Terminal()
    progress = open_progress(stream)
    progress.sentence(1, "One.", 1.5, 0.5)
    progress.sentence(2, "Two.", 1.0, 1.0)
    progress.tell("done")
    progress.close()
    first, second, last = stream.getvalue().split("\x1b[K")
    assert first == "\r[###############---------------]  50%  sentence 1, 1.5 s of sound"
    assert second == "\r[##############################] 100%  sentence 2, 2.5 s of sound"
    assert last == "\ndone\n"


def test_a_sentence_that_is_made_again_is_not_counted_twice() -> None:
    stream = Terminal()
    progress = open_progress(stream)
    for number, seconds in ((1, 1.0), (2, 1.0), (1, 3.0)):
        progress.sentence(number, "", seconds, 0.0)
    assert stream.getvalue().endswith("sentence 1, 3.0 s of sound\x1b[K")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\r\n b", "a b"), ("\x1b[2Jred", "[2Jred"), ("a\u202eb", "a b"), ("Grüße, 日本", "Grüße, 日本"), ("", "")],
)
def test_a_text_can_not_move_the_cursor(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_a_long_text_is_cut_to_the_width() -> None:
    assert one_line("a" * 10, 10) == "a" * 10
    assert one_line("a" * 11, 10) == "a" * 9 + "…"
