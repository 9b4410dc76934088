"""The pictures of the app are those that the script draws."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scripts.draw_pictures import icon, logo

ROOT = Path(__file__).parents[3]


def dots(png: bytes) -> NDArray[np.int16]:
    """Height by width by RGBA, of a file whose lines have no filter."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, chunks = 8, {}
    while place < len(png):
        (size,) = struct.unpack(">I", png[place : place + 4])
        chunks[png[place + 4 : place + 8]] = png[place + 8 : place + 8 + size]
        place += size + 12
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 6, 0, 0, 0]
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 4 * width)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, 4).astype(np.int16)


@pytest.mark.parametrize(("name", "draw", "width", "height"), [("icon.png", icon, 128, 128), ("logo.png", logo, 250, 100)])
def test_a_picture_is_as_the_script_draws_it(name: str, draw: Callable[[], bytes], width: int, height: int) -> None:
    stored, drawn = dots((ROOT / name).read_bytes()), dots(draw())
    assert stored.shape == drawn.shape == (height, width, 4)
    # Another processor may round the last bit of a colour the other way.
    assert np.abs(stored - drawn).max() <= 1, "run scripts/draw_pictures.py"


@pytest.mark.parametrize("name", ["icon.png", "logo.png"])
def test_a_picture_stands_on_whatever_is_behind_it(name: str) -> None:
    alpha = dots((ROOT / name).read_bytes())[..., 3]
    assert alpha[0, 0] == alpha[-1, -1] == 0
    assert alpha.max() == 255
    assert ((alpha > 0) & (alpha < 255)).any(), "edges are smooth"
