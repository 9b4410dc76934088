"""Which voices there are and what they are called. Needs no model: names and languages alone."""

from __future__ import annotations

import difflib
import importlib.util
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.blend import Blend, parse_blend
from wyoming_kokoro.engine.voice_loudness import gain_of
from wyoming_kokoro.engine.voice_table import (
    OPENAI_VOICES,
    SEXES,
    VOICE_NAMES,
    Language,
    language_of,
    short_names,
)
from wyoming_kokoro.model.errors import RefusedError, UnknownVoiceError
from wyoming_kokoro.model.voice import Voice

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from wyoming_kokoro.settings import EngineSettings


class KokoroVoices:
    """Kokoro's voices, their aliases and blends. Implements `ports.Voices`. Names are read without regard to case."""

    def __init__(self, default: str = "af_heart", *, is_levelled: bool = False) -> None:
        """`default` is any name that `resolve` knows; it raises what `resolve` does.

        Where it `is_levelled` the voices carry the gain that makes them equally loud; an engine that hums needs none.
        """
        self._is_levelled = is_levelled
        self._default = self.resolve(default)

    @classmethod
    def of(cls, settings: EngineSettings) -> KokoroVoices:
        """Those of the engine that the settings ask for."""
        return cls(settings.voice, is_levelled=settings.engine != "tone")

    @property
    def default(self) -> Voice:
        """Who speaks when nobody is named."""
        return self._default

    def all(self) -> Sequence[Voice]:
        """The 54 voices, by language; before them the default voice where that is a blend."""
        voices = [self.resolve(name) for name in VOICE_NAMES]
        return voices if self._default in voices else [self._default, *voices]

    def resolve(self, name: str) -> Voice:
        """The voice of that name, alias or blend; `UnknownVoiceError` or `RefusedError` where there is none."""
        blend = blend_of(name)
        voice = _mixture(blend)
        return replace(voice, gain_db=gain_of(blend)) if self._is_levelled else voice


@lru_cache(maxsize=1024)
def blend_of(name: str) -> Blend:
    """The voices that a name, alias or blend consists of; raises what `KokoroVoices.resolve` does."""
    wanted = name.strip()
    if "+" not in wanted and "(" not in wanted:
        return Blend(((_canonical(wanted, shown=name), 1),))
    try:
        parts = parse_blend(wanted)
    except ValueError as error:
        raise RefusedError("voice", str(error)) from None
    weights: dict[str, Fraction] = {}
    for written, weight in parts:
        voice = _canonical(written, shown=written)
        weights[voice] = weights[voice] + weight if voice in weights else weight
    return Blend.of(weights)


def _canonical(name: str, *, shown: str) -> str:
    voice = _names().get(name.casefold())
    if voice is None:
        raise UnknownVoiceError(shown, _nearest(name.casefold()))
    return voice


@cache
def _names() -> dict[str, str]:
    """Every single name that means a voice."""
    return {**short_names(), **OPENAI_VOICES, **{voice: voice for voice in VOICE_NAMES}}


def _nearest(name: str) -> tuple[str, ...]:
    """Up to three voices with a similar name, nearest first; canonical names, so that they can be used as they stand."""
    same_ending = [voice for voice in VOICE_NAMES if voice[3:] == name]
    similar = [_names()[found] for found in difflib.get_close_matches(name, _names(), n=6, cutoff=0.6)]
    return tuple(dict.fromkeys([*same_ending, *similar]))[:3]


@cache
def _single(name: str) -> Voice:
    language = language_of(name)
    return Voice(
        name=name,
        language=language.tag,
        description=f"{name[3:].capitalize()}, {language.title}, {SEXES[name[1]]}",
        aliases=tuple(sorted(alias for alias, voice in _names().items() if voice == name != alias)),
        installed=is_installed(language),
        extra=language.extra,
    )


def _mixture(blend: Blend) -> Voice:
    if len(blend.parts) == 1:
        return _single(blend.leader)
    language = language_of(blend.leader)
    who = " and ".join(name[3:].capitalize() for name, _ in blend.parts)
    return Voice(
        name=blend.name,
        language=language.tag,
        description=f"Blend of {who}, {language.title}",
        installed=is_installed(language),
        extra=language.extra,
    )


@cache
def is_installed(language: Language) -> bool:
    """Whether what turns the language's text into phonemes is there; looks for the modules without importing them."""
    return all(importlib.util.find_spec(module) is not None for module in language.modules)
