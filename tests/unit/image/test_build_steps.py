"""scripts/image: the steps of a small Dockerfile, carried out in a root that holds little more than a shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.image.build import Build, Image
from scripts.image.clean_root import CleanRoot
from scripts.image.instructions import DockerfileError

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="chroot needs root")

DOCKERFILE = """
ARG FROM=tiny
FROM ${FROM} AS builder
WORKDIR /src
COPY greeting ./
ARG NAME=nobody
ENV WHOM=$NAME
RUN read greeting <greeting && echo "$greeting, $WHOM" >made
FROM tiny
COPY --from=builder --chown=5:6 /src/made /out/
USER somebody
RUN echo "heard" >/home/heard
VOLUME ["/data"]
HEALTHCHECK --interval=3s CMD ["healthy"]
ENTRYPOINT ["say"]
CMD ["it", "well"]
"""


def tiny(place: Path) -> CleanRoot:
    """A root with sh and env, their libraries, and one user who may write to /home."""
    for program in ("sh", "env"):
        path = Path(shutil.which(program) or "/nowhere")
        libraries = re.findall(r"(/\S+) \(", subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout)
        for needed in (str(path), *libraries):
            (place / needed.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(needed, place / needed.lstrip("/"))
    for folder in ("bin", "dev", "etc", "home", "proc", "run", "usr/bin"):
        (place / folder).mkdir(parents=True, exist_ok=True)
    if not (place / "bin" / "sh").exists():
        shutil.copy(place / "usr" / "bin" / "sh", place / "bin" / "sh")
    (place / "etc" / "passwd").write_text("root:x:0:0::/:/bin/sh\nsomebody:x:5:6::/:/bin/sh\n")
    os.chown(place / "home", 5, 6)
    return CleanRoot(place)


def made(folder: Path, dockerfile: str = DOCKERFILE, **build_args: str) -> Image:
    (folder / "context").mkdir()
    (folder / "context" / "greeting").write_text("Good evening\n")
    (folder / "Dockerfile").write_text(dockerfile)
    root = tiny(folder / "tiny")
    build = Build(folder / "work", lambda image: {"tiny": root}[image], build_args, say=lambda words: None)
    return build.make(folder / "Dockerfile", folder / "context")


def test_each_step_does_what_it_says(tmp_path: Path) -> None:
    image = made(tmp_path, NAME="house")
    out = image.root.path / "out" / "made"
    assert out.read_text() == "Good evening, house\n"
    assert (out.stat().st_uid, out.stat().st_gid) == (5, 6)
    assert (image.root.path / "home" / "heard").stat().st_uid == 5
    assert not (image.root.path / "src").exists()


def test_what_an_engine_would_know_is_kept(tmp_path: Path) -> None:
    image = made(tmp_path)
    assert [*image.entrypoint, *image.command] == ["say", "it", "well"]
    assert (image.healthcheck, image.volumes, image.user) == (["healthy"], ["/data"], "5:6")
    assert (image.root.path / "data").is_dir()


def test_nothing_stays_mounted(tmp_path: Path) -> None:
    made(tmp_path)
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()


def test_a_step_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(DockerfileError, match=r"line 3: the command ends with status 7"):
        made(tmp_path, "FROM tiny\n\nRUN exit 7\n")
