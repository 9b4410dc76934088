"""addon/compose.yaml: what can be held against it without a container engine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.addon.composition import ADDON, against_the_schema, composition
from wyoming_kokoro.cli.arguments import parser


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return composition("compose.yaml")


def test_it_follows_the_schema_of_compose() -> None:
    checked = against_the_schema("compose.yaml")
    assert checked.returncode == 0, checked.stdout


def test_s2_can_be_reached_by_the_server_alone(compose: dict[str, Any]) -> None:
    s2 = compose["services"]["s2"]
    assert not {"ports", "network_mode", "expose"} & s2.keys()
    assert [name for name in s2["networks"] if not (compose["networks"][name] or {}).get("internal")] == []
    sharing = [name for name, service in compose["services"].items() if set(s2["networks"]) & set(service.get("networks", []))]
    assert sorted(sharing) == ["s2", "server"]


def test_s2_keeps_its_data_and_the_version_is_the_one_that_is_tested(compose: dict[str, Any]) -> None:
    s2 = compose["services"]["s2"]
    assert s2["command"][:3] == ["lite", "--local-root", "/data"]
    assert "s2:/data" in s2["volumes"]
    script = (ADDON.parent / "scripts" / "s2-lite").read_text(encoding="utf-8")
    assert f"version={s2['image'].rsplit(':', 1)[1]}\n" in script


def test_the_server_is_started_with_options_that_it_knows(compose: dict[str, Any]) -> None:
    server = compose["services"]["server"]
    arguments = parser().parse_args(server["command"])
    assert (arguments.command, arguments.journal, arguments.s2_endpoint) == ("serve", "s2", "http://s2:8080")
    assert "s2" in server["depends_on"]
