"""The bytes of every record version, kept for ever.

To add a record, add a sample and its line to the newest file: `encode` says what it is. What stands there never changes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from tests.fixtures.record_samples import SAMPLES
from wyoming_kokoro.journal.codec import Encoded, decode, encode
from wyoming_kokoro.journal.codec.envelope import VERSION
from wyoming_kokoro.model.errors import UnfitRecordsError
from wyoming_kokoro.model.records import Fence, Record, Unreadable

RECORDS = Path(__file__).parents[2] / "fixtures" / "records"


def golden(version: int) -> dict[str, Encoded]:
    """Bytes stand in the file as the characters of the same number."""
    document = json.loads((RECORDS / f"v{version}.json").read_text(encoding="utf-8"))
    return {
        name: Encoded(
            [(header.encode("latin-1"), value.encode("latin-1")) for header, value in entry["headers"]],
            entry["body"].encode("latin-1"),
        )
        for name, entry in document.items()
    }


GOLDEN = [(version, name) for version in range(1, VERSION + 1) for name in golden(version)]


@pytest.mark.parametrize(("version", "name"), GOLDEN)
def test_old_bytes_stay_readable(version: int, name: str) -> None:
    assert decode(*golden(version)[name]) == SAMPLES[name]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_record_has_the_golden_bytes(name: str) -> None:
    assert encode(SAMPLES[name]) == golden(VERSION)[name]


def test_every_type_of_record_has_golden_bytes() -> None:
    assert {type(record) for record in SAMPLES.values()} == set(get_args(Record)) - {Unreadable}


@pytest.mark.parametrize("name", sorted(golden(VERSION).keys() - {"fence", "fence-end", "fence-none", "trim"}))
def test_a_newer_version_is_unreadable_and_named(name: str) -> None:
    headers, body = golden(VERSION)[name]
    newer = [(header, b"%d" % (VERSION + 1) if header == b"v" else value) for header, value in headers]
    found = decode(newer, body)
    assert isinstance(found, Unreadable)
    assert "newer" in found.reason
    assert f"version {VERSION + 1}" in found.reason


@pytest.mark.parametrize("name", sorted(golden(VERSION)))
def test_a_record_that_lacks_a_header_is_unreadable(name: str) -> None:
    headers, body = golden(VERSION)[name]
    optional = {b"x"}
    for missing, _ in headers:
        if missing not in optional:
            assert isinstance(decode([pair for pair in headers if pair[0] != missing], body), Unreadable)


@pytest.mark.parametrize("name", sorted(golden(VERSION)))
def test_a_header_that_is_not_known_is_passed_over(name: str) -> None:
    if not isinstance(SAMPLES[name], Fence) and name != "trim":
        headers, body = golden(VERSION)[name]
        assert decode([*headers, (b"c", b"\xff")], body) == SAMPLES[name]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ([], b""),
        ([(b"", b"fence")], b"x" * 37),
        ([(b"", b"fence")], b"\xff"),
        ([(b"", b"trim")], b"\0" * 7),
        ([(b"", b"burn")], b""),
        ([(b"e", b"nonsense"), (b"v", b"1")], b"{}"),
        ([(b"e", b"eos"), (b"v", b"0"), (b"n", b"1")], b'{"reason":"complete"}'),
        ([(b"e", b"eos"), (b"v", b"1"), (b"n", b"-1")], b'{"reason":"complete"}'),
        ([(b"e", b"eos"), (b"v", b"1"), (b"n", b"1_0")], b'{"reason":"complete"}'),
        ([(b"e", b"eos"), (b"v", b"1"), (b"n", b"9" * 5000)], b'{"reason":"complete"}'),
        ([(b"e", b"eos"), (b"v", b"1"), (b"n", b"1")], b'{"reason":"other"}'),
        ([(b"e", b"eos"), (b"v", b"1"), (b"n", b"1")], b"[]"),
        ([(b"e", b"eos"), (b"v", b"1"), (b"n", b"1")], b"[" * 100_000),
        ([(b"e", b"eos"), (b"v", b"1"), (b"n", b"1")], b"\xff"),
        ([(b"e", b"cancel"), (b"v", b"1")], b'{"cast":"not a cast id"}'),
        ([(b"e", b"watermark"), (b"v", b"1")], b'{"done":true,"jobs":1}'),
        ([(b"e", b"watermark"), (b"v", b"1")], b'{"done":1.5,"jobs":1}'),
        ([(b"e", b"watermark"), (b"v", b"1")], b'{"done":' + b"9" * 5000 + b',"jobs":1}'),
        ([(b"e", b"receipt"), (b"v", b"1")], b'{"cast":"abcdefghij234567","jobs":{}}'),
    ],
)  # fmt: skip
def test_other_bytes_are_unreadable_and_say_why(headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    found = decode(headers, body)
    assert isinstance(found, Unreadable)
    assert found.reason


def test_what_could_not_be_read_cannot_be_written() -> None:
    with pytest.raises(UnfitRecordsError):
        encode(Unreadable("of old"))


def test_a_size_is_metered_as_s2_does() -> None:
    assert Encoded([(b"ab", b"c"), (b"", b"de")], b"12345").metered_bytes == 8 + 2 * 2 + 5 + 5
