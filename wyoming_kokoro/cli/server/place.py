"""Where a running server is, and by which token it lets us in."""

from __future__ import annotations

import ipaddress
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wyoming_kokoro.model.errors import RefusedError, ServerError

if TYPE_CHECKING:
    from pathlib import Path

    from wyoming_kokoro.settings.tree import Settings

_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where a server listens on all addresses, one is enough to ask
_NO_TOKEN = "none"  # noqa: S105 - the word that asks for no token


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The address of a server."""

    host: str
    port: int
    is_secure: bool = False
    """Whether it is asked by https."""
    prefix: str = ""
    """What stands before every path, without a slash at its end."""
    token: str | None = None
    """What is shown as bearer token; never part of `str()`."""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.is_secure else ''}://{host}:{self.port}{self.prefix}"


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a server says of itself in its data directory while it runs."""

    http_port: int
    version: str
    pid: int


def read_announcement(data_dir: Path) -> Announcement | None:
    """None where no server is announced. Raises `ServerError` where nobody can make sense of the file."""
    path = data_dir / "server.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        return Announcement(int(facts["http_port"]), str(facts["version"]), int(facts["pid"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ServerError(f"{path} can't be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ServerError(f"{path} does not say where the server listens: restart it") from error


def announced_place(settings: Settings) -> Place | None:
    """The server that is announced in the data directory, or None. Raises `ServerError`."""
    announcement = read_announcement(settings.data_dir)
    if announcement is None:
        return None
    host = _ANY_ADDRESS.get(settings.http.host, settings.http.host)
    return Place(host=host, port=announcement.http_port, token=_token(settings, is_ours=True))


def named_place(url: str, settings: Settings) -> Place:
    """The server of that address. Raises `RefusedError` for what is no address, `ServerError` for an unreadable token.

    The token of the data directory is shown to this machine alone; to another one, only the token that the options name.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if host is None or parts.scheme not in ("http", "https") or parts.username is not None or parts.query:
        raise RefusedError("--server", "http://HOST:PORT is expected")
    return Place(
        host=host,
        port=port or (443 if parts.scheme == "https" else 80),
        is_secure=parts.scheme == "https",
        prefix=parts.path.rstrip("/"),
        token=_token(settings, is_ours=_is_this_machine(host)),
    )


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _token(settings: Settings, *, is_ours: bool) -> str | None:
    chosen = settings.http.api_token
    if chosen is not None:
        return None if chosen == _NO_TOKEN else chosen
    if not is_ours:
        return None
    path = settings.data_dir / "api_token"
    try:
        return path.read_text(encoding="ascii").strip() or None
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise ServerError(f"{path} holds no token") from error
    except OSError as error:
        raise ServerError(f"{path} can't be read: {error.strerror}") from error
