"""One measured number, what it should be, and the table of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A median, and the smallest and largest of what was measured."""

    section: str
    name: str
    value: float
    unit: str
    low: float
    high: float
    bar: str = ""
    """What it should be, as `<= 1.3`; empty where it is just told."""

    @classmethod
    def of(cls, section: str, name: str, measured: Sequence[float], unit: str, bar: str = "") -> Figure:
        """From all that was measured, one value or many."""
        return cls(section, name, median(measured), unit, min(measured), max(measured), bar)

    @property
    def is_met(self) -> bool | None:
        """Whether the median is what it should be; None where nothing is asked."""
        if not self.bar:
            return None
        sign, limit = self.bar.split()
        return {"<=": self.value <= float(limit), ">=": self.value >= float(limit), "<": self.value < float(limit)}[sign]

    def line(self) -> str:
        """For people."""
        verdict = {None: "", True: "met", False: "MISSED"}[self.is_met]
        spread = "" if self.low == self.high else f"({self.low:.3g}..{self.high:.3g})"
        return f"{self.name:<66}{self.value:>9.3g} {self.unit:<5} {spread:<18} {self.bar:<9} {verdict}"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {**asdict(self), "is_met": self.is_met}


def print_figures(figures: Iterable[Figure]) -> None:
    """At once, since a run takes minutes."""
    for figure in figures:
        print(figure.line(), flush=True)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least that share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1) + 0.499))]
