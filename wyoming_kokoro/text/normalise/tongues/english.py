"""English, American and British."""

from __future__ import annotations

import re
from dataclasses import replace

from wyoming_kokoro.text.normalise.addresses import AddressWords
from wyoming_kokoro.text.normalise.capitals import CapitalWords
from wyoming_kokoro.text.normalise.clock import ClockWords
from wyoming_kokoro.text.normalise.counting import CountingWords
from wyoming_kokoro.text.normalise.dates import DateWords, Days
from wyoming_kokoro.text.normalise.figures import SignWords
from wyoming_kokoro.text.normalise.fractions import FractionWords
from wyoming_kokoro.text.normalise.labels import LabelWords
from wyoming_kokoro.text.normalise.measures import UnitWords
from wyoming_kokoro.text.normalise.money import Currency, MoneyWords
from wyoming_kokoro.text.normalise.roman import RomanWords
from wyoming_kokoro.text.normalise.shortened import ShortWords
from wyoming_kokoro.text.normalise.spelling import NumberWords, Years
from wyoming_kokoro.text.normalise.tongue import Tongue
from wyoming_kokoro.text.normalise.writing import Writing
from wyoming_kokoro.text.normalise.years import YearWords

_HUNDRED = re.compile(r"hundred (?!thousand|million|billion|trillion)")
_BELOW_HUNDRED = re.compile(r"(thousand|illion) (?=[a-z-]+\Z)")


def _words(text: str) -> list[str]:
    return text.split()


def _british(said: str, number: int) -> str:
    """`one hundred and five`, `two thousand and twelve`."""
    said = _HUNDRED.sub("hundred and ", said)
    return _BELOW_HUNDRED.sub(r"\1 and ", said) if number > 1000 and 0 < number % 1000 < 100 else said


_MONTHS = "jan feb mar apr - jun jul aug sep|sept oct nov dec"
_DAY = r"{day}(?:st|nd|rd|th)?"
_WRITTEN = (
    (rf"\b{{month}}\.? {_DAY}(?![\w/%:°]|[.,:][0-9]|-[0-9])(?:,? {{year}})?", "{m} {d}"),
    (rf"(?<![\w.,:/-])(?:the )?{_DAY} (?:of )?{{month}}(?:\.(?= \w))?(?:,? {{year}})?", "the {d} of {m}"),
    (r"\b{month},? {year}", ""),
)
_DOLLAR = Currency("dollar", "dollars", "cent", "cents")
_COUNTED = frozenset(
    _words(
        "people men women children feet inches meters metres miles yards kilometers kilometres grams kilos kilograms pounds "
        "euros "
        "dollars cents percent degrees watts volts calories steps times words more other hours minutes seconds days"
    )
)

TONGUE = Tongue(
    writing=Writing(".", ","),
    numbers=NumberWords(
        rules="en",
        digits=("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
        point="point", minus="minus", plus="plus", oh="oh",
        years=Years.BY_RULES, year_rules="spellout-numbering-year",
    ),
    counting=CountingWords(
        to=" to ", score="{a} to {b}", contest=r"\b(?:won|wins?|lost|loses?|beat|beats|lead|leads|led|drew|score|final)\b",
        ordinal=r"st|nd|rd|th", ordinal_end=r"\b",
    ),
    signs=SignWords(
        between={"+": "plus", "=": "equals", "×": "times", "*": "times", "÷": "divided by", "<": "is less than",
                 ">": "is greater than", "≤": "is at most", "≥": "is at least", "≠": "is not", "≈": "is about",
                 "±": "plus or minus"},
        symbols={"&": "and", "√": "the square root of", "∞": "infinity", "→": "to", "§": "section", "©": "copyright"},
        squared="squared", cubed="cubed", power="to the power of {}", about="about",
    ),
    addresses=AddressWords(
        dot="dot", at="at", slash="slash", dash="dash", underscore="underscore", colon="colon", hashtag="hashtag",
        more=(("?", "question mark"), ("=", "equals"), ("&", "and"), ("%", "percent"), ("+", "plus"), ("~", "tilde")),
    ),
    dates=DateWords(
        locale="en", days=Days.ORDINAL, day_month="{m} {d}", year="{t}, {y}", order="mdy",
        before_bare="on|due|dated|arrives|arriving|by|until|till|expires|before", written=_WRITTEN, short_months=_MONTHS,
    ),
    clock=ClockWords(
        midnight="midnight", hour="{h} o'clock", late_hour="{h} hundred", hour_minute="{h} {m}", low_minute="{h} oh {m}",
        second=" and {s} second", seconds=" and {s} seconds", after_midnight="{t} A. M.", morning="{t} A. M.",
        afternoon="{t} P M",
    ),
    money=MoneyWords(
        locale="en_US",
        symbols={
            "$": _DOLLAR,
            "US$": Currency("US dollar", "US dollars", "cent", "cents"),
            "A$": Currency("Australian dollar", "Australian dollars", "cent", "cents"),
            "AU$": Currency("Australian dollar", "Australian dollars", "cent", "cents"),
            "C$": Currency("Canadian dollar", "Canadian dollars", "cent", "cents"),
            "CA$": Currency("Canadian dollar", "Canadian dollars", "cent", "cents"),
            "NZ$": Currency("New Zealand dollar", "New Zealand dollars", "cent", "cents"),
            "HK$": Currency("Hong Kong dollar", "Hong Kong dollars", "cent", "cents"),
            "R$": Currency("real", "reais", "centavo", "centavos"),
            "€": Currency("euro", "euros", "cent", "cents"),
            "£": Currency("pound", "pounds", "penny", "pence"),
            "¥": Currency("yen", "yen"), "￥": Currency("yen", "yen"), "₹": Currency("rupee", "rupees", "paisa", "paise"),
            "₩": Currency("won", "won"), "₽": Currency("ruble", "rubles", "kopeck", "kopecks"),
            "₺": Currency("lira", "lira", "kurus", "kurus"), "₿": Currency("bitcoin", "bitcoins"),
            "¢": Currency("cent", "cents"),
        },
        sizes={
            "thousand": ("thousand", "thousand", "k", "K"), "million": ("million", "million", "m", "M", "mn"),
            "billion": ("billion", "billion", "b", "B", "bn"), "trillion": ("trillion", "trillion", "t", "T", "tn"),
        },
        small="{large} and {small}",
    ),
    labels=LabelWords(
        named=r"\b(?:rooms?|lockers?|flight|bus|gate|apartment|apt|suite|unit|route|highway|channel|extension|ticket|platform"
        r"|tram|train|line|invoice) ",
        coded=r"\b(?:(?:code|pin|password|passcode|dial)(?: is| number)?:?|(?:call|phone|ring)(?= (?:[2-9]11|1[01][0-9]|999|988"
        r"|000)\b)) ",
        version="version", point="point", dot="dot", number="number", number_signs=r"\bNo\. ?(?=[0-9])|\bno\. (?=[0-9])",
    ),
    fractions=FractionWords(
        names={2: "half", 4: "quarter"}, many=lambda name, _: "halves" if name == "half" else f"{name}s",
        whole_and="{whole} and {part}", article=lambda name: f"a{'n' if name[0] == 'e' else ''} {name}",
    ),
    units=UnitWords(
        locale="en_US", percent="{} percent", permille="{} per mille", per="{} {above} per {below}",
        spoken={"-hour": " hour", "ampere": "amp", "metric ton": "ton", "lumen ": "lumens "},
        names={
            "watt hour": ("{} watt hour", "{} watt hours"), "volt ampere": ("{} volt amp", "{} volt amps"),
            "ampere hour": ("{} amp hour", "{} amp hours"), "decibel": ("{} decibel", "{} decibels"),
            "part per million": ("{} part per million", "{} parts per million"),
            "part per billion": ("{} part per billion", "{} parts per billion"), "light-lumen": ("{} lumen", "{} lumens"),
            "revolution": ("{} revolution per minute", "{} revolutions per minute"), "var": ("{} var", "{} vars"),
            "pressure-pound-force-per-square-inch": ("{} pound per square inch", "{} pounds per square inch"),
        },
    ),
    years=YearWords(
        sure=r"\b(?:in|since|year|years|circa|anno|class of|summer of|winter of|spring of|autumn of|fall of|early|late|mid) ",
        likely=r"\b(?:by|from|to|until|till|til|of|before|after|during|between|and|around|through|the|this|that|a|an) ",
        eras=r"AD|BC|BCE|CE|A\.D\.|B\.C\.", counted=_COUNTED, plural=r"(?!was|is|has)[a-z]*s", to=" to ",
        tens={"1": "tens", "2": "twenties", "3": "thirties", "4": "forties", "5": "fifties", "6": "sixties", "7": "seventies",
              "8": "eighties", "9": "nineties"},
    ),
    roman=RomanWords(
        counted=r"war|wars|chapter|part|volume|vol\.|act|scene|book|section|appendix|phase|type|level|mark|stage|class|title"
        r"|article|figure|table|bowl|episode|version",
        rulers="Henry|Elizabeth|Charles|George|Louis|Edward|William|James|Richard|Philip|Peter|Catherine|Nicholas|Alexander"
        "|Paul"
        "|Pius|Benedict|Gregory|Leo|Innocent|Clement|Urban|Ramesses|Napoleon|Frederick|Mary|Victoria|Margaret|Robert|Otto"
        "|Harald",
        ruler="the {}", capital=True,
    ),
    short=ShortWords(
        anywhere={"Mr.": "Mister", "Mrs.": "Missus", "Dr.": "Doctor", "Prof.": "Professor", "e.g.": "for example",
                  "i.e.": "that is", "etc.": "et cetera", "vs.": "versus", "approx.": "approximately", "dept.": "department",
                  "vol.": "volume", "Vol.": "volume",
                  "Dept.": "Department", "Sgt.": "Sergeant", "Capt.": "Captain", "Lt.": "Lieutenant", "Gov.": "Governor",
                  "w/o": "without", "a.k.a.": "also known as", "Jr.": "Junior", "Sr.": "Senior", "24/7": "twenty-four seven",
                  "Mx.": "Mix", "appt.": "appointment", "temp.": "temperature", "max.": "maximum", },
        before_names={"St.": "Saint", "Mt.": "Mount", "Ft.": "Fort", "Gen.": "General", "Col.": "Colonel", "Rev.": "Reverend",
                      "Sen.": "Senator", "Rep.": "Representative"},
        behind_names={"St.": "Street", "Ave.": "Avenue", "Blvd.": "Boulevard", "Rd.": "Road", "Ln.": "Lane", "Hwy.": "Highway",
                      "Apt.": "Apartment", "Inc.": "Incorporated", "Ltd.": "Limited", "Corp.": "Corporation"},
    ),
    capitals=CapitalWords(
        as_words=frozenset(
            _words(
                "NASA NATO UNESCO UNICEF OPEC AIDS COVID SARS MERS ASCII JPEG RAM ROM PIN SIM LASER RADAR FIFA UEFA NASDAQ "
                "SWAT "
                "GIF OK US SIRI ALEXA IKEA LEGO CAPTCHA YAML JSON NAS LAN WAN RAID OLED CAD NOT AND OR ON OFF YES NO STOP ALL "
                "THE NOW OPEN FIRE DOOR HELP MAY"
            )
        ),
        spells_all=True,
    ),
)  # fmt: skip

BRITISH = replace(
    TONGUE,
    numbers=replace(TONGUE.numbers, finish=_british),
    counting=replace(TONGUE.counting, score="{a} {b}", nil="nil"),
    dates=replace(TONGUE.dates, day_month="the {d} of {m}", order="dmy"),
    money=replace(TONGUE.money, locale="en_GB"),
    units=replace(TONGUE.units, locale="en_GB"),
)
