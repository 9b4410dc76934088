"""Every kernel of every level of this processor computes what its definition says, and what the generic level says."""

from __future__ import annotations

import dataclasses
from importlib.util import find_spec

import numpy as np
import pytest
from numpy.typing import NDArray

if find_spec("wyoming_kokoro_native") is None:
    pytest.skip("the native engine is not built", allow_module_level=True)

from wyoming_kokoro_native import UnavailableError, choose, levels, precisions, refused_level
from wyoming_kokoro_native.library import check, library

from tests.native.trying import Case, by_definition, decibels, run

FAST = tuple(level for level in levels() if level != "generic")

# Rows: one, fewer than a tile, one more and one less than a block, some blocks and a rest.
SHAPES = [
    Case(form="float", inputs=32, outputs=32, taps=1, dilation=1, rows=1, curve="none"),
    Case(form="float", inputs=288, outputs=256, taps=1, dilation=1, rows=251, curve="none", residual_shift=None),
    Case(form="float", inputs=64, outputs=320, taps=2, dilation=1, rows=37, curve="leaky", residual_shift=None),
    Case(form="float", inputs=128, outputs=32, taps=7, dilation=1, rows=239, curve="leaky"),
    Case(form="bytes", inputs=544, outputs=64, taps=1, dilation=1, rows=13, curve="none", residual_shift=1),
    Case(form="bytes", inputs=96, outputs=96, taps=2, dilation=3, rows=481, curve="snake", accumulate=True),
    *(
        Case(form=form, inputs=inputs, outputs=outputs, taps=taps, dilation=dilation, rows=rows, accumulate=rows % 2 == 0)
        for form in ("winograd", "int8")
        for inputs, outputs, taps, dilation, rows in (
            (32, 32, 3, 1, 1),
            (64, 96, 3, 5, 5),
            (32, 64, 7, 3, 241),
            (96, 32, 11, 5, 300),
            (64, 64, 11, 1, 480),
            (32, 32, 5, 4, 723),
        )
    ),
    *(
        Case(form=form, inputs=inputs, outputs=outputs, taps=taps, dilation=dilation, rows=rows, accumulate=rows % 2 == 0)
        for form in ("bf16", "bf16-bytes", "bf16-floats")
        for inputs, outputs, taps, dilation, rows in (
            (32, 32, 3, 1, 1),
            (64, 96, 2, 5, 17),
            (32, 32, 7, 3, 241),
            (96, 64, 11, 5, 48),
        )
    ),
    Case(form="winograd", inputs=1120, outputs=64, taps=3, dilation=1, rows=75, curve="leaky", residual_shift=1),
]


# Bytes lose what rounding the input to 255 steps loses; bf16 what rounding it to 8 bits loses, or to 16 in two parts.
# Winograd's sums are longer than those of the definition.
LEAST = {"int8": 33, "winograd": 95, "bf16": 48, "bf16-bytes": 90, "bf16-floats": 90}


def described(case: Case) -> str:
    return f"{case.form}-{case.inputs}x{case.outputs}-taps{case.taps}-by{case.dilation}-rows{case.rows}"


def test_the_generic_level_is_there_and_is_the_last() -> None:
    assert levels()[-1] == "generic"


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("case", SHAPES, ids=described)
def test_a_convolution_is_what_its_definition_says(level: str, case: Case) -> None:
    expected = by_definition(case)
    found, sums = run(level, case)
    assert decibels(expected, found) > LEAST.get(case.form, 110)
    assert sums[0] == pytest.approx(found.astype(np.float64).sum(axis=0), rel=1e-4, abs=2e-3)
    assert sums[1] == pytest.approx(np.square(found.astype(np.float64)).sum(axis=0), rel=1e-4)


@pytest.mark.parametrize("level", FAST)
@pytest.mark.parametrize("case", SHAPES, ids=described)
def test_a_level_agrees_with_the_generic_one(level: str, case: Case) -> None:
    assert decibels(run("generic", case)[0], run(level, case)[0]) > {"int8": 50, "bf16": 70}.get(case.form, 90)


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("form", ["float", "bytes", "winograd", "int8", "bf16", "bf16-bytes", "bf16-floats"])
def test_the_number_of_threads_changes_no_bit(level: str, form: str) -> None:
    case = Case(form=form, inputs=64, outputs=128, taps=3, dilation=3, rows=700)
    sounds = [run(level, dataclasses.replace(case, threads=threads)) for threads in (1, 2, 3, 4)]
    for rows, sums in sounds[1:]:
        assert np.array_equal(rows, sounds[0][0])
        assert np.array_equal(sums, sounds[0][1])


def as_bf16(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rounded to the upper halves of floats, halves to the even one; too small ones are zero."""
    bits = np.where(np.abs(values) < np.finfo(np.float32).tiny, np.float32(0), values).astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


@pytest.mark.parametrize("level", levels())
def test_a_tile_is_multiplied_bit_by_bit_as_the_instruction_is_defined(level: str) -> None:
    case = Case(form="bf16", inputs=64, outputs=32, taps=1, dilation=1, rows=19, curve="none", residual_shift=None)
    object.__setattr__(case, "scale", 1.0)
    random = np.random.default_rng(5)
    x = random.normal(size=(19, 64)) * 10.0 ** random.integers(-4, 4, (19, 64))
    x[0] = 1 + np.arange(64) * 2.0**-8  # halves between two of bf16
    x[1] = 1e-40  # too small for a normal number
    x[2] = np.where(np.arange(64) % 4 == 0, 1e-38, -3e-39)  # their sums are too small now and then
    gains = {"gain": np.ones(64), "offset": np.zeros(64), "bias": np.zeros(32), "x": x}
    case.arrays.update({name: array.astype(np.float32) for name, array in gains.items()})
    case.arrays["before"] = np.zeros_like(case.arrays["before"])

    inputs = as_bf16(case.arrays["x"].astype(np.float32))
    weights = case.arrays["weights"][:, :, 0].astype(np.float32) - case.zero
    sums = np.zeros((19, 32), np.float32)
    for first in (0, 32):
        halves = []
        for odd in (0, 1):
            total = np.zeros((19, 32), np.float32)
            for k in range(first + odd, first + 32, 2):
                total = flushed(total + inputs[:, k, None] * weights[:, k])
            halves.append(total)
        sums = flushed(sums + flushed(halves[0] + halves[1]))
    assert np.array_equal(run(level, case)[0], sums * np.float32(case.factor))


def flushed(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(np.abs(values) < np.finfo(np.float32).tiny, np.float32(0), values)


@pytest.mark.parametrize("level", [*levels(), "amx-emulated"])
def test_a_level_passes_the_check_that_tiles_must_pass_before_they_are_used(level: str) -> None:
    check(library().kokoro_check_level(level.encode()))


def test_tiles_by_plain_arithmetic_are_there_for_tests_and_in_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "amx-emulated" not in levels()
    monkeypatch.setenv("WYOMING_KOKORO_LEVEL", "amx-emulated")
    assert choose() == choose("bf16") == ("amx-emulated", "bf16")
    assert choose("int8") == choose("f32") == ("amx-emulated", "f32")


def test_no_level_is_refused_that_is_used() -> None:
    assert not (refused_level() and "amx" in levels())


@pytest.mark.parametrize("level", levels())
def test_silence_stays_silent_in_bytes(level: str) -> None:
    case = Case(form="int8", inputs=32, outputs=32, taps=3, dilation=1, rows=20, curve="none", residual_shift=None)
    for name in ("x", "offset", "bias"):
        case.arrays[name] = np.zeros_like(case.arrays[name])
    assert not run(level, case)[0].any()


@pytest.mark.parametrize(
    "wrong", [{"inputs": 33}, {"outputs": 0}, {"taps": 0}, {"dilation": -1}, {"rows": 0}, {"threads": 0}, {"threads": 257}]
)
def test_a_shape_that_can_not_be_is_refused(wrong: dict[str, int]) -> None:
    case = Case(form="float", inputs=32, outputs=32, taps=1, dilation=1, rows=4)
    for name, value in wrong.items():
        object.__setattr__(case, name, value)
    with pytest.raises(ValueError, match=r"must be|multiples"):
        run("generic", case)


def test_a_level_that_nobody_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WYOMING_KOKORO_LEVEL", "mmx")
    with pytest.raises(UnavailableError, match=r"no level mmx, but .*generic"):
        choose()


def test_the_level_that_is_forced_is_taken_in_a_precision_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WYOMING_KOKORO_LEVEL", "generic")
    assert choose("int8") == choose("bf16") == ("generic", "f32")
    assert precisions("generic") == ("f32",)


def test_left_alone_the_fastest_level_is_taken_in_its_best_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WYOMING_KOKORO_LEVEL", raising=False)
    assert choose() == (levels()[0], precisions(levels()[0])[0])
    assert choose("f32") == (levels()[0], "f32")
