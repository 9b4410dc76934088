"""Whether what is accepted can be kept: room on the disk, and the journal."""

from __future__ import annotations

import asyncio
import os
import shutil
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.checkup.finding import fine, note, wrong
from wyoming_kokoro.journal.reserve import RESERVE_BYTES
from wyoming_kokoro.journal.sqlite import examine
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME
from wyoming_kokoro.model.errors import LogError, LogUnavailableError

if TYPE_CHECKING:
    from pathlib import Path

    from wyoming_kokoro.cli.checkup.finding import Finding
    from wyoming_kokoro.settings.tree import JournalSettings, RetentionSettings

_TIGHT_BYTES = 32 * RESERVE_BYTES


def check_disk(data_dir: Path, retention: RetentionSettings) -> Finding:
    """That the data directory can be written, and that there is room."""
    folder = next(each for each in (data_dir, *data_dir.parents) if each.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return wrong("disk", f"{folder} can't be written", "let this user write there, or choose another one by --data-dir")
    free_bytes = shutil.disk_usage(folder).free
    found = f"{_megabytes(free_bytes)} free for {data_dir}"
    if free_bytes < RESERVE_BYTES:
        return wrong("disk", found, f"make room: below {_megabytes(RESERVE_BYTES)} nothing more is accepted")
    if free_bytes < min(_TIGHT_BYTES, retention.retention_bytes):
        return note("disk", found, "make room, or lower --retention-bytes")
    return fine("disk", found)


def check_journal(data_dir: Path, settings: JournalSettings) -> Finding:
    """That the journal is sound. Reads all of it; a running server is not disturbed."""
    if settings.journal == "s2":
        return _check_s2(settings)
    if settings.journal == "memory":
        return note("journal", "it is kept in memory", "leave --journal memory out, if casts are to outlive the server")
    if not (data_dir / FILE_NAME).exists():
        return fine("journal", f"there is none in {data_dir} yet; the first start makes it")
    try:
        seen = examine(data_dir)
    except LogError as error:
        return wrong("journal", str(error), f"stop the server and look at {data_dir}; a backup of it can be put in its place")
    if seen.complaints:
        advice = f"stop the server, move {data_dir / FILE_NAME} away and put a backup in its place, or start anew"
        return wrong("journal", f"it is damaged: {seen.complaints[0]}", advice)
    return fine("journal", f"it is sound, {_megabytes(seen.usage.file_bytes)}, format {seen.format_version}")


def _check_s2(settings: JournalSettings) -> Finding:
    """That S2 answers, lets us in, has the basin, and how long a record takes there and back."""
    from wyoming_kokoro.journal.s2 import place_of  # heavy, and few need it
    from wyoming_kokoro.journal.s2.examination import examine as examine_s2

    place = place_of(settings)
    try:
        seen = asyncio.run(examine_s2(place))
    except LogUnavailableError as error:
        return wrong("journal", str(error), "start it (scripts/s2-lite runs s2-lite), or look at --s2-endpoint")
    except LogError as error:
        return wrong("journal", str(error), "look at --s2-endpoint, --s2-basin and --s2-access-token")
    if seen.append_seconds is None or seen.read_seconds is None:
        return fine("journal", f"S2 answers at {place.endpoint}; the first start makes the basin {place.basin}")
    times = f"a record is durable after {1000 * seen.append_seconds:.0f} ms and read after {1000 * seen.read_seconds:.0f} ms"
    found = f"S2 answers at {place.endpoint}, basin {place.basin}: {times}"
    if not seen.lasts:
        return wrong(
            "journal", f"{found}; but it lets records expire", "update s2-lite to 0.43 or later: before, casts may vanish"
        )
    return fine("journal", f"{found}; it keeps records for ever, so it is s2.dev or s2-lite 0.43 and later")


def _megabytes(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:.0f} MB"
