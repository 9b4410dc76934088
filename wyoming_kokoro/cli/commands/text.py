"""`wyoming-kokoro text`: what would be spoken, without speaking it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.script import read_script

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Print the spoken form of each sentence on a line, or originals and spoken forms as JSON."""
    sentences = read_script(arguments, settings).sentences()
    if arguments.json:
        told = [{"text": sentence.text, "spoken": sentence.spoken} for sentence in sentences]
        print(json.dumps({"sentences": told}, ensure_ascii=False))
    else:
        print(*(sentence.spoken for sentence in sentences), sep="\n")
    return ExitStatus.DONE
