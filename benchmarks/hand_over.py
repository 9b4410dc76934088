"""How sound comes from one process into another: a socket pair with frames, as the engine does it, beside shared memory.

python -m benchmarks.hand_over

The shared block is made beforehand and used again; a frame without payload says that it is full, and the receiver copies it
out, since the block is written again while the sound lives on. Five seconds of sound, as the engine's sentences are.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import time
from multiprocessing.shared_memory import SharedMemory

from benchmarks.figure import Figure, print_figures
from wyoming_kokoro.engine.frames import encode_frame, read_frame
from wyoming_kokoro.model.audio import SPEECH

SECTION = "hand-over"
_SOUND = bytes(range(256)) * (5 * SPEECH.rate * 2 // 256)
_ROUNDS = 300


def _send(theirs: socket.socket, block: str) -> None:
    """Sends the sound by a frame for every `f` that it is sent, by the block for every `s`."""
    shared = SharedMemory(block)
    while request := theirs.recv(1):
        if request == b"f":
            theirs.sendall(encode_frame({"op": "spoken", "number": 1}, _SOUND))
        else:
            shared.buf[: len(_SOUND)] = _SOUND
            theirs.sendall(encode_frame({"op": "spoken", "number": 1}))
    shared.close()


async def measure() -> list[Figure]:
    """Both ways in turn."""
    ours, theirs = socket.socketpair()
    shared = SharedMemory(create=True, size=len(_SOUND))
    child = multiprocessing.get_context("spawn").Process(target=_send, args=(theirs, shared.name))
    child.start()
    theirs.close()
    reader, writer = await asyncio.open_connection(sock=ours)
    try:
        ratios, spent = [], []
        for turn in range(_ROUNDS + 10):
            framed = await _framed(reader, writer)
            blocked = await _blocked(reader, writer, shared)
            if turn >= 10:
                ratios.append(framed / blocked)
                spent.append(1e6 * framed)
    finally:
        writer.close()
        await writer.wait_closed()
        child.join()
        shared.close()
        shared.unlink()
    return [
        Figure.of(SECTION, "5 s of sound by a socket pair", spent, "us"),
        Figure.of(SECTION, "socket pair / shared memory", ratios, "x"),
    ]


async def _framed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> float:
    began = time.perf_counter()
    writer.write(b"f")
    frame = await read_frame(reader)
    spent = time.perf_counter() - began
    assert frame is not None
    assert frame.payload == _SOUND
    return spent


async def _blocked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, shared: SharedMemory) -> float:
    began = time.perf_counter()
    writer.write(b"s")
    await read_frame(reader)
    sound = bytes(shared.buf[: len(_SOUND)])
    spent = time.perf_counter() - began
    assert sound == _SOUND
    return spent


if __name__ == "__main__":
    print_figures(asyncio.run(measure()))
