"""Runs a scenario: servers over one storage, their clients, and what goes wrong."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence, Sized
from random import Random
from typing import Any

from tests.simulation.facts import Asked, Facts, Visit, WitnessedLog
from tests.simulation.faulty_engine import EngineFaults, FaultyEngine, StrangeTone
from tests.simulation.scenario import (
    CHAOS_SECONDS,
    Ask,
    Crash,
    Damage,
    Hearing,
    Join,
    Outage,
    Pause,
    Restart,
    Scenario,
    Step,
    TakeBack,
    Weather,
    WrongTime,
    Zombie,
)
from tests.virtual_time import Process, VirtualClock, pass_time
from wyoming_kokoro.audio.bodies import PcmBodies
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.incoming import IncomingText
from wyoming_kokoro.engine.absent import AbsentEngine
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


_FAIR = Weather(log=Faults(), engine=EngineFaults())


class Server:
    """One process: a server, or a worker alone."""

    def __init__(self, world: World, number: int, place: int) -> None:
        scenario, facts, seed = world.scenario, world.facts, world.scenario.seed
        self.number = number
        self.place = place
        self.process = Process(f"s{number}")
        self.clock = VirtualClock(Random(f"{seed}/{number}/ids"))

        def wrote(stream: str, ack: Ack, records: Sequence[Record]) -> None:
            facts.wrote(number, stream, ack, records)

        inside = WitnessedLog(self.clock, storage=world.storage, exclusive=not scenario.is_shared, wrote=wrote)
        self.log = FaultyLog(inside, Random(f"{seed}/{number}/log"), self.clock)
        tone = StrangeTone if place in scenario.strangers else ToneEngine
        self.tone = tone(self.clock, realtime_factor=scenario.realtime_factor, slots=scenario.slots)
        self.engine = FaultyEngine(
            AbsentEngine(self.tone.fingerprint) if place in scenario.silent else self.tone,
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
                    worker_name=f"w{self.place + 1}",
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
        opened, _ = self._world.facts.lives.get(self.number, (self.clock.monotonic(), 0.0))
        self._world.facts.lives[self.number] = (opened, self.clock.monotonic())
        self._world.facts.say(self.number, "is dead")


class World:
    """Everything that one scenario touches."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.facts = Facts()
        self.storage = MemoryStorage()
        self.servers: list[Server] = []
        self._at: list[Server | None] = [None] * scenario.places
        self._visits: dict[asyncio.Task[None], Visit] = {}
        self._weather: dict[int, Weather] = {}
        self._pending: dict[asyncio.Task[None], None] = {}
        self._broken: list[BaseException] = []

    def _alive(self) -> list[Server]:
        """The newest process at each place that has one."""
        return [server for server in self._at if server is not None]

    async def run(self) -> None:
        """The chaos, then peace, then everything is asked for once more."""
        for place in range(self.scenario.places):
            await self._open(place)
        loop = asyncio.get_running_loop()
        for at, place, step in self.scenario.steps:
            await pass_time(max(0.0, at - loop.time()))
            await self._do(place, step)
        await pass_time(max(0.0, CHAOS_SECONDS - loop.time()))
        await self._make_peace()
        await self._until_quiet("after the chaos")
        servers = self._alive()
        for number, cast_id in enumerate(self._casts()):
            self._listen(servers[number % len(servers)], cast_id, Hearing())
        await self._until_quiet("after the late listeners")

    async def close(self) -> list[str]:
        """Stop all that are left as they should; returns what they leave behind."""
        left: list[str] = []
        for server in self._alive():
            house = server.house
            assert house is not None
            if house.failed.done():
                self.broke(server.process.name, house.failed.exception())
            left += [f"{server.process.name}: {what}" for what in kept(house)]
            await server.process.start(house.close(grace_seconds=5), name="close")
            await server.process.start(server.log.close(), name="log.close")
            await asyncio.sleep(0)
            left += server.process.running
        return left

    def broke(self, name: str, error: BaseException | None) -> None:
        """Something raised what it may not."""
        if error is not None:
            self.facts.say(0, f"{name} broke: {error!r}")
            self._broken.append(error)

    # -- steps ---------------------------------------------------------------------------------------------------------

    async def _do(self, place: int, step: Step) -> None:
        if isinstance(step, Damage):
            self._rot(step.which)
        elif (server := self._at[place]) is not None:
            self._do_at(server, step)
            if isinstance(step, Crash | Zombie | Restart):
                await self._replace(server, step)

    def _do_at(self, server: Server, step: Step) -> None:
        match step:
            case Ask():
                self._request(server, step)
            case Join() if casts := self._casts():
                self._listen(server, casts[step.which % len(casts)], step.hearing)
            case TakeBack():
                self._take_back(server, step)
            case Outage(what=what, seconds=seconds):
                self._later(self._outage(server, what, seconds), f"outage of {what}")
            case Pause(seconds=seconds):
                self._later(self._pause(server, seconds), "pause")
            case WrongTime(seconds=seconds):
                self.facts.say(server.number, f"its clock jumps by {seconds} s")
                server.clock.wrong_by_seconds += seconds
            case Weather():
                self._weather[server.place] = step
                self._apply_weather(server)

    async def _replace(self, server: Server, step: Crash | Zombie | Restart) -> None:
        match step:
            case Crash(down_seconds=seconds):
                self._at[server.place] = None
                await server.die()
                if self.scenario.is_shared:
                    if seconds < math.inf or len(self._alive()) == 0:
                        self._later(self._come_back(server.place, min(seconds, CHAOS_SECONDS)), "restart")
                    return
                await pass_time(seconds)
                await self._open(server.place)
            case Zombie():
                await self._haunt(server, step)
            case Restart():
                await self._restart(server)

    async def _come_back(self, place: int, seconds: float) -> None:
        await pass_time(seconds)
        if self._at[place] is None:
            await self._open(place)

    async def _open(self, place: int) -> None:
        server = Server(self, len(self.servers) + 1, place)
        self.servers.append(server)
        self._at[place] = server
        self._apply_weather(server)
        await server.process.start(server.open(), name="open")

    def _apply_weather(self, server: Server) -> None:
        weather = self._weather.get(server.place, _FAIR)
        server.log.faults, server.engine.faults = weather.log, weather.engine
        self.facts.say(server.number, f"weather: {weather.log}, {weather.engine}")

    async def _haunt(self, old: Server, step: Zombie) -> None:
        self.facts.say(old.number, f"becomes a zombie, cut off for {step.cut_off_seconds} s")
        old.log.away = step.cut_off_seconds > 0
        await self._open(old.place)

        async def live_on() -> None:
            await pass_time(step.cut_off_seconds)
            old.log.away = False
            await pass_time(step.lives_seconds)
            await old.die()

        self._later(live_on(), "zombie")

    async def _restart(self, server: Server) -> None:
        house = server.house
        if house is None:
            return
        self.facts.say(server.number, "stops as it should")
        if house.failed.done():
            self.broke(server.process.name, house.failed.exception())
        self._at[server.place] = None
        closing = server.process.start(house.close(grace_seconds=5), name="close")
        if self.scenario.is_shared:
            self._later(self._restarted(server, closing), "restart")
        else:
            await self._restarted(server, closing)

    async def _restarted(self, server: Server, closing: asyncio.Task[None]) -> None:
        await asyncio.wait([closing])
        await server.die()
        if self._at[server.place] is None:
            await self._open(server.place)

    async def _pause(self, server: Server, seconds: float) -> None:
        self.facts.say(server.number, f"is paused for {seconds} s")
        server.process.pause()
        await pass_time(seconds)
        if not server.process.is_dead:
            self.facts.say(server.number, "goes on")
            server.process.resume()

    async def _outage(self, server: Server, what: str, seconds: float) -> None:
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
            if isinstance(stream.record(seq_num).record, Audio) and (name, seq_num) not in self.facts.rotten
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

    def _take_back(self, server: Server, step: TakeBack) -> None:
        if not (casts := self._casts()):
            return
        cast_id = casts[step.which % len(casts)]
        jobs = [seq_num for seq_num, record in self.facts.jobs.items() if record.cast_id == cast_id]
        job = jobs[step.which % len(jobs)] if step.only_one else None

        async def append() -> None:
            self.facts.say(server.number, f"cancels {cast_id}, {'all jobs' if job is None else f'job {job}'}")
            with contextlib.suppress(LogError):
                await server.log.append(JOBS, [Cancel(cast_id=cast_id, job=job)])

        self._later(append(), "cancel", server.process)

    def _casts(self) -> list[CastId]:
        """Every cast that somebody asked for, oldest first."""
        return list(dict.fromkeys(record.cast_id for record in self.facts.jobs.values()))

    # -- clients -------------------------------------------------------------------------------------------------------

    def _request(self, server: Server, ask: Ask) -> None:
        self._visit(server, f"asks ({ask.way}) for {ask.text!r}", ask, lambda visit, house: self._ask(visit, house, ask))

    def _listen(self, server: Server, cast_id: CastId, hearing: Hearing) -> None:
        self._visit(server, f"joins {cast_id}", None, lambda visit, house: self._hear(visit, house, cast_id, hearing))

    def _visit(
        self, server: Server, name: str, ask: Ask | None, work: Callable[[Visit, House], Coroutine[None, None, None]]
    ) -> None:
        if (house := server.house) is None:
            return
        visit = Visit(f"v{len(self.facts.visits) + 1}", server.number, asyncio.get_running_loop().time(), ask)
        self.facts.visits.append(visit)
        self.facts.say(visit.server, f"{visit.name} {name}")
        task = self._later(self._watch(visit, lambda: work(visit, house)), visit.name, server.process)
        self._visits[task] = visit
        task.add_done_callback(lambda done: self._left(visit, done))

    def _left(self, visit: Visit, done: asyncio.Task[None]) -> None:
        if done.cancelled():
            visit.ended = "hit by a crash"

    async def _watch(self, visit: Visit, work: Callable[[], Coroutine[None, None, None]]) -> None:
        try:
            await work()
        except VoiceOfAHouseError as error:
            visit.ended = f"{type(error).__name__}: {error}"
        self.facts.say(visit.server, f"{visit.name} has ended: {visit.ended}, {len(visit.pieces)} sentences")

    async def _ask(self, visit: Visit, house: House, ask: Ask) -> None:
        intake = house.intake
        request = CastRequest(source=ask.source, room=ask.room, priority=ask.priority, text=ask.text)
        if ask.way == "bare":
            accepted = await intake.accept(request)
            visit.job = accepted.job
            visit.is_told = True
            await self._hear(visit, house, accepted.cast_id, ask.hearing)
            return
        incoming = intake.open(request)
        typing = asyncio.ensure_future(self._type(incoming, ask))
        try:
            cast_id = await self._cast_or_quit(incoming, typing)
            visit.is_told = True
            if cast_id is None:
                visit.ended = "nothing to hear"
                return
            await self._hear(visit, house, cast_id, ask.hearing, until=typing if ask.quits_after is not None else None)
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
        self,
        visit: Visit,
        house: House,
        cast_id: CastId,
        hearing: Hearing,
        *,
        until: asyncio.Future[None] | None = None,
    ) -> None:
        visit.cast_id = cast_id
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
        """Nothing goes wrong any more; where nobody is left who can speak, one comes back."""
        self.facts.say(0, "peace")
        self._weather.clear()
        for server in self.servers:
            if server not in self._at and not server.process.is_dead and not self._is_closing(server):
                await server.die()
        for server in self._alive():
            self._apply_weather(server)
            server.process.resume()
            server.log.away = server.log.full = False
            server.tone.release()
        if all(server.place in self.scenario.silent for server in self._alive()):
            await self._open(self.scenario.places - 1)

    def _is_closing(self, server: Server) -> bool:
        return any(name.endswith(".close") for name in server.process.running)

    async def _until_quiet(self, when: str) -> None:
        try:
            async with asyncio.timeout(QUIET_SECONDS):
                while self._pending:
                    await asyncio.wait(list(self._pending))
                while not all(_is_quiet(server) for server in self._alive()):
                    await pass_time(1.0)
        except TimeoutError:
            listening = ", ".join(self._visits[task].name for task in self._pending if task in self._visits)
            unsettled = {
                (wanted.cast_id, wanted.seq_nums)
                for server in self._alive()
                for wanted in (server.house.shop.backlog.casts() if server.house else ())
            }
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


def kept(house: House) -> list[str]:
    """What a house at rest still holds in memory for casts that are over."""
    worker = house.worker
    held: dict[str, Sized] = {
        "feeds": house.shop.feeds._feeds,
        "attempts": worker._holdings,
        "suspects": worker._holdings.suspects,
        "casts from memory": worker._holdings.unlogged,
        "beats": worker._holdings._beats,
        "live texts": worker._opener.live_texts,
        "distant texts": worker._distant,
        "casts left to others": [*worker._elsewhere._watches, *worker._elsewhere._deferred, *worker._elsewhere._still],
        "endings": worker._leaving.ender._ending,
        "scheduled": house.shop.scheduler,
        "sentences under way": [work for work in house.shop.voicing._works.values() if not work.task.done()],
    }
    return [f"{len(things)} {name}" for name, things in held.items() if things]


def _is_quiet(server: Server) -> bool:
    house = server.house
    if house is None:
        return False
    shop = house.shop
    return not (len(shop.backlog) or len(shop.scheduler) or server.log.late_count) and shop.voicing.is_idle


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
