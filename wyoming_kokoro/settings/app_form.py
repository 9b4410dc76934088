"""The options that the app in Home Assistant offers, in the grammar of the Supervisor: which, in what order, with what default.

`scripts/app_files.py` writes them into `config.yaml`. An option that is shown has its default there; any other is optional and,
as the Supervisor wants it, without one: the program has it anyway, and a default that is changed later reaches every house.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from wyoming_kokoro.settings.kind import Choice, File, Flag, Folder, Listing, NumberChoice, Real, Text, Whole
from wyoming_kokoro.settings.option import options_of
from wyoming_kokoro.settings.rooms import RoomSettings
from wyoming_kokoro.settings.schema import OPTIONS

if TYPE_CHECKING:
    from wyoming_kokoro.settings.kind import Kind
    from wyoming_kokoro.settings.option import Option

LEFT_OUT = {
    "data_dir": "the Supervisor keeps and backs up /data, and nothing else",
    "model_dir": "model and voices are part of the image",
    "tone_pace": "it is for tests of the project itself",
    "wyoming_uri": "the port within the container is fixed; which one of the house leads to it stands under Network",
    "http_host": "within the container there is one network",
    "http_port": "as for wyoming_uri",
    "home_assistant_url": "the Supervisor leads to its own Home Assistant",
    "home_assistant_token": "the Supervisor gives one",
    "mqtt_ca_file": "the app sees no folder with such a file",
    "mqtt_cert_file": "as for mqtt_ca_file",
    "mqtt_key_file": "as for mqtt_ca_file",
}
"""Options that make no sense in the app, each with the reason."""

NARROWED = {
    "engine": ("auto", "native", "onnx", "none"),  # tone is for tests, and nothing larger is in the image
    "journal": ("sqlite", "s2"),  # one that forgets at the end is for tests
}
"""Of some choices the app offers less."""

SHOWN = ("voice", "speed", "rooms", "wyoming_lead_ms", "retention_days", "zeroconf", "privacy", "log_level")
"""What a form shows at once, in this order; Home Assistant hides the others until they are asked for."""

_SECRET = {"api_token", "s2_access_token", "mqtt_password"}


def form_options() -> dict[str, Option]:
    """What the app offers, by key, in the order of the form."""
    offered = [key for key in OPTIONS if key not in LEFT_OUT and key not in SHOWN]
    return {key: OPTIONS[key] for key in (*SHOWN, *offered)}


def room_options() -> dict[str, Option]:
    """What an entry of `rooms` offers beside its `speakers`."""
    return {each.key: each for each in options_of(RoomSettings)}


def choices(option: Option) -> tuple[str, ...]:
    """What can be chosen in the form; empty where an option is no choice."""
    match option.kind:
        case Choice(values):
            return NARROWED.get(option.key, values)
        case NumberChoice(numbers):
            return tuple(str(number) for number in numbers)
        case _:
            return ()


def app_defaults() -> dict[str, object]:
    """`options` of config.yaml."""
    return {key: [] if isinstance(OPTIONS[key].kind, Listing) else OPTIONS[key].default for key in SHOWN}


def app_schema() -> dict[str, object]:
    """`schema` of config.yaml."""
    return {key: _element(option, is_optional=key not in SHOWN) for key, option in form_options().items()}


def _element(option: Option, *, is_optional: bool) -> object:
    if isinstance(option.kind, Listing):
        return [_room()]
    return _grammar(option) + ("?" if is_optional else "")


def _room() -> dict[str, object]:
    """A speaker is one text, since older Supervisors allow no mapping in a list within a mapping in a list."""
    options = room_options()
    name = options.pop("name")
    rest = {key: _element(option, is_optional=True) for key, option in options.items()}
    return {"name": _element(name, is_optional=False), "speakers": ["str"], **rest}


def _grammar(option: Option) -> str:
    kind: Kind = option.kind
    match kind:
        case Choice() | NumberChoice():
            return f"list({'|'.join(choices(option))})"
        case Whole(low, high):
            return f"int({low},{high})"
        case Real(low, high):
            return f"float({low:g},{high:g})"
        case Flag():
            return "bool"
        case Text(pattern):
            # Of a secret the program itself checks the pattern: the form only hides it.
            return "password" if option.key in _SECRET else f"match({_anchored(pattern)})"
        case Folder() | File() | Listing():
            raise ValueError(f"{option.key}: the Supervisor's grammar has nothing for {kind}")
        case _:
            assert_never(kind)


def _anchored(pattern: str) -> str:
    """The Supervisor holds a pattern against the beginning of a text alone."""
    return f"^(?:{pattern})$" if "|" in pattern else f"^{pattern}$"
