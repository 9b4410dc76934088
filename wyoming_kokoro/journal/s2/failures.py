"""The SDK's errors in our words: what they say about an append, and whether trying again may help."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from s2_sdk import S2ServerError
from s2_sdk._exceptions import ConnectError  # the SDK wraps it in S2ClientError and exports no other sign of it

from wyoming_kokoro.model.errors import JournalError, LogUnavailableError, UnfitRecordsError

if TYPE_CHECKING:
    from s2_sdk import S2Error

    from wyoming_kokoro.model.errors import LogError

_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_UNTOUCHED = frozenset({(429, "rate_limited"), (502, "hot_server"), (503, "server_draining")})
_NOT_FOUND = frozenset({"stream_not_found", "basin_not_found"})
_PENDING = frozenset({"transaction_conflict", "stream_deletion_pending", "basin_deletion_pending"})


def is_passing(error: S2Error) -> bool:
    """Whether trying again may help: S2 is away, busy, or answered nonsense."""
    if isinstance(error, S2ServerError):
        return error.status_code in _PASSING or error.code in _PENDING
    return True


def is_untouched(error: S2Error) -> bool:
    """Whether nothing can have come of an append that met it."""
    if isinstance(error, S2ServerError):
        return error.status_code not in _PASSING or (error.status_code, error.code) in _UNTOUCHED
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectError):
            return True
        cause = cause.__cause__
    return False


def is_missing(error: S2Error) -> bool:
    """Whether the stream, or its whole basin, does not exist."""
    return isinstance(error, S2ServerError) and error.code in _NOT_FOUND


def is_no_basin(error: S2Error) -> bool:
    """Whether the basin does not exist."""
    return isinstance(error, S2ServerError) and error.code == "basin_not_found"


def exists_already(error: S2Error) -> bool:
    """Whether something can't be made since it is there."""
    return isinstance(error, S2ServerError) and error.code == "resource_already_exists"


def translate(error: S2Error) -> LogError:
    """What became of the call that met it; raise it `from` that."""
    if isinstance(error, S2ServerError):
        if error.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return JournalError(f"S2 does not let us do that ({reason(error)}): is --s2-access-token right, and its scope?")
        if error.status_code in {HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}:
            return UnfitRecordsError(f"S2 can't take that: {reason(error)}")
        if not is_passing(error):
            return JournalError(f"S2 does not understand us ({reason(error)}): is it s2-lite 0.41.2 or later, or s2.dev?")
        return LogUnavailableError(f"S2 can't do that now: {reason(error)}")
    return LogUnavailableError(f"S2 does not answer: {reason(error)}")


def reason(error: S2Error) -> str:
    """What happened, in one line."""
    if isinstance(error, S2ServerError):
        return f"{error.status_code} {error.code}"
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__
