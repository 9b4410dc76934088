"""The name on the network: announced, stable, never in the way."""

import asyncio
import socket
import uuid

import pytest
from zeroconf import NonUniqueNameException
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from tests.unit.frontends.fake_house import FakeHouse, FakeVoices
from tests.wyoming_client import PATIENCE_SECONDS
from wyoming_kokoro.frontends.wyoming.discovery import SERVICE, Discovery, announced_address
from wyoming_kokoro.frontends.wyoming.server import WyomingServer
from wyoming_kokoro.settings import WyomingSettings


class FakeResponder:
    """A network on which nothing is heard, or a name is taken."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.services = []
        self.is_closed = False
        self.is_asked = asyncio.Event()

    async def async_register_service(self, service) -> None:
        self.is_asked.set()
        if self.error is not None:
            raise self.error
        self.services.append(service)

    async def async_unregister_all_services(self) -> None:
        self.services.clear()

    async def async_close(self) -> None:
        self.is_closed = True


async def test_a_server_is_announced_under_a_stable_name_until_it_stops() -> None:
    responder = FakeResponder()
    discovery = Discovery("attic", lambda: responder)
    await discovery.start("192.0.2.7", 10200)
    (service,) = responder.services
    assert service.name == "wyoming-kokoro-attic._wyoming._tcp.local."
    assert (service.type, service.port) == ("_wyoming._tcp.local.", 10200)
    assert service.parsed_addresses() == ["192.0.2.7"]
    await discovery.stop()
    await discovery.stop()
    assert responder.services == []
    assert responder.is_closed


@pytest.mark.parametrize("error", [NonUniqueNameException(), OSError("no network")])
async def test_a_failing_announcement_is_a_warning_and_no_more(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    responder = FakeResponder(error)
    await Discovery("home", lambda: responder).start("192.0.2.7", 10200)
    assert "not announced" in caplog.text
    assert responder.is_closed


async def test_without_any_network_the_server_starts_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> FakeResponder:
        raise OSError("no network")

    discovery = Discovery("home", fail)
    await discovery.start("192.0.2.7", 10200)
    await discovery.stop()
    assert "no network" in caplog.text


async def test_a_server_for_this_machine_alone_is_not_announced() -> None:
    responder = FakeResponder()
    await Discovery("home", lambda: responder).start("127.0.0.1", 10200)
    assert responder.services == []


def test_the_announced_address_is_one_where_others_reach_the_server() -> None:
    assert announced_address("192.0.2.7") == "192.0.2.7"
    assert announced_address("::1") is None
    assert announced_address("some-host") is None
    anywhere = announced_address("0.0.0.0")
    assert anywhere is None or socket.inet_aton(anywhere)


class SlowResponder(FakeResponder):
    """A network on which it is never known whether the name is free."""

    async def async_register_service(self, service) -> None:
        self.is_asked.set()
        await asyncio.Event().wait()


async def test_a_server_does_not_wait_for_its_announcement_to_start_or_to_stop() -> None:
    responder = SlowResponder()
    house = FakeHouse()
    settings = WyomingSettings(uri="tcp://0.0.0.0:0")
    discovery = Discovery("home", lambda: responder, address="192.0.2.7")
    server = WyomingServer(settings, house, house, FakeVoices(), discovery=discovery)
    assert await server.start() > 0
    async with asyncio.timeout(PATIENCE_SECONDS):
        await responder.is_asked.wait()
        await server.stop(0)
    assert responder.is_closed


async def test_a_switched_off_announcement_is_none() -> None:
    responder = FakeResponder()
    house = FakeHouse()
    settings = WyomingSettings(uri="tcp://127.0.0.1:0", zeroconf=False)
    discovery = Discovery("home", lambda: responder, address="192.0.2.7")
    server = WyomingServer(settings, house, house, FakeVoices(), discovery=discovery)
    await server.start()
    await server.stop(0)
    assert not responder.is_asked.is_set()


async def test_the_real_zeroconf_finds_the_server() -> None:
    instance = f"test-{uuid.uuid4().hex[:8]}"
    discovery = Discovery(instance, lambda: AsyncZeroconf(interfaces=["127.0.0.1"]))
    await discovery.start("192.0.2.7", 10200)
    found: asyncio.Queue[str] = asyncio.Queue()
    listener = AsyncZeroconf(interfaces=["127.0.0.1"])

    def seen(zeroconf, service_type, name, state_change) -> None:
        found.put_nowait(name)

    browser = AsyncServiceBrowser(listener.zeroconf, SERVICE, handlers=[seen])
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await found.get() != discovery.name:
                pass
            info = AsyncServiceInfo(SERVICE, discovery.name)
            assert await info.async_request(listener.zeroconf, 1000 * PATIENCE_SECONDS)
        assert (info.port, info.parsed_addresses()) == (10200, ["192.0.2.7"])
    finally:
        await browser.async_cancel()
        await listener.async_close()
        await discovery.stop()
