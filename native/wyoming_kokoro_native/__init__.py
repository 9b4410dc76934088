"""The vocoder of Kokoro-82M as a small native library: pack its weights once, map them, and speak.

    choice = choose("auto")
    with packer.pack(path, choice, fingerprint) as file: ...
    session = model.Session(model.Model(path, choice.level, fingerprint), threads=4)
    audio = session.speak(features, hidden, style)

What stands here needs no numpy; the modules `model` and `packer` do.
"""

from __future__ import annotations

from wyoming_kokoro_native.choice import Choice, choose, levels, precisions, refused_level
from wyoming_kokoro_native.library import (
    CancelledError,
    FileFailedError,
    FileUnfitError,
    NativeError,
    UnavailableError,
    file_version,
)

__version__ = "0.1.0"

__all__ = [
    "CancelledError",
    "Choice",
    "FileFailedError",
    "FileUnfitError",
    "NativeError",
    "UnavailableError",
    "choose",
    "file_version",
    "levels",
    "precisions",
    "refused_level",
]
