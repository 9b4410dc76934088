"""The tree is the one table of options: every key, and the page that lists them."""

from __future__ import annotations

from pathlib import Path

from wyoming_kokoro.settings.page import options_table, room_table
from wyoming_kokoro.settings.schema import OPTIONS

PAGE = Path(__file__).parents[3] / "docs" / "settings.md"


def test_every_key_is_unique_and_flat() -> None:
    places = {(option.section, option.field) for option in OPTIONS.values()}
    assert len(places) == len(OPTIONS)
    assert all(key.isidentifier() and key == key.lower() for key in OPTIONS)


def test_every_option_has_a_sentence_and_a_range() -> None:
    for option in OPTIONS.values():
        assert option.meaning.endswith("."), option.key
        assert option.expected, option.key


def test_the_names_of_one_option_follow_from_its_key() -> None:
    option = OPTIONS["wyoming_lead_ms"]
    assert (option.section, option.field) == ("wyoming", "lead_ms")
    assert (option.flag, option.variable) == ("--wyoming-lead-ms", "WYOMING_KOKORO_WYOMING_LEAD_MS")


def test_the_page_of_settings_holds_the_table_as_it_is() -> None:
    assert room_table() in PAGE.read_text(encoding="utf-8"), "run scripts/settings_page.py"
    assert options_table() in PAGE.read_text(encoding="utf-8"), "run scripts/settings_page.py"
