"""The official package without a server, on the CPU. Run by the Python of its environment: bare_kokoro.py FILES VOICE

Reads a text a line, as JSON, and answers with a line: seconds of the computing, seconds of sound.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def main(files: Path, voice: str) -> None:
    import torch
    from kokoro import KModel, KPipeline

    options = {"config": str(files / "config.json"), "model": str(files / "kokoro-v1_0.pth")}
    model = KModel(repo_id="hexgrad/Kokoro-82M", **options).eval()
    pipeline = KPipeline("a", repo_id="hexgrad/Kokoro-82M", model=model)
    style = torch.load(files / f"{voice}.pt", weights_only=True)
    for line in sys.stdin:
        started = time.perf_counter()
        samples = sum(len(part.audio) for part in pipeline(json.loads(line), voice=style))
        print(json.dumps([time.perf_counter() - started, samples / 24000]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
