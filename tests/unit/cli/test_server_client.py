"""Asking a server that answers well, badly, or not any more: each is one sentence of the right kind."""

from __future__ import annotations

import json
import socket
from functools import partial

import pytest

from tests.unit.cli.scripted_server import answer, event, raw_answer, refusal, scripted_server, stream
from wyoming_kokoro.cli.server.casts import ServerCasts, Watching
from wyoming_kokoro.cli.server.client import Client
from wyoming_kokoro.cli.server.events import Event, events
from wyoming_kokoro.cli.server.place import Place
from wyoming_kokoro.model.errors import (
    CastCutError,
    CastExpiredError,
    CastFailedError,
    CastNotFoundError,
    RefusedError,
    ServerError,
    VoiceOfAHouseError,
)

ID = "aaaaaaaaaaaaaaaa"


def client_of(port: int, **settings: float) -> Client:
    return Client(Place(host="127.0.0.1", port=port, token="a-secret"), **settings)


def test_a_question_goes_out_as_json_with_the_token() -> None:
    with scripted_server([answer(201, {"id": ID})]) as server:
        assert ServerCasts(client_of(server.port)).submit({"text": "Hello."}) == {"id": ID}
    head, _, body = server.asked[0].partition("\r\n\r\n")
    assert head.startswith("POST /api/casts HTTP/1.1")
    assert "Authorization: Bearer a-secret" in head
    assert "Content-Type: application/json" in head
    assert json.loads(body) == {"text": "Hello."}


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        (refusal(400, "unknown_voice", "there is no such voice", "voice"), RefusedError, "voice: there is no such voice"),
        (refusal(413, "body_too_large", "the body is too large"), RefusedError, "request: the body is too large"),
        (refusal(404, "cast_not_found", "there is no cast"), CastNotFoundError, "there is no cast"),
        (refusal(409, "cast_failed", "it went wrong"), CastFailedError, "it went wrong"),
        (refusal(410, "cast_expired", "it is gone"), CastExpiredError, "it is gone"),
        (refusal(429, "queue_full", "too many wait", "text"), ServerError, "can't do it: too many wait"),
        (refusal(507, "storage_full", "the disk is full"), ServerError, "can't do it: the disk is full"),
        (refusal(401, "invalid_api_key", "a bearer token is needed"), ServerError, "does not take our token"),
        (answer(500, {"error": "no"}), ServerError, "answers 500: is it a wyoming-kokoro server"),
        (raw_answer(404, b"<html>"), ServerError, "answers 404: is it a wyoming-kokoro server"),
        (raw_answer(302, b""), ServerError, "answers 302"),
        (raw_answer(200, b"<html>"), ServerError, "does not answer in JSON"),
        (answer(200, []), ServerError, "something else than was asked"),
        (raw_answer(200, b'{"id":', length=100), ServerError, "went away in the middle of its answer"),
        (b"", ServerError, "can't be reached"),
        (b"220 ready for mail\r\n", ServerError, "can't be reached: BadStatusLine"),
    ],
)
def test_what_a_server_answers_becomes_one_error(reply: bytes, kind: type[VoiceOfAHouseError], told: str) -> None:
    with scripted_server([reply]) as server, pytest.raises(kind, match=told) as caught:
        ServerCasts(client_of(server.port)).get(ID)
    assert type(caught.value) is kind
    assert "a-secret" not in str(caught.value)


def test_a_port_where_nobody_listens_can_not_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ServerError, match="can't be reached: Connection refused"):
        ServerCasts(client_of(port)).get(ID)


def test_a_server_that_says_nothing_is_given_up() -> None:
    with scripted_server([None]) as server, pytest.raises(ServerError, match=r"has said nothing for 0.05 s"):
        ServerCasts(client_of(server.port, silence_seconds=0.05)).get(ID)


def test_an_id_that_can_be_none_is_not_even_asked_for() -> None:
    casts = ServerCasts(client_of(1))
    for asked in (casts.get, casts.delete, casts.cancel, partial(casts.keep, keep=True), casts.requeue):
        with pytest.raises(CastNotFoundError, match="16 letters"):
            asked("../health")


def test_an_order_is_a_method_and_a_path_without_a_body() -> None:
    with scripted_server([raw_answer(204, b"")] * 4) as server:
        casts = ServerCasts(client_of(server.port))
        casts.cancel(ID)
        casts.keep(ID, keep=True)
        casts.keep(ID, keep=False)
        casts.requeue(ID)
    asked = [request.partition(" HTTP/1.1")[0] for request in server.asked]
    paths = [f"POST /api/casts/{ID}/cancel", f"PUT /api/casts/{ID}/keep", f"DELETE /api/casts/{ID}/keep"]
    assert asked == [*paths, f"POST /api/casts/{ID}/requeue"]
    assert all(request.endswith("\r\n\r\n") for request in server.asked)


def test_a_long_list_comes_from_several_pages() -> None:
    pages = [answer(200, {"casts": [{}] * 200, "next": "17"}), answer(200, {"casts": [{}] * 50, "next": "9"})]
    with scripted_server(pages) as server:
        assert len(ServerCasts(client_of(server.port)).newest(250)) == 250
    assert server.asked[0].startswith("GET /api/casts?limit=200 ")
    assert server.asked[1].startswith("GET /api/casts?limit=50&before=17 ")


def test_a_list_ends_with_the_last_page() -> None:
    with scripted_server([answer(200, {"casts": [{}], "next": None})]) as server:
        assert len(ServerCasts(client_of(server.port)).newest(20)) == 1


def test_sound_that_ends_too_early_is_no_sound() -> None:
    document = {"audio": {"wav": f"https://elsewhere.example/voice/audio/{ID}.key.wav?from=1"}}
    with (
        scripted_server([raw_answer(200, b"RIFF", length=100)]) as server,
        pytest.raises(ServerError, match="went away in the middle"),
    ):
        list(ServerCasts(client_of(server.port)).sound(document, "wav"))
    assert server.asked[0].startswith(f"GET /audio/{ID}.key.wav?from=1 ")


def watched(*chunks: str, is_whole: bool = True) -> list[str]:
    """Names of the events of a cast whose stream that is."""
    names: list[str] = []
    with scripted_server([stream(*chunks, is_whole=is_whole)]) as server:
        ServerCasts(client_of(server.port)).watch(ID, lambda each: names.append(each.name))
    return names


def test_a_cast_is_watched_to_its_end_however_its_events_are_cut() -> None:
    whole = event(0, "meta") + event(1, "start", n=0) + ": still here\n\n" + event(2, "eos", n=1, reason="complete")
    assert watched(whole[:7], whole[7:31], whole[31:]) == ["meta", "start", "eos"]


def test_an_older_failure_is_no_end() -> None:
    assert watched(event(1, "fail", reason="old"), event(2, "start", n=0), event(3, "eos", reason="complete"))[-1] == "eos"


@pytest.mark.parametrize(
    ("last", "kind", "told"),
    [
        (event(1, "fail", reason="the engine died"), CastFailedError, f"cast {ID} failed: the engine died"),
        (event(1, "expired"), CastExpiredError, f"cast {ID} has expired"),
        (event(1, "eos", reason="cut"), CastCutError, f"cast {ID} was cancelled"),
        (event(1, "start", n=0), ServerError, "the server stopped before the end"),
        ("id: 1\nevent: eos\ndata: {\n\n", ServerError, "an event 'eos' that can't be read"),
        ("id: 1\nevent: eos\ndata: []\n\n", ServerError, "an event 'eos' that can't be read"),
    ],
)
def test_how_a_cast_ended_badly_is_told(last: str, kind: type[VoiceOfAHouseError], told: str) -> None:
    with pytest.raises(kind, match=told):
        watched(last)


def test_a_server_that_goes_away_while_it_is_watched_is_one_sentence() -> None:
    with pytest.raises(ServerError, match="went away in the middle of its answer"):
        watched(event(1, "start", n=0), is_whole=False)


def test_an_event_is_there_as_soon_as_its_empty_line_is() -> None:
    lines = iter([b"id: 4\r\n", b"event: audio\r\n", b'data: {"i":0}\r\n', b"\r\n"])
    assert next(events(lines)) == Event(4, "audio", {"i": 0})


class Told:
    """Progress that remembers."""

    def __init__(self) -> None:
        self.sentences: list[tuple[int, float]] = []

    def sentence(self, number: int, text: str, seconds: float, share: float) -> None:
        assert (text, seconds) == ("abcd", 1.5)
        self.sentences.append((number, share))

    def tell(self, line: str) -> None:
        raise AssertionError(line)

    def close(self) -> None:
        raise AssertionError


def test_progress_is_the_share_of_the_text_and_begins_anew_with_a_new_generation() -> None:
    told = Told()
    watching = Watching("abcdabcd", told)
    audio = [Event(number, "audio", {"i": number, "t": "abcd", "d": 1500}) for number in range(2)]
    for each in (audio[0], Event(8, "start", {"n": 1}), audio[1], Event(9, "start", {"n": 0}), audio[0]):
        watching(each)
    assert told.sentences == [(1, 0.5), (2, 1.0), (1, 0.5)]
