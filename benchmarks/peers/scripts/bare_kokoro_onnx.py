"""kokoro-onnx without a server. Run by the Python of its environment: bare_kokoro_onnx.py WEIGHTS VOICE_FILE

Reads a text a line, as JSON, and answers with a line: seconds of the computing, seconds of sound.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path


def main(weights: Path, voice: Path) -> None:
    import numpy as np
    from kokoro_onnx import Kokoro

    styles = np.fromfile(voice, "<f4").reshape(510, 1, 256)
    with tempfile.TemporaryDirectory() as folder:
        voices = Path(folder) / "voices.npz"
        np.savez(voices, **{voice.stem: styles})
        model = Kokoro(str(weights), str(voices))
    for line in sys.stdin:
        started = time.perf_counter()
        samples, rate = model.create(json.loads(line), voice=voice.stem, lang="en-us")
        print(json.dumps([time.perf_counter() - started, len(samples) / rate]), flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
