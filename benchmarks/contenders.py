"""This server with every engine and level that this machine has, as processes that others can be held against."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.process import Served


def ours(folder: Path, threads: int = 0) -> Iterator[Served]:
    """Each on a data directory of its own below `folder`; the best one first."""
    for level in _levels():
        yield _server(folder, "native", level, threads)
    yield _server(folder, "onnx", "", threads)
    if python := _python_with_torch():
        yield _server(folder, "torch", "", threads, python)


def _python_with_torch() -> str | None:
    """This one, or that of `WYOMING_KOKORO_VENV=.venvs/torch scripts/setup --torch`; None where torch is in neither."""
    if importlib.util.find_spec("torch") and importlib.util.find_spec("kokoro"):
        return sys.executable
    other = Path(__file__).parents[1] / ".venvs" / "torch" / "bin" / "python"
    return str(other) if other.exists() else None


def _levels() -> list[str]:
    """Best first; the generic one is for comparing bits, not for people."""
    try:
        from wyoming_kokoro_native import levels
    except ImportError:
        return []
    return [level for level in levels() if level != "generic"]


def _server(folder: Path, engine: str, level: str, threads: int, python: str = sys.executable) -> Served:
    name = f"ours, {engine}" + (f" {level}" if level else "")
    data_dir = folder / name.replace(", ", "-").replace(" ", "-")
    return Served(
        name,
        (
            python, "-m", "wyoming_kokoro", "serve", "--data-dir", str(data_dir),
            "--wyoming-uri", "tcp://127.0.0.1:{port}", "--http-port", "0", "--no-zeroconf",
            "--engine", engine, "--threads", str(threads),
        ),
        environment={"WYOMING_KOKORO_LEVEL": level} if level else None,
    )  # fmt: skip
