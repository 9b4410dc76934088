"""The real Home Assistant of the rig for scripts that need it: a fresh one, its client, and how its answers are waited for."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from benchmarks.mosquitto import free_port

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 20.0


def expect(condition: bool, words: str) -> None:
    """Raises an AssertionError with these words."""
    if not condition:
        raise AssertionError(words)


async def eventually(condition: Callable[[], Awaitable[bool]], words: str, *, seconds: float = PATIENCE_SECONDS) -> None:
    """Return once it is so; it is asked for over and over."""
    try:
        async with asyncio.timeout(seconds):
            while not await condition():  # noqa: ASYNC110 - Home Assistant has to be asked
                await asyncio.sleep(0)
    except TimeoutError:
        raise AssertionError(f"it did not come about: {words}") from None


@contextlib.asynccontextmanager
async def home_assistant(rig: Path, folder: Path, package: Path) -> AsyncIterator[tuple[Any, Path]]:
    """A fresh one with that package of YAML; yields its client and its configuration."""
    sys.path.insert(0, str(rig))
    sys.dont_write_bytecode = True
    client = importlib.import_module("ha_client")  # the rig's own
    await run(rig / "install", folder)
    await run(rig / "start", folder, "--port", str(free_port()), "--package", package)
    try:
        facts = json.loads((folder / "rig.json").read_text(encoding="utf-8"))
        async with client.HomeAssistant(facts["url"], (folder / "token").read_text(encoding="utf-8")) as home:
            yield home, Path(facts["config"])
    finally:
        await run(rig / "stop", folder)


async def run(*command: object) -> None:
    """A program, to its end; an AssertionError where it fails."""
    process = await asyncio.create_subprocess_exec(*map(str, command))
    expect(await process.wait() == 0, f"{command[0]} failed")


def run_check(name: str, doc: str | None, check: Callable[[Path, Path], Coroutine[Any, Any, None]]) -> None:
    """Run it by the command line's arguments and say how it went."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rig", type=Path, default=ROOT.parent / "shared" / "home-assistant-rig", help="default: %(default)s")
    parser.add_argument(
        "--dir", type=Path, default=ROOT / ".home-assistant", help="where it is installed (default: %(default)s)"
    )
    arguments = parser.parse_args()
    try:
        asyncio.run(check(arguments.rig.resolve(), arguments.dir.resolve()))
    except AssertionError as error:
        sys.exit(f"{name}: {error}")
    print(f"{name}: passed")
