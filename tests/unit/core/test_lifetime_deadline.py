"""A stop that hangs is ended, and says on what; one that does not is left alone."""

from __future__ import annotations

import subprocess
import sys

HANGS = """
import asyncio, logging, os, signal, sys
from wyoming_kokoro.core.lifetime import ended_in_time, stopped_by_signal
logging.basicConfig(level="ERROR", format="%(message)s")

async def deaf():
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

async def main():
    stopped = stopped_by_signal()
    with ended_in_time(stopped, 0.2 if "deaf" in sys.argv else 60.0):
        os.kill(os.getpid(), signal.SIGTERM)
        await stopped
        if "deaf" in sys.argv:
            await deaf()

asyncio.run(main())
print("ended by itself")
"""


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HANGS, *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_a_stop_that_hangs_is_ended_and_says_on_what() -> None:
    done = ran("deaf")
    assert done.returncode == 0
    assert "ended by itself" not in done.stdout
    assert "it hung in" in done.stderr
    assert "main" in done.stderr


def test_a_stop_in_time_is_left_alone() -> None:
    done = ran()
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "ended by itself", "")
