"""Whether what is accepted can be kept: room on the disk, and the journal."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.checkup.finding import fine, note, wrong
from wyoming_kokoro.journal.reserve import RESERVE_BYTES
from wyoming_kokoro.journal.sqlite import examine
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME
from wyoming_kokoro.model.errors import LogError

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


def _megabytes(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:.0f} MB"
