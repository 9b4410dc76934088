"""`wyoming-kokoro completion`: a script for a shell, so that it completes our commands, flags and files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import shtab

from wyoming_kokoro.cli.arguments import parser
from wyoming_kokoro.cli.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, _settings: Settings) -> ExitStatus:
    """Print the script."""
    grammar = parser()
    for action in _actions(grammar):
        if action.type is Path:
            # shtab looks for this attribute.
            vars(action)["complete"] = shtab.FILE
    print(shtab.complete(grammar, shell=arguments.shell))
    return ExitStatus.DONE


def _actions(grammar: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All of them, those of the commands too."""
    for action in grammar._actions:  # noqa: SLF001 - argparse has no public list of its arguments
        yield action
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from _actions(command)
