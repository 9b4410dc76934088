"""Phonemes and stress that a spoken form gives."""

from __future__ import annotations

import pytest

from wyoming_kokoro.engine.notation import in_model_symbols, with_foreign_words, with_given_phonemes
from wyoming_kokoro.engine.phonemes import TOKENS, Phonemes, gathered
from wyoming_kokoro.text.ipa import SYMBOLS, is_speakable_ipa, model_phonemes, unknown_symbols


def by_letters(text: str) -> Phonemes:
    return gathered((word, word.lower()) for word in text.split())


def test_every_symbol_that_the_text_stages_let_pass_is_one_of_the_model() -> None:
    assert set(TOKENS) >= SYMBOLS


def test_english_gets_its_diphthongs_as_the_model_has_them() -> None:
    assert in_model_symbols("say [tomato](/təˈmeɪtoʊ/) [now](+1)") == "say [tomato](/təˈmAtO/) [now](+1)"
    assert model_phonemes("ˈt͡ʃɝt͡ʃ") == "ˈʧɜɹʧ"
    assert model_phonemes("ˈpeɾo", "es") == "ˈpeɾo"


def test_given_phonemes_stand_in_their_place_and_stress_is_as_usual() -> None:
    made = with_given_phonemes(by_letters, "es")("hola [Kai](/kaɪ/), y [nunca](+1) mas")
    assert made.text == "hola kaɪ, y nunca mas"
    assert [made.text[word.start : word.end] for word in made.words] == ["hola", "kaɪ", "y", "nunca", "mas"]


def test_words_of_another_script_are_said_by_another_language() -> None:
    made = with_foreign_words(by_letters, lambda text: gathered([(text, "x" * len(text))]))("a字 Wi-Fi 字")
    assert made.text == "x xxxxx"


@pytest.mark.parametrize(("ipa", "unknown"), [("təˈmeɪtoʊ", ""), ("t5ə", "5"), ("", ""), ("ˈ", "")])
def test_what_the_model_cannot_say_is_told(ipa: str, unknown: str) -> None:
    assert unknown_symbols(ipa) == unknown
    assert is_speakable_ipa(ipa) == (ipa == "təˈmeɪtoʊ")
