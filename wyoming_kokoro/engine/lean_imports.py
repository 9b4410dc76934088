"""What the phonemes' libraries import and never use here, left out: a third of the time until the first sentence."""

from __future__ import annotations

import contextlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

UNUSED = (
    "spacy.cli",  # spaCy's command line: downloads, projects, an HTTP client
    "spacy.cli.info",
    "segments",  # of phonemizer's back-ends the one that reads tables: CSV and RDF
)


@contextlib.contextmanager
def lean_imports() -> Iterator[None]:
    """While this lasts, an import of those modules gets a stand-in whose names are classes that can't be made.

    Modules that are there already stay. What was imported meanwhile keeps its stand-ins; everybody else gets the real module
    afterwards. For the engine's own process only.
    """
    stand_ins = {name: _StandIn(name) for name in UNUSED if name not in sys.modules}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, stand_in in stand_ins.items():
            if sys.modules.get(name) is stand_in:
                del sys.modules[name]


class _StandIn(ModuleType):
    """A module in which every name can be imported, and nothing works."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__new__": _refuse})


def _refuse(cls: type, *_arguments: object, **_named: object) -> object:
    raise RuntimeError(f"{cls.__name__} was left out, since phonemes need none")
