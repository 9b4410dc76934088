"""The household's words by HTTP."""

from __future__ import annotations

import pytest

from tests.http_house import open_http_house


async def test_a_word_is_heard_at_once_and_forgotten_at_once() -> None:
    async with open_http_house() as site:
        before = (await site.submit("Kai is home."))["id"]
        other = (await site.submit("Nobody is home."))["id"]
        status, kept = await site.answer("PUT", "/api/lexicon", json={"word": "Kai", "ipa": "kaɪ", "language": "en"})
        assert (status, kept["ipa"], kept["match_case"]) == (200, "kaɪ", False)
        assert await site.answer("GET", "/api/lexicon") == (200, {"words": [kept]})
        changed = (await site.submit("Kai is home."))["id"]
        assert changed != before
        assert (await site.submit("Nobody is home."))["id"] == other
        async with site.ask("DELETE", "/api/lexicon", params={"word": "kai", "language": "en"}) as response:
            assert response.status == 204
        assert (await site.submit("Kai is home."))["id"] == before
        status, refusal = await site.answer("DELETE", "/api/lexicon", params={"word": "kai"})
        assert (status, refusal["error"]["code"]) == (404, "word_not_found")


async def test_all_words_are_replaced_together_or_not_at_all() -> None:
    async with open_http_house() as site:
        words = [{"word": "a", "say": "b"}, {"word": "c", "say": "d"}]
        status, kept = await site.answer("PUT", "/api/lexicon", json={"words": words})
        assert (status, [word["say"] for word in kept["words"]]) == (200, ["b", "d"])
        status, _ = await site.answer(
            "PUT", "/api/lexicon", json={"words": [{"word": "x", "say": "y"}, {"word": "z", "ipa": "5"}]}
        )
        assert status == 400
        assert [word["word"] for word in (await site.answer("GET", "/api/lexicon"))[1]["words"]] == ["a", "c"]


REFUSED = [
    ({"word": "x"}, "say"),
    ({"say": "x"}, "word"),
    ({"word": "x", "ipa": "k5"}, "ipa"),
    ({"word": "x", "say": "y", "tone": 1}, "tone"),
    ({"word": "x", "say": 5}, "say"),
    ({"word": "x", "say": "y", "priority": True}, "priority"),
    ({"words": {}}, "words"),
    ({"words": [], "word": "x"}, "word"),
    ({"words": ["x"]}, "words"),
]


@pytest.mark.parametrize(("body", "field"), REFUSED)
async def test_what_is_wrong_is_named(body: object, field: str) -> None:
    async with open_http_house() as site:
        status, refusal = await site.answer("PUT", "/api/lexicon", json=body)
        assert (status, refusal["error"]["param"]) == (400, field)
