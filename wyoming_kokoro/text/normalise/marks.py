"""Marks that stand for nothing that is said: of formatting, of names in programs, and those that are written several times."""

from __future__ import annotations

import re

_IN_WORDS = re.compile(r"(?<=[^\W_])_+(?=[^\W_])")
_FORMATTING = re.compile(
    r"\*{2,}|(?<!\d)(?<!\d )\*|\*(?! ?\d)"  # not 2*3
    r"|[_`|\\{}]+|~+(?! ?\d)|\^(?!-?\d)|(?<!\w)\^"
    r"|(?<![\d)] )(?<![\d)])[<>]+|[<>]+(?! ?[-.\d(])"  # not 3 < 4
    r"|#+(?!\d)"
)
_REPEATED = re.compile(r"!{2,}|\?{2,}|[!?]{3,}|\.{3,}|…{2,}|。{2,}|！{2,}|？{2,}|,{2,}|¡{2,}|¿{2,}")
_MAYBE_REPEATED = re.compile("[!?.…。！？,¡¿][!?.…。！？,¡¿]")
_ANY_FORMATTING = re.compile(r"[*_`|\\{}~^<>#]")
_RUN_OF_SPACES = re.compile(" {2,}")
_REST = re.compile("[*#^~<>]+")
_ANY_REST = re.compile("[*#^~<>]")
_ELLIPSES = {".": "…", "…": "…"}


def drop_marks(text: str) -> str:
    """`**now**` is `now`, `back_door` `back door`, `!!!` `!`, `...` `…`."""
    if _ANY_FORMATTING.search(text) is not None:
        text = _FORMATTING.sub(" ", _IN_WORDS.sub(" ", text))
    if _MAYBE_REPEATED.search(text) is not None:
        text = _REPEATED.sub(_once, text)
    return single_spaces(text)


def single_spaces(text: str) -> str:
    """One space where there were more, none at either end."""
    return (_RUN_OF_SPACES.sub(" ", text) if "  " in text else text).strip()


def drop_rest(text: str) -> str:
    """Without the marks that were kept for the sake of figures, now that these are words."""
    return single_spaces(_REST.sub(" ", text) if _ANY_REST.search(text) is not None else text)


def _once(found: re.Match[str]) -> str:
    marks = found[0]
    if "?" in marks and "!" in marks:
        return "?!"
    return _ELLIPSES.get(marks[0], marks[0])
