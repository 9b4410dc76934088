"""Phonemes, their words, and where a long piece is cut."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.engine import g2p
from wyoming_kokoro.engine.g2p import Phonemizer, find_language
from wyoming_kokoro.engine.kokoro import pieces, word_timings
from wyoming_kokoro.engine.phonemes import MAX_PHONEMES, TOKENS, Phonemes, Word, aligned, gathered
from wyoming_kokoro.engine.voices import is_installed
from wyoming_kokoro.model.errors import LanguageNotInstalledError, SynthesisError
from wyoming_kokoro.model.recipe import Boundary, Utterance

# misaki reads its lexicons by a function that Python 3.11 alone calls old.
pytestmark = pytest.mark.filterwarnings("ignore:open_text is deprecated:DeprecationWarning")


def spoken_words(phonemes: Phonemes) -> list[tuple[str, str]]:
    return [(word.text, phonemes.text[word.start : word.end]) for word in phonemes.words]


def test_a_word_knows_its_place_and_marks_are_no_part_of_it() -> None:
    phonemes = gathered([("Hello", "həlˈO,"), ("world", "“wˈɜɹld”!")])
    assert phonemes.text == "həlˈO, “wˈɜɹld”!"
    assert spoken_words(phonemes) == [("Hello", "həlˈO"), ("world", "wˈɜɹld")]


def test_what_the_model_does_not_know_is_left_out_and_moves_nothing() -> None:
    phonemes = gathered([("one", "w₁ʌn"), ("", "¿"), ("two", "tˈu")])
    assert phonemes.text == "wʌn tˈu"
    assert spoken_words(phonemes) == [("one", "wʌn"), ("two", "tˈu")]


def test_words_are_paired_with_their_sound_only_where_there_are_as_many() -> None:
    assert spoken_words(aligned("Es la hora.", "ˈes la ˈoɾa.")) == [("Es", "ˈes"), ("la", "la"), ("hora", "ˈoɾa")]
    unpaired = aligned("s'il vous plaît", "sil vuplɛ")
    assert unpaired == Phonemes("sil vuplɛ")


@pytest.mark.parametrize(("text", "speakable"), [("", False), ("...", False), (' "—" ', False), ("a", True), ("a.", True)])
def test_marks_alone_are_nothing_to_speak(text: str, speakable: bool) -> None:
    assert Phonemes(text).is_speakable is speakable


def test_every_token_is_known_once() -> None:
    assert len(set(TOKENS.values())) == len(TOKENS) == 114
    assert Phonemes("a b").tokens == [43, 16, 44]


SYMBOLS = st.text(alphabet="abi ˈ,.!;", max_size=300)


@given(SYMBOLS, st.integers(3, 60))
def test_no_piece_is_too_long_and_no_phoneme_is_lost(text: str, limit: int) -> None:
    parts = [part.text for part in Phonemes(text).split(limit)]
    assert max(map(len, parts)) <= limit
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.tuples(st.sampled_from(["ab", "bi", "iˈa"]), st.sampled_from(["", ",", "."])), min_size=1, max_size=60))
def test_every_word_is_in_one_piece_at_its_own_place(words: list[tuple[str, str]]) -> None:
    whole = gathered((str(number), sound + mark) for number, (sound, mark) in enumerate(words))
    found = [entry for part in whole.split(20) for entry in spoken_words(part)]
    assert found == [(str(number), sound) for number, (sound, _) in enumerate(words)]


def test_a_sentences_end_is_the_best_place_to_cut_then_a_clause_then_a_word() -> None:
    assert [part.text for part in Phonemes("aa bb, aa. bb aa, bb aa").split(18)] == ["aa bb, aa.", "bb aa, bb aa"]
    assert [part.text for part in Phonemes("aa bb, aa bb aa").split(12)] == ["aa bb,", "aa bb aa"]
    assert [part.text for part in Phonemes("aaa bbb aaa").split(9)] == ["aaa bbb", "aaa"]
    assert [part.text for part in Phonemes("aaaaabb").split(5)] == ["aaaaa", "bb"]


def utterance(speed: float = 1.0) -> Utterance:
    return Utterance(
        spoken="",
        voice="af_heart",
        speed=speed,
        language="en-US",
        opens=Boundary.START,
        closes=Boundary.SENTENCE,
        model="any",
    )


def test_a_slow_piece_is_cut_sooner_and_its_joins_are_marked() -> None:
    long = Phonemes("ab, " * 130)
    assert len(list(pieces(long, utterance(1.0)))) == len(list(pieces(long, utterance(2.0)))) == 2
    slow = list(pieces(long, utterance(0.5)))
    assert all(len(piece.phonemes.text) <= MAX_PHONEMES // 2 for piece in slow)
    assert [(piece.opens, piece.closes) for piece in slow] == [
        (Boundary.START, Boundary.CLAUSE),
        (Boundary.CLAUSE, Boundary.CLAUSE),
        (Boundary.CLAUSE, Boundary.SENTENCE),
    ]


def test_a_short_piece_is_spoken_in_one_go() -> None:
    (only,) = pieces(Phonemes("ab."), utterance())
    assert (only.opens, only.closes) == (Boundary.START, Boundary.SENTENCE)


def test_word_timings_are_sums_of_durations() -> None:
    phonemes = Phonemes("ab a", (Word("one", 0, 2), Word("two", 3, 4)))
    durations = np.array([4, 2, 2, 1, 3, 5], np.float32)
    one, two = word_timings(phonemes, durations, -0.05)
    assert (one.word, round(one.start_seconds, 6), round(one.end_seconds, 6)) == ("one", 0.05, 0.15)
    assert (two.word, round(two.start_seconds, 6), round(two.end_seconds, 6)) == ("two", 0.175, 0.25)


@pytest.mark.parametrize(
    ("tag", "found"), [("en-us", "en-US"), ("en", "en-US"), ("fr-FR", "fr"), ("pt", "pt-BR"), ("ja", "ja")]
)
def test_languages_are_found_by_their_tags_in_any_case(tag: str, found: str) -> None:
    assert find_language(tag).tag == found


def test_a_language_that_kokoro_does_not_speak_is_refused_with_those_that_it_does() -> None:
    with pytest.raises(SynthesisError, match=r"'de'.*en-US"):
        Phonemizer().phonemes("Guten Tag", "de")


@pytest.mark.parametrize("tag", ["ja", "zh-CN"])
def test_a_language_that_is_not_installed_names_its_extra(tag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(g2p, "is_installed", lambda language: language.extra is None)
    with pytest.raises(LanguageNotInstalledError, match=r"wyoming-kokoro\[(ja|zh)\]"):
        Phonemizer().phonemes("。", tag)


def test_phonemes_are_made_once_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(text: str) -> Phonemes:
        made.append(text)
        return Phonemes(text)

    def load(_: object) -> Callable[[str], Phonemes]:
        return make

    monkeypatch.setattr(g2p, "_load", load)
    phonemizer = Phonemizer()
    for text in ["first", "first", *map(str, range(g2p.REMEMBERED)), "first"]:
        assert phonemizer.phonemes(text, "en-US").text == text
    assert made.count("first") == 2


def test_what_the_libraries_stumble_over_is_a_fault_of_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_: object) -> Callable[[str], Phonemes]:
        return lambda text: Phonemes(str(1 // len(text[:0])))

    monkeypatch.setattr(g2p, "_load", load)
    with pytest.raises(SynthesisError, match="ZeroDivisionError"):
        Phonemizer().phonemes("Hello", "en-US")


@pytest.fixture(scope="module")
def phonemizer() -> Phonemizer:
    return Phonemizer()


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en-US", "It costs $4.50, I've read.", ["It", "costs", "$4.50", "I've", "read"]),
        ("es", "Es la hora de cenar.", ["Es", "la", "hora", "de", "cenar"]),
        ("fr", "L'eau est très bonne.", ["L'eau", "est", "très", "bonne"]),
        ("hi", "दरवाज़ा खुला है।", ["दरवाज़ा", "खुला", "है"]),
        ("it", "La porta è aperta.", ["La", "porta", "è", "aperta"]),
        ("pt-BR", "A porta está aberta.", ["A", "porta", "está", "aberta"]),
    ],
)
def test_every_language_has_its_phonemes_and_words(phonemizer: Phonemizer, language: str, text: str, words: list[str]) -> None:
    phonemes = phonemizer.phonemes(text, language)
    assert [word.text for word in phonemes.words] == words
    assert phonemes.text.endswith(".")
    assert "" not in [phonemes.text[word.start : word.end] for word in phonemes.words]


# The libraries of the extras are older than the Python that compiles them.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning", "ignore::UserWarning")
@pytest.mark.parametrize(("language", "text"), [("ja", "ドアが開いています。"), ("zh-CN", "门是开着的。")])
def test_languages_of_the_extras_have_phonemes_where_they_are_installed(
    phonemizer: Phonemizer, language: str, text: str
) -> None:
    if not is_installed(find_language(language)):
        pytest.skip(f"the extra for {language} is not installed")
    phonemes = phonemizer.phonemes(text, language)
    assert phonemes.is_speakable
    assert phonemes.text.endswith(".")


def test_homographs_are_told_apart(phonemizer: Phonemizer) -> None:
    past, present = phonemizer.phonemes("I have read it.", "en-US"), phonemizer.phonemes("I will read it.", "en-US")
    assert "ɹˈɛd" in past.text
    assert "ɹˈid" in present.text


def test_british_english_is_another_english(phonemizer: Phonemizer) -> None:
    assert phonemizer.phonemes("The car.", "en-GB").text != phonemizer.phonemes("The car.", "en-US").text


def test_spacy_is_left_as_it_was(phonemizer: Phonemizer) -> None:
    import spacy

    phonemizer.phonemes("Hello.", "en-US")
    assert spacy.load.__module__ == "spacy"
    assert spacy.util.is_package.__module__ == "spacy.util"
