"""Judges a scenario by what was written and heard. It shares no logic with the core: it reads the streams in its own way."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.simulation.facts import Asked, Facts, Visit
from tests.simulation.faulty_engine import POISON, STRANGE_FINGERPRINT, UNSPEAKABLE
from tests.simulation.scenario import Outage, Pause, Scenario, Step, Weather, Zombie
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.core.lease import ALIVE_SECONDS
from wyoming_kokoro.engine.melody import melody
from wyoming_kokoro.engine.tone import FINGERPRINT
from wyoming_kokoro.journal.memory import MemoryStorage
from wyoming_kokoro.model.cast import JobKind, Outcome
from wyoming_kokoro.model.ids import (
    CASTS_PREFIX,
    JOBS,
    JOBS_CURSOR,
    JOBS_DEAD,
    PROGRESS_DONE,
    CastId,
    cast_stream,
    input_stream,
)
from wyoming_kokoro.model.recipe import Boundary, Profile, Recipe, Sentence, TextFormat, Utterance
from wyoming_kokoro.model.records import (
    Alive,
    Audio,
    Cancel,
    DeadLetter,
    Eos,
    EosReason,
    Fail,
    Input,
    InputEnd,
    InputEndReason,
    Job,
    Receipt,
    Record,
    Start,
    Watermark,
)
from wyoming_kokoro.text.pipeline import TextPipeline

MODELS = (FINGERPRINT, STRANGE_FINGERPRINT)

SEVERE = 0.25
"""Where so many calls fail, all those of a lease may do."""

WHOLE_TEXT_SECONDS = 0.03
"""So long it is open whether a text that arrives is whole."""


@dataclass(frozen=True, slots=True)
class Playable:
    """What a reader makes of a cast's stream."""

    indexes: tuple[int, ...]
    """Of every audio record of the last generation, in the order of the stream."""
    bodies: tuple[bytes, ...]
    """Sound sentences, in order."""
    texts: tuple[str, ...]
    end: Record | None


class Oracle:
    """One scenario's judge. `problems` yields sentences; none means that all is well."""

    def __init__(self, scenario: Scenario, facts: Facts, storage: MemoryStorage) -> None:
        self._scenario = scenario
        self._facts = facts
        self._streams = {
            name: [(seq_num, stream.record(seq_num).record) for seq_num in sorted(stream.records)]
            for name, stream in storage.streams.items()
        }
        self._jobs = {seq: record for seq, record in self._stream(JOBS) if isinstance(record, Job)}
        self._cancels = {seq: record for seq, record in self._stream(JOBS) if isinstance(record, Cancel)}
        self._receipts = [record for _, record in self._stream(PROGRESS_DONE) if isinstance(record, Receipt)]
        self._recipes = {job.cast_id: job.recipe for job in self._jobs.values()}
        self._kinds = {job.cast_id: job.kind for job in self._jobs.values()}
        self._sound: dict[tuple[str, bytes], bool] = {}
        self._rotten_casts = {stream for stream, _ in facts.rotten}

    def problems(self) -> Iterator[str]:
        """Everything that is not as it was promised."""
        yield from self._acceptance()
        yield from self._settlement()
        yield from self._order_of_records()
        for cast_id in self._recipes:
            yield from self._cast(cast_id)
        for visit in self._facts.visits:
            yield from (f"{visit.name}: {problem}" for problem in self._visit(visit))
        yield from self._watermarks()
        yield from self._spoken_again()

    def _stream(self, name: str) -> list[tuple[int, Record]]:
        return self._streams.get(name, [])

    # -- jobs and receipts ---------------------------------------------------------------------------------------------

    def _acceptance(self) -> Iterator[str]:
        for visit in self._facts.visits:
            if visit.job is not None and self._jobs[visit.job].cast_id != visit.cast_id:
                yield f"{visit.name}: its job {visit.job} is for another cast"

    def _settlement(self) -> Iterator[str]:
        named = Counter(job for receipt in self._receipts for job in receipt.jobs)
        for job in self._jobs:
            if named[job] != 1:
                yield f"job {job} stands in {named[job]} receipts"
        for cancel in self._cancels:
            if named[cancel] > 1:
                yield f"cancel {cancel} stands in {named[cancel]} receipts"
        for receipt in self._receipts:
            for job in receipt.jobs:
                record = self._jobs.get(job) or self._cancels.get(job)
                if record is None or record.cast_id != receipt.cast_id:
                    yield f"a receipt of {receipt.cast_id} names {job}, which is not its own"

    def _outcome(self, job: int) -> Outcome | None:
        return next((receipt.outcome for receipt in self._receipts if job in receipt.jobs), None)

    def _is_cancelled(self, job: int) -> bool:
        cast_id = self._jobs[job].cast_id
        return any(
            cancel.cast_id == cast_id and cancel.job in (None, job) for seq, cancel in self._cancels.items() if seq > job
        )

    # -- streams of casts ----------------------------------------------------------------------------------------------

    def _order_of_records(self) -> Iterator[str]:
        """Fencing holds: every record belongs to the attempt that was opened last, and nothing follows an end."""
        for name, records in self._streams.items():
            if not name.startswith(CASTS_PREFIX):
                continue
            attempt: int | None = None
            for seq_num, record in records:
                if isinstance(record, Start):
                    attempt = record.attempt
                elif isinstance(record, Audio) and record.attempt != attempt:
                    yield f"{name} @{seq_num}: audio of attempt {record.attempt} in attempt {attempt}"
                elif isinstance(record, Eos | Fail):
                    if attempt is None:
                        yield f"{name} @{seq_num}: a second end, without a start before it"
                    attempt = None
                elif isinstance(record, Alive) and record.released:
                    attempt = None

    def _playable(self, cast_id: CastId) -> Playable:
        """The last generation as a listener without any memory reads it."""
        indexes: list[int] = []
        bodies: list[bytes] = []
        texts: list[str] = []
        end: Record | None = None
        for _, record in self._stream(cast_stream(cast_id)):
            if isinstance(record, Start):
                end = None
                if record.next_index == 0:
                    indexes, bodies, texts = [], [], []
            elif isinstance(record, Audio):
                indexes.append(record.index)
                if record.index == len(bodies) and record.is_intact:
                    bodies.append(record.body)
                    texts.append(record.text)
            elif isinstance(record, Eos | Fail):
                end = record
        return Playable(tuple(indexes), tuple(bodies), tuple(texts), end)

    def _sentences(self, cast_id: CastId) -> tuple[Sentence, ...] | None:
        """What a cast should say; None for a live one of whose text the journal may have less than was spoken."""
        if self._kinds[cast_id] is JobKind.SPEAK:
            return self._recipes[cast_id].sentences
        records = [record for _, record in self._stream(input_stream(cast_id))]
        if not any(isinstance(record, InputEnd) and record.reason is not InputEndReason.ABANDONED for record in records):
            return None
        return tuple(record.sentence for record in records if isinstance(record, Input))

    def _text(self, cast_id: CastId) -> str | None:
        """What was asked for, of a live cast perhaps more than came; None where it is not known who asked."""
        texts = [visit.ask.text for visit in self._facts.visits if visit.ask is not None and visit.cast_id == cast_id]
        return texts[0] if texts else self._recipes[cast_id].text or None

    def _cast(self, cast_id: CastId) -> Iterator[str]:
        recipe, playable = self._recipes[cast_id], self._playable(cast_id)
        sentences, text = self._sentences(cast_id), self._text(cast_id)
        if self._kinds[cast_id] is JobKind.SPEAK and sentences != _cut(recipe.text):
            yield f"{cast_id}: its sentences are not those of its text"
        if sentences is not None:
            pairs = zip(playable.bodies, sentences, strict=False)
            if len(playable.bodies) > len(sentences) or any(body not in self._sounds(recipe, said) for body, said in pairs):
                yield f"{cast_id}: what can be played is not its text"
        if text is not None and not text.startswith("".join(playable.texts).strip()):
            yield f"{cast_id}: {''.join(playable.texts)!r} can be played instead of {text!r}"
        if cast_stream(cast_id) not in self._rotten_casts and playable.indexes != tuple(range(len(playable.indexes))):
            yield f"{cast_id}: sentences in the wrong order or twice: {playable.indexes}"
        if [receipt.outcome for receipt in self._receipts if receipt.cast_id == cast_id][-1:] == [Outcome.DONE]:
            count = len(playable.bodies) if sentences is None else len(sentences)
            yield from (f"{cast_id}: {problem}" for problem in self._whole(playable, count))
        for job, record in self._jobs.items():
            if record.cast_id == cast_id:
                yield from (f"job {job} of {cast_id}: {problem}" for problem in self._job(job, cast_id))

    def _sounds(self, recipe: Recipe, sentence: Sentence) -> list[bytes]:
        """How the sentence may sound: as its own model says it, or, where that was not to be had, as another one does."""
        models = MODELS if self._scenario.strangers else (recipe.model,)
        return [melody(dataclasses.replace(recipe, model=model).utterance(sentence))[0] for model in models]

    def _is_sound_of(self, piece: Piece) -> bool:
        """Whether that is what the voice says for this text, at whatever place of a text it stands."""
        if (piece.text, piece.pcm) not in self._sound:
            models = MODELS if self._scenario.strangers else MODELS[:1]
            self._sound[piece.text, piece.pcm] = any(
                melody(utterance)[0] == piece.pcm for utterance in _utterances(piece.text.strip(), models)
            )
        return self._sound[piece.text, piece.pcm]

    def _whole(self, playable: Playable, count: int) -> Iterator[str]:
        if not isinstance(playable.end, Eos) or playable.end.reason is not EosReason.COMPLETE:
            yield f"it was done, but ends in {playable.end}"
        elif playable.end.count != count or len(playable.bodies) != count:
            yield f"it was done, but has {len(playable.bodies)} sound sentences of {playable.end.count}; {count} were asked for"

    def _job(self, job: int, cast_id: CastId) -> Iterator[str]:
        outcome, is_live = self._outcome(job), self._kinds[cast_id] is JobKind.LIVE
        match outcome:
            case Outcome.CANCELLED if not is_live and not self._is_cancelled(job):
                yield "settled as cancelled, though nobody took it back"
            case Outcome.DEAD:
                yield from self._dead(job, cast_id)
            case Outcome.DONE if not is_live and _is_fatal(self._recipes[cast_id].text):
                yield "a text that can't be spoken was done"
            case _:
                pass

    def _dead(self, job: int, cast_id: CastId) -> Iterator[str]:
        letters = [record for _, record in self._stream(JOBS_DEAD) if isinstance(record, DeadLetter) and job in record.jobs]
        if len(letters) != 1:
            yield f"{len(letters)} dead letters"
        fails = [record for _, record in self._stream(cast_stream(cast_id)) if isinstance(record, Fail)]
        if not any(fail.jobs_tail > job for fail in fails):
            yield "dead, but its stream holds no fail that answers it"
        if UNSPEAKABLE in (self._text(cast_id) or UNSPEAKABLE):
            return
        worst = self._deaths_before_fails(cast_id)
        if not worst or min(worst) < 2 or (max(worst) > 2 and not self._is_haunted()):
            yield f"dead after {worst} deaths under one sentence"

    def _deaths_before_fails(self, cast_id: CastId) -> list[int]:
        """For every fail, how often the engine had died under the worst sentence since the end before."""
        deaths: Counter[int] = Counter()
        worst = []
        for _, record in self._stream(cast_stream(cast_id)):
            if isinstance(record, Alive) and record.died_under is not None:
                deaths[record.died_under] += 1
            elif isinstance(record, Fail):
                worst.append(max(deaths.values(), default=0))
            if isinstance(record, Fail | Eos):
                deaths.clear()
        return worst

    # -- listeners -----------------------------------------------------------------------------------------------------

    def _visit(self, visit: Visit) -> Iterator[str]:
        if [piece.index for piece in visit.pieces] != list(range(len(visit.pieces))):
            yield f"heard the sentences {[piece.index for piece in visit.pieces]}"
        heard = "".join(piece.text for piece in visit.pieces)
        wanted = self._text_of(visit)
        if wanted is not None and not wanted.startswith(heard.strip()):
            yield f"heard {heard!r} instead of {wanted!r}"
        if not all(map(self._is_sound_of, visit.pieces)):
            yield "what was heard is not the sound of its text"
        if visit.ended == "heard all" and wanted is not None and heard.strip() != wanted and self._must_be_whole(visit):
            yield f"ended well after {heard!r} of {wanted!r}"
        if (problem := self._wrong_end(visit)) is not None:
            yield problem

    def _text_of(self, visit: Visit) -> str | None:
        if visit.ask is not None:
            return visit.ask.text
        if visit.cast_id is None or visit.cast_id not in self._recipes:
            return None
        return self._text(visit.cast_id)

    def _must_be_whole(self, visit: Visit) -> bool:
        if visit.ask is not None and (not visit.ask.ends or visit.ask.quits_after is not None) and visit.ask.way != "bare":
            return False
        is_live = visit.cast_id is not None and self._kinds.get(visit.cast_id) is JobKind.LIVE
        return not (is_live and (visit.ask is None or self._is_haunted()))

    def _wrong_end(self, visit: Visit) -> str | None:
        if visit.ended in ("heard all", "left", "quit", "hit by a crash", "nothing to hear"):
            return None
        error, _, _ = visit.ended.partition(":")
        text = self._text_of(visit)
        weather = [step for step in self._steps() if isinstance(step, Weather)]
        is_logged = visit.cast_id in self._recipes
        is_cancelled = any(cancel.cast_id == visit.cast_id for cancel in self._cancels.values())
        allowed = {
            "CastFailedError": text is None or _is_fatal(text) or any(step.engine.die for step in weather),
            # A live cast ends with its asker; what the log refused ends with the server.
            "CastCutError": is_cancelled or visit.ask is None or self._is_haunted() or not is_logged,
            "EngineUnavailableError": any(step.engine.unavailable for step in weather),
        }
        is_refused = visit.ask is not None and not visit.is_told
        if is_refused and (visit.ask is None or visit.ask.way == "bare" or self._scenario.silent):
            # Whoever asks for something durable, or where nobody can speak, is told that it can't be had now.
            allowed |= dict.fromkeys(("LogUnavailableError", "AppendOutcomeUnknownError", "StorageFullError"), True)
        return None if allowed.get(error, False) else f"ended badly: {visit.ended}"

    def _can_be_away(self) -> bool:
        return any(
            (isinstance(step, Outage) and step.what == "journal") or (isinstance(step, Weather) and step.log.refuse)
            for step in self._steps()
        )

    def _is_haunted(self) -> bool:
        """Whether a process may have believed in a lease that was over."""
        return self._scenario.has(Zombie, Pause) or (self._scenario.is_shared and any(map(_silences, self._steps())))

    def _steps(self) -> Iterator[Step]:
        return (step for _, _, step in self._scenario.steps)

    # -- time ----------------------------------------------------------------------------------------------------------

    def _watermarks(self) -> Iterator[str]:
        """It only moves forward, never past an unsettled job, and reading on from it finds every receipt that is needed."""
        settled: dict[int, int] = {}
        cancels: set[int] = set()
        last = Watermark(0, 0)
        for fact in self._facts.written:
            match fact.record:
                case Receipt(jobs=jobs) if fact.stream == PROGRESS_DONE:
                    settled |= dict.fromkeys(jobs, fact.seq_num)
                case Cancel() if fact.stream == JOBS:
                    cancels.add(fact.seq_num)
                case Watermark() as mark if fact.stream == JOBS_CURSOR:
                    if mark.jobs <= last.jobs or mark.done < last.done:
                        yield f"at {fact.at}: the watermark went from {last} to {mark}"
                    if missing := [job for job in range(mark.jobs) if job not in settled and job not in cancels]:
                        yield f"at {fact.at}: the watermark {mark} passed over the unsettled jobs {missing}"
                    if lost := [job for job, receipt in settled.items() if job >= mark.jobs and receipt < mark.done]:
                        yield f"at {fact.at}: the watermark {mark} forgets the receipts of {lost}"
                    last = mark
        tail = max([*self._jobs, *self._cancels], default=-1) + 1
        if last.jobs != tail:
            yield f"the watermark stands at {last.jobs} in the end, not at {tail}"

    def _spoken_again(self) -> Iterator[str]:
        """No sentence that the journal holds goes to the engine again."""
        casts = self._casts_of_keys()
        exempt = self._unlogged_keys()
        held: dict[str, list[float]] = defaultdict(list)
        for fact in self._facts.written:
            if isinstance(fact.record, Audio) and (fact.stream, fact.seq_num) not in self._facts.rotten:
                held[fact.record.key].append(fact.at)
        for asked in self._facts.asked:
            key = asked.utterance.key
            if len(casts[key]) != 1 or key in exempt or any(cast_stream(cast) in self._rotten_casts for cast in casts[key]):
                continue
            if self._is_foreseen(asked):
                continue
            opened, _ = self._facts.lives[asked.server]
            until = opened if self._is_haunted() else asked.at
            if any(at < until for at in held[key]):
                yield f"at {asked.at:.3f}, s{asked.server}: {asked.utterance.spoken!r} was in the journal already"

    def _is_foreseen(self, asked: Asked) -> bool:
        """Whether it may have been begun for a text that was not all there yet, and so was not known to be whole."""
        return any(
            visit.ask is not None
            and visit.ask.way == "streamed"
            and visit.server == asked.server
            and visit.began_at <= asked.at <= visit.began_at + WHOLE_TEXT_SECONDS
            and asked.utterance.spoken == _cut(visit.ask.text)[0].spoken
            for visit in self._facts.visits
        )

    def _casts_of_keys(self) -> dict[str, set[CastId]]:
        casts: dict[str, set[CastId]] = defaultdict(set)
        for cast_id, recipe in self._recipes.items():
            arrived = [record.sentence for _, record in self._stream(input_stream(cast_id)) if isinstance(record, Input)]
            for sentence in (*recipe.sentences, *arrived):
                casts[recipe.utterance(sentence).key].add(cast_id)
        for fact in self._facts.written:
            if isinstance(fact.record, Audio):
                casts[fact.record.key].add(CastId(fact.stream.removeprefix(CASTS_PREFIX)))
        return casts

    def _unlogged_keys(self) -> set[str]:
        """Sentences that were, or may have been, spoken from memory because the log refused the request.

        Or in a live cast, while the log could not be asked whether they had been spoken in another.
        """
        keys: set[str] = set()
        recipe = next(iter(self._recipes.values()), None)
        for visit in self._facts.visits:
            is_unsure = self._can_be_away() or self._is_haunted()
            is_live = is_unsure and visit.cast_id is not None and self._kinds.get(visit.cast_id) is JobKind.LIVE
            if visit.ask is not None and (visit.cast_id not in self._recipes or is_live) and recipe is not None:
                keys |= {recipe.utterance(sentence).key for sentence in _cut(visit.ask.text)}
        return keys


def _cut(text: str) -> tuple[Sentence, ...]:
    return TextPipeline().cut(text, language="en-US", profile=Profile.LATENCY, text_format=TextFormat.PLAIN)


def _silences(step: Step) -> bool:
    """Whether it can keep a process from saying for a lease that it is alive."""
    match step:
        case Outage(what="disk"):
            return True
        case Outage(what="journal", seconds=seconds):
            return seconds >= ALIVE_SECONDS
        case Weather(log=faults):
            return faults.refuse + faults.lose_request + faults.late > SEVERE
        case _:
            return False


def _is_fatal(text: str) -> bool:
    return POISON in text or UNSPEAKABLE in text


def _utterances(spoken: str, models: tuple[str, ...]) -> Iterator[Utterance]:
    for model, opens, closes in itertools.product(models, Boundary, Boundary):
        yield Utterance(spoken=spoken, voice="af_heart", speed=1.0, language="en-US", opens=opens, closes=closes, model=model)
