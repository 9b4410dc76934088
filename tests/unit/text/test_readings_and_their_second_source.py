"""The collection of readings: what other sources say of the numbers, names and units in them."""

from __future__ import annotations

import unicodedata
from collections import Counter

import cn2an
import pytest
from babel import Locale
from babel.numbers import get_currency_name
from babel.units import format_unit
from num2words import num2words
from unicode_rbnf import RbnfEngine

from benchmarks.readings import Reading, readings

READINGS = readings()
LOCALES = {"en-US": "en_US", "en-GB": "en_GB", "pt-BR": "pt_BR", "zh-CN": "zh_Hans_CN"}
_JOINING_WORDS = {"and", "e", "y", "et"}


def folded(text: str, language: str) -> str:
    """Without what the sources differ in: case, hyphens, commas, and the `and` between parts of a number."""
    text = unicodedata.normalize("NFC", text).casefold().replace("\u00ad", "").replace("\u200d", "")
    text = text.replace("-", " ").replace(",", " ").replace("\u3007", "零")
    if language in {"ja", "zh-CN"}:
        return text.replace(" ", "")
    return " ".join(word for word in text.split() if word not in _JOINING_WORDS)


def number(value: int, language: str) -> str:
    """By num2words, by cn2an for Chinese, by Unicode's rules for Hindi, which neither of them knows."""
    if language == "zh-CN":
        said = cn2an.an2cn(str(value), "low")
        return said.removeprefix("一") if 10 <= value < 20 else said
    if language == "hi":
        return str(RbnfEngine.for_language("hi").format_number(value).text)
    return str(num2words(value, lang=language.replace("-", "_").removesuffix("_US").removesuffix("_GB")))


def ordinal(value: int, language: str) -> str:
    if language == "hi":
        return str(next(iter(RbnfEngine.for_language("hi").format_number(value).text_by_ruleset.values())))
    return str(num2words(value, to="ordinal", lang=language.replace("-", "_").removesuffix("_US").removesuffix("_GB")))


def alternatives(fact: str, language: str) -> list[str]:
    """What a second source says; Romance ordinals may end otherwise by gender."""
    kind, *rest = fact.split()
    locale = LOCALES.get(language, language)
    match kind:
        case "cardinal":
            return [number(int(rest[0]), language)]
        case "ordinal":
            said = _hindi_ordinal(int(rest[0])) if language == "hi" else ordinal(int(rest[0]), language)
            return [said, f"{said[:-1]}a", f"{said[:-1]}er"]
        case "month":
            month = Locale.parse(locale).months["format"]["wide"][int(rest[0])]
            return [month]
        case "currency":
            return [get_currency_name(rest[0], int(rest[1]), locale=locale)]
        case "unit":
            return _unit(rest[0], int(rest[1]), language, locale)
    raise ValueError(fact)


def _unit(name: str, amount: int, language: str, locale: str) -> list[str]:
    """The name that CLDR has for that many, without the amount itself."""
    said = format_unit(amount, name, "long", locale=locale)
    bare = said.replace(str(amount), " ").strip()
    return [bare, bare.replace(" ", ""), bare.replace("milliampere", "milliamp").replace("मिली ", "मिली")]


def _hindi_ordinal(value: int) -> str:
    by_ruleset = RbnfEngine.for_language("hi").format_number(value, ruleset_names=["spellout-ordinal-masculine"])
    return str(by_ruleset.text)


FACTS = [(reading, fact) for reading in READINGS for fact in reading.facts]


@pytest.mark.parametrize(("reading", "fact"), FACTS, ids=lambda value: value if isinstance(value, str) else value.text[:24])
def test_an_expected_reading_agrees_with_a_second_source(reading: Reading, fact: str) -> None:
    expected = folded(reading.expected, reading.language)
    said = [folded(alternative, reading.language) for alternative in alternatives(fact, reading.language)]
    assert any(one in expected for one in said), f"{said} is not in {expected!r}"


def test_the_collection_has_its_size_and_every_language_its_share() -> None:
    by_language = Counter(reading.language for reading in READINGS)
    assert sum(by_language.values()) >= 300
    assert set(by_language) == {"en-US", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh-CN"}
    assert min(by_language.values()) >= 30
    assert len({(reading.language, reading.text) for reading in READINGS}) == len(READINGS)
    assert len(FACTS) > 180


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: f"{reading.language}-{reading.text[:24]}")
def test_a_text_is_said_as_it_is_expected(reading: Reading) -> None:
    assert reading.said == reading.expected
