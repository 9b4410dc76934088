"""Bytes of S2's own command records: one header without a name, whose value is the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.journal.codec.envelope import Encoded
from wyoming_kokoro.journal.codec.fields import MalformedError, decode_utf8
from wyoming_kokoro.model.errors import UnfitRecordsError
from wyoming_kokoro.model.records import Fence, Trim

if TYPE_CHECKING:
    from wyoming_kokoro.journal.codec.envelope import Headers

MAX_TOKEN_BYTES = 36

_TRIM_BYTES = 8


def is_command(headers: Headers) -> bool:
    """Whether the record is S2's, not ours."""
    return len(headers) == 1 and headers[0][0] == b""


def encode_fence(fence: Fence) -> Encoded:
    """The body is the token."""
    return Encoded([(b"", b"fence")], token_bytes(fence.token))


def encode_trim(trim: Trim) -> Encoded:
    """The body is the seq_num, 64 bits, big-endian."""
    try:
        return Encoded([(b"", b"trim")], trim.first.to_bytes(_TRIM_BYTES, "big"))
    except OverflowError as error:
        raise UnfitRecordsError(f"can't trim to {trim.first}: seq_nums have 64 bits") from error


def decode_command(headers: Headers, body: bytes) -> Fence | Trim:
    """The command in that record."""
    command = headers[0][1]
    if command == b"fence" and len(body) <= MAX_TOKEN_BYTES:
        return Fence(decode_utf8(body, "the fencing token"))
    if command == b"trim" and len(body) == _TRIM_BYTES:
        return Trim(int.from_bytes(body, "big"))
    raise MalformedError("no command that is known")


def token_bytes(token: str) -> bytes:
    """A fencing token's bytes; `UnfitRecordsError` where it has too many or is no UTF-8."""
    try:
        encoded = token.encode()
    except UnicodeEncodeError as error:
        raise UnfitRecordsError("the fencing token is not UTF-8") from error
    if len(encoded) > MAX_TOKEN_BYTES:
        raise UnfitRecordsError(f"a fencing token has at most {MAX_TOKEN_BYTES} bytes, this one {len(encoded)}")
    return encoded
