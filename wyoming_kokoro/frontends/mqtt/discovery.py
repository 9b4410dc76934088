"""What Home Assistant is told of the server and of each room, so that they appear by themselves. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wyoming_kokoro import __version__
from wyoming_kokoro.frontends.mqtt.event_payload import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wyoming_kokoro.frontends.mqtt.topics import Topics

_ORIGIN = {"name": "wyoming-kokoro", "sw": __version__}
_SAY = "{{ {'text': value, 'sent_at': utcnow().isoformat()} | tojson }}"
"""The time goes along, so that the same words sent twice are two announcements, and late ones expire."""
_EVENT = "{% if value_json.event != 'sentence' %}{{ dict(value_json, event_type=value_json.event) | tojson }}{% endif %}"
"""Home Assistant wants to see the event under its own name; sentences are too many for its history."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The messages of one instance."""

    topics: Topics
    events: Sequence[str]
    """Every event of a room that Home Assistant may see."""
    states: Sequence[str]
    """Every state of a room."""

    def server(self) -> bytes:
        """The server itself: speak everywhere, and refusals that belong to no room."""
        node, topics = self.topics.node, self.topics
        return self._message(
            {
                "identifiers": [node],
                "name": f"Kokoro {topics.instance}",
                "manufacturer": "wyoming-kokoro",
                "sw_version": __version__,
            },
            {
                "broadcast": _notify("Broadcast", topics.broadcast),
                "refused": {
                    "platform": "event",
                    "name": "Refused",
                    "icon": "mdi:message-alert",
                    "entity_category": "diagnostic",
                    "state_topic": topics.event,
                    "event_types": ["failed"],
                    "value_template": _EVENT,
                },
            },
            node,
        )

    def room(self, room: str, voices: Sequence[str]) -> bytes:
        """A room; `voices` are those that can be chosen."""
        node = self.topics.device_id(room)
        device = {
            "identifiers": [node],
            "name": f"Kokoro {room}",
            "manufacturer": "wyoming-kokoro",
            "model": "Room",
            "via_device": self.topics.node,
        }
        return self._message(device, {**self._heard(room), **self._settings(room, voices), **self._buttons(room)}, node)

    def _heard(self, room: str) -> dict[str, dict[str, object]]:
        state = self.topics.room(room, "state")
        return {
            "say": _notify("Say", self.topics.room(room, "say")),
            "event": {
                "platform": "event",
                "name": "Announcement",
                "icon": "mdi:bullhorn",
                "state_topic": self.topics.room(room, "event"),
                "event_types": [event for event in self.events if event != "sentence"],
                "value_template": _EVENT,
            },
            "state": {
                "platform": "sensor",
                "name": "State",
                "icon": "mdi:account-voice",
                "device_class": "enum",
                "options": list(self.states),
                "state_topic": state,
                "value_template": "{{ value_json.state }}",
            },
            "queue": {
                "platform": "sensor",
                "name": "Queue",
                "icon": "mdi:playlist-play",
                "state_class": "measurement",
                "state_topic": state,
                "value_template": "{{ value_json.queue_length }}",
                "json_attributes_topic": state,
                "json_attributes_template": "{{ {'next': value_json.queue, 'held_by': value_json.held_by} | tojson }}",
            },
        }

    def _settings(self, room: str, voices: Sequence[str]) -> dict[str, dict[str, object]]:
        def setting(name: str, platform: str, title: str, icon: str, template: str = "") -> dict[str, object]:
            return {
                "platform": platform,
                "name": title,
                "icon": icon,
                "entity_category": "config",
                "command_topic": self.topics.room(room, f"set/{name}"),
                "state_topic": self.topics.room(room, "state"),
                "value_template": template or f"{{{{ value_json.settings.{name} }}}}",
            }

        switch = setting("dnd", "switch", "Do not disturb", "mdi:bell-off", "{{ 'on' if value_json.settings.dnd else 'off' }}")
        return {
            "voice": {**setting("voice", "select", "Voice", "mdi:account-music"), "options": list(voices)},
            "speed": {**setting("speed", "number", "Speed", "mdi:speedometer"), "min": 0.5, "max": 2.0, "step": 0.05},
            "volume": {**setting("volume", "number", "Volume", "mdi:volume-high"), "min": 0.0, "max": 1.0, "step": 0.01},
            "dnd": {**switch, "payload_on": "on", "payload_off": "off", "state_on": "on", "state_off": "off"},
        }

    def _buttons(self, room: str) -> dict[str, dict[str, object]]:
        buttons = {"stop": "mdi:stop", "skip": "mdi:skip-next", "replay": "mdi:replay"}
        return {
            name: {
                "platform": "button",
                "name": name.capitalize(),
                "icon": icon,
                "command_topic": self.topics.room(room, "cmd"),
                "payload_press": name,
            }
            for name, icon in buttons.items()
        }

    def _message(self, device: Mapping[str, object], components: Mapping[str, Mapping[str, object]], node: str) -> bytes:
        return encode(
            {
                "device": device,
                "origin": _ORIGIN,
                "availability_topic": self.topics.status,
                "qos": 1,
                "components": {
                    name: {**component, "unique_id": f"{node}_{name}", "default_entity_id": _entity(component, node, name)}
                    for name, component in components.items()
                },
            }
        )


def _notify(title: str, topic: str) -> dict[str, object]:
    return {
        "platform": "notify",
        "name": title,
        "icon": "mdi:bullhorn",
        "command_topic": topic,
        "command_template": _SAY,
        "retain": False,
    }


def _entity(component: Mapping[str, object], node: str, name: str) -> str:
    """How the entity is called at first, whatever language Home Assistant speaks."""
    return f"{component['platform']}.{node.removeprefix('wyoming_')}_{name}"
