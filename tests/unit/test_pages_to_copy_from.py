"""What owners copy out of the pages is what the programs take: options, automations, announcements."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from wyoming_kokoro.frontends.announcement import read_announcement
from wyoming_kokoro.settings.rooms import read_rooms
from wyoming_kokoro.settings.schema import validate

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str) -> list[dict[str, Any]]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]


AUTOMATIONS = [block for block in blocks("automations.md") if "alias" in block]
OPTIONS = [block for page in ("automations.md", "speakers.md") for block in blocks(page) if "rooms" in block]


def named(automation: dict[str, Any]) -> str:
    return str(automation["alias"])


def test_the_page_has_all_that_it_promises() -> None:
    assert len(AUTOMATIONS) == 8
    assert len(OPTIONS) == 3


@pytest.mark.parametrize("automation", AUTOMATIONS, ids=named)
def test_an_automation_has_the_parts_that_home_assistant_wants(automation: dict[str, Any]) -> None:
    assert set(automation) <= {"alias", "triggers", "conditions", "actions", "mode", "max"}
    assert all("trigger" in trigger for trigger in automation["triggers"])
    assert all(re.fullmatch(r"[a-z_]+\.[a-z_]+", action["action"]) for action in automation["actions"])


def payloads() -> list[str]:
    actions = [action for automation in AUTOMATIONS for action in automation["actions"] if action["action"] == "mqtt.publish"]
    return [action["data"]["payload"] for action in actions if action["data"]["topic"].endswith("/say")]


@pytest.mark.parametrize("payload", payloads())
def test_an_announcement_that_an_automation_publishes_is_one_that_is_accepted(payload: str) -> None:
    written = payload.removeprefix("{{").removesuffix("| tojson }}")
    plain = re.sub(r'" ~ states\("[\w.]+"\) ~ "', "12.5", written).replace(
        "utcnow().isoformat()", '"2026-05-01T06:30:00+00:00"'
    )
    request = read_announcement(json.loads(plain), "a page")
    assert request.text.endswith(".")
    assert request.sent_at_ms is not None


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options["rooms"][0]["name"])
def test_rooms_that_a_page_shows_are_taken(options: dict[str, Any]) -> None:
    assert len(read_rooms(options["rooms"], "the page")) == len(options["rooms"])
    assert validate(options, "the page")
