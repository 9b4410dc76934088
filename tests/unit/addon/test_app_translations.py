"""What the app says in each language: every option and every port, and the ranges of the table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.app_files import TAIL, WORDS, completed, docs_text, dumped, translations
from tests.unit.addon.supervisor_rules import TRANSLATION

ROOT = Path(__file__).parents[3]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
FILES = translations()


def loaded(language: str) -> dict[str, Any]:
    tree: dict[str, Any] = yaml.safe_load(FILES[language].read_text(encoding="utf-8"))
    return tree


def entries(tree: dict[str, Any]) -> dict[str, dict[str, str]]:
    configuration = dict(tree["configuration"])
    fields = configuration["rooms"]["fields"]
    return {**configuration, **{f"rooms.{key}": entry for key, entry in fields.items()}}


def test_there_is_a_file_for_each_language_of_the_voices_and_two_more() -> None:
    spoken = {"en", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh-Hans"}
    assert set(FILES) == set(WORDS) == spoken | {"de", "nl"}
    assert {path.suffix for path in FILES.values()} == {".yaml"}


@pytest.mark.parametrize("language", FILES)
def test_every_option_and_every_port_has_its_words(language: str) -> None:
    tree = TRANSLATION(loaded(language))
    assert list(tree["configuration"]) == list(CONFIG["schema"])
    assert list(tree["configuration"]["rooms"]["fields"]) == list(CONFIG["schema"]["rooms"][0])
    assert list(tree["network"]) == list(CONFIG["ports"])


@pytest.mark.parametrize("language", FILES)
def test_ranges_and_defaults_are_those_of_the_table(language: str) -> None:
    text = FILES[language].read_text(encoding="utf-8")
    assert dumped(completed(yaml.safe_load(text), WORDS[language])) == text, "run scripts/app_files.py"


@pytest.mark.parametrize("language", FILES)
def test_no_two_options_of_one_form_have_the_same_name(language: str) -> None:
    configuration = loaded(language)["configuration"]
    for names in (configuration, configuration["rooms"]["fields"]):
        said = [entry["name"].casefold() for entry in names.values()]
        assert sorted(said) == sorted(set(said))


@pytest.mark.parametrize("language", sorted(set(FILES) - {"en", "en-GB"}))
def test_a_translation_is_none_of_english_and_keeps_what_is_to_be_typed(language: str) -> None:
    english, own = entries(loaded("en")), entries(loaded(language))
    for key, entry in own.items():
        assert entry["description"] != english[key]["description"], key
        assert _typed(entry) == _typed(english[key]), key


def _typed(entry: dict[str, str]) -> set[str]:
    """Examples, addresses, and words that stand for themselves."""
    text = TAIL.sub("", entry["description"])
    return set(re.findall(r"\"\w+\"|\w+_\w+(?:\.\w+)?|\w+://[\w.:]+\w|snapcast:[\d.:]+\d|\d\d:\d\d-\d\d:\d\d", text, re.ASCII))


def test_both_englishes_say_the_same() -> None:
    assert loaded("en") == loaded("en-GB")


def test_the_documentation_has_the_tables_of_the_form() -> None:
    text = (ROOT / "DOCS.md").read_text(encoding="utf-8")
    assert docs_text(text, loaded("en")) == text, "run scripts/app_files.py"
    for key in (*CONFIG["schema"], *CONFIG["schema"]["rooms"][0]):
        assert f"| `{key}` |" in text or key == "speakers", key
