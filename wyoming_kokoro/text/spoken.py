"""From the plain text of one sentence to what the engine gets."""

from __future__ import annotations

import logging
import re
from functools import partial
from typing import TYPE_CHECKING

from wyoming_kokoro.text.boundaries import LINE_BREAKS
from wyoming_kokoro.text.effort import is_speakable
from wyoming_kokoro.text.emoji import drop_emoji
from wyoming_kokoro.text.normalise import Pass, passes_for

if TYPE_CHECKING:
    from collections.abc import Iterable

_LOGGER = logging.getLogger(__name__)

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd\ud800-\udfff]"
)
_APOSTROPHES = re.compile("[\u2018\u2019\u201b\u02bc\uff07]")
_RUN_OF_SPACE = re.compile(r"\s+")
_HAS_LINE_BREAK = re.compile(f"[{LINE_BREAKS}]")
_BULLET = re.compile(r"(?:(?<=\n)|\A)(?:[-–—*+•◦▪‣·●○■□➤►] )+")
_LINE_END = re.compile(r"(?P<stop>[.!?…:;,。！？।、，][\"'”’)\]]{0,3})?\n")
_BEFORE_MARK = re.compile(r" +(?=[.,!?;:…])")
_DIGIT_GROUPS = re.compile("(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_STOPS = {"ja": "。", "zh": "。", "hi": "।"}


def clean(text: str, *, stop: str = ".") -> str:
    """The text without what is never spoken: emoji, invisible characters, bullets.

    Typographic apostrophes become straight ones; a line break within the text becomes the end of a sentence.
    """
    visible = _DIGIT_GROUPS.sub("", _INVISIBLE.sub("", text))
    text = drop_emoji(visible)
    if text != visible:
        text = _BEFORE_MARK.sub("", text)
    text = _RUN_OF_SPACE.sub(_one_space, text).strip()
    text = _APOSTROPHES.sub("'", _BULLET.sub("", text))
    text = _LINE_END.sub(lambda line: f"{line['stop'] or stop} ", text)
    return _RUN_OF_SPACE.sub(" ", text).strip()


def _one_space(run: re.Match[str]) -> str:
    return "\n" if _HAS_LINE_BREAK.search(run[0]) else " "


class Speaking:
    """The stages of one language.

    A step that fails, or that leaves nothing to be spoken where there was something, is skipped: the text stays as it was
    before that step, and a warning names the step, but not the text.
    """

    def __init__(self, language: str, passes: Iterable[Pass] | None = None) -> None:
        """With the language's own passes, unless others are given."""
        stop = _STOPS.get(language.partition("-")[0].lower(), ".")
        own = passes_for(language) if passes is None else passes
        self._passes = (Pass("clean", partial(clean, stop=stop)), *own)

    def spoken(self, plain: str) -> str:
        """What is said for the plain text of a sentence; letters and digits in it are never all lost."""
        *_, (_, last) = self.stages(plain)
        return last

    def stages(self, plain: str) -> list[tuple[str, str]]:
        """Name and result of each stage, `clean` and then the language's own; the last is what is said."""
        text = plain
        stages = []
        for one in self._passes:
            text = _after(one, text)
            stages.append((one.name, text))
        return stages


def _after(step: Pass, text: str) -> str:
    try:
        result = step.apply(text)
    except Exception as error:  # whatever is wrong in one step, the announcement must still be heard
        _LOGGER.warning("The text step %s failed with %s and is skipped for this sentence", step.name, type(error).__name__)
        _LOGGER.debug("How the text step %s failed", step.name, exc_info=True)
        return text
    if result != text and is_speakable(text) and not is_speakable(result):
        _LOGGER.warning("The text step %s left nothing to be spoken and is skipped for this sentence", step.name)
        return text
    return result
