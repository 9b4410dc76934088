"""The sentences of a cast as its worker sees them: all at once, or while they arrive."""

from __future__ import annotations

from dataclasses import dataclass, field

from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.model.recipe import Sentence
from wyoming_kokoro.model.records import InputEndReason


@dataclass(slots=True)
class SpokenText:
    """Sentences so far, and whether more will come."""

    sentences: list[Sentence] = field(default_factory=list)
    end: InputEndReason | None = None
    changed: Signal = field(default_factory=Signal)

    @classmethod
    def whole(cls, sentences: tuple[Sentence, ...]) -> SpokenText:
        """A text that is complete."""
        return cls(list(sentences), InputEndReason.WHOLE)

    def sentence(self, index: int) -> Sentence | None:
        """That sentence, if it has arrived."""
        return self.sentences[index] if index < len(self.sentences) else None

    def add(self, sentence: Sentence) -> None:
        """One more has arrived."""
        self.sentences.append(sentence)
        self.changed.notify()

    def finish(self, reason: InputEndReason) -> None:
        """No more will come; the first reason stays."""
        if self.end is None:
            self.end = reason
            self.changed.notify()
