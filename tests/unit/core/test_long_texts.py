"""A long text that comes whole: cut as any other, and nobody waits for it."""

import asyncio

import pytest

from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import NothingToSpeakError, RefusedError
from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.settings import WorkSettings
from wyoming_kokoro.text.pipeline import TextPipeline

TEXTS = {
    "plain": "The washing machine is done, and it costs $4,318.50 to repair. " * 80,
    "unpunctuated": "and then we went on walking for another hour or so " * 80,
    "paragraphs": 'Dr. Smith lives at 5 Main St. and\n\nHe said: "Hi!" (really).\n' * 60,
    "markdown": "# Dinner\n\nIt is *ready*, [come](http://example.com) down.\n\n- soup\n- bread\n\n" * 40,
}


def recipes() -> Recipes:
    return Recipes(KokoroVoices("af_heart"), TextPipeline(), WorkSettings(), model=lambda: "m", speed=1.0)


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("name", TEXTS)
async def test_a_text_is_the_same_cast_however_it_was_cut(name: str, profile: Profile) -> None:
    text_format = TextFormat.MARKDOWN if name == "markdown" else TextFormat.PLAIN
    request = CastRequest(text=TEXTS[name], source="test", profile=profile, text_format=text_format)
    assert await recipes().whole_in_slices(request) == recipes().whole(request)


async def test_others_have_their_turn_while_a_long_text_is_cut() -> None:
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    others = asyncio.create_task(take_turns())
    request = CastRequest(text=TEXTS["plain"], source="test")
    await recipes().whole_in_slices(request)
    others.cancel()
    assert turns >= len(request.text) // 1000


@pytest.mark.parametrize(("text", "error"), [("\N{GRINNING FACE}" * 2000, NothingToSpeakError), ("a " * 60_000, RefusedError)])
async def test_a_long_text_is_refused_like_a_short_one(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        await recipes().whole_in_slices(CastRequest(text=text, source="test"))
