"""`wyoming-kokoro worker`: makes casts beside servers and other workers on one journal, until it is told to stop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wyoming_kokoro import app
from wyoming_kokoro.cli.exit_status import ExitStatus

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.settings.tree import Settings


def run(_arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Work until SIGTERM or SIGINT."""
    asyncio.run(app.work(settings))
    return ExitStatus.DONE
