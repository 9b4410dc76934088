"""How a language writes its numbers: the marks in them, and what may stand round them."""

from __future__ import annotations

import re
from functools import lru_cache

_INDIAN = r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"


class Writing:
    """Patterns of one convention, as parts of other patterns.

    `number` matches `4,318`, `1,23,456` (India), `11.5`, `.5` and `2,5` where the point is decimal; `4.318`, `2,5` and, as
    machines write it, `11.5` where the comma is. `ascii_words` is for scripts that are written without spaces, or whose vowel
    signs are no letters to `re`: there only Latin letters and digits count as a word.
    """

    not_inside = r"(?<![\w.,:/+@#])(?<![\w.,:/][-–−])"
    """Nothing before it makes the number a part of something else."""
    not_going_on = r"(?![\w/@]|[.,:][0-9]|[-–−][0-9])"
    """Nothing behind it does."""

    def __init__(self, decimal: str, groups: str, *, ascii_words: bool = False) -> None:
        self.decimal = decimal
        self.ascii_words = ascii_words
        self._flags = re.ASCII if ascii_words else re.NOFLAG
        other = re.escape("," if decimal == "." else ".")
        point = re.escape(decimal)
        thousands = rf"[1-9][0-9]{{0,2}}(?:[{re.escape(groups)}][0-9]{{3}})+"
        if decimal == ".":
            thousands = rf"(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+|{_INDIAN})"
            alone = rf"[0-9]+{other}[0-9]{{1,2}}(?![0-9,])|[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
        else:
            alone = r"(?:0\.[0-9]+|[0-9]+\.(?:[0-9]{4,}|[0-9]{1,2}))(?![0-9.])|[0-9]+(?:,[0-9]+)?"
        grouped = rf"{thousands}(?![0-9])(?:{point}[0-9]+)?"
        self.number = rf"(?:{grouped}|{alone})"
        self.grouped = rf"{thousands}(?![0-9,])"
        """A whole number with separators."""
        self._grouped = re.compile(grouped)

    def compile(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
        """A pattern of this language."""
        return _compiled(pattern, flags | self._flags)

    def parts(self, written: str) -> tuple[str, str]:
        """What stands before and behind the decimal mark of a number, digits alone."""
        if self._grouped.fullmatch(written):
            whole, _, places = written.partition(self.decimal)
            return re.sub("[^0-9]", "", whole), places
        whole, _, places = written.replace(",", ".").partition(".")
        return whole, places

    def is_one(self, written: str) -> bool:
        """Whether the thing counted stands in the singular."""
        return written.lstrip("-−+") == "1"


@lru_cache(maxsize=1024)
def _compiled(pattern: str, flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile(pattern, flags)
