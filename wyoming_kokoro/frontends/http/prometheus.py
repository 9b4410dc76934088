"""The core's numbers in Prometheus' text format, version 0.0.4. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.core.metrics import Family, Sample

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_PREFIX = "wyoming_kokoro_"


def exposition(families: Iterable[Family]) -> str:
    """The page that Prometheus fetches."""
    lines: list[str] = []
    for family in families:
        name = _PREFIX + family.name
        lines += [f"# HELP {name} {_escaped(family.meaning)}", f"# TYPE {name} {family.kind}"]
        lines += [f"{name}{sample.suffix}{_labels(sample)} {_number(sample.value)}" for sample in family.samples]
    return "".join(f"{line}\n" for line in lines)


def _labels(sample: Sample) -> str:
    named = [f'{name}="{_quoted(value)}"' for name, value in sample.labels]
    return f"{{{','.join(named)}}}" if named else ""


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', r"\"")


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if float(value).is_integer() else repr(value)
