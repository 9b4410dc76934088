"""Texts full of figures as people and machines write them, right and wrong, and a count of which figures are still heard."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from hypothesis import strategies as st
from unicode_rbnf import RbnfEngine
from unicode_rbnf.engine import FormatPurpose

_ENGINE = RbnfEngine.for_language("en")
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_GROUPED = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?![0-9])"
_TOKEN = re.compile(rf"{_GROUPED}|[0-9]+|[^\W\d_]+")
_TORN = re.compile(rf"(?:{_GROUPED}),?[0-9]|[0-9],(?:{_GROUPED})")
_ORDINAL_ENDING = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)\b", re.IGNORECASE)
_ZEROS = re.compile(r"0+")
Words = tuple[str, ...]


def words_and_runs(text: str) -> list[str]:
    """Words in lower case without `and`, and runs of digits without separators."""
    plain = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
    tokens = (token.replace(",", "").lower() for token in _TOKEN.findall(plain))
    return [token for token in tokens if token != "and"]


def is_computed(token: str) -> bool:
    """Whether it has more decimal places than anybody but a computer writes: those are rounded."""
    return re.search("[.,][0-9]{10}", token) is not None


def is_torn(token: str) -> bool:
    """Whether separators stand in it as in no number: what its groups are together nobody can tell."""
    return _TORN.search(token) is not None


def runs_in(text: str) -> list[str]:
    """Maximal runs of digits; the groups of one number make one run."""
    return [token for token in words_and_runs(text) if token[0].isdecimal()]


def rbnf(number: int, purpose: FormatPurpose = FormatPurpose.CARDINAL) -> str:
    """What Unicode's rules say for it."""
    return str(_ENGINE.format_number(number, purpose=purpose).text)


def _words(text: str) -> Words:
    return tuple(words_and_runs(text))


@lru_cache(maxsize=10_000)
def readings(run: str) -> tuple[Words, ...]:
    """Everything that a run of digits may be heard as; the longest first."""
    digits = tuple(_DIGITS[int(char)] for char in run)
    found = {(run,), digits}
    if len(run) <= 15:
        number = int(run)
        ordinal = rbnf(number, FormatPurpose.ORDINAL)
        cardinal = rbnf(number)
        found |= {_words(cardinal), _words(ordinal), _words(f"{ordinal}s")}
        found |= {_words(rbnf(number, FormatPurpose.YEAR).replace("oh-", "oh "))}
    if len(run) <= 4:
        found |= _short_readings(run, int(run))
    return tuple(sorted(found, key=len, reverse=True))


def _short_readings(run: str, number: int) -> set[Words]:
    found = {("oh", *_words(rbnf(number)))}
    if run == "1":
        found |= {("a",), ("an",)}
    if number in {2, 4}:
        found |= {("half",), ("quarter",), ("halves",), ("quarters",)}
    if 1 <= number <= 12:
        found.add((_MONTHS[number - 1],))
    if len(run) == 1:
        found.add(_words(rbnf(10 * number)))
    if len(run) == 3:
        found |= {(_DIGITS[int(run[0])], *tens) for tens in (_words(rbnf(number % 100)), ("oh", _DIGITS[number % 10]))}
    if len(run) == 2 and run[1] == "0" and number >= 20:
        found.add((f"{rbnf(number).removesuffix('y')}ies",))
    if len(run) == 4 and run[3] == "0":
        tens = rbnf(number % 100)
        found.add((*_words(rbnf(number // 100)), "tens" if tens == "ten" else tens.removesuffix("y") + "ies"))
    if number in {0, 2, 3}:
        found.add(({0: "nil", 2: "squared", 3: "cubed"}[number],))
    if number in {0, 24}:
        found |= {("midnight",), ("twelve",), ("o", "clock"), ("hundred",)}
    return found


def is_silent(run: str, token: str) -> bool:
    """Whether a run may be left out: noughts beside the point, comma or colon of a sum or a time, as in `$1.00` and `9:00`."""
    return _ZEROS.fullmatch(run) is not None and re.search(rf"[.:,]{run}(?![0-9])|(?<![0-9]){run}[.:,]", token) is not None


def unheard(token: str, spoken: str) -> list[str]:
    """Runs of a token that have neither survived nor been read in what is spoken for it; no word is counted twice."""
    runs = sorted(runs_in(token), key=len, reverse=True)
    return _unheard(runs, tuple(words_and_runs(spoken)), token)


def _unheard(runs: list[str], words: Words, token: str) -> list[str]:
    if not runs:
        return []
    run, *others = runs
    best = _unheard(others, words, token)
    if not is_silent(run, token):
        best = [run, *best]
    for reading in readings(run):
        for start in range(len(words) - len(reading) + 1):
            if not best:
                return best
            if words[start : start + len(reading)] == reading:
                left = _unheard(others, (*words[:start], "·", *words[start + len(reading) :]), token)
                best = min(best, left, key=len)
    return best


def least_words(text: str) -> int:
    """Words that must at least be heard for a text: its own, and one for every run of digits that isn't nought."""
    tokens = words_and_runs(_ORDINAL_ENDING.sub("", text))
    return sum(1 for token in tokens if not _ZEROS.fullmatch(token))


# The grammar.

small = st.integers(0, 99).map(str)
natural = st.one_of(
    st.integers(0, 99).map(str), st.integers(0, 10**6).map(str), st.integers(0, 10**17).map(str), st.just("007"), st.just("00")
)
grouped = st.integers(1000, 10**17).map(lambda number: f"{number:,}")
indian = st.builds(
    lambda head, mid, tail: f"{head},{mid:02},{tail:03}", st.integers(1, 99), st.integers(0, 99), st.integers(0, 999)
)
places = st.text("0123456789", min_size=1, max_size=6)
decimal = st.builds("{}{}{}".format, st.one_of(natural, grouped, indian, st.just("")), st.sampled_from(".,"), places)
amount = st.one_of(natural, grouped, indian, decimal)
sign = st.sampled_from(["", "", "-", "−", "+", "±", "~", "--"])
gap = st.sampled_from(["", " ", "\u00a0", "\u202f"])
symbol = st.sampled_from([*"$€£¥₹₩₽₺₿¢￥", "US$", "A$", "R$", "HK$", "$$"])
code = st.sampled_from(["USD", "EUR", "GBP", "CHF", "JPY", "INR", "XAU", "TRY", "XYZ"])
size = st.sampled_from(["", "", "k", "K", "m", "bn", "tn", "T", " million", " thousand", " billionth", "mm"])
dash = st.sampled_from(["-", "–", " - ", " – ", "—", "−"])
money = st.one_of(
    st.builds("{}{}{}{}{}".format, sign, symbol, gap, amount, size),
    st.builds("{}{}{}{}{}".format, sign, amount, size, gap, symbol),
    st.builds("{}{}{}{}{}".format, sign, code, gap, amount, size),
    st.builds("{}{}{}{}{}".format, sign, amount, size, gap, code),
    st.builds("{0}{1}{2}{0}{3}".format, symbol, amount, dash, amount),
    st.builds("{}{}{}{}".format, symbol, amount, dash, amount),
)
two = st.integers(0, 99).map(lambda number: f"{number:02}")
half = st.sampled_from(["", "", "am", " pm", " a.m.", " P.M.", "p.m", " AM", "h", " Uhr", "Z"])
clock = st.one_of(
    st.builds("{}:{}{}".format, st.one_of(small, two), two, half),
    st.builds("{}:{}:{}{}".format, two, two, two, half),
    st.builds("{}{}".format, small, half),
    st.sampled_from(["25:61", "24:00", "24:30", "00:00", "0:00", "12:60", "7:5", "99:99", "12:30:45.123", "7:05:00"]),
)
date = st.one_of(
    st.dates().map(str),
    st.builds("{}-{}-{}".format, st.integers(0, 9999), two, two),
    st.builds("{0}{3}{1}{3}{2}".format, small, small, st.integers(0, 2100), st.sampled_from("/.-")),
    st.builds(
        "{} {}{}{}".format,
        st.sampled_from(["January", "Feb", "Feb.", "Sept.", "May", "Mar"]),
        st.integers(0, 40),
        st.sampled_from(["", "th", "nd", "st"]),
        st.one_of(st.just(""), st.integers(0, 3000).map(", {}".format)),
    ),
    st.builds("{} {} {}".format, st.integers(0, 40), st.sampled_from(["May", "of June", "Dec.", "Mar"]), st.integers(0, 3000)),
    st.sampled_from(
        ["2027-13-45", "Feb 30", "30 February 2026", "0000-00-00", "in 1908", "since 1066", "1990-95", "1980s", "'80s"]
    ),
)
ordinal = st.builds("{}{}".format, st.one_of(natural, grouped), st.sampled_from(["st", "nd", "rd", "th", "TH", "º", "ª", "e"]))
fraction = st.one_of(
    st.builds("{}/{}".format, small, st.sampled_from(["0", "2", "3", "4", "8", "16", "17", "100"])),
    st.builds("{} {}/{}".format, small, small, st.sampled_from("0248")),
    st.builds("{}{}".format, small, st.sampled_from("½¼¾⅓⅞⅐⅟")),
    st.sampled_from(["1/0", "0/0", "0/2", "24/7", "1⁄2"]),
)
version = st.builds(
    "{}{}{}".format,
    st.sampled_from(["v", "V", "v. ", "", "version "]),
    st.lists(natural, min_size=2, max_size=4).map(".".join),
    st.sampled_from(["", "-beta", "rc1", "+build5", "."]),
)
telephone = st.sampled_from(
    ["867-5309", "(555) 867-5309", "1-800-555-0199", "+44 20 7946 0018", "+1 (555) 867-5309", "0800 555 0199", "+4915112345678",
     "call 911", "555-0199 ext. 12", "tel:+1-555-867-5309"]
)  # fmt: skip
address = st.sampled_from(
    ["192.168.1.20", "10.0.0.1:8080", "255.255.255.255/24", "999.999.999.999", "::1", "fe80::1%2", "http://10.0.0.1:80/a?b=1",
     "00:1A:2B:3C:4D:5E"]
)  # fmt: skip
span = st.builds("{}{}{}".format, amount, dash, amount)
percent = st.builds("{}{}{}{}".format, sign, amount, gap, st.sampled_from(["%", "％", "‰", "%%", " percent"]))
warmth = st.builds("{}{}{}{}".format, sign, amount, gap, st.sampled_from(["°C", "° F", "°", "º", "℃", "℉", "°K", "K"]))
unit = st.sampled_from(["km", "m", "m²", "km/h", "kWh", "mA", "ms", "lb", "sq ft", "GB", "L", "mph", "x", "zz", "m/s²"])
measure = st.builds("{}{}{}{}".format, sign, amount, gap, unit)
label = st.builds(
    "{} {}{}".format,
    st.sampled_from(["room", "code", "No.", "#", "flight", "pin is", "bus"]),
    natural,
    st.sampled_from(["", "A"]),
)
scientific = st.builds("{}{}{}{}".format, amount, st.sampled_from(["e", "E", "e-", "×10^", "x10", "*10**"]), small, gap)
foreign = st.text("٠١٢٣۴۵२३１２３４𝟏𝟐²³¹₂①❷⑽", min_size=1, max_size=6)
dangling = st.sampled_from(
    [
        "$",
        "€",
        "%",
        "°",
        "#",
        "-",
        "+",
        ".",
        ",",
        "½",
        "$-",
        "/",
        "1.",
        ".1",
        "1,",
        ",1",
        "1:",
        "-1-",
        "1..2",
        "1,,2",
        "$.",
        "$1.",
    ]
)
listed = st.lists(small, min_size=3, max_size=6).map(",".join)
tokens = st.one_of(
    amount, money, clock, date, ordinal, fraction, version, telephone, address, span, percent, warmth, measure, label,
    scientific, foreign, dangling, listed,
)  # fmt: skip
huge = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "$", "-", "v1.", "in ", "code ", "+"]),
    st.sampled_from("0179").map(lambda digit: digit * 5000),
    st.sampled_from(["", ".50", ",50", ".5.6", "/2", ":30", "-9"]),
    st.sampled_from(["", "%", "th", "°C", " km", " USD", "m", "pm", "½", "s"]),
)
