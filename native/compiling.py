"""Compiles the library: the kernels once for each level of the processor's family, the rest once, and links them."""

from __future__ import annotations

import concurrent.futures
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = Path(__file__).parent / "src"
LIBRARY = "libkokoro_vocoder.so"

_X86_FLOAT = ("-mavx2", "-mfma")
_X86_WIDE = (*_X86_FLOAT, "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mprefer-vector-width=512")
LEVELS: dict[str, dict[str, tuple[str, ...]]] = {
    "x86_64": {
        "generic": ("-DKOKORO_GENERIC",),
        "avx2": _X86_FLOAT,
        "avxvnni": (*_X86_FLOAT, "-mavxvnni"),
        "avx512": _X86_WIDE,
        "avx512vnni": (*_X86_WIDE, "-mavx512vnni"),
        "amx": (*_X86_WIDE, "-mavx512vnni", "-mavx512bf16", "-DKOKORO_AMX"),
    },
    "aarch64": {"generic": ("-DKOKORO_GENERIC",), "neon": ()},
}
OPTIONAL = {"amx": 'void f() { asm("tdpbf16ps %tmm2, %tmm1, %tmm0"); }'}
"""Levels that a compiler may not know, and what it must know for them; without one, KOKORO_WITHOUT_<LEVEL> is defined."""

_FLAGS = ("-std=c++17", "-ffp-contract=fast", "-fPIC", "-fvisibility=hidden", "-pthread")
_OPTIMISED = ("-O3", "-DNDEBUG", "-g0")


class CompilerMissingError(Exception):
    """There is no C++ compiler that works."""


def find_compiler() -> list[str]:
    """The words that start the compiler: of $CXX, else the first that is on the PATH."""
    if os.environ.get("CXX"):
        return shlex.split(os.environ["CXX"])
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return [name]
    raise CompilerMissingError("there is no C++ compiler: name one by CXX")


def compile_library(
    library: Path,
    compiler: list[str] | None = None,
    *,
    machine: str | None = None,
    optimise: tuple[str, ...] = _OPTIMISED,
    extra: tuple[str, ...] = (),
) -> Path:
    """The file `library`, for this machine or another one that the compiler makes code for.

    Raises `CompilerMissingError` where the compiler can't be started, `subprocess.CalledProcessError` where it fails.
    """
    compiler, machine = compiler or find_compiler(), _normal(machine or platform.machine())
    # Left alone, zig makes code for the very processor that it runs on, and for its system's own C library.
    target = (f"--target={machine}-linux-gnu.2.28",) if "ziglang" in compiler else ()
    command = [*compiler, *target, *_FLAGS, *optimise, *extra]
    levels = dict(LEVELS.get(machine, {"generic": ("-DKOKORO_GENERIC",)}))
    for level in OPTIONAL.keys() & levels.keys():
        if not _knows(command, levels[level], OPTIONAL[level]):
            del levels[level]
            command.append(f"-DKOKORO_WITHOUT_{level.upper()}")
    with tempfile.TemporaryDirectory() as folder:
        jobs = [
            (SOURCES / "kernels.cpp", f"kernels_{level}", (*flags, f"-DKOKORO_LEVEL={level}"))
            for level, flags in levels.items()
        ]
        jobs += [(path, path.stem, ()) for path in sorted(SOURCES.glob("*.cpp")) if path.stem != "kernels"]
        objects = [Path(folder) / f"{name}.o" for _, name, _ in jobs]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda job, out: _run([*command, *job[2], "-c", str(job[0]), "-o", str(out)]), jobs, objects))
        library.parent.mkdir(parents=True, exist_ok=True)
        _run([*command, "-shared", *map(str, objects), "-o", str(library)])
    return library


def _normal(machine: str) -> str:
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine.lower(), machine.lower())


def _knows(command: list[str], flags: tuple[str, ...], source: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "knows.cpp"
        file.write_text(source)
        words = [*command, *flags, "-c", str(file), "-o", str(file.with_suffix(".o"))]
        try:
            return subprocess.run(words, check=False, capture_output=True).returncode == 0
        except OSError as error:
            raise CompilerMissingError(f"{command[0]} can't be started: {error}") from error


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except OSError as error:
        raise CompilerMissingError(f"{command[0]} can't be started: {error}") from error
    except subprocess.CalledProcessError as error:
        sys.stderr.write(error.stderr)
        raise


if __name__ == "__main__":
    print(compile_library(Path(sys.argv[1] if len(sys.argv) > 1 else LIBRARY)))
