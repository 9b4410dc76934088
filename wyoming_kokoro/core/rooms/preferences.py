"""How a room likes to be spoken to: what the options say, and what was set since. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from wyoming_kokoro.core.rooms.quiet_hours import Hours
from wyoming_kokoro.model.room import RoomSetting, SettingName
from wyoming_kokoro.settings import RoomSettings

Value = str | float | bool | None


@dataclass(slots=True)
class Preferences:
    """Of one room."""

    options: RoomSettings
    values: dict[SettingName, Value] = field(default_factory=dict)
    """What was set while it runs."""

    def apply(self, setting: RoomSetting) -> None:
        """It counts from now on."""
        if setting.value is None:
            self.values.pop(setting.name, None)
        else:
            self.values[setting.name] = setting.value

    @property
    def voice(self) -> str | None:
        """Who speaks; None is the server's voice."""
        value = self.values.get(SettingName.VOICE, self.options.voice)
        return value if isinstance(value, str) else None

    @property
    def speed(self) -> float | None:
        """The pace; None is the server's."""
        return _number(self.values.get(SettingName.SPEED, self.options.speed))

    @property
    def volume(self) -> float | None:
        """0.0 to 1.0; None leaves the speakers as they are."""
        return _number(self.values.get(SettingName.VOLUME, self.options.volume))

    @property
    def dnd(self) -> bool:
        """Whether nobody wants to be disturbed."""
        return self.values.get(SettingName.DND) is True

    def volume_of(self, asked: float | None, now_ms: int, *, is_critical: bool) -> float | None:
        """How loud an announcement is played that asks for that volume."""
        volume = self.volume if asked is None else asked
        limit = self.options.night_volume
        if limit is None or is_critical or Hours.parse(self.options.night_hours).seconds_left(now_ms) is None:
            return volume
        return limit if volume is None else min(volume, limit)

    def held_by(self, now_ms: int) -> str:
        """What keeps announcements back now; empty for nothing."""
        if self.dnd:
            return "do not disturb"
        return "" if self._quiet_seconds(now_ms) is None else "quiet hours"

    def seconds_to_change(self, now_ms: int) -> float | None:
        """How long until quiet hours begin or end; None where there are none."""
        if self.options.quiet_hours is None:
            return None
        left = self._quiet_seconds(now_ms)
        return Hours.parse(self.options.quiet_hours).seconds_to_begin(now_ms) if left is None else left

    def _quiet_seconds(self, now_ms: int) -> float | None:
        hours = self.options.quiet_hours
        return None if hours is None else Hours.parse(hours).seconds_left(now_ms)


def _number(value: Value) -> float | None:
    return None if value is None or isinstance(value, str | bool) else float(value)
