"""Speakers out of a room's options."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from wyoming_kokoro.settings import speakers as options
from wyoming_kokoro.speakers.home_assistant.access import find_access
from wyoming_kokoro.speakers.mqtt_event import MqttEventSpeaker
from wyoming_kokoro.speakers.remembered import Remembered
from wyoming_kokoro.speakers.snapcast.speaker import SnapcastSpeaker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wyoming_kokoro.core.played_reports import PlayedReports
    from wyoming_kokoro.ports import Clock, Speaker
    from wyoming_kokoro.settings import HomeAssistantSettings
    from wyoming_kokoro.speakers.home_assistant.connection import HomeAssistant


class SpeakerBuilder:
    """Builds for every room; all speakers of Home Assistant share one connection, and all one file of what is owed."""

    def __init__(
        self,
        home_assistant: HomeAssistantSettings,
        environment: Mapping[str, str],
        clock: Clock,
        reports: PlayedReports,
        data_dir: Path,
    ) -> None:
        self._settings = home_assistant
        self._environment = environment
        self._clock = clock
        self._reports = reports
        self._remembered = Remembered(data_dir / "speakers.json")
        self._home: HomeAssistant | None = None

    def build(self, speakers: Sequence[options.SpeakerSettings]) -> list[Speaker]:
        """The speakers of one room; none has been started. Raises SettingsError where Home Assistant's address is missing."""
        return [self._build(each) for each in speakers]

    def _build(self, speaker: options.SpeakerSettings) -> Speaker:
        match speaker:
            case options.HomeAssistantSpeaker():
                return self._home_assistant(speaker)
            case options.SnapcastSpeaker():
                return SnapcastSpeaker(speaker, self._clock, self._remembered)
            case options.MqttEventSpeaker():
                return MqttEventSpeaker(speaker.name, self._clock, self._reports)
            case _:
                assert_never(speaker)

    def _home_assistant(self, speaker: options.HomeAssistantSpeaker) -> Speaker:
        # aiohttp's client is loaded where somebody needs it.
        from wyoming_kokoro.speakers.home_assistant.connection import HomeAssistant
        from wyoming_kokoro.speakers.home_assistant.speaker import HomeAssistantSpeaker

        if self._home is None:
            self._home = HomeAssistant(find_access(self._settings, self._environment), self._clock)
        return HomeAssistantSpeaker(speaker.entity, speaker.format, self._home, self._clock, self._remembered)
