"""Bytes of the records about work: `jobs`, `jobs/_cursor`, `jobs/dead`, `progress/done` and `catalog/<cast>`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.journal.codec.envelope import Encoded, canonical_json, seal
from wyoming_kokoro.journal.codec.fields import BodyFields, HeaderFields, MalformedError
from wyoming_kokoro.journal.codec.recipes import recipe_document, recipe_from
from wyoming_kokoro.model.cast import JobKind, Outcome, Priority
from wyoming_kokoro.model.ids import parse_cast_id
from wyoming_kokoro.model.records import Cancel, Catalogued, DeadLetter, Idempotency, Job, Receipt, Requeued, Watermark

if TYPE_CHECKING:
    from wyoming_kokoro.model.ids import CastId


def encode_job(job: Job) -> Encoded:
    """All in the body."""
    document: dict[str, object] = {
        "cast": job.cast_id,
        "deadline_ms": job.deadline_ms,
        "due_ms": job.due_ms,
        "idempotency": None if job.idempotency is None else _idempotency_document(job.idempotency),
        "kind": job.kind.value,
        "priority": job.priority.label,
        "recipe": recipe_document(job.recipe),
        "room": job.room,
        "source": job.source,
    }
    return seal("job", canonical_json(document))


def decode_job(_: HeaderFields, body: bytes) -> Job:
    """The reverse of `encode_job`."""
    fields = BodyFields.parse(body)
    return Job(
        cast_id=cast_id_from(fields),
        kind=JobKind(fields.text("kind")),
        recipe=recipe_from(fields.section("recipe")),
        priority=Priority.from_label(fields.text("priority")),
        source=fields.text("source"),
        room=fields.optional_text("room"),
        due_ms=fields.optional_number("due_ms"),
        deadline_ms=fields.optional_number("deadline_ms"),
        idempotency=_idempotency_from(fields.optional_section("idempotency")),
    )


def encode_cancel(cancel: Cancel) -> Encoded:
    """All in the body."""
    return seal("cancel", canonical_json({"cast": cancel.cast_id, "job": cancel.job}))


def decode_cancel(_: HeaderFields, body: bytes) -> Cancel:
    """The reverse of `encode_cancel`."""
    fields = BodyFields.parse(body)
    return Cancel(cast_id=cast_id_from(fields), job=fields.optional_number("job"))


def encode_watermark(watermark: Watermark) -> Encoded:
    """All in the body."""
    return seal("watermark", canonical_json({"done": watermark.done, "jobs": watermark.jobs}))


def decode_watermark(_: HeaderFields, body: bytes) -> Watermark:
    """The reverse of `encode_watermark`."""
    fields = BodyFields.parse(body)
    return Watermark(jobs=fields.number("jobs"), done=fields.number("done"))


def encode_dead_letter(letter: DeadLetter) -> Encoded:
    """All in the body."""
    document: dict[str, object] = {
        "cast": letter.cast_id,
        "jobs": list(letter.jobs),
        "kind": letter.kind.value,
        "reason": letter.reason,
        "recipe": recipe_document(letter.recipe),
    }
    return seal("dead", canonical_json(document))


def decode_dead_letter(_: HeaderFields, body: bytes) -> DeadLetter:
    """The reverse of `encode_dead_letter`."""
    fields = BodyFields.parse(body)
    return DeadLetter(
        cast_id=cast_id_from(fields),
        jobs=fields.numbers("jobs"),
        reason=fields.text("reason"),
        kind=JobKind(fields.text("kind")),
        recipe=recipe_from(fields.section("recipe")),
    )


def encode_requeued(requeued: Requeued) -> Encoded:
    """All in the body."""
    return seal("requeued", canonical_json({"cast": requeued.cast_id, "letters": list(requeued.letters)}))


def decode_requeued(_: HeaderFields, body: bytes) -> Requeued:
    """The reverse of `encode_requeued`."""
    fields = BodyFields.parse(body)
    return Requeued(cast_id=cast_id_from(fields), letters=fields.numbers("letters"))


def encode_receipt(receipt: Receipt) -> Encoded:
    """All in the body."""
    document: dict[str, object] = {
        "audio_ms": receipt.audio_ms,
        "cast": receipt.cast_id,
        "gen_ms": receipt.gen_ms,
        "jobs": list(receipt.jobs),
        "outcome": receipt.outcome.value,
        "reused": receipt.reused,
        "sentences": receipt.sentences,
        "voice": receipt.voice,
        "worker": receipt.worker,
    }
    return seal("receipt", canonical_json(document))


def decode_receipt(_: HeaderFields, body: bytes) -> Receipt:
    """The reverse of `encode_receipt`."""
    fields = BodyFields.parse(body)
    return Receipt(
        cast_id=cast_id_from(fields),
        jobs=fields.numbers("jobs"),
        outcome=Outcome(fields.text("outcome")),
        sentences=fields.number("sentences"),
        reused=fields.number("reused"),
        audio_ms=fields.number("audio_ms"),
        gen_ms=fields.number("gen_ms"),
        voice=fields.text("voice"),
        worker=fields.text("worker"),
    )


def encode_catalogued(catalogued: Catalogued) -> Encoded:
    """All in the body."""
    return seal("recipe", canonical_json({"keep": catalogued.keep, "recipe": recipe_document(catalogued.recipe)}))


def decode_catalogued(_: HeaderFields, body: bytes) -> Catalogued:
    """The reverse of `encode_catalogued`."""
    fields = BodyFields.parse(body)
    return Catalogued(recipe=recipe_from(fields.section("recipe")), keep=fields.flag("keep"))


def _idempotency_document(mark: Idempotency) -> dict[str, object]:
    return {"digest": mark.digest, "hit": mark.is_hit, "key": mark.key, "new": mark.is_new}


def _idempotency_from(fields: BodyFields | None) -> Idempotency | None:
    if fields is None:
        return None
    return Idempotency(
        key=fields.text("key"), digest=fields.text("digest"), is_new=fields.flag("new"), is_hit=fields.flag("hit")
    )


def cast_id_from(fields: BodyFields) -> CastId:
    """The cast id in a body."""
    cast_id = parse_cast_id(fields.text("cast"))
    if cast_id is None:
        raise MalformedError("'cast' is not a cast id")
    return cast_id
