"""From the plain text of one sentence to what the engine gets."""

from __future__ import annotations

import logging
import re
from functools import cached_property, partial
from typing import TYPE_CHECKING

from wyoming_kokoro.text.boundaries import LINE_BREAKS
from wyoming_kokoro.text.effort import is_speakable
from wyoming_kokoro.text.emoji import drop_emoji
from wyoming_kokoro.text.interpreting import Interpreting
from wyoming_kokoro.text.ipa import is_speakable_ipa
from wyoming_kokoro.text.keeping import Kept, as_phonemes, as_stressed
from wyoming_kokoro.text.lexicon import NO_WORDS
from wyoming_kokoro.text.markup.controls import Said, Say, has_control
from wyoming_kokoro.text.normalise import SOME_FIGURE, Pass, passes_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wyoming_kokoro.text.lexicon import Word, Words
    from wyoming_kokoro.text.markup.controls import Controls

_LOGGER = logging.getLogger(__name__)

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd\ud800-\udfff]"
)
_APOSTROPHES = re.compile("[\u2018\u2019\u201b\u02bc\uff07]")
_RUN_OF_SPACE = re.compile(r"\s+")
_HAS_LINE_BREAK = re.compile(f"[{LINE_BREAKS}]")
_BULLET = re.compile(r"(?:(?<=\n)|\A)(?:[-–—*+•◦▪‣·●○■□➤►] )+")
_LINE_END = re.compile(r"(?P<stop>[.!?…:;,。！？।、，][\"'”’)\]]{0,3})?\n")
_NOTATION = re.compile(r"\]\(")  # what follows would be taken for phonemes
_BEFORE_MARK = re.compile(r" +(?=[.,!?;:…])")
_DIGIT_GROUPS = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_NEEDS_CLEANING = re.compile(r"[^ -~]|  |\]\(|\A ?[-*+] ")
"""Matches in every text that is not clean but for a space at its ends."""
_STOPS = {"ja": "。", "zh": "。", "hi": "।"}


def clean(text: str, *, stop: str = ".") -> str:
    """The text without what is never spoken: emoji, invisible characters, bullets.

    Typographic apostrophes become straight ones; a line break within the text becomes the end of a sentence.
    """
    if _NEEDS_CLEANING.search(text) is None:
        return text.strip(" ")
    visible = _DIGIT_GROUPS.sub("", _INVISIBLE.sub("", text))
    text = drop_emoji(visible)
    if text != visible:
        text = _BEFORE_MARK.sub("", text)
    text = _RUN_OF_SPACE.sub(_one_space, text).strip()
    text = _APOSTROPHES.sub("'", _BULLET.sub("", text))
    text = _LINE_END.sub(lambda line: f"{line['stop'] or stop} ", text)
    return _NOTATION.sub("] (", _RUN_OF_SPACE.sub(" ", text).strip())


def _one_space(run: re.Match[str]) -> str:
    return "\n" if _HAS_LINE_BREAK.search(run[0]) else " "


class Speaking:
    """The stages of one language.

    A step that fails, or that leaves nothing to be spoken where there was something, is skipped: the text stays as it was
    before that step, and a warning names the step, but not the text.
    """

    def __init__(self, language: str, passes: Iterable[Pass] | None = None, words: Words | None = None) -> None:
        """With the language's own passes, unless others are given, and the household's words."""
        stop = _STOPS.get(language.partition("-")[0].lower(), ".")
        self._clean = Pass("clean", partial(clean, stop=stop))
        self._passes = tuple(passes_for(language) if passes is None else passes)
        self._usual_steps = (self._clean, *self._passes)
        self._language = language
        self._words = words or NO_WORDS

    def spoken(self, plain: str, controls: Controls | None = None) -> str:
        """What is said for the plain text of a sentence; letters and digits in it are never all lost."""
        kept = Kept()
        return kept.restore(_through(self._steps(kept), self._begun(plain, controls, kept)))

    def stages(self, plain: str, controls: Controls | None = None) -> list[tuple[str, str]]:
        """Name and result of each stage: `clean`, `elements` where the markup tells how to say something, `lexicon` where the
        household has words of its own for it, then the language's own; the last is what is said.
        """
        kept = Kept()
        noted: list[tuple[str, str]] = []
        before = self._begun(plain, controls, kept)
        _through(self._steps(kept), before, noted.append)
        stages = []
        for name, text in noted:
            if name != "lexicon" or text != before:
                stages.append((name, kept.restore(text)))
            before = text
        return stages

    def _begun(self, plain: str, controls: Controls | None, kept: Kept) -> str:
        return plain if controls is None else self._elements(plain, controls, kept)

    def _steps(self, kept: Kept) -> tuple[Pass, ...]:
        if not self._words.all:
            return self._usual_steps
        lexicon = self._lexicon(kept)
        return (self._clean, lexicon, *self._passes, lexicon)

    def _lexicon(self, kept: Kept) -> Pass:
        return Pass("lexicon", lambda text: self._words.applied(text, self._language, partial(self._said_by_lexicon, kept)))

    def _said_by_lexicon(self, kept: Kept, word: Word, written: str) -> str:
        return kept.keep(as_phonemes(written, word.ipa) if word.ipa else self._usual(word.say))

    def _elements(self, plain: str, controls: Controls, kept: Kept) -> str:
        """The text with what stands between `Say` and `Said` settled."""
        if not has_control(plain):
            return plain
        parts: list[str] = []
        say: Say | None = None
        begin = 0
        for index, char in enumerate(plain):
            match controls.meaning(char):
                case Say() as say:
                    parts.append(plain[begin:index])
                    begin = index + 1
                case Said() if say is not None:
                    parts.append(kept.keep(self._settled(plain[begin:index], say)))
                    begin, say = index + 1, None
        rest = plain[begin:]
        parts.append(kept.keep(self._settled(rest, say)) if say is not None else rest)
        return "".join(parts)

    def _settled(self, words: str, say: Say) -> str:
        if say.way == "ipa":
            return as_phonemes(self._usual(words), say.detail) if is_speakable_ipa(say.detail) else self._usual(words)
        if say.way == "emphasis":
            return as_stressed(self._usual(words))
        return self._interpreting.said(words, say.way, say.detail)

    @cached_property
    def _interpreting(self) -> Interpreting:
        return Interpreting(self._language, self._usual)

    def _usual(self, text: str) -> str:
        """Said as any text."""
        return _through(self._usual_steps, text)


def _through(steps: Iterable[Pass], text: str, note: Callable[[tuple[str, str]], object] | None = None) -> str:
    """The text after all steps; `note` gets the name of each and the text after it."""
    has_figures: bool | None = None
    for step in steps:
        if step.for_figures and has_figures is None:
            has_figures = SOME_FIGURE.search(text) is not None
        if has_figures or not step.for_figures:
            after = _after(step, text)
            if after is not text:
                text, has_figures = after, None
        if note is not None:
            note((step.name, text))
    return text


def _after(step: Pass, text: str) -> str:
    try:
        result = step.apply(text)
    except Exception as error:  # whatever is wrong in one step, the announcement must still be heard
        _LOGGER.warning("The text step %s failed with %s and is skipped for this sentence", step.name, type(error).__name__)
        _LOGGER.debug("How the text step %s failed", step.name, exc_info=True)
        return text
    if result is text or result == text:
        return text
    if not is_speakable(result) and is_speakable(text) and not has_control(result):
        _LOGGER.warning("The text step %s left nothing to be spoken and is skipped for this sentence", step.name)
        return text
    return result
