"""The official generator's blocks with the same arithmetic in fewer passes over memory, which is what a processor waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def make_lean(model: Any) -> None:
    """Change the blocks of that `KModel` in place; for one sentence at a time, and not for training.

    What they compute stays within rounding errors of what it was.
    """
    from kokoro.istftnet import AdaIN1d, AdaINResBlock1

    for module in model.modules():
        if isinstance(module, AdaIN1d):
            module.forward = _normalised(module)
        elif isinstance(module, AdaINResBlock1):
            module.forward = _residual(module)


def _normalised(module: Any) -> Callable[[Any, Any], Any]:
    """Normalising, its identity and the style's gain and shift at once: with one sentence, the style's are the norm's own."""

    def forward(x: Any, style: Any) -> Any:
        import torch

        gains, shifts = module.fc(style).float()[0].chunk(2)
        gains = 1 + gains
        norm = module.norm
        return torch.nn.functional.instance_norm(x, weight=gains * norm.weight, bias=gains * norm.bias + shifts, eps=norm.eps)

    return forward


def _residual(module: Any) -> Callable[[Any, Any], Any]:
    layers = list(zip(module.convs1, module.convs2, module.adain1, module.adain2, module.alpha1, module.alpha2, strict=True))

    def forward(x: Any, style: Any) -> Any:
        for first, second, norm, other, alpha, beta in layers:
            inner = first(_snake(norm(x, style), alpha))
            x = second(_snake(other(inner, style), beta)) + x
        return x

    return forward


def _snake(x: Any, alpha: Any) -> Any:
    """x + sin(alpha x)^2 / alpha, in one new tensor."""
    return (x * alpha).sin_().square_().div_(alpha).add_(x)
