"""What the pages tell people to type is what the program takes, and what they tell them to watch is what it counts."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from wyoming_kokoro.cli.arguments import parser
from wyoming_kokoro.core.metrics import Counter, Gauge, Histogram

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "DOCS.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(?:sh|bash)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_CALL = re.compile(r"(?:.* exec server |\S*/)?(wyoming-kokoro [a-z].*)")
_INLINE = re.compile(r"`(wyoming-kokoro [a-z][^`|]*)`")
METRICS = {f"wyoming_kokoro_{each.name}" for kind in (Counter, Gauge, Histogram) for each in kind}


def commands(page: Path) -> list[str]:
    """Every call of the program in blocks and in the text, without what the shell does with its output."""
    text = page.read_text(encoding="utf-8")
    lines = [line.strip() for block in _BLOCK.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    typed = [match[1] for line in lines if (match := _CALL.match(line))]
    return [*typed, *_INLINE.findall(text)]


TYPED = [(page.name, command) for page in PAGES for command in commands(page)]


def test_the_pages_have_commands() -> None:
    assert len(TYPED) >= 25
    assert {"README.md", "operations.md", "troubleshooting.md", "s2.md"} <= {page for page, _ in TYPED}


@pytest.mark.parametrize(("page", "command"), TYPED, ids=[f"{page}: {command}" for page, command in TYPED])
def test_a_command_of_a_page_is_one_that_the_program_takes(page: str, command: str) -> None:
    words = shlex.split(command.replace("…", "text"), comments=True)[1:]
    words = words[: words.index(">")] if ">" in words else words
    parser().parse_args(words)


def names(text: str) -> set[str]:
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"wyoming_kokoro_\w+", text)}


def test_what_operators_are_told_to_watch_is_counted() -> None:
    assert names((ROOT / "docs" / "operations.md").read_text(encoding="utf-8")) <= METRICS


def test_the_dashboard_asks_for_what_is_counted() -> None:
    dashboard = json.loads((ROOT / "addon" / "grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert names(" ".join(asked)) <= METRICS
    assert len(asked) >= 10
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
