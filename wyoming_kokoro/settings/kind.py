"""What kinds of value an option may have, and how each is put into words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few fixed texts."""

    values: tuple[str, ...]

    def __str__(self) -> str:
        return "one of " + ", ".join(self.values)


@dataclass(frozen=True, slots=True)
class NumberChoice:
    """One of a few fixed whole numbers."""

    values: tuple[int, ...]

    def __str__(self) -> str:
        return "one of " + ", ".join(str(value) for value in self.values)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number; both ends are allowed."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Real:
    """A finite number; both ends are allowed."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True, slots=True)
class Text:
    """A text that matches a pattern as a whole."""

    pattern: str
    words: str
    """The pattern, said to a person."""

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Folder:
    """Path of a folder; `~` is the home folder."""

    def __str__(self) -> str:
        return "the path of a folder"


HOST = Text(r"[A-Za-z0-9.:%_-]{1,253}", "an address or the name of a host")
RATE = NumberChoice((16_000, 22_050, 24_000, 44_100, 48_000))


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of mappings, which `read` checks; it gets the list and the words for its place, and raises SettingsError."""

    read: Callable[[object, str], object]
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class File:
    """Path of a file; `~` is the home folder."""

    def __str__(self) -> str:
        return "the path of a file"


Kind = Choice | NumberChoice | Whole | Real | Flag | Text | Folder | File | Listing


def describe_value(value: object) -> str:
    """A wrong value, with what kind of thing it is: `the text 'abc'`, `the number 7`, `a list`."""
    match value:
        case None:
            return "empty"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {_shortened(value)!r}"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case _:
            return f"a {type(value).__name__}"


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
