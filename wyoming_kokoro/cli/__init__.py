"""The command line: arguments to Settings, then the server or one command; exit codes."""

from wyoming_kokoro.cli.entry import main

__all__ = ["main"]
