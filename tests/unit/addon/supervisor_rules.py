"""The rules by which Home Assistant's Supervisor reads an app's files, in our own words. What it drops silently is refused."""

from __future__ import annotations

import re
from typing import Any

import voluptuous as vol

ELEMENT = re.compile(
    r"^(?:bool|email|url|port|(?:str|password)(?:\(\d*,\d*\))?|int(?:\(-?\d*,-?\d*\))?"
    r"|float(?:\((?:-?\d*\.?\d+)?,(?:-?\d*\.?\d+)?\))?|match\((?P<match>.*)\)|list\((?P<list>.+)\))\??$"
)


def _element(value: str) -> str:
    found = ELEMENT.match(value)
    if found is None:
        raise vol.Invalid(f"{value} is no type of the Supervisor")
    if found["match"] is not None:
        _pattern(found["match"])
    if found["list"] is not None:
        vol.Unique()(found["list"].split("|"))
    return value


def _pattern(value: str) -> None:
    try:
        re.compile(value)
    except re.error as error:
        raise vol.Invalid(f"{value} is no pattern: {error}") from error


_TYPE = vol.All(str, _element)
# Older Supervisors allow no list but of plain types in a mapping that is itself in a list.
_INNER = {str: vol.Any(_TYPE, vol.All([_TYPE], vol.Length(1, 1)))}
_SCHEMA = {str: vol.Any(_TYPE, vol.All([vol.Any(_TYPE, _INNER)], vol.Length(1, 1)), _INNER)}
_PORT = vol.All(str, vol.Match(r"^\d+/(tcp|udp)$"))
_MAP = vol.Match(r"^(data|ssl|share|media|backup|homeassistant_config)(:(rw|ro))?$")
_VERSION = vol.All(str, vol.Match(r"^\d+(\.\d+)+$"))

CONFIG = vol.Schema(
    {
        vol.Required("name"): vol.All(str, vol.Length(1)),
        vol.Required("version"): _VERSION,
        vol.Required("slug"): vol.Match(r"^[-_.A-Za-z0-9]+$"),
        vol.Required("description"): vol.All(str, vol.Length(1)),
        vol.Required("arch"): vol.All([vol.In(["aarch64", "amd64"])], vol.Unique(), vol.Length(1)),
        vol.Required("init"): False,  # s6-overlay 3 has to be the first process
        vol.Optional("url"): vol.Url(),
        vol.Optional("stage"): vol.In(["experimental", "deprecated"]),
        vol.Optional("startup"): vol.In(["initialize", "system", "services", "once"]),
        vol.Optional("boot"): vol.In(["manual", "manual_only"]),
        vol.Optional("homeassistant"): _VERSION,
        vol.Optional("timeout"): vol.All(int, vol.Range(11, 300)),
        vol.Optional("ports"): {_PORT: vol.Any(None, vol.All(int, vol.Range(1, 65_535)))},
        vol.Optional("ingress"): True,
        vol.Optional("ingress_port"): vol.All(int, vol.Range(1, 65_535), vol.NotIn([8099])),
        vol.Optional("panel_icon"): vol.Match(r"^mdi:[a-z0-9-]+$"),
        vol.Optional("panel_title"): str,
        vol.Optional("map"): vol.All([_MAP], vol.Unique()),
        vol.Optional("environment"): {vol.Match(r"^\w+$"): str},
        vol.Optional("services"): [vol.Match(r"^(mqtt|mysql):(provide|want|need)$")],
        vol.Optional("discovery"): [str],
        vol.Optional("homeassistant_api"): True,
        vol.Optional("hassio_api"): True,
        vol.Optional("image"): vol.Match(r"^[a-z0-9./{}-]+$"),
        vol.Optional("backup_pre"): str,
        vol.Optional("backup_post"): str,
        vol.Optional("backup_exclude"): [str],
        vol.Optional("tmpfs"): True,
        vol.Required("options"): dict,
        vol.Required("schema"): _SCHEMA,
    },
    extra=vol.PREVENT_EXTRA,
)
"""config.yaml. What stands there must be known, and differ from the Supervisor's default: so the store's linter wants it."""

REPOSITORY = vol.Schema({vol.Required("name"): str, vol.Optional("url"): vol.Url(), vol.Optional("maintainer"): str})

_WORDS = {vol.Required("name"): vol.All(str, vol.Length(1)), vol.Required("description"): vol.All(str, vol.Length(1))}
TRANSLATION = vol.Schema(
    {
        vol.Required("configuration"): {str: {**_WORDS, vol.Optional("fields"): {str: _WORDS}}},
        vol.Required("network"): {_PORT: vol.All(str, vol.Length(1))},
    }
)


def taken(schema: dict[str, Any], options: dict[str, Any], place: str = "root") -> dict[str, Any]:
    """The options as the Supervisor hands them to the app. Raises vol.Invalid for what is wrong or unknown."""
    unknown = set(options) - set(schema)
    missing = [key for key, kind in schema.items() if key not in options and not _is_optional(kind)]
    if unknown or missing:
        raise vol.Invalid(f"{place}: unknown {sorted(unknown)}, missing {missing}")
    return {key: _value(schema[key], value, f"{place}.{key}") for key, value in options.items()}


def _is_optional(kind: Any) -> bool:
    kind = kind[0] if isinstance(kind, list) else kind
    return isinstance(kind, str) and kind.endswith("?")


def _value(kind: Any, value: Any, place: str) -> Any:
    if isinstance(kind, list):
        return [_value(kind[0], each, place) for each in vol.Schema(list)(value)]
    if isinstance(kind, dict):
        return taken(kind, vol.Schema(dict)(value), place)
    return _single(kind.removesuffix("?"), value)


def _single(kind: str, value: Any) -> Any:
    name, _, rest = kind.partition("(")
    inside = rest[:-1]
    if name in {"int", "float"}:
        low, high = (float(end) if end else None for end in (inside or ",").split(","))
        return vol.Schema(vol.All(vol.Coerce(int if name == "int" else float), vol.Range(low, high)))(value)
    if name == "match":
        return vol.Schema(vol.Match(inside))(str(value))
    if name == "list":
        return vol.Schema(vol.In(inside.split("|")))(str(value))
    return vol.Schema(vol.Boolean() if name == "bool" else str)(value)
