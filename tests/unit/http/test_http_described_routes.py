"""The OpenAPI description and the routes are the same thing."""

import asyncio
import inspect
import json
from typing import Any, cast

from wyoming_kokoro.core.audio_links import AudioLinks
from wyoming_kokoro.frontends.http.limits import Limits
from wyoming_kokoro.frontends.http.openapi import description
from wyoming_kokoro.frontends.http.request import FIELDS
from wyoming_kokoro.frontends.http.routes import OPEN_ROUTES, routes


def served() -> set[tuple[str, str]]:
    """Method and path of every route."""
    anything = cast(Any, object())
    found = set()
    for route in routes(anything, AudioLinks("secret"), anything, Limits(), None, asyncio.Event()):
        found.add((route.method.lower(), route.path))
        if route.method == "GET" and route.kwargs.get("allow_head", True):
            found.add(("head", route.path))
    return found


def described() -> dict[tuple[str, str], dict[str, Any]]:
    return {(method, path): operation for path, item in description()["paths"].items() for method, operation in item.items()}


async def test_every_route_is_described_and_nothing_else() -> None:
    assert set(described()) == served()


def test_it_says_which_routes_need_no_token() -> None:
    open_paths = {path for (_, path), operation in described().items() if operation.get("security") == []}
    assert open_paths == set(OPEN_ROUTES)


def test_every_parameter_in_a_path_is_described() -> None:
    for (_, path), operation in described().items():
        named = {each["name"] for each in operation.get("parameters", []) if each["in"] == "path"}
        assert named == {part.partition("}")[0] for part in path.split("{")[1:]}


def test_it_names_the_fields_that_are_taken() -> None:
    assert tuple(description()["components"]["schemas"]["CastRequest"]["properties"]) == FIELDS


def test_it_is_json_and_every_reference_leads_somewhere() -> None:
    text = json.dumps(description())
    schemas = description()["components"]["schemas"]
    names = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(schemas)
    assert names == set(schemas), "a schema that nobody uses"


def test_the_handlers_are_coroutines_with_a_contract() -> None:
    anything = cast(Any, object())
    for route in routes(anything, AudioLinks("secret"), anything, Limits(), None, cast(Any, object())):
        assert inspect.iscoroutinefunction(route.handler), route.path
