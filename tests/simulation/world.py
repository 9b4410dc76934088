"""Runs a scenario: servers over one storage, their clients, and what goes wrong."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence, Sized
from random import Random
from typing import Any

from tests.simulation.facts import Asked, Facts, Visit, WitnessedLog
from tests.simulation.faulty_engine import EngineFaults, FaultyEngine
from tests.simulation.scenario import (
    CHAOS_SECONDS,
    Ask,
    Crash,
    Damage,
    Hearing,
    Join,
    Outage,
    Restart,
    Scenario,
    Step,
    TakeBack,
    Weather,
    Zombie,
)
from tests.virtual_time import Process, VirtualClock, pass_time
from wyoming_kokoro.audio.bodies import PcmBodies
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.incoming import IncomingText
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.journal.faults import Faults, FaultyLog
from wyoming_kokoro.journal.memory import MemoryStorage
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import LogError, VoiceOfAHouseError
from wyoming_kokoro.model.ids import CASTS_PREFIX, JOBS, CastId
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import Audio, Cancel, Record
from wyoming_kokoro.settings import WorkSettings

QUIET_SECONDS = 3000.0
"""When all faults are over, everything has to come to rest within this time."""


class Server:
    """One server process."""

    def __init__(self, world: World, number: int) -> None:
        scenario, facts, seed = world.scenario, world.facts, world.scenario.seed
        self.number = number
        self.process = Process(f"s{number}")
        self.clock = VirtualClock(Random(f"{seed}/{number}/ids"))

        def wrote(stream: str, ack: Ack, records: Sequence[Record]) -> None:
            facts.wrote(number, stream, ack, records)

        inside = WitnessedLog(self.clock, storage=world.storage, wrote=wrote)
        self.log = FaultyLog(inside, Random(f"{seed}/{number}/log"), self.clock)
        self.tone = ToneEngine(self.clock, realtime_factor=scenario.realtime_factor, slots=scenario.slots)
        self.engine = FaultyEngine(
            self.tone,
            Random(f"{seed}/{number}/engine"),
            asked=lambda utterance: facts.asked.append(Asked(self.clock.monotonic(), number, utterance)),
            died=lambda utterance: facts.say(number, f"the engine died under {utterance.spoken!r}"),
        )
        self.house: House | None = None
        self._world = world

    async def open(self) -> House:
        """Start it; tries until the journal lets it."""
        self._world.facts.lives[self.number] = (self.clock.monotonic(), float("inf"))
        while self.house is None:
            try:
                self.house = await House.open(
                    log=self.log,
                    clock=self.clock,
                    engine=self.engine,
                    voices=KokoroVoices("af_heart"),
                    bodies=PcmBodies(),
                    settings=WorkSettings(max_open_casts=self._world.scenario.max_open_casts),
                    worker_name="w1",
                )
            except LogError:
                await self.clock.sleep(0.5)
        self._world.facts.say(self.number, "is open")
        return self.house

    async def die(self) -> None:
        """Nothing it has not written by now is ever written."""
        if self.house is not None and self.house.failed.done() and not self.house.failed.cancelled():
            self._world.broke(self.process.name, self.house.failed.exception())
        self.log.away = True
        await self.process.kill()
        opened, _ = self._world.facts.lives[self.number]
        self._world.facts.lives[self.number] = (opened, self.clock.monotonic())
        self._world.facts.say(self.number, "is dead")


class World:
    """Everything that one scenario touches."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.facts = Facts()
        self.storage = MemoryStorage()
        self.servers: list[Server] = []
        self._visits: dict[asyncio.Task[None], Visit] = {}
        self._weather = Weather(log=Faults(), engine=EngineFaults())
        self._pending: dict[asyncio.Task[None], None] = {}
        self._broken: list[BaseException] = []

    @property
    def server(self) -> Server:
        """The newest one."""
        return self.servers[-1]

    @property
    def house(self) -> House:
        """Of the newest server."""
        house = self.server.house
        assert house is not None
        return house

    async def run(self) -> None:
        """The chaos, then peace, then everything is asked for once more."""
        await self._open()
        loop = asyncio.get_running_loop()
        for at, step in self.scenario.steps:
            await pass_time(max(0.0, at - loop.time()))
            await self._do(step)
        await pass_time(max(0.0, CHAOS_SECONDS - loop.time()))
        await self._make_peace()
        await self._until_quiet("after the chaos")
        for cast_id in self._casts():
            self._listen(cast_id, Hearing())
        await self._until_quiet("after the late listeners")

    async def close(self) -> list[str]:
        """Stop the last server as it should; returns what it leaves behind."""
        if self.house.failed.done():
            self.broke(self.server.process.name, self.house.failed.exception())
        kept = self._kept()
        await self.server.process.start(self.house.close(grace_seconds=5), name="close")
        await asyncio.sleep(0)
        return [*kept, *self.server.process.running]

    def _kept(self) -> list[str]:
        """What a house at rest still holds in memory for casts that are over."""
        house = self.house
        held: dict[str, Sized] = {
            "feeds": house.shop.feeds._feeds,
            "attempts": house.worker._holdings._attempts,
            "suspects": house.worker._holdings.suspects,
            "casts from memory": house.worker._holdings.unlogged,
            "live texts": house.worker._opener.live_texts,
            "endings": house.worker._leaving.ender._ending,
            "scheduled": house.shop.scheduler,
            "sentences under way": [work for work in house.shop.voicing._works.values() if not work.task.done()],
        }
        return [f"{len(things)} {name}" for name, things in held.items() if things]

    def broke(self, name: str, error: BaseException | None) -> None:
        """Something raised what it may not."""
        if error is not None:
            self.facts.say(0, f"{name} broke: {error!r}")
            self._broken.append(error)

    # -- steps ---------------------------------------------------------------------------------------------------------

    async def _do(self, step: Step) -> None:
        match step:
            case Ask():
                self._request(step)
            case Join():
                self._join(step)
            case TakeBack():
                await self._take_back(step)
            case Crash(down_seconds=seconds):
                await self.server.die()
                await pass_time(seconds)
                await self._open()
            case Zombie():
                await self._haunt(step)
            case Restart():
                await self._restart()
            case Outage(what=what, seconds=seconds):
                self._later(self._outage(what, seconds), f"outage of {what}")
            case Damage(which=which):
                self._rot(which)
            case Weather():
                self._weather = step
                self._apply_weather(self.server)

    async def _open(self) -> None:
        server = Server(self, len(self.servers) + 1)
        self.servers.append(server)
        self._apply_weather(server)
        await server.process.start(server.open(), name="open")

    def _apply_weather(self, server: Server) -> None:
        server.log.faults, server.engine.faults = self._weather.log, self._weather.engine
        self.facts.say(server.number, f"weather: {self._weather.log}, {self._weather.engine}")

    async def _haunt(self, step: Zombie) -> None:
        old = self.server
        self.facts.say(old.number, f"becomes a zombie, cut off for {step.cut_off_seconds} s")
        old.log.away = step.cut_off_seconds > 0
        await self._open()

        async def live_on() -> None:
            await pass_time(step.cut_off_seconds)
            old.log.away = False
            await pass_time(step.lives_seconds)
            await old.die()

        self._later(live_on(), "zombie")

    async def _restart(self) -> None:
        self.facts.say(self.server.number, "stops as it should")
        if self.house.failed.done():
            self.broke(self.server.process.name, self.house.failed.exception())
        await self.server.process.start(self.house.close(grace_seconds=5), name="close")
        await self.server.die()
        await self._open()

    async def _outage(self, what: str, seconds: float) -> None:
        server = self.server
        self.facts.say(server.number, f"{what} is away for {seconds} s")
        match what:
            case "journal":
                server.log.away = True
            case "disk":
                server.log.full = True
            case _:
                server.tone.hold()
        await pass_time(seconds)
        if not server.process.is_dead:
            self.facts.say(server.number, f"{what} is back")
            server.log.away = server.log.full = False
            server.tone.release()

    def _rot(self, which: int) -> None:
        sound = [
            (name, seq_num)
            for name, stream in sorted(self.storage.streams.items())
            if name.startswith(CASTS_PREFIX)
            for seq_num in stream.records
            if isinstance(stream.record(seq_num).record, Audio)
        ]
        if not sound:
            return
        name, seq_num = sound[which % len(sound)]
        records = self.storage.streams[name].records
        stored = records[seq_num]
        body = bytes([stored.encoded.body[0] ^ 1]) + stored.encoded.body[1:]
        records[seq_num] = stored._replace(encoded=stored.encoded._replace(body=body))
        self.facts.rotten.add((name, seq_num))
        self.facts.say(0, f"{name} @{seq_num} rots")

    async def _take_back(self, step: TakeBack) -> None:
        if not (casts := self._casts()):
            return
        cast_id = casts[step.which % len(casts)]
        jobs = [seq_num for seq_num, record in self.facts.jobs.items() if record.cast_id == cast_id]
        job = jobs[step.which % len(jobs)] if step.only_one else None

        async def append() -> None:
            self.facts.say(self.server.number, f"cancels {cast_id}, {'all jobs' if job is None else f'job {job}'}")
            with contextlib.suppress(LogError):
                await self.server.log.append(JOBS, [Cancel(cast_id=cast_id, job=job)])

        self._later(append(), "cancel", self.server.process)

    def _casts(self) -> list[CastId]:
        """Every cast that somebody asked for, oldest first."""
        return list(dict.fromkeys(record.cast_id for record in self.facts.jobs.values()))

    # -- clients -------------------------------------------------------------------------------------------------------

    def _request(self, ask: Ask) -> None:
        self._visit(f"asks ({ask.way}) for {ask.text!r}", ask, lambda visit: self._ask(visit, ask))

    def _join(self, step: Join) -> None:
        if casts := self._casts():
            self._listen(casts[step.which % len(casts)], step.hearing)

    def _listen(self, cast_id: CastId, hearing: Hearing) -> None:
        self._visit(f"joins {cast_id}", None, lambda visit: self._hear(visit, cast_id, hearing))

    def _visit(self, name: str, ask: Ask | None, work: Callable[[Visit], Coroutine[None, None, None]]) -> None:
        visit = Visit(f"v{len(self.facts.visits) + 1}", self.server.number, asyncio.get_running_loop().time(), ask)
        self.facts.visits.append(visit)
        self.facts.say(visit.server, f"{visit.name} {name}")
        task = self._later(self._watch(visit, work), visit.name, self.server.process)
        self._visits[task] = visit

    async def _watch(self, visit: Visit, work: Callable[[Visit], Coroutine[None, None, None]]) -> None:
        try:
            await work(visit)
        except asyncio.CancelledError:
            visit.ended = "hit by a crash"
            raise
        except VoiceOfAHouseError as error:
            visit.ended = f"{type(error).__name__}: {error}"
        self.facts.say(visit.server, f"{visit.name} has ended: {visit.ended}, {len(visit.pieces)} sentences")

    async def _ask(self, visit: Visit, ask: Ask) -> None:
        intake = self.house.intake
        request = CastRequest(source=ask.source, room=ask.room, priority=ask.priority, text=ask.text)
        if ask.way == "bare":
            accepted = await intake.accept(request)
            visit.job = accepted.job
            visit.is_told = True
            await self._hear(visit, accepted.cast_id, ask.hearing)
            return
        incoming = intake.open(request)
        typing = asyncio.ensure_future(self._type(incoming, ask))
        try:
            cast_id = await self._cast_or_quit(incoming, typing)
            visit.is_told = True
            if cast_id is None:
                visit.ended = "nothing to hear"
                return
            await self._hear(visit, cast_id, ask.hearing, until=typing if ask.quits_after is not None else None)
        finally:
            typing.cancel()
            await asyncio.gather(typing, return_exceptions=True)
            await incoming.abandon()

    async def _type(self, incoming: IncomingText, ask: Ask) -> None:
        """Returns when the client quits; otherwise never, for it stays on the line."""
        for number, (text, pause_seconds) in enumerate(ask.deltas):
            if ask.quits_after == number:
                return
            incoming.feed(text)
            await pass_time(pause_seconds)
        if ask.ends:
            incoming.end()
        await asyncio.get_running_loop().create_future()

    async def _cast_or_quit(self, incoming: IncomingText, typing: asyncio.Future[None]) -> CastId | None:
        deciding = asyncio.ensure_future(incoming.cast_id())
        try:
            awaited: list[asyncio.Future[Any]] = [deciding, typing]
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            return deciding.result() if deciding.done() else None
        finally:
            deciding.cancel()
            await asyncio.gather(deciding, return_exceptions=True)

    async def _hear(
        self, visit: Visit, cast_id: CastId, hearing: Hearing, *, until: asyncio.Future[None] | None = None
    ) -> None:
        visit.cast_id = cast_id
        house = next(server.house for server in self.servers if server.number == visit.server)
        assert house is not None
        async with contextlib.aclosing(house.listening.listen(cast_id)) as pieces:
            visit.ended = "heard all"
            async for piece in _until(pieces, until):
                visit.pieces.append(piece)
                if len(visit.pieces) == hearing.leaves_after:
                    visit.ended = "left"
                    return
                await pass_time(hearing.pause_seconds)
            if until is not None and until.done():
                visit.ended = "quit"

    # -- peace ---------------------------------------------------------------------------------------------------------

    async def _make_peace(self) -> None:
        self.facts.say(0, "peace")
        self._weather = Weather(log=Faults(), engine=EngineFaults())
        for server in self.servers:
            if server is not self.server and not server.process.is_dead:
                await server.die()
        server = self.server
        self._apply_weather(server)
        server.log.away = server.log.full = False
        server.tone.release()

    async def _until_quiet(self, when: str) -> None:
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                while self._pending:
                    await asyncio.wait(list(self._pending))
                shop = self.house.shop
                while len(shop.backlog) or len(shop.scheduler) or not shop.voicing.is_idle:
                    await pass_time(1.0)
        except TimeoutError:
            listening = ", ".join(self._visits[task].name for task in self._pending if task in self._visits)
            unsettled = [(wanted.cast_id, wanted.seq_nums) for wanted in self.house.shop.backlog.casts()]
            raise AssertionError(f"no rest {when}: listening: {listening or 'nobody'}; unsettled: {unsettled}") from None
        for error in self._broken:
            raise AssertionError(f"something broke {when}: {error!r}") from error

    def _later(self, work: Coroutine[None, None, None], name: str, process: Process | None = None) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work) if process is None else process.start(work, name=name)
        self._pending[task] = None
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[None]) -> None:
        self._pending.pop(task)
        if not task.cancelled():
            self.broke(task.get_name(), task.exception())


async def _until(pieces: AsyncIterator[Piece], until: asyncio.Future[None] | None) -> AsyncIterator[Piece]:
    """The pieces, cut short when that is done."""
    while until is None or not until.done():
        following = asyncio.ensure_future(anext(pieces, None))
        try:
            awaited: list[asyncio.Future[Any]] = [following] if until is None else [following, until]
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not following.done():
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
        if following.cancelled() or (piece := following.result()) is None:
            return
        yield piece
