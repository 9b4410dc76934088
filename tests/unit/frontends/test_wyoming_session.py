"""The protocol without sockets: which actions follow from which events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wyoming.event import Event

from wyoming_kokoro.frontends.wyoming.limits import Limits
from wyoming_kokoro.frontends.wyoming.session import (
    Close,
    Complain,
    End,
    Feed,
    Inform,
    Open,
    Phase,
    Refuse,
    Reply,
    Session,
)
from wyoming_kokoro.model.cast import CastRequest, Priority
from wyoming_kokoro.model.recipe import Profile, TextFormat


def session(**limits: int) -> Session:
    return Session("wyoming:192.0.2.7", Limits(**limits))


def start(**data: object) -> Event:
    return Event("synthesize-start", data)


def chunk(text: object) -> Event:
    return Event("synthesize-chunk", {"text": text})


def plain(text: object, **data: object) -> Event:
    return Event("synthesize", {"text": text, **data})


STOP = Event("synthesize-stop")


def all_of(door: Session, *events: Event) -> list[object]:
    return [action for event in events for action in door.receive(event)]


def kinds(actions: list[object]) -> list[type]:
    return [type(action) for action in actions]


def opened(actions: list[object]) -> CastRequest:
    return next(action.request for action in actions if isinstance(action, Open))


def test_a_plain_request_is_opened_fed_and_ended_at_once() -> None:
    actions = session().receive(plain("Hello."))
    assert kinds(actions) == [Open, Feed, End]
    assert not actions[0].streaming
    assert actions[1].text == "Hello."


def test_a_streamed_request_is_fed_as_it_comes() -> None:
    door = session()
    actions = all_of(door, start(), chunk("He"), chunk("llo."), STOP)
    assert kinds(actions) == [Open, Feed, Feed, End]
    assert actions[0].streaming
    assert door.phase is Phase.ANSWERING


def test_the_compatibility_synthesize_inside_a_stream_is_ignored() -> None:
    assert kinds(all_of(session(), start(), chunk("Hi."), plain("Hi."), STOP)) == [Open, Feed, End]


def test_a_request_names_its_source_and_takes_any_voice() -> None:
    request = opened(session().receive(plain("Hi.")))
    assert request == CastRequest(source="wyoming:192.0.2.7", any_voice=True)


@pytest.mark.parametrize("begin", [lambda **data: plain("Hi.", **data), start])
def test_both_dialects_carry_voice_context_and_format(begin) -> None:
    context = {"room": "kitchen", "priority": "high", "profile": "quality", "speed": 1.25, "else": [1]}
    event = begin(voice={"name": "bm_lewis", "speaker": "x"}, context=context, text_format="ssml")
    request = opened(session().receive(event))
    assert (request.voice, request.language, request.room) == ("bm_lewis", None, "kitchen")
    assert (request.priority, request.profile, request.speed) == (Priority.HIGH, Profile.QUALITY, 1.25)
    assert request.text_format is TextFormat.SSML


@pytest.mark.parametrize(
    ("voice", "expected"),
    [
        (None, (None, None)),
        ({}, (None, None)),
        ("", (None, None)),
        ("bm_lewis", ("bm_lewis", None)),
        ({"name": "bm_lewis", "language": "en-GB"}, ("bm_lewis", None)),
        ({"language": "fr"}, (None, "fr")),
        ({"name": None, "language": "fr"}, (None, "fr")),
        ({"name": "a\0\ud800b"}, ("ab", None)),
    ],
)
def test_a_voice_is_a_name_or_a_language_or_nothing(voice: object, expected: tuple[str | None, str | None]) -> None:
    request = opened(session().receive(plain("Hi.", voice=voice)))
    assert (request.voice, request.language) == expected


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"voice": 7}, "voice"),
        ({"voice": ["a"]}, "voice"),
        ({"voice": {"name": 7}}, "voice.name"),
        ({"voice": {"name": "a" * 300}}, "voice.name"),
        ({"voice": {"language": {}}}, "voice.language"),
        ({"text_format": "rtf"}, "text_format"),
        ({"text_format": ["ssml"]}, "text_format"),
        ({"context": "kitchen"}, "context"),
        ({"context": {"room": 7}}, "context.room"),
        ({"context": {"priority": "urgent"}}, "context.priority"),
        ({"context": {"priority": 4}}, "context.priority"),
        ({"context": {"profile": "fast"}}, "context.profile"),
        ({"context": {"profile": []}}, "context.profile"),
        ({"context": {"speed": "fast"}}, "context.speed"),
        ({"context": {"speed": True}}, "context.speed"),
        ({"context": {"speed": float("inf")}}, "context.speed"),
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
def test_a_wrong_field_is_refused_by_name(data: dict[str, object], field: str, streaming: bool) -> None:
    (refusal,) = session().receive(start(**data) if streaming else plain("Hi.", **data))
    assert isinstance(refusal, Refuse)
    assert (refusal.error.field, refusal.streaming) == (field, streaming)


@pytest.mark.parametrize("text", [7, ["Hi."], {"a": 1}, True])
def test_a_text_that_is_no_string_is_refused(text: object) -> None:
    assert session().receive(plain(text))[0].error.field == "text"
    door = session()
    door.receive(start())
    assert door.receive(chunk(text))[0].error.field == "text"


@pytest.mark.parametrize("event", [Event("synthesize"), plain(None), plain("")])
def test_missing_null_and_empty_text_are_requests_without_text(event: Event) -> None:
    assert kinds(session().receive(event)) == [Open, End]


def test_a_start_without_data_is_a_start() -> None:
    assert kinds(session().receive(Event("synthesize-start"))) == [Open]


@pytest.mark.parametrize("event", [chunk("Hi."), STOP])
def test_what_needs_a_start_is_complained_of_and_nothing_else_changes(event: Event) -> None:
    door = session()
    (complaint,) = door.receive(event)
    assert isinstance(complaint, Complain)
    assert event.type in complaint.text
    assert kinds(door.receive(plain("Hi."))) == [Open, Feed, End]


def test_a_second_start_is_complained_of_and_the_first_lives_on() -> None:
    assert kinds(all_of(session(), start(), chunk("a"), start(), chunk("b"), STOP)) == [Open, Feed, Complain, Feed, End]


@pytest.mark.parametrize("events", [[], [start()], [plain("Hi.")]])
def test_describe_and_ping_are_answered_in_every_phase(events: list[Event]) -> None:
    door = session()
    all_of(door, *events)
    before = door.phase
    assert door.receive(Event("describe")) == [Inform()]
    assert door.receive(Event("ping", {"text": "a"})) == [Reply(Event("pong", {"text": "a"}))]
    assert door.receive(Event("ping", {"text": [1]})) == [Reply(Event("pong", {"text": None}))]
    assert door.phase is before


@pytest.mark.parametrize("kind", ["select-program", "transcribe", "audio-chunk", "", "x" * 1000])
def test_events_that_are_not_for_a_voice_are_passed_over(kind: str) -> None:
    assert session().receive(Event(kind, {"name": "kokoro"})) == []


def test_what_is_asked_meanwhile_is_held_and_done_in_order() -> None:
    door = session()
    door.receive(plain("One."))
    assert all_of(door, start(voice={"name": "b"}), chunk("Two."), plain("Two."), STOP, plain("Three.")) == []
    second = door.answered()
    assert kinds(second) == [Open, Feed, End]
    assert (opened(second).voice, second[1].text) == ("b", "Two.")
    third = door.answered()
    assert third[1].text == "Three."
    assert door.answered() == []
    assert door.phase is Phase.IDLE


def test_a_held_stream_goes_on_when_its_turn_has_come() -> None:
    door = session()
    all_of(door, plain("One."), start(), chunk("Tw"))
    assert kinds(door.answered()) == [Open, Feed]
    assert kinds(all_of(door, chunk("o."), STOP)) == [Feed, End]


def test_after_a_stream_a_plain_request_on_the_same_connection_is_spoken() -> None:
    door = session()
    all_of(door, start(), chunk("One."), STOP)
    door.answered()
    assert kinds(door.receive(plain("Two."))) == [Open, Feed, End]


@pytest.mark.parametrize("limits", [{"held_events": 3}, {"held_chars": 100}])
def test_holding_is_bounded(limits: dict[str, int]) -> None:
    door = session(**limits)
    door.receive(plain("One."))
    for _ in range(3):
        actions = door.receive(plain("x" * 20))
        if actions:
            break
    actions = actions or door.receive(plain("x" * 20))
    assert kinds(actions) == [Complain, Close]
    assert actions[0].code == "queue_full"


def test_junk_beside_a_held_request_counts_as_well() -> None:
    door = session(held_chars=100)
    door.receive(plain("One."))
    assert kinds(door.receive(plain("Two.", context={"junk": ["x"] * 100}))) == [Complain, Close]


def test_an_answer_that_ends_before_its_text_closes_the_connection() -> None:
    door = session()
    door.receive(start())
    assert door.answered() == [Close()]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["a\0b"], "ab"),
        (["a\ud800b"], "ab"),
        (["\udc00a"], "a"),
        (["\ud83d", "\ude00!"], "\U0001f600!"),
        (["a\ud83d", "b"], "ab"),
        (["a\ud83d", "\ud83d", "\ude00"], "a\U0001f600"),
        (["a\ud83d"], "a"),
    ],
)
def test_half_characters_are_joined_across_chunks_or_dropped(pieces: list[str], text: str) -> None:
    actions = all_of(session(), start(), *map(chunk, pieces), STOP)
    assert "".join(action.text for action in actions if isinstance(action, Feed)) == text


@given(st.lists(st.text(max_size=8), max_size=8))
def test_sound_text_comes_through_unchanged(pieces: list[str]) -> None:
    clean = [piece.encode("utf-8", "ignore").decode().replace("\0", "") for piece in pieces]
    actions = all_of(session(), start(), *map(chunk, clean), STOP)
    assert "".join(action.text for action in actions if isinstance(action, Feed)) == "".join(clean)


EVENTS = st.sampled_from([start(), chunk("a"), plain("b"), STOP, Event("describe"), Event("ping"), None])


@given(st.lists(EVENTS, max_size=40))
def test_whatever_comes_a_request_is_opened_only_when_the_last_one_is_answered(events: list[Event | None]) -> None:
    door, is_open, is_complete = session(), False, True
    for event in events:
        if event is None and not (is_open and is_complete):
            continue
        if event is None:
            is_open = False
        for action in door.answered() if event is None else door.receive(event):
            if isinstance(action, Open):
                assert not is_open
                is_open, is_complete = True, False
            elif isinstance(action, Feed | End):
                assert is_open
                assert not is_complete
                is_complete = isinstance(action, End)
