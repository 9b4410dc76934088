"""The household's words and their file."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from wyoming_kokoro.core.languages import languages_of
from wyoming_kokoro.core.lexicon import FILE_NAME, Lexicon
from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import RefusedError, WordNotFoundError
from wyoming_kokoro.settings import WorkSettings
from wyoming_kokoro.text.lexicon import Word, Words
from wyoming_kokoro.text.pipeline import TextPipeline
from wyoming_kokoro.text.spoken import Speaking

if TYPE_CHECKING:
    from pathlib import Path

VOICES = KokoroVoices("af_heart")


def lexicon_in(folder: Path) -> Lexicon:
    return Lexicon(folder, languages_of(VOICES))


def said(text: str, *words: Word, language: str = "en-US") -> str:
    return Speaking(language, words=Words(words)).spoken(text)


SAID = [
    ("Kai met Kaiser.", Word(word="kai", ipa="kaɪ"), "[Kai](/kaɪ/) met Kaiser."),
    ("The SLZ is warm.", Word(word="SLZ", say="bedroom 2"), "The bedroom two is warm."),
    ("Living  room lamp", Word(word="living room", say="lounge"), "lounge lamp"),
    (
        "It is polish polish, Polish.",
        Word(word="Polish", say="from Poland", match_case=True),
        "It is polish polish, from Poland.",
    ),
    ("Use 5G now.", Word(word="5G", say="the fast one"), "Use the fast one now."),
    ("It uses 5 kWh.", Word(word="kilowatt hours", say="units"), "It uses five units."),
    ("C++ rocks", Word(word="C++", say="see plus plus"), "see plus plus rocks"),
]


@pytest.mark.parametrize(("text", "word", "expected"), SAID)
def test_a_word_is_said_as_the_household_says_it(text: str, word: Word, expected: str) -> None:
    assert said(text, word) == expected


def test_words_without_spaces_round_them_are_found_in_chinese() -> None:
    assert said("打开小爱灯", Word(word="小爱", say="小艾"), language="zh-CN") == "打开小艾灯"


def test_a_word_of_another_language_is_left_alone() -> None:
    word = Word(word="chat", say="cat", language="fr")
    assert said("chat", word) == "chat"
    assert said("chat", word, language="fr") == "cat"
    assert said("chat", Word(word="chat", say="talk", language="en")) == "talk"


def test_priority_comes_before_length_and_length_before_the_rest() -> None:
    words = Word(word="hall", say="lobby"), Word(word="hall lamp", say="big light")
    assert said("hall lamp", *words) == "big light"
    assert said("hall lamp", Word(word="hall", say="lobby", priority=1), words[1]) == "lobby lamp"


REFUSED = [
    (Word(word="!!", say="x"), "word"),
    (Word(word="x" * 101, say="x"), "word"),
    (Word(word="x"), "say"),
    (Word(word="x", say="y", ipa="z"), "say"),
    (Word(word="x", say="…"), "say"),
    (Word(word="x", ipa="k5"), "ipa"),
    (Word(word="x", ipa="ˈˌ"), "ipa"),
    (Word(word="x", say="y", language="tlh"), "language"),
    (Word(word="x", say="y", priority=1000), "priority"),
]


@pytest.mark.parametrize(("word", "field"), REFUSED)
def test_a_word_that_cannot_be_spoken_is_refused_with_the_field(tmp_path: Path, word: Word, field: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        lexicon_in(tmp_path).put(word)
    assert refusal.value.field == field
    assert not (tmp_path / FILE_NAME).exists()


def test_words_last_and_are_seen_by_others_at_once(tmp_path: Path) -> None:
    mine, theirs = lexicon_in(tmp_path), lexicon_in(tmp_path)
    assert theirs.words().all == ()
    kept = mine.put(Word(word="  Kai ", ipa="kaɪ", language="EN"))
    assert kept == Word(word="Kai", ipa="kaɪ", language="en")
    assert theirs.words().all == (kept,)
    assert theirs.words() is theirs.words()
    theirs.remove("kai", "en")
    assert mine.words().all == ()
    with pytest.raises(WordNotFoundError):
        mine.remove("kai", "en")


def test_another_reading_of_a_word_is_a_conflict_unless_it_replaces_it(tmp_path: Path) -> None:
    lexicon = lexicon_in(tmp_path)
    lexicon.put(Word(word="Kai", say="kye"), replace=False)
    lexicon.put(Word(word="Kai", say="kye"), replace=False)
    with pytest.raises(RefusedError, match="says 'kye'"):
        lexicon.put(Word(word="kai", say="kay"), replace=False)
    lexicon.put(Word(word="kai", say="kay"))
    assert [word.say for word in lexicon.words().all] == ["kay"]
    with pytest.raises(RefusedError, match="twice"):
        lexicon.put_all([Word(word="a", say="b"), Word(word="A", say="c")])


def test_a_file_that_somebody_broke_leaves_the_words_as_they_were(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lexicon = lexicon_in(tmp_path)
    lexicon.put(Word(word="Kai", say="kye"))
    assert len(lexicon.words().all) == 1
    (tmp_path / FILE_NAME).write_text("words: [{word: x, tone: y}]", encoding="utf-8")
    assert len(lexicon.words().all) == 1
    assert "no such field" in caplog.text
    with pytest.raises(RefusedError):
        lexicon.put(Word(word="b", say="c"))
    assert "tone" in (tmp_path / FILE_NAME).read_text(encoding="utf-8")


def test_many_hands_at_once_lose_no_word(tmp_path: Path) -> None:
    def put(number: int) -> None:
        lexicon_in(tmp_path).put(Word(word=f"word{number}", say="x"))

    threads = [threading.Thread(target=put, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lexicon_in(tmp_path).words().all) == 12


def test_an_entry_changes_the_casts_that_it_touches_and_no_others(tmp_path: Path) -> None:
    lexicon = lexicon_in(tmp_path)
    recipes = Recipes(VOICES, TextPipeline(lexicon.words), WorkSettings(), model=lambda: "m", speed=1.0)
    touched, other = CastRequest(text="Kai is home.", source="t"), CastRequest(text="Kaiser is home.", source="t")
    before = recipes.whole(touched).cast_id, recipes.whole(other).cast_id
    lexicon.put(Word(word="Kai", ipa="kaɪ"))
    after = recipes.whole(touched).cast_id, recipes.whole(other).cast_id
    assert after[0] != before[0]
    assert after[1] == before[1]
    lexicon.remove("Kai")
    assert recipes.whole(touched).cast_id == before[0]


def test_a_house_without_a_folder_keeps_no_words() -> None:
    assert Lexicon().words().all == ()
    with pytest.raises(RefusedError, match="no data directory"):
        Lexicon().put(Word(word="a", say="b"))
    assert Lexicon().words().all == ()
