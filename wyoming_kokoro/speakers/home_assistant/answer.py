"""What became of a command to Home Assistant."""

from __future__ import annotations

from typing import NamedTuple


class Done(NamedTuple):
    """It was carried out."""

    result: object


class Refused(NamedTuple):
    """Home Assistant says that it failed."""

    code: str
    message: str

    @property
    def reason(self) -> str:
        """A sentence for people."""
        return f"Home Assistant says: {self.message or self.code}"


class Lost(NamedTuple):
    """It was sent, and then the connection broke: it may be carried out all the same."""

    reason: str


class Away(NamedTuple):
    """It was never sent: there is no connection."""

    reason: str


Answer = Done | Refused | Lost | Away
