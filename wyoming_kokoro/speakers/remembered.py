"""What speakers have changed for the time of a playback and owe back: it survives a crash in a file of the data directory."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path

from wyoming_kokoro.core.whole_text import write_whole

_LOGGER = logging.getLogger(__name__)

Owed = dict[str, float | str]
"""What was there before, and what we made of it."""


class Remembered:
    """A few small notes by key. Each is on the disk before `put` returns; a file that can't be written is only a warning."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._notes: dict[str, Owed] = _load(path)
        self._writing = asyncio.Lock()

    def get(self, key: str) -> Owed | None:
        """The note; None where nothing is owed."""
        return self._notes.get(key)

    async def put(self, key: str, owed: Owed) -> None:
        """Remember it."""
        if self._notes.get(key) != owed:
            self._notes[key] = owed
            await self._save()

    async def forget(self, key: str) -> None:
        """It was given back, or nobody wants it any more."""
        if self._notes.pop(key, None) is not None:
            await self._save()

    async def _save(self) -> None:
        async with self._writing:
            text = json.dumps(self._notes, indent=1, sort_keys=True) + "\n"
            try:
                await asyncio.to_thread(_write, self._path, text)
            except OSError as error:
                _LOGGER.warning("%s can't be written, so a crash now would leave speakers as they are: %s", self._path, error)


def _load(path: Path) -> dict[str, Owed]:
    try:
        notes = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _LOGGER.warning("%s is not readable and begins anew: %s", path, error)
        return {}
    return {str(key): owed for key, owed in notes.items() if isinstance(owed, dict)} if isinstance(notes, dict) else {}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)
