"""Inside Home Assistant's app (add-on): where the Supervisor is, and what lies where for every app."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

DATA_DIR = Path("/data")
"""Lasts as long as the app is installed, and is what a backup of it holds."""
OPTIONS_FILE = DATA_DIR / "options.json"
"""What was chosen on the app's page; the Supervisor writes it before each start."""

_ADDRESS_VARIABLE = "WYOMING_KOKORO_SUPERVISOR_URL"
_TOKEN_VARIABLE = "SUPERVISOR_TOKEN"  # noqa: S105 - the name of a variable is no secret
_ADDRESS = "http://supervisor"


class Supervised(NamedTuple):
    """A Supervisor, and the right to ask it."""

    url: str
    """Without a slash at the end."""
    token: str


def find_supervisor(environment: Mapping[str, str]) -> Supervised | None:
    """The Supervisor that has started this process; None where there is none."""
    token = environment.get(_TOKEN_VARIABLE)
    return Supervised(environment.get(_ADDRESS_VARIABLE, _ADDRESS).rstrip("/"), token) if token else None
