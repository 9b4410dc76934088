"""A server that answers what it was told to, byte by byte, and remembers what it was asked."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass
class ScriptedServer:
    """Takes one request per connection; the next answer in the script goes out, then the connection is closed."""

    port: int
    asked: list[str] = field(default_factory=list)
    """Heads and bodies of the requests."""

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def scripted_server(answers: Sequence[bytes | None]) -> Iterator[ScriptedServer]:
    """Serves until the block ends. None in the script is a connection that is left open without a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener, contextlib.ExitStack() as silent:
        server = ScriptedServer(listener.getsockname()[1])

        def serve() -> None:
            for answer in answers:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                server.asked.append(_request(connection))
                if answer is None:
                    silent.enter_context(connection)
                    continue
                with connection:
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server
        finally:
            # Wakes the thread where the script was not used up.
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _request(connection: socket.socket) -> str:
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = int(lengths[0].split(b":")[1]) - len(body) if lengths else 0
    while missing > 0:
        received += (more := connection.recv(65536))
        missing -= len(more)
    return received.decode()


def answer(status: int, document: object) -> bytes:
    """A whole answer in JSON."""
    return raw_answer(status, json.dumps(document).encode())


def raw_answer(status: int, body: bytes, *, length: int | None = None) -> bytes:
    """An answer that promises so many bytes; as many as there are, if nothing else is said."""
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status} X\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n".encode() + body


def refusal(status: int, code: str, message: str, field_name: str | None = None) -> bytes:
    """A failure as our HTTP door says it."""
    return answer(status, {"error": {"message": message, "type": "", "param": field_name, "code": code}})


def event(seq_num: int, name: str, **data: object) -> str:
    """One server-sent event."""
    return f"id: {seq_num}\nevent: {name}\ndata: {json.dumps(data)}\n\n"


def stream(*chunks: str, is_whole: bool = True) -> bytes:
    """An event stream in chunks; broken off where it is not whole."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"".join(f"{len(chunk.encode()):x}\r\n{chunk}\r\n".encode() for chunk in chunks)
    return head + body + (b"0\r\n\r\n" if is_whole else b"")
