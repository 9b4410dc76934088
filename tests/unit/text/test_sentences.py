"""Where texts are cut."""

from __future__ import annotations

import pytest
import sentencex

from wyoming_kokoro.model.recipe import Boundary, Profile
from wyoming_kokoro.text.grouping import Grouping
from wyoming_kokoro.text.sentences import Chunker
from wyoming_kokoro.text.sizes import sizes_of


def cut(text: str, language: str = "en-US", profile: Profile = Profile.BALANCED) -> list[str]:
    chunker = Chunker(language, sizes_of(profile))
    return [piece.text for piece in [*chunker.feed(text), *chunker.finish()]]


WHOLE = [
    ("en-US", "Dr. Patel met Mr. and Mrs. Jones on St. James St. in London."),
    ("en-US", "It is 3.14 or 4,318.50, not 1.000."),
    ("en-US", "J. R. R. Tolkien and J.K. Rowling wrote it."),
    ("en-US", "Use a lamp, e.g. the red one, i.e. that one."),
    ("en-US", "Take cups, plates, etc. and sit down."),
    ("en-US", "Well... dinner is ready."),
    ("en-US", "Get it from shop.example or https://a.example/b.html?c=d.e today."),
    ("en-US", "Open main.py in v2.0.1 now."),
    ("en-US", "The train at 6:02 a.m. Monday is late."),
    ("en-US", "See No. 5 and Fig. 3 on p. 12."),
    ("en-US", '"Really?" he asked.'),
    ("en-US", "She works for the U.S. Army at Acme Inc. Boston."),
    ("en-US", "1. Lock the door."),
    ("es", "El Sr. García y la Dra. Pérez viven en la Av. Central."),
    ("fr-FR", "M. Dupont et Mme. Martin, p. ex. demain."),
    ("it", "Il Sig. Rossi e il Dott. Bianchi arrivano."),
    ("pt-BR", "O Sr. Silva e a Dra. Souza chegaram."),
    ("hi", "डॉ. शर्मा आए।"),
    ("ja", "「はい。」と言った。"),
    ("zh-CN", "价格是3.5元。"),
]

CUT = [
    ("en-US", ["Take cups, etc. ", "Then sit down."]),
    ("en-US", ["She moved to the U.S. ", "Her brother stayed."]),
    ("en-US", ["It was vitamin C. ", "It helps."]),
    ("en-US", ["No. ", "I won't."]),
    ("en-US", ["We met at 5 p.m. ", "Nobody came."]),
    ("en-US", ["1. Lock the door. ", "2. Turn off the lights."]),
    ("en-US", ['He said "Stop." ', "She stopped."]),
    ("en-US", ["(It works.) ", "Good!? ", "Yes."]),
    ("en-US", ["the door is open. ", "please close it."]),
    ("en-US", ["Wait… ", "What is that?"]),
    ("en-US", ["One\n", "two\r\n", "\N{BULLET} three"]),
    ("en-US", ["List:\n", "- milk,\n", "and more…\n", "then Dr.\n", "Patel."]),
    ("fr-FR", ["« Venez à table ! » dit-il. ", "« Oui. » ", "Merci."]),
    ("es", ["¿Qué tal? ", "¡Hola!", "¡Adiós!"]),
    ("hi", ["नमस्ते। ", "आप कैसे हैं? ", "ठीक।"]),
    ("ja", ["はい。", "そうです！", "「行こう。」", "彼は立った。"]),
    ("zh-CN", ["你好！", "请进。", "坐吧？"]),
]


@pytest.mark.parametrize(("language", "text"), WHOLE)
def test_no_sentence_ends_here(language: str, text: str) -> None:
    assert cut(text, language) == [text]


@pytest.mark.parametrize(("language", "expected"), CUT)
def test_sentences_end_here(language: str, expected: list[str]) -> None:
    assert cut("".join(expected), language) == expected


def test_what_cannot_be_spoken_makes_no_piece_of_its_own() -> None:
    assert cut("... Done. 😀! ** Next. ***") == ["... Done. ", "😀! ** Next. ***"]
    assert cut("!?… 😀 \n --") == []


ORDINARY = {
    "en": "The kettle is on. Is anybody home? Yes, we are upstairs! The door is open, and the light is on. Mr. Smith met "
    'Mrs. Jones. The price rose by 3.5 percent. "Are you coming?" she asked. He nodded. She works for Acme Inc. in Boston. '
    "They meet at 9 a.m. every day.",
    "es": "La puerta está abierta. ¿Puedes cerrarla? ¡Gracias! El Sr. García llega mañana. Son las tres.",
    "fr": "Le dîner est prêt. Venez à table ! Est-ce que tout le monde est là ? Oui, nous arrivons.",
    "it": "La cena è pronta. Venite a tavola! Siete tutti qui? Sì, arriviamo.",
    "pt": "O jantar está pronto. Venham para a mesa! Estão todos aqui? Sim, já vamos.",
    "hi": "खाना तैयार है। कृपया मेज पर आइए। क्या सब यहाँ हैं? हाँ, हम आ रहे हैं।",
    "ja": "夕食の準備ができました。テーブルに来てください。みんないますか？はい、今行きます。",
    "zh": "晚饭准备好了。请到餐桌来。大家都在吗？是的，我们来了。",
}


@pytest.mark.parametrize("language", ORDINARY)
def test_ordinary_text_is_cut_as_sentencex_cuts_it(language: str) -> None:
    text = ORDINARY[language]
    oracle = [sentence.strip() for sentence in sentencex.segment(language, text)]
    assert len(oracle) > 3
    assert [sentence.strip() for sentence in cut(text, language)] == oracle


def test_a_long_sentence_is_split_at_a_clause_not_at_the_last_word() -> None:
    text = (
        "When the washing machine in the basement has finished its programme, and nobody has taken the laundry out of it, "
        "it will beep every ten minutes for the rest of the day until somebody comes."
    )
    first, second = cut(text)
    assert first.endswith("out of it, ")
    assert second.startswith("it will beep")


def test_a_long_sentence_without_clauses_is_split_between_words() -> None:
    text = "and then we went on walking for another hour or so " * 8
    pieces = cut(text.strip())
    assert len(pieces) > 2
    assert all(piece.strip() and piece[0] != " " for piece in pieces)
    assert " ".join(piece.strip() for piece in pieces).split() == text.split()


def test_a_word_longer_than_a_piece_is_split_between_characters() -> None:
    assert "".join(cut("पानी" * 100, "hi")) == "पानी" * 100
    assert all(not piece.startswith("ा") and not piece.startswith("ी") for piece in cut("पानी" * 100, "hi"))
    assert len(cut("字" * 200, "zh-CN")) > 3


def test_short_sentences_are_grouped_for_quality_alone() -> None:
    sizes = sizes_of(Profile.QUALITY)
    chunker, grouping = Chunker("en-US", sizes), Grouping(sizes)
    pieces = grouping.feed([*chunker.feed("Hi. It is late. The door is open. " * 6), *chunker.finish()]) + grouping.flush()
    assert 1 < len(pieces) < 9
    assert "".join(piece.text for piece in pieces) == "Hi. It is late. The door is open. " * 6


RELEASED = [
    ("Hello there.", "Hello there."),
    ("Hello there. ", "Hello there."),
    ("Really?", "Really?"),
    ("Milk\n", "Milk"),
    ("はい。", "はい。"),
    ('He said "Stop."', 'He said "Stop."'),
]
KEPT = [
    "Dr.",
    "Mr. ",
    "It is 3.",
    "1.",
    "1. ",
    "U.S. ",
    "J. ",
    "Well...",
    "Hello",
    "e.g.",
    "go to www.shop.",
    "2,",
    "No. ",
    "I have 2 ",
    "",
]


@pytest.mark.parametrize(("text", "released"), RELEASED)
def test_the_rule_of_time_releases_what_stands_before_a_stop(text: str, released: str) -> None:
    chunker = Chunker("en-US", sizes_of(Profile.BALANCED))
    assert chunker.feed(text) == []
    assert [piece.text for piece in chunker.release(clauses=False)] == [released]
    assert chunker.release(clauses=True) == []
    assert not chunker.has_pending


@pytest.mark.parametrize("text", KEPT)
def test_the_rule_of_time_releases_nothing_uncertain(text: str) -> None:
    chunker = Chunker("en-US", sizes_of(Profile.BALANCED))
    assert chunker.feed(text) == []
    assert chunker.release(clauses=True) == []


def test_the_rule_of_time_releases_a_clause_only_when_asked() -> None:
    chunker = Chunker("en-US", sizes_of(Profile.BALANCED))
    chunker.feed("I went home, and the")
    assert chunker.release(clauses=False) == []
    assert chunker.release(clauses=True) == [("I went home, ", Boundary.CLAUSE)]
    assert [*chunker.feed("n slept."), *chunker.finish()] == [("and then slept.", Boundary.SENTENCE)]
