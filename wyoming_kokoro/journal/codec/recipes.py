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
        "sentences": [
            {
                "closes": sentence.closes.value,
                "opens": sentence.opens.value,
                "spoken": sentence.spoken,
                "text": sentence.text,
            }
            for sentence in recipe.sentences
        ],
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
        sentences=tuple(_sentence_from(sentence) for sentence in fields.sections("sentences")),
        voice=fields.text("voice"),
        speed=fields.real("speed"),
        language=fields.text("language"),
        profile=Profile(fields.text("profile")),
        model=fields.text("model"),
        text_version=fields.number("text_version"),
        provenance=fields.flag("provenance"),
        version=fields.number("version"),
    )


def _sentence_from(fields: BodyFields) -> Sentence:
    return Sentence(fields.text("text"), fields.text("spoken"), Boundary(fields.text("opens")), Boundary(fields.text("closes")))
