"""Faults that people reported of other servers as a whole; each test is named by the report's id."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from pathlib import Path

import pytest

from benchmarks.client import speak
from benchmarks.server import running
from benchmarks.torture.fuzz import resident_megabytes

WITNESS = """
import json, os, sys

_FILE = os.open(os.environ["WITNESS_FILE"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def _tell(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        told = arguments[1]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        told = arguments[0]
    elif event == "witness":
        told = sys.orig_argv
    else:
        return
    os.write(_FILE, (json.dumps([os.getpid(), event, told], default=repr) + "\\n").encode())


sys.addaudithook(_tell)
sys.audit("witness")
"""


def is_outbound(told: object) -> bool:
    """Whether an address, or a host that is looked up, lies outside this house.

    Zeroconf's own address does not: a datagram socket is connected to it to see from where this machine would speak, and
    nothing is sent.
    """
    host = told[0] if isinstance(told, list) and told else told
    if host is None or (isinstance(host, str) and (host in ("", "localhost") or host.startswith("/"))):
        return False
    try:
        address = ipaddress.ip_address(str(host))
    except ValueError:
        return True
    return not (address.is_loopback or address.is_multicast)


@pytest.mark.parametrize(
    ("told", "expected"),
    [(["127.0.0.1", 10200], False), (None, False), ("/run/socket", False), ("example.org", True), (["192.0.2.1", 443], True)],
)
def test_what_leaves_this_machine_is_told_from_what_does_not(told: object, *, expected: bool) -> None:
    assert is_outbound(told) is expected


@pytest.mark.speech
@pytest.mark.timeout(300)
async def test_p109_with_the_model_in_its_place_nothing_is_asked_of_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(WITNESS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "hook"))
    monkeypatch.setenv("WITNESS_FILE", str(tmp_path / "witness"))
    async with running(tmp_path / "data", "--engine", "onnx") as server:
        heard = await speak(server.port, "Good evening.")
        assert heard.seconds > 0.5
    told = [json.loads(line) for line in (tmp_path / "witness").read_text().splitlines()]
    # The server and its engine were watched, and the watch sees what is asked.
    assert len({pid for pid, event, _ in told if event == "witness"}) >= 2
    assert [event for _, event, _ in told if event != "witness"]
    assert [each for each in told if each[1] != "witness" and is_outbound(each[2])] == []


async def say_all(port: int, word: str, count: int) -> None:
    """Have so many different sentences spoken, some at once."""
    for begin in range(0, count, 20):
        await asyncio.gather(*(speak(port, f"{word} number {number} is here.") for number in range(begin, begin + 20)))


async def test_p116_five_hundred_different_sentences_leave_the_memory_as_it_was(tmp_path: Path) -> None:
    async with running(tmp_path, "--engine", "tone", "--log-level", "error") as server:
        await say_all(server.port, "Visitor", 100)
        before = resident_megabytes(server.pid)
        await say_all(server.port, "Parcel", 500)
        assert resident_megabytes(server.pid) - before < 50
