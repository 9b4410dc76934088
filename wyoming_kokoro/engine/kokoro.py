"""Kokoro-82M: one sentence in, trimmed PCM and word timings out, whatever network computes it. Runs in the engine's process."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from wyoming_kokoro.audio.joins import trim
from wyoming_kokoro.audio.limiter import FULL_SCALE, limited
from wyoming_kokoro.audio.samples import to_pcm
from wyoming_kokoro.engine.g2p import Phonemizer
from wyoming_kokoro.engine.phonemes import MAX_PHONEMES, Phonemes
from wyoming_kokoro.engine.speech_model import Spoken, Stop
from wyoming_kokoro.engine.styles import Styles
from wyoming_kokoro.model.audio import SPEECH, WordTiming
from wyoming_kokoro.model.errors import LanguageNotInstalledError, SynthesisError
from wyoming_kokoro.model.recipe import Boundary, Utterance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from wyoming_kokoro.engine.model_folder import ModelFolder

    Array = NDArray[np.float32]

_LOGGER = logging.getLogger(__name__)

SLOWEST = 0.5
FASTEST = 2.0
_FRAME_SECONDS = 600 / SPEECH.rate
_NOTHING_MS = 200
"""Silence for a text in which nothing can be spoken, so that one odd piece does not cost the rest of its cast."""

TWO_LENGTHS = ("ɹˈɛdi.", "ðə fɹˈʌnt dˈɔɹ ɪz ˈOpᵊn, ænd ðə wˈɑʃɪŋ məʃˈin ɪz dˈʌn.")
"""Phonemes of a word and of a sentence."""

THREE_LENGTHS = (*TWO_LENGTHS, f"{TWO_LENGTHS[1][:-1]}, {TWO_LENGTHS[1]}")
"""And of a long sentence."""


class Feed(NamedTuple):
    """What the model is given."""

    tokens: NDArray[np.int64]
    """[1, n], with the nothing at either end."""
    style: Array
    """[1, 256]."""
    speed: Array
    """[1]."""


class Network(Protocol):
    """The model's arithmetic. Called from several threads at once."""

    def run(self, feed: Feed, stop: Stop) -> tuple[Array, Array]:
        """Samples [frames * 600], and for each token its length in frames.

        Raises `SynthesisError`, and `StoppedError` where it was stopped.
        """
        ...


class Piece(NamedTuple):
    """Phonemes that fit into the model at once, and what stands at their edges."""

    phonemes: Phonemes
    opens: Boundary
    closes: Boundary


class Kokoro:
    """Implements `SpeechModel`. Equal utterances give equal bytes, whatever the number of threads."""

    def __init__(
        self,
        folder: ModelFolder,
        load: Callable[[], Network],
        *,
        voice: str,
        language: str,
        lengths: Sequence[str] = TWO_LENGTHS,
    ) -> None:
        """`folder` holds every file; voice and language are those to get ready for, `lengths` the phonemes to warm up with.

        `load` may take seconds and raise `EngineUnavailableError`; it is called by `warm_up`.
        """
        self._load = load
        self._network: Network | None = None
        self._voice = voice
        self._language = language
        self._lengths = lengths
        self._styles = Styles(folder)
        self._phonemizer = Phonemizer()

    def warm_up(self) -> None:
        """Load the model and speak each of its lengths, while the language's phonemes are got ready beside it."""
        g2p = threading.Thread(target=self._warm_up_g2p, daemon=True)
        g2p.start()
        self._network = self._load()
        for text in self._lengths:
            self._run(Phonemes(text), self._voice, 1.0, Stop())
        g2p.join()

    def prepare(self, utterance: Utterance) -> None:
        """Make the phonemes."""
        self._phonemizer.phonemes(utterance.spoken, utterance.language)

    def speak(self, utterance: Utterance, stop: Stop) -> Spoken:
        """One sentence; a long one in several runs, joined at a clause."""
        if not SLOWEST <= utterance.speed <= FASTEST:
            raise SynthesisError(f"the speed {utterance.speed} is not from {SLOWEST} to {FASTEST}")
        phonemes = self._phonemizer.phonemes(utterance.spoken, utterance.language)
        if not phonemes.is_speakable:
            _LOGGER.warning("a sentence of %d characters has nothing that can be spoken", len(utterance.spoken))
            return Spoken(SPEECH.silence(_NOTHING_MS), ())
        sounds: list[NDArray[np.float32]] = []
        words: list[WordTiming] = []
        for piece in pieces(phonemes, utterance):
            offset = sum(map(len, sounds)) / SPEECH.rate
            samples, durations = self._run(piece.phonemes, utterance.voice, utterance.speed, stop)
            trimmed = trim(samples, piece.opens, piece.closes)
            sounds.append(trimmed.samples)
            words.extend(word_timings(piece.phonemes, durations, offset + trimmed.shift_seconds))
        return Spoken(to_pcm(limited(np.concatenate(sounds), FULL_SCALE)), tuple(words))

    def _warm_up_g2p(self) -> None:
        try:
            self._phonemizer.phonemes("Ready.", self._language)
        except (LanguageNotInstalledError, SynthesisError) as error:
            _LOGGER.warning("%s", error)

    def _run(self, phonemes: Phonemes, voice: str, speed: float, stop: Stop) -> tuple[Array, Array]:
        if self._network is None:
            raise SynthesisError("the model is not loaded yet")
        tokens = phonemes.tokens
        feed = Feed(
            tokens=np.array([[0, *tokens, 0]], np.int64),
            style=self._styles.style(voice, len(tokens)),
            speed=np.array([speed], np.float32),
        )
        return self._network.run(feed, stop)


def pieces(phonemes: Phonemes, utterance: Utterance) -> Iterator[Piece]:
    """The phonemes in pieces that the model takes at that speed; no piece becomes longer than 510 phonemes at speed 1.0."""
    limit = int(MAX_PHONEMES * min(1.0, utterance.speed))
    parts = list(phonemes.split(limit))
    opens = utterance.opens
    for part in parts[:-1]:
        closes = Boundary.SENTENCE if part.text[-1:] in ".!?…" else Boundary.CLAUSE
        yield Piece(part, opens, closes)
        opens = closes
    yield Piece(parts[-1], opens, utterance.closes)


def word_timings(phonemes: Phonemes, durations: NDArray[np.float32], shift_seconds: float) -> Iterator[WordTiming]:
    """Where each word lies; `durations` has one value for each phoneme and one for the nothing at either end."""
    ends = np.cumsum(durations) * _FRAME_SECONDS + shift_seconds
    for word in phonemes.words:
        yield WordTiming(word.text, max(0.0, float(ends[word.start])), float(ends[word.end]))
