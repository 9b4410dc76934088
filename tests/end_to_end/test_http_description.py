"""Schemathesis makes requests out of the description: none is a fault of ours, and every answer is one that is described."""

import asyncio
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from tests.http_house import HttpHouse, open_http_house

CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance]
MODES = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
EXAMPLES = 12
"""For each operation and each way of making its requests."""


async def test_no_request_that_the_description_leads_to_is_a_fault_of_ours() -> None:
    async with open_http_house() as house:
        cast = await house.finished("All is well. Nothing is wrong.")
        async with house.ask("GET", "/api/openapi.json") as response:
            schema = schemathesis.openapi.from_dict(await response.json())
        await asyncio.to_thread(_ask_all, schema, house, cast)
        assert (await house.answer("GET", "/ready"))[0] == 200


def _ask_all(schema: schemathesis.BaseSchema, house: HttpHouse, cast: dict[str, Any]) -> None:
    for result in schema.get_all_operations():
        operation = result.ok()
        can_be_wrong = {"parameters", "requestBody"}.intersection(operation.definition.raw)
        for mode in MODES if can_be_wrong else MODES[:1]:
            _ask(operation.as_strategy(generation_mode=mode), house, cast)


def _ask(cases: st.SearchStrategy[schemathesis.Case], house: HttpHouse, cast: dict[str, Any]) -> None:
    url, key = house.url(""), cast["audio"]["mp3"].split(".")[-2]

    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
        derandomize=True,
        database=None,
    )
    @given(case=cases, is_known=st.booleans())
    def ask(case: schemathesis.Case, is_known: bool) -> None:
        if is_known and "id" in case.path_parameters and case.method != "DELETE":
            case.path_parameters["id"] = cast["id"]
            if "key" in case.path_parameters:
                case.path_parameters["key"], case.query = key, {}
        case.call_and_validate(base_url=url, headers=house.headers, checks=CHECKS, timeout=20)

    ask()
