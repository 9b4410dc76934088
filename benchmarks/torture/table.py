"""What the killing came to, over all its portions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median


@dataclass(slots=True, kw_only=True)
class Row:
    """One portion."""

    journal: str
    engine: str
    kills: int
    killed: dict[str, int]
    requests: int
    orders: int
    jobs: int
    casts: int
    sentences: int
    attempts: int
    resumed: int
    first_seconds: list[float]
    ready_seconds: list[float]
    faults: list[str]


def read_rows(path: Path | None) -> list[Row]:
    """Those that were kept."""
    return [Row(**row) for row in json.loads(path.read_text())] if path is not None and path.exists() else []


def write_rows(path: Path | None, rows: Sequence[Row]) -> None:
    """Keep them."""
    if path is not None:
        path.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def print_table(rows: Sequence[Row]) -> None:
    """All of them as one."""
    firsts = [seconds for row in rows for seconds in row.first_seconds]
    readies = [seconds for row in rows for seconds in row.ready_seconds]
    later = [first - ready for first, ready in zip(firsts, readies, strict=True)]
    faults = [fault for row in rows for fault in row.faults]

    def total(name: str) -> int:
        return sum(getattr(row, name) for row in rows)

    victims = {name: sum(row.killed.get(name, 0) for row in rows) for name in rows[-1].killed}
    named = ", ".join(f"{name} {count}" for name, count in victims.items() if count)
    print(f"kills                      {total('kills')}: {named}")
    print(f"requests                   {total('requests')}")
    print(f"orders accepted over HTTP  {total('orders')}")
    print(f"jobs accepted              {total('jobs')}")
    print(f"casts                      {total('casts')}")
    print(f"sentences                  {total('sentences')}")
    print(f"attempts, resumed          {total('attempts')}, {total('resumed')}")
    for name, values in (("cold start", readies), ("doorbell after a restart", firsts), ("  after the cold start", later)):
        if values:
            print(f"{name:<27}median {median(values):.2f} s, most {max(values):.2f} s")
    print(f"faults                     {len(faults)}")
    for fault in faults:
        print(f"  {fault}")
    verdict = f"{len(faults)} faults" if faults else "0 lost, 0 doubled, 0 stuck"
    cells = (rows[0].journal, rows[0].engine, *(total(name) for name in ("kills", "jobs", "sentences", "resumed")), verdict)
    print(f"\n| {' | '.join(str(cell) for cell in cells)} |")
