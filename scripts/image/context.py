"""The build context: which files of a folder reach the steps, and how COPY puts files into a root."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from scripts.image.instructions import DockerfileError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The rules of a .dockerignore; the last that fits decides."""

    rules: tuple[tuple[re.Pattern[str], bool], ...]

    @classmethod
    def of(cls, text: str) -> Ignoring:
        """As they stand in such a file."""
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
        return cls(tuple((_pattern(line.removeprefix("!").strip()), not line.startswith("!")) for line in lines))

    def ignores(self, path: str) -> bool:
        """Whether the file of that path below the context stays outside."""
        places = [path, *(str(parent) for parent in PurePosixPath(path).parents)][:-1]
        ignored = False
        for pattern, excludes in self.rules:
            if any(pattern.fullmatch(place) for place in places):
                ignored = excludes
        return ignored


def _pattern(rule: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/?|\*|\?)", rule.strip("/"))
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(known.get(part, re.escape(part)) for part in parts))


def lay_out(folder: Path, target: Path) -> None:
    """Copy what the folder's .dockerignore lets through to an empty target, owned by root."""
    rules = folder / ".dockerignore"
    ignoring = Ignoring.of(rules.read_text(encoding="utf-8") if rules.exists() else "")
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        if not ignoring.ignores(name):
            place = target / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place, follow_symlinks=False)


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in {".git", ".venv", ".venvs"}]
        yield from (Path(parent) / name for name in names)


def copy(origin: Path, sources: list[str], root: Path, target: str, *, owner: tuple[int, int] | None, mode: int | None) -> None:
    """COPY: files and folders of one tree into another; of a folder its content. Raises `DockerfileError` where one lacks."""
    place = root / target.lstrip("/")
    for pattern in sources:
        found = sorted(origin.glob(pattern.strip("/"))) if pattern.strip("/") not in {"", "."} else [origin]
        if not found:
            raise DockerfileError(f"COPY {pattern}: there is nothing of that name")
        for source in found:
            if source.is_dir():
                _copy_tree(source, place, owner, mode)
            else:
                is_folder = target.endswith("/") or place.is_dir()
                _copy_one(source, place / source.name if is_folder else place, owner, mode)


def _copy_tree(source: Path, place: Path, owner: tuple[int, int] | None, mode: int | None) -> None:
    is_fresh = not place.exists()
    place.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir()):
        if path.is_dir() and not path.is_symlink():
            _copy_tree(path, place / path.name, owner, mode)
        else:
            _copy_one(path, place / path.name, owner, mode)
    if is_fresh:
        shutil.copystat(source, place)
        _own(source, place, owner, mode)


def _copy_one(source: Path, place: Path, owner: tuple[int, int] | None, mode: int | None) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    shutil.copy2(source, place, follow_symlinks=False)
    _own(source, place, owner, mode)


def _own(source: Path, place: Path, owner: tuple[int, int] | None, mode: int | None) -> None:
    status = source.lstat()
    user, group = owner or (status.st_uid, status.st_gid)
    if os.geteuid() == 0:
        os.lchown(place, user, group)
    if not place.is_symlink():
        place.chmod(mode if mode is not None else status.st_mode & 0o7777)
