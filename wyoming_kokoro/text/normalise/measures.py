"""Numbers with a unit: percent, degrees, and the physical units that a house reports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.spelling import NOT_INSIDE, NUMBER, is_one

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_NAMES = {
    "km": "kilometer", "cm": "centimeter", "mm": "millimeter", "m": "meter", "mi": "mile", "yd": "yard",
    "kg": "kilogram", "mg": "milligram", "g": "gram", "lb": "pound", "lbs": "pound", "oz": "ounce",
    "l": "liter", "L": "liter", "ml": "milliliter", "mL": "milliliter", "cl": "centiliter", "dl": "deciliter",
    "GHz": "gigahertz", "MHz": "megahertz", "kHz": "kilohertz", "Hz": "hertz",
    "mA": "milliamp", "mAh": "milliamp hour", "mV": "millivolt", "kV": "kilovolt", "V": "volt",
    "kWh": "kilowatt hour", "Wh": "watt hour", "MWh": "megawatt hour", "kW": "kilowatt", "MW": "megawatt", "mW": "milliwatt",
    "W": "watt", "KB": "kilobyte", "kB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte",
    "kbps": "kilobit per second", "Mbps": "megabit per second", "Gbps": "gigabit per second",
    "km/h": "kilometer per hour", "kmh": "kilometer per hour", "m/s": "meter per second", "mph": "mile per hour",
    "hPa": "hectopascal", "kPa": "kilopascal", "mbar": "millibar", "dB": "decibel", "lx": "lux", "lm": "lumen",
    "ppm": "part per million",
    "ms": "millisecond", "sec": "second", "min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour",
    "m²": "square meter", "m³": "cubic meter", "km²": "square kilometer", "sq ft": "square foot", "ft": "foot",
}  # fmt: skip
_UNCHANGED = ("hertz", "lux")
_UNIT = "|".join(re.escape(unit) for unit in sorted(_NAMES, key=len, reverse=True))
_SIGN = r"(?P<sign>[-−+](?=[.0-9]))?"
_AMOUNT = rf"{NOT_INSIDE}{_SIGN}(?:(?P<low>{NUMBER}) ?[-–] ?)?(?P<number>{NUMBER})"
_PERCENT = re.compile(rf"{_AMOUNT} ?[%％]")
_DEGREES = re.compile(rf"{_AMOUNT} ?(?:°|º|℃|℉)(?: ?(?P<scale>[CFcf])(?![\w]))?")
_MEASURE = re.compile(rf"{_AMOUNT}[ -]?(?P<unit>{_UNIT})(?![\w/²³])")
_SCALES = {"c": " Celsius", "f": " Fahrenheit"}


def speak_percent(text: str, spelling: Spelling) -> str:
    """`50%` is `fifty percent`."""
    return _PERCENT.sub(lambda found: f"{_say_amount(found, spelling)} percent", text)


def speak_degrees(text: str, spelling: Spelling) -> str:
    """`21°C` is `twenty-one degrees Celsius`."""

    def say(found: re.Match[str]) -> str:
        scale = _SCALES.get((found["scale"] or {"℃": "c", "℉": "f"}.get(found[0][-1], "")).lower(), "")
        return f"{_say_amount(found, spelling)} {'degree' if is_one(found['number']) else 'degrees'}{scale}"

    return _DEGREES.sub(say, text)


def speak_measures(text: str, spelling: Spelling) -> str:
    """`50m` is `fifty meters`, `20 mA` `twenty milliamps`."""

    def say(found: re.Match[str]) -> str:
        name = _NAMES[found["unit"]]
        if spelling.british:
            name = name.replace("meter", "metre").replace("liter", "litre")
        return f"{_say_amount(found, spelling)} {name if is_one(found['number']) else _plural(name)}"

    return _MEASURE.sub(say, text)


def _say_amount(found: re.Match[str], spelling: Spelling) -> str:
    sign = {None: "", "+": "plus "}.get(found["sign"], "minus ")
    low = f"{spelling.number(found['low'])} to " if found["low"] else ""
    return sign + low + spelling.number(found["number"])


def _plural(name: str) -> str:
    head, per, rest = name.partition(" per ")
    if head.endswith(_UNCHANGED):
        return name
    return (f"{head[:-4]}feet" if head.endswith("foot") else f"{head}s") + per + rest
