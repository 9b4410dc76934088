"""The routes of the lexicon in the OpenAPI description, and the shape of a word."""

from __future__ import annotations

from wyoming_kokoro.core.lexicon_entry import LONGEST_READING, LONGEST_WORD, PRIORITIES
from wyoming_kokoro.frontends.http.openapi_parts import JSON, errors, json_of, query
from wyoming_kokoro.frontends.http.openapi_schemas import TEXT, Schema, object_of, reference

_LANGUAGE: Schema = {"type": ["string", "null"], "description": "BCP-47 tag, or its first part; null for all languages."}


def lexicon_paths() -> dict[str, Schema]:
    """By path and method."""
    refusals = (400, 401, 403, 413, 415, 503)
    either = {"anyOf": [reference("WordRequest"), reference("WordsRequest")]}
    answer = {"anyOf": [reference("Word"), reference("Lexicon")]}
    return {
        "/api/lexicon": {
            "get": {
                "summary": "The household's words",
                "responses": {"200": json_of("All of them.", "Lexicon"), **errors(401, 403, 503)},
            },
            "put": {
                "summary": "Keep a word, or with `words` these and no others; heard at once",
                "requestBody": {"required": True, "content": {JSON: {"schema": either}}},
                "responses": {
                    "200": {"description": "As it is kept.", "content": {JSON: {"schema": answer}}},
                    **errors(*refusals),
                },
            },
            "delete": {
                "summary": "Forget a word",
                "parameters": [
                    {**query("word", TEXT), "required": True},
                    query("language", TEXT, "That of the entry; without it, the one for all languages."),
                ],
                "responses": {"204": {"description": "Done."}, **errors(400, 401, 403, 404, 503)},
            },
        }
    }


def lexicon_schemas() -> dict[str, Schema]:
    """By name."""
    words: Schema = {"type": "array", "items": reference("Word")}
    asked: Schema = {
        "type": "object",
        "properties": _word(),
        "required": ["word"],
        "additionalProperties": False,
        "description": "Either `say`, a text, or `ipa`, phonemes.",
    }
    return {
        "WordRequest": asked,
        "WordsRequest": {
            "type": "object",
            "properties": {"words": {"type": "array", "items": reference("WordRequest")}},
            "required": ["words"],
            "additionalProperties": False,
        },
        "Word": object_of(_word()),
        "Lexicon": object_of({"words": words}),
    }


def _word() -> dict[str, Schema]:
    return {
        "word": {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD},
        "say": {"type": "string", "maxLength": LONGEST_READING},
        "ipa": {"type": "string", "maxLength": LONGEST_READING},
        "language": _LANGUAGE,
        "match_case": {"type": "boolean"},
        "priority": {"type": "integer", "minimum": PRIORITIES[0], "maximum": PRIORITIES[-1]},
    }
