"""The addresses that answers hold, as whoever asked can reach them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.frontends.http.ingress import ingress_path

if TYPE_CHECKING:
    from aiohttp import web

    from wyoming_kokoro.core.audio_links import AudioLinks
    from wyoming_kokoro.model.ids import CastId
    from wyoming_kokoro.model.presentation import Presentation


class Links:
    """Where a cast is found."""

    def __init__(self, audio_links: AudioLinks, base_url: str | None) -> None:
        self._audio_links = audio_links
        self._base_url = base_url.rstrip("/") if base_url else None

    def of(self, request: web.Request, cast_id: CastId, presentation: Presentation) -> dict[str, object]:
        """The fields `audio` and `events` of an answer about a cast."""
        # Whoever came by Ingress goes on by it: another address may be out of reach, or not allowed beside https.
        root = ingress_path(request) or self._base_url or f"{request.scheme}://{request.host}"
        audio = {name: root + self._audio_links.path(cast_id, presentation, name) for name in FORMATS}
        return {"audio": audio, "events": f"{root}/api/casts/{cast_id}/events"}
