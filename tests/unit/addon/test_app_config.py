"""config.yaml and what stands beside it, held against the Supervisor's rules, the table of options and each other."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import voluptuous as vol
import yaml

from scripts.app_files import config_text
from tests.unit.addon.supervisor_rules import CONFIG, REPOSITORY, taken
from wyoming_kokoro import __version__
from wyoming_kokoro.settings import load_settings
from wyoming_kokoro.settings.app_form import LEFT_OUT, NARROWED, SHOWN, app_defaults, app_schema
from wyoming_kokoro.settings.kind import Choice
from wyoming_kokoro.settings.rooms import read_rooms
from wyoming_kokoro.settings.schema import OPTIONS, validate

ROOT = Path(__file__).parents[3]


def loaded(name: str) -> dict[str, Any]:
    tree: dict[str, Any] = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
    return tree


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    return loaded("config.yaml")


def test_the_supervisor_takes_every_key_and_none_repeats_its_default(config: dict[str, Any]) -> None:
    assert CONFIG(config) == config


@pytest.mark.parametrize(
    "wrong",
    [
        {"watchdog": "tcp://[HOST]:10200"},
        {"startup": "application"},
        {"arch": ["armv7"]},
        {"version": 0.1},
        {"map": ["app_config"]},
        {"ports": {"10200": None}},
        {"schema": {"speed": "number"}},
        {"schema": {"rooms": [{"speakers": [{"type": "str"}]}]}},
        {"schema": {"voice": "match(a(b)"}},
        {"timeout": 10},
    ],
    ids=lambda wrong: json.dumps(wrong),
)
def test_the_rules_refuse_what_the_supervisor_or_its_linter_does(config: dict[str, Any], wrong: dict[str, Any]) -> None:
    with pytest.raises(vol.Invalid):
        CONFIG({**config, **wrong})


def test_the_repository_is_a_store() -> None:
    assert REPOSITORY(loaded("repository.yaml"))


def test_the_app_has_the_version_of_the_package(config: dict[str, Any]) -> None:
    assert config["version"] == __version__


def test_the_form_is_as_the_table_of_options_has_it(config: dict[str, Any]) -> None:
    text = (ROOT / "config.yaml").read_text(encoding="utf-8")
    assert config_text(text) == text, "run scripts/app_files.py"
    assert (config["options"], config["schema"]) == (app_defaults(), app_schema())


def test_every_option_is_in_the_form_or_left_out_for_a_reason(config: dict[str, Any]) -> None:
    assert set(config["schema"]) | set(LEFT_OUT) == set(OPTIONS)
    assert set(config["schema"]) & set(LEFT_OUT) == set()
    assert all(len(reason) > 10 for reason in LEFT_OUT.values())


def test_what_is_narrowed_is_part_of_what_there_is() -> None:
    for key, offered in NARROWED.items():
        kind = OPTIONS[key].kind
        assert isinstance(kind, Choice)
        assert set(offered) < set(kind.values)
        assert OPTIONS[key].default in offered


def test_an_optional_key_has_no_default_and_any_other_has_one(config: dict[str, Any]) -> None:
    optional = {key for key, kind in config["schema"].items() if isinstance(kind, str) and kind.endswith("?")}
    assert set(config["options"]) == set(config["schema"]) - optional == set(SHOWN)


def test_a_new_house_starts_with_the_defaults_of_the_program(config: dict[str, Any]) -> None:
    options = taken(config["schema"], config["options"])
    assert load_settings({"data_dir": "/data"}, {}) == load_settings({"data_dir": "/data", **_as_flags(options)}, {})


def _as_flags(options: dict[str, Any]) -> dict[str, str | bool]:
    return {key: value if isinstance(value, bool) else _said(value) for key, value in options.items()}


def _said(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("key", sorted(set(OPTIONS) - set(LEFT_OUT) - {"rooms"}))
def test_form_and_program_agree_on_the_ends_of_what_is_allowed(config: dict[str, Any], key: str) -> None:
    kind = config["schema"][key]
    found = re.match(r"(int|float)\((.+),(.+)\)", kind)
    if found is None:
        samples, wrong = _samples(key, kind)
    else:
        read = int if found[1] == "int" else float
        low, high = read(found[2]), read(found[3])
        samples, wrong = [low, high], [low - 1, high + 1]
    for sample in samples:
        value = taken({key: kind}, {key: sample})[key]
        assert validate({key: _as_program(key, value)}, "the form")
    for sample in wrong:
        with pytest.raises(vol.Invalid):
            taken({key: kind}, {key: sample})


def _as_program(key: str, value: Any) -> Any:
    """Numbers to choose from come as texts."""
    return int(value) if key == "wyoming_rate" else value


TEXTS = {
    "instance": "attic-2",
    "voice": "af_heart(2)+af_bella(1)",
    "s2_endpoint": "http://192.168.1.20:4002",
    "s2_basin": "house-basin",
    "s2_access_token": "secret",
    "api_token": "0123456789abcdef",
    "base_url": "http://192.168.1.20:10210",
    "mqtt_url": "mqtts://[fd00::1]:8883",
    "mqtt_user": "voice",
    "mqtt_password": "pass word",
    "mqtt_discovery_prefix": "home/assistant",
}


def _samples(key: str, kind: str) -> tuple[list[Any], list[Any]]:
    if kind.startswith("bool"):
        return [True, False], ["perhaps"]
    if kind.startswith("list("):
        return kind.removesuffix("?")[5:-1].split("|"), ["something else"]
    return [TEXTS[key]], [] if kind.startswith("password") else [""]


ROOMS = [
    {"name": "kitchen", "speakers": ["media_player.kitchen", "mqtt_event"], "chime": "bell", "volume": 0.5},
    {"name": "nursery", "speakers": ["assist_satellite.nursery"], "quiet_hours": "19:00-07:00", "lead_ms": 200},
]


def test_rooms_of_the_form_are_rooms_of_the_program(config: dict[str, Any]) -> None:
    schema = config["schema"]["rooms"][0]
    values = [taken(schema, room) for room in ROOMS]
    assert values == ROOMS
    read = read_rooms(values, "the form")
    assert [room.name for room in read] == ["kitchen", "nursery"]
    assert [speaker.name for speaker in read[0].speakers] == ["media_player.kitchen", "mqtt_event"]


@pytest.mark.parametrize(
    "wrong", [{"name": "Küche"}, {"volume": 1.1}, {"chime": "gong"}, {"quiet_hours": "19-7"}, {"colour": "red"}], ids=str
)
def test_the_form_refuses_a_room_that_the_program_would_refuse(config: dict[str, Any], wrong: dict[str, Any]) -> None:
    with pytest.raises(vol.Invalid):
        taken(config["schema"]["rooms"][0], {**ROOMS[0], **wrong})


def test_the_journal_is_not_copied_while_it_is_written(config: dict[str, Any]) -> None:
    """The Supervisor holds each pattern against the end of the whole path."""
    folder = Path("/supervisor/addons/data/local_wyoming_kokoro")
    left_out = {
        name
        for name in (*("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "reserve", "lock"), *KEPT)
        if any((folder / name).match(pattern) for pattern in config["backup_exclude"])
    }
    assert left_out == {"journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "reserve", "lock"}


KEPT = ("backup.json", "options.json", "lexicon.yaml", "api_token", "audio_secret", "worker")


def test_the_security_profile_is_named_like_the_app(config: dict[str, Any]) -> None:
    text = (ROOT / "apparmor.txt").read_text(encoding="utf-8")
    assert re.findall(r"^profile ([^ ]+)", text, re.MULTILINE) == [config["slug"]]


@pytest.mark.skipif(not Path("/sbin/apparmor_parser").exists(), reason="apparmor is missing")
def test_the_security_profile_is_understood() -> None:
    parser = shutil.which("apparmor_parser", path="/usr/sbin:/sbin")
    assert parser is not None
    read = subprocess.run(
        [parser, "--skip-kernel-load", "--skip-cache", "--quiet", ROOT / "apparmor.txt"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert read.returncode == 0, read.stderr
