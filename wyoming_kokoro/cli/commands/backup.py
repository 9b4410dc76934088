"""`wyoming-kokoro backup`: keeps what the house has set where a backup of the data directory finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.core.keepsake import Keepsake, read_keepsake
from wyoming_kokoro.core.languages import languages_of
from wyoming_kokoro.core.lexicon import Lexicon
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.journal.sqlite.room_settings import read_room_settings
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME
from wyoming_kokoro.model.errors import BackupError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from wyoming_kokoro.model.room import RoomSetting
    from wyoming_kokoro.settings.tree import Settings


def run(_arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Keep it, and say what and where."""
    lexicon = Lexicon(settings.data_dir, languages_of(KokoroVoices(settings.engine.voice)))
    keepsake = Keepsake(_rooms(settings), lexicon.words().all)
    path = keepsake.write(settings.data_dir)
    print(f"{path}: settings of {len(keepsake.rooms)} rooms, {len(keepsake.words)} words")
    return ExitStatus.DONE


def _rooms(settings: Settings) -> Mapping[str, Sequence[RoomSetting]]:
    """From the journal's file. Where there is none, it was lost, or is not here: what was kept before is all that there is."""
    if (settings.data_dir / FILE_NAME).exists():
        return read_room_settings(settings.data_dir)
    if not settings.data_dir.is_dir():
        raise BackupError(f"there is no data directory {settings.data_dir}: see --data-dir")
    kept = read_keepsake(settings.data_dir)
    return {} if kept is None else kept.rooms
