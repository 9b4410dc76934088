"""How measured numbers are judged, summed up and drawn."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from benchmarks.chart import drawn
from benchmarks.fairness import Room, jain
from benchmarks.figure import Figure, percentile
from benchmarks.side_by_side import SECTION


@pytest.mark.parametrize(
    ("bar", "is_met"), [("<= 2", True), ("< 2", False), (">= 2", True), (">= 2.1", False), ("<= 1.9", False), ("", None)]
)
def test_a_median_is_held_against_its_bar(bar: str, is_met: bool | None) -> None:
    assert Figure.of("part", "name", [1.0, 2.0, 30.0], "x", bar).is_met is is_met


def test_a_figure_tells_its_spread() -> None:
    figure = Figure.of("part", "name", [3.0, 1.0, 2.0], "ms", "< 5")
    assert (figure.value, figure.low, figure.high) == (2.0, 1.0, 3.0)
    assert "(1..3)" in figure.line()
    assert figure.to_json()["is_met"] is True


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile(range(1, 101), 0.95) in (95, 96)
    assert percentile([7.0], 0.95) == 7.0


def test_jain_is_one_for_equal_shares_and_one_nth_for_one_who_has_it_all() -> None:
    assert jain([3.0, 3.0, 3.0, 3.0]) == pytest.approx(1.0)
    assert jain([3.0, 0.0, 0.0, 0.0]) == pytest.approx(0.25)


def test_a_room_that_runs_dry_has_lost_what_it_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([10.0, 11.0, 15.0])
    monkeypatch.setattr("benchmarks.fairness.time.monotonic", lambda: next(moments))
    room = Room()
    for seconds in (2.0, 1.0, 1.0):
        room.hear(seconds)
    assert room.worst_lead_seconds == pytest.approx(-2.0)
    assert room.heard_by(11.0) == 3.0


def test_a_chart_has_a_bar_for_each_contender_and_is_sound_xml() -> None:
    waits = [
        Figure.of(SECTION, f"first sound, three words: {name}", [value], "ms")
        for name, value in (("ours", 90.0), ("a & b", 9000.0))
    ]
    found = {"machine": {"processor": "Some <CPU>", "cores": 2}, "figures": [wait.to_json() for wait in waits]}
    chart = drawn(found)
    ET.fromstring(chart)
    assert chart.index(">ours<") < chart.index("a &amp; b")
    assert "9000 (cut)" in chart
