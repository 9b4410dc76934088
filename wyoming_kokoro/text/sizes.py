"""How long a piece may be, by profile."""

from __future__ import annotations

from dataclasses import dataclass

from wyoming_kokoro.model.recipe import Profile
from wyoming_kokoro.text.effort import PHONEME


@dataclass(frozen=True, slots=True)
class Sizes:
    """Efforts (tenths of a phoneme) of pieces."""

    most: int
    """A sentence above this is split."""
    target: int
    """No part of a split sentence but the last is longer."""
    least_clause: int
    """A clause shorter than this is no place to split."""
    group_least: int = 0
    """A shorter sentence is joined with the next, ..."""
    group_most: int = 0
    """... where both together are no longer than this."""
    clause_first: bool = False
    """Whether the first piece may end before its sentence does; see `opening`."""


# `most` lies above `target`, so that no split leaves only the last word or two of a sentence.
_WHOLE_SENTENCES = Sizes(most=170 * PHONEME, target=150 * PHONEME, least_clause=35 * PHONEME)
_LATENCY = Sizes(most=170 * PHONEME, target=150 * PHONEME, least_clause=35 * PHONEME, clause_first=True)
# In one piece, a sentence of 60 words (320 phonemes) fades by 9 dB to its last word; split, it does not.
_QUALITY = Sizes(
    most=260 * PHONEME, target=230 * PHONEME, least_clause=80 * PHONEME, group_least=50 * PHONEME, group_most=150 * PHONEME
)


def sizes_of(profile: Profile) -> Sizes:
    """Those of a profile."""
    return {Profile.LATENCY: _LATENCY, Profile.BALANCED: _WHOLE_SENTENCES, Profile.QUALITY: _QUALITY}[profile]
