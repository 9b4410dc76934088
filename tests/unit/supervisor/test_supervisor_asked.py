"""What the Supervisor is asked, and what is made of each answer, of none, and of one that comes late."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.fake_supervisor import HOSTNAME, TOKEN, FakeSupervisor, Message
from tests.patient_time import PatientClock, patiently
from wyoming_kokoro.model.errors import ServerError, SupervisorRefusalError, TokenRefusedError
from wyoming_kokoro.settings import MqttSettings
from wyoming_kokoro.settings.supervised import Supervised
from wyoming_kokoro.supervisor.address import find_base_url
from wyoming_kokoro.supervisor.api import SupervisorApi
from wyoming_kokoro.supervisor.broker import follow_broker, read_service
from wyoming_kokoro.supervisor.discovery import Discovery
from wyoming_kokoro.supervisor.info import read_info

BROKER = {"host": "core-mosquitto", "port": 1883, "username": "addons", "password": "secret"}
LOGIN = {"user": "addons", "password": "secret"}
URI = f"tcp://{HOSTNAME}:10200"


@contextlib.asynccontextmanager
async def supervised(**config: Any) -> AsyncIterator[tuple[FakeSupervisor, SupervisorApi]]:
    supervisor = FakeSupervisor(**config)
    await supervisor.start()
    try:
        yield supervisor, SupervisorApi(Supervised(supervisor.url, TOKEN))
    finally:
        await supervisor.stop()


def files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


# -- the API -------------------------------------------------------------------------------------------------------------------


async def test_a_refusal_is_told_in_the_supervisors_own_words() -> None:
    async with supervised() as (_, api):
        with pytest.raises(
            SupervisorRefusalError, match="the Supervisor refuses GET /services/mqtt: Service not enabled"
        ) as caught:
            await api.get("/services/mqtt")
        assert caught.value.status == 400
        with pytest.raises(SupervisorRefusalError) as caught:
            await api.get("/services/mysql")
        assert caught.value.status == 403


async def test_a_token_that_it_does_not_know_is_told_as_such() -> None:
    async with supervised() as (supervisor, _):
        stranger = SupervisorApi(Supervised(supervisor.url, "another"))
        with pytest.raises(TokenRefusedError, match=r"does not let us ask /info \(status 403\)"):
            await stranger.get("/info")


async def test_one_that_is_away_and_one_that_talks_rubbish_are_server_errors() -> None:
    async with supervised() as (supervisor, api):
        with pytest.raises(ServerError, match="answers GET /nothing with status 404"):
            await api.get("/nothing")
        await supervisor.stop()
        with pytest.raises(ServerError, match=r"the Supervisor is not reached at http://127\.0\.0\.1:"):
            await api.get("/info")


# -- the broker ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("service", "chosen", "found"),
    [
        (BROKER, {}, {"url": "mqtt://core-mosquitto:1883"} | LOGIN),
        (
            BROKER | {"ssl": True, "port": 8883},
            {},
            {"url": "mqtts://core-mosquitto:8883", "user": "addons", "password": "secret"},
        ),
        ({"host": "fd00::5", "port": 1883}, {}, {"url": "mqtt://[fd00::5]:1883"}),
        (BROKER | {"username": "", "password": ""}, {}, {"url": "mqtt://core-mosquitto:1883"}),
        (BROKER, {"user": "me", "password": "mine"}, {"url": "mqtt://core-mosquitto:1883", "user": "me", "password": "mine"}),
        (BROKER, {"discovery": False}, {"url": "mqtt://core-mosquitto:1883"} | LOGIN),
    ],
)
def test_a_service_becomes_the_settings_of_a_broker(service: Any, chosen: Any, found: Any) -> None:
    assert read_service(service, MqttSettings(**chosen)) == MqttSettings(**{**chosen, **found})


def test_certificates_are_for_a_broker_that_speaks_tls() -> None:
    chosen = MqttSettings(ca_file=Path("/ca.pem"))
    assert read_service({"host": "a", "port": 1}, chosen).ca_file is None
    assert read_service({"host": "a", "port": 1, "ssl": True}, chosen).ca_file == Path("/ca.pem")


@pytest.mark.parametrize("service", [{}, {"host": "", "port": 1883}, {"host": "a", "port": "1883"}, {"host": 3, "port": 1883}])
def test_a_service_without_host_or_port_is_none(service: Any) -> None:
    with pytest.raises(ServerError, match="has no host and port"):
        read_service(service, MqttSettings())


@patiently
async def test_a_broker_is_told_when_it_comes_and_when_it_changes_and_at_no_other_time() -> None:
    clock = PatientClock()
    async with supervised() as (supervisor, api):

        async def looked_for(times: int) -> None:
            wanted = len(supervisor.asked) + times
            while len(supervisor.asked) < wanted:
                await clock.sleep(30)

        brokers = follow_broker(api, clock, MqttSettings())
        coming = asyncio.ensure_future(anext(brokers))
        await looked_for(3)
        assert not coming.done()
        supervisor.provide("mqtt", **BROKER)
        assert (await clock.ended(coming)).url == "mqtt://core-mosquitto:1883"
        coming = asyncio.ensure_future(anext(brokers))
        await looked_for(2)
        del supervisor.provided["mqtt"]  # it may come back where it was
        await looked_for(2)
        assert not coming.done()
        supervisor.provide("mqtt", **BROKER | {"password": "new"})
        assert (await clock.ended(coming)).password == "new"
        await brokers.aclose()  # type: ignore[attr-defined]  # it is a generator


# -- the address ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("internal_url", "network", "expected"),
    [
        ("http://192.168.1.10:8123", {"10210/tcp": 10210}, "http://192.168.1.10:10210"),
        ("https://[fd00::1]:8123", {"10210/tcp": 8888}, "http://[fd00::1]:8888"),
        (None, {"10210/tcp": 10210}, "http://homeassistant.local:10210"),
        ("http://[", {"10210/tcp": 10210}, "http://homeassistant.local:10210"),
        ("http://192.168.1.10:8123", {"10210/tcp": None}, None),
        ("http://192.168.1.10:8123", None, None),
    ],
)
async def test_players_are_led_to_the_machine(internal_url: Any, network: Any, expected: str | None) -> None:
    async with supervised() as (supervisor, api):
        supervisor.home_assistant["internal_url"] = internal_url
        supervisor.info["network"] = network
        assert await find_base_url(api, 10210) == expected


async def test_without_the_right_to_ask_home_assistant_the_name_of_the_machine_is_taken() -> None:
    async with supervised(homeassistant_api=False) as (_, api):
        assert await find_base_url(api, 10210) == "http://homeassistant.local:10210"


async def test_a_home_assistant_that_is_still_starting_is_asked_again() -> None:
    async with supervised() as (supervisor, api):
        supervisor.home_assistant_is_away = True
        with pytest.raises(ServerError, match="status 502"):
            await find_base_url(api, 10210)


async def test_where_nobody_says_where_the_machine_is_there_is_no_address() -> None:
    async with supervised() as (supervisor, api):
        supervisor.home_assistant.clear()
        supervisor.machine["hostname"] = ""
        assert await find_base_url(api, 10210) is None


@pytest.mark.parametrize(
    ("answer", "port"),
    [
        ({"ingress": True, "ingress_port": 10211}, 10211),
        ({"ingress": False, "ingress_port": 10211}, None),
        ({"ingress": True, "ingress_port": None}, None),
        ({"ingress": True, "ingress_port": 0}, None),
        ({}, None),
    ],
)
def test_ingress_is_where_the_supervisor_says_that_it_is(answer: Any, port: int | None) -> None:
    assert read_info(answer).ingress_port == port


# -- discovery -----------------------------------------------------------------------------------------------------------------


@patiently
async def test_it_waits_for_a_supervisor_that_is_starting_and_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = PatientClock()
    async with supervised() as (supervisor, api):
        supervisor.not_ready = "startup"
        announcing = asyncio.ensure_future(Discovery(api, clock, tmp_path).announce(10200))
        await clock.until(lambda: len(supervisor.asked) >= 4)
        assert not announcing.done()
        supervisor.not_ready = ""
        await clock.ended(announcing)
        assert [(each.service, each.config) for each in supervisor.messages] == [("wyoming", {"uri": URI})]
    waits = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert len(waits) == 1
    assert "System is not ready with state: startup" in waits[0].getMessage()


async def test_announced_again_it_is_the_same_message(tmp_path: Path) -> None:
    async with supervised() as (supervisor, api):
        for _ in range(2):
            await Discovery(api, PatientClock(), tmp_path).announce(10200)
        (message,) = supervisor.messages
        assert supervisor.pushed == [("post", message.uuid)]
        await Discovery(api, PatientClock(), tmp_path).announce(10300)
        assert supervisor.pushed == [("post", message.uuid)] * 2


async def test_a_config_that_does_not_list_it_is_told_and_the_server_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with supervised(discovery=()) as (_, api):
        await Discovery(api, PatientClock(), tmp_path).announce(10200)
    assert "Apps must list services they provide" in caplog.text
    assert files(tmp_path) == []


async def test_it_takes_back_what_it_has_told_and_nothing_else(tmp_path: Path) -> None:
    async with supervised() as (supervisor, api):
        others = Message("another_app", "wyoming", {"uri": "tcp://piper:10200"})
        supervisor.messages.append(others)
        discovery = Discovery(api, PatientClock(), tmp_path)
        await discovery.withdraw()
        assert supervisor.asked == []
        await discovery.announce(10200)
        await discovery.withdraw()
        assert supervisor.messages == [others]
        for uuid in (others.uuid, "0" * 32):
            (tmp_path / "discovery.json").write_text(json.dumps({"uuid": uuid}))
            await discovery.withdraw()
        assert supervisor.messages == [others]
        assert files(tmp_path) == []


@pytest.mark.parametrize("note", ["", "[]", '{"uuid": 7}', '{"uuid": "../services/mqtt"}'])
async def test_a_damaged_note_takes_back_nothing(tmp_path: Path, note: str) -> None:
    (tmp_path / "discovery.json").write_text(note)
    async with supervised() as (supervisor, api):
        await Discovery(api, PatientClock(), tmp_path).withdraw()
        assert supervisor.asked == []
