"""addon/compose.jetson.yaml: held against Compose's schema, the Dockerfile and the command line."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.unit.addon.composition import ADDON, against_the_schema, composition
from wyoming_kokoro.cli.arguments import parser


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return composition("compose.jetson.yaml")


def test_it_follows_the_schema_of_compose() -> None:
    checked = against_the_schema("compose.jetson.yaml")
    assert checked.returncode == 0, checked.stdout


def test_it_builds_what_is_there_with_arguments_that_are_known(compose: dict[str, Any]) -> None:
    build = compose["services"]["server"]["build"]
    dockerfile = ADDON / build["context"] / build["dockerfile"]
    known = set(re.findall(r"^ARG (\w+)", dockerfile.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(build["args"]) == known
    default = re.search(r"^ARG BASE=(\S+)", dockerfile.read_text(encoding="utf-8"), re.MULTILINE)
    assert default
    assert default[1] in build["args"]["BASE"]


def test_the_gpu_and_the_houses_network_are_the_servers(compose: dict[str, Any]) -> None:
    server = compose["services"]["server"]
    assert (server["runtime"], server["network_mode"]) == ("nvidia", "host")
    assert parser().parse_args([server["command"][0]]).command == "serve"


def test_what_it_takes_over_is_there_with_all_that_it_needs(compose: dict[str, Any]) -> None:
    extended = compose["services"]["mosquitto"]["extends"]
    other = composition(extended["file"])
    service = other["services"][extended["service"]]
    assert set(service["networks"]) <= set(compose["networks"])
    named = {volume.split(":")[0] for volume in service["volumes"] if not volume.startswith(".")}
    assert named <= set(compose["volumes"])
