"""Instructions put together to stages, and which of them a target needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scripts.image.instructions import DockerfileError, Instruction, expand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Stage:
    """One `FROM` and what follows it."""

    name: str
    image: str
    """An image, or the name of an earlier stage."""
    steps: list[Instruction] = field(default_factory=list)

    @property
    def sources(self) -> set[str]:
        """Stages and images that it is made from."""
        return {self.image} | {step.flags["from"] for step in self.steps if "from" in step.flags}


def stages(instructions: Sequence[Instruction], build_args: Mapping[str, str]) -> tuple[dict[str, Stage], dict[str, str]]:
    """The stages by name in their order, and the arguments that stand before the first. Raises `DockerfileError`."""
    arguments: dict[str, str] = {}
    found: dict[str, Stage] = {}
    current: Stage | None = None
    for each in instructions:
        if each.name == "FROM":
            current = _stage(each, arguments, str(len(found)))
            found[current.name] = current
        elif current is not None:
            current.steps.append(each)
        elif each.name == "ARG":
            arguments |= {name: build_args.get(name, expand(value, arguments)) for name, value in each.pairs()}
        else:
            raise DockerfileError(f"line {each.line}: {each.name} stands before the first FROM")
    if not found:
        raise DockerfileError("there is no FROM")
    return found, arguments


def _stage(from_: Instruction, arguments: Mapping[str, str], number: str) -> Stage:
    words = from_.rest.split()
    if len(words) not in {1, 3} or (len(words) == 3 and words[1].upper() != "AS"):
        raise DockerfileError(f"line {from_.line}: FROM IMAGE [AS NAME] was expected")
    image = expand(words[0], arguments)
    if not image:
        raise DockerfileError(f"line {from_.line}: {words[0]} is empty: give it by --build-arg")
    return Stage(words[2].lower() if len(words) == 3 else number, image)


def needed(found: Mapping[str, Stage], target: str | None) -> list[Stage]:
    """What has to be made for the target (None: the last stage), in order."""
    wanted = [target or list(found)[-1]]
    if wanted[0] not in found:
        raise DockerfileError(f"there is no stage {target}")
    for name in wanted:
        wanted.extend(source for source in found[name].sources if source in found and source not in wanted)
    return [stage for name, stage in found.items() if name in wanted]
