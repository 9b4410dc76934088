"""The native library speaks as the shipped graph does, the same on any number of threads, and survives what is wrong."""

from __future__ import annotations

import ctypes
import random
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

if find_spec("wyoming_kokoro_native") is None:
    pytest.skip("the native engine is not built", allow_module_level=True)

from wyoming_kokoro_native import CancelledError, Choice, FileFailedError, FileUnfitError, levels, precisions
from wyoming_kokoro_native.library import library
from wyoming_kokoro_native.model import Model, Session
from wyoming_kokoro_native.packer import Bytes, pack

from tests.native.float_graph import AUDIO, DECODED, OUTPUTS, PITCH, SPECTRUM, vocoder_in_floats
from tests.native.trying import decibels
from wyoming_kokoro.engine.kokoro import Feed
from wyoming_kokoro.engine.kokoro_native import open_vocoder
from wyoming_kokoro.engine.manifest import WEIGHTS_SHA256
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.onnx_graph import DURATIONS, FEATURES, HIDDEN, prepared_front
from wyoming_kokoro.engine.onnx_session import OnnxSession
from wyoming_kokoro.engine.phonemes import Phonemes
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.styles import Styles
from wyoming_kokoro.engine.weights import fetch

pytestmark = [pytest.mark.speech, pytest.mark.timeout(300)]

Array = NDArray[np.float32]
CHOICES = [Choice(level, precision) for level in levels() for precision in precisions(level)]
EMULATED = Choice("amx-emulated", "bf16")
"""The kernels of AMX, whose tiles are plain arithmetic here; as slow as floats."""


class Captured(NamedTuple):
    """Tensors of one sentence on their way through the graph in floats."""

    features: Array
    hidden: Array
    style: Array
    pitch: Array
    decoded: Array
    spectrum: Array
    audio: Array


@pytest.fixture(scope="module")
def folder() -> ModelFolder:
    return fetch().folder


@pytest.fixture(scope="module")
def captured(folder: ModelFolder, tmp_path_factory: pytest.TempPathFactory) -> Captured:
    import onnx
    import onnxruntime

    tokens = Phonemes("ðə dˈɔɹ ɪz ˈOpᵊn.").tokens
    style = Styles(folder).style("af_heart", len(tokens))
    feed = Feed(tokens=np.array([[0, *tokens, 0]], np.int64), style=style, speed=np.array([1.0], np.float32))
    front = OnnxSession(
        prepared_front(folder.weights, WEIGHTS_SHA256, folder.graphs), threads=2, outputs=(FEATURES, HIDDEN, DURATIONS)
    )
    features, hidden, durations = front.run(feed, Stop())
    assert features.shape[-1] == len(hidden) == durations.sum()
    graph = tmp_path_factory.mktemp("graph") / "vocoder.onnx"
    onnx.save(vocoder_in_floats(folder.weights), str(graph))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    found = dict(zip(OUTPUTS, session.run(list(OUTPUTS), {FEATURES: features, HIDDEN: hidden, "style": style}), strict=True))
    return Captured(
        features=features[0],
        hidden=hidden[:, 0],
        style=style[0],
        pitch=found[PITCH].ravel(),
        decoded=found[DECODED][0].T,
        spectrum=found[SPECTRUM][0].T,
        audio=found[AUDIO].ravel(),
    )


@pytest.fixture(scope="module", params=[*CHOICES, EMULATED], ids="-".join)
def choice(request: pytest.FixtureRequest) -> Choice:
    assert isinstance(request.param, Choice)
    return request.param


@pytest.fixture(scope="module")
def model(folder: ModelFolder, choice: Choice) -> Model:
    return open_vocoder(folder.weights, choice, folder.graphs)


def spectral_distance(expected: Array, found: Array) -> float:
    """Mean difference of the logarithmic spectra, in decibels."""

    def spectra(sound: Array) -> NDArray[np.float64]:
        frames = np.lib.stride_tricks.sliding_window_view(sound * 32767.0, 1024)[::256] * np.hanning(1024)
        return np.asarray(20 * np.log10(np.maximum(np.abs(np.fft.rfft(frames, axis=-1)), 1e-3)))

    return float(np.abs(spectra(expected) - spectra(found)).mean())


def test_the_generator_makes_the_same_sound_of_the_same_tensors(choice: Choice, model: Model, captured: Captured) -> None:
    sound = Session(model, threads=2).generate(captured.decoded, captured.spectrum, captured.style[:128])
    assert len(sound) == len(captured.audio)
    least, most = {"f32": (75, 0.05), "bf16": (42, 0.2), "int8": (20, 1.3)}[choice.precision]
    assert decibels(captured.audio, sound) > least
    assert spectral_distance(captured.audio, sound) < most


def test_pitch_and_decoder_are_those_of_the_graph(model: Model, captured: Captured) -> None:
    session = Session(model, threads=2)
    pitch, energy = session.prosody(captured.hidden, captured.style[128:])
    assert decibels(captured.pitch, pitch) > 100
    assert decibels(captured.decoded, session.decode(captured.features, pitch, energy, captured.style[:128])) > 95


def test_the_source_has_the_magnitudes_and_the_voiced_phases_of_the_graph(model: Model, captured: Captured) -> None:
    spectrum = Session(model, threads=2).source(captured.pitch)
    assert decibels(captured.spectrum[:, :11], spectrum[:, :11]) > 55
    voiced = np.append(np.repeat(captured.pitch > 10, 60), False)
    assert 0.2 < voiced.mean() < 0.9
    turned = captured.spectrum[voiced, 12:15] - spectrum[voiced, 12:15]
    assert np.abs(np.angle(np.exp(1j * turned))).mean() < 0.02


def test_the_whole_is_as_loud_as_the_graph_everywhere(model: Model, captured: Captured) -> None:
    sound = Session(model, threads=2).speak(captured.features, captured.hidden, captured.style)
    assert len(sound) == len(captured.audio) == 600 * len(captured.hidden)

    def loudness(samples: Array) -> Array:
        frames = samples[: len(samples) // 2400 * 2400].reshape(-1, 2400)
        return np.asarray(np.sqrt(np.mean(np.square(frames), axis=1)), np.float32)

    assert loudness(sound) == pytest.approx(loudness(captured.audio), abs=0.006)
    assert abs(20 * np.log10(np.std(sound) / np.std(captured.audio))) < 0.5


def test_threads_and_neighbours_change_no_bit(model: Model, captured: Captured) -> None:
    short = captured.features[:, 8:24], captured.hidden[8:24], captured.style
    expected = Session(model, threads=1).speak(*short)
    found: list[Array] = []

    def speak(threads: int) -> None:
        found.append(Session(model, threads=threads).speak(*short))

    beside = [threading.Thread(target=speak, args=(threads,)) for threads in (2, 3, 4)]
    for each in beside:
        each.start()
    for each in beside:
        each.join()
    assert len(found) == 3
    assert all(np.array_equal(expected, sound) for sound in found)


@pytest.fixture(scope="module")
def fastest(folder: ModelFolder) -> Model:
    return open_vocoder(folder.weights, CHOICES[0], folder.graphs)


def test_what_was_cancelled_ends_and_the_next_sentence_is_as_it_would_have_been(fastest: Model, captured: Captured) -> None:
    session = Session(fastest, threads=2)
    expected = session.speak(captured.features, captured.hidden, captured.style)
    session.cancel()
    with pytest.raises(CancelledError):
        session.speak(captured.features, captured.hidden, captured.style)
    session.begin()
    assert np.array_equal(expected, session.speak(captured.features, captured.hidden, captured.style))


def test_a_sentence_under_way_can_be_cancelled_from_another_thread(fastest: Model, captured: Captured) -> None:
    session = Session(fastest, threads=2)
    long = np.tile(captured.features, 8), np.tile(captured.hidden, (8, 1)), captured.style
    ended = threading.Event()

    def speak() -> None:
        with pytest.raises(CancelledError):
            session.speak(*long)
        ended.set()

    thread = threading.Thread(target=speak)
    thread.start()
    session.cancel()
    assert ended.wait(30)
    thread.join()


def test_a_sentence_of_one_frame_can_be_spoken(fastest: Model, captured: Captured) -> None:
    sound = Session(fastest, threads=3).speak(captured.features[:, :1], captured.hidden[:1], captured.style)
    assert len(sound) == 600
    assert np.isfinite(sound).all()


def test_arrays_of_another_shape_are_refused(fastest: Model, captured: Captured) -> None:
    session = Session(fastest, threads=1)
    with pytest.raises(ValueError, match="shape"):
        session.speak(captured.features, captured.hidden[:-1], captured.style)
    with pytest.raises(ValueError, match="shape"):
        session.speak(captured.features, captured.hidden, captured.style[:128])
    with pytest.raises(ValueError, match="length must be from 1"):
        session.speak(captured.features[:, :0], captured.hidden[:0], captured.style)


def test_null_and_numbers_out_of_range_are_answered_not_followed(fastest: Model) -> None:
    handle = ctypes.c_void_p()
    answers = [
        library().kokoro_speak(None, None, None, 1, None, None),
        library().kokoro_model_open(None, b"generic", b"", ctypes.byref(handle)),
        library().kokoro_model_open(b"file", None, b"", ctypes.byref(handle)),
        library().kokoro_session_open(None, 1, ctypes.byref(handle)),
        library().kokoro_session_open(fastest.handle, 0, ctypes.byref(handle)),
        library().kokoro_session_open(fastest.handle, 100_000, ctypes.byref(handle)),
        library().kokoro_packer_vector(None, b"x", None, 1),
        library().kokoro_packer_close(None, 1),
        library().kokoro_try_convolution(b"generic", None),
    ]
    assert answers == [1] * len(answers)
    library().kokoro_session_cancel(None)


@pytest.fixture
def small_file(tmp_path: Path) -> Iterator[Path]:
    """A file of two layers."""
    path = tmp_path / "small.pack"
    with pack(path, Choice("generic", "f32"), "mine") as packer:
        packer.vector("a vector", np.arange(7, dtype=np.float32))
        weights = Bytes(values=np.full((32, 32, 3), 7, np.uint8), scale=0.5, zero=3)
        packer.convolution("a convolution", weights, np.zeros(32, np.float32))
    yield path


def test_a_file_without_what_the_network_needs_is_unfit(small_file: Path) -> None:
    with pytest.raises(FileUnfitError, match="lack prosody"):
        Model(small_file, "generic", "mine")


def test_a_file_of_another_model_is_unfit(small_file: Path) -> None:
    with pytest.raises(FileUnfitError, match="another model"):
        Model(small_file, "generic", "yours")


def test_a_file_that_is_not_there_has_failed(tmp_path: Path) -> None:
    with pytest.raises(FileFailedError, match="No such file"):
        Model(tmp_path / "nothing", "generic", "mine")


def test_no_damage_of_a_file_is_followed(small_file: Path) -> None:
    whole = small_file.read_bytes()
    dice = random.Random(7)
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        small_file.write_bytes(bytes(damaged[: dice.choice([len(damaged), dice.randrange(len(damaged))])]))
        with pytest.raises((FileUnfitError, FileFailedError)):
            Model(small_file, "generic", "mine")


def test_a_file_that_could_not_be_finished_is_not_there(tmp_path: Path) -> None:
    def give_up() -> None:
        with pack(tmp_path / "half.pack", Choice("generic", "f32"), "mine") as packer:
            packer.vector("a vector", np.zeros(1, np.float32))
            raise RuntimeError("given up")

    with pytest.raises(RuntimeError, match="given up"):
        give_up()
    assert list(tmp_path.iterdir()) == []


def test_packed_weights_that_are_damaged_are_packed_again(folder: ModelFolder, tmp_path: Path) -> None:
    choice = Choice("generic", "f32")
    open_vocoder(folder.weights, choice, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:1000])
    (tmp_path / f"vocoder-{WEIGHTS_SHA256[:16]}-generic-f32-0.0.pack").write_bytes(b"of an older version")
    open_vocoder(folder.weights, choice, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
