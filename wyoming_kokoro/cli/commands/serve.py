"""`wyoming-kokoro serve`: the server, until it is told to stop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wyoming_kokoro import app
from wyoming_kokoro.cli.exit_status import ExitStatus

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.settings.tree import Settings


def run(_arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Serve until SIGTERM or SIGINT."""
    asyncio.run(app.serve(settings))
    return ExitStatus.DONE
