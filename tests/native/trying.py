"""One convolution by itself: by a level's kernels, and by definition."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from wyoming_kokoro_native.library import check, library

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

FORMS = {"float": 1, "bytes": 2, "winograd": 3, "int8": 4, "bf16": 5, "bf16-bytes": 6, "bf16-floats": 7}
OF_FLOATS = ("float", "bf16-floats")
CURVES = {"none": 0, "snake": 1, "leaky": 2}
SLOPE = 0.2


class _Convolution(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("form", "inputs", "outputs", "taps", "dilation")),
        ("weights", ctypes.c_void_p),
        *((name, ctypes.c_float) for name in ("scale", "zero")),
        ("bias", ctypes.c_void_p),
        ("curve", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("gain", "offset", "alpha")),
        ("slope", ctypes.c_float),
        ("x", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("rows", "pad")),
        ("out", ctypes.c_void_p),
        ("out_rows", ctypes.c_int),
        ("residual", ctypes.c_void_p),
        ("residual_shift", ctypes.c_int),
        ("factor", ctypes.c_float),
        ("accumulate", ctypes.c_int),
        ("sums", ctypes.c_void_p),
        ("threads", ctypes.c_int),
    ]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A convolution with everything around it; arrays come from the seed."""

    form: str
    inputs: int
    outputs: int
    taps: int
    dilation: int
    rows: int
    curve: str = "snake"
    residual_shift: int | None = 0
    """None: no residual."""
    accumulate: bool = False
    threads: int = 1
    seed: int = 0
    arrays: dict[str, NDArray[np.generic]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        random = np.random.default_rng([self.seed, self.inputs, self.outputs, self.taps, self.rows])

        def normal(*shape: int) -> Array:
            return random.normal(size=shape).astype(np.float32)

        shape = (self.outputs, self.inputs, self.taps)
        quantised = random.integers(0, 256, shape, np.uint8)
        self.arrays.update(
            weights=normal(*shape) if self.form in OF_FLOATS else quantised,
            bias=normal(self.outputs),
            gain=normal(self.inputs) + 1,
            offset=normal(self.inputs),
            alpha=np.abs(normal(self.inputs)) + np.float32(0.2),
            x=normal(self.rows, self.inputs),
            before=normal(self.rows, self.outputs),
        )
        if self.residual_shift is not None:
            self.arrays["residual"] = normal(-(-self.rows >> self.residual_shift), self.outputs)

    scale = 0.01
    zero = 117
    factor = 0.75

    @property
    def pad(self) -> int:
        """What keeps the rows where they are."""
        return (self.taps - 1) * self.dilation // 2


def run(level: str, case: Case) -> tuple[Array, NDArray[np.float64]]:
    """Rows and sums by the kernels of that level."""
    arrays = {name: np.ascontiguousarray(array) for name, array in case.arrays.items()}
    out = arrays["before"].copy()
    sums = np.zeros((2, case.outputs))
    places = {name: arrays[name].ctypes.data for name in ("weights", "bias", "gain", "offset", "alpha", "x")}
    convolution = _Convolution(
        **places,
        form=FORMS[case.form],
        **{name: getattr(case, name) for name in ("inputs", "outputs", "taps", "dilation", "rows", "pad", "scale", "zero")},
        **{name: getattr(case, name) for name in ("factor", "accumulate", "threads")},
        curve=CURVES[case.curve],
        slope=SLOPE,
        out=out.ctypes.data,
        out_rows=case.rows,
        residual=arrays["residual"].ctypes.data if "residual" in arrays else None,
        residual_shift=case.residual_shift or 0,
        sums=sums.ctypes.data,
    )
    check(library().kokoro_try_convolution(level.encode(), ctypes.byref(convolution)))
    return out.astype(np.float32), sums


def by_definition(case: Case) -> NDArray[np.float64]:
    """The same rows, exactly."""
    arrays = {name: array.astype(np.float64) for name, array in case.arrays.items()}
    v = arrays["x"] * arrays["gain"] + arrays["offset"]
    if case.curve == "snake":
        v = v + np.sin(arrays["alpha"] * v) ** 2 / arrays["alpha"]
    elif case.curve == "leaky":
        v = np.where(v > 0, v, SLOPE * v)
    weights = arrays["weights"] if case.form in OF_FLOATS else (arrays["weights"] - case.zero) * np.float32(case.scale)
    reach = (case.taps - 1) * case.dilation
    padded = np.pad(v, ((case.pad, reach - case.pad), (0, 0)))
    y = sum(padded[tap * case.dilation :][: case.rows] @ weights[:, :, tap].T for tap in range(case.taps)) + arrays["bias"]
    if case.residual_shift is not None:
        y = y + np.repeat(arrays["residual"], 1 << case.residual_shift, axis=0)[: case.rows]
    y = y * case.factor
    return np.asarray(y + arrays["before"] if case.accumulate else y)


def decibels(expected: NDArray[np.generic], found: NDArray[np.generic]) -> float:
    """Signal by error."""
    expected, found = expected.astype(np.float64), found.astype(np.float64)
    error = float(np.sum((expected - found) ** 2))
    return float(10 * np.log10(np.sum(expected**2) / max(error, 1e-300)))
