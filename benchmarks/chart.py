"""Draws what `benchmarks.run` wrote: the wait for the first sound, for each contender and text.

python -m benchmarks.chart FIGURES.json CHART.svg
"""

from __future__ import annotations

import json
import sys
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.side_by_side import SECTION, TEXTS

_BAR, _GAP, _LEFT, _WIDTH = 18, 5, 210, 820
_OURS, _THEIRS, _INK, _FAINT = "#1f7a8c", "#b8b8b8", "#222222", "#767676"
_LONGEST_MS = 4000.0
"""Longer bars are cut, and say so."""


def drawn(found: dict[str, Any]) -> str:
    """An SVG, one group of bars for each text, shortest wait first."""
    parts: list[str] = []
    top = 54
    for text in TEXTS:
        waits = sorted(_waits(found["figures"], text), key=lambda wait: wait[1])
        parts.append(_label(0, top + 14, text, weight="bold"))
        top += 22
        for name, milliseconds in waits:
            parts += _bar(top, name, milliseconds)
            top += _BAR + _GAP
        top += 14
    machine = found["machine"]
    title = f"Wait for the first sound, ms (median; {machine['processor']}, {machine['cores']} cores)"
    head = [
        _label(0, 20, title, weight="bold"),
        _label(0, 38, "shorter is better; new text on a new connection", colour=_FAINT),
    ]
    size = f'width="{_WIDTH}" height="{top}" viewBox="0 0 {_WIDTH} {top}"'
    style = 'font-family="system-ui, sans-serif" font-size="13"'
    ground = f'<rect width="{_WIDTH}" height="{top}" fill="#ffffff"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', ground, *head, *parts, "</svg>", ""])


def _waits(figures: list[dict[str, Any]], text: str) -> list[tuple[str, float]]:
    begin = f"first sound, {text}: "
    found = (figure for figure in figures if figure["section"] == SECTION and figure["unit"] == "ms")
    return [(figure["name"].removeprefix(begin), figure["value"]) for figure in found if figure["name"].startswith(begin)]


def _bar(top: int, name: str, milliseconds: float) -> list[str]:
    room = _WIDTH - _LEFT - 90
    length = max(2.0, room * min(1.0, milliseconds / _LONGEST_MS))
    colour = _OURS if name.startswith("ours") else _THEIRS
    number = f"{milliseconds:.0f}" + (" (cut)" if milliseconds > _LONGEST_MS else "")
    return [
        _label(_LEFT - 8, top + 14, name, anchor="end"),
        f'<rect x="{_LEFT}" y="{top}" width="{length:.0f}" height="{_BAR}" fill="{colour}"/>',
        _label(round(_LEFT + length + 6), top + 14, number),
    ]


def _label(x: int, y: int, text: str, *, weight: str = "normal", anchor: str = "start", colour: str = _INK) -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def main() -> None:
    """Read, draw, write."""
    source, target = map(Path, sys.argv[1:])
    target.write_text(drawn(json.loads(source.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
