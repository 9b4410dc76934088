"""Numbers with a unit: percent, degrees, and the physical units that a house reports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from babel.units import UnknownUnitError, format_unit

from wyoming_kokoro.text.normalise.rule import one_of, one_of_many
from wyoming_kokoro.text.normalise.unit_table import DAY, PER, UNITS, Unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_DEGREES = re.compile("[°º℃℉]")
_MANY = 2
_PRICED = frozenset({"kWh", "MWh", "kg", "l", "L", "m³", "m²", "km", "ha", "MB", "GB", "t"})
"""Units that things are sold by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitWords:
    """The units of a language."""

    locale: str
    """CLDR's name of the language."""
    percent: str
    """With `{}` for the number, as in all the templates here."""
    permille: str
    per: str
    """With `{}` for the number, `{above}` and `{below}` for the units: `{} {above} per {below}`."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """Of the metric system, where they are not those of the table."""
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Templates for one and for many, of units that CLDR lacks or names as nobody says them."""
    local: Mapping[str, str] = field(default_factory=dict)
    """Signs of this language and what they mean, by CLDR's name."""
    feminine: re.Pattern[str] | None = None
    """Matches in the names of units that are feminine."""
    spoken: Mapping[str, str] = field(default_factory=dict)
    """Parts of CLDR's names and what is said for them."""


class Measures:
    """The units of one language."""

    def __init__(self, words: UnitWords, spelling: Spelling) -> None:
        self._words = words
        self._spelling = spelling
        self._templates: dict[tuple[str, bool], str] = {}
        writing = spelling.writing
        signs = one_of_many([*UNITS, *PER, *words.local])
        amount = rf"{writing.not_inside}(?P<sign>[-−+](?=[.0-9]))?(?P<number>{writing.number})"
        self._percent = writing.compile(rf"{amount} ?(?P<unit>[%％‰])")
        self._degrees = writing.compile(rf"{amount} ?(?:°|º|℃|℉)(?: ?(?P<scale>[CFcf])(?![\w]))?")
        self._maybe = writing.compile(rf"[0-9](?:-| ?)(?:{signs})")
        no_more = r"(?![\w/²³]|(?<=[a-z])-?[0-9])"
        self._measure = writing.compile(rf"{amount}(?:-| ?)(?P<unit>{signs})(?<![0-9][ABNJK]){no_more}")
        self._glued = writing.compile(r"(?<![\w.,:/+-])(?P<number>[0-9]{1,3})(?P<unit>h|min|m)(?=[0-9]{1,2}(?:min|m|s)(?!\w))")

        self._short_minutes = writing.compile(
            r"(?P<hours>(?<![\w.,])[0-9]{1,3} ?h ?[0-5]?[0-9] ?)m(?![\w/²³'])"
            r"|(?P<before>(?<![\w.,])[0-9]{1,3} ?)m(?= ?[0-5]?[0-9] ?s(?!\w))"
        )
        self._height = writing.compile(r"(?<![\w.,:/'])(?P<feet>[1-9][0-9]?)['′] ?(?P<inches>1[01]|[0-9])(?:[\"”″]|'')(?!\w)")
        below = [sign for sign in UNITS if sign in _PRICED]
        self._price = writing.compile(rf"(?<=[^\W\d_]) ?/ ?(?P<unit>{one_of(below)})(?![\w/²³])", re.NOFLAG)
        self._each = words.per.partition("{above}")[2].partition("{below}")[0] or words.per.partition("{below}")[0]

    def percent(self, text: str) -> str:
        """`50%` is `fifty percent`."""
        if not ("%" in text or "％" in text or "‰" in text):
            return text
        return self._percent.sub(self._say_percent, text)

    def degrees(self, text: str) -> str:
        """`21°C` is `twenty-one degrees Celsius`."""
        return text if _DEGREES.search(text) is None else self._degrees.sub(self._say_degrees, text)

    def measures(self, text: str) -> str:
        """`50m` is `fifty meters`, `20 mA` `twenty milliamps`, `1h 30m` `one hour thirty minutes`."""
        if "/" in text:
            text = self._price.sub(self._say_each, text)
        if "'" in text or "′" in text:
            text = self._height.sub(self._say_height, text)
        if self._maybe.search(text) is None:
            return text
        text = self._short_minutes.sub(lambda found: f"{found['hours'] or found['before']}min", text)
        return self._measure.sub(self._say_measure, self._glued.sub(lambda found: f"{self._say_measure(found)} ", text))

    def _say_percent(self, found: re.Match[str]) -> str:
        template = self._words.permille if found["unit"] == "‰" else self._words.percent
        return self._filled(template, found, feminine=False, counted=False)

    def _say_degrees(self, found: re.Match[str]) -> str:
        scale = (found["scale"] or {"℃": "c", "℉": "f"}.get(found[0][-1], "")).lower()
        name = {"c": "temperature-celsius", "f": "temperature-fahrenheit"}.get(scale, "angle-degree")
        return self._said(Unit(name), found)

    def _say_measure(self, found: re.Match[str]) -> str:
        sign = found["unit"]
        if sign in PER and sign not in UNITS:
            above, below = PER[sign]
            parts = [self._name(UNITS[above], one=self._is_one(found)), self._name(_below(below), one=True)]
            template = self._words.per.format("{}", above=parts[0], below=parts[1])
            return self._filled(template, found, feminine=self._is_feminine(parts[0]))
        name = self._words.local.get(sign)
        return self._said(UNITS[sign] if name is None else Unit(name), found)

    def _say_each(self, found: re.Match[str]) -> str:
        return self._each + self._name(UNITS[found["unit"]], one=True)

    def _say_height(self, found: re.Match[str]) -> str:
        parts = ((Unit("length-foot"), found["feet"]), (Unit("length-inch"), found["inches"]))
        return self._spelling.words.gap.join(self._counted(unit, number) for unit, number in parts)

    def _counted(self, unit: Unit, number: str) -> str:
        words = self._spelling.words
        is_feminine = self._is_feminine(self._template(unit, one=True))
        rules = words.feminine if is_feminine else words.counted or words.masculine
        return self._template(unit, one=self._spelling.writing.is_one(number)).format(self._spelling.number(number, rules))

    def _said(self, unit: Unit, found: re.Match[str]) -> str:
        template = self._template(unit, one=self._is_one(found))
        return self._filled(template, found, feminine=self._is_feminine(self._template(unit, one=True)))

    def _filled(self, template: str, found: re.Match[str], *, feminine: bool, counted: bool = True) -> str:
        words = self._spelling.words
        rules = (words.feminine if feminine else words.counted or words.masculine) if counted else ""
        said = template.format(self._spelling.number(found["number"], rules))
        return self._spelling.signed(found.groupdict().get("sign"), said)

    def _is_one(self, found: re.Match[str]) -> bool:
        return self._spelling.writing.is_one(found["number"])

    def _is_feminine(self, name: str) -> bool:
        return self._words.feminine is not None and self._words.feminine.search(name) is not None

    def _name(self, unit: Unit, *, one: bool) -> str:
        return self._template(unit, one=one).replace("{}", "").strip()

    def _template(self, unit: Unit, *, one: bool) -> str:
        key = (f"{unit.prefix} {unit.base}", one)
        if key not in self._templates:
            self._templates[key] = self._made(unit, one=one)
        return self._templates[key]

    def _made(self, unit: Unit, *, one: bool) -> str:
        if unit.base in self._words.names:
            template = self._words.names[unit.base][0 if one else 1]
        else:
            template = _by_cldr(unit.base, self._words.locale, one=one)
        if unit.prefix:
            prefix = self._words.prefixes.get(unit.prefix, unit.prefix)
            before, _, name = template.partition("{}")
            bare = name.lstrip()
            template = f"{before}{{}}{name[: len(name) - len(bare)]}{prefix}{bare}"
        for written, said in self._words.spoken.items():
            template = template.replace(written, said)
        return template if self._spelling.words.gap else template.replace(" ", "")


def _by_cldr(name: str, locale: str, *, one: bool) -> str:
    count = 1 if one else _MANY
    try:
        said = format_unit(count, name, "long", locale=locale)
    except UnknownUnitError:
        return f"{{}} {name}"
    return str(said).replace("\u00a0", " ").replace("\u200d", "").replace("’", "'").replace(str(count), "{}", 1)


def _below(sign: str) -> Unit:
    return Unit(DAY) if sign == "d" else UNITS[sign]


def measures(words: UnitWords, spelling: Spelling) -> tuple[Rule, Rule, Rule]:
    """The steps of a language: percent, degrees, and all other units."""
    made = Measures(words, spelling)
    return made.percent, made.degrees, made.measures
