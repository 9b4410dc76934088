"""Absolute links to what a playback plays, for whoever fetches it."""

from __future__ import annotations

from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.core.audio_links import AudioLinks
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.presentation import Presentation

PLAY_PARAMETER = "play"
"""Name of the playback in a link: fetching counts for it. It is no part of what is signed."""


class PlayLinks:
    """Made before the door is open that serves them: where that is, is said later."""

    def __init__(self, audio_links: AudioLinks, base_url: str = "") -> None:
        self._audio_links = audio_links
        self._base_url = base_url.rstrip("/")

    def lead_to(self, base_url: str) -> None:
        """From now on the house reaches the server there: `http://HOST:PORT`."""
        self._base_url = base_url.rstrip("/")

    def of(self, cast_id: CastId, presentation: Presentation, play_id: str) -> dict[str, str]:
        """One link a format."""
        paths = {name: self._audio_links.path(cast_id, presentation, name) for name in FORMATS}
        return {
            name: f"{self._base_url}{path}{'&' if '?' in path else '?'}{PLAY_PARAMETER}={play_id}"
            for name, path in paths.items()
        }
