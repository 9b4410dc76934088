"""One frozen tree of options, and how a file, the environment and the command line become it."""

from wyoming_kokoro.settings.loading import load_settings
from wyoming_kokoro.settings.rooms import RoomSettings
from wyoming_kokoro.settings.tree import (
    EngineSettings,
    HomeAssistantSettings,
    HttpSettings,
    JournalSettings,
    MqttSettings,
    RetentionSettings,
    Settings,
    WorkSettings,
    WyomingSettings,
)

__all__ = [
    "EngineSettings",
    "HomeAssistantSettings",
    "HttpSettings",
    "JournalSettings",
    "MqttSettings",
    "RetentionSettings",
    "RoomSettings",
    "Settings",
    "WorkSettings",
    "WyomingSettings",
    "load_settings",
]
