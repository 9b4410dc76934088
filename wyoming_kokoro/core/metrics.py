"""What the server counts, as plain data: whoever shows it gives it the form that he needs."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Sample(NamedTuple):
    """One number of a family."""

    suffix: str
    """Behind the family's name: empty, or `_bucket`, `_sum` and `_count` of a histogram."""
    labels: tuple[tuple[str, str], ...]
    value: float


@dataclass(frozen=True, slots=True)
class Family:
    """Everything that is known under one name."""

    name: str
    kind: str
    """`counter`, `gauge` or `histogram`."""
    meaning: str
    samples: tuple[Sample, ...]


class _Named(Enum):
    def __init__(self, meaning: str, label: str = "", *values: str) -> None:
        self.meaning = meaning
        self.label = label
        """What its numbers are told apart by; empty where there is one number only."""
        self.values = values
        """Those that are there from the beginning."""


class Counter(_Named):
    """What only grows."""

    requests_total = "Requests that were accepted, or spoken from memory", "kind", "whole", "live", "unlogged"
    hits_total = ("Requests whose cast was whole already",)
    casts_total = "Casts that were settled", "outcome", "done", "dead", "cancelled", "expired"
    sentences_total = "Sentences that were voiced", "how", "synthesised", "reused"
    audio_seconds_total = "Seconds of sound that were voiced", "how", "synthesised", "reused"
    generation_seconds_total = ("Seconds that the engine took for the sound it synthesised",)
    engine_deaths_total = ("Sentences under which the engine's process died or ran out of time",)
    takeovers_total = ("Casts that were taken over from a worker that fell silent",)
    attempts_lost_total = ("Attempts at casts that another worker holds now",)
    log_refusals_total = "Appends that the journal did not take", "reason", "full", "away", "unknown"
    repairs_total = ("Damaged sentences that were found and had made again",)
    voice_fallbacks_total = ("Requests for a voice that is not there, spoken by the default voice",)


class Gauge(_Named):
    """What goes up and down."""

    realtime_factor = ("Seconds of sound per second of synthesis since the start",)
    queue_length = ("Jobs that are not settled",)
    open_casts = ("Casts that are being made",)
    casts_elsewhere = ("Casts that are left to other workers",)
    listeners = ("Listeners of all casts",)
    shelved_casts = ("Casts that are known by their receipts",)
    journal_file_bytes = ("What the journal takes of its storage",)
    journal_used_bytes = ("What of the journal holds something",)
    storage_short = ("1 while the journal has no room, otherwise 0",)


class Histogram(_Named):
    """How often how much."""

    first_audio_seconds = ("Seconds from asking for a cast's sound to the first of it",)


_BOUNDS = (0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Upper ends of the histograms' buckets, in seconds."""


class Metrics:
    """The numbers of one house."""

    def __init__(self) -> None:
        self._counts: dict[Counter, dict[str, float]] = {
            counter: dict.fromkeys(counter.values or ("",), 0.0) for counter in Counter
        }
        self._gauges: dict[Gauge, Callable[[], float]] = {}
        self._buckets = {histogram: [0] * (len(_BOUNDS) + 1) for histogram in Histogram}
        self._sums = dict.fromkeys(Histogram, 0.0)

    def count(self, counter: Counter, value: str = "", *, amount: float = 1) -> None:
        """It has happened; `value` is that of the counter's label."""
        counts = self._counts[counter]
        counts[value] = counts.get(value, 0.0) + amount

    def counted(self, counter: Counter, value: str = "") -> float:
        """How much has come together there."""
        return self._counts[counter].get(value, 0.0)

    def voiced(self, seconds: float, gen_seconds: float, *, is_reused: bool) -> None:
        """One sentence can be heard."""
        how = "reused" if is_reused else "synthesised"
        self.count(Counter.sentences_total, how)
        self.count(Counter.audio_seconds_total, how, amount=seconds)
        self.count(Counter.generation_seconds_total, amount=gen_seconds)

    @property
    def realtime_factor(self) -> float:
        """Seconds of sound per second of synthesis; 0.0 where there was none."""
        gen_seconds = self.counted(Counter.generation_seconds_total)
        return self.counted(Counter.audio_seconds_total, "synthesised") / gen_seconds if gen_seconds else 0.0

    def gauge(self, gauge: Gauge, read: Callable[[], float]) -> None:
        """Where to look when somebody wants to know."""
        self._gauges[gauge] = read

    def observe(self, histogram: Histogram, seconds: float) -> None:
        """One more of those."""
        self._buckets[histogram][bisect.bisect_left(_BOUNDS, seconds)] += 1
        self._sums[histogram] += seconds

    def snapshot(self) -> tuple[Family, ...]:
        """All numbers as they are now."""
        counters = (self._counter(counter) for counter in Counter)
        gauges = (
            Family(gauge.name, "gauge", gauge.meaning, (Sample("", (), float(read())),)) for gauge, read in self._gauges.items()
        )
        histograms = (self._histogram(histogram) for histogram in Histogram)
        return (*counters, *gauges, *histograms)

    def _counter(self, counter: Counter) -> Family:
        samples = (
            Sample("", ((counter.label, value),) if counter.label else (), count)
            for value, count in self._counts[counter].items()
        )
        return Family(counter.name, "counter", counter.meaning, tuple(samples))

    def _histogram(self, histogram: Histogram) -> Family:
        sums = list(itertools.accumulate(self._buckets[histogram]))
        ends = (*(f"{bound:g}" for bound in _BOUNDS), "+Inf")
        buckets = (Sample("_bucket", (("le", end),), count) for end, count in zip(ends, sums, strict=True))
        samples = (*buckets, Sample("_sum", (), self._sums[histogram]), Sample("_count", (), sums[-1]))
        return Family(histogram.name, "histogram", histogram.meaning, samples)
