"""What outsiders may be given of a basin: the sound, and nothing of what was asked.

`pub/` holds no text but that of the sentences that are spoken anyway; `catalog/`, `jobs` and `in/` hold all that was asked, and
by whom. s2.dev's access tokens can be cut to that. s2-lite has no tokens: it must never be within an outsider's reach; the way
to the sound is our own HTTP door then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2_sdk import AccessTokenScope, ExactMatch, Operation, PrefixMatch, S2Error, S2ServerError

from wyoming_kokoro.journal.s2.failures import translate
from wyoming_kokoro.journal.s2.place import basin_of, connect
from wyoming_kokoro.model.errors import JournalError

if TYPE_CHECKING:
    from datetime import datetime

    from wyoming_kokoro.journal.s2.place import Place

PUBLIC_PREFIX = "pub/"
_NOT_THERE = {404, 405, 501}


async def issue_reader_token(place: Place, name: str, expires_at: datetime) -> str:
    """An access token that reads, lists and follows what is public, and can do nothing else; `name` is how it can be revoked.

    Raises `JournalError` where S2 has no tokens, or does not let ours make one; `LogUnavailableError` where it does not answer.
    """
    scope = AccessTokenScope(
        basins=ExactMatch(place.basin),
        streams=PrefixMatch(PUBLIC_PREFIX),
        ops=[Operation.READ, Operation.CHECK_TAIL, Operation.LIST_STREAMS],
    )
    async with connect(place) as client:
        basin_of(client, place)
        try:
            token: str = await client.issue_access_token(name, scope=scope, expires_at=expires_at)
        except S2ServerError as error:
            if error.status_code in _NOT_THERE:
                message = f"S2 at {place.endpoint} has no access tokens: keep it out of reach, listeners come through HTTP"
                raise JournalError(message) from error
            raise translate(error) from error
        except S2Error as error:
            raise translate(error) from error
    return token
