"""A target of a Dockerfile, made step by step in clean roots."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from scripts.image.clean_root import CleanRoot
from scripts.image.context import copy, lay_out
from scripts.image.instructions import DockerfileError, Instruction, expand, read
from scripts.image.stages import Stage, needed, stages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(slots=True)
class Image:
    """A root and what an engine would know of it."""

    root: CleanRoot
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH})
    arguments: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "0:0"
    shell: tuple[str, ...] = ("/bin/sh", "-c")
    labels: dict[str, str] = field(default_factory=dict)
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    healthcheck: list[str] = field(default_factory=list)
    volumes: list[str] = field(default_factory=list)
    ports: list[str] = field(default_factory=list)

    @property
    def known(self) -> dict[str, str]:
        """What a variable stands for."""
        return {**self.arguments, **self.environment}


@dataclass(slots=True)
class Build:
    """Where and from what it is made."""

    work: Path
    """A folder for all roots; the caller removes it."""
    base: Callable[[str], CleanRoot]
    """A fresh root that stands for an image."""
    build_args: Mapping[str, str] = field(default_factory=dict)
    say: Callable[[str], None] = lambda words: print(words, file=sys.stderr, flush=True)

    def make(self, dockerfile: Path, context: Path, target: str | None = None) -> Image:
        """The target's image. Raises `DockerfileError` where a step fails."""
        found, arguments = stages(read(dockerfile.read_text(encoding="utf-8")), self.build_args)
        lay_out(context, self.work / "context")
        made: dict[str, Image] = {}
        for stage in needed(found, target):
            made[stage.name] = self._stage(stage, made, arguments)
        return made[stage.name]

    def _stage(self, stage: Stage, made: dict[str, Image], arguments: Mapping[str, str]) -> Image:
        self.say(f"== {stage.name}, from {stage.image}")
        place = self.work / "stages" / stage.name
        if earlier := made.get(stage.image):
            image = Image(earlier.root.copy_to(place), dict(earlier.environment), folder=earlier.folder, user=earlier.user)
        else:
            image = Image(self.base(stage.image).copy_to(place))
        for step in stage.steps:
            self.say(f"   {step.name} {step.rest}"[:160])
            self._step(step, image, made, arguments)
        return image

    def _step(self, step: Instruction, image: Image, made: Mapping[str, Image], arguments: Mapping[str, str]) -> None:
        match step.name:
            case "ARG":
                for name, value in step.pairs():
                    given = self.build_args.get(name, arguments.get(name, ""))
                    image.arguments[name] = given or expand(value, image.known)
            case "ENV" | "LABEL":
                place = image.environment if step.name == "ENV" else image.labels
                place.update({name: expand(value, image.known) for name, value in step.pairs()})
            case "RUN":
                self._run(step, image)
            case "COPY":
                self._copy(step, image, made)
            case "WORKDIR":
                image.folder = str(PurePosixPath(image.folder) / expand(step.rest, image.known))
                (image.root.path / image.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "USER":
                image.user = ":".join(map(str, image.root.owner(expand(step.rest, image.known))))
            case _:
                _note(step, image)

    def _run(self, step: Instruction, image: Image) -> None:
        words = step.listed() or [*image.shell, step.rest]
        began = time.monotonic()
        command = image.root.command(words, user=image.user, folder=image.folder, environment=image.known)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        if done.returncode:
            raise DockerfileError(f"line {step.line}: the command ends with status {done.returncode}")
        self.say(f"   done in {time.monotonic() - began:.1f} s")

    def _copy(self, step: Instruction, image: Image, made: Mapping[str, Image]) -> None:
        *sources, target = [expand(word, image.known) for word in step.words()]
        origin, owner = self.work / "context", (0, 0) if os.geteuid() == 0 else None
        if source := step.flags.get("from"):
            if source not in made:
                raise DockerfileError(f"line {step.line}: COPY --from={source}: only stages are known here")
            origin, owner = made[source].root.path, None
        if chown := step.flags.get("chown"):
            owner = image.root.owner(expand(chown, image.known))
        mode = int(step.flags["chmod"], 8) if "chmod" in step.flags else None
        place = str(PurePosixPath(image.folder) / target) + ("/" if target.endswith(("/", ".")) else "")
        copy(origin, sources, image.root.path, place, owner=owner, mode=mode)


def _note(step: Instruction, image: Image) -> None:
    """What is only said of the image."""
    shell_form = [*image.shell, step.rest]
    match step.name:
        case "SHELL":
            image.shell = tuple(step.words())
        case "ENTRYPOINT":
            image.entrypoint = step.listed() or shell_form
        case "CMD":
            image.command = step.listed() or shell_form
        case "HEALTHCHECK":
            words = step.rest.removeprefix("CMD").strip()
            image.healthcheck = Instruction(step.line, "CMD", {}, words).listed() or [*image.shell, words]
        case "VOLUME":
            image.volumes += step.words()
            for volume in step.words():
                (image.root.path / volume.lstrip("/")).mkdir(parents=True, exist_ok=True)
        case "EXPOSE":
            image.ports += step.words()
