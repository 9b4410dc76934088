"""Ranges, links, hosts and bodies: what the door makes of what it is sent."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.core.audio_links import AudioLinks
from wyoming_kokoro.frontends.http.audio_link import read_presentation
from wyoming_kokoro.frontends.http.byte_range import UnsatisfiableError, requested_part
from wyoming_kokoro.frontends.http.known_host import is_foreign_page, is_known_host
from wyoming_kokoro.frontends.http.request import FIELDS, read_request
from wyoming_kokoro.frontends.json_fields import parse_object
from wyoming_kokoro.model.cast import CastRequest, Priority
from wyoming_kokoro.model.errors import NothingToSpeakError, RefusedError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.presentation import Presentation
from wyoming_kokoro.model.recipe import Profile, TextFormat

CAST = CastId("abcdefghijklmnop")


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-", (0, 100)),
        ("bytes=10-19", (10, 20)),
        ("bytes=90-500", (90, 100)),
        ("bytes=-10", (90, 100)),
        ("bytes=-500", (0, 100)),
        ("Bytes=0-0", (0, 1)),
        (None, None),
        ("", None),
        ("bytes=", None),
        ("bytes=-", None),
        ("bytes=20-10", None),
        ("bytes=0-1,5-6", None),
        ("lines=1-2", None),
        ("bytes=a-b", None),
        ("bytes=1-" + "9" * 50, None),
    ],
)
def test_a_range_is_the_part_that_it_names_and_anything_else_is_the_whole(header: str | None, part: object) -> None:
    assert requested_part(header, 100) == part


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_a_range_beyond_the_end_is_told_apart(header: str) -> None:
    with pytest.raises(UnsatisfiableError):
        requested_part(header, 100)


@given(header=st.text(max_size=40) | st.from_regex(r"bytes=\d{0,6}-\d{0,6}", fullmatch=True), size=st.integers(0, 10_000))
def test_whatever_the_header_says_the_part_lies_within_the_whole(header: str, size: int) -> None:
    try:
        part = requested_part(header, size)
    except UnsatisfiableError:
        return
    assert part is None or 0 <= part.start < part.end <= size


presentations = st.builds(
    Presentation,
    first_index=st.integers(0, 1000),
    chime=st.sampled_from(["", *CHIMES]),
    lead_ms=st.integers(0, 10_000),
    repeat=st.integers(1, 10),
)


@given(made=presentations, asked=presentations)
def test_a_key_opens_what_it_was_made_for_and_nothing_else(made: Presentation, asked: Presentation) -> None:
    links = AudioLinks("secret")
    assert links.opens(links.key(CAST, made), CAST, asked) == (made == asked)
    assert not links.opens(links.key(CAST, made), CastId("ponmlkjihgfedcba"), made)
    assert not AudioLinks("another").opens(links.key(CAST, made), CAST, made)


@given(made=presentations)
def test_a_link_says_what_it_was_made_for(made: Presentation) -> None:
    path, _, query = AudioLinks("secret").path(CAST, made, "mp3").partition("?")
    pairs = dict(pair.split("=") for pair in query.split("&") if pair)
    assert read_presentation(pairs, CHIMES) == made
    assert path.startswith(f"/audio/{CAST}.") and path.endswith(".mp3")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "-1"}, "from"),
        ({"from": "one"}, "from"),
        ({"lead_ms": "10001"}, "lead_ms"),
        ({"lead_ms": ""}, "lead_ms"),
        ({"repeat": "0"}, "repeat"),
        ({"repeat": "٣"}, "repeat"),
        ({"chime": "gong"}, "chime"),
    ],
)
def test_a_wrong_parameter_is_refused_by_its_name(query: Mapping[str, str], field: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_presentation(query, CHIMES)
    assert refused.value.field == field


def test_parameters_that_players_add_are_passed_over() -> None:
    assert read_presentation({"authSig": "x", "_": "1"}, CHIMES) == Presentation()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "192.168.1.5:10210", "[::1]:10210", "[fe80::1]", "localhost", "LOCALHOST:1", "kokoro.local", "a.b.local."],
)
def test_addresses_and_names_of_the_house_are_known(host: str) -> None:
    assert is_known_host(host, None)


@pytest.mark.parametrize(
    "host",
    [None, "", "evil.example", "local", "evillocal", "localhost.evil.example", "127.0.0.1.evil.example", "a@localhost",
     "localhost/x", "[::1", "localhost:port", "127.0.0.1@evil.example", "localhost evil"],
)  # fmt: skip
def test_other_peoples_names_are_not(host: str | None) -> None:
    assert not is_known_host(host, None)


def test_the_host_of_the_base_url_is_known_whatever_its_port() -> None:
    assert is_known_host("kokoro.example", "https://Kokoro.example:8443/voice")
    assert is_known_host("kokoro.example:8443", "https://kokoro.example:8443")
    assert not is_known_host("other.example", "https://kokoro.example")


@pytest.mark.parametrize("origin", [None, "http://192.0.2.1:10210", "https://192.0.2.1:10210", "https://kokoro.example:8443"])
def test_a_page_of_this_server_is_at_home_and_so_is_whoever_is_no_page(origin: str | None) -> None:
    assert not is_foreign_page(origin, "192.0.2.1:10210", "https://Kokoro.example:8443/voice")


@pytest.mark.parametrize(
    "origin",
    ["", "null", "http://", "http://[", "http://192.0.2.1", "http://192.0.2.2:10210", "http://evil.example:10210",
     "192.0.2.1:10210", "moz-extension://192.0.2.1:10210"],
)  # fmt: skip
@pytest.mark.parametrize("base_url", [None, "https://kokoro.example"])
def test_any_other_page_is_foreign(origin: str, base_url: str | None) -> None:
    assert is_foreign_page(origin, "192.0.2.1:10210", base_url)
    assert is_foreign_page(origin, None, base_url)


def read(**fields: object) -> CastRequest:
    return read_request({"text": "Hi.", **fields}, "http:192.0.2.7")


def refused(**fields: object) -> RefusedError:
    with pytest.raises(RefusedError) as error:
        read(**fields)
    return error.value


def test_a_request_says_what_and_how() -> None:
    assert read() == CastRequest(text="Hi.", source="http:192.0.2.7", profile=Profile.BALANCED)
    asked = read(voice="bf_emma", speed=2, language="en-GB", profile="quality", text_format="ssml", priority="high", keep=True)
    assert asked == CastRequest(
        text="Hi.",
        source="http:192.0.2.7",
        voice="bf_emma",
        speed=2.0,
        language="en-GB",
        profile=Profile.QUALITY,
        text_format=TextFormat.SSML,
        priority=Priority.HIGH,
        keep=True,
    )
    assert read(voice=None, speed=None, keep=None, profile=None, priority=None) == read()


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"text": None}, "text", "missing"),
        ({"text": 5}, "text", "string"),
        ({"text": "  \n"}, "text", "spoken"),
        ({"text": "\ud800\0"}, "text", "spoken"),
        ({"voice": 5}, "voice", "string"),
        ({"voice": "x" * 201}, "voice", "200"),
        ({"speed": "1"}, "speed", "number"),
        ({"speed": True}, "speed", "number"),
        ({"speed": 10**400}, "speed", "0.5 to 2"),
        ({"profile": "fast"}, "profile", "latency, balanced, quality"),
        ({"profile": []}, "profile", "latency"),
        ({"text_format": "html"}, "text_format", "plain, ssml, markdown"),
        ({"priority": "urgent"}, "priority", "critical, high"),
        ({"priority": 4}, "priority", "critical, high"),
        ({"keep": "yes"}, "keep", "true or false"),
        ({"voise": "x"}, "voise", "did you mean voice?"),
        ({"zzz": 1}, "zzz", "text, voice"),
    ],
)
def test_a_wrong_field_is_refused_by_its_name_and_told_what_would_be_right(
    fields: dict[str, object], field: str, words: str
) -> None:
    error = refused(**fields)
    assert error.field == field
    assert words in error.message


def test_what_cannot_be_spoken_is_left_out_of_a_text_that_can() -> None:
    assert read(text="a\0b\ud800").text == "ab"
    with pytest.raises(NothingToSpeakError):
        read(text="\0")


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b'"text"', b"{", b"\xff", b'{"a": NaN}', b"[" * 100_000, b'{"a":' * 10_000, b"[" + b"9" * 5000],
    ids=range(10),
)  # fmt: skip
def test_a_body_that_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(RefusedError) as error:
        parse_object(body)
    assert error.value.field == "body"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(document=st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=12), json_values, max_size=6))
def test_any_object_is_a_request_or_a_refusal_that_can_be_written(document: dict[str, object]) -> None:
    try:
        read_request(document, "test")
    except RefusedError as error:
        assert json.dumps([error.field, error.message]).encode()
