"""Links to the sound of a cast, signed, so that a speaker needs no login. Pure."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.model.ids import CastId
    from wyoming_kokoro.model.presentation import Presentation

_KEY_DIGITS = 32


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
