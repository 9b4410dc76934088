"""What all tests share."""

from __future__ import annotations

import asyncio

import hypothesis
import pytest

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
