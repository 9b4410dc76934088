"""One run of the program: parse, load the settings, do the command, and say in one sentence what went wrong."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from typing import TYPE_CHECKING, Protocol, cast

from wyoming_kokoro.cli.arguments import flags_of, parser
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.one_line import one_line
from wyoming_kokoro.model.errors import DoorError, QueueFullError, RefusedError, SettingsError, VoiceOfAHouseError
from wyoming_kokoro.settings.loading import load_settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from wyoming_kokoro.settings.tree import Settings

_LOGGER = logging.getLogger(__name__)


class Command(Protocol):
    """A module of this package that does one command."""

    def run(self, arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
        """Do it. Raises what `main` turns into a sentence and a status."""
        ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, `sys.argv` where no arguments are given; returns the exit status."""
    try:
        return _run(parser().parse_args(arguments))
    except (DoorError, QueueFullError) as error:
        return _complain(error, ExitStatus.FAILED)
    except (SettingsError, RefusedError) as error:
        return _complain(error, ExitStatus.USAGE)
    except VoiceOfAHouseError as error:
        return _complain(error, ExitStatus.FAILED)
    except BrokenPipeError:
        # Whoever read our output has seen enough; the interpreter must not try to flush the rest on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.FAILED
    except OSError as error:
        # A port that is taken, a folder that may not be written: of the machine, not of the program.
        _LOGGER.debug("the operating system refused", exc_info=True)
        return _complain(error, ExitStatus.FAILED)
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED


def _run(arguments: argparse.Namespace) -> ExitStatus:
    in_app = getattr(arguments, "supervisor", False)
    settings = load_settings(flags_of(arguments), os.environ, options_file=arguments.options, in_app=in_app)
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    # Imported by name, so that no command pays for what another one needs.
    command = cast("Command", importlib.import_module(f"wyoming_kokoro.cli.commands.{arguments.command}"))
    return command.run(arguments, settings)


def _complain(error: Exception, status: ExitStatus) -> ExitStatus:
    print(f"wyoming-kokoro: {one_line(str(error))}", file=sys.stderr)
    return status
