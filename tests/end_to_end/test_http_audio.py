"""The sound of a cast by its link: as a file once it is finished, as a stream while it is being made."""

import asyncio
import io
import json
import wave
from urllib.parse import urlsplit

import pytest

from tests.http_house import PATIENCE_SECONDS, HttpHouse, open_http_house
from tests.http_wire import get, unchunked, wired
from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.frontends.http.limits import Limits
from wyoming_kokoro.model.errors import SynthesisError

TEXT = "Dinner is ready. Come down, please. The soup gets cold."
LONG = " ".join(f"Sentence number {number} of a long text is spoken here." for number in range(40))


def frames(body: bytes) -> bytes:
    with wave.open(io.BytesIO(body)) as file:
        assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (24_000, 2, 1)
        return file.readframes(file.getnframes())


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


async def links(house: HttpHouse, cast_id: str, query: str) -> dict[str, str]:
    status, document = await house.answer("GET", f"/api/casts/{cast_id}?{query}")
    assert status == 200, document
    return document["audio"]


@pytest.mark.parametrize("name", FORMATS)
async def test_a_finished_cast_is_a_file_with_a_length_a_tag_and_the_same_bytes_for_everybody(name: str) -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        answers = [await house.fetch(cast["audio"][name]) for _ in range(3)]
        for answer, body in answers:
            assert answer.status == 200
            assert int(answer.headers["Content-Length"]) == len(body) > 1000
            assert answer.headers["Accept-Ranges"] == "bytes"
            assert answer.headers["Content-Type"] == FORMATS[name].media_type
        assert len({body for _, body in answers}) == 1
        (etag,) = {answer.headers["ETag"] for answer, _ in answers}
        async with house.client.head(cast["audio"][name]) as head:
            assert (head.status, head.headers["Content-Length"], head.headers["ETag"]) == (200, str(len(answers[0][1])), etag)
            assert await head.read() == b""
        same, body = await house.fetch(cast["audio"][name], headers={"If-None-Match": f'"x", {etag}'})
        assert (same.status, body) == (304, b"")


@pytest.mark.parametrize("name", FORMATS)
async def test_a_part_is_a_part_of_the_whole(name: str) -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        whole, data = await house.fetch(cast["audio"][name])
        for asked, part in (
            ("bytes=0-99", data[:100]),
            ("bytes=500-", data[500:]),
            ("bytes=-300", data[-300:]),
            ("bytes=0-", data),
        ):
            answer, body = await house.fetch(cast["audio"][name], headers={"Range": asked})
            assert (answer.status, body) == (206, part)
            start = len(data) - len(part) if asked != "bytes=0-99" else 0
            assert answer.headers["Content-Range"] == f"bytes {start}-{start + len(part) - 1}/{len(data)}"
            assert answer.headers["ETag"] == whole.headers["ETag"]
        answer, body = await house.fetch(cast["audio"][name], headers={"Range": f"bytes={len(data)}-"})
        assert (answer.status, answer.headers["Content-Range"]) == (416, f"bytes */{len(data)}")
        for headers, status in (
            ({"Range": "bytes=0-9", "If-Range": whole.headers["ETag"]}, 206),
            ({"Range": "bytes=0-9", "If-Range": '"another"'}, 200),
            ({"Range": "bytes=0-9,20-29"}, 200),
        ):
            assert (await house.fetch(cast["audio"][name], headers=headers))[0].status == status


async def test_a_cast_is_heard_while_it_is_made_and_late_listeners_hear_it_from_the_start() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        async with asyncio.timeout(PATIENCE_SECONDS), wired(house.port) as early:
            early.writer.write(get(path_of(cast["audio"]["wav"])))
            await house.listened_to(cast["id"])
            house.engine.release()
            head = await early.head()
            assert b"transfer-encoding: chunked" in head.lower()
            assert b"content-length" not in head.lower()
            first = await early.reader.read(100)
            late, body = await house.fetch(cast["audio"]["wav"])
            rest = first
            while not unchunked(rest)[1]:
                rest += await early.reader.read(65536)
        finished = await house.finished(TEXT)
        _, exact = await house.fetch(finished["audio"]["wav"])
        assert unchunked(rest)[0][44:] == frames(exact)
        assert late.status == 200
        assert body[44:] == frames(exact)


async def test_the_first_sentence_is_heard_before_the_second_is_made() -> None:
    async with open_http_house() as house:
        begun = asyncio.Event()
        speak = house.engine.synthesize

        async def one_at_a_time(utterance):
            if house.engine.spoken:
                begun.set()
                await may_go_on.wait()
            return await speak(utterance)

        may_go_on = asyncio.Event()
        house.engine.synthesize = one_at_a_time
        cast = await house.submit(TEXT)
        async with asyncio.timeout(PATIENCE_SECONDS), house.client.get(cast["audio"]["wav"]) as response:
            assert len(await response.content.readexactly(10_000)) == 10_000
            await begun.wait()
            assert len(house.engine.spoken) == 1
            assert (await house.answer("GET", f"/api/casts/{cast['id']}"))[1]["state"] == "speaking"
            may_go_on.set()
            await response.read()


@pytest.mark.parametrize("name", ["mp3", "opus"])
async def test_what_is_heard_live_is_byte_by_byte_what_the_finished_file_is(name: str) -> None:
    async with open_http_house(cache_bytes=0) as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        hearing = asyncio.create_task(house.fetch(cast["audio"][name]))
        await house.listened_to(cast["id"])
        house.engine.release()
        answer, live = await hearing
        assert "Content-Length" not in answer.headers
        await house.finished(TEXT)
        answer, finished = await house.fetch(cast["audio"][name])
        assert "Content-Length" in answer.headers
        assert live == finished


async def test_a_failure_in_the_middle_closes_without_the_last_chunk() -> None:
    async with open_http_house() as house:
        speak = house.engine.synthesize

        async def fails_at_the_third(utterance):
            if len(house.engine.spoken) == 2:
                raise SynthesisError("it can't be spoken")
            return await speak(utterance)

        house.engine.synthesize = fails_at_the_third
        cast = await house.submit(TEXT)
        async with wired(house.port) as client:
            client.writer.write(get(path_of(cast["audio"]["wav"])))
            head = await client.head()
            assert head.startswith(b"HTTP/1.1 200")
            heard, is_whole = unchunked(await client.rest())
        assert not is_whole
        assert len(heard) > 20_000


async def test_what_fails_before_its_first_sound_is_an_error_and_no_sound() -> None:
    async with open_http_house() as house:

        async def fails(_):
            raise SynthesisError("it can't be spoken")

        house.engine.synthesize = fails
        cast = await house.submit(TEXT)
        for url in (await links(house, cast["id"], "chime=bell&lead_ms=100")).values():
            answer, body = await house.fetch(url)
            assert (answer.status, json.loads(body)["error"]["code"]) == (409, "cast_failed")


async def test_a_player_hears_from_us_even_while_there_is_no_sound() -> None:
    async with open_http_house(limits=Limits(first_bytes_seconds=0.01)) as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        async with asyncio.timeout(PATIENCE_SECONDS), house.client.get(cast["audio"]["mp3"]) as response:
            assert response.status == 200
            house.engine.release()
            assert len(await response.read()) > 1000


async def test_an_old_player_hears_a_cast_that_is_made_until_the_connection_closes() -> None:
    async with open_http_house() as house:
        cast = await house.submit(TEXT)
        async with wired(house.port) as client:
            client.writer.write(get(path_of(cast["audio"]["mp3"]), version="1.0"))
            assert b"chunked" not in (await client.head()).lower()
            heard = await client.rest()
        await house.finished(TEXT)
        assert heard == (await house.fetch(cast["audio"]["mp3"]))[1]


async def test_a_head_of_a_cast_that_is_made_has_no_length() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        async with house.client.head(cast["audio"]["mp3"]) as head:
            assert (head.status, "Content-Length" in head.headers) == (200, False)
        async with house.client.head(cast["audio"]["mp3"]) as head:
            assert head.headers["Content-Type"] == "audio/mpeg"


async def test_a_link_is_presented_as_it_says_and_its_key_holds_it_to_that() -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        plain = frames((await house.fetch(cast["audio"]["wav"]))[1])
        first, *_ = cast["sentences"]
        signed = await links(house, cast["id"], "from=1&lead_ms=250&repeat=2")
        presented = frames((await house.fetch(signed["wav"]))[1])
        speech = plain[48 * first["duration_ms"] :]
        assert presented == bytes(12_000) + speech + bytes(48_000) + speech
        chimed = frames((await house.fetch((await links(house, cast["id"], "chime=bell"))["wav"]))[1])
        assert chimed.endswith(plain)
        assert len(chimed) > len(plain) + 24_000
        for url in (
            signed["wav"].replace("repeat=2", "repeat=3"),
            signed["wav"].partition("?")[0],
            cast["audio"]["wav"] + "?from=1",
        ):
            answer, body = await house.fetch(url)
            assert (answer.status, json.loads(body)["error"]["code"]) == (403, "wrong_key")
        assert (await house.fetch(signed["wav"] + "&cachebuster=7"))[0].status == 200
        beyond = await links(house, cast["id"], "from=3")
        answer, body = await house.fetch(beyond["wav"])
        assert (answer.status, json.loads(body)["error"]["param"]) == (400, "from")
        status, document = await house.answer("GET", f"/api/casts/{cast['id']}?chime=gong")
        assert (status, document["error"]["param"]) == (400, "chime")


async def test_a_cast_that_is_made_can_be_joined_at_a_later_sentence() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        url = (await links(house, cast["id"], "from=1"))["wav"]
        hearing = asyncio.create_task(house.fetch(url))
        await house.listened_to(cast["id"])
        house.engine.release()
        _, body = await hearing
        finished = await house.finished(TEXT)
        whole = frames((await house.fetch(finished["audio"]["wav"]))[1])
        assert body[44:] == whole[48 * finished["sentences"][0]["duration_ms"] :]


async def test_a_cast_of_minutes_lies_in_a_temporary_file_and_is_read_from_there() -> None:
    async with open_http_house(limits=Limits(memory_bytes=10_000)) as house:
        cast = await house.finished(LONG)
        _, body = await house.fetch(cast["audio"]["wav"])
        assert len(frames(body)) == len(body) - 44 > 1_000_000
        answer, part = await house.fetch(cast["audio"]["wav"], headers={"Range": "bytes=500000-600000"})
        assert (answer.status, part) == (206, body[500_000:600_001])


async def test_links_outlive_a_restart_of_the_door() -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        _, before = await house.fetch(cast["audio"]["opus"])
        fresh = type(house.server)(house.server._settings, house.house, data_dir=house.data_dir)
        port = await fresh.start()
        try:
            _, after = await house.fetch(f"http://127.0.0.1:{port}{path_of(cast['audio']['opus'])}")
        finally:
            await fresh.stop(0)
        assert after == before
