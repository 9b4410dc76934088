"""Which bytes belong to which record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wyoming_kokoro.journal.codec import casts, rooms, work
from wyoming_kokoro.journal.codec.commands import decode_command, encode_fence, encode_trim, is_command
from wyoming_kokoro.journal.codec.envelope import VERSION
from wyoming_kokoro.journal.codec.fields import HeaderFields
from wyoming_kokoro.model import records, room
from wyoming_kokoro.model.errors import UnfitRecordsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wyoming_kokoro.journal.codec.envelope import Encoded, Headers
    from wyoming_kokoro.model.records import Record

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Kind(Generic[R]):
    """One kind of record, in the one version that there is of it so far."""

    event: str
    record_type: type[R]
    encode: Callable[[R], Encoded]
    decode: Callable[[HeaderFields, bytes], R]


_KINDS: tuple[_Kind[Any], ...] = (
    _Kind("job", records.Job, work.encode_job, work.decode_job),
    _Kind("cancel", records.Cancel, work.encode_cancel, work.decode_cancel),
    _Kind("watermark", records.Watermark, work.encode_watermark, work.decode_watermark),
    _Kind("dead", records.DeadLetter, work.encode_dead_letter, work.decode_dead_letter),
    _Kind("requeued", records.Requeued, work.encode_requeued, work.decode_requeued),
    _Kind("receipt", records.Receipt, work.encode_receipt, work.decode_receipt),
    _Kind("recipe", records.Catalogued, work.encode_catalogued, work.decode_catalogued),
    _Kind("sentence", records.Input, casts.encode_input, casts.decode_input),
    _Kind("end", records.InputEnd, casts.encode_input_end, casts.decode_input_end),
    _Kind("meta", records.Meta, casts.encode_meta, casts.decode_meta),
    _Kind("start", records.Start, casts.encode_start, casts.decode_start),
    _Kind("audio", records.Audio, casts.encode_audio, casts.decode_audio),
    _Kind("alive", records.Alive, casts.encode_alive, casts.decode_alive),
    _Kind("eos", records.Eos, casts.encode_eos, casts.decode_eos),
    _Kind("fail", records.Fail, casts.encode_fail, casts.decode_fail),
    _Kind("expired", records.Expired, casts.encode_expired, casts.decode_expired),
    _Kind("announcement", room.Announcement, rooms.encode_announcement, rooms.decode_announcement),
    _Kind("withdrawal", room.Withdrawal, rooms.encode_withdrawal, rooms.decode_withdrawal),
    _Kind("room", room.RoomEvent, rooms.encode_room_event, rooms.decode_room_event),
    _Kind("place", room.RoomPlace, rooms.encode_room_place, rooms.decode_room_place),
    _Kind("command", room.RoomCommand, rooms.encode_room_command, rooms.decode_room_command),
    _Kind("setting", room.RoomSetting, rooms.encode_room_setting, rooms.decode_room_setting),
)
_BY_EVENT = {kind.event: kind for kind in _KINDS}
_ENCODERS: dict[type[Any], Callable[[Any], Encoded]] = {
    records.Fence: encode_fence,
    records.Trim: encode_trim,
    **{kind.record_type: kind.encode for kind in _KINDS},
}


def encode(record: Record) -> Encoded:
    """The bytes of a record; `UnfitRecordsError` for one that has none (`Unreadable`, a number that can't be)."""
    encoder = _ENCODERS.get(type(record))
    if encoder is None:
        raise UnfitRecordsError(f"{type(record).__name__} can't be written")
    return encoder(record)


def decode(headers: Headers, body: bytes) -> Record:
    """The record in those bytes, or `Unreadable` with the reason; never raises."""
    try:
        if is_command(headers):
            return decode_command(headers, body)
        return _decode(HeaderFields(headers), body)
    except ValueError as error:
        return records.Unreadable(str(error))


def _decode(headers: HeaderFields, body: bytes) -> Record:
    event, version = headers.text("e"), headers.number("v")
    if version > VERSION:
        return records.Unreadable(f"{event!r} has version {version}, newer than this program knows")
    kind = _BY_EVENT.get(event)
    if kind is None or version < 1:
        return records.Unreadable(f"no record is called {event!r} in version {version}")
    record: Record = kind.decode(headers, body)
    return record
