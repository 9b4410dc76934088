"""One sentence of sound: copied where it was spoken before, begun early where it is foreseen, otherwise synthesised."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from wyoming_kokoro.audio.joins import with_pause
from wyoming_kokoro.core.reuse import SpokenSentences
from wyoming_kokoro.model.audio import SPEECH, Speech
from wyoming_kokoro.model.recipe import Utterance
from wyoming_kokoro.ports import Bodies, Engine

_ANTICIPATED = 8
"""Sentences made ahead of their job that are kept until it comes."""


@dataclass(frozen=True, slots=True)
class Voiced:
    """A sentence that can be heard and stored."""

    pcm: bytes
    body: bytes
    body_format: str
    is_reused: bool
    gen_ms: int

    @property
    def seconds(self) -> float:
        """Duration of the sound."""
        return SPEECH.seconds(len(self.pcm))


@dataclass(slots=True)
class _Work:
    task: asyncio.Task[Speech]
    waiting: int = 0


class Voicing:
    """Turns utterances into sound; equal utterances at one time are one synthesis."""

    def __init__(self, engine: Engine, bodies: Bodies, spoken: SpokenSentences) -> None:
        self._engine = engine
        self._bodies = bodies
        self._spoken = spoken
        self._works: OrderedDict[str, _Work] = OrderedDict()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being synthesised."""
        return all(work.task.done() for work in self._works.values())

    def anticipate(self, utterance: Utterance) -> None:
        """Begin now what a job will ask for in a moment; only where the engine has nothing else to do."""
        if self._engine.slots and self.is_idle and utterance.key not in self._works and utterance.key not in self._spoken:
            self._begin(utterance)

    def has_begun(self, utterance: Utterance) -> bool:
        """Whether it was begun, and is waited for here."""
        return utterance.key in self._works

    async def voice(self, utterance: Utterance) -> Voiced:
        """The sound of a sentence. Raises what `Engine.synthesize` raises."""
        if found := await self._spoken.find(utterance.key):
            pcm = await self._bodies.decode(found.body, found.body_format)
            return Voiced(pcm, found.body, found.body_format, is_reused=True, gen_ms=0)
        speech = await self._synthesized(utterance)
        pcm = with_pause(speech.pcm, utterance.pause_ms)
        body = await self._bodies.encode(pcm)
        return Voiced(pcm, body, self._bodies.body_format, is_reused=False, gen_ms=round(1000 * speech.gen_seconds))

    def stop(self, utterance: Utterance) -> None:
        """Nobody wants it any more: stop it, unless another cast waits for the very same sentence."""
        work = self._works.get(utterance.key)
        if work is not None and work.waiting <= 1:
            self._engine.cancel(utterance)

    def forsake(self, utterance: Utterance) -> None:
        """The asker that it was begun for has gone: stop it, unless a cast waits for it."""
        work = self._works.get(utterance.key)
        if work is not None and not work.waiting:
            del self._works[utterance.key]
            work.task.cancel()

    async def close(self) -> None:
        """Stop everything."""
        works = [work.task for work in self._works.values()]
        for task in works:
            task.cancel()
        await asyncio.gather(*works, return_exceptions=True)

    async def _synthesized(self, utterance: Utterance) -> Speech:
        work = self._works.get(utterance.key) or self._begin(utterance)
        work.waiting += 1
        try:
            return await asyncio.shield(work.task)
        finally:
            work.waiting -= 1
            if not work.waiting and self._works.get(utterance.key) is work:
                del self._works[utterance.key]
                if not work.task.done():
                    work.task.cancel()

    def _begin(self, utterance: Utterance) -> _Work:
        task = asyncio.get_running_loop().create_task(self._engine.synthesize(utterance), name=f"voicing[{utterance.key[:8]}]")
        work = self._works[utterance.key] = _Work(task)
        task.add_done_callback(lambda _: self._over(utterance.key, work))
        self._forget_unwanted()
        return work

    def _over(self, key: str, work: _Work) -> None:
        has_failed = work.task.cancelled() or work.task.exception() is not None
        # Those who wait are told; whoever asks after them tries anew. A failure that nobody waited for yet is kept for the job.
        if has_failed and work.waiting and self._works.get(key) is work:
            del self._works[key]

    def _forget_unwanted(self) -> None:
        unwanted = [key for key, work in self._works.items() if not work.waiting]
        for key in unwanted[: -_ANTICIPATED or None]:
            self._works.pop(key).task.cancel()
