"""Fractions: `3/4` and `½`."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_SIGNS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_SIGN = re.compile(rf"(?P<whole>(?<![\w.,:/])[0-9]{{1,6}} ?)?(?P<sign>[{_SIGNS}])(?![\w/])")
_WRITTEN = re.compile(
    r"(?<![\w.,:/])(?P<whole>[0-9]{1,6} )?(?P<top>[0-9]{1,2})/(?P<bottom>2|3|4|5|6|8|10|12|16)(?![\w/]|[.,:-]?[0-9])"
)


def speak_fractions(text: str, spelling: Spelling) -> str:
    """`3/4` is `three quarters`, `½` `one half`, `1 1/2` `one and a half`. `9/5` may be a date and stays."""

    def say_sign(found: re.Match[str]) -> str:
        top, _, bottom = unicodedata.normalize("NFKC", found["sign"]).partition("\u2044")
        return _say(found["whole"], int(top), int(bottom), spelling)

    def say_written(found: re.Match[str]) -> str:
        top, bottom = int(found["top"]), int(found["bottom"])
        return _say(found["whole"], top, bottom, spelling) if 0 < top < bottom else found[0]

    return _WRITTEN.sub(say_written, _SIGN.sub(say_sign, text))


def _say(whole: str | None, top: int, bottom: int, spelling: Spelling) -> str:
    name = {2: "half", 4: "quarter"}.get(bottom) or spelling.ordinal(bottom)
    if not whole:
        return f"{spelling.cardinal(top)} {name}" if top == 1 else f"{spelling.cardinal(top)} {name}s"
    part = f"a{'n' if name[0] == 'e' else ''} {name}" if top == 1 else f"{spelling.cardinal(top)} {name}s"
    return f"{spelling.number(whole.strip())} and {part}"
