"""What names of voices and languages mean here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import LanguageNotInstalledError, RefusedError

if TYPE_CHECKING:
    from wyoming_kokoro.ports import Voices


def language_of(voices: Voices, asked: str) -> str:
    """The language that a tag means: as it is, in other letters (`en_us`), or by its first part (`en`, `fr-CA`).

    Raises `RefusedError` for one that is not spoken here, and `LanguageNotInstalledError`.
    """
    spoken = {voice.language: voice for voice in reversed(voices.all())}
    tag = asked.replace("_", "-").casefold()
    exact = (known for known in spoken if known.casefold() == tag)
    near = (known for known in reversed(spoken) if known.partition("-")[0] == tag.partition("-")[0])
    found = next(exact, None) or next(near, None)
    if found is None:
        installed = sorted(known for known, voice in spoken.items() if voice.installed)
        raise RefusedError("language", f"{asked!r} is not spoken here; these are: {', '.join(installed)}")
    if not spoken[found].installed and (extra := spoken[found].extra) is not None:
        raise LanguageNotInstalledError(found, extra)
    return found


def gain_of(voices: Voices, name: str) -> float:
    """Decibels that bring a voice to the loudness of all others; none for one that is not known any more."""
    try:
        return voices.resolve(name).gain_db
    except RefusedError:
        return 0.0


def voice_of(voices: Voices, name: str) -> tuple[str, str]:
    """The canonical name and the language of a voice. Raises `RefusedError` of some kind."""
    voice = voices.resolve(name)
    if not voice.installed and voice.extra is not None:
        raise LanguageNotInstalledError(voice.language, voice.extra)
    return voice.name, voice.language


def languages_of(voices: Voices) -> tuple[str, ...]:
    """The tags of all languages that there are voices for."""
    return tuple(dict.fromkeys(voice.language for voice in voices.all()))
