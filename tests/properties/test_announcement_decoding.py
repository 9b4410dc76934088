"""Whatever JSON somebody sends: an announcement within its limits, or a refusal that names a field."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.frontends.announcement import FIELDS, read_announcement
from wyoming_kokoro.frontends.json_fields import parse_object
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.errors import RefusedError

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)
_DOCUMENTS = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=6), _VALUES, max_size=6)


def understood(data: bytes) -> AnnouncementRequest | RefusedError:
    try:
        return read_announcement(parse_object(data, "payload"), "test")
    except RefusedError as refused:
        assert refused.field
        assert refused.message
        return refused


@given(data=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_refused_as_a_whole_or_by_a_field(data: bytes) -> None:
    assert isinstance(understood(data), RefusedError | AnnouncementRequest)


@given(document=_DOCUMENTS, text=st.text(min_size=1, max_size=20))
def test_any_object_is_refused_by_a_field_or_lies_within_the_limits(document: dict[str, object], text: str) -> None:
    asked = understood(json.dumps({"text": text, **document}).encode())
    if isinstance(asked, RefusedError):
        return
    assert asked.text.strip()
    assert 1 <= asked.repeat <= 10
    assert asked.speed is None or 0.5 <= asked.speed <= 2.0
    assert asked.volume is None or 0.0 <= asked.volume <= 1.0
    assert asked.sent_at_ms is None or asked.sent_at_ms >= 0
    assert all(name for name in (*asked.rooms, *asked.exclude))
