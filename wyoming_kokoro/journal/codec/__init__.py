"""Records to headers and bodies, and back. Nothing outside it knows a record's bytes."""

from wyoming_kokoro.journal.codec.envelope import Encoded, Headers
from wyoming_kokoro.journal.codec.registry import decode, encode

__all__ = ["Encoded", "Headers", "decode", "encode"]
