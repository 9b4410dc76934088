"""What is freed goes back to the machine, or is kept until it shall."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from wyoming_kokoro.engine import child
from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.frames import encode_frame, receive_frame
from wyoming_kokoro.engine.spare_memory import give_back

_BLOCKS = 100_000
_BLOCK_BYTES = 1000

_PROGRAM = """
import resource
import sys

import numpy as np

from wyoming_kokoro.engine.spare_memory import give_back, hoard

assert sys.argv[1] == "plain" or hoard()
for _ in range(3):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    np.ones(60_000_000, np.uint8)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
give_back()
with open("/proc/self/statm") as file:
    print(int(file.read().split()[1]) * 4096)
"""


def resident_bytes() -> int:
    """Of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library is not glibc")
def test_what_is_freed_below_a_block_in_use_is_given_back() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.free.argtypes = [ctypes.c_void_p]
    blocks = [libc.malloc(_BLOCK_BYTES) for _ in range(_BLOCKS)]
    for block in blocks:
        ctypes.memset(block, 1, _BLOCK_BYTES)
    *freed, last = blocks
    for block in freed:
        libc.free(block)
    kept = resident_bytes()
    give_back()
    assert kept - resident_bytes() > _BLOCKS * _BLOCK_BYTES // 2
    libc.free(last)


def test_the_engines_process_gives_back_what_it_can_when_it_is_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    at_rest = threading.Event()
    monkeypatch.setattr(child, "_REST_SECONDS", 0.01)
    monkeypatch.setattr(child, "give_back", at_rest.set)
    ours, its = socket.socketpair()
    with ours, its:
        serving = threading.Thread(target=child.Child(its).run)
        serving.start()
        ours.sendall(encode_frame(ChildConfig(model="tone", niceness=0).to_header()))
        while (frame := receive_frame(ours)) is not None and frame.header["op"] != "ready":
            pass
        assert at_rest.wait(timeout=30)
        ours.shutdown(socket.SHUT_WR)
        serving.join()


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="the C library is not glibc")
def test_what_is_hoarded_is_not_fetched_again_and_can_be_given_back() -> None:
    plain, kept = (
        [int(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]
        for command in ([sys.executable, "-c", _PROGRAM, kind] for kind in ("plain", "hoard"))
    )
    assert max(kept[1:3]) < 100
    assert kept[1] <= plain[1]
    assert kept[3] < plain[3] + 30_000_000
