"""A file that is there only when it is whole."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

from wyoming_kokoro.model.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator


class WholeFile:
    """Takes bytes; the file gets its name when the block ends without an error, and an older one stays until then.

    Every method raises RefusedError where the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        with self._says_why():
            self._folder = tempfile.TemporaryDirectory(dir=self._path.parent, prefix=f".{self._path.name}.")
            self._part = Path(self._folder.name) / self._path.name
            self._file = self._part.open("wb")
        return self

    def write(self, data: bytes) -> None:
        """Put it behind what is there."""
        with self._says_why():
            self._file.write(data)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._folder, self._says_why():
            self._file.close()
            if kind is None:
                self._part.replace(self._path)

    @contextlib.contextmanager
    def _says_why(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RefusedError("--out", f"can't write {self._path}: {error.strerror}") from error
