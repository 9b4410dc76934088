"""A parser of arguments whose complaints are one sentence, with the nearest word that there is."""

from __future__ import annotations

import argparse
import difflib
import re
from typing import TYPE_CHECKING, Any, NoReturn

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.one_line import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHOICE = re.compile(r"argument (?P<what>.+?): invalid choice: '(?P<word>.*)' \(choose from (?P<choices>.*)\)", re.DOTALL)
_MISSING = "the following arguments are required: "


class OneSentenceParser(argparse.ArgumentParser):
    """As argparse's, but for what it says of what is wrong; that ends the program with status 2."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # Any: argparse's own overloads
        """As argparse's, but that nothing may be left: each command complains of its own arguments."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self._refuse(_unknown(rest[0], list(self._option_string_actions)))
        return found, rest

    def error(self, message: str) -> NoReturn:
        """End the program; `message` is argparse's."""
        self._refuse(_sentence(message))

    def _refuse(self, sentence: str) -> NoReturn:
        self.exit(ExitStatus.USAGE, f"wyoming-kokoro: {one_line(sentence)} (`{self.prog} --help` says more)\n")


def _sentence(message: str) -> str:
    choice = _CHOICE.fullmatch(message)
    if choice is not None:
        choices = re.findall(r"[\w-]+", choice["choices"])
        nearest = _nearest(choice["word"], choices)
        return f"there is no {choice['what']} {choice['word']!r}; {nearest or 'there are ' + ', '.join(choices)}"
    if message.startswith(_MISSING):
        return f"{message.removeprefix(_MISSING)} is missing"
    return message.removeprefix("argument ")


def _unknown(argument: str, flags: Sequence[str]) -> str:
    flag, _, _ = argument.partition("=")
    if not flag.startswith("-"):
        return f"there is an argument too much: {argument!r}"
    nearest = _nearest(flag, flags)
    return f"there is no {flag} here{'; ' + nearest if nearest else ''}"


def _nearest(word: str, words: Sequence[str]) -> str:
    nearest = difflib.get_close_matches(word.lower()[:60], words, n=2)
    return f"did you mean {' or '.join(nearest)}?" if nearest else ""
