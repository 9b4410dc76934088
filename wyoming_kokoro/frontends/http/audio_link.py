"""Links to the sound of a cast: what is to be heard, signed, so that a speaker needs no login. Pure."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from wyoming_kokoro.model.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from wyoming_kokoro.model.ids import CastId

_KEY_DIGITS = 32
HIGHEST = {"from": 1_000_000, "lead_ms": 10_000, "repeat": 10}
LOWEST = {"from": 0, "lead_ms": 0, "repeat": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """How a cast is to be heard."""

    first_index: int = 0
    """Sentence to begin with."""
    chime: str = ""
    """Name of what is heard before the speech; empty for none."""
    lead_ms: int = 0
    """Silence before everything: some speakers swallow the beginning."""
    repeat: int = 1
    """How often the speech is heard."""

    @property
    def query(self) -> str:
        """The parameters that differ from the usual, as a link has them."""
        named = {"from": self.first_index, "chime": self.chime, "lead_ms": self.lead_ms, "repeat": self.repeat}
        return urlencode({name: value for name, value in named.items() if value != _USUAL[name]})


_USUAL: dict[str, int | str] = {**LOWEST, "chime": ""}


def read_presentation(query: Mapping[str, str], chimes: Collection[str]) -> Presentation:
    """What the parameters of a link, or of a request for links, say; unknown ones are passed over. Raises `RefusedError`."""
    chime = query.get("chime", "")
    if chime and chime not in chimes:
        raise RefusedError("chime", f"one of {', '.join(chimes)} is expected")
    return Presentation(
        first_index=_number(query, "from"), chime=chime, lead_ms=_number(query, "lead_ms"), repeat=_number(query, "repeat")
    )


def _number(query: Mapping[str, str], name: str) -> int:
    text = query.get(name)
    if text is None:
        return int(_USUAL[name])
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and LOWEST[name] <= int(text) <= HIGHEST[name]):
        raise RefusedError(name, f"a whole number from {LOWEST[name]} to {HIGHEST[name]} is expected")
    return int(text)


class AudioLinks:
    """Makes links and tells whether a key belongs to what is asked for."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def key(self, cast_id: CastId, presentation: Presentation) -> str:
        """What opens the sound of that cast, presented like that, and nothing else."""
        signed = f"{cast_id}?{presentation.query}".encode()
        return hmac.new(self._secret, signed, hashlib.sha256).hexdigest()[:_KEY_DIGITS]

    def opens(self, key: str, cast_id: CastId, presentation: Presentation) -> bool:
        """Whether that key was made for it."""
        return hmac.compare_digest(key.encode("utf-8", "surrogateescape"), self.key(cast_id, presentation).encode())

    def path(self, cast_id: CastId, presentation: Presentation, name: str) -> str:
        """Where the sound is found in the format of that name, from the root of the server on."""
        query = f"?{presentation.query}" if presentation.query else ""
        return f"/audio/{cast_id}.{self.key(cast_id, presentation)}.{name}{query}"
