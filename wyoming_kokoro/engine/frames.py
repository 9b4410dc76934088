"""Frames between the server and the engine's process: a JSON header and a payload, each with its length before it."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import asyncio
    from socket import socket

Header = dict[str, Any]

MAX_HEADER_BYTES = 1 << 22
MAX_PAYLOAD_BYTES = 1 << 27
_LENGTHS = struct.Struct(">II")


class Frame(NamedTuple):
    """What is sent at once."""

    header: Header
    payload: bytes = b""


class FrameError(Exception):
    """The other side does not speak this language, or broke off within a frame."""


def encode_frame(header: Header, payload: bytes = b"") -> bytes:
    """The bytes of a frame; a `FrameError` where it is too long."""
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    _check_lengths(len(text), len(payload))
    return _LENGTHS.pack(len(text), len(payload)) + text + payload


def receive_frame(sock: socket) -> Frame | None:
    """The next frame of a blocking socket; None at its end. Raises `FrameError`."""
    lengths = _receive(sock, _LENGTHS.size)
    if not lengths:
        return None
    header, payload = _check_lengths(*_unpack(lengths))
    return _decode(_receive(sock, header), header, _receive(sock, payload), payload)


async def read_frame(reader: asyncio.StreamReader) -> Frame | None:
    """The next frame of a stream; None at its end. Raises `FrameError`, and `OSError` where the connection breaks."""
    lengths = await _read(reader, _LENGTHS.size)
    if not lengths:
        return None
    header, payload = _check_lengths(*_unpack(lengths))
    return _decode(await _read(reader, header), header, await _read(reader, payload), payload)


def _unpack(lengths: bytes) -> tuple[int, int]:
    if len(lengths) < _LENGTHS.size:
        raise FrameError("broken off within a frame")
    header, payload = _LENGTHS.unpack(lengths)
    return header, payload


def _check_lengths(header: int, payload: int) -> tuple[int, int]:
    if header > MAX_HEADER_BYTES or payload > MAX_PAYLOAD_BYTES:
        raise FrameError(f"a frame of {header} and {payload} bytes is too long")
    return header, payload


def _decode(text: bytes, text_bytes: int, payload: bytes, payload_bytes: int) -> Frame:
    if len(text) < text_bytes or len(payload) < payload_bytes:
        raise FrameError("broken off within a frame")
    try:
        header = json.loads(text)
    except ValueError as error:
        raise FrameError(f"the header is no JSON: {error}") from error
    if not isinstance(header, dict):
        raise FrameError("the header is no object")
    return Frame(header, payload)


def _receive(sock: socket, size: int) -> bytes:
    """That many bytes, or fewer at the end."""
    data = bytearray()
    while len(data) < size:
        part = sock.recv(min(size - len(data), 1 << 20))
        if not part:
            break
        data += part
    return bytes(data)


async def _read(reader: asyncio.StreamReader, size: int) -> bytes:
    """The same of a stream."""
    data = bytearray()
    while len(data) < size:
        part = await reader.read(size - len(data))
        if not part:
            break
        data += part
    return bytes(data)
