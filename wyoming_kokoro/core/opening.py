"""How a worker takes a cast: what its stream says, what is left to do, and from which sentence on."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.playback import Playback
from wyoming_kokoro.core.reading import read_last, read_through, scan_cast
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.core.writing import CastWriter
from wyoming_kokoro.model.cast import JobKind
from wyoming_kokoro.model.errors import FencingTokenMismatchError, SeqNumMismatchError
from wyoming_kokoro.model.ids import CastId, cast_stream, catalog_stream, input_stream
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.records import (
    Audio,
    Catalogued,
    Eos,
    EosReason,
    Fail,
    Fence,
    Input,
    InputEnd,
    InputEndReason,
    Meta,
    Record,
    Start,
)

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answered:
    """Nothing has to be made: the stream already holds what became of these jobs."""

    end: Eos | Fail
    jobs: tuple[SeqNum, ...]
    playback: Playback


@dataclass(frozen=True, slots=True)
class Condemned:
    """It must not be tried again."""

    attempt: Attempt
    reason: str


class Opener:
    """Opens attempts for one worker."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self.live_texts: dict[CastId, SpokenText] = {}
        """Texts that arrive in this process."""

    async def open(self, wanted: WantedCast) -> Attempt | Answered | Condemned:
        """Take the cast, unless its stream already answers its jobs."""
        playback = await scan_cast(self._shop.log, wanted.cast_id)
        if (answered := _answered(wanted, playback)) is not None:
            return answered
        await self._restore_recipe(wanted)
        text = await self._text(wanted)
        attempt = self._take(wanted, playback, text)
        reason = playback.poisoned()
        return attempt if reason is None else Condemned(attempt, reason)

    def open_unlogged(self, cast_id: CastId, recipe: Recipe, text: SpokenText) -> Attempt:
        """An attempt that is heard from memory only."""
        return Attempt(
            cast_id=cast_id,
            kind=JobKind.LIVE,
            recipe=recipe,
            text=text,
            feed=self._shop.feeds.open(cast_id),
            writer=None,
            number=1,
            worker=self._shop.name,
            next_index=0,
            audio_ms=0,
            token="",
        )

    def _take(self, wanted: WantedCast, playback: Playback, text: SpokenText) -> Attempt:
        cast_id, recipe = wanted.cast_id, wanted.recipe
        token = self._shop.clock.entropy(8).hex()
        next_index = playback.next_of(recipe.model)
        writer = CastWriter(
            self._shop.log,
            self._shop.clock,
            self._shop.tasks,
            cast_stream(cast_id),
            token=token,
            tail=playback.tail,
            landed=lambda record, seq_num: self._landed(attempt, record, seq_num),
        )
        attempt = Attempt(
            cast_id=cast_id,
            kind=wanted.kind,
            recipe=recipe,
            text=text,
            feed=self._shop.feeds.open(cast_id),
            writer=writer,
            number=playback.attempts + 1,
            worker=self._shop.name,
            next_index=next_index,
            audio_ms=playback.audio_ms if next_index else 0,
            token=token,
            deaths=playback.deaths[next_index],
        )
        meta: list[Record] = []
        if playback.tail == 0:
            meta = [Meta(cast_id=cast_id, kind=wanted.kind, voice=recipe.voice, language=recipe.language)]
        start = Start(attempt=playback.attempts + 1, worker=self._shop.name, next_index=next_index, model=recipe.model)
        writer.put(*meta, Fence(token), start)
        return attempt

    def _landed(self, attempt: Attempt, record: Record, seq_num: SeqNum) -> None:
        attempt.landed(record, seq_num)
        if isinstance(record, Audio):
            self._shop.spoken.add(record.key, cast_stream(attempt.cast_id), seq_num)

    async def _restore_recipe(self, wanted: WantedCast) -> None:
        """The job carries the recipe: where the catalog lost it, it is written again."""
        stream = catalog_stream(wanted.cast_id)
        found, tail = await read_last(self._shop.log, stream, Catalogued)
        if found is None:
            try:
                await self._shop.log.append(stream, [Catalogued(recipe=wanted.recipe)], match_seq_num=tail)
            except SeqNumMismatchError:
                _LOGGER.debug("%s: the recipe was written meanwhile", wanted.cast_id)

    async def _text(self, wanted: WantedCast) -> SpokenText:
        if wanted.kind is JobKind.SPEAK:
            return SpokenText.whole(wanted.recipe.sentences)
        if (text := self.live_texts.get(wanted.cast_id)) is not None:
            return text
        return await self._orphaned_text(wanted.cast_id)

    async def _orphaned_text(self, cast_id: CastId) -> SpokenText:
        """The text of a live cast whose writer is gone: closed for ever, then read as far as it came."""
        stream = input_stream(cast_id)
        text, token, tail = SpokenText(), "", 0
        async for sequenced in read_through(self._shop.log, stream):
            tail = sequenced.seq_num + 1
            match sequenced.record:
                case Fence(token=token):
                    pass
                case Input() as arrived if arrived.index == len(text.sentences):
                    text.add(arrived.sentence)
                case InputEnd() as end:
                    text.finish(end.reason)
        if text.end is None:
            closing: list[Record] = [
                Fence(f"end-{self._shop.clock.entropy(8).hex()}"),
                InputEnd(reason=InputEndReason.ABANDONED, count=len(text.sentences)),
            ]
            try:
                await self._shop.log.append(stream, closing, match_seq_num=tail, fencing_token=token)
            except (SeqNumMismatchError, FencingTokenMismatchError):
                return await self._orphaned_text(cast_id)
            text.finish(InputEndReason.ABANDONED)
        return text


def _answered(wanted: WantedCast, playback: Playback) -> Answered | None:
    """Which of the jobs the stream answers already: after a crash between its end and the receipt, or for a late job."""
    match playback.end:
        case Eos() as end if playback.is_whole(wanted.recipe.model) or (playback.is_complete and wanted.kind is JobKind.LIVE):
            return Answered(end, wanted.seq_nums, playback)
        case Eos(reason=EosReason.CUT) as end if wanted.kind is JobKind.LIVE:
            return Answered(end, wanted.seq_nums, playback)
        case Fail() as end:
            jobs = tuple(job for job in wanted.seq_nums if job < end.jobs_tail)
            return Answered(end, jobs, playback) if jobs else None
        case _:
            return None
