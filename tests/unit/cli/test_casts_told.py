"""What is told of casts, from what a server says of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.scripted_server import answer, scripted_server
from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.how_to import how_to
from wyoming_kokoro.cli.server.casts import ServerCasts
from wyoming_kokoro.settings.loading import load_settings

CAST = "aaaaaaaaaaaaaaaa"
RECEIPT = {"outcome": "cancelled", "sentences": 1, "reused": 0, "audio_ms": 1250, "gen_ms": 250}


def document(**fields: Any) -> dict[str, Any]:
    return {
        "id": CAST,
        "state": "failed",
        "reason": "it was cancelled",
        "voice": "af_heart",
        "language": "en-US",
        "created_ms": 1_800_000_000_000,
        "text": "Dinner is ready.",
        "keep": False,
        "receipt": RECEIPT,
        "audio": {"mp3": "http://127.0.0.1/audio/a.mp3"},
        "sentences": [],
        **fields,
    }


def shown(cast: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    with scripted_server([answer(200, cast)]) as server:
        assert main(["casts", "show", CAST, "--server", server.url]) == ExitStatus.DONE
    lines = (line.partition(":") for line in capsys.readouterr().out.splitlines())
    return {name: value.strip() for name, _, value in lines}


def test_what_was_taken_back_is_cancelled_and_has_not_failed(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(document(), capsys)["state"] == "cancelled"
    with scripted_server([answer(200, {"casts": [document()], "next": None})]) as server:
        assert main(["casts", "list", "--server", server.url]) == ExitStatus.DONE
    assert capsys.readouterr().out.split()[:2] == [CAST, "cancelled"]


def test_what_has_failed_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(document(reason="the engine died", receipt={**RECEIPT, "outcome": "dead"}), capsys)
    assert told["state"] == "failed: the engine died"


def test_one_sentence_is_no_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert "; 1 sentence, 0 of them" in shown(document(), capsys)["made"]
    assert "; 2 sentences, 0 of them" in shown(document(receipt={**RECEIPT, "sentences": 2}), capsys)["made"]


def test_what_is_gone_does_not_say_when_it_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(document(state="expired", reason=None, receipt=None, voice="", text=None), capsys)
    assert list(told) == ["id", "state", "since"]
    assert told["state"] == "expired: sound and text are gone"


def test_who_stops_waiting_is_told_how_to_go_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ServerCasts, "watch", interrupted)
    with scripted_server([answer(201, {"id": CAST, "state": "queued"})]) as server:
        assert main(["say", "Dinner is ready.", "--server", server.url]) == ExitStatus.INTERRUPTED
    printed = capsys.readouterr()
    assert f"cast {CAST} goes on without us: " in printed.err
    assert f"`wyoming-kokoro casts cancel {CAST} --server {server.url}` takes it back" in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    ("called", "program"),
    [
        ("/opt/house/bin/wyoming-kokoro", "/opt/house/bin/wyoming-kokoro"),
        ("/opt/house/wyoming_kokoro/__main__.py", f"{sys.executable} -m wyoming_kokoro"),
        ("/opt/house/bin/pytest", "wyoming-kokoro"),
    ],
)
def test_advice_names_the_program_and_the_data_directory_as_they_were_named(
    called: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [called])
    settings = load_settings({"data_dir": str(tmp_path / "my house")}, {})
    assert how_to(settings, "serve") == f"{program} serve --data-dir '{tmp_path}/my house'"
    assert how_to(load_settings({}, {}), "serve") == f"{program} serve"
    assert how_to(settings, "voices", url="http://h:1") == f"{program} voices --server http://h:1"
