"""What containers are made of, by the linters of each kind, and the services' scripts by running them."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest

from wyoming_kokoro.cli.arguments import parser

ROOT = Path(__file__).parents[3]
ADDON = ROOT / "addon"
SERVICES = ADDON / "rootfs" / "etc" / "s6-overlay" / "s6-rc.d"
SERVICE = SERVICES / "wyoming-kokoro"
HEALTH = ADDON / "rootfs" / "usr" / "local" / "bin" / "wyoming-kokoro-health"
DOCKERFILES = [ROOT / "Dockerfile", ADDON / "Dockerfile.jetson"]
SHELL = [
    SERVICE / "run",
    SERVICE / "finish",
    *(path for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix),
]
YAML = [
    path for path in [*ROOT.glob("*.yaml"), *ADDON.glob("*.yaml"), *(ADDON / "blueprints").glob("*.yaml")] if path.is_file()
]
YAML_RULES = json.dumps(
    {
        "extends": "default",
        "rules": {
            "comments": {"min-spaces-from-content": 1},
            "document-start": "disable",
            "line-length": {"max": 400},
            "truthy": "disable",
        },
    }
)


def tool(name: str) -> str:
    """A program of this environment."""
    found = shutil.which(name, path=sysconfig.get_path("scripts"))
    assert found, f"{name} is missing: scripts/setup --dev"
    return found


def checked(*words: str | Path) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.name)
def test_hadolint_finds_nothing_in_a_dockerfile(path: Path) -> None:
    # DL3008: Debian's archive keeps one version of a package, so that a pinned one could not be built next month.
    checked(tool("hadolint"), "--ignore", "DL3008", path)


@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.name)
def test_shellcheck_finds_nothing_in_a_script(path: Path) -> None:
    checked(tool("shellcheck"), "--severity=warning", path)


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_yamllint_finds_nothing(path: Path) -> None:
    checked(sys.executable, "-m", "yamllint", "--strict", "--config-data", YAML_RULES, path)


@pytest.mark.parametrize("path", [SERVICE / "run", SERVICE / "finish", HEALTH], ids=lambda path: path.name)
def test_what_is_executed_can_be(path: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "--stage", path], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert not listed or listed.startswith("100755 ")
    assert path.stat().st_mode & 0o111 == 0o111
    assert path.read_bytes().startswith(b"#!")
    assert b"\r" not in path.read_bytes()


def test_s6_knows_the_service() -> None:
    assert (SERVICE / "type").read_text() == "longrun\n"
    assert (SERVICE / "dependencies.d" / "base").is_file()
    assert (SERVICES / "user" / "contents.d" / "wyoming-kokoro").is_file()
    assert {path.name for path in SERVICES.iterdir()} == {"wyoming-kokoro", "user"}


def test_the_service_is_one_line_that_the_command_line_takes() -> None:
    lines = [line for line in (SERVICE / "run").read_text().splitlines() if line and not line.startswith("#")]
    assert lines == ["exec wyoming-kokoro serve --supervisor"]
    assert parser().parse_args(lines[0].split()[2:]).supervisor


@pytest.mark.parametrize(
    ("code", "by_signal", "before", "after"),
    [
        ("0", "0", "0", "0"),
        ("2", "0", "0", "2"),
        ("256", "9", "0", "137"),
        ("256", "15", "0", "143"),
        ("1", "0", "3", "3"),
        ("1", "0", None, "1"),
    ],
)
def test_the_container_ends_with_the_servers_exit_status(
    tmp_path: Path, code: str, by_signal: str, before: str | None, after: str
) -> None:
    script = (SERVICE / "finish").read_text()
    assert script.count("/run/") == 2
    halt = tmp_path / "s6" / "basedir" / "bin" / "halt"
    halt.parent.mkdir(parents=True)
    halt.write_text(f"#!/bin/sh\ntouch {tmp_path}/halted\n")
    halt.chmod(0o755)
    results = tmp_path / "s6-linux-init-container-results" / "exitcode"
    results.parent.mkdir()
    if before is not None:
        results.write_text(f"{before}\n")
    checked("sh", "-c", script.replace("/run/", f"{tmp_path}/"), "finish", code, by_signal)
    assert results.read_text().strip() == after
    assert (tmp_path / "halted").exists()


def health(data: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-IS", HEALTH], env={"WYOMING_KOKORO_DATA_DIR": str(data)}, capture_output=True, text=True, check=False
    )


def answering(words: bytes) -> tuple[threading.Thread, int]:
    """A port that hears one line and says these words."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listening, listening.accept()[0] as connection:
            assert json.loads(connection.makefile("rb").readline()) == {"type": "describe"}
            connection.sendall(words)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread, listening.getsockname()[1]


@pytest.mark.parametrize(
    ("words", "status"), [(b'{"type": "info", "data_length": 9}\n', 0), (b'{"type": "error"}\n', 1), (b"", 1)]
)
def test_health_is_an_answer_to_describe(tmp_path: Path, words: bytes, status: int) -> None:
    thread, port = answering(words)
    (tmp_path / "server.json").write_text(json.dumps({"wyoming_port": port}))
    asked = health(tmp_path)
    thread.join()
    assert (asked.returncode, "Traceback" in asked.stderr) == (status, False)


def test_a_server_that_is_not_up_is_not_healthy(tmp_path: Path) -> None:
    asked = health(tmp_path)
    assert (asked.returncode, "does not answer" in asked.stderr) == (1, True)


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.name)
def test_an_image_is_pinned_has_no_build_tools_and_is_asked_how_it_is(path: Path) -> None:
    text = path.read_text()
    assert all(re.search(r":[\w.-]*\d", image) for image in re.findall(r"^ARG \w*(?:FROM|BASE)=(\S+)", text, re.MULTILINE))
    final = text[text.index("COPY --from=builder") :]
    assert "g++" not in final
    images = final.count("COPY --from=builder /opt/wyoming-kokoro ")
    assert images == len(re.findall(r"^HEALTHCHECK .*/usr/local/bin/wyoming-kokoro-health", final, re.MULTILINE))


def test_what_the_image_compiles_is_what_is_known_to_have_no_wheel() -> None:
    known = re.search(r"^without_wheels=\((.*)\)", (ROOT / "scripts" / "arm_wheels").read_text(), re.MULTILINE)
    assert known
    assert set(re.findall(r"--no-binary (\S+)", (ROOT / "Dockerfile").read_text())) == set(known[1].split())
