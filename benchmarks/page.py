"""Writes the tables and the chart of docs/performance.md out of docs/performance.json, which `benchmarks.run --json` writes.

python -m benchmarks.page
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.chart import drawn
from benchmarks.side_by_side import SECTION, TEXTS

DOCS = Path(__file__).parents[1] / "docs"
_BEGIN, _END = "<!-- figures -->", "<!-- /figures -->"


def written(page: str, found: dict[str, Any]) -> str:
    """The page with the figures between its marks. Raises `ValueError` where it has none."""
    head, rest = page.split(_BEGIN)
    _, tail = rest.split(_END)
    return f"{head}{_BEGIN}\n{_tables(found)}\n{_END}{tail}"


def _tables(found: dict[str, Any]) -> str:
    machine = found["machine"]
    loads = ", ".join(f"{section} {load}" for section, load in machine["load_after"].items())
    where = f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}, {machine['day']}"
    lines = [f"Version {machine['version']} on {where}. Load of the machine at the end of each part: {loads}.", ""]
    lines += _contenders(found["figures"])
    for section in dict.fromkeys(figure["section"] for figure in found["figures"]):
        rest = [figure for figure in found["figures"] if figure["section"] == section and (section != SECTION or figure["bar"])]
        lines += ["", f"**{section[0].upper()}{section[1:]}**", "", "| figure | median | spread | bar |", "|---|---|---|---|"]
        lines += [_row(figure) for figure in rest]
    return "\n".join(lines)


def _contenders(figures: list[dict[str, Any]]) -> list[str]:
    """One row for each: the wait for each text, the pace of the longest, the memory."""
    by_name = {figure["name"]: figure["value"] for figure in figures if figure["section"] == SECTION}
    first, longest = f"first sound, {next(iter(TEXTS))}: ", list(TEXTS)[-1]
    names = sorted(
        (name.removeprefix(first) for name in by_name if name.startswith(first)), key=lambda each: by_name[first + each]
    )
    waits = " | ".join(f"{text}, ms (p95)" for text in TEXTS)
    lines = [f"| | {waits} | s of sound in 1 s | memory, MB |", "|---" * (len(TEXTS) + 3) + "|"]
    for name in names:
        cells = [
            f"{by_name[f'first sound, {text}: {name}']:.0f} ({by_name[f'first sound, {text}, p95: {name}']:.0f})"
            for text in TEXTS
        ]
        cells += [
            f"{by_name[f'sound in a second, {longest}: {name}']:.1f}",
            f"{by_name[f'memory after all texts: {name}']:.0f}",
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _row(figure: dict[str, Any]) -> str:
    spread = "" if figure["low"] == figure["high"] else f"{figure['low']:.3g} to {figure['high']:.3g}"
    verdict = {None: "", True: ", met", False: ", **missed**"}[figure["is_met"]]
    return f"| {figure['name']} | {figure['value']:.3g} {figure['unit']} | {spread} | {figure['bar']}{verdict} |"


def main() -> None:
    """Write both."""
    found = json.loads((DOCS / "performance.json").read_text(encoding="utf-8"))
    page = DOCS / "performance.md"
    page.write_text(written(page.read_text(encoding="utf-8"), found), encoding="utf-8")
    (DOCS / "first-sound.svg").write_text(drawn(found), encoding="utf-8")


if __name__ == "__main__":
    main()
