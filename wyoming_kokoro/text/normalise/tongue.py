"""All that the steps need to know of one language, and the order of the steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.addresses import AddressWords, addresses
from wyoming_kokoro.text.normalise.capitals import CapitalWords, capitals
from wyoming_kokoro.text.normalise.clock import Clock, ClockWords
from wyoming_kokoro.text.normalise.counting import CountingWords, cardinals, lists, ordinals, ranges
from wyoming_kokoro.text.normalise.dates import DateWords, dates
from wyoming_kokoro.text.normalise.figures import SignWords, plain_figures, powers, signs
from wyoming_kokoro.text.normalise.fractions import FractionWords, fractions
from wyoming_kokoro.text.normalise.labels import LabelWords, named_numbers, number_signs, telephones, versions
from wyoming_kokoro.text.normalise.leftovers import LeftoverWords, leftovers
from wyoming_kokoro.text.normalise.marks import drop_marks, drop_rest
from wyoming_kokoro.text.normalise.measures import UnitWords, measures
from wyoming_kokoro.text.normalise.money import Money, MoneyWords
from wyoming_kokoro.text.normalise.networks import networks
from wyoming_kokoro.text.normalise.roman import RomanWords, romans
from wyoming_kokoro.text.normalise.shortened import ShortWords, shortened
from wyoming_kokoro.text.normalise.spelling import NumberWords, Spelling
from wyoming_kokoro.text.normalise.years import YearWords, years

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.writing import Writing

_WITHOUT_FIGURES_TOO = frozenset({"signs", "measures"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """The tables of one language."""

    writing: Writing
    numbers: NumberWords
    counting: CountingWords
    signs: SignWords
    addresses: AddressWords
    dates: DateWords
    clock: ClockWords
    money: MoneyWords
    labels: LabelWords
    fractions: FractionWords
    units: UnitWords
    years: YearWords
    roman: RomanWords | None = None
    short: ShortWords
    capitals: CapitalWords | None = None


def rules_of(tongue: Tongue) -> list[tuple[str, Rule, bool]]:
    """Name and function of each step, in order: what is told by more comes before what is told by less; and whether it has
    nothing to do in a text without figures.
    """
    spelling = Spelling(tongue.numbers, tongue.writing)
    words = [
        ("networks", networks(tongue.addresses.colon, tongue.labels.pause, spelling)),
        ("addresses", addresses(tongue.addresses, spelling)),
        ("marks", drop_marks),
        ("figures", plain_figures),
        ("abbreviations", shortened(tongue.short, spelling)),
        *([("romans", romans(tongue.roman, spelling))] if tongue.roman is not None else []),
    ]
    figures = [*_told_by_marks(tongue, spelling), *_told_by_words(tongue, spelling)]
    rest = [
        *([("capitals", capitals(tongue.capitals, spelling))] if tongue.capitals is not None else []),
        ("rest", drop_rest),
    ]
    return [
        *((name, rule, False) for name, rule in words),
        *((name, rule, name not in _WITHOUT_FIGURES_TOO) for name, rule in figures),
        *((name, rule, False) for name, rule in rest),
    ]


def _told_by_marks(tongue: Tongue, spelling: Spelling) -> list[tuple[str, Rule]]:
    """Steps for figures that are written as nothing else is: `12:30`, `$5`, `192.168.1.20`."""
    to = tongue.counting.to
    return [
        ("dates", dates(tongue.dates, spelling)),
        ("times", Clock(tongue.clock, spelling).rule(to)),
        ("money", Money(tongue.money, spelling).rule(to)),
        ("telephones", telephones(tongue.labels, spelling)),
        ("versions", versions(tongue.labels, spelling)),
        ("signs", signs(tongue.signs, spelling)),
        ("fractions", fractions(tongue.fractions, spelling)),
    ]


def _told_by_words(tongue: Tongue, spelling: Spelling) -> list[tuple[str, Rule]]:
    """Steps for figures that get their meaning from what stands beside them, and then for those that have none."""
    percent, degrees, other_measures = measures(tongue.units, spelling)
    return [
        ("years", years(tongue.years, spelling)),
        ("ranges", ranges(tongue.counting, spelling)),
        ("ordinals", ordinals(tongue.counting, spelling)),
        ("percent", percent),
        ("degrees", degrees),
        ("measures", other_measures),
        ("powers", powers(tongue.signs, spelling)),
        ("names", named_numbers(tongue.labels, spelling)),
        ("number signs", number_signs(tongue.labels, spelling)),
        ("lists", lists(tongue.counting, spelling)),
        ("cardinals", cardinals(tongue.counting, spelling)),
        ("leftovers", leftovers(_leftover_words(tongue), spelling)),
    ]


def _leftover_words(tongue: Tongue) -> LeftoverWords:
    return LeftoverWords(slash=tongue.addresses.slash, point=tongue.labels.point, ratio=tongue.counting.ratio)
