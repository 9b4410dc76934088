"""The official Kokoro model in torch, loaded so that no missing, unknown or misshapen weight goes unnoticed."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.engine.lean_blocks import make_lean
from wyoming_kokoro.engine.phonemes import TOKENS
from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

REPOSITORY = "hexgrad/Kokoro-82M"

CONFIG: dict[str, Any] = {
    "hidden_dim": 512,
    "style_dim": 128,
    "n_layer": 3,
    "n_token": 178,
    "n_mels": 80,
    "max_dur": 50,
    "dropout": 0.2,
    "text_encoder_kernel_size": 5,
    "plbert": {
        "hidden_size": 768,
        "num_attention_heads": 12,
        "intermediate_size": 2048,
        "max_position_embeddings": 512,
        "num_hidden_layers": 12,
        "dropout": 0.1,
    },
    "istftnet": {
        "upsample_rates": [10, 6],
        "upsample_kernel_sizes": [20, 12],
        "upsample_initial_channel": 512,
        "resblock_kernel_sizes": [3, 7, 11],
        "resblock_dilation_sizes": [[1, 3, 5], [1, 3, 5], [1, 3, 5]],
        "gen_istft_n_fft": 20,
        "gen_istft_hop_size": 5,
    },
    "vocab": TOKENS,
}
"""The shape of Kokoro v1.0, as its authors publish it."""

_OF_NO_EFFECT = ("bert.pooler.weight", "bert.pooler.bias")
"""Parameters that nothing reads: the sentence's summary, which is not spoken."""

_NO_PARAMETERS = frozenset({"bert.embeddings.position_ids"})
"""What older files of the text model carry though it is counted, not learnt."""


def load_model(path: Path) -> Any:
    """A `KModel` on the CPU in 32 bit, ready to infer, its weight norms multiplied out, its blocks made lean.

    Raises `EngineUnavailableError` where torch can't be imported, or the file is not exactly this model.
    """
    try:
        model = _built()
    except ImportError as error:
        raise EngineUnavailableError(f"the torch engine needs the extra torch, which can't be imported: {error}") from error
    import torch

    try:
        saved = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
        state = {
            f"{part}.{name.removeprefix('module.')}": tensor for part, those in saved.items() for name, tensor in those.items()
        }
        check_names(model, state)
        state = {name: tensor.float() for name, tensor in state.items() if name not in _NO_PARAMETERS}
        model.load_state_dict(state, strict=False, assign=True)  # `check_names` is the stricter one
    except (OSError, RuntimeError, AttributeError, ValueError) as error:
        raise EngineUnavailableError(f"{path} is not Kokoro v1.0: {error}") from error
    for module in model.modules():
        if hasattr(module, "weight_g"):
            torch.nn.utils.remove_weight_norm(module)
    make_lean(model)
    return model.eval().requires_grad_(False)


def check_names(model: Any, found: Iterable[str]) -> None:
    """An `EngineUnavailableError` that names what is missing or unknown.

    The affines of instance norms are in no file: they are the identity, and there only for a fault of an exporter.
    """
    wanted = set(model.state_dict())
    given = set(found)
    missing = sorted(wanted - given - _identities(model) - set(_OF_NO_EFFECT))
    unknown = sorted(given - wanted - _NO_PARAMETERS)
    if missing or unknown:
        parts = [f"{what} {', '.join(names[:3])}" for what, names in (("lacks", missing), ("has unknown", unknown)) if names]
        raise EngineUnavailableError(f"the weights are not Kokoro v1.0's: the file {' and '.join(parts)}")


def _identities(model: Any) -> set[str]:
    import torch

    norms = [name for name, module in model.named_modules() if isinstance(module, torch.nn.InstanceNorm1d)]
    return {f"{name}.{parameter}" for name in norms for parameter in ("weight", "bias")}


def _built() -> Any:
    """The model with random weights. It loads its file by itself, and loosely, so that it is handed an empty one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own old ways: weight_norm, dropout in one layer
        import torch
        from kokoro import KModel

        nothing = io.BytesIO()
        torch.save({}, nothing)
        nothing.seek(0)
        return KModel(repo_id=REPOSITORY, config=CONFIG, model=nothing)
