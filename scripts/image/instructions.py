"""A Dockerfile as text, read into instructions; what is not known here is refused, never passed over."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KNOWN = frozenset(
    "ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split()  # noqa: SIM905 - read at a glance
)
_FLAGS = {
    "COPY": {"from", "chown", "chmod"},
    "FROM": {"platform"},
    "HEALTHCHECK": {"interval", "timeout", "start-period", "start-interval", "retries"},
}
_VARIABLE = re.compile(r"\\(.)|\$(?:(\w+)|\{(\w+)(?::([-+])([^}]*))?\})")


class DockerfileError(Exception):
    """The file says what can't be read, or can't be done here; the text names the line."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One of them, with its line for messages, its flags by name, and the rest as it is written."""

    line: int
    name: str
    flags: Mapping[str, str]
    rest: str

    def words(self) -> list[str]:
        """The exec form (a JSON list), or words as a shell splits them."""
        return self.listed() or shlex.split(self.rest)

    def listed(self) -> list[str] | None:
        """The exec form's list; None where the rest is not one."""
        if not self.rest.startswith("["):
            return None
        try:
            found = json.loads(self.rest)
        except ValueError:
            return None
        return found if all(isinstance(word, str) for word in found) else None

    def pairs(self) -> list[tuple[str, str]]:
        """`NAME=VALUE ...` of ENV, LABEL and ARG; an ARG without a value has an empty one after a missing `=`."""
        return [(name, value) for name, _, value in (word.partition("=") for word in shlex.split(self.rest))]


def read(text: str) -> list[Instruction]:
    """All of them in order. Raises `DockerfileError`."""
    return [_instruction(line, words) for line, words in _logical_lines(text)]


def expand(text: str, values: Mapping[str, str]) -> str:
    r"""Variables replaced as Docker does: `$X`, `${X}`, `${X:-else}`, `${X:+then}`; `\$` is a dollar."""

    def replaced(found: re.Match[str]) -> str:
        escaped, plain, braced, sign, word = found.groups()
        if escaped is not None:
            return "$" if escaped == "$" else f"\\{escaped}"
        value = values.get(plain or braced, "")
        if sign == "-":
            return value or expand(word, values)
        return (expand(word, values) if value else "") if sign == "+" else value

    return _VARIABLE.sub(replaced, text)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuations; comments and empty lines among them are left out."""
    parts: list[str] = []
    begin = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or (parts and not line.strip()):
            continue
        begin = begin if parts else number
        parts.append(line.rstrip().removesuffix("\\"))
        if not line.rstrip().endswith("\\"):
            if "".join(parts).strip():
                yield begin, " ".join(part.strip() for part in parts)
            parts = []
    if parts:
        raise DockerfileError(f"line {begin}: the file ends in the middle of an instruction")


def _instruction(line: int, text: str) -> Instruction:
    name, _, rest = text.partition(" ")
    name, rest = name.upper(), rest.strip()
    if name not in KNOWN:
        raise DockerfileError(f"line {line}: {name} is not known here")
    if "<<" in rest and name in {"RUN", "COPY"} and re.search(r"<<-?[\"']?\w", rest):
        raise DockerfileError(f"line {line}: here-documents are not known here")
    flags: dict[str, str] = {}
    while match := re.match(r"--([\w-]+)=(\S+)\s*", rest):
        if match[1] not in _FLAGS.get(name, set()):
            raise DockerfileError(f"line {line}: {name} --{match[1]} is not known here")
        flags[match[1]] = match[2]
        rest = rest[match.end() :]
    return Instruction(line, name, flags, rest)
