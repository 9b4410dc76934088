"""Faults that people reported of other Wyoming servers; each test is named by the report's id."""

import asyncio
from collections.abc import Callable
from itertools import pairwise

import pytest
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info

from tests.house import open_house
from tests.wyoming_client import PATIENCE_SECONDS, Client, connected, kinds, sound
from tests.wyoming_house import WyomingHouse, open_wyoming_house
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.host import HostedEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.frontends.wyoming.server import WyomingServer
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.settings import WyomingSettings

PLAIN = ["audio-start", "audio-chunk", "audio-stop"]
STREAMED = [*PLAIN, "synthesize-stopped"]
LANGUAGES = {"en-US", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh-CN"}
LONG = " ".join(f"This is sentence number {number} of a long text." for number in range(60))


async def solo(house: WyomingHouse, text: str, **data: object) -> bytes:
    async with connected(house.port) as client:
        return sound(await client.speak(text, **data))


async def described(house: WyomingHouse) -> Info:
    return await described_at(house.port)


async def described_at(port: int) -> Info:
    async with asyncio.timeout(PATIENCE_SECONDS), AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Describe().event())
        return Info.from_event(await client.read_event())


async def until(condition: Callable[[], bool]) -> None:
    """Let everything else go on until it holds."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 - the engine and the loop have no event for it
            await asyncio.sleep(0)


async def test_p002_a_plain_synthesize_after_a_stream_on_the_same_connection_is_spoken() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        assert kinds(await client.speak_streamed("First.")) == STREAMED
        assert sound(await client.speak("Second.")) == await solo(house, "Second.")


async def test_p008_a_chunk_without_a_start_is_a_readable_error() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        await client.ask("synthesize-chunk", text="Hi.")
        error = Error.from_event(await client.read())
        assert "synthesize-start" in error.text
        assert error.code
        assert kinds(await client.speak("Hi.")) == PLAIN


async def test_p013_a_stop_without_a_start_is_a_readable_error_and_a_describe_is_answered() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        await client.ask("synthesize-stop")
        await client.ask("describe")
        assert kinds([await client.read(), await client.read()]) == ["error", "info"]


async def test_p017_a_stream_without_text_is_answered_without_an_error() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        await client.ask("synthesize-start")
        await client.ask("synthesize-stop")
        events = await client.read_until("synthesize-stopped", "error")
    assert kinds(events) == STREAMED
    assert set(sound(events)) == {0}


@pytest.mark.parametrize("text", ["", " \n", "...", "\U0001f600"])
async def test_p023_a_text_with_nothing_to_speak_is_answered_with_a_pair(text: str) -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        events = await client.speak(text)
    assert kinds(events) == PLAIN
    assert sound(events) == SPEECH.silence(200)


async def test_p038_an_unknown_voice_is_spoken_by_the_default_voice_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        events = await client.speak("Hi.", voice={"name": "af_nope"})
        assert kinds(events) == PLAIN
        assert sound(events) == await solo(house, "Hi.")
    assert any("af_nope" in record.getMessage() and record.levelname == "WARNING" for record in caplog.records)


async def test_p043_streaming_events_are_answered_where_they_are_not_advertised() -> None:
    async with open_wyoming_house(streaming=False) as house, connected(house.port) as client:
        assert not (await described(house)).tts[0].supports_synthesize_streaming
        assert kinds(await client.speak_streamed("Hi there.")) == STREAMED


async def test_p053_the_synthesize_for_compatibility_is_not_spoken_again() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        events = await client.speak_streamed("Dinner is ready.")
        assert kinds(events) == STREAMED
        assert house.spoken() == ["Dinner is ready."]
        assert sound(events).rstrip(b"\0") == (await solo(house, "Dinner is ready.")).rstrip(b"\0")


async def test_p058_two_streamed_sentences_have_one_start_and_one_stop() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        events = await client.speak_streamed("The first sentence is here. ", "The second sentence follows.")
    assert kinds(events) == STREAMED
    assert len(house.spoken()) == 2


async def test_p068_every_voice_has_a_language() -> None:
    async with open_wyoming_house() as house:
        voices = (await described(house)).tts[0].voices
    assert len(voices) >= 54
    assert all(voice.languages for voice in voices)
    assert len({voice.description for voice in voices}) == len(voices)


async def test_p073_languages_are_exact_tags() -> None:
    async with open_wyoming_house() as house:
        voices = (await described(house)).tts[0].voices
    assert {language for voice in voices for language in voice.languages} == LANGUAGES
    assert {tuple(voice.languages) for voice in voices if voice.name.startswith(("pf_", "pm_"))} == {("pt-BR",)}


async def test_p083_a_describe_is_answered_while_the_engine_works() -> None:
    async with open_wyoming_house() as house, connected(house.port) as speaking:
        house.engine.hold()
        await speaking.ask("synthesize", text=LONG)
        await until(lambda: bool(house.engine.started))
        assert (await described(house)).tts
        await speaking.ask("describe")
        assert (await speaking.read()).type == "info"
        assert house.spoken() == []


async def test_p088_many_connections_share_one_engine_and_leave_nothing_behind() -> None:
    async with open_wyoming_house() as house:
        before = len(asyncio.all_tasks())
        infos = [await described(house) for _ in range(20)]
        assert all(info == infos[0] for info in infos)
        assert house.engine.started == []
        await until(lambda: len(asyncio.all_tasks()) <= before)


async def test_p094_two_voices_at_once_sound_as_each_does_alone() -> None:
    text = "One sentence is spoken. And another one follows it."
    names = ("am_adam", "bf_emma")
    async with open_wyoming_house() as house:
        alone = [await solo(house, text, voice={"name": name}) for name in names]
    async with open_wyoming_house() as house:
        together = await asyncio.gather(*[solo(house, text, voice={"name": name}) for name in names])
    assert together == alone
    assert alone[0] != alone[1]


async def client_heard_sound(client: Client) -> None:
    while (await client.read()).type != "audio-chunk":
        pass


async def one_sentence_is_heard_and_the_next_one_under_way(house: WyomingHouse, client: Client) -> None:
    await until(lambda: bool(house.engine._going._waiters))
    house.engine.release()
    house.engine.hold()
    await client_heard_sound(client)
    await until(lambda: len(house.engine.started) == 2)


async def test_p098_a_gone_client_frees_the_engine_at_once() -> None:
    async with open_wyoming_house() as house:
        house.engine.hold()
        async with connected(house.port) as gone:
            await gone.ask("synthesize-start")
            await gone.ask("synthesize-chunk", text=LONG)
            await one_sentence_is_heard_and_the_next_one_under_way(house, gone)
        async with connected(house.port) as client:
            await client.ask("synthesize", text="Hi.")
            # The engine speaks one sentence at a time and finishes none: "Hi." is begun only if the other is given up.
            await until(lambda: len(house.engine.started) == 3)
            house.engine.release()
            assert kinds(await client.read_until("audio-stop")) == PLAIN
        assert house.spoken()[1] == "Hi."


async def test_p098_a_whole_text_that_nobody_hears_any_more_is_finished_only_when_nobody_waits() -> None:
    async with open_wyoming_house() as house:
        house.engine.hold()
        async with connected(house.port) as gone:
            await gone.ask("synthesize", text=LONG)
            await one_sentence_is_heard_and_the_next_one_under_way(house, gone)
        async with connected(house.port) as client:
            await client.ask("synthesize", text="Hi.")
            await until(lambda: len(house.house.shop.feeds._feeds) == 2)
            house.engine.release()
            assert kinds(await client.read_until("audio-stop")) == PLAIN
        assert "Hi." in house.spoken()[:3]


async def test_p101_the_same_text_streamed_again_and_again_is_finished_every_time() -> None:
    words = ["Dinner ", "is ", "ready. ", "Please ", "come ", "to ", "the ", "kitchen ", "now, ", "and bring the plates"]
    async with open_wyoming_house() as house, connected(house.port) as client:
        answers = [await client.speak_streamed(*words) for _ in range(3)]
    assert [kinds(answer) for answer in answers] == [STREAMED] * 3
    assert len({sound(answer) for answer in answers}) == 1


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_p101_a_text_at_which_the_engine_hangs_ends_with_an_error_and_no_connection_waits_for_ever(
    is_streamed: bool,
) -> None:
    clock = SystemClock()
    hanging = ChildConfig(model="tone", slots=1, faults=(("hang_at", 1),))
    engine = HostedEngine(hanging, clock, fingerprint="tone-1", limit_seconds=0.5)
    async with open_house(MemoryLog(clock), engine) as house:
        door = WyomingSettings(uri="tcp://127.0.0.1:0", zeroconf=False)
        server = WyomingServer(door, house.intake, house.listening, KokoroVoices("af_heart"))
        port = await server.start()
        async with connected(port) as client:
            answer = await (client.speak_streamed("The same ", "text.") if is_streamed else client.speak("The same text."))
            assert Error.from_event(answer[-1]).text
            assert (await described_at(port)).tts
        await server.stop(0)


async def test_p104_silence_before_the_speech_is_not_part_of_the_cast() -> None:
    text = "Now is the time."
    async with open_wyoming_house() as house:
        without = await solo(house, text)
    async with open_wyoming_house(lead_ms=400) as house:
        assert await solo(house, text) == SPEECH.silence(400) + without
        assert await solo(house, text) == SPEECH.silence(400) + without
        assert len(house.spoken()) == 1


async def test_p113_a_very_short_text_is_spoken() -> None:
    async with open_wyoming_house() as house:
        pcm = await solo(house, "6:31 PM")
        (spoken,) = house.spoken()
    assert spoken.rstrip(".").lower() == "six thirty-one p m"
    assert len(pcm) > 0


def test_the_sample_texts_are_long_enough() -> None:
    assert all(a != b for a, b in pairwise(LONG.split(". ")))


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_p118_a_repeated_text_comes_in_no_larger_chunks_than_the_first_time(is_streamed: bool) -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        speak = client.speak_streamed if is_streamed else client.speak
        made, repeated = await speak(LONG), await speak(LONG)
        assert sound(made) == sound(repeated)
        assert _largest(repeated) <= _largest(made) < len(sound(made)) / 100


def _largest(events: list[Event]) -> int:
    return max(len(event.payload or b"") for event in events)
