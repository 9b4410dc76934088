"""The command line: arguments to Settings, then the server or one command; exit codes."""


def main() -> int:
    """Run the command line; returns the exit status."""
    raise NotImplementedError
