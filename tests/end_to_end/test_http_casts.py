"""Casts by HTTP: asked for, looked at, listed, watched, deleted, and refused where they must be."""

import asyncio
import json
from urllib.parse import urlsplit

import pytest

from tests.http_house import PATIENCE_SECONDS, HttpHouse, open_http_house, read_events
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.frontends.http.limits import Limits
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.errors import LogUnavailableError, StorageFullError
from wyoming_kokoro.model.ids import JOBS
from wyoming_kokoro.model.records import Job

TEXT = "Dinner is ready. Come down, please."


async def jobs(house: HttpHouse) -> list[Job]:
    return [sequenced.record for sequenced in await house.log.read(JOBS, 0) if isinstance(sequenced.record, Job)]


async def test_a_text_becomes_a_link_at_once_and_a_hit_the_next_time() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        status, new = await house.answer("POST", "/api/casts", json={"text": TEXT})
        assert (status, new["state"] in {"queued", "speaking"}) == (201, True)
        assert set(new["audio"]) == {"mp3", "flac", "wav", "opus"}
        status, merged = await house.answer("POST", "/api/casts", json={"text": TEXT})
        assert (status, merged["id"]) == (200, new["id"])
        house.engine.release()
        await house.finished(TEXT)
        started = len(house.engine.started)
        status, hit = await house.answer("POST", "/api/casts", json={"text": f" {TEXT}\n"})
        assert (status, hit["state"], hit["id"]) == (200, "done", new["id"])
        assert hit["audio"] == new["audio"]
        assert len(house.engine.started) == started


async def test_a_cast_tells_what_is_known_of_it() -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT, voice="bf_emma", speed=1.25, priority="high", keep=True)
        assert (cast["state"], cast["voice"], cast["language"], cast["keep"]) == ("done", "bf_emma", "en-GB", True)
        assert "".join(sentence["text"] for sentence in cast["sentences"]) == TEXT == cast["text"]
        first, second = cast["sentences"]
        assert second["start_ms"] == first["duration_ms"]
        assert cast["receipt"]["outcome"] == "done"
        (job,) = await jobs(house)
        assert (job.source, job.recipe.profile, job.recipe.speed) == ("http:127.0.0.1", "balanced", 1.25)
        _, body = await house.fetch(f"/api/casts/{cast['id']}/records/{first['seq_num']}", headers=house.headers)
        assert body.startswith(b"fLaC")


async def test_casts_are_listed_page_by_page_the_newest_first() -> None:
    async with open_http_house() as house:
        ids = [(await house.finished(f"Number {number}."))["id"] for number in range(5)]
        found, path = [], "/api/casts?limit=2"
        while path:
            status, page = await house.answer("GET", path)
            assert status == 200
            found.append([cast["id"] for cast in page["casts"]])
            path = page["next"] and f"/api/casts?limit=2&before={page['next']}"
        assert found == [ids[:2:-1], ids[2:0:-1], ids[:1]]


async def test_a_deleted_cast_is_gone_and_made_anew_when_it_is_asked_for() -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        async with house.ask("DELETE", f"/api/casts/{cast['id']}") as response:
            assert (response.status, await response.read()) == (204, b"")
        assert (await house.answer("GET", f"/api/casts/{cast['id']}"))[1]["state"] == "expired"
        answer, body = await house.fetch(cast["audio"]["mp3"])
        assert (answer.status, json.loads(body)["error"]["code"]) == (410, "cast_expired")
        assert (await house.answer("GET", "/api/casts"))[1]["casts"] == []
        assert (await house.finished(TEXT))["state"] == "done"


async def test_events_are_the_records_in_order_and_resume_behind_the_last_one_seen() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        watching = house.events(cast["events"])
        seen = [await anext(watching)]
        assert (seen[0].name, seen[0].seq_num) == ("meta", 0)
        house.engine.release()
        seen += [event async for event in watching]
        assert [event.name for event in seen] == ["meta", "start", "audio", "audio", "eos"]
        texts = [json.loads(event.data)["t"] for event in seen if event.name == "audio"]
        assert "".join(texts) == TEXT
        for place, event in enumerate(seen[:-1]):
            resumed = [each async for each in house.events(cast["events"], **{"Last-Event-ID": str(event.seq_num)})]
            assert resumed == seen[place + 1 :]
        async with house.ask("GET", cast["events"], headers={"Last-Event-ID": str(seen[-1].seq_num)}) as response:
            assert response.status == 204


async def test_a_silent_stream_shows_that_it_is_there() -> None:
    async with open_http_house(limits=Limits(keepalive_seconds=0.01, first_event_seconds=0.01)) as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        async with asyncio.timeout(PATIENCE_SECONDS), house.ask("GET", cast["events"]) as response:
            async for line in response.content:
                if line.startswith(b":"):
                    break
            house.engine.release()
            names = [event.name async for event in read_events(response)]
        assert names[-1] == "eos"


async def test_nothing_is_made_because_somebody_looks_on() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        watching = house.events(cast["events"])
        await anext(watching)
        assert house.house.shop.feeds.listeners(cast["id"]) == 0
        await watching.aclose()


@pytest.mark.parametrize(
    ("field", "body", "words"),
    [
        ("voice", {"text": "Hi.", "voice": "af_hart"}, "af_heart"),
        ("speed", {"text": "Hi.", "speed": 3}, "0.5"),
        ("text", {"text": "😀"}, "spoken"),
        ("text", {}, "missing"),
        ("vioce", {"text": "Hi.", "vioce": "x"}, "did you mean voice?"),
        ("profile", {"text": "Hi.", "profile": "fast"}, "balanced"),
    ],
)
async def test_a_wrong_request_is_refused_by_the_name_of_its_field(field: str, body: object, words: str) -> None:
    async with open_http_house() as house:
        status, document = await house.answer("POST", "/api/casts", json=body)
        assert (status, document["error"]["param"], document["error"]["type"]) == (400, field, "invalid_request_error")
        assert words in document["error"]["message"]
        assert await jobs(house) == []


async def test_one_key_is_one_request() -> None:
    key = {"Idempotency-Key": "b7c1"}
    async with open_http_house() as house:
        first = await house.answer("POST", "/api/casts", json={"text": TEXT}, headers=key)
        again = await house.answer("POST", "/api/casts", json={"text": TEXT}, headers=key)
        assert (first[0], again[0], first[1]["id"]) == (201, 201, again[1]["id"])
        assert len(await jobs(house)) == 1
        status, document = await house.answer("POST", "/api/casts", json={"text": "Something else."}, headers=key)
        assert (status, document["error"]["code"]) == (422, "idempotency_mismatch")
        status, document = await house.answer("POST", "/api/casts", json={"text": TEXT}, headers={"Idempotency-Key": "ü"})
        assert (status, document["error"]["param"]) == (400, "Idempotency-Key")


async def test_too_much_is_a_429_that_says_when_to_come_again() -> None:
    async with open_http_house({"max_jobs": 1}) as house:
        house.engine.hold()
        await house.submit("The first one waits.")
        async with house.ask("POST", "/api/casts", json={"text": "The second one is too many."}) as response:
            assert (response.status, int(response.headers["Retry-After"]) > 0) == (429, True)


class RefusingLog(MemoryLog):
    """Takes nothing for a request, once `refusal` is set."""

    refusal: Exception | None = None

    async def append(self, stream, records, **conditions):
        if self.refusal is not None:
            raise self.refusal
        return await super().append(stream, records, **conditions)


@pytest.mark.parametrize(
    ("refusal", "status", "code"),
    [(StorageFullError("full"), 507, "storage_full"), (LogUnavailableError("away"), 503, "storage_unavailable")],
)
async def test_what_the_journal_does_not_take_is_refused(refusal: Exception, status: int, code: str) -> None:
    log = RefusingLog(SystemClock())
    async with open_http_house(log=log) as house:
        log.refusal = refusal
        try:
            async with house.ask("POST", "/api/casts", json={"text": TEXT}) as response:
                assert (response.status, (await response.json())["error"]["code"]) == (status, code)
                assert ("Retry-After" in response.headers) == (status == 503)
        finally:
            log.refusal = None


async def test_every_route_but_the_open_ones_wants_the_token() -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        closed = ["/api/casts", f"/api/casts/{cast['id']}", cast["events"], "/metrics", "/api/openapi.json", "/nothing"]
        for path in closed:
            answer, body = await house.fetch(path)
            assert (answer.status, answer.headers["WWW-Authenticate"]) == (401, "Bearer"), path
            assert json.loads(body)["error"]["code"] == "invalid_api_key"
            assert answer.headers["x-request-id"]
        for path in ("/health", "/ready", cast["audio"]["wav"]):
            assert (await house.fetch(path))[0].status == 200, path
        page = (await house.fetch("/metrics", headers=house.headers))[1].decode()
        assert "wyoming_kokoro_requests_total" in page
        assert TEXT not in page


async def test_without_a_token_everybody_may() -> None:
    async with open_http_house(api_token="none") as house:
        assert (await house.fetch("/api/casts"))[0].status == 200


async def test_other_peoples_web_pages_are_turned_away() -> None:
    async with open_http_house(base_url="http://kokoro.example:10210") as house:
        for host in ("evil.example", "evil.example:10210", "127.0.0.1.evil.example"):
            status, document = await house.answer("GET", "/api/casts", headers={"Host": host})
            assert (status, document["error"]["code"]) == (403, "unknown_host")
        for host in ("kokoro.example", "kokoro.local:10210", "localhost", "192.0.2.1"):
            assert (await house.answer("GET", "/api/casts", headers={"Host": host}))[0] == 200
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            status, document = await house.answer("POST", "/api/casts", data=b'{"text": "Hi."}', headers={"Content-Type": kind})
            assert (status, document["error"]["code"]) == (415, "wrong_media_type")
        cast = await house.submit(TEXT)
        assert cast["audio"]["mp3"].startswith("http://kokoro.example:10210/audio/")
        path = urlsplit(cast["audio"]["mp3"]).path
        assert (await house.fetch(path, headers={"Host": "speaker.example"}))[0].status == 200


async def test_readiness_waits_for_the_engine_and_says_why_not() -> None:
    async with open_http_house(limits=Limits(ready_seconds=0.01)) as house:
        is_up = asyncio.Event()
        house.engine.start = is_up.wait
        answer, body = await house.fetch("/ready")
        assert (answer.status, json.loads(body)["error"]["code"]) == (503, "server_warming_up")
        assert (await house.fetch("/health"))[1] == b"OK"
        is_up.set()
        assert (await house.fetch("/ready"))[0].status == 200


async def test_a_fault_of_ours_is_a_500_without_a_word_of_how(caplog: pytest.LogCaptureFixture) -> None:
    async with open_http_house() as house:

        async def broken(*_: object, **__: object) -> None:
            raise RuntimeError("a secret of ours")

        house.house.casts.newest = broken
        async with house.ask("GET", "/api/casts", headers={"x-request-id": "mine-7"}) as response:
            text = await response.text()
            assert (response.status, response.headers["x-request-id"]) == (500, "mine-7")
        assert "secret" not in text
        assert "Traceback" not in text
        assert [record.message for record in caplog.records if "mine-7" in record.message]


async def test_the_log_holds_neither_texts_nor_keys_nor_the_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        await house.fetch(cast["audio"]["mp3"])
        await house.fetch(cast["audio"]["mp3"].replace(".mp3", ".ogg"))
    key = cast["audio"]["mp3"].split(".")[-2]
    assert caplog.text
    for secret in (TEXT, "Dinner", key, house.headers["Authorization"]):
        assert secret not in caplog.text
