"""Faults that people reported of other HTTP servers; each test is named by the report's id."""

import asyncio
import io
import json
import wave

from tests.http_house import PATIENCE_SECONDS, HttpHouse, open_http_house


def seconds(body: bytes) -> float:
    with wave.open(io.BytesIO(body)) as file:
        assert len(body) == 44 + 2 * file.getnframes()
        return file.getnframes() / file.getframerate()


async def spoken(house: HttpHouse, text: str, **fields: object) -> float:
    """Seconds of the finished cast."""
    cast = await house.finished(text, **fields)
    return seconds((await house.fetch(cast["audio"]["wav"]))[1])


async def test_p005_a_wav_of_two_sentences_has_one_header_and_the_sound_of_both() -> None:
    async with open_http_house() as house:
        cast = await house.finished("This is the first. This is the second, which is longer.")
        _, body = await house.fetch(cast["audio"]["wav"])
        assert body.count(b"RIFF") == 1
        assert abs(1000 * seconds(body) - sum(each["duration_ms"] for each in cast["sentences"])) < 2


async def test_p044_a_newer_voice_name_is_mapped_and_an_unknown_one_is_told_what_there_is() -> None:
    async with open_http_house() as house:
        status, document = await house.answer("POST", "/api/casts", json={"text": "Hi.", "voice": "ballad"})
        assert status == 201 or "did you mean" in document["error"]["message"]
        status, document = await house.answer("POST", "/api/casts", json={"text": "Hi.", "voice": "af_heard"})
        assert (status, document["error"]["code"]) == (400, "unknown_voice")
        assert "af_heart" in document["error"]["message"]


async def test_p052_a_speed_of_nought_is_refused_before_anything_is_made() -> None:
    async with open_http_house() as house:
        status, document = await house.answer("POST", "/api/casts", json={"text": "Hi.", "speed": 0})
        assert (status, document["error"]["param"]) == (400, "speed")
        for text in ("NaN", "Infinity", "1e999", "-1"):
            body = f'{{"text": "Hi.", "speed": {text}}}'
            status, _ = await house.answer("POST", "/api/casts", data=body, headers={"Content-Type": "application/json"})
            assert status == 400, text
        assert house.engine.started == []


async def test_p061_a_slow_voice_is_longer() -> None:
    async with open_http_house() as house:
        text = "It is a quarter past seven in the evening."
        ratio = await spoken(house, text, speed=0.8) / await spoken(house, text)
        assert 1.2 < ratio < 1.3


async def test_p085_a_long_text_without_punctuation_is_spoken_to_its_end() -> None:
    async with open_http_house() as house:
        text = ("and then we went on walking for another hour or so " * 9)[:450].strip()
        cast = await house.finished(text)
        assert "".join(sentence["text"] for sentence in cast["sentences"]) == text
        said = " ".join(house.spoken()).replace(",", "").lower().split()
        assert said == text.split()
        answer, body = await house.fetch(cast["audio"]["mp3"])
        assert (answer.status, len(body) > 10_000) == (200, True)


async def test_p116_what_was_served_is_not_held_for_ever() -> None:
    async with open_http_house(cache_bytes=100_000) as house:
        for number in range(60):
            cast = await house.finished(f"This is the announcement with the number {number}.")
            answer, _ = await house.fetch(cast["audio"]["wav"])
            assert answer.status == 200
        async with asyncio.timeout(PATIENCE_SECONDS):
            # The last one is let go of once its listener is seen to have gone.
            shared = house.server._renditions._shared
            while sum(each.rendition.size_bytes for each in shared.values()) > 100_000:  # noqa: ASYNC110 - no event for it
                await asyncio.sleep(0)
        assert json.loads((await house.fetch("/ready"))[1]) == {"ready": True}


async def test_p119_a_finished_wav_says_its_exact_length() -> None:
    async with open_http_house() as house:
        cast = await house.finished("The wash is done. It can be hung up now.")
        answer, body = await house.fetch(cast["audio"]["wav"])
        assert int(answer.headers["Content-Length"]) == len(body)
        assert int.from_bytes(body[4:8], "little") == len(body) - 8
        assert (body[36:40], int.from_bytes(body[40:44], "little")) == (b"data", len(body) - 44)
        assert seconds(body) > 1
