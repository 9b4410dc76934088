"""Somebody else's text, as one line that a terminal can show."""

from __future__ import annotations


def one_line(text: str, longest: int | None = None) -> str:
    """Without anything that would move the cursor or change a colour; cut where it is longer than allowed."""
    shown = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return shown if longest is None or len(shown) <= longest else f"{shown[: longest - 1]}…"
