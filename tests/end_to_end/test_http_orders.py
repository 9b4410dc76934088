"""What casts are told by HTTP: cancelled, kept, let go, and asked for again when they were given up."""

import pytest

from tests.http_house import HttpHouse, ShyEngine, open_http_house
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.model.ids import JOBS, CastId
from wyoming_kokoro.model.records import Cancel

TEXT = "Dinner is ready. Come down, please."
UNSPEAKABLE = "This is unspeakable."
UNKNOWN = "aaaaaaaaaaaaaaaa"
ORDERS = [("POST", "cancel"), ("PUT", "keep"), ("DELETE", "keep"), ("POST", "requeue")]


async def order(house: HttpHouse, method: str, cast_id: str, name: str, **headers: str) -> tuple[int, bytes]:
    """Status and body of the answer to an order."""
    async with house.ask(method, f"/api/casts/{cast_id}/{name}", headers=headers) as response:
        return response.status, await response.read()


async def state(house: HttpHouse, cast_id: str) -> tuple[str, str | None]:
    """How a cast stands, and why."""
    _, cast = await house.answer("GET", f"/api/casts/{cast_id}")
    return cast["state"], cast["reason"]


async def cancels(house: HttpHouse) -> list[str]:
    """The casts that somebody had cancelled."""
    return [each.record.cast_id for each in await house.log.read(JOBS, 0) if isinstance(each.record, Cancel)]


async def test_a_cast_that_is_being_made_is_cut_when_it_is_cancelled() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        watching = house.events(cast["events"])
        seen = [(await anext(watching)).name]
        assert await order(house, "POST", cast["id"], "cancel") == (204, b"")
        seen += [event.name async for event in watching]
        assert "audio" not in seen
        assert (await state(house, cast["id"]))[0] == "failed"
        house.engine.release()
        assert (await house.finished(TEXT))["state"] == "done"


async def test_a_cast_that_is_whole_stays_so_when_it_is_cancelled() -> None:
    async with open_http_house() as house:
        cast = await house.finished(TEXT)
        assert (await order(house, "POST", cast["id"], "cancel"))[0] == 204
        assert await state(house, cast["id"]) == ("done", None)
        assert await cancels(house) == [cast["id"]]


async def test_a_cast_is_kept_until_it_is_let_go() -> None:
    async with open_http_house() as house:
        cast_id = (await house.finished(TEXT))["id"]
        for method, is_kept in (("PUT", True), ("PUT", True), ("DELETE", False), ("DELETE", False)):
            assert await order(house, method, cast_id, "keep") == (204, b"")
            assert (await house.answer("GET", f"/api/casts/{cast_id}"))[1]["keep"] == is_kept


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_what_has_expired_can_not_be_kept(method: str) -> None:
    async with open_http_house() as house:
        cast_id = (await house.finished(TEXT))["id"]
        await house.house.casts.delete(CastId(cast_id))
        status, document = await house.answer(method, f"/api/casts/{cast_id}/keep")
        assert (status, document["error"]["code"]) == (410, "cast_expired")


async def test_a_cast_that_was_given_up_is_listed_until_it_is_asked_for_again() -> None:
    engine = ShyEngine(SystemClock())
    async with open_http_house(engine=engine) as house:
        assert await house.answer("GET", "/api/casts/dead") == (200, {"casts": []})
        cast = await house.finished(UNSPEAKABLE, voice="bf_emma")
        assert cast["state"] == "failed"
        status, document = await house.answer("GET", "/api/casts/dead")
        (letter,) = document["casts"]
        assert (status, letter.pop("reason")) == (200, cast["reason"])
        assert letter == {"id": cast["id"], "kind": "speak", "voice": "bf_emma", "jobs": [0]}
        engine.dare()
        assert await order(house, "POST", cast["id"], "requeue") == (204, b"")
        assert await house.answer("GET", "/api/casts/dead") == (200, {"casts": []})
        assert [event.name async for event in house.events(cast["events"])][-1] == "eos"
        assert await state(house, cast["id"]) == ("done", None)
        status, document = await house.answer("POST", f"/api/casts/{cast['id']}/requeue")
        assert (status, document["error"]["code"]) == (404, "cast_not_found")


@pytest.mark.parametrize(("method", "name"), ORDERS)
@pytest.mark.parametrize("cast_id", [UNKNOWN, "dead", "AAAAAAAAAAAAAAAA"])
async def test_a_cast_that_is_not_there_can_be_told_nothing(method: str, name: str, cast_id: str) -> None:
    async with open_http_house() as house:
        status, document = await house.answer(method, f"/api/casts/{cast_id}/{name}")
        assert (status, document["error"]["code"]) == (404, "cast_not_found")
        assert await house.log.check_tail(JOBS) == 0


async def test_orders_want_the_token_and_a_host_that_is_known() -> None:
    async with open_http_house() as house:
        cast_id = (await house.finished(TEXT))["id"]
        for method, path in [*((method, f"{cast_id}/{name}") for method, name in ORDERS), ("GET", "dead")]:
            async with house.client.request(method, house.url(f"/api/casts/{path}")) as response:
                assert (response.status, (await response.json())["error"]["code"]) == (401, "invalid_api_key")
            status, document = await house.answer(method, f"/api/casts/{path}", headers={"Host": "evil.example"})
            assert (status, document["error"]["code"]) == (403, "unknown_host")
        assert await cancels(house) == []


async def test_a_foreign_page_can_tell_a_cast_nothing_even_where_no_token_is_wanted() -> None:
    async with open_http_house(api_token="none", base_url="https://kokoro.example") as house:
        cast_id = (await house.submit(TEXT))["id"]
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
            for kind in ("text/plain", "application/x-www-form-urlencoded"):
                headers = {"Origin": origin, "Content-Type": kind}
                status, document = await house.answer("POST", f"/api/casts/{cast_id}/cancel", headers=headers)
                assert (status, document["error"]["code"], document["error"]["param"]) == (403, "foreign_page", "Origin")
        assert await cancels(house) == []
        for origin in (f"http://127.0.0.1:{house.port}", "https://kokoro.example"):
            assert (await order(house, "POST", cast_id, "cancel", Origin=origin))[0] == 204


async def test_a_wrong_method_is_told_the_right_one() -> None:
    async with open_http_house() as house:
        async with house.ask("GET", f"/api/casts/{UNKNOWN}/keep") as response:
            assert (response.status, response.headers["Allow"]) == (405, "DELETE,PUT")
        assert (await house.answer("POST", "/api/casts/dead"))[0] == 405
