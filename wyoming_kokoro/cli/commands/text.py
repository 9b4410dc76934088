"""`wyoming-kokoro text`: what would be spoken, without speaking it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.script import read_script

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.settings.tree import Settings
    from wyoming_kokoro.text.pipeline import Explanation


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Print each sentence: its spoken form, what every stage made of it if asked for, or all as JSON."""
    explanations = read_script(arguments, settings).explained()
    if arguments.json:
        told = [_as_json(explanation, with_stages=arguments.stages) for explanation in explanations]
        print(json.dumps({"sentences": told}, ensure_ascii=False))
    elif arguments.stages:
        print(*map(_as_table, explanations), sep="\n\n")
    else:
        print(*(explanation.spoken for explanation in explanations), sep="\n")
    return ExitStatus.DONE


def _as_json(explanation: Explanation, *, with_stages: bool) -> dict[str, object]:
    told: dict[str, object] = {"text": explanation.text, "spoken": explanation.spoken}
    if with_stages:
        told["stages"] = [{"stage": stage, "text": text} for stage, text in explanation.stages]
    return told


def _as_table(explanation: Explanation) -> str:
    """A line for the original and one for each stage that changed something; the last line is what is spoken."""
    lines = [("text", explanation.text)]
    for stage, text in explanation.stages:
        if text != lines[-1][1]:
            lines.append((stage, text))
    width = max(len(stage) for stage, _ in explanation.stages)
    return "\n".join(f"{stage:<{width}}  {text!r}" for stage, text in [*lines, ("spoken", explanation.spoken)])
