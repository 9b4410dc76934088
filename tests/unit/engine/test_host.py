"""The engine's process: its deaths, its limits, and who ends it. Real processes that play tones."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.frames import Frame
from wyoming_kokoro.engine.host import HostedEngine
from wyoming_kokoro.model.errors import (
    EngineDiedError,
    EngineUnavailableError,
    SynthesisCancelledError,
    SynthesisError,
)
from wyoming_kokoro.model.recipe import Boundary, Utterance


class ImpatientClock:
    """Waits for nothing, and remembers for how long it was asked to."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    def entropy(self, size: int) -> bytes:
        return os.urandom(size)


def sentence(spoken: str = "The front door is open.") -> Utterance:
    return Utterance(
        spoken=spoken,
        voice="af_heart",
        speed=1.0,
        language="en-US",
        opens=Boundary.START,
        closes=Boundary.SENTENCE,
        model="tone-1",
    )


class WatchedEngine(HostedEngine):
    """Tells when its process has told anything."""

    changed: asyncio.Event

    def _take(self, frame: Frame) -> None:
        super()._take(frame)
        self.changed.set()

    async def until_under_way(self, count: int) -> None:
        """Wait until the process has begun so many sentences that it has not ended."""
        while sum(call.is_started for call in self._calls._flying.values()) < count:
            self.changed.clear()
            async with asyncio.timeout(30):
                await self.changed.wait()


Make = Callable[..., WatchedEngine]


@pytest_asyncio.fixture
async def make() -> AsyncIterator[Make]:
    engines: list[WatchedEngine] = []

    def build(
        *, limit_seconds: float = 30.0, slots: int = 1, clock: ImpatientClock | None = None, **faults: float
    ) -> WatchedEngine:
        config = ChildConfig(model="tone", slots=slots, faults=tuple(faults.items()))
        engine = WatchedEngine(config, clock or ImpatientClock(), fingerprint="tone-1", limit_seconds=limit_seconds)
        engine.changed = asyncio.Event()
        engines.append(engine)
        return engine

    yield build
    for engine in engines:
        await engine.stop()


async def under_way(engine: WatchedEngine, utterance: Utterance) -> asyncio.Task[object]:
    """The call of a sentence that the process has begun."""
    call: asyncio.Task[object] = asyncio.ensure_future(engine.synthesize(utterance))
    await engine.until_under_way(1)
    return call


def gone(pid: int) -> bool:
    """Wait until that process has ended, which may be nobody's child of ours."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 30)[0])
    finally:
        os.close(descriptor)


async def test_a_kill_in_mid_sentence_costs_that_sentence_and_the_next_one_is_served_by_a_new_process(make: Make) -> None:
    engine = make(realtime_factor=0.01)
    await engine.start()
    first = engine.pid
    assert first is not None
    call = await under_way(engine, sentence())
    os.kill(first, signal.SIGKILL)
    with pytest.raises(EngineDiedError, match="signal 9"):
        await call
    await engine.start()
    assert engine.pid not in (None, first)


async def test_sentences_that_only_waited_when_the_process_died_are_spoken_all_the_same(make: Make) -> None:
    engine = make(die_at=2)
    texts = [sentence(text) for text in ("One.", "Two.", "Three.")]
    results = await asyncio.gather(*map(engine.synthesize, texts), return_exceptions=True)
    assert [isinstance(result, EngineDiedError) for result in results] == [False, True, False]


async def test_p101_a_sentence_that_takes_too_long_is_an_error_and_ends_the_process(make: Make) -> None:
    engine = make(hang_at=2, limit_seconds=1.0)
    await engine.synthesize(sentence("One."))
    first = engine.pid
    with pytest.raises(EngineDiedError, match="ran out of time"):
        await engine.synthesize(sentence("Two."))
    assert (await engine.synthesize(sentence("Three."))).pcm
    assert engine.pid != first


async def test_a_cancelled_sentence_that_does_not_stop_ends_the_process_too(make: Make) -> None:
    engine = make(hang_at=1, limit_seconds=1.0)
    hanging = sentence("One.")
    call = await under_way(engine, hanging)
    first = engine.pid
    engine.cancel(hanging)
    with pytest.raises(SynthesisCancelledError):
        await call
    await asyncio.gather(engine.synthesize(sentence("Two.")), return_exceptions=True)
    assert engine.pid != first


async def test_a_cancelled_sentence_frees_its_slot_long_before_it_would_have_ended(make: Make) -> None:
    engine = make(realtime_factor=0.0001)
    utterance = sentence()
    call = await under_way(engine, utterance)
    engine.cancel(utterance)
    with pytest.raises(SynthesisCancelledError):
        await call
    second = await under_way(engine, sentence("Another one."))
    second.cancel()


async def test_a_sentence_that_can_not_be_spoken_costs_nobody_the_process(make: Make) -> None:
    engine = make(fail_at=1)
    with pytest.raises(SynthesisError, match="told to fail"):
        await engine.synthesize(sentence())
    first = engine.pid
    assert (await engine.synthesize(sentence())).pcm
    assert engine.pid == first


async def test_two_slots_have_two_sentences_under_way_at_once(make: Make) -> None:
    engine = make(slots=2, realtime_factor=0.0001)
    calls = [asyncio.ensure_future(engine.synthesize(sentence(text))) for text in ("One.", "Two.", "Three.")]
    await engine.until_under_way(2)
    assert len(engine._calls._waiting) == 1
    for call in calls:
        call.cancel()


async def test_an_engine_that_says_why_it_does_not_come_up_is_believed_at_once(make: Make) -> None:
    clock = ImpatientClock()
    engine = make(clock=clock, fail_start=1)
    with pytest.raises(EngineUnavailableError, match="told not to come up"):
        await engine.start()
    with pytest.raises(EngineUnavailableError, match="told not to come up"):
        await engine.synthesize(sentence())


async def test_a_process_that_dies_before_it_is_ready_is_tried_three_times_and_its_last_words_are_told(make: Make) -> None:
    clock = ImpatientClock()
    engine = make(clock=clock, fail_start=2)
    waiting = asyncio.ensure_future(engine.synthesize(sentence()))
    with pytest.raises(EngineUnavailableError, match=r"told to die at once, killed by signal 9"):
        await engine.start()
    with pytest.raises(EngineUnavailableError):
        await waiting
    assert clock.slept[:2] == [0.0, 0.5]


async def test_stopping_in_the_middle_of_a_start_leaves_no_process_behind(make: Make) -> None:
    engine = make()
    starting = asyncio.ensure_future(engine.start())
    await asyncio.sleep(0)
    await engine.stop()
    with pytest.raises(EngineUnavailableError, match="stopped"):
        await starting
    assert engine.pid is None


async def test_whoever_waits_when_the_engine_is_stopped_is_told(make: Make) -> None:
    engine = make(realtime_factor=0.0001)
    call = await under_way(engine, sentence())
    waiting = asyncio.ensure_future(engine.synthesize(sentence("Another one.")))
    await asyncio.sleep(0)
    await engine.stop()
    results = await asyncio.gather(call, waiting, return_exceptions=True)
    assert all(isinstance(result, EngineUnavailableError) for result in results)
    with pytest.raises(EngineUnavailableError, match="stopped"):
        await engine.synthesize(sentence())


async def test_a_stopped_engine_leaves_no_process_and_no_files_behind(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    engine = make()
    await engine.start()
    pid = engine.pid
    assert pid is not None
    await engine.stop()
    assert gone(pid)
    assert os.listdir(tmp_path) == []  # noqa: PTH208  pathlib would block the loop, too


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_the_process_leaves_the_signals_of_its_group_to_the_server(make: Make, number: signal.Signals) -> None:
    engine = make()
    await engine.start()
    first = engine.pid
    assert first is not None
    os.kill(first, number)
    assert (await engine.synthesize(sentence())).pcm
    assert engine.pid == first


SERVER = """
import asyncio
from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.host import HostedEngine

async def main():
    engine = HostedEngine(ChildConfig(model="tone"), None, fingerprint="tone-1")
    await engine.start()
    print(engine.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def test_the_process_ends_when_the_server_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        server.kill()
    assert gone(pid)


HEAVY = {"numpy", "onnx", "onnxruntime", "torch", "spacy", "misaki", "phonemizer", "soundfile"}


def test_the_servers_own_process_never_loads_the_models_libraries() -> None:
    code = (
        "import sys, wyoming_kokoro.engine.build, wyoming_kokoro.engine.weights, wyoming_kokoro.engine.voices;"
        f"print(sorted({HEAVY!r} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
