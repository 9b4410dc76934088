"""Which level of the instruction set runs, and in which precision."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

from wyoming_kokoro_native.library import UnavailableError, library

LEVEL_VARIABLE: Final = "WYOMING_KOKORO_LEVEL"
"""Forces a level, for tests and comparisons."""


class Choice(NamedTuple):
    """What a model is packed for."""

    level: str
    precision: str
    """bf16: inputs are rounded to bf16 in the generator, and kept in two such parts elsewhere. int8: the generator multiplies
    bytes, the rest floats. f32: floats throughout."""


def levels() -> tuple[str, ...]:
    """Levels that this processor has, the fastest first."""
    return tuple(library().kokoro_levels().decode("ascii").split(","))


def refused_level() -> str:
    """Why a level that the processor seems to have is not among them; empty where there is none."""
    reason: str = library().kokoro_refused_level().decode("ascii")
    return reason


def precisions(level: str) -> tuple[str, ...]:
    """What is worth having at that level, the best first. Raises `UnavailableError` where this processor does not have it."""
    names = library().kokoro_precisions(level.encode("utf-8"))
    if names is None:
        raise UnavailableError(f"this processor has no level {level}, but {', '.join(levels())}")
    return tuple(names.decode("ascii").split(","))


def choose(quality: str = "auto") -> Choice:
    """The fastest level, or the one that `WYOMING_KOKORO_LEVEL` names, in that quality.

    Where the level does not have that precision it is f32, the most exact; `auto` is the level's best.
    Raises `UnavailableError` for a level that this processor does not have.
    """
    level = os.environ.get(LEVEL_VARIABLE) or levels()[0]
    known = precisions(level)
    if quality == "auto":
        return Choice(level, known[0])
    return Choice(level, quality if quality in known else "f32")
