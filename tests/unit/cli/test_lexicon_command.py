"""`wyoming-kokoro lexicon`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.entry import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_words_are_added_listed_tested_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--data-dir", str(tmp_path)]
    assert main(["lexicon", "add", "Kai", "--ipa", "kaɪ", *where]) == 0
    assert main(["lexicon", "add", "SLZ", "--say", "bedroom 2", "--language", "en", "--priority", "3", *where]) == 0
    capsys.readouterr()
    assert main(["lexicon", "list", *where]) == 0
    assert capsys.readouterr().out == "Kai = /kaɪ/\nSLZ = bedroom 2  (en, priority 3)\n"
    assert main(["lexicon", "list", "--json", *where]) == 0
    assert [word["word"] for word in json.loads(capsys.readouterr().out)["words"]] == ["Kai", "SLZ"]
    assert main(["lexicon", "test", "Kai is in the SLZ.", *where]) == 0
    assert capsys.readouterr().out == "without  Kai is in the S L Z.\nwith     [Kai](/kaɪ/) is in the bedroom two.\n"
    assert main(["text", "SLZ", *where]) == 0
    assert capsys.readouterr().out == "bedroom two\n"
    assert main(["lexicon", "remove", "slz", "--language", "en", *where]) == 0
    assert main(["lexicon", "remove", "slz", *where]) == 2
    assert "not in the lexicon for all languages" in capsys.readouterr().err


def test_a_conflict_is_told_and_can_be_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--data-dir", str(tmp_path)]
    assert main(["lexicon", "add", "Kai", "--say", "kye", *where]) == 0
    assert main(["lexicon", "add", "Kai", "--say", "kay", *where]) == 2
    assert "is there already and says 'kye'" in capsys.readouterr().err
    assert main(["lexicon", "add", "Kai", "--say", "kay", "--replace", *where]) == 0
    assert main(["lexicon", "add", "Kay", "--ipa", "k5", *where]) == 2
    assert "don't know '5'" in capsys.readouterr().err
