"""`wyoming-kokoro voices`: who can speak."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.engine.voices import KokoroVoices

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.model.voice import Voice
    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Print a line for each voice, or all of them as JSON."""
    voices = KokoroVoices(settings.engine.voice, is_levelled=True)
    if arguments.json:
        print(json.dumps([asdict(voice) for voice in voices.all()], ensure_ascii=False, indent=2))
    else:
        print(*(_line(voice, is_default=voice == voices.default) for voice in voices.all()), sep="\n")
    return ExitStatus.DONE


def _line(voice: Voice, *, is_default: bool) -> str:
    aliases = f"; also {', '.join(voice.aliases)}" if voice.aliases else ""
    missing = "" if voice.installed else f"; needs wyoming-kokoro[{voice.extra}]"
    return f"{voice.name:<14} {voice.language:<6} {voice.description}{aliases}{missing}{' (default)' if is_default else ''}"
