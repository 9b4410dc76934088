"""One server a data directory, whatever the backend."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from wyoming_kokoro.model.errors import JournalError

_NAME = "lock"


class DirectoryLock:
    """Held until `release`, or until the process is gone, however it went."""

    def __init__(self, directory: Path) -> None:
        """Make the directory where it is missing and lock it; `JournalError` where another server holds it."""
        self._descriptor = _open(directory)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
            self.release()
            message = f"{directory} is in use by another server (process {holder}): stop it, or use another data directory"
            raise JournalError(message) from error
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, b"%d\n" % os.getpid(), 0)

    def release(self) -> None:
        """Let another server in. Idempotent."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _open(directory: Path) -> int:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # what was asked to be said is nobody else's business
        return os.open(directory / _NAME, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise JournalError(f"the data directory {directory} can't be used: {error.strerror}") from error
