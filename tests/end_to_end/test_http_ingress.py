"""The port of Home Assistant's Ingress: the whole API for the proxy, nothing for anybody else."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.http_house import HttpHouse, open_http_house
from wyoming_kokoro.frontends.http.ingress import PROXY
from wyoming_kokoro.model.errors import DoorError
from wyoming_kokoro.model.ids import JOBS
from wyoming_kokoro.model.records import Job

PATH = "/api/hassio_ingress/Xy_9-z"
HOME = {
    "X-Ingress-Path": PATH,
    "X-Remote-User-Id": "5f1e0c",
    "X-Remote-User-Name": "owner",
    "Host": "house.example.org",
    "X-Forwarded-Host": "house.example.org",
    "X-Forwarded-Proto": "https",
}


@contextlib.asynccontextmanager
async def ingress(proxy: str = "127.0.0.1") -> AsyncIterator[tuple[HttpHouse, str]]:
    """A house, and where the proxy reaches it; `proxy` is the address that counts as the proxy's."""
    async with open_http_house() as house:
        port = await house.server.open_ingress(0, host="127.0.0.1", proxy=proxy)
        yield house, f"http://127.0.0.1:{port}"


async def ask(house: HttpHouse, method: str, url: str, **options: Any) -> tuple[int, dict[str, Any]]:
    options.setdefault("headers", HOME)
    async with house.client.request(method, url, **options) as response:
        return response.status, await response.json()


async def test_the_proxy_needs_no_token_and_its_client_is_led_on_below_its_own_path() -> None:
    async with ingress() as (house, url):
        status, cast = await ask(house, "POST", f"{url}/api/casts", json={"text": "Good evening."})
        assert status == 201
        assert cast["events"] == f"{PATH}/api/casts/{cast['id']}/events"
        assert cast["audio"]["mp3"].startswith(f"{PATH}/audio/{cast['id']}.")
        async with house.client.get(url + cast["audio"]["wav"].removeprefix(PATH), headers=HOME) as response:
            assert response.status == 200
            assert (await response.read())[:4] == b"RIFF"
        status, found = await ask(house, "GET", f"{url}/api/casts/{cast['id']}")
        assert (status, found["id"]) == (200, cast["id"])


async def test_users_of_the_house_are_told_apart() -> None:
    async with ingress() as (house, url):
        for user in ("5f1e0c", "", "a b"):
            headers = HOME | {"X-Remote-User-Id": user}
            assert (await ask(house, "POST", f"{url}/api/casts", headers=headers, json={"text": f"I am {user}."}))[0] == 201
        headers = {"X-Remote-User-Id": "5f1e0c"} | house.headers
        assert (await ask(house, "POST", house.url("/api/casts"), headers=headers, json={"text": "And I?"}))[0] == 201
        jobs = [each.record for each in await house.log.read(JOBS, 0)]
        sources = [job.source for job in jobs if isinstance(job, Job)]
        assert sources == ["ingress:5f1e0c", "http:127.0.0.1", "http:127.0.0.1", "http:127.0.0.1"]


@pytest.mark.parametrize("path", ["/api/casts", "/health", "/ready", "/metrics", "/audio/x.y.mp3", "/nothing"])
async def test_whoever_is_not_the_proxy_gets_nothing(path: str) -> None:
    async with ingress(PROXY) as (house, url):
        for headers in (HOME, HOME | house.headers):
            status, answer = await ask(house, "GET", url + path, headers=headers)
            assert (status, answer["error"]["code"]) == (403, "not_by_ingress")


@pytest.mark.parametrize("given", [None, "", "api", "//evil.example.org", "/a b", "https://evil.example.org/", "/" + "a" * 300])
async def test_without_the_header_that_the_proxy_sets_there_is_nothing_either(given: str | None) -> None:
    headers = {key: value for key, value in HOME.items() if key != "X-Ingress-Path"}
    if given is not None:
        headers["X-Ingress-Path"] = given
    async with ingress() as (house, url):
        status, answer = await ask(house, "GET", f"{url}/api/casts", headers=headers)
        assert (status, answer["error"]["code"]) == (403, "not_by_ingress")


async def test_the_header_opens_nothing_at_the_other_port() -> None:
    async with ingress() as (house, _):
        headers = {"X-Ingress-Path": PATH}
        status, answer = await ask(house, "GET", house.url("/api/casts"), headers=headers)
        assert (status, answer["error"]["code"]) == (401, "invalid_api_key")
        _, cast = await ask(house, "POST", house.url("/api/casts"), headers=headers | house.headers, json={"text": "Hello."})
        assert cast["events"].startswith(house.url("/api/casts/"))


@pytest.mark.parametrize(
    ("origin", "status"), [("https://house.example.org", 415), ("https://evil.example.org", 403), ("null", 403)]
)
async def test_a_page_of_another_server_can_do_nothing_there(origin: str, status: int) -> None:
    headers = HOME | {"Origin": origin, "Content-Type": "text/plain"}
    async with ingress() as (house, url):
        answered, _ = await ask(house, "POST", f"{url}/api/casts", headers=headers, data='{"text": "Hello."}')
        assert answered == status


async def test_the_port_closes_with_the_door() -> None:
    async with ingress() as (house, url):
        await house.server.stop(0)
        with pytest.raises(aiohttp.ClientConnectionError):
            await ask(house, "GET", f"{url}/health")


async def test_a_port_that_is_taken_is_one_sentence() -> None:
    async with open_http_house() as house:
        with pytest.raises(DoorError, match=r"ingress: can't listen on 127\.0\.0\.1 port"):
            await house.server.open_ingress(house.port, host="127.0.0.1")
