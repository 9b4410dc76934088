"""Command lines that the user is advised to type: as this program was called, and on what it was called for."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wyoming_kokoro.settings.loading import default_data_dir

if TYPE_CHECKING:
    from wyoming_kokoro.settings.tree import Settings

_NAME = "wyoming-kokoro"


def how_to(settings: Settings, *words: str, url: str | None = None) -> str:
    """The command of these words, on the same data directory, or asking the server of that address."""
    if url is not None:
        where = ["--server", url]
    else:
        where = [] if settings.data_dir == default_data_dir(os.environ) else ["--data-dir", str(settings.data_dir)]
    return shlex.join([*program(), *words, *where])


def program() -> list[str]:
    """What this program is called by."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return [sys.executable, "-m", "wyoming_kokoro"]
    if called.name == _NAME and shutil.which(_NAME) != str(called):
        return [str(called)]
    return [_NAME]
