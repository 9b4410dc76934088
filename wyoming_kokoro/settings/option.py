"""An option is a field of the tree that carries its own meaning, unit and range: the tree is the one table of them."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wyoming_kokoro.settings.kind import Kind

Value = TypeVar("Value")
_OPTION = "option"


@dataclass(frozen=True, slots=True)
class _Description:
    kind: Kind
    meaning: str
    unit: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What is known of one option."""

    key: str
    """Its name in an options file; the flag is `--key` with hyphens, the variable `WYOMING_KOKORO_KEY`."""
    section: str
    """Field of the tree that holds its section; empty at the top."""
    field: str
    """Its field within the section."""
    kind: Kind
    meaning: str
    unit: str
    default: object
    """None where it is computed, or where there is none."""

    @property
    def flag(self) -> str:
        """How the command line names it."""
        return "--" + self.key.replace("_", "-")

    @property
    def variable(self) -> str:
        """How the environment names it."""
        return f"WYOMING_KOKORO_{self.key.upper()}"

    @property
    def expected(self) -> str:
        """What would be right, in words."""
        return f"{self.kind} {self.unit}" if self.unit else str(self.kind)


def option(default: Value, kind: Kind, meaning: str, *, unit: str = "", key: str = "") -> Value:
    """A field with that default; `key` where the options file calls it something else than the tree does."""
    return field(default=default, metadata={_OPTION: _Description(kind, meaning, unit, key)})


def required(kind: Kind, meaning: str) -> Any:  # a field without a default fits every type, as dataclasses.field says too
    """A field whose value has to be worked out by whoever makes the tree."""
    return field(metadata={_OPTION: _Description(kind, meaning, "", "")})


def options_of(tree: type[Any], section: str = "") -> Iterator[Option]:  # Any: every section is a class of its own
    """Every option of a section and of the sections in it, in the order of the tree."""
    for each in fields(tree):
        factory: object = each.default_factory
        if isinstance(factory, type):
            yield from options_of(factory, each.name)
            continue
        if _OPTION not in each.metadata:
            continue
        about: _Description = each.metadata[_OPTION]
        yield Option(
            key=about.key or each.name,
            section=section,
            field=each.name,
            kind=about.kind,
            meaning=about.meaning,
            unit=about.unit,
            default=None if each.default is MISSING else each.default,
        )
