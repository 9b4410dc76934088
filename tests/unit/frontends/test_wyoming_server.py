"""The door on real sockets, with a fake house behind it."""

import asyncio
import logging
import socket
import struct

import pytest
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info
from wyoming.tts import Synthesize, SynthesizeVoice

from tests.unit.frontends.fake_house import FakeHouse, FakeVoices, pcm_of, serving
from tests.wyoming_client import PATIENCE_SECONDS, connected, kinds, sound, streamed
from wyoming_kokoro.frontends.wyoming.info import InfoPage
from wyoming_kokoro.frontends.wyoming.limits import Limits
from wyoming_kokoro.frontends.wyoming.server import WyomingServer
from wyoming_kokoro.model import errors
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.settings import WyomingSettings

PLAIN = ["audio-start", "audio-chunk", "audio-stop"]
STREAMED = [*PLAIN, "synthesize-stopped"]
QUICK = Limits(event_seconds=0.05, idle_seconds=0.05, parting_seconds=0.05, write_seconds=0.05)


async def until(event: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        await event.wait()


async def test_the_real_client_is_described_to_and_spoken_to() -> None:
    async with serving(FakeHouse()) as port, AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Describe().event())
        info = Info.from_event(await client.read_event())
        assert info.tts[0].voices[0].name == "af_heart"
        await client.write_event(Synthesize("Hello.", voice=SynthesizeVoice(name="af_heart")).event())
        events = []
        while not events or events[-1].type != "audio-stop":
            events.append(await client.read_event())
    assert kinds(events) == PLAIN
    assert events[0].data == {"rate": 24000, "width": 2, "channels": 1}
    assert sound(events) == pcm_of("Hello.")


async def test_a_stream_in_one_segment_is_seen_whole_by_the_core_before_anything_else_happens() -> None:
    house = FakeHouse()
    async with serving(house) as port, connected(port) as client:
        events = await client.speak_streamed("Hello ", "world.")
    assert kinds(events) == STREAMED
    assert sound(events).rstrip(b"\0") == pcm_of("Hello world.")
    assert [incoming.text for incoming in house.asked] == ["Hello world."]


async def test_sound_goes_out_while_text_still_comes() -> None:
    house = FakeHouse()
    house.is_live = True
    house.pieces = [pcm_of("first" * 50), pcm_of("second")]
    house.gate.clear()
    async with serving(house) as port, connected(port) as client:
        await client.ask("synthesize-start")
        await client.ask("synthesize-chunk", text="A first sentence.")
        assert (await client.read()).type == "audio-start"
        first = await client.read()
        assert first.payload == house.pieces[0][:2048]
        await client.ask("synthesize-chunk", text="Another.")
        await client.ask("synthesize-stop")
        house.gate.set()
        events = await client.read_until("synthesize-stopped")
    assert sound([first, *events]).rstrip(b"\0") == b"".join(house.pieces)


async def test_one_connection_serves_one_request_after_the_other_in_both_dialects() -> None:
    house = FakeHouse()
    async with serving(house) as port, connected(port) as client:
        for text in ("One.", "Two."):
            assert sound(await client.speak(text)) == pcm_of(text)
            assert sound(await client.speak_streamed(text)).rstrip(b"\0") == pcm_of(text)
    assert all(incoming.is_abandoned.is_set() for incoming in house.asked)


async def test_requests_sent_at_once_are_answered_in_order() -> None:
    async with serving(FakeHouse()) as port, connected(port) as client:
        one, three = Event("synthesize", {"text": "One."}), Event("synthesize", {"text": "Three."})
        client.write(one, *streamed("Two."), three)
        assert sound(await client.read_until("audio-stop")) == pcm_of("One.")
        assert sound(await client.read_until("synthesize-stopped")).rstrip(b"\0") == pcm_of("Two.")
        assert sound(await client.read_until("audio-stop")) == pcm_of("Three.")


@pytest.mark.parametrize("text", ["", "  "])
async def test_a_text_with_nothing_to_speak_is_a_short_silence(text: str) -> None:
    async with serving(FakeHouse()) as port, connected(port) as client:
        events = await client.speak(text)
        assert kinds(events) == PLAIN
        assert sound(events) == SPEECH.silence(200)
        assert kinds(await client.speak_streamed(text)) == STREAMED


async def test_a_ping_while_a_frame_is_open_is_answered_after_it_and_in_the_plain_dialect_at_once() -> None:
    house = FakeHouse()
    house.gate.clear()
    async with serving(house) as port, connected(port) as client:
        client.write(*streamed("Hello."))
        await until(house.is_listened_to)
        await client.ask("ping", text="a")
        await client.ask("describe")
        assert kinds([await client.read(), await client.read()]) == ["audio-start", "audio-chunk"]
        house.gate.set()
        events = await client.read_until("info")
        assert kinds(events)[-4:] == ["audio-stop", "synthesize-stopped", "pong", "info"]
        house.gate.clear()
        await client.ask("synthesize", text="Hello.")
        assert (await client.read()).type == "audio-start"
        await client.ask("ping", text="b")
        assert kinds(await client.read_until("pong"))[-1] == "pong"
        house.gate.set()
        await client.read_until("audio-stop")


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_client_that_hangs_up_frees_what_works_for_it(streaming: bool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    house = FakeHouse()
    house.gate.clear()
    async with serving(house) as port:
        async with connected(port) as client:
            client.write(*(streamed("Hello.") if streaming else [Event("synthesize", {"text": "Hello."})]))
            await until(house.is_listened_to)
        await until(house.is_left)
        await until(house.asked[0].is_abandoned)
    assert "hung up" in caplog.text


async def test_a_client_that_hangs_up_before_its_text_is_complete_abandons_it() -> None:
    house = FakeHouse()
    async with serving(house) as port:
        async with connected(port) as client:
            await client.ask("synthesize-start")
            await until(house.is_asked)
        await until(house.asked[0].is_abandoned)


async def test_a_reset_connection_is_a_hang_up() -> None:
    house = FakeHouse()
    house.gate.clear()
    async with serving(house) as port, connected(port) as client:
        await client.ask("synthesize", text="Hello.")
        await until(house.is_listened_to)
        sock = client.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.writer.transport.abort()
        await until(house.is_left)


@pytest.mark.parametrize("where", ["open_error", "cast_error"])
async def test_a_refused_plain_request_is_an_error_and_the_connection_lives_on(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    house = FakeHouse()
    setattr(house, where, errors.RefusedError("speed", "0.5 to 2.0 is expected"))
    async with serving(house) as port, connected(port) as client:
        (event,) = await client.speak("Hello.", context={"speed": 2})
        assert Error.from_event(event) == Error("context.speed: 0.5 to 2.0 is expected", "invalid_value")
        setattr(house, where, None)
        assert kinds(await client.speak("Hello.")) == PLAIN
    assert "127.0.0.1" in caplog.text
    assert "context.speed" in caplog.text


async def test_after_a_failed_request_a_client_that_goes_on_waiting_is_let_go() -> None:
    house = FakeHouse()
    house.cast_error = errors.CastFailedError("the engine died under it twice")
    async with serving(house, Limits(parting_seconds=0.05)) as port, connected(port) as client:
        assert (await client.speak("Hello."))[-1].data["code"] == "cast_failed"
        assert await client.read_rest() == b""


@pytest.mark.parametrize(
    "failure", [{"open_error": errors.RefusedError("speed", "no")}, {"cast_error": errors.QueueFullError(3)}]
)
async def test_a_streamed_request_that_fails_before_sound_is_an_error_and_ends_inside_an_event(failure: dict) -> None:
    house = FakeHouse()
    for name, error in failure.items():
        setattr(house, name, error)
    async with serving(house) as port, connected(port) as client:
        events = await client.speak_streamed("Hello.")
        assert events[-1].type == "error"
        with pytest.raises(asyncio.IncompleteReadError):
            await client.read()


async def test_a_streamed_request_that_fails_after_sound_ends_inside_an_event() -> None:
    house = FakeHouse()
    house.end_error = errors.CastCutError("cut")
    async with serving(house) as port, connected(port) as client:
        with pytest.raises(asyncio.IncompleteReadError):
            await client.speak_streamed("Hello, this is long enough for some chunks.")


async def test_a_plain_request_that_fails_after_sound_is_an_error_without_audio_stop() -> None:
    house = FakeHouse()
    house.end_error = errors.CastCutError("cut")
    async with serving(house) as port, connected(port) as client:
        assert kinds(await client.speak("Hello.")) == ["audio-start", "audio-chunk", "error"]


async def test_a_text_that_gets_too_long_while_it_is_spoken_stops_the_speech() -> None:
    house = FakeHouse()
    house.is_live, house.max_chars = True, 20
    house.gate.clear()
    async with serving(house) as port, connected(port) as client:
        await client.ask("synthesize-start")
        await client.ask("synthesize-chunk", text="Hello, you.")
        await until(house.is_listened_to)
        await client.ask("synthesize-chunk", text="And a lot more.")
        with pytest.raises(asyncio.IncompleteReadError):
            await client.read_until("synthesize-stopped")
        await until(house.is_left)


async def test_a_text_that_is_too_long_at_once_is_refused_readably() -> None:
    house = FakeHouse()
    house.max_chars = 20
    async with serving(house) as port:
        async with connected(port) as client:
            assert (await client.speak("x" * 21))[-1].data["text"].startswith("text: ")
        async with connected(port) as client:
            events = await client.speak_streamed("x" * 15, "x" * 15)
            assert kinds(events) == ["error"]
            with pytest.raises(asyncio.IncompleteReadError):
                await client.read()


async def test_a_mistake_of_the_servers_own_costs_that_client_alone(caplog: pytest.LogCaptureFixture) -> None:
    house = FakeHouse()
    house.cast_error = ZeroDivisionError("oops")
    async with serving(house) as port:
        async with connected(port) as client:
            assert (await client.speak("Hello."))[-1].data["code"] == "internal_error"
        async with connected(port) as client:
            assert (await client.speak_streamed("Hello."))[-1].data["code"] == "internal_error"
            with pytest.raises(asyncio.IncompleteReadError):
                await client.read()
        house.cast_error = None
        async with connected(port) as client:
            assert kinds(await client.speak("Hello.")) == PLAIN
    assert "oops" in caplog.text


async def test_a_language_alone_chooses_a_voice_that_speaks_it() -> None:
    house = FakeHouse()
    async with serving(house) as port, connected(port) as client:
        for language in ("en_GB", "en-US", "en-AU", "ja", "tlh"):
            await client.speak("Hello.", voice={"language": language})
    chosen = [(incoming.request.voice, incoming.request.language) for incoming in house.asked]
    assert chosen == [("bm_lewis", None), ("af_heart", None), ("af_heart", None), (None, None), (None, None)]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "not_json"),
        (b"\xff\xfe\n", "not_utf8"),
        (b"y" * 70_000, "line_too_long"),
        (b'{"type":"synthesize","data_length":1e9}\n', "wrong_length"),
        (b'{"type":"synthesize","data_length":-1}\n', "wrong_length"),
        (b'{"type":"synthesize","payload_length":99999999}\n', "event_too_long"),
        (b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}\n", "nested_too_deep"),
    ],
)
async def test_bytes_after_which_nothing_can_be_read_are_answered_with_an_error_and_a_close(
    data: bytes, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(FakeHouse()) as port:
        async with connected(port) as client:
            client.write(data)
            error = Error.from_event(await client.read())
            assert (error.code, bool(error.text)) == (code, True)
            assert await client.read_rest() == b""
        async with connected(port) as client:
            assert kinds(await client.speak("Hello.")) == PLAIN
    assert code in caplog.text
    assert "127.0.0.1" in caplog.text


@pytest.mark.parametrize("data", [b"[1,2]\n", b'{"data":{}}\n', b'{"type":"synthesize","data_length":3}\nxyz'])
async def test_after_an_event_whose_content_is_wrong_the_connection_lives_on(data: bytes) -> None:
    async with serving(FakeHouse()) as port, connected(port) as client:
        client.write(data)
        assert (await client.read()).type == "error"
        assert kinds(await client.speak("Hello.")) == PLAIN


async def test_a_client_that_makes_no_sense_for_long_is_given_up() -> None:
    async with serving(FakeHouse(), Limits(mistakes=3)) as port, connected(port) as client:
        client.write(*[b"[]\n"] * 10)
        assert (await client.read_rest()).count(b"not_an_object") == 4


async def test_an_event_that_is_cut_off_is_answered_with_an_error(caplog: pytest.LogCaptureFixture) -> None:
    async with serving(FakeHouse()) as port, connected(port) as client:
        client.write(b'{"type":"synthesize","payload_length":100}\nabc')
        client.writer.write_eof()
        assert Error.from_event(await client.read()).code == "truncated_event"
    assert "truncated_event" in caplog.text


async def test_a_half_open_event_is_given_up() -> None:
    async with serving(FakeHouse(), QUICK) as port, connected(port) as client:
        client.write(b'{"type":"synth')
        assert Error.from_event(await client.read()).code == "event_timeout"
        assert await client.read_rest() == b""


async def test_a_connection_on_which_nothing_is_asked_is_closed() -> None:
    async with serving(FakeHouse(), QUICK) as port, connected(port) as client:
        assert await client.read_rest() == b""


async def test_a_stream_whose_text_never_comes_is_answered_and_closed() -> None:
    async with serving(FakeHouse(), QUICK) as port, connected(port) as client:
        await client.ask("synthesize-start")
        assert kinds(await client.read_until("synthesize-stopped")) == STREAMED
        assert await client.read_rest() == b""


async def test_hostile_bytes_while_an_answer_is_streamed_end_it_inside_an_event() -> None:
    house = FakeHouse()
    house.gate.clear()
    async with serving(house) as port, connected(port) as client:
        client.write(*streamed("Hello."))
        await until(house.is_listened_to)
        client.write(b"rubbish\n")
        with pytest.raises(asyncio.IncompleteReadError):
            await client.read_until("synthesize-stopped")
        await until(house.is_left)


async def test_a_listener_that_does_not_read_is_fed_only_as_much_as_is_on_the_way() -> None:
    house = FakeHouse()
    house.pieces = [bytes(50_000)] * 200
    async with serving(house) as port, connected(port, limit=1024) as client:
        client.writer.transport.pause_reading()
        await client.ask("synthesize", text="Hello.")
        await until(house.is_listened_to)
        async with connected(port) as other:
            assert kinds(await other.speak("")) == PLAIN
        assert house.heard_pieces < 100
        client.writer.transport.resume_reading()
        size = 0
        while (event := await client.read()).type != "audio-stop":
            size += len(event.payload or b"")
        assert size == 10_000_000


async def test_a_listener_that_reads_nothing_for_long_is_let_go() -> None:
    house = FakeHouse()
    house.pieces = [bytes(100_000)] * 1000
    async with serving(house, QUICK) as port, connected(port, limit=1024) as client:
        client.writer.transport.pause_reading()
        await client.ask("synthesize", text="Hello.")
        await until(house.is_left)


async def test_a_client_that_asks_faster_than_it_reads_is_waited_for() -> None:
    server = door(FakeHouse())
    port = await server.start()
    async with connected(port, limit=1024) as client:
        client.writer.transport.pause_reading()
        count = 5000
        client.write(*[Event("describe")] * count, Event("synthesize", {"text": "Hello."}))
        worst = 0
        client.writer.transport.resume_reading()
        size = len(InfoPage(FakeVoices(), streaming=True).encoded())
        for _ in range(count):
            assert (await client.read()).type == "info"
            worst = max(
                [worst, *[each._line._writer.transport.get_write_buffer_size() for each in server._connections.values()]]
            )
        assert kinds(await client.read_until("audio-stop")) == PLAIN
    await server.stop(0)
    assert worst <= Limits().pending_bytes + size


async def test_one_client_more_than_allowed_is_told_so_and_may_come_back_later() -> None:
    async with serving(FakeHouse(), max_connections=1) as port:
        async with connected(port) as first:
            assert kinds(await first.speak("Hello.")) == PLAIN
            async with connected(port) as second:
                await second.ask("describe")
                assert Error.from_event(await second.read()).code == "too_many_connections"
                assert await second.read_rest() == b""
            assert kinds(await first.speak("Hello.")) == PLAIN
            first.writer.write_eof()
            assert await first.read_rest() == b""
        async with connected(port) as third:
            assert kinds(await third.speak("Hello.")) == PLAIN


async def test_of_too_many_clients_only_some_are_told_so() -> None:
    async with serving(FakeHouse(), Limits(turned_away=0), max_connections=1) as port, connected(port) as first:
        await first.speak("")
        async with connected(port) as second:
            with pytest.raises((EOFError, ConnectionResetError)):
                await second.read()


def door(house: FakeHouse, limits: Limits | None = None, uri: str = "tcp://127.0.0.1:0") -> WyomingServer:
    return WyomingServer(WyomingSettings(uri=uri, zeroconf=False), house, house, FakeVoices(), limits=limits)


async def test_a_stopping_server_finishes_its_answers_and_lets_nobody_in() -> None:
    house = FakeHouse()
    house.gate.clear()
    server = door(house)
    port = await server.start()
    async with connected(port) as client, connected(port) as idle:
        await idle.speak("")
        await client.ask("synthesize", text="Hello.")
        await until(house.is_listened_to)
        stopping = asyncio.create_task(server.stop(PATIENCE_SECONDS))
        assert await idle.read_rest() == b""
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", port)
        house.gate.set()
        assert kinds(await client.read_until("audio-stop")) == PLAIN
        await stopping
    await server.stop(0)


@pytest.mark.parametrize("streaming", [False, True])
async def test_at_the_deadline_answers_are_ended_as_failures(streaming: bool) -> None:
    house = FakeHouse()
    house.gate.clear()
    server = door(house)
    port = await server.start()
    async with connected(port) as client:
        client.write(*(streamed("Hello.") if streaming else [Event("synthesize", {"text": "Hello."})]))
        await until(house.is_listened_to)
        stopping = asyncio.create_task(server.stop(0))
        if streaming:
            with pytest.raises(asyncio.IncompleteReadError):
                await client.read_until("synthesize-stopped")
        else:
            assert (await client.read_until("error"))[-1].data["code"] == "cast_cut"
        client.writer.close()
        await stopping
    assert house.asked[0].is_abandoned.is_set()


async def test_a_stalled_listener_does_not_keep_the_server_from_stopping() -> None:
    house = FakeHouse()
    house.pieces = [bytes(100_000)] * 100
    server = door(house, Limits(parting_seconds=0.05))
    port = await server.start()
    async with connected(port, limit=1024) as client:
        client.writer.transport.pause_reading()
        await client.ask("synthesize", text="Hello.")
        await until(house.is_listened_to)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await server.stop(0)
    assert house.listeners == 0


async def test_a_server_that_cannot_listen_says_why() -> None:
    with pytest.raises(errors.SettingsError, match="wyoming_uri"):
        await door(FakeHouse(), uri="udp://127.0.0.1:0").start()
    taken = door(FakeHouse())
    port = await taken.start()
    with pytest.raises(errors.DoorError, match="can't listen"):
        await door(FakeHouse(), uri=f"tcp://127.0.0.1:{port}").start()
    await taken.stop(0)
