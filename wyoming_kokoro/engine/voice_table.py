"""The 54 voices of Kokoro-82M v1.0 as data: names, languages, and the names that other programs have for them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One of the nine languages that Kokoro speaks."""

    tag: str
    """BCP-47."""
    title: str
    extra: str | None = None
    """The extra that brings what turns its text into phonemes; None where that always is installed."""
    modules: tuple[str, ...] = ()
    """What that extra installs, by the names of its modules."""


LANGUAGES = {
    "a": Language("en-US", "American English"),
    "b": Language("en-GB", "British English"),
    "e": Language("es", "Spanish"),
    "f": Language("fr", "French"),
    "h": Language("hi", "Hindi"),
    "i": Language("it", "Italian"),
    "j": Language("ja", "Japanese", "ja", ("fugashi", "jaconv", "mojimoji", "unidic_lite")),
    "p": Language("pt-BR", "Brazilian Portuguese"),
    "z": Language("zh-CN", "Mandarin Chinese", "zh", ("cn2an", "jieba", "ordered_set", "pypinyin", "pypinyin_dict")),
}
"""By the first letter of a voice's name; the second tells female from male."""

SEXES = {"f": "female", "m": "male"}

VOICE_NAMES = (
    "af_heart", "af_alloy", "af_aoede", "af_bella", "af_jessica", "af_kore", "af_nicole", "af_nova", "af_river", "af_sarah",
    "af_sky", "am_adam", "am_echo", "am_eric", "am_fenrir", "am_liam", "am_michael", "am_onyx", "am_puck", "am_santa",
    "bf_alice", "bf_emma", "bf_isabella", "bf_lily", "bm_daniel", "bm_fable", "bm_george", "bm_lewis",
    "ef_dora", "em_alex", "em_santa",
    "ff_siwis",
    "hf_alpha", "hf_beta", "hm_omega", "hm_psi",
    "if_sara", "im_nicola",
    "jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo",
    "pf_dora", "pm_alex", "pm_santa",
    "zf_xiaobei", "zf_xiaoni", "zf_xiaoxiao", "zf_xiaoyi", "zm_yunjian", "zm_yunxi", "zm_yunxia", "zm_yunyang",
)  # fmt: skip
"""In the order in which they are offered: by language, the best one of American English first."""

OPENAI_VOICES = {
    "alloy": "af_alloy",
    "ash": "am_michael",
    "ballad": "bm_lewis",
    "cedar": "am_fenrir",
    "coral": "af_bella",
    "echo": "am_echo",
    "fable": "bm_fable",
    "marin": "af_heart",
    "nova": "af_nova",
    "onyx": "am_onyx",
    "sage": "af_sarah",
    "shimmer": "af_sky",
    "verse": "am_puck",
}
"""What a client of OpenAI's speech interface calls a voice, and who answers to it here."""


def language_of(voice: str) -> Language:
    """The language that a single voice was made for."""
    return LANGUAGES[voice[0]]


def short_names() -> dict[str, str]:
    """`heart` for `af_heart`, for every voice whose short name no other voice shares."""
    owners: dict[str, list[str]] = {}
    for voice in VOICE_NAMES:
        owners.setdefault(voice[3:], []).append(voice)
    return {short: voices[0] for short, voices in owners.items() if len(voices) == 1}
