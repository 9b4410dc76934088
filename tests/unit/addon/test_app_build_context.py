"""What .dockerignore keeps out of the images' context, and that nothing which they copy is among it."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
IGNORED = [
    line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
]
FILES = [ROOT / "Dockerfile", ROOT / "addon" / "Dockerfile.jetson"]


def copied(file: Path) -> list[str]:
    """Sources of the COPY steps that take from the context."""
    text = re.sub(r"\\\n\s*", " ", file.read_text(encoding="utf-8"))
    steps = [line.split()[1:] for line in text.splitlines() if line.startswith("COPY ") and "--from=" not in line]
    return [word for words in steps for word in words[:-1] if not word.startswith("--")]


def is_ignored(path: str) -> bool:
    """By the path itself or a folder above it; `**/` stands for any folder, none too."""
    parts = path.split("/")
    places = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    return any(
        fnmatch(place.rsplit("/", 1)[-1], pattern[3:]) if pattern.startswith("**/") else fnmatch(place, pattern)
        for place in places
        for pattern in IGNORED
    )


@pytest.mark.parametrize("source", sorted({source for file in FILES for source in copied(file)}))
def test_what_an_image_copies_is_there_and_in_its_context(source: str) -> None:
    assert (ROOT / source).exists()
    inside = [ROOT / source, *(ROOT / source).rglob("*")]
    names = [path.relative_to(ROOT).as_posix() for path in inside if "__pycache__" not in path.parts]
    assert [name for name in names if is_ignored(name)] == []


@pytest.mark.parametrize(
    "name", [".git/HEAD", ".venv/bin/python", "tests/unit", "docs/http.md", "native/build/x.o", "a/b/c.wav"]
)
def test_what_no_image_needs_stays_outside(name: str) -> None:
    assert is_ignored(name)
