"""The one table from what can go wrong to the `error` event that a Wyoming client gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming.error import Error

from wyoming_kokoro.model import errors

if TYPE_CHECKING:
    from wyoming.event import Event

CODES: dict[type[errors.VoiceOfAHouseError], str] = {
    errors.VoiceOfAHouseError: "internal_error",
    errors.LogError: "storage_unavailable",
    errors.StorageFullError: "storage_full",
    errors.EngineError: "engine_failed",
    errors.EngineUnavailableError: "engine_unavailable",
    errors.CastFailedError: "cast_failed",
    errors.CastCutError: "cast_cut",
    errors.CastExpiredError: "cast_expired",
    errors.CastNotFoundError: "cast_not_found",
    errors.AnnouncementNotFoundError: "announcement_not_found",
    errors.BackupError: "backup_failed",
    errors.ServerError: "server_unavailable",
    errors.SettingsError: "wrong_settings",
}
"""The nearest class counts; a `RefusedError` brings its own code."""

_PATHS = {name: f"context.{name}" for name in ("room", "priority", "profile", "speed")}
"""Fields that the core names by their own names, and the protocol by where they stand."""

_LEADS: dict[type[errors.VoiceOfAHouseError], str] = {
    errors.LogError: "the request could not be stored",
    errors.EngineError: "the text could not be spoken",
    errors.CastFailedError: "the text could not be spoken",
    errors.CastCutError: "the speech was stopped before its end",
    errors.CastExpiredError: "the speech is not kept any more",
}
"""What an error means for whoever asked; the error's own words follow."""


def code_of(error: errors.VoiceOfAHouseError) -> str:
    """The machine-readable name of an error."""
    if isinstance(error, errors.RefusedError):
        return error.code
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


def text_of(error: errors.VoiceOfAHouseError) -> str:
    """A sentence for a person; it names the field of the request where one is wrong."""
    if isinstance(error, errors.RefusedError):
        return f"{_PATHS.get(error.field, error.field)}: {error.message}"
    lead = next((_LEADS[kind] for kind in type(error).__mro__ if kind in _LEADS), "")
    return ": ".join(part for part in (lead, str(error)) if part) or code_of(error)


def error_event(error: errors.VoiceOfAHouseError) -> Event:
    """The event that tells a client of an error."""
    return Error(text=text_of(error), code=code_of(error)).event()
