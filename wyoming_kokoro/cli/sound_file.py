"""A sound file, in the format that its ending names, that is there only when it is whole."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from typing import IO, TYPE_CHECKING

from wyoming_kokoro.audio.containers import FORMATS, open_encoder
from wyoming_kokoro.cli.whole_file import WholeFile
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def format_of(path: Path) -> str:
    """The name of the served format that a file of that name has. Raises `RefusedError`."""
    name = path.suffix.removeprefix(".").lower()
    if name not in FORMATS:
        raise RefusedError("--out", f"{path} must end in {', '.join(f'.{each}' for each in FORMATS)}")
    return name


def check_out(path: Path) -> None:
    """Before anything is done for it: whether such a file can be meant. Raises `RefusedError`."""
    format_of(path)
    if path.is_dir() or not path.parent.is_dir():
        reason = os.strerror(errno.EISDIR if path.is_dir() else errno.ENOENT)
        raise RefusedError("--out", f"can't write {path}: {reason}")


@contextlib.contextmanager
def sound_file(path: Path) -> Iterator[IO[bytes]]:
    """Takes PCM in the format `SPEECH`; the file is made of it when the block ends without an error.

    Raises `RefusedError` where the file can't be written, at the beginning already if that can be seen.
    """
    name = format_of(path)
    with WholeFile(path) as whole, tempfile.TemporaryFile() as pcm:
        yield pcm
        # Only now it is known what the headers must say.
        _encode(pcm, name, whole)


def _encode(sound: IO[bytes], name: str, whole: WholeFile) -> None:
    encoder = open_encoder(name, total_bytes=sound.tell())
    sound.seek(0)
    try:
        while pcm := sound.read(SPEECH.bytes_per_second):
            whole.write(encoder.feed(pcm))
        whole.write(encoder.finish())
    finally:
        encoder.close()
