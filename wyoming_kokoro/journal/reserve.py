"""Room that is kept free for the day when the disk is full: even deleting needs some."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LOGGER = logging.getLogger(__name__)

RESERVE_BYTES = 8 * 1024 * 1024

_BESIDE_BYTES = 1024 * 1024
"""With less than this beside the reserve there is no room: the next transactions would take it."""

_NAME = "reserve"


class Reserve:
    """A file that holds nothing but room. Its methods block."""

    def __init__(self, directory: Path, size_bytes: int = RESERVE_BYTES) -> None:
        """Nothing is made before `restore`."""
        self._path = directory / _NAME
        self._size_bytes = size_bytes
        self._is_missed = False
        """Whether it was said already that there is no room for it."""

    @property
    def is_whole(self) -> bool:
        """Whether all of the room is there to be given away."""
        return self._path.exists() and self._path.stat().st_size == self._size_bytes

    @property
    def has_room_beside(self) -> bool:
        """Whether there is room beside it."""
        disk = os.statvfs(self._path.parent)
        return disk.f_bavail * disk.f_frsize >= _BESIDE_BYTES

    def release(self) -> None:
        """Give the room to whoever needs it. Idempotent."""
        self._path.unlink(missing_ok=True)

    def restore(self) -> bool:
        """Take the room back; False where there is not enough."""
        if self.is_whole:
            return True
        try:
            with self._path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._size_bytes)
        except OSError as error:
            level = logging.DEBUG if self._is_missed else logging.WARNING
            self._is_missed = True
            _LOGGER.log(level, "No room for the reserve of %s bytes at %s: %s", self._size_bytes, self._path, error.strerror)
            self._path.unlink(missing_ok=True)
            return False
        self._is_missed = False
        return True
