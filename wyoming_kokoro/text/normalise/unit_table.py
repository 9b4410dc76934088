"""The signs of units and what they mean, for all languages. Upper and lower case count: `mW` is not `MW`, `mA` no megaampere.

A name is CLDR's where CLDR has the unit as a whole; otherwise it is put together from a prefix and a base.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


class Unit(NamedTuple):
    """What a sign means."""

    base: str
    """CLDR's name, or one of `BASES`."""
    prefix: str = ""
    """One of `PREFIXES`, where CLDR's name doesn't hold it already."""


PREFIXES = {"T": "tera", "G": "giga", "M": "mega", "k": "kilo", "h": "hecto", "d": "deci", "c": "centi", "m": "milli",
            "µ": "micro", "μ": "micro", "n": "nano", "p": "pico"}  # fmt: skip

_WHOLE = {
    "km": "length-kilometer", "m": "length-meter", "dm": "length-decimeter", "cm": "length-centimeter",
    "mm": "length-millimeter", "µm": "length-micrometer", "nm": "length-nanometer", "mi": "length-mile", "ft": "length-foot",
    "yd": "length-yard", "″": "length-inch", "′": "length-foot",
    "kg": "mass-kilogram", "g": "mass-gram", "mg": "mass-milligram", "µg": "mass-microgram", "t": "mass-tonne",
    "lb": "mass-pound", "lbs": "mass-pound", "oz": "mass-ounce",
    "l": "volume-liter", "L": "volume-liter", "ml": "volume-milliliter", "mL": "volume-milliliter",
    "cl": "volume-centiliter", "cL": "volume-centiliter", "dl": "volume-deciliter", "dL": "volume-deciliter",
    "hl": "volume-hectoliter", "gal": "volume-gallon", "fl oz": "volume-fluid-ounce",
    "m²": "area-square-meter", "km²": "area-square-kilometer", "cm²": "area-square-centimeter", "m2": "area-square-meter",
    "ha": "area-hectare", "sq ft": "area-square-foot", "ft²": "area-square-foot",
    "m³": "volume-cubic-meter", "cm³": "volume-cubic-centimeter", "m3": "volume-cubic-meter", "ft³": "volume-cubic-foot",
    "Hz": "frequency-hertz", "kHz": "frequency-kilohertz", "MHz": "frequency-megahertz", "GHz": "frequency-gigahertz",
    "A": "electric-ampere", "mA": "electric-milliampere", "V": "electric-volt", "Ω": "electric-ohm", "Ohm": "electric-ohm",
    "W": "power-watt", "kW": "power-kilowatt", "MW": "power-megawatt", "GW": "power-gigawatt", "mW": "power-milliwatt",
    "hp": "power-horsepower", "kWh": "energy-kilowatt-hour", "J": "energy-joule", "kJ": "energy-kilojoule",
    "kcal": "energy-kilocalorie", "cal": "energy-calorie", "N": "force-newton", "Nm": "torque-newton-meter",
    "Pa": "pressure-pascal", "hPa": "pressure-hectopascal", "kPa": "pressure-kilopascal", "MPa": "pressure-megapascal",
    "bar": "pressure-bar", "mbar": "pressure-millibar", "psi": "pressure-pound-force-per-square-inch",
    "mmHg": "pressure-millimeter-ofhg", "inHg": "pressure-inch-ofhg",
    "B": "digital-byte", "kB": "digital-kilobyte", "KB": "digital-kilobyte", "MB": "digital-megabyte",
    "GB": "digital-gigabyte", "TB": "digital-terabyte", "kbit": "digital-kilobit", "Mbit": "digital-megabit",
    "Gbit": "digital-gigabit", "bit": "digital-bit",
    "h": "duration-hour", "hr": "duration-hour", "hrs": "duration-hour", "min": "duration-minute", "mins": "duration-minute",
    "s": "duration-second", "sec": "duration-second", "secs": "duration-second", "ms": "duration-millisecond",
    "µs": "duration-microsecond", "ns": "duration-nanosecond",
    "km/h": "speed-kilometer-per-hour", "kmh": "speed-kilometer-per-hour", "kph": "speed-kilometer-per-hour",
    "m/s": "speed-meter-per-second", "mph": "speed-mile-per-hour", "kn": "speed-knot", "kt": "speed-knot",
    "K": "temperature-kelvin", "lx": "light-lux", "lm": "light-lumen", "cd": "light-candela",
    "mi²": "area-square-mile", "px": "graphics-pixel", "MP": "graphics-megapixel", "mpg": "consumption-mile-per-gallon",
}  # fmt: skip

_PREFIXED = {
    "electric-ampere": ("µn", "A"), "electric-volt": ("MkmµGn", "V"), "electric-ohm": ("kMm", "Ω"), "power-watt": ("Tµn", "W"),
    "energy-joule": ("MGm", "J"), "watt hour": ("MGTm", "Wh"), "volt ampere": ("kM", "VA"), "ampere hour": ("mk", "Ah"),
    "electric-farad": ("mµnp", "F"), "light-lumen": ("k", "lm"), "light-lux": ("k", "lx"),
}  # fmt: skip
BASES = ("watt hour", "volt ampere", "ampere hour", "decibel", "part per million", "part per billion", "revolution", "var")
"""Units that CLDR doesn't have; a language's table names them."""

_ALONE = {"Wh": "watt hour", "VA": "volt ampere", "Ah": "ampere hour", "dB": "decibel", "dBA": "decibel",
    "ppm": "part per million",
          "ppb": "part per billion", "rpm": "revolution", "var": "var"}  # fmt: skip

_PER = ("km", "m", "mm", "kg", "g", "mg", "µg", "l", "L", "ml", "m³", "W", "kW", "kWh", "Wh", "Mbit", "kbit", "Gbit", "MB",
    "GB", "kB", "lm",
        "MJ")  # fmt: skip
_EACH = ("h", "min", "s", "m²", "m³", "l", "L", "W", "kg", "km", "kWh", "d")
_BITS = {"kbps": ("kbit", "s"), "Mbps": ("Mbit", "s"), "Gbps": ("Gbit", "s")}
DAY = "duration-day"


def _units() -> dict[str, Unit]:
    units = {sign: Unit(name) for sign, name in (_WHOLE | _ALONE).items()}
    for base, (prefixes, sign) in _PREFIXED.items():
        for prefix in prefixes:
            units[prefix + sign] = Unit(base, PREFIXES[prefix])
    micro = {sign.replace("µ", "μ"): unit for sign, unit in units.items() if "µ" in sign}
    return units | micro


UNITS = _units()
"""By their signs."""

PER = {f"{above}/{below}": (above, below) for above, below in product(_PER, _EACH)} | _BITS
"""Signs that are one unit per another, by those two."""
