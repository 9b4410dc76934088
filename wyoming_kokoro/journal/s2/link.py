"""What all of one journal's requests share: the basin, how its streams are made, and whether S2 answers."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING

from s2_sdk import BasinConfig, S2Error, StreamConfig, Timestamping, TimestampingMode

from wyoming_kokoro.journal.s2.failures import exists_already, is_missing, is_no_basin, translate
from wyoming_kokoro.journal.s2.place import basin_of, connect
from wyoming_kokoro.journal.s2.reach import Reach
from wyoming_kokoro.model.ids import JOBS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import s2_sdk
    from s2_sdk import S2Stream

    from wyoming_kokoro.journal.s2.place import Place
    from wyoming_kokoro.ports import Clock

STREAM_CONFIG = StreamConfig(
    retention_policy="infinite",
    timestamping=Timestamping(mode=TimestampingMode.CLIENT_PREFER, uncapped=True),
)
"""Nothing expires but by our own trims; the stamp is the writer's clock's, as in every journal, so that copies keep theirs."""

_CLOSE_SECONDS = 1.0
_BASIN_CONFIG = BasinConfig(
    default_stream_config=STREAM_CONFIG,
    create_stream_on_append=True,
    create_stream_on_read=False,
)


class Link:
    """A client of one basin."""

    def __init__(self, place: Place, clock: Clock) -> None:
        """Must be made in the running loop. Raises `JournalError` where there can be no such place."""
        self.place = place
        self.clock = clock
        self._client = connect(place)
        self._basin = basin_of(self._client, place)
        self.reach = Reach(clock, str(place), self.stream(JOBS).check_tail)

    def stream(self, name: str) -> S2Stream:
        """That stream, whether it exists or not."""
        stream: S2Stream = self._basin.stream(name)
        return stream

    async def make_stream(self, name: str) -> None:
        """See that it exists, and the basin, too. What exists stays as it is. Raises `S2Error`."""
        try:
            await self._make_stream(name)
        except S2Error as error:
            if not is_no_basin(error):
                raise
            await self.make_basin()
            await self._make_stream(name)

    async def make_basin_if_missing(self) -> None:
        """See that the basin exists, asking for no more rights than that needs. Raises `S2Error`."""
        try:
            await self.stream(JOBS).check_tail()
        except S2Error as error:
            if is_no_basin(error):
                await self.make_basin()
            elif not is_missing(error):
                raise

    async def make_basin(self) -> None:
        """See that the basin exists; one that exists stays as it is. Raises `S2Error`."""
        try:
            await self._client.create_basin(self.place.basin, config=_BASIN_CONFIG)
        except S2Error as error:
            if not exists_already(error):
                raise

    def open_session(self, stream: str) -> s2_sdk.AppendSession:
        """A session that appends to that stream; nothing is sent yet."""
        session: s2_sdk.AppendSession = self.stream(stream).append_session(stream_config=STREAM_CONFIG)
        return session

    async def keeps_for_ever(self, stream: str) -> bool:
        """Whether the records of that stream never expire. Raises `S2Error`."""
        config: StreamConfig = await self._basin.get_stream_config(stream)
        return config.retention_policy == "infinite"

    async def names(self, prefix: str, start_after: str) -> tuple[list[str], str, bool]:
        """Some names of streams in byte order, after which one to go on, and whether there are more. Raises `S2Error`."""
        page = await self._basin.list_streams(prefix=prefix, start_after=start_after)
        living = [info.name for info in page.items if info.deleted_at is None]
        return living, page.items[-1].name if page.items else start_after, page.has_more

    async def close(self) -> None:
        """Let go of the connections."""
        await self.reach.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):  # an S2 that hangs may take in nothing, not even a good-bye
                await self._client.close()

    async def _make_stream(self, name: str) -> None:
        try:
            await self._basin.create_stream(name, config=STREAM_CONFIG)
        except S2Error as error:
            if not exists_already(error):
                raise


async def prepare(link: Link, streams: Sequence[str]) -> None:
    """Make the basin and the streams where they lack. Raises `LogUnavailableError`, or `JournalError` where we may not."""
    try:
        await link.reach.ask(link.make_basin_if_missing)
        for name in streams:
            await link.reach.ask(partial(link.make_stream, name))
    except S2Error as error:
        raise translate(error) from error
