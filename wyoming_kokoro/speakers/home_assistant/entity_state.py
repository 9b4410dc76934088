"""What Home Assistant says of an entity, and how its compressed messages change that. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_STATE, _ATTRIBUTES = "s", "a"
_ADDED, _CHANGED, _REMOVED = "a", "c", "r"
_PLAYING = {"playing", "buffering"}


@dataclass(frozen=True, slots=True)
class EntityState:
    """One state with its attributes."""

    state: str
    attributes: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_playing(self) -> bool:
        """Whether a media player says that sound comes out of it, or will in a moment."""
        return self.state in _PLAYING

    @property
    def is_available(self) -> bool:
        """Whether Home Assistant reaches the device."""
        return self.state != "unavailable"

    @property
    def media(self) -> str:
        """Address of what it plays; empty where it does not say."""
        return str(self.attributes.get("media_content_id") or "")

    @property
    def volume(self) -> float | None:
        """0.0 to 1.0; None where it does not say."""
        level = self.attributes.get("volume_level")
        return float(level) if isinstance(level, int | float) and not isinstance(level, bool) else None

    def can(self, feature: int) -> bool:
        """Whether it supports that feature of its domain."""
        features = self.attributes.get("supported_features")
        return isinstance(features, int) and bool(features & feature)


def apply_event(states: dict[str, EntityState], event: Mapping[str, object]) -> list[str]:
    """Change the states as an event of `subscribe_entities` says; returns the entities that it spoke of."""
    added, changed = _mapping(event.get(_ADDED)), _mapping(event.get(_CHANGED))
    removed = event.get(_REMOVED)
    gone = [str(entity) for entity in removed] if isinstance(removed, list) else []
    for entity, compressed in added.items():
        whole = _mapping(compressed)
        states[entity] = EntityState(str(whole.get(_STATE, "unknown")), dict(_mapping(whole.get(_ATTRIBUTES))))
    for entity, difference in changed.items():
        states[entity] = _changed(states.get(entity, EntityState("unknown")), _mapping(difference))
    for entity in gone:
        states.pop(entity, None)
    return [*added, *changed, *gone]


def _changed(old: EntityState, difference: Mapping[str, object]) -> EntityState:
    new, lost = _mapping(difference.get("+")), _mapping(difference.get("-"))
    dropped = lost.get(_ATTRIBUTES)
    attributes = {key: value for key, value in old.attributes.items() if not isinstance(dropped, list) or key not in dropped}
    return EntityState(str(new.get(_STATE, old.state)), attributes | dict(_mapping(new.get(_ATTRIBUTES))))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
