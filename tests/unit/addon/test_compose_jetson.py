"""addon/compose.jetson.yaml: held against Compose's schema, the Dockerfile and the command line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from wyoming_kokoro.cli.arguments import parser

ADDON = Path(__file__).parents[3] / "addon"
COMPOSE = ADDON / "compose.jetson.yaml"


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return loaded


def test_it_follows_the_schema_of_compose() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE],
        capture_output=True,
        text=True,
        check=False,
    )
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
    other = yaml.safe_load((ADDON / extended["file"]).read_text(encoding="utf-8"))
    service = other["services"][extended["service"]]
    assert set(service["networks"]) <= set(compose["networks"])
    named = {volume.split(":")[0] for volume in service["volumes"] if not volume.startswith(".")}
    assert named <= set(compose["volumes"])
