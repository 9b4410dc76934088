"""From the start of the server to its first sound, for a request that waits already.

python -m benchmarks.cold_start [--rounds 5]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from benchmarks.client import speak
from benchmarks.figure import Figure, print_figures
from benchmarks.server import running

SECTION = "cold start"


async def measure(rounds: int = 5) -> list[Figure]:
    """Files are in the cache of the disk, the model is packed."""
    ports, sounds = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            async with running(Path(folder)) as server:
                ports.append(time.perf_counter() - began)
                heard = await speak(server.port, "Somebody is at the door.")
                sounds.append(ports[-1] + heard.first_seconds)
    return [
        Figure.of(SECTION, "from the start to the open port", ports, "s"),
        Figure.of(SECTION, "from the start to the first sound of a waiting request", sounds, "s", "<= 3"),
    ]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    print_figures(asyncio.run(measure(parser.parse_args().rounds)))


if __name__ == "__main__":
    main()
