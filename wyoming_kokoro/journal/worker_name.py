"""The name of a data directory's worker: made once, so that a restarted server knows its own attempts."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from wyoming_kokoro.ports import Clock


def worker_name(data_dir: Path, clock: Clock) -> str:
    """The name in that directory, which this process has locked."""
    path = data_dir / "worker"
    with contextlib.suppress(FileNotFoundError):
        if name := path.read_text(encoding="ascii").strip():
            return name
    name = clock.entropy(4).hex()
    path.write_text(name + "\n", encoding="ascii")
    return name
