"""What runs inside the engine's own process."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wyoming_kokoro.model.audio import WordTiming
    from wyoming_kokoro.model.recipe import Utterance


class Spoken(NamedTuple):
    """The sound of one sentence."""

    pcm: bytes
    words: tuple[WordTiming, ...]


class StoppedError(Exception):
    """The sentence was stopped before it was done."""


class Stop:
    """Ends one sentence from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._act: Callable[[], None] | None = None

    def set(self) -> None:
        """Stop it now, or as soon as it begins."""
        with self._lock:
            self._event.set()
            if self._act is not None:
                self._act()

    def check(self) -> None:
        """A `StoppedError` once it is set."""
        if self._event.is_set():
            raise StoppedError

    def wait(self, seconds: float) -> None:
        """Wait that long, or until it is set."""
        self._event.wait(seconds)
        self.check()

    @contextlib.contextmanager
    def calls(self, act: Callable[[], None]) -> Iterator[None]:
        """While this lasts, `set` calls `act`, from its own thread; a `StoppedError` where it is set already."""
        with self._lock:
            self.check()
            self._act = act
        try:
            yield
        finally:
            with self._lock:
                self._act = None


class SpeechModel(Protocol):
    """Speaks one sentence at a time for each slot; called from several threads at once."""

    def warm_up(self) -> None:
        """Get ready, a sentence having been synthesised at the end. Raises `EngineUnavailableError`."""
        ...

    def prepare(self, utterance: Utterance) -> None:
        """Do for that sentence what can be done without the model itself. Raises as `speak` does."""
        ...

    def speak(self, utterance: Utterance, stop: Stop) -> Spoken:
        """Raises `SynthesisError`, `RefusedError` of some kind, and `StoppedError` where it was stopped."""
        ...
