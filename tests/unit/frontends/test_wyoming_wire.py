"""Bytes that are events, bytes that are not, and every way to cut them."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wyoming.event import Event

from wyoming_kokoro.frontends.wyoming.limits import Limits
from wyoming_kokoro.frontends.wyoming.wire import EventDecoder, Malformed, encode_event

LIMITS = Limits(line_bytes=1000, data_bytes=5000, payload_bytes=500)


def decode(data: bytes, limits: Limits = LIMITS) -> list[Event | Malformed]:
    return list(EventDecoder(limits).receive(data))


def only_fault(data: bytes, limits: Limits = LIMITS) -> Malformed:
    (found,) = decode(data, limits)
    assert isinstance(found, Malformed)
    return found


def test_an_event_comes_back_as_it_was_written() -> None:
    event = Event("synthesize", {"text": "Grüße", "voice": {"name": "af_heart"}})
    assert decode(encode_event(event)) == [event]


def test_data_in_the_line_and_behind_it_are_joined_and_what_is_behind_it_counts() -> None:
    behind = b'{"text":"new"}'
    line = json.dumps({"type": "synthesize", "data": {"text": "old", "a": 1}, "data_length": len(behind)}).encode()
    assert decode(line + b"\n" + behind) == [Event("synthesize", {"text": "new", "a": 1})]


@pytest.mark.parametrize(
    "line", [b'{"type":"describe"}', b'{"type":"describe","data":null,"data_length":null,"payload_length":0}']
)
def test_missing_and_null_data_are_no_data(line: bytes) -> None:
    assert decode(line + b"\n") == [Event("describe")]


def test_a_payload_goes_by_without_being_kept() -> None:
    stream = b'{"type":"audio-chunk","payload_length":5}\nhello{"type":"describe"}\n'
    assert decode(stream) == [Event("audio-chunk"), Event("describe")]


@given(cuts=st.lists(st.integers(0, 400), max_size=12), texts=st.lists(st.text(max_size=20), max_size=5))
def test_how_the_bytes_were_cut_makes_no_difference(cuts: list[int], texts: list[str]) -> None:
    events = [Event("synthesize-chunk", {"text": text.encode("utf-8", "replace").decode()}) for text in texts]
    stream = b"".join(encode_event(event) for event in events) + b'{"type":"x","payload_length":3}\nabc[1]\n'
    decoder = EventDecoder(LIMITS)
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    found = [item for start, end in pairwise(places) for item in decoder.receive(stream[start:end])]
    assert found == decode(stream)
    assert found[: len(events)] == events
    assert not decoder.in_event


@given(st.binary(max_size=3000))
def test_no_bytes_break_the_decoder_or_make_it_hold_more_than_an_event(garbage: bytes) -> None:
    decoder = EventDecoder(LIMITS)
    found = [item for start in range(0, len(garbage), 100) for item in decoder.receive(garbage[start : start + 100])]
    assert sum(isinstance(item, Malformed) and item.fatal for item in found) <= 1
    assert len(decoder._buffer) <= LIMITS.line_bytes + LIMITS.data_bytes + 100


@pytest.mark.parametrize(
    ("stream", "code", "fatal"),
    [
        (b"GET / HTTP/1.1\r\n", "not_json", True),
        (b"\n", "not_json", True),
        (b'{"type":"describe","x":NaN}\n', "not_json", True),
        (b'{"type":' + b"9" * 900 + b"}\n", "missing_type", False),
        (b'{"type":"\xff\xfe"}\n', "not_utf8", True),
        (b"x" * 1001, "line_too_long", True),
        (b"x" * 1001 + b"\n", "line_too_long", True),
        (b"[" * 900 + b"]" * 50 + b"\n", "not_json", True),
        (b'{"type":"describe","a":' + b"[" * 40 + b"]" * 40 + b"}\n", "nested_too_deep", True),
        (b"[1, 2]\n", "not_an_object", False),
        (b"null\n", "not_an_object", False),
        (b'"describe"\n', "not_an_object", False),
        (b"17\n", "not_an_object", False),
        (b'{"data":{}}\n', "missing_type", False),
        (b'{"type":7}\n', "missing_type", False),
        (b'{"type":""}\n', "missing_type", False),
        (b'{"type":"synthesize","data":[1]}\n', "not_an_object", False),
        (b'{"type":"synthesize","data_length":2}\n[]', "not_an_object", False),
        (b'{"type":"synthesize","data_length":2}\n{"', "not_json", False),
        (b'{"type":"synthesize","data_length":3}\n"\xff"', "not_utf8", False),
        (b'{"type":"synthesize","data_length":5001}\n', "event_too_long", True),
        (b'{"type":"synthesize","data_length":1e999}\n', "wrong_length", True),
        (b'{"type":"synthesize","data_length":99999999999999999999999}\n', "event_too_long", True),
        (b'{"type":"synthesize","data_length":-1}\n', "wrong_length", True),
        (b'{"type":"synthesize","data_length":"12"}\n', "wrong_length", True),
        (b'{"type":"synthesize","data_length":true}\n', "wrong_length", True),
        (b'{"type":"synthesize","data_length":2.0}\n', "wrong_length", True),
        (b'{"type":"audio-chunk","payload_length":-5}\n', "wrong_length", True),
        (b'{"type":"audio-chunk","payload_length":501}\n', "event_too_long", True),
    ],
)  # fmt: skip
def test_what_is_no_event_is_named(stream: bytes, code: str, fatal: bool) -> None:
    fault = only_fault(stream)
    assert (fault.code, fault.fatal) == (code, fatal)
    assert fault.text


def test_the_deepest_nesting_that_a_line_can_hold_is_refused_without_recursion() -> None:
    limits = Limits()
    depth = limits.line_bytes // 2 - 20
    line = b'{"type":"x","a":' + b"[" * depth + b"]" * depth + b"}\n"
    assert only_fault(line, limits).code == "nested_too_deep"


def test_after_an_event_whose_content_is_wrong_the_next_one_is_read() -> None:
    stream = b'{"data_length":4,"payload_length":2}\n{} !xy{"type":"describe"}\n'
    assert [type(item) for item in decode(stream)] == [Malformed, Event]


def test_after_framing_is_lost_nothing_more_is_read() -> None:
    decoder = EventDecoder(LIMITS)
    assert len(list(decoder.receive(b'no\n{"type":"describe"}\n'))) == 1
    assert list(decoder.receive(b'{"type":"describe"}\n')) == []
    assert decoder.end() is None


@pytest.mark.parametrize("stump", [b'{"type"', b'{"type":"x","data_length":9}\n', b'{"type":"x","payload_length":9}\nabc'])
def test_an_end_inside_an_event_is_a_fault(stump: bytes) -> None:
    decoder = EventDecoder(LIMITS)
    assert list(decoder.receive(stump)) == []
    assert decoder.in_event
    fault = decoder.end()
    assert fault is not None
    assert fault.code == "truncated_event"


def test_an_end_between_two_events_is_none() -> None:
    decoder = EventDecoder(LIMITS)
    assert list(decoder.receive(b'{"type":"describe"}\n')) == [Event("describe")]
    assert decoder.end() is None


def test_a_lone_surrogate_does_not_keep_an_event_from_being_sent() -> None:
    assert decode(encode_event(Event("pong", {"text": "a\ud800b"}))) == [Event("pong", {"text": "a?b"})]


def test_a_lone_surrogate_from_a_client_arrives_in_the_event() -> None:
    assert decode(b'{"type":"ping","data":{"text":"\\ud800"}}\n') == [Event("ping", {"text": "\ud800"})]
