"""The options of a room's speakers: a list of mappings, each with its `type`, or of texts that say the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import ClassVar

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings.kind import HOST, RATE, Choice, NumberChoice, Text, Whole, describe_value
from wyoming_kokoro.settings.option import option, options_of, required
from wyoming_kokoro.settings.speaker_text import mapping_of
from wyoming_kokoro.settings.table import check

_ENTITY = Text(
    r"(media_player|assist_satellite)\.[a-z0-9_]{1,200}", "an entity such as media_player.kitchen or assist_satellite.hall"
)
_GROUP = Text(r"\S(.{0,198}\S)?", "the name or the id of a group")


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeAssistantSpeaker:
    """A media player or an Assist satellite that Home Assistant drives."""

    type: ClassVar[str] = "home_assistant"
    entity: str = required(_ENTITY, "Which entity of Home Assistant plays.")
    format: str = option("mp3", Choice(("mp3", "wav", "flac", "opus")), "In which format it fetches the sound.")

    @property
    def name(self) -> str:
        """What receipts call it."""
        return self.entity


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapcastSpeaker:
    """A TCP source of a Snapcast server."""

    type: ClassVar[str] = "snapcast"
    host: str = required(HOST, "Where the Snapcast server is.")
    port: int = option(4953, Whole(1, 65_535), "Port of its TCP source.")
    rate: int = option(
        48_000,
        RATE,
        "Rate of the source, as its `sampleformat` says.",
        unit="frames per second",
    )
    channels: int = option(2, NumberChoice((1, 2)), "Channels of the source, as its `sampleformat` says.")
    group: str | None = option(
        None, _GROUP, "Group that is switched to the source while it plays; without it, whoever listens to the source hears it."
    )
    control_port: int = option(1705, Whole(1, 65_535), "Port of the server's JSON-RPC over TCP.")
    buffer_ms: int = option(1000, Whole(0, 10_000), "The server's `buffer`: how late its sound is heard.", unit="milliseconds")

    @property
    def name(self) -> str:
        """What receipts call it."""
        return f"snapcast.{self.group or f'{self.host}:{self.port}'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttEventSpeaker:
    """Whoever plays what the room's `started` event names, such as an automation."""

    type: ClassVar[str] = "mqtt_event"

    @property
    def name(self) -> str:
        """What receipts call it."""
        return self.type


SpeakerSettings = HomeAssistantSpeaker | SnapcastSpeaker | MqttEventSpeaker

_KINDS: dict[str, type[SpeakerSettings]] = {
    kind.type: kind for kind in (HomeAssistantSpeaker, SnapcastSpeaker, MqttEventSpeaker)
}

_OPTIONS = {name: {each.key: each for each in options_of(kind)} for name, kind in _KINDS.items()}


def read_speakers(value: object, place: str) -> tuple[SpeakerSettings, ...]:
    """The speakers of one room, as an options file has them at `place`. Raises SettingsError, in one sentence."""
    if not isinstance(value, list):
        example = "[{type: home_assistant, entity: media_player.kitchen}]"
        raise SettingsError(f"{place} is {describe_value(value)}, but must be a list such as {example}")
    speakers = tuple(_speaker(each, f"{place}[{index}]") for index, each in enumerate(value))
    names = [speaker.name for speaker in speakers]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise SettingsError(f"{place}[{index}]: {name} is there already; name each speaker of a room once")
    return speakers


def _speaker(value: object, place: str) -> SpeakerSettings:
    if isinstance(value, str):
        value = mapping_of(value, _OPTIONS, place)
    if not isinstance(value, Mapping):
        raise SettingsError(
            f"{place} is {describe_value(value)}, but must be a mapping with a type, one of {', '.join(_KINDS)}"
        )
    named = value.get("type")
    if not isinstance(named, str) or named not in _KINDS:
        raise SettingsError(f"{place}: type is {describe_value(named)}, but must be one of {', '.join(_KINDS)}")
    kind, options = _KINDS[named], _OPTIONS[named]
    values = check({key: each for key, each in value.items() if key != "type"}, options, place)
    for each in fields(kind):
        if each.default is MISSING and each.name not in values:
            raise SettingsError(f"{place}: {each.name} is missing, but must be {options[each.name].expected}")
    return kind(**values)
