"""Describe -> Info: which voices there are, in the words of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming.info import Attribution, Info, TtsProgram, TtsVoice

from wyoming_kokoro import __version__
from wyoming_kokoro.frontends.wyoming.wire import encode_event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wyoming_kokoro.model.voice import Voice
    from wyoming_kokoro.ports import Voices

PROGRAM = "kokoro"
"""Home Assistant makes the entity's id of it: it must never change."""

_ATTRIBUTION = Attribution(name="hexgrad", url="https://huggingface.co/hexgrad/Kokoro-82M")


class InfoPage:
    """The answer to `describe`: made again only when the voices have changed, so that equal voices give equal bytes."""

    def __init__(self, voices: Voices, *, streaming: bool) -> None:
        self._voices = voices
        self._streaming = streaming
        self._written_of: tuple[Voice, ...] | None = None
        self._bytes = b""

    def encoded(self) -> bytes:
        """The `info` event."""
        voices = tuple(self._voices.all())
        if voices != self._written_of:
            self._bytes = encode_event(info(voices, streaming=self._streaming).event())
            self._written_of = voices
        return self._bytes


def info(voices: Sequence[Voice], *, streaming: bool) -> Info:
    """One program with every voice, and every other name of a voice as a voice of its own.

    Clients offer what is listed, by its description: no two descriptions are equal.
    """
    program = TtsProgram(
        name=PROGRAM,
        attribution=_ATTRIBUTION,
        installed=True,
        description="Kokoro",
        version=__version__,
        voices=list(_entries(voices)),
        supports_synthesize_streaming=streaming,
    )
    return Info(tts=[program])


def _entries(voices: Sequence[Voice]) -> Iterator[TtsVoice]:
    names = {voice.name for voice in voices}
    labels: set[str] = set()
    for voice in voices:
        label = voice.description or voice.name
        if label in labels:
            label = f"{label} ({voice.name})"
        labels.add(label)
        yield _entry(voice, voice.name, label)
        for alias in voice.aliases:
            if alias not in names:
                names.add(alias)
                yield _entry(voice, alias, f"{label}, as {alias}")


def _entry(voice: Voice, name: str, label: str) -> TtsVoice:
    return TtsVoice(
        name=name,
        attribution=_ATTRIBUTION,
        installed=voice.installed,
        description=label,
        version=None,
        languages=[voice.language],
    )
