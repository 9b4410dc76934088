"""The grammar, the exit codes, and that whatever goes wrong is one sentence."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from wyoming_kokoro import __version__
from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.arguments import flags_of, parser
from wyoming_kokoro.cli.commands import voices as voices_command
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.model.errors import EngineUnavailableError
from wyoming_kokoro.settings.kind import Flag
from wyoming_kokoro.settings.schema import OPTIONS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for option in OPTIONS.values():
        monkeypatch.delenv(option.variable, raising=False)
    monkeypatch.delenv("WYOMING_KOKORO_OPTIONS", raising=False)


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"wyoming-kokoro {__version__}\n"


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["serve"],
        ["say"],
        ["casts"],
        ["casts", "list"],
        ["casts", "show"],
        ["casts", "audio"],
        ["casts", "delete"],
        ["casts", "cancel"],
        ["casts", "keep"],
        ["casts", "requeue"],
        ["casts", "dead"],
        ["text"],
        ["voices"],
        ["fetch"],
        ["doctor"],
        ["backup"],
        ["completion"],
    ],
)
def test_every_help_page_says_what_the_exit_codes_mean(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    assert "exit status: 0 done, 1 failed, 2 an argument" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "COMMAND is missing"),
        (["sya"], "there is no COMMAND 'sya'; did you mean say?"),
        (["say"], "TEXT is missing"),
        (["say", "Hello.", "--out"], "--out: expected one argument"),
        (["say", "Hello.", "--voic", "af_bella"], "there is no --voic here; did you mean --voice?"),
        (["casts"], "ACTION is missing"),
        (["casts", "lits"], "there is no ACTION 'lits'; did you mean list?"),
        (["casts", "list", "--limit", "0"], "--limit: '0' is no whole number from 1 to 999999"),
        (["casts", "show"], "ID is missing"),
        (["casts", "audio", "aaaaaaaaaaaaaaaa"], "--out is missing"),
        (["casts", "cancel"], "ID is missing"),
        (["casts", "keep", "--off"], "ID is missing"),
        (["casts", "requeue"], "ID is missing"),
        (["casts", "dead", "aaaaaaaaaaaaaaaa"], "there is an argument too much: 'aaaaaaaaaaaaaaaa'"),
        (["completion", "cmd"], "there is no shell 'cmd'; there are bash, zsh, fish"),
        (["text", "Hello.", "--format", "html"], "there is no --format 'html'; there are plain, ssml, markdown"),
        (["text", "Hello.", "--format", "markdwon"], "there is no --format 'markdwon'; did you mean markdown?"),
        (["voices", "--zeroconf"], "there is no --zeroconf here"),
        (["serve", "--wyoming-ur=tcp://127.0.0.1:0"], "there is no --wyoming-ur here; did you mean --wyoming-uri"),
    ],
)
def test_what_is_not_in_the_grammar_is_one_line_and_status_2(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == ExitStatus.USAGE
    said = capsys.readouterr().err
    assert said.startswith(f"wyoming-kokoro: {told}")
    assert said.endswith("--help` says more)\n")
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", [["voices"], ["text", "Hello."], ["completion", "bash"]])
def test_a_data_directory_may_be_named_to_every_command(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--data-dir", str(tmp_path)]) == ExitStatus.DONE
    assert capsys.readouterr().out


def test_what_a_client_may_say_reads_as_a_clients(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["say", "--help"])
    page = " ".join(capsys.readouterr().out.split())
    assert "Speak without a server, by this engine." in page
    assert "Who speaks; without it, the server's default voice." in page
    assert "Who speaks when nobody is named." not in page
    assert "What clients must send" not in page


def test_a_wrong_option_is_one_sentence_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["voices", "--speed", "9"]) == ExitStatus.USAGE
    told = "command line: --speed is the number 9.0, but must be a number from 0.5 to 2 times the voice's own pace"
    assert capsys.readouterr().err == f"wyoming-kokoro: {told}\n"


def test_an_options_file_is_read_and_named_in_what_is_wrong_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = tmp_path / "options.yaml"
    options.write_text("voise: af_bella\n", encoding="utf-8")
    assert main(["voices", "--options", str(options)]) == ExitStatus.USAGE
    assert capsys.readouterr().err == f"wyoming-kokoro: {options}: there is no option voise; did you mean voice?\n"


def test_an_unknown_voice_is_one_sentence_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", "Hello.", "--voice", "af_hart"]) == ExitStatus.USAGE
    assert capsys.readouterr().err.startswith("wyoming-kokoro: voice: there is no voice 'af_hart'; did you mean af_heart")


def test_what_fails_without_being_wrong_is_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise EngineUnavailableError("the model does not come up")

    monkeypatch.setattr(voices_command, "run", fail)
    assert main(["voices"]) == ExitStatus.FAILED
    assert capsys.readouterr().err == "wyoming-kokoro: the model does not come up\n"


def test_what_the_system_refuses_is_one_sentence_and_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/somewhere")

    monkeypatch.setattr(voices_command, "run", fail)
    assert main(["voices"]) == ExitStatus.FAILED
    assert capsys.readouterr().err == "wyoming-kokoro: [Errno 13] Permission denied: '/somewhere'\n"


def test_ctrl_c_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(voices_command, "run", interrupt)
    assert main(["voices"]) == ExitStatus.INTERRUPTED


def test_a_reader_that_has_seen_enough_gets_no_traceback() -> None:
    program = [sys.executable, "-m", "wyoming_kokoro", "voices", "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == ExitStatus.FAILED


def test_every_option_is_a_flag_of_serve_and_only_those_given_are_passed_on() -> None:
    text = parser().parse_args(["serve", "--wyoming-lead-ms", "20", "--no-zeroconf"])
    assert flags_of(text) == {"wyoming_lead_ms": "20", "zeroconf": False}
    for option in OPTIONS.values():
        value = [] if isinstance(option.kind, Flag) else ["x"]
        assert option.key in flags_of(parser().parse_args(["serve", option.flag, *value]))


@pytest.mark.parametrize("arguments", [["--log-level", "debug", "voices"], ["voices", "--log-level", "debug"]])
def test_the_log_level_may_stand_before_and_after_the_command(arguments: list[str]) -> None:
    assert flags_of(parser().parse_args(arguments)) == {"log_level": "debug"}


def test_to_be_an_app_without_a_supervisor_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SUPERVISOR_TOKEN", raising=False)
    options = tmp_path / "options.json"
    options.write_text('{"voice": ""}', encoding="utf-8")
    assert main(["serve", "--supervisor", "--options", str(options)]) == ExitStatus.USAGE
    complaint = capsys.readouterr().err
    assert complaint.startswith("wyoming-kokoro: --supervisor: it is for Home Assistant's app (add-on) alone")
    assert complaint.count("\n") == 1
