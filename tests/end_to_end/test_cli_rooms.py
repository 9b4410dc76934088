"""The command line and the rooms of a real server."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.http_house import TOKEN, open_http_house
from tests.pretend_speaker import PretendSpeaker
from tests.room_house import household_of, room
from wyoming_kokoro.cli import main
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.model.announcement import PlayOutcome

Run = Callable[..., Awaitable[tuple[int, str, str]]]


@contextlib.asynccontextmanager
async def command_line(capsys: pytest.CaptureFixture[str], speakers: dict[str, list[PretendSpeaker]]) -> AsyncIterator[Run]:
    async with open_http_house(household=household_of(speakers)) as house:

        async def run(*arguments: str) -> tuple[int, str, str]:
            status = await asyncio.to_thread(main, [*arguments, "--server", house.url(""), "--api-token", TOKEN])
            printed = capsys.readouterr()
            return status, printed.out, printed.err

        yield run


async def test_say_in_rooms_tells_how_it_goes_and_ends_with_the_receipts(capsys: pytest.CaptureFixture[str]) -> None:
    async with command_line(capsys, room("kitchen", "office")) as run:
        status, out, told = await run("say", "Tea.", "--room", "kitchen", "--room", "office")
        assert status == ExitStatus.DONE
        lines = told.splitlines()
        for name in ("kitchen", "office"):
            mine = [line.removeprefix(f"{name}: ") for line in lines if line.startswith(name)]
            assert mine[0] == "queued"
            assert mine[1].startswith("started, 0.")
            assert mine[-1] == f"finished: speaker.{name} confirmed"
        status, out, _ = await run("say", "Tea.", "--room", "kitchen", "--json")
        document = json.loads(out)
        assert document["rooms"]["kitchen"]["event"] == "finished"


async def test_say_in_a_room_that_does_not_hear_it_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].outcomes = [PlayOutcome.UNKNOWN]
    async with command_line(capsys, speakers) as run:
        status, _, told = await run("say", "Tea.", "--room", "kitchen")
        assert status == ExitStatus.FAILED
        assert told.splitlines()[-1] == "kitchen: failed: speaker.kitchen: unknown"


async def test_an_unknown_room_is_status_2_with_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    async with command_line(capsys, room("kitchen")) as run:
        for arguments in (("say", "Tea.", "--room", "kitchem"), ("rooms", "stop", "kitchem")):
            status, _, told = await run(*arguments)
            assert (status, "did you mean kitchen?" in told) == (ExitStatus.USAGE, True)
        status, _, told = await run("say", "Tea.", "--room", "kitchen", "--out", "tea.wav")
        assert (status, "--out" in told) == (ExitStatus.USAGE, True)


async def test_rooms_are_listed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    speakers = room("kitchen", "office")
    async with command_line(capsys, speakers) as run:
        await run("say", "Tea.", "--room", "kitchen")
        status, out, _ = await run("rooms", "list")
        assert (status, [line.split()[:2] for line in out.splitlines()]) == (0, [["kitchen", "idle"], ["office", "idle"]])
        assert [each["room"] for each in json.loads((await run("rooms", "list", "--json"))[1])] == ["kitchen", "office"]
        for order in ("stop", "skip", "clear"):
            assert await run("rooms", order, "kitchen", "office") == (ExitStatus.DONE, "", "")
        assert await run("rooms", "replay", "kitchen", "--since", "0") == (ExitStatus.DONE, "", "")
        assert (await run("say", "Later.", "--room", "kitchen"))[0] == ExitStatus.DONE
    assert [hearing.play.announcement_id.count("replay") for hearing in speakers["kitchen"][0].air.hearings] == [0, 1, 0]
