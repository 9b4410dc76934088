"""scripts/image: what reaches the steps, and how COPY lays it down."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.image.context import Ignoring, copy, lay_out
from scripts.image.instructions import DockerfileError

ROOT = Path(__file__).parents[3]


def written(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("tests/unit/x.py", True),
        ("a/tests/x.py", False),
        ("a/b/__pycache__/x.pyc", True),
        ("__pycache__/x.pyc", True),
        ("notes.md", True),
        ("README.md", False),
        ("a/notes.md", False),
        ("one.log", True),
        ("three.logs", False),
    ],
)
def test_rules_are_dockers(path: str, ignored: bool) -> None:
    rules = Ignoring.of("# a comment\n/tests\n**/__pycache__\n*.md\n!README.md\n???.log\n")
    assert rules.ignores(path) is ignored


def test_only_what_is_let_through_is_laid_out(tmp_path: Path) -> None:
    folder = written(tmp_path / "from", "a/b.py", "a/c.wav", ".git/HEAD", "tests/x.py")
    (folder / ".dockerignore").write_text("tests\n**/*.wav\n.dockerignore\n")
    lay_out(folder, tmp_path / "to")
    assert below(tmp_path / "to") == ["a/b.py"]


def test_all_that_the_dockerfiles_copy_is_let_through_and_is_all(tmp_path: Path) -> None:
    lay_out(ROOT, tmp_path)
    copied = ["pyproject.toml", "README.md", "LICENSE", "NOTICE", "wyoming_kokoro", "native", "addon/rootfs"]
    assert [name for name in copied if not (tmp_path / name).exists()] == []
    needless = [name for name in below(tmp_path) if not name.startswith(tuple(copied))]
    assert [name for name in needless if not name.startswith(("addon/", "config.yaml"))] == []


def test_of_a_folder_its_content_is_copied_and_files_go_into_folders(tmp_path: Path) -> None:
    origin, root = written(tmp_path / "from", "tree/a", "tree/sub/b", "one", "two"), tmp_path / "root"
    copy(origin, ["tree"], root, "/place", owner=None, mode=None)
    copy(origin, ["one", "two"], root, "/place/", owner=None, mode=0o700)
    copy(origin, ["one"], root, "/renamed", owner=None, mode=None)
    assert below(root) == ["place/a", "place/one", "place/sub/b", "place/two", "renamed"]
    assert (root / "place" / "two").stat().st_mode & 0o777 == 0o700


def test_a_file_that_can_be_run_stays_one(tmp_path: Path) -> None:
    origin = written(tmp_path / "from", "run")
    (origin / "run").chmod(0o755)
    copy(origin, ["run"], tmp_path / "root", "/bin/", owner=None, mode=None)
    assert (tmp_path / "root" / "bin" / "run").stat().st_mode & 0o777 == 0o755


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DockerfileError, match="nowhere"):
        copy(tmp_path, ["nowhere"], tmp_path / "root", "/", owner=None, mode=None)
