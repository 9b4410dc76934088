"""The engine alone, without a server: what a first piece costs at least."""

from __future__ import annotations

from wyoming_kokoro.model.recipe import Profile, Recipe, TextFormat
from wyoming_kokoro.ports import Engine
from wyoming_kokoro.text.pipeline import TEXT_VERSION, TextPipeline


async def first_piece_seconds(engine: Engine, text: str, profile: Profile = Profile.LATENCY) -> float:
    """Seconds that the engine alone takes for the first piece of an English text."""
    sentences = TextPipeline().cut(text, language="en-US", profile=profile, text_format=TextFormat.PLAIN)
    recipe = Recipe(
        text=text,
        sentences=sentences,
        voice="af_heart",
        speed=1.0,
        language="en-US",
        profile=profile,
        model=engine.fingerprint,
        text_version=TEXT_VERSION,
    )
    return (await engine.synthesize(recipe.utterance(sentences[0]))).gen_seconds
