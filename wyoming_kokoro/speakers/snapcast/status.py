"""What a Snapcast server says of its streams and groups. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_SAMPLE_FORMAT = re.compile(r"(\d+):16:(\d+)")


@dataclass(frozen=True, slots=True)
class Stream:
    """A source that the server reads."""

    stream_id: str
    is_playing: bool
    port: int | None
    """Of a TCP source."""
    rate: int | None
    channels: int | None
    """None where the server does not say, or wants something else than 16 bits."""


@dataclass(frozen=True, slots=True)
class Group:
    """Clients that hear the same."""

    group_id: str
    stream_id: str
    is_muted: bool
    names: frozenset[str]
    """Its id and its name, and those of its clients."""
    hearing: int
    """Clients that are connected and not muted."""


class Status:
    """The result of `Server.GetStatus`."""

    def __init__(self, result: Mapping[str, object]) -> None:
        server = _mapping(result.get("server"))
        self.streams = [_stream(each) for each in _mappings(server.get("streams"))]
        self.groups = [_group(each) for each in _mappings(server.get("groups"))]

    def source(self, port: int) -> Stream | None:
        """The stream that listens on that port."""
        return next((each for each in self.streams if each.port == port), None)

    def group(self, name: str) -> Group | None:
        """The group of that id or name, or with a client of that id or name."""
        return next((each for each in self.groups if name in each.names), None)

    def hearing(self, stream_id: str) -> int:
        """How many clients hear that stream."""
        return sum(each.hearing for each in self.groups if each.stream_id == stream_id and not each.is_muted)


def _stream(value: Mapping[str, object]) -> Stream:
    uri = _mapping(value.get("uri"))
    port = str(uri.get("host", "")).rpartition(":")[2]
    shape = _SAMPLE_FORMAT.fullmatch(str(_mapping(uri.get("query")).get("sampleformat", "")))
    return Stream(
        stream_id=str(value.get("id", "")),
        is_playing=value.get("status") == "playing",
        port=int(port) if uri.get("scheme") == "tcp" and port.isdigit() else None,
        rate=int(shape[1]) if shape else None,
        channels=int(shape[2]) if shape else None,
    )


def _group(value: Mapping[str, object]) -> Group:
    clients = list(_mappings(value.get("clients")))
    names = {str(value.get("id", "")), str(value.get("name", ""))}
    for client in clients:
        names |= {
            str(client.get("id", "")),
            str(_mapping(client.get("config")).get("name", "")),
            str(_mapping(client.get("host")).get("name", "")),
        }
    return Group(
        group_id=str(value.get("id", "")),
        stream_id=str(value.get("stream_id", "")),
        is_muted=bool(value.get("muted")),
        names=frozenset(names - {""}),
        hearing=sum(bool(client.get("connected")) and not _is_muted(client) for client in clients),
    )


def _is_muted(client: Mapping[str, object]) -> bool:
    return bool(_mapping(_mapping(client.get("config")).get("volume")).get("muted"))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield from (each for each in value if isinstance(each, Mapping))
