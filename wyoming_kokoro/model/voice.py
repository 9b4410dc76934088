"""A voice as the rest of the server sees it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """One way to speak."""

    name: str
    """Canonical: `af_heart`, or a blend such as `af_bella(1)+af_heart(2)`."""
    language: str
    """BCP-47 tag, such as en-US."""
    description: str = ""
    aliases: tuple[str, ...] = ()
    """Other names that mean this voice."""
    installed: bool = True
    """False where the language's text-to-phoneme part is not installed."""
    extra: str | None = None
    """The extra that would install it."""
    gain_db: float = 0.0
    """What brings it to the loudness of all others, where it is heard."""
