"""Where the first piece ends when somebody waits for it."""

from __future__ import annotations

import pytest

from wyoming_kokoro.model.recipe import Boundary, Profile
from wyoming_kokoro.text.sentences import Chunker
from wyoming_kokoro.text.sizes import sizes_of


def cut(text: str, language: str = "en-US", profile: Profile = Profile.LATENCY) -> list[str]:
    chunker = Chunker(language, sizes_of(profile))
    return [piece.text for piece in [*chunker.feed(text), *chunker.finish()]]


OPENED = [
    ("en-US", ["Well, when you get home, ", "please lock the door, too."]),
    ("en-US", ["One two three, ", "four five six, seven eight nine."]),
    ("en-US", ["Here it is: ", "the same text, streamed"]),
    (
        "en-US",
        [
            "This answer is long enough for Home Assistant to start speaking ",
            "before the language model has finished it.",
        ],
    ),
    ("en-GB", ["I would like to tell you ", "that the dinner is ready now, and hot."]),
    ("en-US", ["The lamp in the hall and ten of the other lamps are on ", "and they will stay on till noon."]),
    ("en-US", ["The quick brown fox jumps and he runs away, ", "then he sleeps in the den."]),
    ("es", ["El lavavajillas de la cocina no funciona ", "porque la puerta no está bien cerrada."]),
    ("fr-FR", ["Le repas est presque prêt dans la cuisine ", "mais il faut encore mettre la table."]),
    ("it", ["La lavatrice in cantina ha finito il programma ", "ma nessuno ha tolto il bucato."]),
    ("pt-BR", ["A máquina de lavar terminou o programa ", "mas ninguém tirou a roupa de lá."]),
    ("hi", ["मैं आज बाज़ार नहीं जा सका ", "क्योंकि बाहर बहुत तेज़ बारिश हो रही थी।"]),
    ("ja", ["夕食の準備ができましたので、", "食卓に来てください。"]),
    ("zh-CN", ["晚饭已经准备好了，", "请大家到餐桌来。"]),
]
WHOLE = [
    ("en-US", "the same text, streamed"),
    ("en-US", "Bring cups, plates, etc."),
    ("en-US", "We all went home, and slept."),
    ("en-US", "Yes, yes, yes."),
    ("en-US", "Would you like some red or white wine with your dinner today?"),
    ("en-US", "Would you be able to look after the kids for me this evening?"),
    ("en-US", "The shop is open until late even if it is a holiday today."),
    ("en-US", "I never go because it is so far away from me."),
    ("en-US", "The lamp in the hall is on because you left it."),
    ("en-US", "We waited at the station for the train because nobody came. It was late."),
    ("hi", "नमस्ते, खाना तैयार है।"),
    ("ja", "夕食の準備ができました、はい。"),
    ("zh-CN", "晚饭已经准备好了，来吧。"),
]


@pytest.mark.parametrize(("language", "pieces"), OPENED)
def test_the_first_piece_is_cut_where_one_breathes(language: str, pieces: list[str]) -> None:
    assert cut("".join(pieces), language) == pieces
    assert cut("".join(pieces), language, Profile.BALANCED) == ["".join(pieces)]


@pytest.mark.parametrize(("language", "text"), WHOLE)
def test_a_sentence_stays_whole_where_little_would_follow_or_precede(language: str, text: str) -> None:
    assert "".join(cut(text, language)[:1]).rstrip() == text.partition(" It was")[0]


def test_only_the_first_sentence_is_opened_early() -> None:
    opened = ["When you get home, ", "please lock the door. "]
    assert cut("".join(opened) * 2) == [*opened, "".join(opened)]


def test_a_clause_is_given_as_soon_as_three_words_of_what_follows_begin() -> None:
    chunker = Chunker("en-US", sizes_of(Profile.LATENCY))
    assert chunker.feed("When you get home, please lock ") == []
    assert chunker.feed("t") == [("When you get home, ", Boundary.CLAUSE)]


def test_the_rule_of_time_still_releases_a_clause_whatever_follows() -> None:
    chunker = Chunker("en-US", sizes_of(Profile.LATENCY))
    assert chunker.feed("the same text, stream") == []
    assert chunker.release(clauses=False) == []
    assert chunker.release(clauses=True) == [("the same text, ", Boundary.CLAUSE)]


LONG_WORDS = [
    (f"When you get home, {'a' * 300} it is, then, so.", "When you get home, "),
    (f"The lamp in the {'a' * 120} because we all went home again and slept.", "The lamp in the "),
    (f"The lamp is in my {'a' * 120} because we all went home again and slept.", "The lamp is in my "),
]


@pytest.mark.parametrize(("text", "first"), LONG_WORDS)
def test_a_very_long_word_makes_no_difference_to_how_the_text_arrives(text: str, first: str) -> None:
    chunker = Chunker("en-US", sizes_of(Profile.LATENCY))
    slowly = [piece.text for char in text for piece in chunker.feed(char)] + [piece.text for piece in chunker.finish()]
    assert slowly == cut(text)
    assert slowly[0] == first
