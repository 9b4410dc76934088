"""What all tests share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import hypothesis
import pytest

from benchmarks.s2_lite import S2Lite
from tests.fake_s2 import FakeS2

# The machine may be busy: how long an example takes says nothing.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    """Warnings are errors, but for what libraries say about themselves."""
    # The wyoming library uses the standard library's audioop where there is one, and brings its own where there is none.
    config.addinivalue_line("filterwarnings", "ignore:'audioop' is deprecated:DeprecationWarning")


def pytest_sessionstart() -> None:
    """No loop without an owner: looptime asks for the current one, and the first question would make one that nobody closes."""
    asyncio.set_event_loop(None)


@pytest.fixture(scope="session")
def running_s2_lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S2Lite]:
    """One for all; each test takes a basin of its own."""
    server = S2Lite(tmp_path_factory.mktemp("s2-lite"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def fake_s2() -> AsyncIterator[FakeS2]:
    """A fake S2 that runs."""
    server = FakeS2()
    await server.start()
    yield server
    await server.stop()
