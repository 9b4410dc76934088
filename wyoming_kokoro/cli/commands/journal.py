"""`wyoming-kokoro journal`: a house outgrows one machine, or comes back to it; and outsiders get what is public."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.progress import open_progress
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.moving import Mover
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME
from wyoming_kokoro.model.errors import JournalError, SettingsError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from wyoming_kokoro.cli.progress import Progress
    from wyoming_kokoro.journal.moving import Moved, Target
    from wyoming_kokoro.settings.tree import Settings

_STEP = 0.05
"""Part of the streams after which it is told how far it is."""


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Do what the action says."""
    if arguments.action == "copy":
        _run_copy(arguments, settings)
    else:
        _run_reader_token(arguments, settings)
    return ExitStatus.DONE


def _run_reader_token(arguments: argparse.Namespace, settings: Settings) -> None:
    from wyoming_kokoro.journal.s2 import place_of  # heavy, and few need it
    from wyoming_kokoro.journal.s2.gateway import issue_reader_token

    expires_at = datetime.now(UTC) + timedelta(days=arguments.days)
    print(asyncio.run(issue_reader_token(place_of(settings.journal), arguments.name, expires_at)))


def _run_copy(arguments: argparse.Namespace, settings: Settings) -> None:
    if arguments.from_kind == arguments.to_kind:
        raise SettingsError(f"--from and --to are both {arguments.to_kind}: the journal is there already")
    if arguments.from_kind == "sqlite" and not (settings.data_dir / FILE_NAME).exists():
        raise JournalError(f"there is no journal in {settings.data_dir}: see --data-dir")
    with closing(open_progress()) as progress:
        moved = asyncio.run(_copy(arguments.from_kind, arguments.to_kind, settings, progress))
        progress.tell(
            f"{moved.streams} streams are equal now: {moved.records} records copied, {moved.pads} pads for what was trimmed;"
            f" start the server with --journal {arguments.to_kind}"
        )
        if moved.unreadable:
            progress.tell(f"{moved.unreadable} records could not be read by this version; pads stand in their places")


async def _copy(source_kind: str, target_kind: str, settings: Settings, progress: Progress) -> Moved:
    source = await _open(source_kind, settings)
    try:
        target = await _open(target_kind, settings)
        try:
            return await Mover(source, target, _teller(progress)).move()
        finally:
            await target.close()
    finally:
        await source.close()


async def _open(kind: str, settings: Settings) -> Target:
    if kind == "sqlite":
        return await open_sqlite(settings.data_dir, SystemClock())
    from wyoming_kokoro.journal.s2 import open_s2, place_of  # heavy, and few need it

    return await open_s2(place_of(settings.journal), SystemClock())


def _teller(progress: Progress) -> Callable[[Moved], None]:
    """Tells every twentieth of the way."""
    told = 0.0

    def tell(moved: Moved) -> None:
        nonlocal told
        if moved.streams / moved.of_streams >= told:
            progress.tell(f"{moved.streams} of {moved.of_streams} streams, {moved.records} records copied")
            told = moved.streams / moved.of_streams + _STEP

    return tell
