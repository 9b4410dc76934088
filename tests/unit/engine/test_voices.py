"""Voices, aliases and blends."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.engine.voice_table import LANGUAGES, OPENAI_VOICES, VOICE_NAMES
from wyoming_kokoro.engine.voices import KokoroVoices, is_installed
from wyoming_kokoro.model.errors import RefusedError, UnknownVoiceError

VOICES = KokoroVoices("af_heart")


def test_all_54_voices_of_nine_languages_are_offered_once_each() -> None:
    names = [voice.name for voice in VOICES.all()]
    assert len(names) == len(set(names)) == 54
    assert {voice.language for voice in VOICES.all()} == {
        "en-US", "en-GB", "es", "fr", "hi", "it", "ja", "pt-BR", "zh-CN",
    }  # fmt: skip


def test_the_order_of_the_voices_is_stable_and_begins_with_the_best() -> None:
    assert [voice.name for voice in VOICES.all()] == [voice.name for voice in KokoroVoices("bm_fable").all()]
    assert VOICES.all()[0].name == "af_heart"


def test_a_default_that_is_a_blend_is_offered_too() -> None:
    voices = KokoroVoices("af_heart(2)+af_bella(1)")
    assert voices.default.name == "af_bella(1)+af_heart(2)"
    assert voices.all()[0] == voices.default
    assert len(voices.all()) == 55


@pytest.mark.parametrize("name", ["heart", "AF_HEART", " af_heart ", "marin"])
def test_short_names_openai_names_and_other_cases_mean_the_voice(name: str) -> None:
    assert VOICES.resolve(name).name == "af_heart"


@pytest.mark.parametrize(("alias", "voice"), sorted(OPENAI_VOICES.items()))
def test_every_openai_name_is_an_alias_and_listed_as_one(alias: str, voice: str) -> None:
    resolved = VOICES.resolve(alias)
    assert resolved.name == voice
    assert alias in resolved.aliases


def test_a_short_name_that_several_voices_share_names_them_all_instead_of_guessing() -> None:
    with pytest.raises(UnknownVoiceError) as caught:
        VOICES.resolve("santa")
    assert caught.value.nearest == ("am_santa", "em_santa", "pm_santa")


def test_an_unknown_voice_comes_with_the_nearest_names() -> None:
    with pytest.raises(UnknownVoiceError, match="did you mean af_bella") as caught:
        VOICES.resolve("af_bela")
    assert "af_bella" in caught.value.nearest


def test_a_name_like_no_other_has_no_nearest_names() -> None:
    with pytest.raises(UnknownVoiceError) as caught:
        VOICES.resolve("qqqqqqqqqq")
    assert caught.value.nearest == ()


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("af_heart(2)+af_bella(1)", "af_bella(1)+af_heart(2)"),
        ("af_bella(2) + heart(4)", "af_bella(1)+af_heart(2)"),
        ("af_heart+af_bella", "af_bella(1)+af_heart(1)"),
        ("af_heart(0.5)+af_bella(0.25)", "af_bella(1)+af_heart(2)"),
        ("af_heart(3)+heart(1)", "af_heart"),
        ("af_heart(7)", "af_heart"),
    ],
)
def test_equal_mixtures_have_one_canonical_name(written: str, canonical: str) -> None:
    assert VOICES.resolve(written).name == canonical


@given(
    st.dictionaries(st.sampled_from(VOICE_NAMES), st.integers(1, 1000), min_size=2, max_size=8),
    st.integers(1, 9),
    st.randoms(use_true_random=False),
)
def test_a_canonical_name_means_itself_and_no_order_or_scale_changes_it(
    weights: dict[str, int], factor: int, shuffler: random.Random
) -> None:
    parts = [f"{name}({weight})" for name, weight in weights.items()]
    canonical = VOICES.resolve("+".join(parts))
    shuffler.shuffle(parts)
    assert VOICES.resolve("+".join(parts)) == canonical
    assert VOICES.resolve(canonical.name) == canonical
    if all(weight * factor <= 1000 for weight in weights.values()):
        assert VOICES.resolve("+".join(f"{name}({weight * factor})" for name, weight in weights.items())) == canonical


@pytest.mark.parametrize(
    "blend",
    [
        "af_heart(0)+af_bella",
        "af_heart(-1)+af_bella",
        "af_heart(x)",
        "+",
        "af_heart+",
        "af_heart((1)",
        "af_heart(1)b",
        "a+" * 8 + "a",
    ],
)
def test_a_blend_that_can_not_be_read_is_refused_and_names_the_field(blend: str) -> None:
    with pytest.raises(RefusedError) as caught:
        VOICES.resolve(blend)
    assert caught.value.field == "voice"
    assert not isinstance(caught.value, UnknownVoiceError)


def test_an_unknown_voice_in_a_blend_is_named() -> None:
    with pytest.raises(UnknownVoiceError, match="'nobody'"):
        VOICES.resolve("af_heart+nobody")


def test_the_language_of_a_blend_is_that_of_its_heaviest_voice() -> None:
    assert VOICES.resolve("af_heart(1)+bf_emma(2)").language == "en-GB"


@pytest.mark.parametrize("letter", ["j", "z"])
def test_a_voice_whose_phonemes_need_an_extra_says_which_and_whether_it_is_there(letter: str) -> None:
    language = LANGUAGES[letter]
    for voice in VOICES.all():
        if voice.language == language.tag:
            assert voice.extra == language.extra
            assert voice.installed == is_installed(language)


def test_names_are_known_without_any_heavy_import() -> None:
    code = (
        "import sys; from wyoming_kokoro.engine.voices import KokoroVoices; KokoroVoices('heart').all();"
        "print(sorted({'numpy', 'onnx', 'onnxruntime', 'torch', 'spacy', 'misaki', 'asyncio'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
