"""Virtual time: an event loop whose clock jumps to the next timer, and processes in it that can be killed.

Nothing here waits for real time, and one seed gives one order of events. A loop in which nothing can happen any more says so
at once, so a test that would hang fails instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import heapq
import selectors
from collections.abc import Callable, Coroutine, Iterator
from contextvars import ContextVar, copy_context
from random import Random
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)
_EPOCH_MS = 1_750_000_000_000


class NothingCanHappenError(AssertionError):
    """Every task waits for something that will never come."""


class _Timetable(selectors.BaseSelector):
    """Never has a socket to report; waiting moves the clock."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            waiting = sorted(task.get_name() for task in asyncio.all_tasks(self._loop))
            raise NothingCanHappenError(f"nothing can happen any more; these wait: {', '.join(waiting)}")
        self._loop.now += max(0.0, timeout)
        return []

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        raise NotImplementedError("there are no sockets in virtual time")

    unregister = register  # type: ignore[assignment]  # neither is ever called

    def get_map(self) -> Any:
        return {}


class VirtualLoop(asyncio.base_events.BaseEventLoop):
    """An event loop without sockets and threads, whose time is virtual."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._selector = _Timetable(self)
        self._clock_resolution = 1e-9
        self.paused: set[Process] = set()
        """Those whose turn does not come."""
        self.set_task_factory(_create_task)  # type: ignore[arg-type]  # what Python 3.11 and 3.12 pass differs

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        """One round: time jumps to the next timer if nothing is ready; then all that is ready by now has its turn."""
        ready, scheduled = self._ready, self._scheduled  # type: ignore[attr-defined]  # the loop's own queues
        while scheduled and scheduled[0]._cancelled:
            heapq.heappop(scheduled)._scheduled = False
        if not ready and not self._stopping:  # type: ignore[attr-defined]  # the loop's own
            self._selector.select(scheduled[0]._when - self.now if scheduled else None)
        while scheduled and scheduled[0]._when <= self.now:
            timer = heapq.heappop(scheduled)
            timer._scheduled = False
            ready.append(timer)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled and not (self.paused and self._hold_back(handle)):
                handle._run()

    def _hold_back(self, handle: asyncio.Handle) -> bool:
        process = handle._context.get(_PROCESS)  # type: ignore[attr-defined]  # it has no public name
        if process is None or process not in self.paused:
            return False
        process.held_back.append(handle)
        return True

    def handles(self) -> list[asyncio.Handle]:
        """Everything that is due now or later."""
        return [*self._ready, *self._scheduled]  # type: ignore[attr-defined]  # the loop's own queues

    def _process_events(self, event_list: list[object]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


def _create_task(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], **kwargs: Any) -> asyncio.Task[T]:
    task: asyncio.Task[T] = asyncio.Task(work, loop=loop, **kwargs)
    context = kwargs.get("context")
    process = _PROCESS.get() if context is None else context.get(_PROCESS)
    if process is not None:
        process.adopt(task)
    return task


class Process:
    """Tasks and timers that live and die together, with all that they start."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_dead = False
        self.held_back: list[asyncio.Handle] = []
        """What had its turn while the process was paused."""
        self._tasks: dict[asyncio.Task[Any], None] = {}

    def start(self, work: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
        """Run it in this process."""
        context = copy_context()
        context.run(_PROCESS.set, self)
        return asyncio.get_running_loop().create_task(work, name=f"{self.name}.{name}", context=context)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """What is started within this block belongs to the process."""
        token = _PROCESS.set(self)
        try:
            yield
        finally:
            _PROCESS.reset(token)

    def adopt(self, task: asyncio.Task[Any]) -> None:
        """It belongs to the process from its first step on."""
        if self.is_dead:
            task.cancel()
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))

    @property
    def running(self) -> list[str]:
        """Names of its tasks."""
        return [task.get_name() for task in self._tasks]

    def pause(self) -> None:
        """Stop it where it is, as SIGSTOP does: time passes, its turn does not come."""
        _loop().paused.add(self)

    def resume(self) -> None:
        """Go on; what has become due meanwhile happens now, in order."""
        loop = _loop()
        if self in loop.paused:
            loop.paused.discard(self)
            loop._ready.extend(self.held_back)  # type: ignore[attr-defined]  # the loop's own queue
            self.held_back = []

    async def kill(self) -> None:
        """Cancel all of it at once; returns when nothing of it is left. To be called from outside."""
        self.is_dead = True
        self.resume()
        self._cancel_timers()
        while tasks := list(self._tasks):
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        self._cancel_timers()

    def _cancel_timers(self) -> None:
        for handle in _loop().handles():
            context = handle._context  # type: ignore[attr-defined]  # it has no public name
            if isinstance(handle, asyncio.TimerHandle) and context.get(_PROCESS) is self:
                handle.cancel()


def _loop() -> VirtualLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


class VirtualClock:
    """`ports.Clock` in virtual time, with ids and tokens from a seed."""

    def __init__(self, random: Random | None = None) -> None:
        self._random = Random(0) if random is None else random
        self.wrong_by_seconds = 0.0
        """How far the time of day is off; may jump."""

    def now_ms(self) -> int:
        """Unix time in milliseconds."""
        return _EPOCH_MS + round(1000 * (self.monotonic() + self.wrong_by_seconds))

    def monotonic(self) -> float:
        """The loop's seconds."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait that long; it takes no time."""
        await asyncio.sleep(seconds)

    def entropy(self, size: int) -> bytes:
        """The next bytes of the seed."""
        return self._random.randbytes(size)


def run_virtually(work: Coroutine[Any, Any, T]) -> T:
    """Run it to its end in virtual time; raises `NothingCanHappenError` where it would hang."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.run_until_complete(_clear_up(asyncio.all_tasks(loop)))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _clear_up(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def virtually(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make an asynchronous test one that runs in virtual time."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def leaving_nothing() -> None:
            await test(*args, **kwargs)
            await asyncio.sleep(0)
            left = sorted(task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task())
            assert not left, f"these tasks are left behind: {left}"

        run_virtually(leaving_nothing())

    return run


async def pass_time(seconds: float) -> None:
    """Let virtual time pass; on a loop whose time is real it refuses."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop), "only virtual time may be waited for"
    passed = loop.create_future()
    loop.call_later(seconds, lambda: passed.done() or passed.set_result(None))
    await passed
