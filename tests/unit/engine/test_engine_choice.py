"""Which engine speaks: the native one where it is, else onnxruntime, and nothing silently."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from wyoming_kokoro.cli.checkup.finding import State
from wyoming_kokoro.cli.checkup.voice import check_libraries
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine import choice as engine_choice
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.engine.choice import ONNX, Chosen, choose_engine
from wyoming_kokoro.engine.manifest import OFFICIAL, WEIGHTS_SHA256
from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings import EngineSettings

NEEDS_NATIVE = pytest.mark.skipif(find_spec("wyoming_kokoro_native") is None, reason="the native engine is not built")


@pytest.fixture
def not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there had been no compiler."""

    def found(name: str) -> Any:
        return None if name == "wyoming_kokoro_native" else find_spec(name)

    monkeypatch.setattr(engine_choice, "find_spec", found)


@NEEDS_NATIVE
def test_any_engine_is_the_native_one_where_it_is_built() -> None:
    chosen = choose_engine(EngineSettings())
    assert chosen == choose_engine(EngineSettings(engine="native"))
    assert chosen.model == "native"
    assert chosen.level
    assert chosen.fingerprint.endswith(f"-native-{chosen.precision}")


@NEEDS_NATIVE
def test_the_fingerprint_names_the_precision_and_not_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = choose_engine(EngineSettings(quality="f32"))
    monkeypatch.setenv("WYOMING_KOKORO_LEVEL", "generic")
    forced = choose_engine(EngineSettings(quality="f32"))
    assert forced.level == "generic"
    assert exact.fingerprint == forced.fingerprint
    assert exact.fingerprint.endswith("-native-f32")


@NEEDS_NATIVE
def test_a_level_that_this_processor_does_not_have_is_no_reason_to_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WYOMING_KOKORO_LEVEL", "mmx")
    assert "no level mmx" in choose_engine(EngineSettings()).instead_because


@NEEDS_NATIVE
def test_a_level_that_is_refused_is_told_once_by_the_log_and_by_the_checkup(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("wyoming_kokoro_native.refused_level", lambda: "the kernel does not lend tiles")
    with caplog.at_level(logging.WARNING):
        build_engine(EngineSettings(), SystemClock())
    (line,) = caplog.messages
    assert line == f"the native engine runs at level {choose_engine(EngineSettings()).level}: the kernel does not lend tiles"
    finding = check_libraries(EngineSettings())
    assert finding.state is State.NOTE
    assert "the kernel does not lend tiles" in finding.found


@pytest.mark.usefixtures("not_built")
def test_without_the_native_engine_onnx_speaks_and_the_log_says_why(caplog: pytest.LogCaptureFixture) -> None:
    chosen = choose_engine(EngineSettings())
    assert (chosen.model, chosen.fingerprint) == (ONNX.model, ONNX.fingerprint)
    with caplog.at_level(logging.WARNING):
        engine = build_engine(EngineSettings(), SystemClock())
    assert engine.fingerprint == ONNX.fingerprint
    assert "scripts/setup builds it" in caplog.text


@pytest.mark.usefixtures("not_built")
def test_a_native_engine_that_is_asked_for_and_not_built_is_an_error_that_names_the_way_out() -> None:
    with pytest.raises(SettingsError, match=r"engine is native, but it is not built here: scripts/setup .*; auto takes onnx"):
        choose_engine(EngineSettings(engine="native"))


def only(*there: str) -> Any:
    """As if of these libraries only those were installed."""
    return lambda name: find_spec("json") if name in there else None


def test_a_torch_engine_that_is_not_installed_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_choice, "find_spec", only("torch"))
    with pytest.raises(SettingsError, match=r"engine is torch, but kokoro can't be imported: install wyoming-kokoro\[torch\]"):
        choose_engine(EngineSettings(engine="torch"))


def test_the_fingerprint_of_torch_names_the_weights_that_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_choice, "find_spec", only("torch", "kokoro"))
    settings = EngineSettings(engine="torch", model_dir=tmp_path)
    assert choose_engine(settings).fingerprint == f"kokoro-{WEIGHTS_SHA256[:16]}-torch-f32"
    (tmp_path / OFFICIAL.name).touch()
    assert choose_engine(settings).fingerprint == f"kokoro-{OFFICIAL.sha256[:16]}-torch-f32"


def test_torch_has_no_int8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_choice, "find_spec", only("torch", "kokoro"))
    with pytest.raises(SettingsError, match="quality is int8"):
        choose_engine(EngineSettings(engine="torch", quality="int8"))


def test_onnx_and_tone_are_taken_at_their_word() -> None:
    assert choose_engine(EngineSettings(engine="onnx")) == ONNX == Chosen("onnx", "int8")
    assert choose_engine(EngineSettings(engine="tone")).model == "tone"
