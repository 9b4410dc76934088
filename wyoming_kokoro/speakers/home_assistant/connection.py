"""Home Assistant as all speakers share it: one connection that comes back by itself, and what the entities say."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.errors import ServerError, TokenRefusedError
from wyoming_kokoro.speakers.home_assistant.answer import Away, Done
from wyoming_kokoro.speakers.home_assistant.entity_state import EntityState, apply_event
from wyoming_kokoro.speakers.home_assistant.link import Link
from wyoming_kokoro.speakers.waiting import within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.speakers.home_assistant.access import Access
    from wyoming_kokoro.speakers.home_assistant.answer import Answer
    from wyoming_kokoro.speakers.home_assistant.link import Event
    from wyoming_kokoro.speakers.home_assistant.service_call import ServiceCall

_LOGGER = logging.getLogger(__name__)

_FIRST_SECONDS, _MOST_SECONDS = 0.5, 30.0
_STEADY_SECONDS = 60.0
"""A connection that held for so long was no flicker: the next try is a quick one."""
_REFUSED_SECONDS = 300.0
"""Home Assistant may shut out an address that comes with a wrong token too often."""
_BROKEN = "the connection to Home Assistant broke"


class Watcher(Protocol):
    """Who follows an entity. Called on the loop, at once and in order; must not block or raise."""

    def saw(self, state: EntityState | None) -> None:
        """The entity's state as it is now; None: there is no such entity."""

    def lost_sight(self) -> None:
        """The connection broke: until the next `saw` nobody knows what happens."""


class HomeAssistant:
    """Begins to connect with the first watched entity, and lets go with the last."""

    def __init__(self, access: Access, clock: Clock) -> None:
        self._access = access
        self._clock = clock
        self._watchers: dict[str, list[Watcher]] = {}
        self._states: dict[str, EntityState] = {}
        self._told: set[str] = set()
        """Entities of which this connection has spoken."""
        self._platforms: dict[str, str] = {}
        self._link: Link | None = None
        self._tasks: TaskSet | None = None
        self._changed = Signal()
        self.problem = "Home Assistant has not been reached yet"
        """Why there is no connection, in a sentence; empty while there is one."""

    def watch(self, entity: str, watcher: Watcher) -> None:
        """Follow an entity; who is there already is told at the next change."""
        self._watchers.setdefault(entity, []).append(watcher)
        if self._tasks is None:
            self._tasks = TaskSet()
            self._tasks.start(self._run(), name="home-assistant")
        elif self._link is not None:
            self._tasks.start(self._subscribe(self._link, [entity]), name=f"home-assistant[{entity}]")

    async def forget(self, entity: str, watcher: Watcher) -> None:
        """The opposite; idempotent."""
        followers = self._watchers.get(entity, [])
        if watcher in followers:
            followers.remove(watcher)
        if not any(self._watchers.values()) and self._tasks is not None:
            tasks, self._tasks = self._tasks, None
            await tasks.stop()

    def state(self, entity: str) -> EntityState | None:
        """The last that is known of it."""
        return self._states.get(entity)

    async def ready(self, entity: str, seconds: float) -> bool:
        """Whether there is a connection and the entity is known, or known not to be there, now or within that time."""
        return self._knows(entity) or await within(self._clock, seconds, self._until_known(entity))

    async def call(self, call: ServiceCall) -> Answer:
        """Call a service and wait for its end. Being cancelled does not stop it there."""
        return await self._command("call_service", call.fields)

    async def platform(self, entity: str) -> str:
        """The integration that the entity belongs to, such as `sonos`; empty where Home Assistant does not say."""
        if entity not in self._platforms:
            answer = await self._command("config/entity_registry/get", {"entity_id": entity})
            found = answer.result.get("platform") if isinstance(answer, Done) and isinstance(answer.result, dict) else None
            self._platforms[entity] = str(found or "")
        return self._platforms[entity]

    async def _command(self, kind: str, fields: Mapping[str, object]) -> Answer:
        if self._link is None or self.problem:
            return Away(self.problem)
        return await self._link.command(kind, fields)

    def _knows(self, entity: str) -> bool:
        return not self.problem and entity in self._told

    async def _until_known(self, entity: str) -> None:
        while not self._knows(entity):
            await self._changed.wait(self._changed.count)

    async def _run(self) -> None:
        backoff = Backoff(self._clock, _FIRST_SECONDS, _MOST_SECONDS, is_jittered=True)
        while True:
            began = self._clock.monotonic()
            try:
                await self._session()
                if self._clock.monotonic() - began > _STEADY_SECONDS:
                    backoff.reset()
                _LOGGER.warning("%s", _BROKEN)
            except TokenRefusedError as error:
                self._note_problem(str(error))
                await self._clock.sleep(_REFUSED_SECONDS)
            except ServerError as error:
                self._note_problem(str(error))
            await backoff.wait()

    async def _session(self) -> None:
        async with Link.open(self._access) as link:
            serving = asyncio.ensure_future(link.serve())
            try:
                self._platforms.clear()
                self._link = link
                await self._subscribe(link, [entity for entity, watchers in self._watchers.items() if watchers])
                await serving
            finally:
                self._link = None
                self.problem = _BROKEN
                self._told.clear()
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
                self._lose_sight()

    async def _subscribe(self, link: Link, entities: list[str]) -> None:
        fresh: dict[str, EntityState] = {}
        is_first = True

        def handle(event: Event) -> None:
            nonlocal is_first
            spoken_of = apply_event(fresh, event)
            # The first event has all that are there; who is not in it is not there.
            for entity in entities if is_first else spoken_of:
                self._tell(entity, fresh.get(entity))
            if is_first:
                is_first = False
                self._note_problem("")

        await link.subscribe("subscribe_entities", {"entity_ids": entities}, handle)

    def _tell(self, entity: str, state: EntityState | None) -> None:
        self._told.add(entity)
        if state is None:
            self._states.pop(entity, None)
        else:
            self._states[entity] = state
        for watcher in self._watchers.get(entity, ()):
            watcher.saw(state)

    def _lose_sight(self) -> None:
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.lost_sight()

    def _note_problem(self, problem: str) -> None:
        if problem != self.problem:
            if problem:
                _LOGGER.warning("%s", problem)
            else:
                _LOGGER.info("Home Assistant is connected")
        self.problem = problem
        self._changed.notify()
