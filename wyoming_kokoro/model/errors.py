"""Everything that can go wrong, by what the caller can do about it.

VoiceOfAHouseError
├── RefusedError              the request is wrong: names the field, and what would be right
│   ├── UnknownVoiceError
│   ├── LanguageNotInstalledError
│   ├── NothingToSpeakError
│   ├── RoomNotFoundError
│   ├── WordNotFoundError     the lexicon has no such word
│   ├── IdempotencyMismatchError    the key was used for another request
│   └── QueueFullError        too much is waiting: come back later
├── LogError
│   ├── AppendRefusedError    certainly not written
│   │   ├── SeqNumMismatchError
│   │   ├── FencingTokenMismatchError
│   │   ├── UnfitRecordsError     they could never be written
│   │   ├── StorageFullError
│   │   └── LogUnavailableError
│   ├── AppendOutcomeUnknownError   written or not: read back
│   └── JournalError          this journal can't be used at all
├── EngineError
│   ├── SynthesisError        the model can't speak this sentence
│   ├── SynthesisCancelledError
│   ├── EngineDiedError       the engine's process ended under this sentence
│   └── EngineUnavailableError
├── CastFailedError           the cast ended in `fail`
├── CastCutError              the cast was cut while it was being made
├── CastExpiredError          its records are gone
├── CastNotFoundError
├── AnnouncementNotFoundError
├── BackupError               what was kept of the house's settings can't be read, or not be kept
├── ServerError               a server that was asked is away, or can't do it now
│   ├── TokenRefusedError     it does not let us in: somebody has to change the token
│   └── SupervisorRefusalError    Home Assistant's Supervisor does not do it
└── SettingsError             an option is wrong: names the key
    └── DoorError             a door can't listen where the option says: the port is taken, or not allowed
"""

from __future__ import annotations

import difflib
import os


class VoiceOfAHouseError(Exception):
    """Root of all errors of this package. `str()` is a sentence that a user can read."""


class RefusedError(VoiceOfAHouseError):
    """A request that can't be accepted as it is."""

    code = "invalid_value"

    def __init__(self, field: str, message: str) -> None:
        """`message` says what is wrong and what would be right."""
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class UnknownVoiceError(RefusedError):
    """No voice, alias or blend has that name."""

    code = "unknown_voice"

    def __init__(self, name: str, nearest: tuple[str, ...]) -> None:
        hint = f"; did you mean {' or '.join(nearest)}?" if nearest else ""
        super().__init__("voice", f"there is no voice {name!r}{hint}")
        self.name = name
        self.nearest = nearest


class LanguageNotInstalledError(RefusedError):
    """The language is known, but what turns its text into phonemes is not installed."""

    code = "language_not_installed"

    def __init__(self, language: str, extra: str) -> None:
        super().__init__("language", f"{language} needs the extra {extra!r}: install wyoming-kokoro[{extra}]")
        self.language = language
        self.extra = extra


class NothingToSpeakError(RefusedError):
    """The text is empty, or nothing in it can be spoken."""

    code = "nothing_to_speak"

    def __init__(self) -> None:
        super().__init__("text", "there is nothing in it that can be spoken")


class WordNotFoundError(RefusedError):
    """The lexicon has no such word for that language."""

    code = "word_not_found"

    def __init__(self, word: str, language: str | None) -> None:
        super().__init__("word", f"{word[:100]!r} is not in the lexicon for {language or 'all languages'}")


class RoomNotFoundError(RefusedError):
    """No room has that name."""

    code = "unknown_room"

    def __init__(self, name: str, rooms: tuple[str, ...], *, field: str = "room") -> None:
        nearest = difflib.get_close_matches(name[:60].lower(), rooms, n=2)
        hint = f"did you mean {' or '.join(nearest)}?" if nearest else f"there are {', '.join(rooms) or 'none'}"
        super().__init__(field, f"there is no room {name[:60]!r}; {hint}")
        self.name = name


class IdempotencyMismatchError(RefusedError):
    """The idempotency key stands for another request already."""

    code = "idempotency_mismatch"

    def __init__(self, field: str = "idempotency_key") -> None:
        super().__init__(field, "it was used for another request; use a fresh one for a new request")


class QueueFullError(RefusedError):
    """Too many jobs are waiting."""

    code = "queue_full"

    def __init__(self, limit: int, *, room: str | None = None) -> None:
        where = "" if room is None else f" in room {room}"
        super().__init__("text" if room is None else "rooms", f"{limit} requests are waiting{where} already; try again later")
        self.limit = limit


class LogError(VoiceOfAHouseError):
    """Something about the journal."""


class AppendRefusedError(LogError):
    """The records were certainly not written."""


class SeqNumMismatchError(AppendRefusedError):
    """`match_seq_num` was not the tail."""

    def __init__(self, stream: str, expected: int) -> None:
        super().__init__(f"{stream}: the next record is {expected}")
        self.stream = stream
        self.expected = expected


class FencingTokenMismatchError(AppendRefusedError):
    """The stream is fenced by another token."""

    def __init__(self, stream: str, expected: str) -> None:
        super().__init__(f"{stream}: fenced by {expected!r}")
        self.stream = stream
        self.expected = expected


class UnfitRecordsError(AppendRefusedError):
    """These records can never be written: too many, too large, or badly named. Trying again would not help."""


class StorageFullError(AppendRefusedError):
    """There is no room left for the records."""


class LogUnavailableError(AppendRefusedError):
    """The journal can't be reached now; the records were not written."""


class AppendOutcomeUnknownError(LogError):
    """The records may or may not have been written; only reading back can tell."""


class JournalError(LogError):
    """The journal can't be used: locked by another server, made by a newer program, or broken."""


class EngineError(VoiceOfAHouseError):
    """Something about the engine."""


class SynthesisError(EngineError):
    """The engine lives, but can't speak this sentence; trying again would not help."""


class SynthesisCancelledError(EngineError):
    """The sentence was stopped because it was not wanted any more."""


class EngineDiedError(EngineError):
    """The engine's process ended, or ran out of time, while it spoke this sentence. A new one is on its way."""


class EngineUnavailableError(EngineError):
    """The engine does not come up."""


class CastFailedError(VoiceOfAHouseError):
    """The cast ended in `fail`; `str()` is the reason."""


class CastCutError(VoiceOfAHouseError):
    """The cast was cut while it was being made."""


class CastExpiredError(VoiceOfAHouseError):
    """The cast's records are gone."""


class CastNotFoundError(VoiceOfAHouseError):
    """No cast has that id."""


class AnnouncementNotFoundError(VoiceOfAHouseError):
    """No announcement has that id."""


class BackupError(VoiceOfAHouseError):
    """A backup of the house's settings can't be made, or is none."""


class ServerError(VoiceOfAHouseError):
    """A server that was asked over the network is away, went away, or answers that it can't."""


class TokenRefusedError(ServerError):
    """The server does not accept our token. Trying again soon would not help."""


class SupervisorRefusalError(ServerError):
    """The Supervisor has understood, and does not do it."""

    def __init__(self, request: str, status: int, message: str) -> None:
        super().__init__(f"the Supervisor refuses {request}: {message}")
        self.status = status
        self.message = message
        """As the Supervisor words it."""


class SettingsError(VoiceOfAHouseError):
    """An option is unknown or wrong. `str()` names it, the kind of its value, and what would be right."""


class DoorError(SettingsError):
    """A door can't listen where the option says. Nothing is wrong with the option: trying again may help."""

    def __init__(self, option: str, place: str, error: OSError) -> None:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        super().__init__(f"{option}: can't listen on {place}: {reason}; choose another port, or 0 for a free one")
