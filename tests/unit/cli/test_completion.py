"""The scripts that shells complete by."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.exit_status import ExitStatus


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_knows_commands_actions_and_flags(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == ExitStatus.DONE
    script = capsys.readouterr().out
    for word in ("doctor", "delete", "requeue", "wyoming-lead-ms", "measure"):
        assert word in script
    if path := shutil.which(shell):
        subprocess.run([path, "-n"], input=script, text=True, check=True)


def test_bash_completes_what_was_begun(capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "bash"])
    script = capsys.readouterr().out
    ask = 'COMP_WORDS=(wyoming-kokoro casts sh); COMP_CWORD=2; COMP_LINE="wyoming-kokoro casts sh"; _shtab_wyoming_kokoro'
    told = subprocess.run(
        ["bash", "-c", f'{script}\n{ask}\necho "${{COMPREPLY[@]}}"'], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["show"]
