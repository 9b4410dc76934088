"""Phonemes as people write them, in the International Phonetic Alphabet, and as the model reads them."""

from __future__ import annotations

import re
import unicodedata

SYMBOLS = frozenset(
    "abcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔʣʥʦʨᵻAIOQSTWYᵊˈˌːʰʲ\u0303↓→↗↘ᵝꭧ ,.;:!?—…"
)
"""What the model knows."""

_SPELLINGS = (
    ("t͡ʃ", "ʧ"), ("d͡ʒ", "ʤ"), ("t͡s", "ʦ"), ("d͡z", "ʣ"), ("tʃ", "ʧ"), ("dʒ", "ʤ"), ("eɪ", "A"), ("aɪ", "I"), ("aʊ", "W"),
    ("ɔɪ", "Y"), ("oʊ", "O"), ("əʊ", "Q"), ("ɝ", "ɜɹ"), ("ɚ", "əɹ"), ("ɫ", "l"), ("g", "ɡ"), ("'", "ˈ"), ("ˑ", ""), (".", ""),
    ("͡", ""), ("ʍ", "w"), ("ʉ", "u"), ("ɬ", "l"), ("ɭ", "l"), ("ʀ", "ʁ"), ("ħ", "h"), ("ɦ", "h"), ("ʏ", "y"), ("ɵ", "ɜ"),
    ("ʷ", "w"), ("ˠ", ""), ("̩", ""), ("̯", ""), ("̪", ""), ("̥", ""), ("ˤ", ""),
)  # fmt: skip
_ENGLISH_ONLY = frozenset("AIOQWY")
_ENGLISH_R = re.compile("r")


def model_phonemes(ipa: str, language: str = "en-US") -> str:
    """The model's spelling of phonemes; what it doesn't know is left out. English diphthongs are one symbol to it."""
    text = unicodedata.normalize("NFC", ipa.strip().strip("/[]")).replace("ã", "a\u0303").replace("õ", "o\u0303")
    is_english = language.lower().startswith("en")
    for written, read in _SPELLINGS:
        if is_english or read not in _ENGLISH_ONLY:
            text = text.replace(written, read)
    if is_english:
        text = _ENGLISH_R.sub("ɹ", text)
    return "".join(char for char in text if char in SYMBOLS)


def unknown_symbols(ipa: str) -> str:
    """Those of the symbols that mean nothing to the model."""
    text = unicodedata.normalize("NFC", ipa.strip().strip("/[]"))
    known = SYMBOLS | {char for written, _ in _SPELLINGS for char in written} | {"ã", "õ"}
    return "".join(dict.fromkeys(char for char in text if char not in known))


def is_speakable_ipa(ipa: str) -> bool:
    """Whether the model can say it, and all of it."""
    return not unknown_symbols(ipa) and any(char.isalpha() and char not in "ʰʲˈˌː" for char in model_phonemes(ipa))
