"""Draws icon.png and logo.png: a house with a voice in it. Needs numpy alone; the same dots on every machine.

A shape is a signed distance, in units of the icon's 128 dots, negative inside; where it crosses zero the edge is smooth.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float64]

ROOT = Path(__file__).parents[1]
SKY, DUSK = (0x22, 0xB8, 0xF0), (0x6C, 0x4D, 0xF2)
INK = (0x53, 0x79, 0xF2)
WHITE = (0xFF, 0xFF, 0xFF)
VOICE = (14.0, 34.0, 50.0, 28.0, 14.0)
"""Heights of the bars of the voice."""


class Canvas:
    """Dots of one picture, transparent at first; `scale` is dots a unit, `top` how much room there is above, in units."""

    def __init__(self, width: int, height: int, scale: float, top: float = 0.0) -> None:
        rows, columns = np.mgrid[0:height, 0:width]
        self.x: Plane = (columns + 0.5) / scale
        self.y: Plane = (rows + 0.5) / scale - top
        self._scale = scale
        self._colour = np.zeros((height, width, 3))
        self._alpha = np.zeros((height, width, 1))

    def fill(self, distance: Plane, colour: NDArray[np.float64] | tuple[int, int, int]) -> None:
        """Paints the shape over what is there."""
        cover = np.clip(0.5 - distance * self._scale, 0.0, 1.0)[..., None]
        alpha = cover + self._alpha * (1.0 - cover)
        mixed = np.asarray(colour, dtype=np.float64) * cover + self._colour * self._alpha * (1.0 - cover)
        self._colour = np.where(alpha > 0.0, mixed / np.maximum(alpha, 1e-9), 0.0)
        self._alpha = alpha

    def gradient(self) -> NDArray[np.float64]:
        """From the sky at the top left of the icon to dusk at its bottom right."""
        along = np.clip((self.x / 2.0 + self.y) / 190.0, 0.0, 1.0)[..., None]
        return np.asarray(SKY) * (1.0 - along) + np.asarray(DUSK) * along

    def png(self) -> bytes:
        """The picture as a file, 8 bits RGBA, every line without a filter."""
        dots = np.concatenate([self._colour, self._alpha * 255.0], axis=2).round().astype(np.uint8)
        height, width, _ = dots.shape
        lines = b"".join(b"\0" + line.tobytes() for line in dots)
        head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines, 9)) + _chunk(b"IEND", b"")


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def line(canvas: Canvas, start: tuple[float, float], end: tuple[float, float], thickness: float) -> Plane:
    """A stroke with round ends."""
    across, down = end[0] - start[0], end[1] - start[1]
    x, y = canvas.x - start[0], canvas.y - start[1]
    along = np.clip((x * across + y * down) / (across * across + down * down), 0.0, 1.0)
    return np.hypot(x - across * along, y - down * along) - thickness / 2.0


def ring(canvas: Canvas, centre: tuple[float, float], radius: float, thickness: float) -> Plane:
    """A circle."""
    return np.abs(np.hypot(canvas.x - centre[0], canvas.y - centre[1]) - radius) - thickness / 2.0


def polygon(canvas: Canvas, corners: list[tuple[float, float]], roundness: float) -> Plane:
    """A convex shape, its corners clockwise, grown by `roundness` with round corners."""
    far = np.full_like(canvas.x, np.inf)
    inside = np.ones_like(canvas.x, dtype=bool)
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        far = np.minimum(far, line(canvas, (x0, y0), (x1, y1), 0.0))
        inside &= (x1 - x0) * (canvas.y - y0) - (y1 - y0) * (canvas.x - x0) >= 0.0
    return np.where(inside, -far, far) - roundness


def draw_house(canvas: Canvas) -> None:
    """The house, from 4 to 124 in both directions, with the voice in it."""
    roof = polygon(canvas, [(64.0, 14.0), (114.0, 58.0), (14.0, 58.0)], 8.0)
    walls = polygon(canvas, [(30.0, 52.0), (98.0, 52.0), (98.0, 110.0), (30.0, 110.0)], 10.0)
    canvas.fill(np.minimum(roof, walls), canvas.gradient())
    for index, height in enumerate(VOICE):
        x = 64.0 + 13.0 * (index - 2)
        canvas.fill(line(canvas, (x, 77.0 - height / 2.0), (x, 77.0 + height / 2.0), 7.0), WHITE)


def draw_name(canvas: Canvas, left: float) -> None:
    """The word kokoro in strokes, from `left` on, its small letters between 50 and 92."""
    thick, low, middle, radius = 9.0, 92.0, 71.0, 17.0

    x = left + thick / 2.0
    for letter in "kokoro":
        if letter == "o":
            x += radius
            canvas.fill(ring(canvas, (x, middle), radius, thick), INK)
            x += radius + 13.0
        elif letter == "k":
            canvas.fill(line(canvas, (x, 30.0), (x, low - 4.5), thick), INK)
            canvas.fill(line(canvas, (x + 1.0, 74.0), (x + 20.0, 54.0), thick), INK)
            canvas.fill(line(canvas, (x + 9.0, 67.0), (x + 22.0, low - 4.5), thick), INK)
            x += 33.0
        else:
            canvas.fill(line(canvas, (x, 54.0), (x, low - 4.5), thick), INK)
            bow = ring(canvas, (x + 15.0, 69.0), 15.0, thick)
            upper_left = np.maximum(canvas.x - (x + 16.0), canvas.y - 69.0)
            canvas.fill(np.maximum(bow, upper_left), INK)
            canvas.fill(line(canvas, (x + 16.0, 54.0), (x + 17.0, 54.0), thick), INK)
            x += 27.0


def icon() -> bytes:
    """128 by 128."""
    canvas = Canvas(128, 128, 1.0)
    draw_house(canvas)
    return canvas.png()


def logo() -> bytes:
    """250 by 100: the house, and the name beside it."""
    canvas = Canvas(250, 100, 0.66, top=11.0)
    draw_house(canvas)
    draw_name(canvas, 140.0)
    return canvas.png()


if __name__ == "__main__":
    (ROOT / "icon.png").write_bytes(icon())
    (ROOT / "logo.png").write_bytes(logo())
