"""The command line beside a real server: found, asked, watched, and gone."""

from __future__ import annotations

import asyncio
import json
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import soundfile

from tests.http_house import TOKEN, ShyEngine, open_http_house
from tests.served import served
from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.core.clock import SystemClock

TEXT = "Good evening. Dinner is ready. Please come down."

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of one server for all tests of this file that do it no harm."""
    folder = tmp_path_factory.mktemp("house")
    with served(folder):
        yield folder


@pytest.fixture
def ask(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command on that data directory: its status, and what it printed."""

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main([*arguments, "--data-dir", str(data_dir)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.mark.parametrize("name", ["wav", "flac", "opus", "mp3"])
def test_say_asks_the_server_tells_how_far_it_is_and_writes_the_file(ask: Ask, tmp_path: Path, name: str) -> None:
    out = tmp_path / f"evening.{name}"
    status, printed, told = ask("say", f"{TEXT} This is for {name}.", "--out", str(out))
    assert (status, printed) == (ExitStatus.DONE, "")
    lines = told.splitlines()
    assert lines[0].startswith("sentence 1, ")
    assert lines[3].startswith("sentence 4, 100%: ")
    assert lines[4].startswith(f"{out}: ")
    assert [path.name for path in tmp_path.iterdir()] == [out.name]
    if name == "mp3":
        assert out.stat().st_size > 1000
    else:
        assert soundfile.info(out).duration > 1


def test_say_without_a_file_prints_a_link_and_the_second_time_at_once(ask: Ask) -> None:
    _, first, _ = ask("say", TEXT)
    status, again, told = ask("say", TEXT)
    assert status == ExitStatus.DONE
    assert first == again
    assert first.startswith("http://127.0.0.1:")
    assert told.splitlines()[0] == "it was spoken before"


def test_say_as_json_is_the_cast_and_leaves_voice_and_pace_to_the_server_unless_they_are_named(ask: Ask) -> None:
    plain = json.loads(ask("say", TEXT, "--json")[1])
    named = json.loads(ask("say", TEXT, "--json", "--voice", "bf_emma", "--speed", "0.5")[1])
    assert (plain["state"], plain["voice"], plain["out"]) == ("done", "af_heart", None)
    assert named["voice"] == "bf_emma"
    assert named["audio_ms"] > plain["audio_ms"]
    assert "".join(sentence["text"] for sentence in plain["sentences"]) == plain["text"]


def test_what_the_server_refuses_is_one_sentence_and_status_2(ask: Ask) -> None:
    status, printed, told = ask("say", TEXT, "--voice", "af_hart")
    assert (status, printed) == (ExitStatus.USAGE, "")
    assert told.startswith("wyoming-kokoro: voice: there is no voice 'af_hart'; did you mean")
    assert len(told.splitlines()) == 1


def test_a_file_that_can_not_be_is_refused_before_the_server_is_asked(ask: Ask, tmp_path: Path) -> None:
    text = "Nobody must make this."
    for out in (tmp_path / "nowhere" / "a.wav", tmp_path / "a.txt"):
        status, _, told = ask("say", text, "--out", str(out))
        assert status == ExitStatus.USAGE
        assert told.startswith("wyoming-kokoro: --out: ")
    folder = tmp_path / "folder.wav"
    folder.mkdir()
    assert ask("say", text, "--out", str(folder))[2] == f"wyoming-kokoro: --out: can't write {folder}: Is a directory\n"
    assert text not in [each["text"] for each in json.loads(ask("casts", "list", "--json")[1])]


def test_an_own_engine_needs_no_server_and_goes_with_none(ask: Ask, tmp_path: Path, data_dir: Path) -> None:
    out = tmp_path / "own.wav"
    assert "starting the engine" in ask("say", TEXT, "--engine", "tone", "--out", str(out))[2]
    with wave.open(str(out)) as sound:
        assert sound.getnframes() > 24_000
    port = json.loads((data_dir / "server.json").read_text())["http_port"]
    status, _, told = ask("say", TEXT, "--engine", "tone", "--out", str(out), "--server", f"http://127.0.0.1:{port}")
    assert status == ExitStatus.USAGE
    assert "a server has its engine" in told


def test_casts_are_listed_shown_fetched_and_deleted(ask: Ask, tmp_path: Path) -> None:
    cast_id = json.loads(ask("say", "Something to be deleted. Soon.", "--json")[1])["id"]
    newest = ask("casts", "list", "--limit", "1")[1]
    assert newest.startswith(f"{cast_id}  done ")
    assert newest.endswith("af_heart      Something to be deleted. Soon.\n")
    assert [each["id"] for each in json.loads(ask("casts", "list", "--limit", "1", "--json")[1])] == [cast_id]

    page = ask("casts", "show", cast_id)[1].splitlines()
    assert page[0].split() == ["id:", cast_id]
    assert page[-2].split(maxsplit=2) == ["0.00", "s", "Something to be deleted."]
    assert json.loads(ask("casts", "show", cast_id, "--json")[1])["receipt"]["sentences"] == 2

    out = tmp_path / "soon.flac"
    assert ask("casts", "audio", cast_id, "--out", str(out)) == (ExitStatus.DONE, "", "")
    assert soundfile.info(out).duration > 0.5

    assert ask("casts", "delete", cast_id) == (ExitStatus.DONE, "", "")
    told = ask("casts", "show", cast_id)[1].splitlines()
    assert [line.split()[0] for line in told] == ["id:", "state:", "since:"]
    assert "expired: sound and text are gone" in told[1]
    gone = tmp_path / "gone.flac"
    assert ask("casts", "audio", cast_id, "--out", str(gone)) == (
        ExitStatus.FAILED,
        "",
        "wyoming-kokoro: the cast has expired\n",
    )
    assert not gone.exists()


def test_a_cast_is_kept_let_go_and_cancelled(ask: Ask) -> None:
    cast_id = json.loads(ask("say", "Something to be kept.", "--json")[1])["id"]
    for off, mark in (((), "*"), (("--off",), " ")):
        assert ask("casts", "keep", cast_id, *off) == (ExitStatus.DONE, "", "")
        assert ask("casts", "list", "--limit", "1")[1].startswith(f"{cast_id}  done     {mark} ")
    assert ask("casts", "cancel", cast_id) == (ExitStatus.DONE, "", "")
    assert json.loads(ask("casts", "show", cast_id, "--json")[1])["state"] == "done"
    assert ask("casts", "delete", cast_id)[0] == ExitStatus.DONE
    assert ask("casts", "keep", cast_id) == (ExitStatus.FAILED, "", "wyoming-kokoro: the cast has expired\n")


def test_nothing_was_given_up_where_all_is_well(ask: Ask) -> None:
    assert ask("casts", "dead") == (ExitStatus.DONE, "", "")
    assert ask("casts", "dead", "--json") == (ExitStatus.DONE, "[]\n", "")


async def test_what_was_given_up_is_listed_with_its_reason_and_asked_for_again(capsys: pytest.CaptureFixture[str]) -> None:
    engine = ShyEngine(SystemClock())
    async with open_http_house(engine=engine) as house:

        async def ask(*arguments: str) -> tuple[int, str]:
            status = await asyncio.to_thread(main, ["casts", *arguments, "--server", house.url(""), "--api-token", TOKEN])
            return status, capsys.readouterr().out

        cast = await house.finished("This is unspeakable.")
        status, printed = await ask("dead")
        assert (status, printed) == (ExitStatus.DONE, f"{cast['id']}  af_heart      {cast['reason']}\n")
        (letter,) = json.loads((await ask("dead", "--json"))[1])
        assert (letter["id"], letter["jobs"]) == (cast["id"], [0])
        engine.dare()
        assert await ask("requeue", cast["id"]) == (ExitStatus.DONE, "")
        assert await ask("dead") == (ExitStatus.DONE, "")
        assert [event.name async for event in house.events(cast["events"])][-1] == "eos"
        assert (await ask("requeue", cast["id"]))[0] == ExitStatus.FAILED


@pytest.mark.parametrize("action", ["show", "delete", "cancel", "keep"])
def test_a_cast_that_is_not_there_is_status_1(ask: Ask, action: str) -> None:
    status, _, told = ask("casts", action, "aaaaaaaaaaaaaaaa")
    assert status == ExitStatus.FAILED
    assert told == "wyoming-kokoro: there is no cast aaaaaaaaaaaaaaaa\n"


def test_the_doctor_finds_a_running_server_well(ask: Ask) -> None:
    status, printed, _ = ask("doctor", "--json", "--engine", "tone")
    assert status == ExitStatus.DONE
    states = {check["name"]: check["state"] for check in json.loads(printed)["checks"]}
    assert [states[name] for name in ("journal", "server", "ready", "token")] == ["ok", "ok", "ok", "ok"]


def test_another_token_does_not_open_the_door(ask: Ask) -> None:
    status, _, told = ask("casts", "list", "--api-token", "not-the-one-that-counts")
    assert status == ExitStatus.FAILED
    assert "does not take our token" in told


def test_a_server_that_was_killed_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house"
    with served(house) as server:
        server.kill()
    assert (house / "server.json").exists()
    assert main(["casts", "list", "--data-dir", str(house)]) == ExitStatus.FAILED
    assert "can't be reached: Connection refused" in capsys.readouterr().err
    assert main(["say", TEXT, "--data-dir", str(house)]) == ExitStatus.FAILED
    assert capsys.readouterr().err.startswith(f"wyoming-kokoro: no server is running on {house}: start it")
