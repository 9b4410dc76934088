"""What happens in one seed's simulated half minute: who asks for what, and what goes wrong when. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

from tests.simulation.faulty_engine import POISON, UNSPEAKABLE, EngineFaults
from wyoming_kokoro.journal.faults import Faults
from wyoming_kokoro.model.cast import Priority

CHAOS_SECONDS = 30.0

_WORDS = (
    "kettle",
    "lamp",
    "garden",
    "door",
    "window",
    "is",
    "was",
    "warm",
    "cold",
    "open",
    "near",
    "the",
    "old",
    "and",
    "blue",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request as its client makes it."""

    text: str
    way: str
    """`whole` and `streamed` as the Wyoming door asks, `bare` as HTTP does."""
    deltas: tuple[tuple[str, float], ...] = ()
    """Pieces of a streamed text, each with the pause behind it."""
    ends: bool = True
    """False where the client stops in mid-text and only stays connected."""
    quits_after: int | None = None
    """Pieces after which the client goes away, its text incomplete."""
    hearing: Hearing
    priority: Priority
    room: str | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """How somebody listens."""

    pause_seconds: float = 0.0
    """Between one sentence and the next."""
    leaves_after: int | None = None
    """Sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Somebody listens to a cast that was asked for before."""

    which: int
    hearing: Hearing


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """A `Cancel` for a cast, or for one of its jobs."""

    which: int
    only_one: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """The server is killed and starts again later."""

    down_seconds: float
    """`math.inf` where it does not come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zombie:
    """A new server starts while the old one lives on, cut off from the journal at first."""

    cut_off_seconds: float
    lives_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """The server stops as it should and starts again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """Something is away for a while: `journal`, `disk` (full) or `engine`."""

    what: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """A stored sentence rots."""

    which: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """How often small things go wrong from now on."""

    log: Faults
    engine: EngineFaults


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A process is stopped in the middle of whatever it is at, and goes on later as if nothing had been."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongTime:
    """The time of day of one machine jumps."""

    seconds: float


Step = Ask | Join | TakeBack | Crash | Zombie | Restart | Outage | Damage | Weather | Pause | WrongTime


@dataclass(frozen=True, slots=True)
class Scenario:
    """All of one seed."""

    seed: int
    realtime_factor: float
    slots: int
    max_open_casts: int
    steps: tuple[tuple[float, int, Step], ...] = field(repr=False)
    """When, at which place, what."""
    doors: int = 1
    """Places where somebody can ask; there is one server at each."""
    workers: int = 0
    """Places behind them where a worker is alone."""
    strangers: frozenset[int] = frozenset()
    """Places whose engine has another model."""

    silent: frozenset[int] = frozenset()
    """Doors without an engine: what is asked there is made by workers elsewhere."""

    @property
    def is_shared(self) -> bool:
        """Whether several processes use the journal."""
        return self.places > 1

    @property
    def places(self) -> int:
        """Where a process can be."""
        return self.doors + self.workers

    def has(self, *kinds: type[Step]) -> bool:
        """Whether such a step is in it."""
        return any(isinstance(step, kinds) for _, _, step in self.steps)


def scenario(seed: int) -> Scenario:
    """The scenario of that seed."""
    random = Random(f"{seed}/scenario")
    texts = [_text(random, number) for number in range(random.randint(1, 5))]
    steps: list[Step] = [_ask(random, random.choice(texts)) for _ in range(random.randint(2, 8))]
    steps += [Join(which=random.randrange(100), hearing=_hearing(random)) for _ in range(random.randint(0, 4))]
    steps += [TakeBack(which=random.randrange(100), only_one=random.random() < 0.4) for _ in range(_few(random, 0.3))]
    steps += [Crash(down_seconds=random.choice((0.0, 0.5, 3.0))) for _ in range(_few(random, 0.5))]
    steps += [Restart() for _ in range(_few(random, 0.15))]
    if random.random() < 0.25:
        steps.append(Zombie(cut_off_seconds=random.choice((0.0, 0.5, 4.0)), lives_seconds=random.uniform(0.1, 12.0)))
    for what in ("journal", "disk", "engine"):
        if random.random() < 0.2:
            steps.append(Outage(what=what, seconds=random.choice((0.2, 2.0, 10.0))))
    steps += [Damage(which=random.randrange(1000)) for _ in range(_few(random, 0.15))]
    steps += [_weather(random) for _ in range(random.choice((0, 0, 1, 2)))]
    timed = sorted(((_moment(random), 0, step) for step in steps), key=lambda timed: timed[0])
    return Scenario(
        seed,
        realtime_factor=random.choice((0.0, 0.5, 2.0, 20.0)),
        slots=random.choice((1, 1, 1, 2)),
        max_open_casts=random.choice((1, 2, 8)),
        steps=tuple(timed),
    )


def shared_scenario(seed: int) -> Scenario:
    """The scenario of that seed with several processes on one journal."""
    random = Random(f"{seed}/shared")
    doors, workers = random.choice(((1, 1), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)))
    places = doors + workers
    texts = [_text(random, number) for number in range(random.randint(1, 6))]
    anywhere = [_ask(random, random.choice(texts)) for _ in range(random.randint(2, 10))]
    anywhere += [Join(which=random.randrange(100), hearing=_hearing(random)) for _ in range(random.randint(0, 4))]
    anywhere += [TakeBack(which=random.randrange(100), only_one=random.random() < 0.4) for _ in range(_few(random, 0.3))]
    steps: list[tuple[int, Step]] = [(random.randrange(doors), step) for step in anywhere]
    troubles: list[Step] = [
        Crash(down_seconds=random.choice((0.0, 0.5, 3.0, 20.0, math.inf))) for _ in range(_few(random, 0.5))
    ]
    troubles += [Restart() for _ in range(_few(random, 0.2))]
    troubles += [Pause(seconds=random.choice((0.5, 4.0, 10.0, 17.0, 25.0))) for _ in range(_few(random, 0.3))]
    troubles += [WrongTime(seconds=random.choice((-1e9, -3600.0, -5.0, 5.0, 3600.0, 1e8))) for _ in range(_few(random, 0.2))]
    troubles += [_weather(random, late=0.5) for _ in range(random.choice((0, 0, 1, 2)))]
    troubles += [Damage(which=random.randrange(1000)) for _ in range(_few(random, 0.15))]
    for what in ("journal", "disk", "engine"):
        if random.random() < 0.2:
            troubles.append(Outage(what=what, seconds=random.choice((0.2, 2.0, 10.0, 25.0))))
    steps += [(random.randrange(places), step) for step in troubles]
    timed = sorted(((_moment(random), place, step) for place, step in steps), key=lambda timed: timed[0])
    return Scenario(
        seed,
        realtime_factor=random.choice((0.0, 0.5, 2.0, 20.0)),
        slots=random.choice((1, 1, 1, 2)),
        max_open_casts=random.choice((1, 2, 8)),
        steps=tuple(timed),
        doors=doors,
        workers=workers,
        strangers=frozenset(place for place in range(places) if random.random() < 0.06),
        silent=frozenset(door for door in range(doors) if workers and random.random() < 0.25),
    )


def _few(random: Random, likely: float) -> int:
    count = 0
    while count < 3 and random.random() < likely:
        count += 1
    return count


def _moment(random: Random) -> float:
    """Much happens at the beginning, and some things at exactly the same time."""
    if random.random() < 0.2:
        return float(random.randint(0, 5))
    return random.uniform(0.0, 5.0 if random.random() < 0.6 else CHAOS_SECONDS)


def _text(random: Random, number: int) -> str:
    fatal = random.random()
    sentences = [_sentence(random, f"{number}{index}") for index in range(random.choice((1, 1, 2, 3, 6)))]
    if fatal < 0.12:
        sentences.append(f"This is {POISON if fatal < 0.08 else UNSPEAKABLE} indeed.")
        random.shuffle(sentences)
    return " ".join(sentences)


def _sentence(random: Random, name: str) -> str:
    """Letters only, and no two alike: each carries its name."""
    words = random.choices(_WORDS, k=random.randint(2, 7))
    own = "".join("abcdefghij"[int(digit)] for digit in name)
    comma = "," if random.random() < 0.3 else ""
    return f"The small mark{own}{comma} {' '.join(words)}{random.choice('.!?')}"


def _ask(random: Random, text: str) -> Ask:
    way = random.choice(("whole", "whole", "streamed", "streamed", "bare"))
    deltas = _deltas(random, text) if way == "streamed" else ((text, 0.0),)
    return Ask(
        text=text,
        way=way,
        deltas=deltas,
        ends=random.random() < 0.9,
        quits_after=random.randrange(len(deltas)) if random.random() < 0.15 else None,
        hearing=_hearing(random),
        priority=random.choice((*Priority, Priority.NORMAL, Priority.NORMAL)),
        room=random.choice((None, "kitchen", "hall")),
        source=random.choice(("one", "two", "three")),
    )


def _deltas(random: Random, text: str) -> tuple[tuple[str, float], ...]:
    pauses = random.choice(((0.0,), (0.0, 0.001, 0.02), (0.0, 0.05, 0.4), (0.3, 2.0)))
    deltas = []
    while text:
        size = random.choice((1, 4, 12, 200))
        deltas.append((text[:size], random.choice(pauses)))
        text = text[size:]
    return tuple(deltas)


def _hearing(random: Random) -> Hearing:
    return Hearing(
        pause_seconds=random.choice((0.0, 0.0, 0.5, 5.0)),
        leaves_after=random.randrange(4) if random.random() < 0.25 else None,
    )


def _weather(random: Random, *, late: float = 0.0) -> Weather:
    severity = random.choice((0.02, 0.1, 0.3))
    return Weather(
        log=Faults(
            refuse=random.choice((0.0, severity)),
            lose_request=random.choice((0.0, severity)),
            lose_reply=random.choice((0.0, severity)),
            late=severity if random.random() < late else 0.0,
            max_delay_seconds=random.choice((0.0, 0.01, 0.5)),
        ),
        engine=EngineFaults(die=random.choice((0.0, 0.0, 0.02, 0.2)), unavailable=random.choice((0.0, 0.0, 0.05))),
    )
