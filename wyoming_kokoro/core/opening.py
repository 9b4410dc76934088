"""How a worker takes a cast: what its stream says, what is left to do, and from which sentence on."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from dataclasses import dataclass

from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.distant_text import DistantTexts
from wyoming_kokoro.core.elsewhere import NotYet, held_by_another
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.playback import Playback
from wyoming_kokoro.core.reading import read_last, scan_cast
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.core.writing import CastWriter
from wyoming_kokoro.model.cast import JobKind
from wyoming_kokoro.model.errors import SeqNumMismatchError
from wyoming_kokoro.model.ids import CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.records import (
    Audio,
    Catalogued,
    Eos,
    EosReason,
    Fail,
    Fence,
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

    def __init__(self, shop: Workshop, distant: DistantTexts, is_wanted: Callable[[WantedCast], bool]) -> None:
        """`is_wanted` is asked once more before a cast is taken."""
        self._shop = shop
        self._distant = distant
        self._is_wanted = is_wanted
        self.live_texts: dict[CastId, SpokenText] = {}
        """Texts that arrive in this process."""

    async def open(self, wanted: WantedCast, still: Cursor | None) -> Attempt | Answered | Condemned | NotYet | None:
        """Take the cast, unless its stream already answers its jobs, or it is another worker's; None where nobody wants it.

        `still` is where its stream was seen to stand still for as long as was asked. Raises `LogError`.
        """
        playback = await scan_cast(self._shop.log, wanted.cast_id)
        answered = self._answered(wanted, playback)
        if (wait := self._not_yet(wanted, playback, still, is_answered=answered is not None)) is not None:
            return wait
        if answered is not None:
            return answered
        await self._restore_recipe(wanted)
        text, has_asker_here = await self._text(wanted)
        if not self._is_wanted(wanted):
            return None
        if playback.is_held and playback.tail == still:
            self._shop.metrics.count(Counter.takeovers_total)
            _LOGGER.info("cast %s is taken over from worker %s, which fell silent", wanted.cast_id, playback.worker)
        attempt = self._take(wanted, playback, text, has_asker_here=has_asker_here)
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

    def _not_yet(self, wanted: WantedCast, playback: Playback, still: Cursor | None, *, is_answered: bool) -> NotYet | None:
        """Why the cast is left to others for now, if it is."""
        if (wait := held_by_another(self._shop, playback, still)) is not None:
            return wait
        if self._shop.log.exclusive or playback.tail == still or playback.worker == self._shop.name:
            return None
        if is_answered:
            # Who wrote the end is about to write the receipt.
            return NotYet(playback.tail, beats=1)
        model = wanted.recipe.model
        return None if model == self._shop.engine.fingerprint else NotYet(playback.tail, model=model)

    def _take(self, wanted: WantedCast, playback: Playback, text: SpokenText, *, has_asker_here: bool) -> Attempt:
        cast_id, model = wanted.cast_id, self._shop.engine.fingerprint
        is_faithful = wanted.recipe.model == model
        recipe = wanted.recipe if is_faithful else dataclasses.replace(wanted.recipe, model=model)
        token = self._shop.clock.entropy(8).hex()
        next_index = playback.next_of(model, is_faithful=is_faithful)
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
            has_asker_here=has_asker_here,
            is_faithful=is_faithful,
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

    async def _text(self, wanted: WantedCast) -> tuple[SpokenText, bool]:
        """What is to be said, and whether whoever asked for it is to be found in this process alone."""
        if wanted.kind is JobKind.SPEAK:
            return SpokenText.whole(wanted.recipe.sentences), True
        if (text := self.live_texts.get(wanted.cast_id)) is not None:
            return text, True
        distant = await self._distant.read(wanted.cast_id)
        return distant.text, distant.is_ours

    def _answered(self, wanted: WantedCast, playback: Playback) -> Answered | None:
        """Which of the jobs the stream answers already: after a crash between its end and the receipt, or for a late job."""
        match playback.end:
            case Eos() as end if self._is_good(wanted, playback):
                return Answered(end, wanted.seq_nums, playback)
            case Eos(reason=EosReason.CUT) as end if wanted.kind is JobKind.LIVE:
                return Answered(end, wanted.seq_nums, playback)
            case Fail() as end:
                jobs = tuple(job for job in wanted.seq_nums if job < end.jobs_tail)
                return Answered(end, jobs, playback) if jobs else None
            case _:
                return None

    def _is_good(self, wanted: WantedCast, playback: Playback) -> bool:
        """Whether the cast is all that can be made of it here."""
        model = wanted.recipe.model
        is_best = wanted.kind is JobKind.LIVE or model != self._shop.engine.fingerprint
        return playback.is_whole(model) or (is_best and playback.is_complete)
