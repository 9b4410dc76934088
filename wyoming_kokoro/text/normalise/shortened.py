"""Abbreviations in full."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.rule import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortWords:
    """What a language shortens, by what may follow; keys are as they are written, full stops included."""

    anywhere: Mapping[str, str]
    before_names: Mapping[str, str] = field(default_factory=dict)
    """In full only before a capital letter."""
    behind_names: Mapping[str, str] = field(default_factory=dict)
    """In full only behind a word with a capital letter."""


def shortened(words: ShortWords, spelling: Spelling) -> Rule:
    """`Dr. Lee` is `Doctor Lee`, `Elm St.` `Elm Street`, `e.g.` `for example`."""
    compile_ = spelling.writing.compile
    marks = "" if not spelling.writing.ascii_words else "\u0900-\u0963"
    anywhere = compile_(rf"(?<![\w.{marks}-])(?P<short>{one_of(words.anywhere)})(?![\w{marks}])")
    before = compile_(rf"(?<![\w.{marks}-])(?P<short>{one_of(words.before_names) or '(?!)'})(?= ?[A-ZÀ-ÞŒ])")
    behind = compile_(rf"(?<=[a-zß-ÿ])(?P<gap> )(?P<short>{one_of(words.behind_names) or '(?!)'})(?![\w-])")

    keys = (*words.anywhere, *words.before_names, *words.behind_names)

    def say(found: re.Match[str]) -> str:
        full = words.anywhere[found["short"]]
        rest = found.string[found.end() :]
        is_last = found["short"].endswith(".") and not rest.strip("\"'”’)]» ")
        return f"{full}." if is_last and not rest.startswith(".") else full

    def say_behind(found: re.Match[str]) -> str:
        before_it = found.string[: found.start()].rpartition(" ")[2]
        if not before_it[:1].isupper():
            return found[0]
        is_last = found["short"].endswith(".") and not found.string[found.end() :].strip("\"'”’)]» ")
        return f" {words.behind_names[found['short']]}{'.' if is_last else ''}"

    def rule(text: str) -> str:
        if not any(key in text for key in keys):
            return text
        text = before.sub(lambda found: words.before_names[found["short"]], behind.sub(say_behind, text))
        return anywhere.sub(say, text)

    return rule
