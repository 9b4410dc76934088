"""The folder that the model's files lie in: what is there, what is sound, and how a file gets in."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import logging
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.manifest import ALL_FILES, WEIGHTS, ModelFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

_LOGGER = logging.getLogger(__name__)
_STAMP = "verified.json"
_BLOCK_BYTES = 1 << 20


def default_folder() -> Path:
    """`$XDG_CACHE_HOME/wyoming-kokoro/model`, or the same below `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "wyoming-kokoro" / "model"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """One folder. Any number of processes may read and fill it at once."""

    path: Path
    files: tuple[ModelFile, ...] = ALL_FILES

    @property
    def weights(self) -> Path:
        """Where the weights are, or will be."""
        return self.path / WEIGHTS.name

    @property
    def graphs(self) -> Path:
        """Where prepared graphs are cached."""
        return self.path / "graphs"

    def voice(self, name: str) -> Path:
        """Where the styles of that voice are, or will be."""
        return self.path / "voices" / f"{name}.bin"

    def missing(self) -> tuple[ModelFile, ...]:
        """Files that are not there, or not what they should be.

        A file is read only once: its size and the time of its last change are remembered with what was found in it.
        """
        known = self._read_stamp()
        now: dict[str, list[object]] = {}
        missing = tuple(file for file in self.files if not self._is_sound(file, known, now))
        if now != known:
            self._write_stamp(now)
        return missing

    def store(self, file: ModelFile, blocks: Iterable[bytes]) -> None:
        """Put the file there, whole or not at all; a ValueError where the blocks are not that file."""
        place = self._place(file)
        descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.", suffix=".new")
        part = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as target:
                target.writelines(blocks)
            _move(part, place, file)
        finally:
            part.unlink(missing_ok=True)

    @contextlib.contextmanager
    def partial(self, file: ModelFile) -> Iterator[IO[bytes]]:
        """The file as far as an earlier try got, open at its end; whoever leaves the block without an error has the rest.

        It belongs to one process at a time, the others wait; where another one was quicker it is whole. A ValueError where
        it turned out to be another file, which is then forgotten; after any other error it is kept for the next try.
        """
        place = self._place(file)
        part = place.with_name(f".{place.name}.part")
        with _locked(part) as target:
            if self._is_sound(file, {}, {}):
                target.truncate(0)
                target.write(place.read_bytes())
            yield target
            target.flush()
            try:
                _move(part, place, file)
            except ValueError:
                part.unlink()
                raise

    def _place(self, file: ModelFile) -> Path:
        place = self.path / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def _is_sound(self, file: ModelFile, known: dict[str, list[object]], now: dict[str, list[object]]) -> bool:
        place = self.path / file.name
        try:
            status = place.stat()
        except OSError:
            return False
        facts: list[object] = [status.st_size, status.st_mtime_ns, file.sha256]
        if known.get(file.name) != facts:
            try:
                check(place, file)
            except (OSError, ValueError) as error:
                _LOGGER.warning("%s is not taken: %s", place, error)
                return False
        now[file.name] = facts
        return True

    def _read_stamp(self) -> dict[str, list[object]]:
        try:
            stamp = json.loads((self.path / _STAMP).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def _write_stamp(self, facts: dict[str, list[object]]) -> None:
        if not self.path.is_dir():
            return
        try:
            descriptor, part = tempfile.mkstemp(dir=self.path, prefix=f".{_STAMP}.")
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(facts, file)
            Path(part).replace(self.path / _STAMP)
        except OSError as error:
            _LOGGER.debug("can't remember what was checked in %s: %s", self.path, error)


def check(path: Path, file: ModelFile) -> None:
    """A ValueError where what lies at `path` is not that file."""
    size = path.stat().st_size
    if size != file.size_bytes:
        raise ValueError(f"{size} bytes instead of {file.size_bytes}")
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            digest.update(block)
    if digest.hexdigest() != file.sha256:
        raise ValueError("its SHA-256 is another")


def _move(part: Path, place: Path, file: ModelFile) -> None:
    check(part, file)
    with part.open("rb") as stream:
        os.fsync(stream.fileno())
    part.chmod(0o644)
    part.replace(place)


@contextlib.contextmanager
def _locked(part: Path) -> Iterator[IO[bytes]]:
    """That file for this process alone, open at its end."""
    while True:
        with part.open("ab+") as target:
            fcntl.flock(target, fcntl.LOCK_EX)
            if not _is_same(target, part):
                continue
            target.seek(0, os.SEEK_END)
            yield target
            return


def _is_same(target: IO[bytes], part: Path) -> bool:
    """Whether the open file still has that name: another process may have finished and moved it meanwhile."""
    try:
        return os.path.samestat(os.fstat(target.fileno()), part.stat())
    except FileNotFoundError:
        return False
