"""The names of all topics, and what a topic that something came on is for. Pure."""

from __future__ import annotations

from dataclasses import dataclass

ROOT = "wyoming_kokoro"
OPERATIONS = ("list", "get", "cancel")
"""What can be asked on `request/<operation>`."""
SETTINGS = ("voice", "speed", "volume", "dnd")
"""What can be set on `room/<room>/set/<setting>`."""

_ANSWERS = {"response"}
_TAKEN = {"status", "info", "event", "room", "broadcast", "request"}
"""Levels below an instance that are not for answers: one that was sent there might be spoken, or be a question again."""


@dataclass(frozen=True, slots=True)
class Say:
    """Something is to be announced, in one room or in many."""

    room: str | None


@dataclass(frozen=True, slots=True)
class Set:
    """A setting of a room."""

    room: str
    setting: str


@dataclass(frozen=True, slots=True)
class Command:
    """A room is to stop, and so on."""

    room: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that is answered."""

    operation: str


@dataclass(frozen=True, slots=True)
class State:
    """What a room was in, by a retained message of ours."""

    room: str


@dataclass(frozen=True, slots=True)
class Birth:
    """Home Assistant comes or goes."""


Purpose = Say | Set | Command | Ask | State | Birth


class Topics:
    """Those of one instance."""

    def __init__(self, instance: str, discovery_prefix: str = "homeassistant") -> None:
        self.instance = instance
        self.base = f"{ROOT}/{instance}"
        self.status = f"{self.base}/status"
        self.info = f"{self.base}/info"
        self.event = f"{self.base}/event"
        self.broadcast = f"{self.base}/broadcast/say"
        self._discovery_prefix = discovery_prefix
        self.birth = f"{discovery_prefix}/status"
        self.node = f"{ROOT}_{instance}"
        """How Home Assistant's registries call the server."""

    @property
    def commands(self) -> tuple[str, ...]:
        """Filters of what must not be missed."""
        below = ("room/+/say", "broadcast/say", "room/+/set/+", "room/+/cmd", "request/+")
        return tuple(f"{self.base}/{each}" for each in below)

    @property
    def states(self) -> str:
        """Filter of the states of all rooms that there ever were."""
        return self.room("+", "state")

    def room(self, room: str, name: str) -> str:
        """A topic of a room: `say`, `cmd`, `state`, `event`, `set/voice`."""
        return f"{self.base}/room/{room}/{name}"

    def response(self, operation: str) -> str:
        """Where an answer goes if the asker names no other place."""
        return f"{self.base}/response/{operation}"

    def device(self, room: str | None = None) -> str:
        """Where Home Assistant learns of the server, or of a room."""
        return f"{self._discovery_prefix}/device/{self.device_id(room)}/config"

    def device_id(self, room: str | None = None) -> str:
        """How Home Assistant's registries call the device of the server, or of a room."""
        return self.node if room is None else f"{self.node}_{room}"

    def purpose(self, topic: str) -> Purpose | None:
        """What a message on that topic is for; None for nothing of ours."""
        if topic == self.birth:
            return Birth()
        if not topic.startswith(f"{self.base}/"):
            return None
        match topic.removeprefix(f"{self.base}/").split("/"):
            case ["broadcast", "say"]:
                return Say(None)
            case ["room", room, "say"]:
                return Say(room)
            case ["room", room, "cmd"]:
                return Command(room)
            case ["room", room, "state"]:
                return State(room)
            case ["room", room, "set", setting]:
                return Set(room, setting)
            case ["request", operation]:
                return Ask(operation)
            case _:
                return None


def takes_answers(topic: str) -> bool:
    """Whether an answer may be sent there: below our root, no pattern, and nothing that somebody takes for something else."""
    levels = topic.split("/")
    if levels[0] != ROOT or len(levels) < 2 or any(sign in topic for sign in "+#\0") or len(topic) > 500:
        return False
    return len(levels) < 3 or levels[2] not in _TAKEN
