"""`wyoming-kokoro serve`: the server, until it is told to stop."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from wyoming_kokoro import app
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings.supervised import Supervised, find_supervisor

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Serve until SIGTERM or SIGINT."""
    asyncio.run(app.serve(settings, _supervisor() if arguments.supervisor else None))
    return ExitStatus.DONE


def _supervisor() -> Supervised:
    found = find_supervisor(os.environ)
    if found is None:
        raise SettingsError("--supervisor: it is for Home Assistant's app (add-on) alone: there is no SUPERVISOR_TOKEN")
    return found
