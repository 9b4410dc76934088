"""A recipe is all that determines the audio of a cast; the cast is addressed by its hash."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from wyoming_kokoro.model.ids import cast_id_from_digest

if TYPE_CHECKING:
    from wyoming_kokoro.model.ids import CastId

RECIPE_VERSION = 1


class Profile(StrEnum):
    """How a text is cut into sentences."""

    LATENCY = "latency"
    """The first piece is the first clause, then sentences."""
    BALANCED = "balanced"
    """Whole sentences."""
    QUALITY = "quality"
    """Short sentences grouped towards 50-150 phonemes."""


class TextFormat(StrEnum):
    """How the text of a request is marked up."""

    PLAIN = "plain"
    SSML = "ssml"
    MARKDOWN = "markdown"


class Boundary(StrEnum):
    """What stands at one edge of a sentence: it decides how much silence is left there."""

    START = "start"
    """The cast begins here."""
    CLAUSE = "clause"
    """The text goes on in mid-sentence: the pause is cut to that of a comma."""
    SENTENCE = "sentence"
    """A sentence ends or begins: the model's own pause stays."""
    PAUSE = "pause"
    """A pause of a length that the text asks for: next to nothing is left of the model's own."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The unit of synthesis: one piece of the original text and what will be said for it."""

    text: str
    """The original characters, white space included: joined, all sentences give the text of the request."""
    spoken: str
    """What the engine gets: after markup, normalisation and lexicon."""
    opens: Boundary = Boundary.SENTENCE
    closes: Boundary = Boundary.SENTENCE
    pause_ms: int = 0
    """Silence from its last sound to the first of the next one, where it closes with PAUSE."""
    voice: str | None = None
    """Canonical name, where another voice than the recipe's speaks it."""
    language: str | None = None
    """BCP-47 tag, where that is another than the recipe's."""
    rate: float = 1.0
    """Pace beside that of the recipe: a factor."""

    @property
    def manner(self) -> dict[str, object]:
        """What of pause, voice, language and rate is not as in any plain sentence."""
        told = {"pause_ms": self.pause_ms, "voice": self.voice, "language": self.language, "rate": self.rate}
        return {name: value for name, value in told.items() if value != _PLAIN_MANNER[name]}


_PLAIN_MANNER: dict[str, object] = {"pause_ms": 0, "voice": None, "language": None, "rate": 1.0}
SLOWEST, FASTEST = 0.5, 2.0
"""The paces that can be spoken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What an engine is asked to speak: one sentence with all that its sound depends on."""

    spoken: str
    voice: str
    """Canonical name of a voice or blend."""
    speed: float
    language: str
    """BCP-47 tag, such as en-US."""
    opens: Boundary
    closes: Boundary
    model: str
    """Fingerprint of the model that is meant to speak it."""
    provenance: bool = False
    pause_ms: int = 0
    """Silence that is wanted behind it; the engine leaves that to whoever stores its sound."""

    @property
    def key(self) -> str:
        """Equal for equal sound: names a sentence for reuse, and seeds an engine that needs noise."""
        return _digest(
            [self.spoken, self.voice, _hundredths(self.speed), self.language, self.opens, self.closes, self.model,
             self.provenance, *([self.pause_ms] if self.pause_ms else [])]
        ).hex()  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that determines the audio of a cast. A live cast's recipe has neither text nor sentences yet."""

    text: str
    """In Unicode's NFC, outer white space removed."""
    sentences: tuple[Sentence, ...]
    voice: str
    speed: float
    """1.0 is the voice's own pace; rounded to 0.01."""
    language: str
    profile: Profile
    model: str
    """Fingerprint: SHA-256 of the weights, engine, precision."""
    text_version: int
    """Version of the text pipeline that made the sentences."""
    provenance: bool = False
    version: int = RECIPE_VERSION

    @property
    def cast_id(self) -> CastId:
        """The content address of the cast that this recipe makes."""
        return cast_id_from_digest(
            _digest(
                {
                    "language": self.language,
                    "model": self.model,
                    "profile": self.profile,
                    "provenance": self.provenance,
                    "speed": _hundredths(self.speed),
                    "spoken": [
                        [sentence.spoken, sentence.manner] if sentence.manner else sentence.spoken
                        for sentence in self.sentences
                    ],
                    "text": self.text,
                    "text_version": self.text_version,
                    "version": self.version,
                    "voice": self.voice,
                }
            )
        )

    def utterance(self, sentence: Sentence) -> Utterance:
        """The given sentence as this recipe has it spoken."""
        return Utterance(
            spoken=sentence.spoken,
            voice=sentence.voice or self.voice,
            speed=round(min(FASTEST, max(SLOWEST, self.speed * sentence.rate)), 2),
            language=sentence.language or self.language,
            opens=sentence.opens,
            closes=sentence.closes,
            model=self.model,
            provenance=self.provenance,
            pause_ms=sentence.pause_ms,
        )


def _hundredths(speed: float) -> int:
    return round(100 * speed)


def _digest(value: object) -> bytes:
    """SHA-256 of the canonical JSON: sorted keys, no white space, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
