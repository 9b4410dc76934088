"""`wyoming-kokoro fetch`: the model's files, wherever they can be had."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.engine.weights import Step, fetch, fetch_official
from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.settings.tree import Settings

_LINE_BYTES = 10_000_000
"""A download says where it stands each time that so many bytes more have come."""


class Telling:
    """Tells how fetching goes, one line at a time."""

    def __init__(self) -> None:
        self._told = ("", -1)

    def __call__(self, step: Step) -> None:
        """Tell it, unless nearly the same has just been told."""
        marks = step.done_bytes // _LINE_BYTES
        if (step.what, marks) == self._told:
            return
        self._told = (step.what, marks)
        of = f": {step.done_bytes / 1e6:.0f} of {step.total_bytes / 1e6:.0f} MB" if step.total_bytes else ""
        print(f"{step.what}{of}", file=sys.stderr, flush=True)


def run(_arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Print the path of each file when all are there; for torch, with the official weights where they can be had."""
    telling = Telling()
    paths = list(fetch(settings.engine.model_dir, telling).paths)
    if settings.engine.engine == "torch":
        try:
            paths.append(fetch_official(settings.engine.model_dir, telling))
        except EngineUnavailableError as error:
            print(f"torch will make its weights of the int8 ones, since {error}", file=sys.stderr)
    print(*paths, sep="\n")
    return ExitStatus.DONE
