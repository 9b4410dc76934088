"""`wyoming-kokoro lexicon`: the household's words. A server that is running takes a change over at once."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.core.languages import languages_of
from wyoming_kokoro.core.lexicon import Lexicon
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.text.lexicon import Word
from wyoming_kokoro.text.spoken import Speaking

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Do what the action says."""
    voices = KokoroVoices(settings.engine.voice)
    lexicon = Lexicon(settings.data_dir, languages_of(voices))
    _ACTIONS[arguments.action](lexicon, arguments, voices.default.language)
    return ExitStatus.DONE


def _add(lexicon: Lexicon, arguments: argparse.Namespace, _: str) -> None:
    word = Word(
        word=arguments.word,
        say=arguments.say or "",
        ipa=arguments.ipa or "",
        language=arguments.language,
        match_case=arguments.match_case,
        priority=arguments.priority,
    )
    print(_line(lexicon.put(word, replace=arguments.replace)))


def _remove(lexicon: Lexicon, arguments: argparse.Namespace, _: str) -> None:
    lexicon.remove(arguments.word, arguments.language)


def _list(lexicon: Lexicon, arguments: argparse.Namespace, _: str) -> None:
    words = lexicon.words().all
    if arguments.json:
        print(json.dumps({"words": [dataclasses.asdict(word) for word in words]}, ensure_ascii=False, indent=2))
    else:
        print(*map(_line, words), sep="\n", end="\n" if words else "")


def _test(lexicon: Lexicon, arguments: argparse.Namespace, usual: str) -> None:
    """What is said with the words and without them."""
    language = arguments.language or usual
    print(f"without  {Speaking(language).spoken(arguments.text)}")
    print(f"with     {Speaking(language, words=lexicon.words()).spoken(arguments.text)}")


def _line(word: Word) -> str:
    reading = f"/{word.ipa}/" if word.ipa else word.say
    notes = [
        word.language or "",
        "this spelling only" if word.match_case else "",
        f"priority {word.priority}" if word.priority else "",
    ]
    told = ", ".join(filter(None, notes))
    return f"{word.word} = {reading}" + (f"  ({told})" if told else "")


_ACTIONS = {"add": _add, "remove": _remove, "list": _list, "test": _test}
