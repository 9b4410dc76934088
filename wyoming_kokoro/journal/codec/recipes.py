"""A recipe as a part of JSON bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.model.recipe import Boundary, Profile, Recipe, Sentence

if TYPE_CHECKING:
    from wyoming_kokoro.journal.codec.fields import BodyFields


def recipe_document(recipe: Recipe) -> dict[str, object]:
    """All of a recipe."""
    return {
        "language": recipe.language,
        "model": recipe.model,
        "profile": recipe.profile.value,
        "provenance": recipe.provenance,
        "sentences": [{**sentence_document(sentence), "text": sentence.text} for sentence in recipe.sentences],
        "speed": recipe.speed,
        "text": recipe.text,
        "text_version": recipe.text_version,
        "version": recipe.version,
        "voice": recipe.voice,
    }


def recipe_from(fields: BodyFields) -> Recipe:
    """The recipe that `recipe_document` wrote; a ValueError where it is none."""
    return Recipe(
        text=fields.text("text"),
        sentences=tuple(sentence_from(sentence, sentence.text("text")) for sentence in fields.sections("sentences")),
        voice=fields.text("voice"),
        speed=fields.real("speed"),
        language=fields.text("language"),
        profile=Profile(fields.text("profile")),
        model=fields.text("model"),
        text_version=fields.number("text_version"),
        provenance=fields.flag("provenance"),
        version=fields.number("version"),
    )


def sentence_document(sentence: Sentence) -> dict[str, object]:
    """All of a sentence but its original text."""
    return {
        "closes": sentence.closes.value,
        "opens": sentence.opens.value,
        "spoken": sentence.spoken,
        **sentence.manner,
    }


def sentence_from(fields: BodyFields, text: str) -> Sentence:
    """The sentence of `sentence_document`, and its original text."""
    return Sentence(
        text,
        fields.text("spoken"),
        Boundary(fields.text("opens")),
        Boundary(fields.text("closes")),
        pause_ms=fields.optional_number("pause_ms") or 0,
        voice=fields.optional_text("voice"),
        language=fields.optional_text("language"),
        rate=fields.optional_real("rate") or 1.0,
    )
