"""What the doctor finds, says to do, and makes of it in the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.cli.scripted_server import answer, raw_answer, refusal, scripted_server
from wyoming_kokoro import __version__
from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.checkup import voice as voice_checkup
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME


def examined(capsys: pytest.CaptureFixture[str], data_dir: Path, *arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    """Status, and the findings by name; the tone engine unless another one is chosen."""
    chosen = arguments if "--engine" in arguments else ("--engine", "tone", *arguments)
    status = main(["doctor", "--json", "--data-dir", str(data_dir), *chosen])
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is (status == ExitStatus.DONE)
    assert all(check["advice"] for check in document["checks"] if check["state"] != "ok")
    return status, {check["name"]: check for check in document["checks"]}


def test_a_house_without_a_server_is_well_and_says_how_to_start_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, checks = examined(capsys, tmp_path)
    assert status == ExitStatus.DONE
    assert checks["journal"]["found"].startswith("there is none in")
    assert (checks["server"]["state"], checks["server"]["advice"]) == (
        "note",
        f"start it: wyoming-kokoro serve --data-dir {tmp_path}",
    )
    assert "af_heart when nobody is named" in checks["voices"]["found"]
    assert "speed" not in checks


def test_a_model_that_is_missing_is_wrong_and_can_be_fetched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, checks = examined(capsys, tmp_path, "--engine", "onnx", "--model-dir", str(tmp_path / "model"))
    assert status == ExitStatus.FAILED
    assert checks["model"]["found"].startswith("55 files are missing or damaged")
    assert checks["model"]["advice"] == f"run wyoming-kokoro fetch --model-dir {tmp_path / 'model'}"
    assert checks["engine"]["state"] == "ok"


def test_a_library_that_is_missing_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice_checkup, "_LIBRARIES", ("json", "a_library_that_nobody_has"))
    _, checks = examined(capsys, tmp_path, "--engine", "onnx", "--model-dir", str(tmp_path))
    assert checks["engine"]["found"] == "not installed: a_library_that_nobody_has"


def test_the_engine_that_speaks_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, checks = examined(capsys, tmp_path, "--engine", "onnx", "--model-dir", str(tmp_path))
    assert checks["engine"]["found"] == "onnx speaks, and what it needs is installed"


def test_that_onnx_speaks_for_want_of_the_native_engine_is_worth_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wyoming_kokoro.engine.choice._native", lambda _: "it is not built here")
    _, checks = examined(capsys, tmp_path, "--engine", "auto", "--model-dir", str(tmp_path))
    assert checks["engine"]["state"] == "note"
    assert checks["engine"]["found"].endswith("does not: it is not built here")
    _, checks = examined(capsys, tmp_path, "--engine", "native", "--model-dir", str(tmp_path))
    assert checks["engine"]["state"] == "wrong"


def test_a_default_voice_that_is_not_there_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, checks = examined(capsys, tmp_path, "--voice", "af_hart")
    assert status == ExitStatus.FAILED
    assert "did you mean af_heart" in checks["voices"]["found"]


async def make_journal(data_dir: Path) -> None:
    log = await open_sqlite(data_dir, SystemClock())
    await log.close()


async def test_a_sound_journal_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await make_journal(tmp_path)
    _, checks = examined(capsys, tmp_path)
    assert checks["journal"]["found"].startswith("it is sound")


def test_a_file_that_is_no_journal_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"nothing of the kind" * 1000)
    status, checks = examined(capsys, tmp_path)
    assert status == ExitStatus.FAILED
    assert checks["journal"]["state"] == "wrong"


async def test_a_damaged_journal_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await make_journal(tmp_path)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    status, checks = examined(capsys, tmp_path)
    assert status == ExitStatus.FAILED
    assert checks["journal"]["state"] == "wrong"


def test_a_journal_in_memory_is_worth_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert examined(capsys, tmp_path, "--journal", "memory")[1]["journal"]["state"] == "note"


def test_a_data_directory_that_is_none_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    status, checks = examined(capsys, tmp_path / "file" / "below")
    assert status == ExitStatus.FAILED
    assert checks["disk"]["found"] == f"{tmp_path / 'file'} can't be written"


@pytest.mark.parametrize(("free_bytes", "state"), [(1_000_000, "wrong"), (100_000_000, "note"), (10**12, "ok")])
def test_a_disk_is_judged_by_the_room_that_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, free_bytes: int, state: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free_bytes}))
    assert examined(capsys, tmp_path)[1]["disk"]["state"] == state


def announce(data_dir: Path, port: int, version: str = __version__) -> None:
    (data_dir / "server.json").write_text(json.dumps({"http_port": port, "version": version, "pid": 7}))


OK = raw_answer(200, b"OK")
READY = answer(200, {"ready": True})
CASTS = answer(200, {"casts": [], "next": None})


def test_a_server_that_is_well_gets_three_good_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with scripted_server([OK, READY, CASTS]) as server:
        announce(tmp_path, server.port)
        status, checks = examined(capsys, tmp_path)
    assert status == ExitStatus.DONE
    assert checks["server"]["found"] == f"{server.url} answers, version {__version__}, process 7"
    assert [checks[name]["state"] for name in ("server", "ready", "token")] == ["ok", "ok", "ok"]


def test_a_server_of_another_version_is_worth_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with scripted_server([OK, READY, CASTS]) as server:
        announce(tmp_path, server.port, "0.0.1")
        status, checks = examined(capsys, tmp_path)
    assert status == ExitStatus.DONE
    assert "is version 0.0.1, this is" in checks["server"]["found"]


def test_a_server_that_can_not_speak_or_does_not_let_us_in_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    warming = refusal(503, "server_warming_up", "the engine is coming up")
    with scripted_server([OK, warming, refusal(401, "invalid_api_key", "no")]) as server:
        status, checks = examined(capsys, tmp_path, "--server", server.url)
    assert status == ExitStatus.FAILED
    assert checks["ready"]["found"] == f"{server.url} can't do it: the engine is coming up"
    assert "does not take our token" in checks["token"]["found"]


def test_a_server_that_was_killed_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with scripted_server([]) as server:
        announce(tmp_path, server.port)
    status, checks = examined(capsys, tmp_path)
    assert status == ExitStatus.FAILED
    assert checks["server"]["found"] == f"{server.url} does not answer"


def test_an_announcement_that_makes_no_sense_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "server.json").write_text("{}")
    assert examined(capsys, tmp_path)[1]["server"]["state"] == "wrong"


def test_an_engine_is_measured_when_that_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, checks = examined(capsys, tmp_path, "--measure")
    assert status == ExitStatus.DONE
    assert "s of sound a second" in checks["speed"]["found"]


def test_an_engine_that_does_not_come_up_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, checks = examined(capsys, tmp_path, "--measure", "--voice", "af_hart")
    assert checks["speed"]["state"] == "wrong"


def test_people_get_a_line_for_each_check_and_one_for_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data-dir", str(tmp_path), "--engine", "tone"]) == ExitStatus.DONE
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("note   server   none is running on"))
    assert lines[at + 1] == f"{'':<16}start it: wyoming-kokoro serve --data-dir {tmp_path}"
