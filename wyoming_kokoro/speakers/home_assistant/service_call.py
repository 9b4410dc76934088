"""Which service of Home Assistant makes an entity play, and how it is told the volume. Pure."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple


class Feature(IntFlag):
    """What a media player may support, with Home Assistant's numbers."""

    VOLUME_SET = 4
    PLAY_MEDIA = 512
    STOP = 4096


class ServiceCall(NamedTuple):
    """A service, the entity that it is for, and its data."""

    domain: str
    service: str
    entity: str
    data: dict[str, object]

    @property
    def fields(self) -> dict[str, object]:
        """As a command of the WebSocket API has them."""
        return {
            "domain": self.domain,
            "service": self.service,
            "target": {"entity_id": self.entity},
            "service_data": self.data,
        }


def playing(entity: str, platform: str, url: str, volume: float | None) -> ServiceCall:
    """Play that address. The volume goes with the call where the platform takes it (`takes_volume`)."""
    if is_satellite(entity):
        # Without the satellite's own chime: ours, if any, is in the sound.
        return ServiceCall("assist_satellite", "announce", entity, {"media_id": url, "preannounce": False})
    extra = {} if volume is None else _volume_of(platform, volume)
    if platform == "music_assistant":
        return ServiceCall(platform, "play_announcement", entity, {"url": url, "use_pre_announce": False, **extra})
    data: dict[str, object] = {"media_content_id": url, "media_content_type": "music", "announce": True}
    return ServiceCall("media_player", "play_media", entity, data | ({"extra": extra} if extra else {}))


def takes_volume(platform: str) -> bool:
    """Whether the platform takes the volume of this one sound with the call, and restores its own by itself."""
    return bool(_volume_of(platform, 0.5))


def is_satellite(entity: str) -> bool:
    """An Assist satellite, which answers when it has played."""
    return entity.startswith("assist_satellite.")


def volume_set(entity: str, level: float) -> ServiceCall:
    """Set the volume, 0.0 to 1.0."""
    return ServiceCall("media_player", "volume_set", entity, {"volume_level": level})


def media_stop(entity: str) -> ServiceCall:
    """Stop what plays."""
    return ServiceCall("media_player", "media_stop", entity, {})


def _volume_of(platform: str, volume: float) -> dict[str, object]:
    match platform:
        case "sonos":
            return {"volume": round(100 * volume)}
        case "squeezebox":
            return {"announce_volume": max(volume, 0.01)}
        case "music_assistant":
            return {"announce_volume": max(round(100 * volume), 1)}
        case _:
            return {}
