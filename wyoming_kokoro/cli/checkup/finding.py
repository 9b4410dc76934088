"""What one check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How it is."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; everything that was asked for works."""
    WRONG = "wrong"
    """Something does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a checkup."""

    name: str
    """What was looked at."""
    state: State
    found: str
    advice: str = ""
    """What to do about it; empty where nothing is to be done."""


def fine(name: str, found: str) -> Finding:
    """As it should be."""
    return Finding(name, State.OK, found)


def note(name: str, found: str, advice: str) -> Finding:
    """Worth knowing."""
    return Finding(name, State.NOTE, found, advice)


def wrong(name: str, found: str, advice: str) -> Finding:
    """Does not work."""
    return Finding(name, State.WRONG, found, advice)
