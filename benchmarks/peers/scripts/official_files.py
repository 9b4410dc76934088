"""Writes what the official package reads: kokoro-v1_0.pth, config.json and a voice. Run by the Python of its environment.

official_files.py WEIGHTS VOICE_FILE OUT_FOLDER
"""

from __future__ import annotations

import shutil
import sys
from collections import defaultdict
from importlib.resources import files
from pathlib import Path


def main(weights: Path, voice: Path, out: Path) -> None:
    import numpy as np
    import torch

    sys.path.insert(0, str(Path(__file__).parents[3]))
    from wyoming_kokoro.engine.official_tensors import official_tensors

    state: dict[str, dict[str, torch.Tensor]] = defaultdict(dict)
    for name, values in official_tensors(weights).items():
        part, rest = name.split(".", 1)
        state[part][f"module.{rest}"] = torch.from_numpy(values)
    torch.save(dict(state), out / "kokoro-v1_0.pth")
    shutil.copyfile(str(files("kokoro_onnx") / "config.json"), out / "config.json")
    styles = np.fromfile(voice, "<f4").reshape(510, 1, 256)
    torch.save(torch.from_numpy(styles), out / f"{voice.stem}.pt")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
