"""NFC in pieces."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from wyoming_kokoro.text.composing import Composer, ends_composition, starts_composition


def _composing_pairs() -> list[tuple[str, str]]:
    """The two halves of every character that NFC composes."""
    pairs = []
    for number in range(sys.maxunicode + 1):
        char = chr(number)
        parts = unicodedata.decomposition(char).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            first, second = (chr(int(part, 16)) for part in parts)
            if unicodedata.normalize("NFC", first + second) == char:
                pairs.append((first, second))
    return pairs


def test_no_character_that_composes_is_taken_for_one_that_does_not() -> None:
    pairs = _composing_pairs()
    assert len(pairs) > 900
    assert [first for first, _ in pairs if ends_composition(first)] == []
    assert [second for _, second in pairs if starts_composition(second)] == []


def test_no_hangul_is_torn() -> None:
    for vowel in "\u1161\u1175\u11a8\u11c2":
        assert not starts_composition(vowel)
    assert not ends_composition("가")


@pytest.mark.parametrize(
    "text", ["cafe\u0301 ole", "e\u0301\u0327\u0301", "\u0301a", "\u1100\u1161\u11a8", "=\u0338", "क\u093c", "a\ud800\u0301"]
)
def test_character_by_character_gives_the_same_as_at_once(text: str) -> None:
    composer = Composer()
    assert "".join([*map(composer.feed, text), composer.finish()]) == unicodedata.normalize("NFC", text)


def test_a_stop_is_never_kept_back() -> None:
    for stop in '.!?…。！？।,;:、 \n"”':
        composer = Composer()
        assert composer.feed(f"a{stop}") == f"a{stop}"
        assert composer.held == ""
