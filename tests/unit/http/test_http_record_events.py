"""The events of a stream are the headers that the journal keeps."""

import json

import pytest

from tests.fixtures.record_samples import SAMPLES
from wyoming_kokoro.frontends.http.record_events import event_of
from wyoming_kokoro.journal.codec import encode
from wyoming_kokoro.model import records
from wyoming_kokoro.model.records import Audio, Record, Sequenced

TOLD = (records.Meta, records.Start, records.Audio, records.Alive, records.Eos, records.Fail, records.Expired)


def told(record: Record) -> tuple[int, str, dict[str, object]]:
    event = event_of(Sequenced(7, 0, record))
    assert event is not None
    id_line, event_line, data_line, *rest = event.decode().split("\n")
    assert rest == ["", ""]
    data = json.loads(data_line.removeprefix("data: "))
    return int(id_line.removeprefix("id: ")), event_line.removeprefix("event: "), data


@pytest.mark.parametrize("name", [name for name, record in SAMPLES.items() if isinstance(record, TOLD)])
def test_an_event_is_what_the_journal_writes_without_the_body(name: str) -> None:
    headers = {key.decode(): value.decode("utf-8", "replace") for key, value in encode(SAMPLES[name]).headers}
    seq_num, event, data = told(SAMPLES[name])
    data.pop("reason", None)
    assert seq_num == 7
    assert event == headers.pop("e")
    assert {key: str(value) for key, value in data.items()} == headers


@pytest.mark.parametrize("name", [name for name, record in SAMPLES.items() if not isinstance(record, TOLD)])
def test_other_records_are_not_told(name: str) -> None:
    assert event_of(Sequenced(0, 0, SAMPLES[name])) is None


def test_no_text_can_end_an_event_before_its_end() -> None:
    sample = next(record for record in SAMPLES.values() if isinstance(record, Audio))
    text = "one\n\ndata: two\r\nevent: three\u2028"
    changed = records.Audio(**{name: getattr(sample, name) for name in sample.__slots__} | {"text": text})
    assert told(changed)[2]["t"] == text


def test_an_end_says_why() -> None:
    assert told(records.Eos(count=2, reason=records.EosReason.CUT))[2]["reason"] == "cut"
    assert told(records.Fail(reason="it can't be spoken", jobs_tail=3))[2]["reason"] == "it can't be spoken"
