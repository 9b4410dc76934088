"""How a cast is to be heard: what a link to its sound says beside the cast."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

HIGHEST = {"from": 1_000_000, "lead_ms": 10_000, "repeat": 10}
LOWEST = {"from": 0, "lead_ms": 0, "repeat": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """What is heard of a cast, and with what around it. Nothing of it is in the stored cast."""

    first_index: int = 0
    """Sentence to begin with."""
    chime: str = ""
    """Name of what is heard before the speech; empty for none."""
    lead_ms: int = 0
    """Silence before everything: some speakers swallow the beginning."""
    repeat: int = 1
    """How often the speech is heard; 0 leaves nothing but what is heard before it."""

    @property
    def query(self) -> str:
        """The parameters that differ from the usual, as a link has them."""
        named = {"from": self.first_index, "chime": self.chime, "lead_ms": self.lead_ms, "repeat": self.repeat}
        return urlencode({name: value for name, value in named.items() if value != USUAL[name]})


USUAL: dict[str, int | str] = {**LOWEST, "chime": ""}
"""What a link that names no parameter means."""
