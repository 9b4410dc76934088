"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Warnings are errors, but for what libraries say about themselves."""
    # The wyoming library uses the standard library's audioop where there is one, and brings its own where there is none.
    config.addinivalue_line("filterwarnings", "ignore:'audioop' is deprecated:DeprecationWarning")
