"""How loud each voice speaks, and what makes all of them equally loud where they are heard.

Integrated loudness by ITU-R BS.1770 of two sentences in the voice's own language, in LUFS, as `python -m benchmarks.loudness
--write` measured it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.engine.blend import Blend

TARGET_LUFS = -19.0
"""As loud as speech in podcasts and audio books that are mixed in mono."""

LOUDNESS_LUFS = {
    "af_heart": -22.3,
    "af_alloy": -21.7,
    "af_aoede": -18.0,
    "af_bella": -21.6,
    "af_jessica": -21.9,
    "af_kore": -18.6,
    "af_nicole": -21.4,
    "af_nova": -26.5,
    "af_river": -21.3,
    "af_sarah": -20.7,
    "af_sky": -23.9,
    "am_adam": -18.1,
    "am_echo": -22.0,
    "am_eric": -21.3,
    "am_fenrir": -19.1,
    "am_liam": -21.6,
    "am_michael": -23.2,
    "am_onyx": -22.4,
    "am_puck": -18.6,
    "am_santa": -22.0,
    "bf_alice": -20.4,
    "bf_emma": -19.9,
    "bf_isabella": -17.4,
    "bf_lily": -21.1,
    "bm_daniel": -21.4,
    "bm_fable": -21.8,
    "bm_george": -21.7,
    "bm_lewis": -23.2,
    "ef_dora": -23.9,
    "em_alex": -23.1,
    "em_santa": -23.0,
    "ff_siwis": -19.4,
    "hf_alpha": -16.1,
    "hf_beta": -17.4,
    "hm_omega": -16.4,
    "hm_psi": -18.1,
    "if_sara": -14.6,
    "im_nicola": -19.3,
    "jf_alpha": -19.9,
    "jf_gongitsune": -20.3,
    "jf_nezumi": -20.2,
    "jf_tebukuro": -20.7,
    "jm_kumo": -20.3,
    "pf_dora": -23.3,
    "pm_alex": -22.9,
    "pm_santa": -22.6,
    "zf_xiaobei": -20.4,
    "zf_xiaoni": -18.3,
    "zf_xiaoxiao": -16.6,
    "zf_xiaoyi": -19.2,
    "zm_yunjian": -20.9,
    "zm_yunxi": -21.7,
    "zm_yunxia": -20.9,
    "zm_yunyang": -23.1,
}
"""By voice."""


def gain_of(blend: Blend) -> float:
    """Decibels that bring a voice to `TARGET_LUFS`; a blend's are those of its voices, by their shares."""
    spoken = sum(share * LOUDNESS_LUFS.get(name, TARGET_LUFS) for name, share in blend.shares)
    return round(TARGET_LUFS - spoken, 1)
