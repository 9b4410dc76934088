"""Bytes of the records of one cast: `in/<cast>` and `pub/casts/<cast>`."""

from __future__ import annotations

from wyoming_kokoro.journal.codec.envelope import Encoded, canonical_json, seal
from wyoming_kokoro.journal.codec.fields import BodyFields, HeaderFields
from wyoming_kokoro.journal.codec.recipes import sentence_document, sentence_from
from wyoming_kokoro.journal.codec.work import cast_id_from
from wyoming_kokoro.model.cast import JobKind
from wyoming_kokoro.model.records import (
    Alive,
    Audio,
    Eos,
    EosReason,
    Expired,
    Fail,
    Input,
    InputEnd,
    InputEndReason,
    Meta,
    Start,
)


def encode_input(entry: Input) -> Encoded:
    """Index and text are headers."""
    sentence = entry.sentence
    return seal("sentence", canonical_json(sentence_document(sentence)), i=entry.index, t=sentence.text)


def decode_input(headers: HeaderFields, body: bytes) -> Input:
    """The reverse of `encode_input`."""
    fields = BodyFields.parse(body)
    return Input(index=headers.number("i"), sentence=sentence_from(fields, headers.text("t")))


def encode_input_end(end: InputEnd) -> Encoded:
    """The count is a header."""
    return seal("end", canonical_json({"reason": end.reason.value}), n=end.count)


def decode_input_end(headers: HeaderFields, body: bytes) -> InputEnd:
    """The reverse of `encode_input_end`."""
    return InputEnd(reason=InputEndReason(BodyFields.parse(body).text("reason")), count=headers.number("n"))


def encode_meta(meta: Meta) -> Encoded:
    """All in the body."""
    document: dict[str, object] = {
        "cast": meta.cast_id,
        "kind": meta.kind.value,
        "language": meta.language,
        "voice": meta.voice,
    }
    return seal("meta", canonical_json(document))


def decode_meta(_: HeaderFields, body: bytes) -> Meta:
    """The reverse of `encode_meta`."""
    fields = BodyFields.parse(body)
    return Meta(
        cast_id=cast_id_from(fields),
        kind=JobKind(fields.text("kind")),
        voice=fields.text("voice"),
        language=fields.text("language"),
    )


def encode_start(start: Start) -> Encoded:
    """All but the model are headers."""
    body = canonical_json({"model": start.model})
    return seal("start", body, a=start.attempt, w=start.worker, n=start.next_index)


def decode_start(headers: HeaderFields, body: bytes) -> Start:
    """The reverse of `encode_start`."""
    return Start(
        attempt=headers.number("a"),
        worker=headers.text("w"),
        next_index=headers.number("n"),
        model=BodyFields.parse(body).text("model"),
    )


def encode_audio(audio: Audio) -> Encoded:
    """The body is the sound itself, all else headers."""
    return seal(
        "audio",
        audio.body,
        i=audio.index,
        d=audio.duration_ms,
        t=audio.text,
        f=audio.body_format,
        r=audio.rate,
        a=audio.attempt,
        w=audio.worker,
        k=audio.key,
        h=audio.checksum,
    )


def decode_audio(headers: HeaderFields, body: bytes) -> Audio:
    """The reverse of `encode_audio`; whether the body is intact is for the reader to ask."""
    return Audio(
        index=headers.number("i"),
        duration_ms=headers.number("d"),
        text=headers.text("t"),
        body=body,
        body_format=headers.text("f"),
        rate=headers.number("r"),
        attempt=headers.number("a"),
        worker=headers.text("w"),
        key=headers.text("k"),
        checksum=headers.text("h"),
    )


def encode_alive(alive: Alive) -> Encoded:
    """Worker and the sentence under which the engine died are headers."""
    body = canonical_json({"model": alive.model, "released": alive.released})
    return seal("alive", body, w=alive.worker, x=alive.died_under)


def decode_alive(headers: HeaderFields, body: bytes) -> Alive:
    """The reverse of `encode_alive`."""
    fields = BodyFields.parse(body)
    return Alive(
        worker=headers.text("w"),
        model=fields.text("model"),
        released=fields.flag("released"),
        died_under=headers.optional_number("x"),
    )


def encode_eos(eos: Eos) -> Encoded:
    """The count is a header."""
    return seal("eos", canonical_json({"reason": eos.reason.value}), n=eos.count)


def decode_eos(headers: HeaderFields, body: bytes) -> Eos:
    """The reverse of `encode_eos`."""
    return Eos(count=headers.number("n"), reason=EosReason(BodyFields.parse(body).text("reason")))


def encode_fail(fail: Fail) -> Encoded:
    """The tail of `jobs` is a header."""
    return seal("fail", canonical_json({"reason": fail.reason}), j=fail.jobs_tail)


def decode_fail(headers: HeaderFields, body: bytes) -> Fail:
    """The reverse of `encode_fail`."""
    return Fail(reason=BodyFields.parse(body).text("reason"), jobs_tail=headers.number("j"))


def encode_expired(_: Expired) -> Encoded:
    """Nothing but the event."""
    return seal("expired", b"{}")


def decode_expired(_: HeaderFields, body: bytes) -> Expired:
    """The reverse of `encode_expired`."""
    BodyFields.parse(body)
    return Expired()
