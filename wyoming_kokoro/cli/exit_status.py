"""What the program's exit status means."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """One number for each thing that a calling script may want to tell apart."""

    DONE = 0
    FAILED = 1
    """It was asked for rightly, and did not work."""
    USAGE = 2
    """An argument, an option or the text is wrong: trying again would not help."""
    INTERRUPTED = 130
    """Ended by Ctrl-C."""
