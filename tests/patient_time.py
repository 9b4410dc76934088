"""Virtual time with real sockets: the clock of the loop jumps to the next timer, but only when no socket has anything to say.

Both ends of every socket are in this process, so what was sent is there to be read at once; the loop waits a moment all the
same.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from random import Random
from typing import Any

_MOMENT_SECONDS = 0.001


class _PatientSelector(selectors.DefaultSelector):  # type: ignore[valid-type, misc]  # the class depends on the system
    """Waiting moves the loop's clock instead of taking time."""

    loop: PatientLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if ready or timeout == 0:
            return ready
        is_still = not self.loop.threads
        ready = super().select(_MOMENT_SECONDS if is_still and timeout is not None else timeout)
        if not ready and timeout is not None and is_still:
            self.loop.now += max(0.0, timeout)
        return ready


class PatientLoop(asyncio.SelectorEventLoop):
    """Its time is virtual, its sockets and threads are real."""

    def __init__(self) -> None:
        selector = _PatientSelector()
        selector.loop = self
        self.now = 1000.0
        self.threads: set[asyncio.Future[Any]] = set()
        """Work in threads takes real time, in which the clock stands still."""
        super().__init__(selector)

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = super().run_in_executor(executor, func, *args)
        self.threads.add(future)
        future.add_done_callback(self.threads.discard)
        return future


class PatientClock:
    """`ports.Clock` on the loop's time."""

    def __init__(self) -> None:
        self._random = Random(7)

    def now_ms(self) -> int:
        return round(self.monotonic() * 1000)

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def entropy(self, size: int) -> bytes:
        return self._random.randbytes(size)

    async def until(self, condition: Callable[[], bool], *, most_seconds: float = 1000.0) -> None:
        """Let time pass until that is so; a TimeoutError where it never is."""
        async with asyncio.timeout(most_seconds):
            while not condition():
                await self.sleep(0.02)

    async def ended(self, work: Awaitable[Any], *, most_seconds: float = 2000.0) -> Any:
        """What the work gives, however long it takes; not cancelled where it takes longer."""
        async with asyncio.timeout(most_seconds):
            return await asyncio.shield(asyncio.ensure_future(work))


def patiently(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make an asynchronous test one that runs on such a loop; arguments that are asynchronous contexts are entered for it."""

    async def inside(**arguments: Any) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for argument in arguments.values():
                if hasattr(argument, "__aenter__"):
                    await stack.enter_async_context(argument)
            await test(**arguments)

    @functools.wraps(test)
    def run(**arguments: Any) -> None:
        with asyncio.Runner(loop_factory=PatientLoop) as runner:
            runner.run(inside(**arguments))

    return run
