"""`wyoming-kokoro doctor`: is everything there, does it work, and what is to be done where it does not."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.checkup.finding import State
from wyoming_kokoro.cli.checkup.server import check_server
from wyoming_kokoro.cli.checkup.storage import check_disk, check_journal
from wyoming_kokoro.cli.checkup.voice import check_libraries, check_model, check_voices, measure_engines
from wyoming_kokoro.cli.exit_status import ExitStatus

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from wyoming_kokoro.cli.checkup.finding import Finding
    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Print what was found as it is found, or all as JSON; FAILED where something is wrong."""
    findings = []
    for finding in _checkup(arguments, settings):
        findings.append(finding)
        if not arguments.json:
            print(_lines(finding), flush=True)
    is_well = all(finding.state is not State.WRONG for finding in findings)
    if arguments.json:
        print(json.dumps({"ok": is_well, "checks": [asdict(finding) for finding in findings]}, ensure_ascii=False, indent=2))
    return ExitStatus.DONE if is_well else ExitStatus.FAILED


def _checkup(arguments: argparse.Namespace, settings: Settings) -> Iterator[Finding]:
    yield check_model(settings.engine)
    yield check_voices(settings.engine)
    yield check_libraries(settings.engine)
    yield check_disk(settings.data_dir, settings.retention)
    yield check_journal(settings.data_dir, settings.journal)
    yield from check_server(arguments.server, settings)
    if arguments.measure:
        yield from measure_engines(settings.engine)


def _lines(finding: Finding) -> str:
    line = f"{finding.state:<6} {finding.name:<8} {finding.found}"
    return f"{line}\n{'':<16}{finding.advice}" if finding.advice else line
