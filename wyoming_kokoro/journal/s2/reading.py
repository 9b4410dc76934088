"""What can be asked of a basin: `LogUnavailableError` while S2 does not answer, `JournalError` where we may not ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from s2_sdk import ReadLimit, ReadUnwrittenError, S2Error, SeqNum, TailOffset

from wyoming_kokoro.journal.s2.failures import is_missing, translate

if TYPE_CHECKING:
    import s2_sdk

    from wyoming_kokoro.journal.s2.link import Link
    from wyoming_kokoro.model import position

MAX_RECORDS = 1000
"""S2 reads no more at once; nor more than 1 MiB."""
_MAX_SEQ_NUM = 2**63 - 1

POLL_SECONDS = 3
"""So long an idle follower's request stays open; well below the time after which it would count as lost."""
_POLL_RECORDS = 64


class Page(NamedTuple):
    """What one request found."""

    records: list[s2_sdk.SequencedRecord]
    is_there: bool
    """Whether the stream exists and reaches up to the start."""


_NOTHING = Page([], is_there=False)


async def tail_of(link: Link, stream: str) -> position.SeqNum:
    """The tail; 0 where there is no such stream."""
    try:
        found: s2_sdk.StreamPosition = await link.reach.ask(link.stream(stream).check_tail)
    except S2Error as error:
        if is_missing(error):
            return 0
        raise translate(error) from error
    return found.seq_num


async def page_from(link: Link, stream: str, start: position.Cursor, limit: int, wait: int | None = None) -> Page:
    """Records from `start` on, or from the first that is left."""
    within = ReadLimit(count=min(limit, MAX_RECORDS))
    return await _page(link, stream, SeqNum(max(0, start)), within, wait) if start <= _MAX_SEQ_NUM and limit > 0 else _NOTHING


async def newest_page(link: Link, stream: str, count: int) -> Page:
    """Some of the last `count` records, the oldest first, without gap from the first of them on."""
    return await _page(link, stream, TailOffset(count), ReadLimit(count=min(count, MAX_RECORDS)), None)


async def poll(link: Link, stream: str, start: position.Cursor) -> Page:
    """The next records; waits a while where there are none yet."""
    if start > _MAX_SEQ_NUM:
        return _NOTHING
    # No limit of bytes below S2's own 1 MiB: a record above it would never be given.
    return await _page(link, stream, SeqNum(max(0, start)), ReadLimit(count=_POLL_RECORDS), POLL_SECONDS)


async def first_at(link: Link, stream: str, start: position.SeqNum) -> s2_sdk.SequencedRecord | None:
    """The first record that is readable from there on."""
    page = await page_from(link, stream, start, 1)
    return page.records[0] if page.records else None


async def names(link: Link, prefix: str, start_after: str, limit: int) -> list[str]:
    """Names of streams, in byte order."""
    found: list[str] = []
    after, has_more = start_after if start_after.encode() > prefix.encode() else "", True
    while has_more and len(found) < limit:
        page, after, has_more = await _names(link, prefix, after)
        found += page
    return found[: max(0, limit)]


async def _names(link: Link, prefix: str, after: str) -> tuple[list[str], str, bool]:
    try:
        return await link.reach.ask(lambda: link.names(prefix, after))
    except S2Error as error:
        if is_missing(error):
            return [], after, False
        raise translate(error) from error


async def _page(link: Link, stream: str, start: SeqNum | TailOffset, limit: ReadLimit, wait: int | None) -> Page:
    try:
        batch = await link.reach.ask(lambda: link.stream(stream).read(start=start, limit=limit, wait=wait))
    except ReadUnwrittenError:
        return _NOTHING
    except S2Error as error:
        if is_missing(error):
            return _NOTHING
        raise translate(error) from error
    return Page(list(batch.records), is_there=True)
