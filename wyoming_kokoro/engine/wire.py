"""Utterances, speech and errors as headers of frames.

To the engine's process: `configure` (first), `speak`, `cancel`, `prepare`. From it: `busy` (while it gets ready, with what it
does), `ready` or `unavailable`; then for each sentence `started`, and `spoken`, `failed` or `stopped`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.frames import encode_frame
from wyoming_kokoro.model.audio import WordTiming
from wyoming_kokoro.model.errors import LanguageNotInstalledError, SynthesisError, VoiceOfAHouseError
from wyoming_kokoro.model.recipe import Boundary, Utterance

if TYPE_CHECKING:
    from wyoming_kokoro.engine.frames import Frame, Header


def speak_frame(number: int, utterance: Utterance) -> bytes:
    """Speak that sentence; the answers carry the number."""
    return encode_frame({"op": "speak", "number": number, "utterance": asdict(utterance)})


def prepare_frame(utterance: Utterance) -> bytes:
    """Make its phonemes ahead; there is no answer."""
    return encode_frame({"op": "prepare", "utterance": asdict(utterance)})


def cancel_frame(number: int) -> bytes:
    """Stop that sentence, wherever it is."""
    return encode_frame({"op": "cancel", "number": number})


def utterance_of(header: Header) -> Utterance:
    """The sentence in a `speak` or `prepare`."""
    fields = dict(header["utterance"])
    fields["opens"] = Boundary(fields["opens"])
    fields["closes"] = Boundary(fields["closes"])
    return Utterance(**fields)


def spoken_frame(number: int, pcm: bytes, words: tuple[WordTiming, ...], gen_seconds: float) -> bytes:
    """The sound of that sentence."""
    timings = [(word.word, word.start_seconds, word.end_seconds) for word in words]
    return encode_frame({"op": "spoken", "number": number, "gen_seconds": gen_seconds, "words": timings}, pcm)


def words_of(frame: Frame) -> tuple[WordTiming, ...]:
    """The word timings in a `spoken`."""
    return tuple(WordTiming(*timing) for timing in frame.header["words"])


def failed_frame(number: int, error: Exception) -> bytes:
    """That sentence can't be spoken."""
    header: Header = {"op": "failed", "number": number, "kind": "synthesis", "message": str(error) or repr(error)}
    if isinstance(error, LanguageNotInstalledError):
        header |= {"kind": "language", "language": error.language, "extra": error.extra}
    return encode_frame(header)


def error_of(header: Header) -> VoiceOfAHouseError:
    """The error in a `failed`."""
    if header["kind"] == "language":
        return LanguageNotInstalledError(header["language"], header["extra"])
    return SynthesisError(header["message"])
