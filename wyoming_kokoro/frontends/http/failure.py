"""The one table from what can go wrong to the answer that an HTTP client gets. Its shape is OpenAI's."""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

from wyoming_kokoro.model import errors


class Failure(NamedTuple):
    """How a failed request is answered."""

    status: int
    kind: str
    """What the caller can do about it: `type` in the answer."""
    code: str
    message: str
    field: str | None = None
    """The field that is wrong: `param` in the answer."""
    retry_seconds: int | None = None

    @property
    def document(self) -> dict[str, object]:
        """The body."""
        return {"error": {"message": self.message, "type": self.kind, "param": self.field, "code": self.code}}


class _Row(NamedTuple):
    status: int
    kind: str
    code: str
    retry_seconds: int | None = None


REQUEST = "invalid_request_error"
SERVER = "server_error"

TABLE: dict[type[errors.VoiceOfAHouseError], _Row] = {
    errors.VoiceOfAHouseError: _Row(500, SERVER, "internal_error"),
    errors.RefusedError: _Row(400, REQUEST, ""),
    errors.QueueFullError: _Row(429, "rate_limit_error", "", 5),
    errors.LogError: _Row(503, SERVER, "storage_unavailable", 2),
    errors.StorageFullError: _Row(507, SERVER, "storage_full"),
    errors.EngineError: _Row(503, SERVER, "engine_failed", 5),
    errors.EngineUnavailableError: _Row(503, SERVER, "engine_unavailable", 5),
    errors.CastFailedError: _Row(409, REQUEST, "cast_failed"),
    errors.CastCutError: _Row(409, REQUEST, "cast_cut"),
    errors.CastExpiredError: _Row(410, REQUEST, "cast_expired"),
    errors.CastNotFoundError: _Row(404, REQUEST, "cast_not_found"),
    errors.AnnouncementNotFoundError: _Row(404, REQUEST, "announcement_not_found"),
    errors.BackupError: _Row(500, SERVER, "backup_failed"),
    errors.ServerError: _Row(503, SERVER, "server_unavailable", 5),
    errors.SettingsError: _Row(500, SERVER, "wrong_settings"),
}
"""The nearest class counts; a `RefusedError` brings its own code."""

STATUS_OF_CODE = {"idempotency_mismatch": 422, "word_not_found": 404}
"""Refusals that are not a plain 400."""

_STATUSES: dict[int, tuple[str, str, str]] = {
    400: (REQUEST, "malformed_request", "the request can't be read"),
    401: (REQUEST, "invalid_api_key", "a bearer token is needed: it is the content of api_token in the data directory"),
    404: (REQUEST, "not_found", "there is nothing here"),
    405: (REQUEST, "method_not_allowed", "this can't be done here"),
    408: (REQUEST, "timeout", "the request took too long"),
    413: (REQUEST, "body_too_large", "the body is too large"),
    415: (REQUEST, "wrong_media_type", "application/json is expected"),
    417: (REQUEST, "unknown_expectation", "only 100-continue can be expected"),
    500: (SERVER, "internal_error", "something went wrong here; the log says what, under the id of the request"),
    503: (SERVER, "too_many_connections", "too many clients are connected; try again later"),
}


class AnsweredError(Exception):
    """A request that the door itself refuses."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def failure_of(error: errors.VoiceOfAHouseError) -> Failure:
    """How an error of the core is answered."""
    row = next(TABLE[kind] for kind in type(error).__mro__ if kind in TABLE)
    if isinstance(error, errors.RefusedError):
        status = STATUS_OF_CODE.get(error.code, row.status)
        return Failure(status, row.kind, error.code, error.message, error.field, row.retry_seconds)
    return Failure(row.status, row.kind, row.code, str(error) or row.code, None, row.retry_seconds)


def failure_of_status(status: int, message: str | None = None) -> Failure:
    """How the door itself answers with that status."""
    kind, code, usual = _STATUSES.get(status) or _unusual(status)
    return Failure(status, kind, code, message or usual)


def _unusual(status: int) -> tuple[str, str, str]:
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else "refused"
    return SERVER if status >= 500 else REQUEST, phrase.lower().replace(" ", "_").replace("'", ""), phrase
