"""The official model and pipeline as they are shipped, on the weights that our torch engine reads."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wyoming_kokoro.engine.g2p_english import packaged_model
from wyoming_kokoro.engine.kokoro import Feed
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.official_model import CONFIG, REPOSITORY
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.torch_checkpoint import checkpoint

if TYPE_CHECKING:
    from wyoming_kokoro.engine.kokoro import Array


def official_model(folder: ModelFolder) -> Any:
    """A `KModel`, loaded by itself."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from kokoro import KModel

        return KModel(repo_id=REPOSITORY, config=CONFIG, model=str(checkpoint(folder))).eval()


class OfficialNetwork:
    """Implements `Network`: the official model and nothing else."""

    def __init__(self, folder: ModelFolder, *, threads: int) -> None:
        self._threads = threads
        self._model = official_model(folder)

    def run(self, feed: Feed, stop: Stop) -> tuple[Array, Array]:
        """Samples and durations."""
        import torch

        torch.set_num_threads(self._threads)
        tokens, style = torch.from_numpy(feed.tokens), torch.from_numpy(feed.style)
        samples, durations = self._model.forward_with_tokens(tokens, style, float(feed.speed[0]))
        return samples.numpy(), durations.float().numpy()


def official_pipeline(folder: ModelFolder, voice: str, scratch: Path, *, threads: int) -> Callable[[str], Array]:
    """From a text to samples by the official `KPipeline`, American English; `scratch` is a folder for the voice's tensor."""
    import torch

    torch.set_num_threads(threads)
    model = official_model(folder)
    from kokoro import KPipeline

    with packaged_model():
        pipeline = KPipeline("a", repo_id=REPOSITORY, model=model)
    place = scratch / f"{voice}.pt"
    styles = np.fromfile(folder.voice(voice), "<f4").reshape(-1, 1, 256)
    torch.save(torch.from_numpy(styles), place)

    def speak(text: str) -> Array:
        pieces = [result.audio.numpy() for result in pipeline(text, voice=str(place), split_pattern=None)]
        return np.concatenate(pieces)

    return speak
