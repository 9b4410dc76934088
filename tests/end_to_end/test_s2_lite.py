"""The whole server on a real s2-lite: outages, kills, and moving house."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from benchmarks.client import speak
from benchmarks.json_over_http import ask
from benchmarks.s2_lite import S2Lite
from benchmarks.server import ServerProcess, running
from tests.contracts.log_backends import NEEDS_S2_LITE, line
from wyoming_kokoro.cli.entry import main
from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.s2 import Place, S2Log, open_s2
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, AppendRefusedError
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import Input

pytestmark = [pytest.mark.s2, NEEDS_S2_LITE]

STORY = " ".join(f"Sentence number {number} of a long story." for number in range(40))


@pytest.fixture
def own(tmp_path: Path) -> Iterator[S2Lite]:
    """An s2-lite that this test may kill; it is not started yet."""
    server = S2Lite(tmp_path / "s2-lite")
    yield server
    server.stop()


def on(server: S2Lite, basin: str = "") -> list[str]:
    """Options of a house on it."""
    return ["--journal", "s2", "--s2-endpoint", server.endpoint, "--s2-basin", basin or f"test-{uuid4().hex}"]


async def all_done(port: int, count: int) -> list[dict[str, Any]]:
    """The casts, once so many are listed and all of them are done and have their receipts."""
    async with asyncio.timeout(60):
        while True:
            status, listed = await ask(port, "/api/casts?limit=50")
            casts: list[dict[str, Any]] = listed["casts"] if status == 200 else []
            if len(casts) == count and all(cast["state"] == "done" and cast["receipt"] for cast in casts):
                return casts


@pytest.fixture
async def house(own: S2Lite, tmp_path: Path) -> AsyncIterator[ServerProcess]:
    own.start()
    (tmp_path / "data").mkdir()
    async with running(tmp_path / "data", "--engine", "tone", "--api-token", "none", *on(own)) as server:
        await server.logged("ready: ")
        yield server


async def test_an_outage_in_mid_cast_costs_nobody_anything(own: S2Lite, house: ServerProcess) -> None:
    port = house.http_port
    assert (await ask(port, "/api/casts", {"text": STORY}))[0] == 201
    hearing = asyncio.ensure_future(speak(house.port, STORY))
    await house.logged("accepted")
    own.kill()
    heard = await hearing
    status, failure = await ask(port, "/api/casts", {"text": "Is somebody there?"})
    assert (status, failure["error"]["code"]) == (503, "storage_unavailable")
    assert "does not answer" in failure["error"]["message"]
    assert (await ask(port, "/ready"))[0] == 503
    assert (await speak(house.port, "This is spoken from memory.")).seconds > 0.5
    own.start()
    await house.logged("answers again")
    (whole,) = await all_done(port, 1)
    assert whole["receipt"]["audio_ms"] == pytest.approx(1000 * heard.seconds, abs=50)
    again = await speak(house.port, STORY)
    assert again.pcm == heard.pcm
    assert house.log.count("does not answer (") == 1


async def test_a_house_waits_for_its_s2_and_says_so(own: S2Lite, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    server = ServerProcess(data, "--engine", "tone", "--api-token", "none", *on(own))
    starting = asyncio.ensure_future(server.start())
    try:
        while "answering 503" not in server.log:
            assert not starting.done()
            await server.more() if server.log else await asyncio.sleep(0)
        port = int(server.log.split("answering 503 on 0.0.0.0 port ")[1].split(":")[0])
        assert (await ask(port, "/api/casts"))[0] == 503
        own.start()
        async with asyncio.timeout(30):
            await starting
        assert (await speak(server.port, "Here I am.")).seconds > 0.3
    finally:
        assert await server.terminate() == 0


async def test_what_was_acked_is_there_when_s2_lite_was_killed(own: S2Lite) -> None:
    own.start()
    place = Place(endpoint=own.endpoint, basin="kill-basin")
    acked: dict[int, Ack] = {}
    refused: set[int] = set()
    log = await open_s2(place, SystemClock())
    for turn in range(3):

        async def write(number: int) -> None:
            try:
                acked[number] = await log.append("s", [line(number)] * 3)
            except AppendRefusedError:
                refused.add(number)
            except AppendOutcomeUnknownError:
                pass

        writing = [asyncio.ensure_future(write(1000 * turn + each)) for each in range(200)]
        while len(acked) < 200 * turn + 20:  # noqa: ASYNC110 - an ack has no event of its own
            await asyncio.sleep(0)
        own.kill()
        own.start()
        await asyncio.gather(*writing)
    found = await everything(log)
    assert len(acked) > 60
    for number, ack in acked.items():
        assert found[ack.start : ack.tail] == [number] * 3
        assert found.count(number) == 3
    assert not refused & set(found)
    await log.close()


async def everything(log: S2Log) -> list[int]:
    found: list[int] = []
    while page := await log.read("s", len(found)):
        found += [each.record.index for each in page if isinstance(each.record, Input)]
    return found


async def test_a_house_moves_and_comes_back_without_losing_a_word(running_s2_lite: S2Lite, tmp_path: Path) -> None:
    options = on(running_s2_lite)
    place = options[2:]
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    quiet = ["--engine", "tone", "--api-token", "none"]
    async with running(first, *quiet) as server:
        heard = await speak(server.port, STORY)
        assert (await ask(server.http_port, "/api/casts", {"text": "Remember me.", "keep": True}))[0] == 201
        casts = await all_done(server.http_port, 2)
        refused = await asyncio.to_thread(main, ["journal", "copy", "--from=sqlite", "--to=s2", f"--data-dir={first}", *place])
        assert refused == ExitStatus.FAILED
    assert await asyncio.to_thread(main, ["journal", "copy", "--from=sqlite", "--to=s2", f"--data-dir={first}", *place]) == 0
    async with running(first, *quiet, *options) as server:
        assert facts(await all_done(server.http_port, 2)) == facts(casts)
        assert (await speak(server.port, STORY)).pcm == heard.pcm
        assert "a hit" in server.log
    assert await asyncio.to_thread(main, ["journal", "copy", "--from=s2", "--to=sqlite", f"--data-dir={second}", *place]) == 0
    async with running(second, *quiet) as server:
        assert facts(await all_done(server.http_port, 2)) == facts(casts)
        assert (await speak(server.port, STORY)).pcm == heard.pcm


def facts(casts: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    return [(cast["id"], cast["created_ms"], cast["receipt"]["audio_ms"], cast["keep"]) for cast in casts]


def test_s2_lite_has_no_tokens_to_give_away(running_s2_lite: S2Lite, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["journal", "reader-token", "--name=neighbours", f"--s2-endpoint={running_s2_lite.endpoint}"]
    assert main(asked) == ExitStatus.FAILED
    said = capsys.readouterr()
    assert said.out == ""
    assert "keep it out of reach" in said.err


async def test_a_server_stops_though_its_s2_hangs(own: S2Lite, house: ServerProcess) -> None:
    assert (await speak(house.port, "One sentence to begin with.")).seconds > 0.3
    own.hang()
    asking = asyncio.ensure_future(ask(house.http_port, "/api/casts", {"text": STORY}))
    async with asyncio.timeout(30):
        assert await house.terminate() == 0
    asking.cancel()
    own.kill()


def test_the_doctor_knows_s2(running_s2_lite: S2Lite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    basin = f"test-{uuid4().hex}"
    common = ["doctor", "--engine=tone", f"--data-dir={tmp_path}"]
    main([*common, *on(running_s2_lite, basin)])
    assert f"the first start makes the basin {basin}" in capsys.readouterr().out

    async def make() -> None:
        await (await open_s2(Place(endpoint=running_s2_lite.endpoint, basin=basin), SystemClock())).close()

    asyncio.run(make())
    main([*common, *on(running_s2_lite, basin)])
    assert "a record is durable after" in capsys.readouterr().out
    nobody = S2Lite(tmp_path / "nobody")
    assert main([*common, *on(nobody)]) == ExitStatus.FAILED
    told = capsys.readouterr().out
    assert "wrong  journal  S2 does not answer" in told
    assert "scripts/s2-lite" in told
