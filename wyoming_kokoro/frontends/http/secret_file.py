"""Secrets of the data directory: made once, readable by the owner alone."""

from __future__ import annotations

import secrets
from pathlib import Path

from wyoming_kokoro.core.audio_links import AudioLinks
from wyoming_kokoro.core.whole_text import write_whole
from wyoming_kokoro.model.errors import SettingsError

_BYTES = 32
_LINKS_FILE = "audio_secret"


def audio_links(data_dir: Path) -> AudioLinks:
    """Links to sound that only this data directory can make. Raises `SettingsError`."""
    return AudioLinks(read_or_make(data_dir / _LINKS_FILE))


def read_or_make(path: Path) -> str:
    """The secret in that file, which is made where there is none. Raises `SettingsError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not (secret := read_secret(path)):
            path.unlink(missing_ok=True)
            write_whole(path, secrets.token_urlsafe(_BYTES) + "\n", mode=0o600)
            secret = read_secret(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise SettingsError(f"data_dir: {path} can't be used: {reason}") from error
    return secret


def read_secret(path: Path) -> str:
    """What the file holds; empty where there is none. Raises an OSError or a UnicodeDecodeError."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
