"""Any record becomes bytes and the same record again; any bytes become a record."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.journal.codec import decode, encode
from wyoming_kokoro.journal.sqlite.headers import pack_headers, unpack_headers
from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.cast import JobKind, Outcome, Priority
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.recipe import Boundary, Profile, Recipe, Sentence
from wyoming_kokoro.model.records import (
    Alive,
    Audio,
    Cancel,
    Catalogued,
    DeadLetter,
    Eos,
    EosReason,
    Expired,
    Fail,
    Fence,
    Idempotency,
    Input,
    InputEnd,
    InputEndReason,
    Job,
    Meta,
    Receipt,
    Record,
    Requeued,
    Start,
    Trim,
    Unreadable,
    Watermark,
)
from wyoming_kokoro.model.room import (
    Announcement,
    CommandKind,
    RoomCommand,
    RoomEvent,
    RoomEventKind,
    RoomPlace,
    RoomSetting,
    SettingName,
    SpeakerResult,
    Withdrawal,
)

# Any text that Python can hold, lone surrogates included.
texts = st.text(st.characters(exclude_categories=()), max_size=40)
numbers = st.integers(0, 2**63 - 1)
casts = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=16, max_size=16).map(CastId)
sentences = st.builds(Sentence, texts, texts, st.sampled_from(Boundary), st.sampled_from(Boundary))
recipes = st.builds(
    Recipe,
    text=texts,
    sentences=st.lists(sentences, max_size=3).map(tuple),
    voice=texts,
    speed=st.floats(allow_nan=False, allow_infinity=False),
    language=texts,
    profile=st.sampled_from(Profile),
    model=texts,
    text_version=numbers,
    provenance=st.booleans(),
    version=numbers,
)
seq_nums = st.lists(numbers, max_size=5).map(tuple)
kinds = st.sampled_from(JobKind)
marks = st.builds(Idempotency, key=texts, digest=texts, is_new=st.booleans(), is_hit=st.booleans())
reals = st.floats(allow_nan=False, allow_infinity=False)
results = st.builds(
    SpeakerResult,
    speaker=texts,
    outcome=st.none() | st.sampled_from(PlayOutcome),
    reason=texts,
    position_seconds=st.none() | reals,
)
RECORDS: dict[type, st.SearchStrategy[Record]] = {
    Fence: st.builds(Fence, st.text(max_size=9)),
    Trim: st.builds(Trim, st.integers(0, 2**64 - 1)),
    Job: st.builds(
        Job, cast_id=casts, kind=kinds, recipe=recipes, priority=st.sampled_from(Priority), source=texts,
        room=st.none() | texts, due_ms=st.none() | st.integers(), deadline_ms=st.none() | numbers,
        idempotency=st.none() | marks,
    ),
    Cancel: st.builds(Cancel, cast_id=casts, job=st.none() | numbers),
    Watermark: st.builds(Watermark, numbers, numbers),
    DeadLetter: st.builds(DeadLetter, cast_id=casts, jobs=seq_nums, reason=texts, kind=kinds, recipe=recipes),
    Requeued: st.builds(Requeued, cast_id=casts, letters=seq_nums),
    Receipt: st.builds(
        Receipt, cast_id=casts, jobs=seq_nums, outcome=st.sampled_from(Outcome), sentences=numbers, reused=numbers,
        audio_ms=numbers, gen_ms=numbers, voice=texts, worker=texts,
    ),
    Catalogued: st.builds(Catalogued, recipe=recipes, keep=st.booleans()),
    Input: st.builds(Input, index=numbers, sentence=sentences),
    InputEnd: st.builds(InputEnd, reason=st.sampled_from(InputEndReason), count=numbers),
    Meta: st.builds(Meta, cast_id=casts, kind=kinds, voice=texts, language=texts),
    Start: st.builds(Start, attempt=numbers, worker=texts, next_index=numbers, model=texts),
    Audio: st.builds(
        Audio, index=numbers, duration_ms=numbers, text=texts, body=st.binary(), body_format=texts, rate=numbers,
        attempt=numbers, worker=texts, key=texts, checksum=texts,
    ),
    Alive: st.builds(Alive, worker=texts, model=texts, released=st.booleans(), died_under=st.none() | numbers),
    Eos: st.builds(Eos, count=numbers, reason=st.sampled_from(EosReason)),
    Fail: st.builds(Fail, reason=texts, jobs_tail=numbers),
    Expired: st.builds(Expired),
    Announcement: st.builds(
        Announcement, announcement_id=texts, recipe=recipes, rooms=st.lists(texts, max_size=3).map(tuple),
        priority=st.sampled_from(Priority), source=texts, expires_ms=st.integers(), asked=texts, digest=texts,
        topic=st.none() | texts, chime=st.none() | texts, lead_ms=st.none() | numbers, repeat=numbers,
        volume=st.none() | reals, replay_of=st.none() | texts,
    ),
    Withdrawal: st.builds(Withdrawal, announcement_id=texts),
    RoomEvent: st.builds(
        RoomEvent, event=st.sampled_from(RoomEventKind), announcement_id=texts, order=numbers, cast_id=casts,
        index=st.none() | numbers, position_seconds=st.none() | reals, duration_seconds=st.none() | reals, reason=texts,
        field=texts, play_id=texts, urls=st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
        speakers=st.lists(results, max_size=2).map(tuple),
    ),
    RoomPlace: st.builds(RoomPlace, announcements=numbers, events=numbers, control=numbers),
    RoomCommand: st.builds(
        RoomCommand, kind=st.sampled_from(CommandKind), below=numbers, announcement_id=st.none() | texts,
        since=st.none() | numbers, play_id=texts,
    ),
    RoomSetting: st.builds(
        RoomSetting, name=st.sampled_from(SettingName), value=st.none() | texts | reals | st.booleans()
    ),
}  # fmt: skip
HEADER_NAMES = [b"", b"e", b"v", b"i", b"d", b"t", b"f", b"r", b"a", b"w", b"n", b"j", b"x", b"h", b"k"]
any_headers = st.lists(st.tuples(st.sampled_from(HEADER_NAMES) | st.binary(max_size=3), st.binary(max_size=12)), max_size=14)


def test_every_type_of_record_is_tried() -> None:
    assert RECORDS.keys() == set(get_args(Record)) - {Unreadable}


@given(st.one_of(list(RECORDS.values())))
def test_a_record_comes_back_from_its_bytes(record: Record) -> None:
    encoded = encode(record)
    assert decode(list(encoded.headers), encoded.body) == record
    assert encode(decode(*encoded)) == encoded


@given(any_headers, st.binary())
def test_any_bytes_decode_without_an_error(headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    assert isinstance(decode(headers, body), get_args(Record))


@given(st.one_of(list(RECORDS.values())), st.data())
def test_bytes_of_a_record_that_were_damaged_decode_without_an_error(record: Record, data: st.DataObject) -> None:
    headers, body = encode(record)
    place = data.draw(st.integers(0, len(headers) - 1))
    headers[place] = (headers[place][0], data.draw(st.binary(max_size=6)))
    cut = data.draw(st.integers(0, len(body)))
    damaged = body[:cut] + data.draw(st.binary(max_size=3)) + body[cut + 1 :]
    assert isinstance(decode(headers, damaged), get_args(Record))


@given(any_headers)
def test_headers_come_back_from_their_column(headers: list[tuple[bytes, bytes]]) -> None:
    assert unpack_headers(pack_headers(headers)) == headers


@given(st.binary())
def test_a_column_of_headers_that_is_none_is_a_value_error_at_most(packed: bytes) -> None:
    try:
        assert pack_headers(unpack_headers(packed)) == packed
    except ValueError as error:
        assert "cut short" in str(error)
