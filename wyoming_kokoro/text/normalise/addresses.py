"""Addresses as people say them: of web pages, of mail, of things in Home Assistant, and hashtags."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_ENDINGS = (
    "com|org|net|edu|gov|info|io|dev|app|eu|uk|us|de|fr|es|it|pt|br|in|jp|cn|ca|au|ch|at|nl|be|me|tv|cc|ai|local|lan|home"
    "|example|test|localhost"
)
_HOST = rf"(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{{0,61}}[a-zA-Z0-9])?\.){{1,8}}(?:{_ENDINGS})(?![\w-])"
_URL = re.compile(
    rf"(?:(?<![\w@./])|(?<=[0-9])(?=[a-zA-Z]{{2,10}}:/{{2,3}}))(?:(?P<scheme>[a-zA-Z]{{2,10}}):/{{2,3}})?(?P<host>(?(scheme)[^\s/?#:<>\"'，。、！？]{{1,253}}|{_HOST}))(?P<port>:[0-9]{{2,5}}(?!\w))?"
    r"(?P<path>[/?#][^\s<>\"'“”’，。、！？）)]{0,2000})?",
    re.ASCII,
)
_MAIL = re.compile(r"(?<![\w.+-])(?P<who>[\w+-]+(?:\.[\w+-]+)*)@(?P<host>[\w-]+(?:\.[\w-]+)+)", re.ASCII)
_DOMAINS = (
    "alarm_control_panel|automation|binary_sensor|button|calendar|camera|climate|counter|cover|device_tracker|event|fan|group"
    "|humidifier|image|input_boolean|input_button|input_datetime|input_number|input_select|input_text|lawn_mower|light|lock"
    "|media_player|notify|number|person|remote|scene|schedule|script|select|sensor|siren|sun|switch|text|timer|todo|tts|update"
    "|vacuum|valve|wake_word|water_heater|weather|zone"
)
_ENTITY = re.compile(rf"(?<![\w.@/-])(?P<domain>{_DOMAINS})\.(?P<name>[a-z0-9_]+)(?![\w@/]|\.\w)", re.ASCII)
_HASHTAG = re.compile(r"(?<![\w&/])[#＃](?P<tag>[^\W\d_]\w*)")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MAYBE_ADDRESS = re.compile(r"\.[a-zA-Z0-9_]|://")
_PARTS = re.compile(r"[0-9]+|[^\W\d_]+|[^\w\s]|_")
_TRAILING = ".,;:!?…"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressWords:
    """What the marks in addresses are called."""

    dot: str
    at: str
    slash: str
    dash: str
    underscore: str
    colon: str
    hashtag: str
    more: tuple[tuple[str, str], ...] = ()


class Addresses:
    """The addresses in one language."""

    def __init__(self, words: AddressWords, spelling: Spelling) -> None:
        self._spelling = spelling
        self._hashtag = words.hashtag
        self._marks = {".": words.dot, "@": words.at, "/": words.slash, "-": words.dash, "_": words.underscore,
                       ":": words.colon, "#": words.hashtag} | dict(words.more)  # fmt: skip

    def apply(self, text: str) -> str:
        """`https://example.com/help` is `example dot com slash help`; `sensor.hall_lamp` is `sensor hall lamp`."""
        if "@" in text:
            text = _MAIL.sub(lambda found: self._said(found[0]), text)
        if _MAYBE_ADDRESS.search(text) is not None:
            text = _URL.sub(self._say_url, _ENTITY.sub(lambda found: _words_of(found[0].replace(".", "_")), text))
        if "#" in text or "＃" in text:
            text = _HASHTAG.sub(self._say_hashtag, text)
        return text

    def _say_url(self, found: re.Match[str]) -> str:
        if found["scheme"] is None and found["host"].replace(".", "").isdigit():
            return found[0]
        whole = found["host"] + (found["port"] or "") + (found["path"] or "")
        address = whole.rstrip(_TRAILING)
        rest = whole[len(address) :]
        address = address.removesuffix("/")
        said = self._said(address[:4].replace("www.", "w w w.") + address[4:])
        return f"{said}{rest}" if said else found[0]

    def _said(self, address: str) -> str:
        """Every mark by its name, every number in words."""
        gap = self._spelling.words.gap or " "
        parts = []
        for part in _PARTS.findall(address):
            if part.isdigit():
                parts.append(self._spelling.label(part))
            else:
                parts.append(self._marks.get(part, part if part.isalnum() else ""))
        return gap.join(filter(None, parts))

    def _say_hashtag(self, found: re.Match[str]) -> str:
        return f"{self._hashtag} {_words_of(_HUMPS.sub(' ', found['tag']))}"


def _words_of(name: str) -> str:
    return " ".join(part for part in name.split("_") if part)


def addresses(words: AddressWords, spelling: Spelling) -> Rule:
    """The step of a language."""
    return Addresses(words, spelling).apply
