"""What a Wyoming event asks for, as a `CastRequest`; a wrong field is refused by name. Pure."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.json_fields import UNSPEAKABLE, read_name, read_priority, read_speed, read_word
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.recipe import Profile, TextFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.ports import Voices

_LOGGER = logging.getLogger(__name__)

_TEXT_FORMATS = {
    "text": TextFormat.PLAIN,
    "plain": TextFormat.PLAIN,
    "ssml": TextFormat.SSML,
    "markdown": TextFormat.MARKDOWN,
}

_HALF = re.compile("[\ud800-\udbff]")


def read_request(data: Mapping[str, object], source: str) -> CastRequest:
    """The request in the data of `synthesize` or `synthesize-start`, without its text. Raises `RefusedError`.

    Fields that are missing or null are as good as not named; unknown ones are passed over.
    """
    voice, language = _voice(data.get("voice"))
    context = data.get("context")
    if context is None:
        context = {}
    if not isinstance(context, dict):
        raise RefusedError("context", "an object is expected")
    return CastRequest(
        source=source,
        voice=voice,
        language=language,
        text_format=_text_format(data.get("text_format")),
        speed=read_speed(context.get("speed"), "context.speed"),
        profile=read_word("context.profile", context.get("profile"), Profile.LATENCY),
        priority=read_priority(context.get("priority"), "context.priority"),
        room=read_name("context.room", context.get("room")),
        any_voice=True,
    )


def with_voice(request: CastRequest, voices: Voices) -> CastRequest:
    """The request with a voice where it names a language alone: the default voice if that fits, else the first that does.

    A language that nobody speaks is left out, like a voice that is not there: a house must be heard.
    """
    if request.voice is not None or request.language is None:
        return request
    wanted = _tag(request.language)
    offered = [voice for voice in (voices.default, *voices.all()) if voice.installed]
    same = [voice for voice in offered if _tag(voice.language) == wanted]
    near = [voice for voice in offered if _tag(voice.language).split("-")[0] == wanted.split("-")[0]]
    chosen = next(iter([*same, *near]), None)
    if chosen is None:
        _LOGGER.warning("%s: no voice speaks %r; the default voice does", request.source, request.language)
        return replace(request, language=None)
    return replace(request, voice=chosen.name, language=None)


def read_text(data: Mapping[str, object]) -> str:
    """The text of `synthesize` or `synthesize-chunk`; missing or null text is empty. Raises `RefusedError`."""
    text = data.get("text")
    if text is None:
        return ""
    if not isinstance(text, str):
        raise RefusedError("text", "a string is expected")
    return text


def _tag(language: str) -> str:
    return language.replace("_", "-").casefold()


class TextMender:
    """Makes text of what clients send: no NUL, no half characters, but whole ones where the halves came in two pieces."""

    def __init__(self) -> None:
        self._half = ""

    def mend(self, piece: str) -> str:
        """The text that is certain with this piece."""
        text = self._half + piece
        self._half = text[-1] if text and _HALF.match(text[-1]) else ""
        whole = text[: len(text) - len(self._half)]
        if not UNSPEAKABLE.search(whole):
            return whole
        joined = whole.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
        return UNSPEAKABLE.sub("", joined)


def _voice(value: object) -> tuple[str | None, str | None]:
    """Name and language; the name says more."""
    if not isinstance(value, dict):
        return read_name("voice", value), None
    name = read_name("voice.name", value.get("name"))
    language = read_name("voice.language", value.get("language"))
    return name, None if name else language


def _text_format(value: object) -> TextFormat:
    if value is None:
        return TextFormat.PLAIN
    text_format = _TEXT_FORMATS.get(value) if isinstance(value, str) else None
    if text_format is None:
        raise RefusedError("text_format", "one of text, ssml, markdown is expected")
    return text_format
