"""Who listens through the Wyoming door, and how: at once, slowly, not at all, again, and until the server dies."""

import asyncio
import logging
import signal
import sys
from pathlib import Path

import pytest
from wyoming.event import Event, async_read_event

from tests.wyoming_client import PATIENCE_SECONDS, Client, connected, kinds, sound, streamed
from tests.wyoming_house import WyomingHouse, open_wyoming_house
from wyoming_kokoro.frontends.wyoming.wire import encode_event
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import JOBS
from wyoming_kokoro.model.records import Job

PLAIN = ["audio-start", "audio-chunk", "audio-stop"]
STREAMED = [*PLAIN, "synthesize-stopped"]
STOP, STOPPED = (encode_event(Event(kind)) for kind in ("audio-stop", "synthesize-stopped"))
LONG = " ".join(f"Sentence number {number} of a long text is spoken here." for number in range(40))


async def jobs(house: WyomingHouse) -> list[Job]:
    return [sequenced.record for sequenced in await house.log.read(JOBS, 0) if isinstance(sequenced.record, Job)]


def pending_bytes(house: WyomingHouse) -> list[int]:
    """What the door holds for each client."""
    return [connection._line._writer.transport.get_write_buffer_size() for connection in house.server._connections.values()]


async def events_in(data: bytes) -> list[Event]:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    events = []
    while (event := await async_read_event(reader)) is not None:
        events.append(event)
    return events


async def test_home_assistants_sequence_is_spoken_exactly_once_and_is_the_cast_of_a_plain_request() -> None:
    text = "The washing machine is done. Somebody should empty it."
    async with open_wyoming_house() as house, connected(house.port) as client:
        streamed_sound = sound(await client.speak_streamed(text))
        plain_sound = sound(await client.speak(text))
        assert house.spoken() == ["The washing machine is done.", "Somebody should empty it."]
        assert len({job.cast_id for job in await jobs(house)}) == 1
    assert streamed_sound.rstrip(b"\0") == plain_sound.rstrip(b"\0")
    assert len(streamed_sound) - len(plain_sound) < 2048


@pytest.mark.parametrize("first", ["plain", "streamed"])
async def test_a_hit_has_the_same_bytes_in_both_dialects_and_needs_no_engine(first: str) -> None:
    text = "The door is open. Please close it."
    async with open_wyoming_house() as house:
        async with connected(house.port) as client:
            speak = client.speak if first == "plain" else client.speak_streamed
            made = sound(await speak(text))
        count = len(house.engine.started)
        async with connected(house.port) as client:
            plain = [sound(await client.speak(text)) for _ in range(2)]
            in_stream = [sound(await client.speak_streamed(text)) for _ in range(2)]
        assert len(house.engine.started) == count
    assert plain[0] == plain[1]
    assert in_stream[0] == in_stream[1]
    assert made == (plain if first == "plain" else in_stream)[0]
    assert in_stream[0].rstrip(b"\0") == plain[0].rstrip(b"\0")


async def test_a_streamed_text_is_heard_before_it_is_complete() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        await client.ask("synthesize-start")
        await client.ask("synthesize-chunk", text="The first sentence is complete. The second one ")
        heard = [await client.read(), await client.read()]
        assert kinds(heard) == ["audio-start", "audio-chunk"]
        await client.ask("synthesize-chunk", text="comes later.")
        await client.ask("synthesize-stop")
        heard += await client.read_until("synthesize-stopped")
        assert kinds(heard) == STREAMED
        assert "".join(house.spoken()).replace(" ", "").endswith("comeslater.")


async def test_a_text_that_stops_arriving_is_spoken_as_far_as_it_came_and_closed() -> None:
    async with open_wyoming_house({"text_idle_seconds": 0.1}) as house, connected(house.port) as client:
        await client.ask("synthesize-start")
        await client.ask("synthesize-chunk", text="The first sentence is complete. The second one")
        assert kinds(await client.read_until("synthesize-stopped")) == STREAMED
        assert await client.read_rest() == b""
        assert house.spoken() == ["The first sentence is complete.", "The second one"]


async def test_a_full_queue_is_a_readable_refusal() -> None:
    async with open_wyoming_house({"max_jobs": 1}) as house:
        house.engine.hold()
        async with connected(house.port) as waiting:
            await waiting.ask("synthesize", text="The first one waits.")
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not await jobs(house):  # noqa: ASYNC110 - the log has no event for it
                    await asyncio.sleep(0)
            for name in ("speak", "speak_streamed"):
                async with connected(house.port) as client:
                    events = await getattr(client, name)("The second one is too many.")
                    assert events[-1].data["code"] == "queue_full"
            house.engine.release()
            assert kinds(await waiting.read_until("audio-stop")) == PLAIN


async def test_context_says_where_how_fast_and_how_urgently() -> None:
    context = {"room": "kitchen", "priority": "high", "profile": "quality", "speed": 1.5}
    async with open_wyoming_house() as house, connected(house.port) as client:
        assert kinds(await client.speak("Dinner is ready.", context=context)) == PLAIN
        (job,) = await jobs(house)
    assert (job.room, job.priority, job.recipe.profile, job.recipe.speed) == ("kitchen", Priority.HIGH, "quality", 1.5)
    assert job.source == "wyoming:127.0.0.1"


async def test_a_speed_that_is_out_of_range_is_refused_by_its_name_in_both_dialects() -> None:
    async with open_wyoming_house() as house:
        for name in ("speak", "speak_streamed"):
            async with connected(house.port) as client:
                events = await getattr(client, name)("Hi.", context={"speed": 9})
                assert kinds(events) == ["error"]
                assert events[-1].data["text"].startswith("context.speed: ")


async def test_a_text_that_is_too_long_is_refused_in_both_dialects() -> None:
    async with open_wyoming_house() as house:
        for name in ("speak", "speak_streamed"):
            async with connected(house.port) as client:
                events = await getattr(client, name)("Too long. " * 11_000)
                assert events[-1].type == "error"
                assert events[-1].data["text"].startswith("text: ")
        assert house.spoken() == []


async def test_a_language_alone_is_spoken_by_a_voice_of_that_language() -> None:
    async with open_wyoming_house() as house, connected(house.port) as client:
        assert kinds(await client.speak("Bonjour.", voice={"language": "fr"})) == PLAIN
        (job,) = await jobs(house)
    assert (job.recipe.voice, job.recipe.language) == ("ff_siwis", "fr")


async def test_stalled_listeners_cost_the_others_nothing_and_the_door_next_to_nothing() -> None:
    async with open_wyoming_house() as house:
        async with connected(house.port) as client:
            expected = sound(await client.speak(LONG))
        stalled = [connected(house.port, limit=1024) for _ in range(50)]
        clients: list[Client] = [await each.__aenter__() for each in stalled]
        try:
            for client in clients:
                client.writer.transport.pause_reading()
                client.write(Event("synthesize", {"text": LONG}))
            async with connected(house.port) as client:
                assert sound(await client.speak(LONG)) == expected
                assert kinds(await client.speak("Somebody is at the door.")) == PLAIN
                await client.ask("describe")
                assert (await client.read()).type == "info"
            assert len(house.server._connections) >= 50
            assert max(pending_bytes(house)) < 32 * 1024
        finally:
            for each in stalled:
                await each.__aexit__(None, None, None)


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_listener_that_reads_slowly_gets_every_byte(streaming: bool) -> None:
    async with open_wyoming_house() as house:
        async with connected(house.port) as client:
            quick = sound(await (client.speak_streamed(LONG) if streaming else client.speak(LONG)))
        async with connected(house.port, limit=4096) as client:
            client.write(*(streamed(LONG) if streaming else [Event("synthesize", {"text": LONG})]))
            heard = bytearray()
            last = STOPPED if streaming else STOP
            async with asyncio.timeout(2 * PATIENCE_SECONDS):
                while not heard.endswith(last):
                    heard += await client.reader.read(1500)
                    await asyncio.sleep(0)
    assert sound(await events_in(bytes(heard))) == quick


async def test_hostile_clients_disturb_nobody_and_leave_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    hostile = [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00" * 20,
        b"z" * 200_000,
        b"[1]\n" * 50,
        b'{"type":"synthesize","data_length":99999999999}\n',
        b'{"type":"synthesize","data":{"text":"\\ud800\\u0000 "}}\n',
        b'{"type":"synthesize","data":{"text":' + b"[" * 1000 + b"]" * 1000 + b"}}\n",
        b'{"type":"synthesize","payload_length":60000}\nshort',
        b'{"type":"synthesize-chunk","data":{"text":"stray"}}\n' * 100,
        b'{"type":"ping"}\n' * 3000,
        b'{"type":"synthesize","data":{"text":"Hi."}}\n' * 2000,
    ]
    async with open_wyoming_house() as house, connected(house.port) as client:
        expected = sound(await client.speak("All is well."))
        before = len(asyncio.all_tasks())
        for data in hostile:
            async with connected(house.port) as enemy:
                enemy.write(data)
                enemy.writer.write_eof()
                await enemy.read_rest()
            assert sound(await client.speak("All is well.")) == expected
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(asyncio.all_tasks()) > before:  # noqa: ASYNC110 - the loop has no event for it
                await asyncio.sleep(0)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_server_that_is_killed_while_it_streams_ends_inside_an_event(tmp_path: Path) -> None:
    command = ["serve", "--data-dir", str(tmp_path), "--wyoming-uri", "tcp://127.0.0.1:0", "--engine", "tone"]
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "wyoming_kokoro", *command, "--no-zeroconf", "--http-port", "0", stderr=asyncio.subprocess.PIPE
    )
    try:
        port = await _port_of(server)
        async with connected(port, limit=4096) as client:
            client.write(*streamed(LONG))
            heard = [await client.read() for _ in range(10)]
            client.writer.transport.pause_reading()
            server.send_signal(signal.SIGKILL)
            await server.wait()
            client.writer.transport.resume_reading()
            with pytest.raises((asyncio.IncompleteReadError, ConnectionResetError)):
                while True:
                    heard.append(await client.read())
        assert kinds(heard) == PLAIN[:2]
    finally:
        if server.returncode is None:
            server.kill()
            await server.wait()


async def _port_of(server: asyncio.subprocess.Process) -> int:
    assert server.stderr is not None
    lines = []
    async with asyncio.timeout(2 * PATIENCE_SECONDS):
        while line := await server.stderr.readline():
            lines.append(line.decode())
            if "Wyoming: listening" in lines[-1]:
                return int(lines[-1].split()[-1])
    raise AssertionError("".join(lines))
