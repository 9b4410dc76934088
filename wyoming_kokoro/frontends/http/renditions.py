"""All renditions: those that somebody listens to, and finished ones that are kept ready, the least used going first."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.core.sound import sound
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.frontends.http.rendition import Rendition
from wyoming_kokoro.frontends.http.spool import Spool
from wyoming_kokoro.frontends.http.survey import surveyed

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator
    from pathlib import Path

    from wyoming_kokoro.core.listening import Listening
    from wyoming_kokoro.frontends.http.survey import Survey
    from wyoming_kokoro.model.ids import CastId
    from wyoming_kokoro.model.position import SeqNum
    from wyoming_kokoro.model.presentation import Presentation

_SURVEYS = 4096
_SAME_LIVE = frozenset({"mp3", "opus"})
"""Formats in which the file of a cast that is being made is, byte by byte, that of the finished one."""


class Heard(NamedTuple):
    """What is listened to."""

    cast_id: CastId
    presentation: Presentation


class _Key(NamedTuple):
    heard: Heard
    name: str
    survey: Survey | None
    """What the whole sound is; None where that is not known before its end."""


@dataclass(slots=True)
class _Shared:
    rendition: Rendition
    filling: asyncio.Task[None]
    readers: int = 0


class Renditions:
    """Shares renditions between listeners."""

    def __init__(self, listening: Listening, directory: Path, *, memory_bytes: int, cache_bytes: int) -> None:
        """`memory_bytes` bounds one rendition in memory, `cache_bytes` all that nobody listens to, on disk or not."""
        self._listening = listening
        self._directory = directory
        self._memory_bytes = memory_bytes
        self._cache_bytes = cache_bytes
        self._shared: OrderedDict[_Key, _Shared] = OrderedDict()
        self._surveys: OrderedDict[tuple[Heard, SeqNum], Survey] = OrderedDict()
        self._tasks = TaskSet()

    async def survey(self, heard: Heard, tail: SeqNum) -> Survey:
        """What the sound of a finished cast is; `tail` tells its generations apart. Raises as `Listening.listen` does."""
        known = self._surveys.get((heard, tail))
        if known is None:
            known = await surveyed(sound(self._listening, heard.cast_id, heard.presentation))
            self._surveys[heard, tail] = known
            if len(self._surveys) > _SURVEYS:
                self._surveys.popitem(last=False)
        else:
            self._surveys.move_to_end((heard, tail))
        return known

    @contextlib.asynccontextmanager
    async def open(self, heard: Heard, name: str, survey: Survey | None = None) -> AsyncIterator[Rendition]:
        """The file of that name for what is heard; `survey` where the cast is finished."""
        key = _Key(heard, name, survey)
        shared = self._find(key) or self._begin(key)
        shared.readers += 1
        try:
            yield shared.rendition
        finally:
            shared.readers -= 1
            if not shared.readers:
                self._release(key, shared)

    async def close(self) -> None:
        """Stop encoding, and let go of everything; whoever listens still hears no more."""
        await self._tasks.stop()
        held = list(self._shared.values())
        self._shared.clear()
        for shared in held:
            shared.rendition.close()

    def _find(self, key: _Key) -> _Shared | None:
        shared = self._shared.get(key)
        live = key._replace(survey=None)
        if shared is None and key.survey is not None and key.name in _SAME_LIVE:
            found = self._shared.get(live)
            if found is not None and found.rendition.survey == key.survey:
                # It was made while the cast was, and is what the finished one would be.
                shared = self._shared[key] = self._shared.pop(live)
        if shared is None or shared.rendition.is_failed:
            return None
        self._shared.move_to_end(key)
        return shared

    def _begin(self, key: _Key) -> _Shared:
        rendition = Rendition(Spool(self._directory, memory_bytes=self._memory_bytes))
        heard, name, survey = key
        pcm = sound(self._listening, heard.cast_id, heard.presentation)
        filling = rendition.fill(pcm, name, total_bytes=survey.pcm_bytes if survey else None)
        task = self._tasks.start(filling, name=f"http.{name}[{heard.cast_id}]")
        shared = self._shared[key] = _Shared(rendition, task)
        return shared

    def _release(self, key: _Key, shared: _Shared) -> None:
        """Nobody listens to it any more: kept if it may be heard again, and has not been let go of."""
        is_useful = key.survey is not None or key.name in _SAME_LIVE
        held = [each for each, found in self._shared.items() if found is shared]
        if held and shared.rendition.is_complete and is_useful:
            self._trim()
            return
        for each in held:
            del self._shared[each]
        shared.filling.cancel()
        # Whoever let go of it may be stopped any moment: this is not left to them.
        shared.filling.add_done_callback(lambda _: shared.rendition.close())

    def _trim(self) -> None:
        """Let go of the least used that nobody listens to, until the rest fits."""
        idle = [(key, shared) for key, shared in self._shared.items() if not shared.readers]
        size_bytes = sum(shared.rendition.size_bytes for _, shared in idle)
        for key, shared in idle:
            if size_bytes <= self._cache_bytes:
                break
            size_bytes -= shared.rendition.size_bytes
            del self._shared[key]
            shared.rendition.close()
