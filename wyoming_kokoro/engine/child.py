"""The engine's process: `python -m wyoming_kokoro.engine.child FD`, FD being its end of a socket pair.

The main thread reads what the server asks for; each slot has a thread that speaks; one more makes phonemes ahead. The process
ends with the socket. It leaves SIGINT and SIGTERM to the server, which decides when it ends.
"""

from __future__ import annotations

import ctypes
import logging
import os
import queue
import signal
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING

from wyoming_kokoro.engine import wire
from wyoming_kokoro.engine.child_config import ChildConfig, open_model
from wyoming_kokoro.engine.frames import encode_frame, receive_frame
from wyoming_kokoro.engine.spare_memory import give_back
from wyoming_kokoro.engine.speech_model import Stop, StoppedError
from wyoming_kokoro.model.errors import VoiceOfAHouseError

if TYPE_CHECKING:
    from wyoming_kokoro.engine.frames import Header
    from wyoming_kokoro.engine.speech_model import SpeechModel
    from wyoming_kokoro.engine.weights import Step
    from wyoming_kokoro.model.recipe import Utterance

_LOGGER = logging.getLogger(__name__)
_PR_SET_PDEATHSIG = 1
_REST_SECONDS = 2.0
"""Without a sentence for so long, the process is at rest."""


class Child:
    """Serves one socket with one model."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._sending = threading.Lock()
        self._wanted: queue.SimpleQueue[tuple[int, Utterance, Stop]] = queue.SimpleQueue()
        self._ahead: queue.SimpleQueue[Utterance] = queue.SimpleQueue()
        self._stops: dict[int, Stop] = {}
        self._guard = threading.Lock()

    def run(self) -> None:
        """Serve until the socket ends."""
        first = receive_frame(self._socket)
        if first is None:
            return
        config = ChildConfig.of(first.header)
        os.nice(config.niceness)
        try:
            model = open_model(config, self._report)
            model.warm_up()
        except VoiceOfAHouseError as error:
            self._send(encode_frame({"op": "unavailable", "reason": str(error)}))
            return
        for _ in range(config.slots):
            threading.Thread(target=self._speak_all, args=(model,), daemon=True).start()
        threading.Thread(target=self._prepare_all, args=(model,), daemon=True).start()
        self._send(encode_frame({"op": "ready"}))
        while frame := receive_frame(self._socket):
            self._obey(frame.header)

    def _obey(self, header: Header) -> None:
        if header["op"] == "speak":
            stop = Stop()
            with self._guard:
                self._stops[header["number"]] = stop
            self._wanted.put((header["number"], wire.utterance_of(header), stop))
        elif header["op"] == "prepare":
            self._ahead.put(wire.utterance_of(header))
        elif header["op"] == "cancel":
            with self._guard:
                stop_or_none = self._stops.get(header["number"])
            if stop_or_none is not None:
                stop_or_none.set()

    def _speak_all(self, model: SpeechModel) -> None:
        while True:
            number, utterance, stop = self._next()
            answer = self._speak(model, number, utterance, stop)
            with self._guard:
                del self._stops[number]
            self._send(answer)

    def _next(self) -> tuple[int, Utterance, Stop]:
        try:
            return self._wanted.get(timeout=_REST_SECONDS)
        except queue.Empty:
            give_back()  # what loading, or the last sentences, took
        return self._wanted.get()

    def _speak(self, model: SpeechModel, number: int, utterance: Utterance, stop: Stop) -> bytes:
        began = time.perf_counter()
        try:
            stop.check()
            self._send(encode_frame({"op": "started", "number": number}))
            spoken = model.speak(utterance, stop)
            return wire.spoken_frame(number, spoken.pcm, spoken.words, time.perf_counter() - began)
        except StoppedError:
            return encode_frame({"op": "stopped", "number": number})
        except VoiceOfAHouseError as error:
            return wire.failed_frame(number, error)
        except Exception as error:  # a fault of ours costs this sentence, not the process
            _LOGGER.exception("speaking failed")
            return wire.failed_frame(number, error)

    def _prepare_all(self, model: SpeechModel) -> None:
        while True:
            utterance = self._ahead.get()
            try:
                model.prepare(utterance)
            except Exception as error:  # noqa: BLE001  it comes up again, and is told, when the sentence is spoken
                _LOGGER.debug("not prepared: %s", error)

    def _report(self, step: Step) -> None:
        self._send(encode_frame({"op": "busy", "what": step.what, "done": step.done_bytes, "total": step.total_bytes}))

    def _send(self, data: bytes) -> None:
        with self._sending:
            self._socket.sendall(data)


def main(descriptor: int) -> None:
    """Serve that socket; returns when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _die_with_parent()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_DATASETS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    with socket.socket(fileno=descriptor) as sock:
        try:
            Child(sock).run()
        except (BrokenPipeError, ConnectionResetError):
            _LOGGER.info("the server is gone")
    sys.stderr.flush()
    os._exit(0)  # threads may be deep in the model: nothing in this process is worth waiting for


def _die_with_parent() -> None:
    """Ask the kernel to kill this process when the server dies, even while it can't read its socket."""
    try:
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        _LOGGER.debug("this system has no prctl; the end of the socket tells as well")


if __name__ == "__main__":
    main(int(sys.argv[1]))
