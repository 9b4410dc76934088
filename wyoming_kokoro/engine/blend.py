"""Blends: a weighted mixture of voices, written `af_heart(2)+af_bella(1)`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

MAX_VOICES = 8
MAX_WEIGHT = 1000
_PART = re.compile(r"\s*(?P<name>[^()+\s]+)\s*(?:\(\s*(?P<weight>\d{1,4}(?:\.\d{1,4})?)\s*\))?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Blend:
    """Voices with whole weights that have no common divisor, sorted by name."""

    parts: tuple[tuple[str, int], ...]

    @property
    def name(self) -> str:
        """Canonical: equal for equal mixtures; a single voice is its plain name."""
        if len(self.parts) == 1:
            return self.parts[0][0]
        return "+".join(f"{name}({weight})" for name, weight in self.parts)

    @property
    def leader(self) -> str:
        """The voice with the greatest weight; its language is the blend's."""
        return max(self.parts, key=lambda part: part[1])[0]

    @property
    def shares(self) -> tuple[tuple[str, float], ...]:
        """Every voice with its share of 1.0."""
        total = sum(weight for _, weight in self.parts)
        return tuple((name, weight / total) for name, weight in self.parts)

    @classmethod
    def of(cls, weights: dict[str, Fraction]) -> Blend:
        """The blend of these voices; each weight above 0."""
        scale = math.lcm(*(weight.denominator for weight in weights.values()))
        whole = {name: int(weight * scale) for name, weight in weights.items()}
        divisor = math.gcd(*whole.values())
        return cls(tuple((name, whole[name] // divisor) for name in sorted(whole)))


def parse_blend(text: str) -> list[tuple[str, Fraction]]:
    """The names and weights as written, a missing weight being 1; a ValueError that says what would be right."""
    parts = [_parse_part(part) for part in text.split("+")]
    if len(parts) > MAX_VOICES:
        raise ValueError(f"a blend has at most {MAX_VOICES} voices, this one has {len(parts)}")
    return parts


def _parse_part(part: str) -> tuple[str, Fraction]:
    match = _PART.fullmatch(part)
    if match is None:
        raise ValueError(f"can't read {part.strip()!r} of the blend; write it like af_heart(2)+af_bella(1)")
    weight = Fraction(match["weight"] or 1)
    if not 0 < weight <= MAX_WEIGHT:
        raise ValueError(f"the weight of {match['name']} must be above 0 and at most {MAX_WEIGHT}")
    return match["name"], weight
