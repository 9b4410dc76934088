"""What the house has set comes back to a new journal, and to no other; nothing that was asked for does."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from tests.house import open_house
from tests.pretend_speaker import PretendSpeaker
from tests.room_house import announce, events, household_of
from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.keepsake import FILE_NAME, bring_back, read_keepsake
from wyoming_kokoro.core.lexicon import Lexicon
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME as JOURNAL
from wyoming_kokoro.model.errors import BackupError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, JOBS, room_control_stream
from wyoming_kokoro.model.room import RoomSetting, SettingName
from wyoming_kokoro.text.lexicon import Word

ROOMS = ("hall", "kitchen")
SETTINGS = {"hall": [RoomSetting(name=SettingName.VOLUME, value=0.25)]}


def back_up(data_dir: Path) -> int:
    return main(["backup", "--data-dir", str(data_dir)])


def lose_the_journal(data_dir: Path) -> None:
    found = list(data_dir.glob(f"{JOURNAL}*"))
    assert found
    for path in found:
        path.unlink()


async def lived_in(house: House, lexicon: Lexicon) -> None:
    """Rooms are set and told, and something is announced."""
    lexicon.put(Word(word="Siobhan", say="Shivawn"))
    await house.rooms.set("hall", volume=0.4, voice="bf_emma", dnd=True)
    await house.rooms.set("hall", volume=0.25, dnd=False, speed=1.5)
    await house.rooms.set("hall", speed=None)
    await announce(house, "Dinner is ready.", "kitchen")
    await house.rooms.replay("kitchen")
    await house.rooms.stop("kitchen")


async def test_a_house_that_loses_its_journal_keeps_its_settings_and_words_and_says_nothing_again(tmp_path: Path) -> None:
    household = household_of({name: [PretendSpeaker(f"speaker.{name}")] for name in ROOMS})
    lexicon = Lexicon(tmp_path)
    log = await open_sqlite(tmp_path, SystemClock())
    async with open_house(log, household=household, lexicon=lexicon) as house:
        await lived_in(house, lexicon)
        assert back_up(tmp_path) == ExitStatus.DONE  # while it lives
    await log.close()
    lose_the_journal(tmp_path)
    lexicon_file = tmp_path / "lexicon.yaml"
    lexicon_file.unlink()

    log = await open_sqlite(tmp_path, SystemClock())
    lexicon = Lexicon(tmp_path)
    await bring_back(tmp_path, log, lexicon)
    household = household_of({name: [PretendSpeaker(f"speaker.{name}")] for name in ROOMS})
    async with open_house(log, household=household, lexicon=lexicon) as house:
        view = house.rooms.view("hall")
        assert (view.voice, view.volume, view.speed, view.dnd) == ("bf_emma", 0.25, None, False)
        assert [word.word for word in lexicon.words().all] == ["Siobhan"]
        assert await log.check_tail(room_control_stream("kitchen")) == 0
        assert (await log.check_tail(JOBS), await log.check_tail(ANNOUNCEMENTS)) == (0, 0)
        assert await events(house, "kitchen") == []
    await log.close()


async def test_what_was_set_since_then_stays(tmp_path: Path) -> None:
    write(tmp_path, rooms={"hall": {"volume": 0.25}})
    log = MemoryLog(SystemClock())
    await log.append(room_control_stream("hall"), [RoomSetting(name=SettingName.VOLUME, value=0.9)])
    await bring_back(tmp_path, log, Lexicon(tmp_path))
    assert await log.check_tail(room_control_stream("hall")) == 1


async def test_broken_off_between_two_rooms_it_goes_on_and_twice_is_once(tmp_path: Path) -> None:
    write(
        tmp_path,
        rooms={"hall": {"volume": 0.25, "dnd": True}, "kitchen": {"voice": "af_sky"}},
        words=[{"word": "a", "say": "b"}],
    )
    log, lexicon = MemoryLog(SystemClock()), Lexicon(tmp_path)
    settings = [RoomSetting(name=SettingName.VOLUME, value=0.25), RoomSetting(name=SettingName.DND, value=True)]
    await log.append(room_control_stream("hall"), settings)
    for _ in range(2):
        await bring_back(tmp_path, log, lexicon)
        assert [await log.check_tail(room_control_stream(room)) for room in ROOMS] == [2, 1]
        assert [word.word for word in lexicon.words().all] == ["a"]


async def test_a_lexicon_that_its_owner_has_emptied_stays_empty(tmp_path: Path) -> None:
    write(tmp_path, words=[{"word": "a", "say": "b"}])
    lexicon = Lexicon(tmp_path)
    lexicon.put(Word(word="c", say="d"))
    lexicon.remove("c")
    await bring_back(tmp_path, MemoryLog(SystemClock()), lexicon)
    assert lexicon.words().all == ()


NO_BACKUPS = (
    "",
    "[]",
    "{}",
    '{"version": 2, "rooms": {}, "words": []}',
    '{"version": 1, "rooms": {"../x": {}}, "words": []}',
    '{"version": 1, "rooms": {"hall": {"colour": "red"}}, "words": []}',
    '{"version": 1, "rooms": {"hall": {"dnd": []}}, "words": []}',
    '{"version": 1, "rooms": {}, "words": [{"say": "b"}]}',
)


@pytest.mark.parametrize("text", NO_BACKUPS)
async def test_a_backup_that_is_none_hinders_no_start(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(BackupError, match=FILE_NAME):
        read_keepsake(tmp_path)
    await bring_back(tmp_path, MemoryLog(SystemClock()), Lexicon(tmp_path))
    assert "the backup is of no use" in caplog.text


def test_where_the_journal_was_lost_already_the_older_backup_stays(tmp_path: Path) -> None:
    write(tmp_path, rooms={"hall": {"volume": 0.25}})
    assert back_up(tmp_path) == ExitStatus.DONE
    kept = read_keepsake(tmp_path)
    assert kept is not None
    assert kept.rooms == SETTINGS


@pytest.mark.parametrize("step", ["fsync", "fdopen"])
def test_a_backup_that_is_broken_off_leaves_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    write(tmp_path, rooms={"hall": {"volume": 0.25}})
    before = (tmp_path / FILE_NAME).read_bytes()

    def fails(descriptor: int, *_: object, **__: object) -> None:
        if step == "fdopen":
            os.close(descriptor)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(f"wyoming_kokoro.core.whole_text.os.{step}", fails)
        assert back_up(tmp_path) == ExitStatus.FAILED
    assert (tmp_path / FILE_NAME).read_bytes() == before
    assert back_up(tmp_path) == ExitStatus.DONE


def test_without_a_data_directory_it_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert back_up(tmp_path / "nowhere") == ExitStatus.FAILED
    assert capsys.readouterr().err.startswith("wyoming-kokoro: there is no data directory")


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    assert back_up(tmp_path) == ExitStatus.DONE
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def write(data_dir: Path, *, rooms: object = None, words: object = None) -> None:
    document = {"version": 1, "rooms": rooms or {}, "words": words or []}
    (data_dir / FILE_NAME).write_text(json.dumps(document), encoding="utf-8")
