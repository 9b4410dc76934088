"""How far the speech is, told on standard error: a bar on a terminal, plain lines everywhere else."""

from __future__ import annotations

import sys
from typing import IO, Protocol

from wyoming_kokoro.cli.one_line import one_line

_BAR_CHARS = 30


class Progress(Protocol):
    """Told of every sentence. What was told before is not touched by `tell`."""

    def sentence(self, number: int, text: str, seconds: float, share: float) -> None:
        """The sentence of that number, from 1 on, lasts so long; `share` of the text, from 0 to 1, is spoken now."""
        ...

    def tell(self, line: str) -> None:
        """A line of its own."""
        ...

    def close(self) -> None:
        """Nothing more comes."""
        ...


def open_progress(stream: IO[str] | None = None) -> Progress:
    """What suits the stream, standard error where none is named."""
    stream = stream or sys.stderr
    return Bar(stream) if stream.isatty() else Lines(stream)


class Lines:
    """A line for each sentence."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def sentence(self, number: int, text: str, seconds: float, share: float) -> None:
        """See `Progress`."""
        self.tell(f"sentence {number}, {share:.0%}: {seconds:.2f} s of sound: {one_line(text)}")

    def tell(self, line: str) -> None:
        """See `Progress`."""
        print(line, file=self._stream, flush=True)

    def close(self) -> None:
        """See `Progress`."""


class Bar:
    """One line that is written over and over."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._seconds: dict[int, float] = {}
        self._is_drawn = False

    def sentence(self, number: int, text: str, seconds: float, share: float) -> None:
        """See `Progress`."""
        self._seconds = {each: known for each, known in self._seconds.items() if each < number} | {number: seconds}
        full = round(_BAR_CHARS * share)
        bar = "#" * full + "-" * (_BAR_CHARS - full)
        line = f"[{bar}] {share:4.0%}  sentence {number}, {sum(self._seconds.values()):.1f} s of sound"
        print(f"\r{line}\x1b[K", end="", file=self._stream, flush=True)
        self._is_drawn = True

    def tell(self, line: str) -> None:
        """See `Progress`."""
        self.close()
        print(line, file=self._stream, flush=True)

    def close(self) -> None:
        """Leave the bar where it is, and go to the next line."""
        if self._is_drawn:
            print(file=self._stream, flush=True)
        self._is_drawn = False
