"""What the commands print that need no server: text, voices, fetch, say."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import wave
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import soundfile

from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.commands import fetch as fetch_command
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.sound_file import sound_file
from wyoming_kokoro.engine.manifest import ModelFile
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.weights import ModelFiles, Step
from wyoming_kokoro.model.errors import EngineUnavailableError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "Good evening. Dinner is ready!"


def test_text_prints_what_is_spoken_a_sentence_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", TEXT]) == ExitStatus.DONE
    assert capsys.readouterr().out == "Good evening.\nDinner is ready!\n"


def test_text_as_json_gives_originals_that_join_to_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", TEXT, "--json"]) == ExitStatus.DONE
    sentences = json.loads(capsys.readouterr().out)["sentences"]
    assert "".join(sentence["text"] for sentence in sentences) == TEXT
    assert [sentence["spoken"] for sentence in sentences] == ["Good evening.", "Dinner is ready!"]


def test_text_shows_each_stage_that_changed_something(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", "**Dinner** is  ready.", "--stages", "--format", "markdown"]) == ExitStatus.DONE
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["text", "'**Dinner** is  ready.'"]
    assert lines[-1] == ["spoken", "'Dinner is ready.'"]
    assert ["markup", "'Dinner is  ready.'"] in lines


def test_text_as_json_with_stages_ends_in_the_spoken_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", TEXT, "--stages", "--json"]) == ExitStatus.DONE
    for sentence in json.loads(capsys.readouterr().out)["sentences"]:
        assert sentence["stages"][0]["stage"] == "markup"
        assert sentence["stages"][-1]["text"] == sentence["spoken"]


def test_text_reads_markup(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", "# Dinner\n\nIt is *ready*.", "--format", "markdown"]) == ExitStatus.DONE
    assert "*" not in capsys.readouterr().out


def test_text_may_come_on_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Good evening."))
    assert main(["text", "-"]) == ExitStatus.DONE
    assert capsys.readouterr().out == "Good evening.\n"


def test_standard_input_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="utf-8"))
    assert main(["text", "-"]) == ExitStatus.USAGE
    assert capsys.readouterr().err == "wyoming-kokoro: text: what came on standard input is not utf-8 text\n"


def test_a_text_without_anything_to_speak_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", " … "]) == ExitStatus.USAGE
    assert "nothing in it that can be spoken" in capsys.readouterr().err


def test_voices_lists_each_once_and_marks_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["voices", "--voice", "bf_emma"]) == ExitStatus.DONE
    lines = capsys.readouterr().out.splitlines()
    assert len({line.split()[0] for line in lines}) == len(lines) >= 54
    assert [line.split()[0] for line in lines if line.endswith("(default)")] == ["bf_emma"]


def test_voices_as_json_tells_all_there_is_to_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["voices", "--json"]) == ExitStatus.DONE
    heart = next(voice for voice in json.loads(capsys.readouterr().out) if voice["name"] == "af_heart")
    assert heart["language"] == "en-US"
    assert set(heart) == {"name", "language", "description", "aliases", "installed", "extra", "gain_db"}


def test_fetch_prints_the_paths_and_tells_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fetch(model_dir: Path | None, progress: Callable[[Step], None]) -> ModelFiles:
        progress(Step("looking"))
        for done in range(0, 20_000_001, 1_000_000):
            progress(Step("weights", done, 20_000_000))
        assert model_dir is not None
        return ModelFiles(ModelFolder(model_dir, (ModelFile("a", "", 1), ModelFile("voices/b", "", 1))))

    monkeypatch.setattr(fetch_command, "fetch", fetch)
    assert main(["fetch", "--model-dir", str(tmp_path)]) == ExitStatus.DONE
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [f"{tmp_path}/a", f"{tmp_path}/voices/b"]
    told = ["looking", "weights: 0 of 20 MB", "weights: 10 of 20 MB", "weights: 20 of 20 MB"]
    assert printed.err.splitlines() == told


def test_fetch_for_torch_brings_the_official_weights_and_can_do_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unreachable(*_: object) -> Path:
        raise EngineUnavailableError("the hub is away")

    monkeypatch.setattr(fetch_command, "fetch", lambda *_: ModelFiles(ModelFolder(tmp_path, ())))
    monkeypatch.setattr(fetch_command, "fetch_official", lambda *_: tmp_path / "official.pth")
    assert main(["fetch", "--engine", "torch"]) == ExitStatus.DONE
    assert capsys.readouterr().out.splitlines() == [f"{tmp_path}/official.pth"]
    monkeypatch.setattr(fetch_command, "fetch_official", unreachable)
    assert main(["fetch", "--engine", "torch"]) == ExitStatus.DONE
    assert capsys.readouterr().err == "torch will make its weights of the int8 ones, since the hub is away\n"


def say(text: str, out: Path) -> subprocess.CompletedProcess[str]:
    """`say` with tones, in a process of its own: it brings its own event loop."""
    program = [sys.executable, "-m", "wyoming_kokoro", "say", text, "--engine", "tone", "--out", str(out)]
    return subprocess.run(program, capture_output=True, text=True, check=False)


def test_say_writes_a_whole_sound_file_and_tells_how_far_it_is(tmp_path: Path) -> None:
    out = tmp_path / "evening.wav"
    said = say(TEXT, out)
    assert said.returncode == ExitStatus.DONE
    with wave.open(str(out)) as sound:
        assert (sound.getframerate(), sound.getsampwidth(), sound.getnchannels()) == (24_000, 2, 1)
        assert any(sound.readframes(sound.getnframes()))
    assert "sentence 1, 50%: " in said.stderr
    assert "sentence 2, 100%: " in said.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["evening.wav"]


def test_say_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "evening.wav"
    said = say(TEXT, out)
    assert said.returncode == ExitStatus.USAGE
    assert said.stderr == f"wyoming-kokoro: --out: can't write {out}: No such file or directory\n"


def test_say_leaves_no_file_where_there_is_nothing_to_speak(tmp_path: Path) -> None:
    said = say("…", tmp_path / "nothing.wav")
    assert said.returncode == ExitStatus.USAGE
    assert list(tmp_path.iterdir()) == []


def test_a_sound_file_that_fails_leaves_the_older_one_alone(tmp_path: Path) -> None:
    out = tmp_path / "evening.wav"
    out.write_bytes(b"older")
    with pytest.raises(ZeroDivisionError), sound_file(out) as sound:
        sound.write(bytes(4800))
        _ = 1 / 0
    assert out.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [out]


def test_a_sound_file_can_not_take_the_place_of_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "evening.wav"
    out.mkdir()
    with pytest.raises(RefusedError, match="can't write"), sound_file(out) as sound:
        sound.write(bytes(4800))
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("name", FORMATS)
def test_a_sound_file_is_what_its_ending_says_and_knows_its_length(tmp_path: Path, name: str) -> None:
    out = tmp_path / f"evening.{name}"
    with sound_file(out) as sound:
        sound.write(bytes(48_000))
    if name == "mp3":
        assert out.read_bytes()[0] == 0xFF
    else:
        assert soundfile.info(out).duration == 1.0


def test_an_ending_that_is_no_format_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evening.txt"
    assert main(["say", TEXT, "--engine", "tone", "--out", str(out)]) == ExitStatus.USAGE
    told = f"wyoming-kokoro: --out: {out} must end in .mp3, .flac, .wav, .opus\n"
    assert capsys.readouterr().err == told


def test_say_without_a_server_as_json_tells_what_it_made(tmp_path: Path) -> None:
    out = tmp_path / "evening.flac"
    program = [sys.executable, "-m", "wyoming_kokoro", "say", TEXT, "--engine", "tone", "--out", str(out), "--json"]
    told = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
    assert told["out"] == str(out)
    assert told["voice"] == "af_heart"
    assert told["audio_ms"] == round(1000 * soundfile.info(out).duration)
