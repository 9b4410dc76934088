"""What outsiders get of a basin."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from tests.contracts.log_backends import HandClock, line
from tests.fake_s2 import FakeS2
from tests.fake_s2.tokens import ROOT
from wyoming_kokoro.journal.s2 import Place, S2Log, open_s2
from wyoming_kokoro.journal.s2.gateway import issue_reader_token
from wyoming_kokoro.model.errors import JournalError

SOON = datetime(2100, 1, 1, tzinfo=UTC)
PRIVATE = ("jobs", "jobs/_cursor", "catalog/abc", "in/abc", "progress/done", "rooms/kitchen")


def place(server: FakeS2, token: str) -> Place:
    return Place(endpoint=server.endpoint, basin="some-basin", access_token=token)


async def test_a_reader_hears_what_is_public_and_nothing_else(fake_s2: FakeS2) -> None:
    fake_s2.tokens.required = True
    house = await open_s2(place(fake_s2, ROOT), HandClock())
    for stream in (*PRIVATE, "pub/casts/abc"):
        await house.append(stream, [line(0)])
    reader = await reading(fake_s2, await issue_reader_token(place(fake_s2, ROOT), "neighbours", SOON))
    assert [each.record for each in await reader.read("pub/casts/abc", 0)] == [line(0)]
    assert await reader.check_tail("pub/casts/abc") == 1
    assert await reader.list_streams("pub/") == ["pub/casts/abc"]
    for stream in PRIVATE:
        await assert_refused(lambda stream=stream: reader.read(stream, 0))
        await assert_refused(lambda stream=stream: reader.check_tail(stream))
        await assert_refused(lambda stream=stream: reader.append(stream, [line(1)]))
    await assert_refused(lambda: reader.append("pub/casts/abc", [line(1)]))
    await assert_refused(lambda: reader.append("pub/casts/new", [line(1)]))
    await assert_refused(lambda: reader.list_streams(""))
    assert await house.check_tail("pub/casts/abc") == 1
    await reader.close()
    await house.close()


async def reading(server: FakeS2, token: str) -> S2Log:
    """A client as an outsider has it: it opens nothing and makes nothing."""
    from wyoming_kokoro.journal.s2.link import Link

    return S2Log(Link(place(server, token), HandClock()), HandClock())


async def assert_refused(call: Callable[[], Awaitable[object]]) -> None:
    with pytest.raises(JournalError, match="does not let us"):
        await call()


async def test_nobody_but_the_owner_issues_tokens(fake_s2: FakeS2) -> None:
    fake_s2.tokens.required = True
    with pytest.raises(JournalError):
        await issue_reader_token(place(fake_s2, "stolen"), "me", SOON)


async def test_an_s2_without_tokens_is_told_to_be_kept_out_of_reach(fake_s2: FakeS2) -> None:
    fake_s2.tokens.exist = False
    with pytest.raises(JournalError, match="out of reach"):
        await issue_reader_token(place(fake_s2, "none"), "neighbours", SOON)
