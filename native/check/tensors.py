"""Writes the packed weights and the tensors of one sentence that `check.cpp` speaks on another machine.

python native/check/tensors.py FOLDER     prints the fingerprint; needs the model and the native engine
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from wyoming_kokoro_native import Choice
from wyoming_kokoro_native.model import STYLE, Model, Session
from wyoming_kokoro_native.packer import pack

from wyoming_kokoro.engine.kokoro import Feed
from wyoming_kokoro.engine.manifest import WEIGHTS_SHA256
from wyoming_kokoro.engine.onnx_graph import DURATIONS, FEATURES, HIDDEN, prepared_front
from wyoming_kokoro.engine.onnx_session import OnnxSession
from wyoming_kokoro.engine.phonemes import Phonemes
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.styles import Styles
from wyoming_kokoro.engine.vocoder_weights import pack_vocoder
from wyoming_kokoro.engine.weights import fetch

FINGERPRINT = "check"
_FRAMES = 4


def main(folder: Path) -> None:
    """Four frames out of a short word, so that an emulator is done soon."""
    model = fetch().folder
    for name, choice in (("check", Choice("generic", "f32")), ("tiles", Choice("amx-emulated", "bf16"))):
        with pack(folder / f"{name}.pack", choice, FINGERPRINT) as packer:
            pack_vocoder(model.weights, packer)
    tokens = Phonemes("jˈɛs.").tokens
    style = Styles(model).style("af_heart", len(tokens))
    feed = Feed(tokens=np.array([[0, *tokens, 0]], np.int64), style=style, speed=np.array([1.3], np.float32))
    graph = prepared_front(model.weights, WEIGHTS_SHA256, model.graphs)
    features, hidden, _ = OnnxSession(graph, threads=2, outputs=(FEATURES, HIDDEN, DURATIONS)).run(feed, Stop())
    middle = slice(features.shape[-1] // 2 - _FRAMES // 2, features.shape[-1] // 2 + _FRAMES // 2)
    features, hidden = features[..., middle], hidden[middle]
    session = Session(Model(folder / "check.pack", "generic", FINGERPRINT), threads=2)
    first, second = style[0, :STYLE], style[0, STYLE:]
    pitch, energy = session.prosody(hidden[:, 0], second)
    decoded = session.decode(features[0], pitch, energy, first)
    spectrum = session.source(pitch)
    sound = session.generate(decoded, spectrum, first)
    arrays = (np.array([_FRAMES], np.int32), features[0], hidden[:, 0], style[0], pitch, energy, decoded, spectrum, sound)
    (folder / "tensors.bin").write_bytes(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays))
    print(FINGERPRINT)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
