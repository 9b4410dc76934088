"""What is left out of the phonemes' libraries, and that it changes no phoneme."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest

from benchmarks.readings import readings
from wyoming_kokoro.engine.lean_imports import UNUSED, lean_imports

PHONEMES = """
import contextlib, json, sys, warnings
warnings.simplefilter("ignore")
from wyoming_kokoro.engine import g2p_english
if "whole" in sys.argv:
    g2p_english.lean_imports = contextlib.nullcontext
    g2p_english._UNUSED_PIPES = ()
english = g2p_english.load_english(british=False)
spoken = [english(text).text for text in json.load(sys.stdin)]
print(json.dumps([spoken, sorted(set(sys.modules) & {"rdflib", "csvw", "weasel"})]))
"""


def phonemes(texts: list[str], *arguments: str) -> tuple[list[str], list[str]]:
    """Of those texts, by a process of its own, and which of the modules that nobody needs it had loaded in the end."""
    done = subprocess.run([sys.executable, "-c", PHONEMES, *arguments], input=json.dumps(texts), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    spoken, needless = json.loads(done.stdout)
    return spoken, needless


def test_english_sounds_the_same_without_what_it_does_not_use() -> None:
    texts = [reading.expected for reading in readings() if reading.language.startswith("en")]
    assert len(texts) > 50
    (whole, loaded), (lean, needless) = phonemes(texts, "whole"), phonemes(texts)
    assert lean == whole
    assert loaded
    assert not needless


def test_what_was_left_out_can_be_imported_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in UNUSED:
        monkeypatch.delitem(sys.modules, name, raising=False)
    with lean_imports():
        tokenizer = import_module("segments").Tokenizer
        with pytest.raises(RuntimeError, match="left out"):
            tokenizer("profile")
    assert not set(UNUSED) & set(sys.modules)


def test_what_is_there_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    there = type(sys)("segments")
    monkeypatch.setitem(sys.modules, "segments", there)
    with lean_imports():
        assert sys.modules["segments"] is there
    assert sys.modules["segments"] is there
