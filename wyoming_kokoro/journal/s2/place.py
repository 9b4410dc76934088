"""Where the log is, and the client that reaches it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from s2_sdk import S2, Compression, Endpoints, Retry, S2ClientError, Timeout

from wyoming_kokoro.journal.s2 import quick_ack
from wyoming_kokoro.model.errors import JournalError

if TYPE_CHECKING:
    from s2_sdk import S2Basin

    from wyoming_kokoro.settings import JournalSettings

CLOUD_HOST = "a.s2.dev"

REQUEST_SECONDS = 5
"""After so long without an answer a request counts as lost."""
CONNECT_SECONDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One basin of one S2."""

    endpoint: str
    """An origin, such as `http://127.0.0.1:4002` for s2-lite; `https://a.s2.dev` means the cloud."""
    basin: str
    access_token: str | None = field(default=None, repr=False)
    """s2-lite asks for none."""

    def __str__(self) -> str:
        return f"{self.endpoint} (basin {self.basin})"

    @property
    def is_cloud(self) -> bool:
        """Whether it is s2.dev itself, where every basin has its own address."""
        return urlsplit(self.endpoint).hostname == CLOUD_HOST


def place_of(settings: JournalSettings) -> Place:
    """The one that the settings name."""
    return Place(endpoint=settings.s2_endpoint, basin=settings.s2_basin, access_token=settings.s2_access_token)


def connect(place: Place) -> S2:
    """A client; nothing is sent yet. Must be made in the running loop. Raises `JournalError` for an endpoint that is none.

    It never tries again by itself: only who knows what an append was may do that. Bodies are FLAC, so nothing is compressed.
    """
    quick_ack.install()
    try:
        endpoints = Endpoints.default() if place.is_cloud else Endpoints(account=place.endpoint, basin=place.endpoint)
        client: S2 = S2(
            place.access_token or "none",
            endpoints=endpoints,
            timeout=Timeout(request=timedelta(seconds=REQUEST_SECONDS), connection=timedelta(seconds=CONNECT_SECONDS)),
            retry=Retry(max_attempts=1),
            compression=Compression.NONE,
        )
    except S2ClientError as error:
        raise JournalError(f"the S2 endpoint {place.endpoint!r} is none: {error}") from error
    return client


def basin_of(client: S2, place: Place) -> S2Basin:
    """The basin; `JournalError` where no basin can have that name."""
    try:
        basin: S2Basin = client.basin(place.basin)
    except S2ClientError as error:
        raise JournalError(f"the S2 basin {place.basin!r} can't be: 8 to 48 of a-z, 0-9 and -") from error
    return basin
