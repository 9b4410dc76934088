"""A speaker as one text, for whoever can't write a mapping there, such as the page of Home Assistant's app. Pure.

    TYPE[:TARGET][,OPTION=VALUE]...

The target is the entity, or HOST[:PORT] of a Snapcast server (an IPv6 address in brackets). An entity alone is a speaker too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings.value_text import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.settings.option import Option

_ENTITY = re.compile(r"(media_player|assist_satellite)\.")
_HOST = re.compile(r"\[(?P<v6>[^\]]*)\](:(?P<v6_port>\d+))?|(?P<host>[^:]*)(:(?P<port>\d+))?")
EXAMPLES = "media_player.kitchen, mqtt_event or snapcast:192.168.1.5,group=Kitchen"


def mapping_of(text: str, kinds: Mapping[str, Mapping[str, Option]], place: str) -> dict[str, object]:
    """The mapping that says the same. `kinds` are the options of each type. Raises SettingsError, in one sentence."""
    head, *rest = (part.strip() for part in text.split(","))
    if _ENTITY.match(head):
        head = f"home_assistant:{head}"
    kind, colon, target = head.partition(":")
    if kind not in kinds:
        raise SettingsError(f"{place} is the text {text[:60]!r}, but must be such as {EXAMPLES}")
    options = kinds[kind]
    values: dict[str, object] = {"type": kind, **(_target(kind, target, place) if colon else {})}
    for each in rest:
        key, is_pair, value = (part.strip() for part in each.partition("="))
        if not is_pair:
            raise SettingsError(f"{place}: {each[:60]!r} is no option{_option_example(options)}")
        if key in values:
            raise SettingsError(f"{place}: {key} is said already")
        values[key] = read_text(options[key].kind, value) if key in options else value
    return values


def _target(kind: str, target: str, place: str) -> dict[str, object]:
    match kind:
        case "home_assistant":
            return {"entity": target}
        case "snapcast":
            return _address(target, place)
        case _:
            raise SettingsError(f"{place}: {kind} has nothing behind a colon")


def _address(target: str, place: str) -> dict[str, object]:
    found = _HOST.fullmatch(target)
    if found is None:
        raise SettingsError(f"{place}: {target[:60]!r} is no HOST or HOST:PORT")
    port = found["v6_port"] or found["port"]
    return {"host": found["v6"] or found["host"] or "", **({"port": int(port)} if port else {})}


def _option_example(options: Mapping[str, Option]) -> str:
    found = [f"{key}=..." for key in options if key not in ("entity", "host", "port")]
    return f", such as {' or '.join(found)}" if found else ": there are none here"
