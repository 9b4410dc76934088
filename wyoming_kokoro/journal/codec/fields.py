"""Typed reading of what may be any bytes. Every method raises `MalformedError`, and nothing else, where they don't fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_DIGITS = 19


class MalformedError(ValueError):
    """The bytes are not what they should be; `str()` names the field."""


class HeaderFields:
    """The headers of one record; of equal names the first counts."""

    def __init__(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[bytes, bytes] = {}
        for name, value in headers:
            self._values.setdefault(name, value)

    def text(self, name: str) -> str:
        """The text of a header that must be there."""
        value = self._values.get(name.encode())
        if value is None:
            raise MalformedError(f"header {name!r} is missing")
        return decode_utf8(value, f"header {name!r}")

    def number(self, name: str) -> int:
        """The number, 0 or more, of a header that must be there."""
        text = self.text(name)
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            raise MalformedError(f"header {name!r} is not a number")
        return int(text)

    def optional_number(self, name: str) -> int | None:
        """The number of a header, or None where it is not there."""
        return self.number(name) if name.encode() in self._values else None


class BodyFields:
    """A JSON object: the body of a record, or a part of one."""

    def __init__(self, document: object) -> None:
        if not isinstance(document, dict):
            raise MalformedError("the body is not a JSON object")
        self._document: dict[str, object] = document

    @classmethod
    def parse(cls, body: bytes) -> BodyFields:
        """The object that those bytes spell."""
        text = decode_utf8(body, "the body")
        try:
            return cls(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise MalformedError("the body is not a JSON object") from error

    def text(self, name: str) -> str:
        """A text that must be there."""
        value = self._document.get(name)
        if not isinstance(value, str):
            raise _wrong(name, "a text")
        return value

    def optional_text(self, name: str) -> str | None:
        """A text, or None where it is not there."""
        return None if self._document.get(name) is None else self.text(name)

    def number(self, name: str) -> int:
        """A whole number that must be there."""
        return _number(name, self._document.get(name))

    def optional_number(self, name: str) -> int | None:
        """A whole number, or None where it is not there."""
        return None if self._document.get(name) is None else self.number(name)

    def real(self, name: str) -> float:
        """A number that must be there."""
        value = self._document.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _wrong(name, "a number")
        try:
            return float(value)
        except OverflowError as error:
            raise _wrong(name, "a number that a float can hold") from error

    def optional_real(self, name: str) -> float | None:
        """A number, or None where it is not there."""
        return None if self._document.get(name) is None else self.real(name)

    def optional_scalar(self, name: str) -> str | float | bool | None:
        """A text, a number, true or false; None where it is not there."""
        value = self._document.get(name)
        if value is None or isinstance(value, str | bool):
            return value
        return self.real(name)

    def flag(self, name: str) -> bool:
        """True or false; false where it is not there."""
        value = self._document.get(name, False)
        if not isinstance(value, bool):
            raise _wrong(name, "true or false")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers that must be there."""
        return tuple(_number(name, value) for value in self._list(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts that must be there."""
        values = self._list(name)
        if not all(isinstance(value, str) for value in values):
            raise _wrong(name, "a list of texts")
        return tuple(str(value) for value in values)

    def section(self, name: str) -> BodyFields:
        """An object within this one."""
        return BodyFields(self._document.get(name))

    def optional_section(self, name: str) -> BodyFields | None:
        """An object within this one, or None where it is not there."""
        return None if self._document.get(name) is None else self.section(name)

    def sections(self, name: str) -> list[BodyFields]:
        """A list of objects that must be there."""
        return [BodyFields(value) for value in self._list(name)]

    def optional_sections(self, name: str) -> list[BodyFields]:
        """A list of objects; empty where it is not there."""
        return [] if self._document.get(name) is None else self.sections(name)

    def _list(self, name: str) -> list[object]:
        value = self._document.get(name)
        if not isinstance(value, list):
            raise _wrong(name, "a list")
        return value


def decode_utf8(value: bytes, where: str) -> str:
    """The text of those bytes, lone surrogates included."""
    try:
        return value.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise MalformedError(f"{where} is not UTF-8") from error


def _number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(name, "a whole number")
    return value


def _wrong(name: str, expected: str) -> MalformedError:
    return MalformedError(f"{name!r} is not {expected}")
