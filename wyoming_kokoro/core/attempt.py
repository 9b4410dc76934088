"""One worker's go at a cast: what it has to say next, and how it ends."""

from __future__ import annotations

from wyoming_kokoro.core.feeds import Feed, Piece
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.voicing import Voiced
from wyoming_kokoro.core.writing import AttemptLostError, CastWriter
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.cast import JobKind, Outcome
from wyoming_kokoro.model.errors import LogError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.recipe import Recipe, Sentence, Utterance
from wyoming_kokoro.model.records import (
    Alive,
    Audio,
    Eos,
    EosReason,
    Fail,
    Fence,
    InputEndReason,
    Receipt,
    Record,
    Start,
    checksum,
)

UNWRITTEN_MOST = 64
"""Sentences that may wait for the log before the attempt makes no more."""


class Attempt:
    """An open attempt. Without a writer it is heard from memory only: the log refused the request."""

    def __init__(
        self,
        *,
        cast_id: CastId,
        kind: JobKind,
        recipe: Recipe,
        text: SpokenText,
        feed: Feed,
        writer: CastWriter | None,
        number: int,
        worker: str,
        next_index: int,
        audio_ms: int,
        token: str,
        deaths: int = 0,
        has_asker_here: bool = True,
        is_faithful: bool = True,
    ) -> None:
        self.cast_id = cast_id
        self.kind = kind
        self.recipe = recipe
        self.text = text
        self.feed = feed
        self.writer = writer
        self.next_index = next_index
        self.is_open = True
        """False once its worker has let go of it."""
        self.is_faithful = is_faithful
        """Whether the model that speaks is the one that was asked for; otherwise the cast is never a hit."""
        self.is_claimed = False
        """Whether the log says that it holds the cast."""
        self._has_asker_here = has_asker_here
        self.speaking: Utterance | None = None
        """The sentence under way."""
        self._deaths = {next_index: deaths}
        self._number = number
        self._worker = worker
        self._token = token
        self._audio_ms = audio_ms
        self._gen_ms = self._reused = 0

    @property
    def is_logged(self) -> bool:
        """Whether what it makes gets into the log."""
        return self.writer is not None and self.writer.failure is None

    @property
    def is_lost(self) -> bool:
        """Whether another attempt holds the cast now."""
        return self.writer is not None and isinstance(self.writer.failure, AttemptLostError)

    @property
    def is_refused(self) -> bool:
        """Whether the log takes no more of it: only its listeners are a reason to go on."""
        return self.writer is not None and self.writer.failure is not None

    @property
    def has_room(self) -> bool:
        """Whether the log keeps up."""
        return self.writer is None or self.writer.failure is not None or self.writer.unwritten < UNWRITTEN_MOST

    @property
    def sentence(self) -> Sentence | None:
        """What to say next; None where nothing is left, or has not arrived yet."""
        return self.text.sentence(self.next_index)

    @property
    def utterance(self) -> Utterance:
        """The next sentence as the engine gets it."""
        sentence = self.sentence
        if sentence is None:
            raise AssertionError("there is no next sentence")
        return self.recipe.utterance(sentence)

    @property
    def upcoming(self) -> Utterance | None:
        """What will probably be said after the next sentence."""
        following = self.text.sentence(self.next_index + 1)
        return None if following is None else self.recipe.utterance(following)

    @property
    def is_said(self) -> bool:
        """Whether everything was said and no more text will come."""
        return self.text.end is not None and self.sentence is None

    @property
    def has_work(self) -> bool:
        """Whether there is something to do for it now: a sentence to make, or its end."""
        return self.sentence is not None or self.is_said or self.is_unheard

    @property
    def is_unheard(self) -> bool:
        """Whether it is a live cast that nobody listens to any more: it is cut, for its text can't be had again.

        Where its text arrives elsewhere, so does its sound: it is unheard only once its asker is gone.
        """
        is_lonely = self._has_asker_here or self.text.end is InputEndReason.ABANDONED
        return self.kind is JobKind.LIVE and is_lonely and not self.feed.listeners

    def add(self, voiced: Voiced) -> None:
        """The next sentence can be heard; the log gets it in its own time."""
        key = self.utterance.key
        text = self.text.sentences[self.next_index].text
        duration_ms = SPEECH.milliseconds(len(voiced.pcm))
        index = self.next_index
        self.next_index += 1
        self._audio_ms += duration_ms
        self._gen_ms += voiced.gen_ms
        self._reused += voiced.is_reused
        self.feed.publish(Piece(index, voiced.pcm, text, None, self.recipe.voice))
        if self.is_logged and self.writer is not None:
            self.writer.put(
                Audio(
                    index=index,
                    duration_ms=duration_ms,
                    text=text,
                    body=voiced.body,
                    body_format=voiced.body_format,
                    rate=SPEECH.rate,
                    attempt=self._number,
                    worker=self._worker,
                    key=key,
                    checksum=checksum(voiced.body),
                )
            )

    def landed(self, record: Record, _seq_num: SeqNum) -> None:
        """The log has it: memory need not."""
        if isinstance(record, Audio):
            self.feed.logged(record.index)
        elif isinstance(record, Start):
            self.is_claimed = True

    def eos(self, reason: EosReason) -> Eos:
        """The end that this attempt has come to."""
        return Eos(count=self.next_index, reason=reason)

    async def close(self, *records: Eos | Fail | Alive) -> bool:
        """Write the last records and let go of the cast; returns whether they are durable."""
        return await self._write(*records, Fence(f"end-{self._token}"))

    async def note_death(self) -> int:
        """Record durably that the engine died under the next sentence, before anybody tries it again; returns how often."""
        deaths = self._deaths[self.next_index] = self._deaths.get(self.next_index, 0) + 1
        await self._write(Alive(worker=self._worker, model=self.recipe.model, died_under=self.next_index))
        return deaths

    async def say_alive(self) -> bool:
        """Tell the others that the cast is still held; False where the log takes no more of this attempt."""
        return await self._write(Alive(worker=self._worker, model=self.recipe.model))

    async def caught_up(self) -> None:
        """Return when the log has all that was made, or takes no more."""
        await self._write()

    async def give_back(self) -> None:
        """Release the cast, so that it can be taken at once."""
        await self.close(Alive(worker=self._worker, model=self.recipe.model, released=True))

    async def _write(self, *records: Record) -> bool:
        if self.writer is None or self.writer.failure is not None:
            return False
        if records:
            self.writer.put(*records)
        try:
            await self.writer.drained()
        except LogError:
            return False
        return True

    def receipt(self, jobs: tuple[SeqNum, ...], outcome: Outcome) -> Receipt:
        """What became of it."""
        return Receipt(
            cast_id=self.cast_id,
            jobs=jobs,
            outcome=outcome,
            sentences=self.next_index,
            reused=self._reused,
            audio_ms=self._audio_ms,
            gen_ms=self._gen_ms,
            voice=self.recipe.voice,
            worker=self._worker,
        )
