"""What every record has in common: named headers and a body.

| header | holds | on |
|---|---|---|
| `e` | event: which record it is | all but the commands |
| `v` | format version of the record | all but the commands |
| `i` | index of the sentence | `audio`, `sentence` |
| `d` | duration in ms | `audio` |
| `t` | original text of the sentence | `audio`, `sentence` |
| `f` | format of the body | `audio` |
| `r` | rate in Hz | `audio` |
| `a` | attempt | `start`, `audio` |
| `w` | worker | `start`, `audio`, `alive` |
| `n` | next index, or number of sentences | `start`; `eos`, `end` |
| `j` | tail of `jobs` | `fail` |
| `x` | sentence under which the engine died | `alive` |
| `h` | checksum of the body | `audio` |
| `k` | key of the utterance, for reuse | `audio` |

Whatever else a record holds is canonical JSON in its body. A header that is not known is passed over, so a backend may add
its own.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from wyoming_kokoro.model.errors import UnfitRecordsError

Headers = list[tuple[bytes, bytes]]

VERSION = 1
"""Format version of every record that this program writes."""

_MAX_NUMBER = 2**63 - 1


class Encoded(NamedTuple):
    """A record as a backend stores it."""

    headers: Headers
    body: bytes

    @property
    def metered_bytes(self) -> int:
        """Its size as S2 counts it."""
        named = sum(len(name) + len(value) for name, value in self.headers)
        return 8 + 2 * len(self.headers) + named + len(self.body)


def seal(event: str, body: bytes, **headers: str | int | None) -> Encoded:
    """The record of that event; headers of None are left out."""
    written = [(name.encode(), _value(value)) for name, value in headers.items() if value is not None]
    return Encoded([(b"e", event.encode()), (b"v", b"%d" % VERSION), *written], body)


def canonical_json(document: dict[str, object]) -> bytes:
    """Sorted keys, no white space, UTF-8; fields of None are left out. A lone surrogate passes through unharmed."""
    present = {name: value for name, value in document.items() if value is not None}
    try:
        text = json.dumps(present, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise UnfitRecordsError("a record holds a number that is not finite") from error
    return utf8(text)


def utf8(text: str) -> bytes:
    """The bytes of a text, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def _value(value: str | int) -> bytes:
    if isinstance(value, str):
        return utf8(value)
    if not 0 <= value <= _MAX_NUMBER:
        raise UnfitRecordsError(f"a record holds {value} where a number from 0 to {_MAX_NUMBER} belongs")
    return b"%d" % value
