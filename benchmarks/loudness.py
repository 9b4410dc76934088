"""How loud every voice is, by ITU-R BS.1770, and what the served sound makes of it.

    python -m benchmarks.loudness [--voices NAME ...] [--write]

Every voice says the same things in its own language. `--write` keeps what was measured as the engine's table. The bar is
1 dB between the softest and the loudest as they are served, after gain and limiter.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyloudnorm

from benchmarks.networks import Feeds, ways
from wyoming_kokoro.audio.joins import trim
from wyoming_kokoro.audio.levelling import levelled
from wyoming_kokoro.audio.limiter import limited
from wyoming_kokoro.audio.samples import from_pcm, to_pcm
from wyoming_kokoro.engine import voice_loudness
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.voice_loudness import gain_of
from wyoming_kokoro.engine.voice_table import VOICE_NAMES, language_of
from wyoming_kokoro.engine.voices import blend_of
from wyoming_kokoro.engine.weights import fetch
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.recipe import Boundary

if TYPE_CHECKING:
    from wyoming_kokoro.audio.samples import Samples

TEXTS = {
    "en": (
        "The front door is open, and somebody is standing outside.",
        "Dinner is ready. Everybody should come to the kitchen now.",
        "Tomorrow will be cloudy with a little rain in the afternoon.",
        "Good morning. Your first meeting is at ten, so there is time for breakfast.",
    ),
    "es": (
        "La puerta de la calle está abierta y hay alguien fuera.",
        "La cena está lista. Todos deberían venir ahora a la cocina.",
        "Mañana estará nublado, con un poco de lluvia por la tarde.",
        "Buenos días. La primera reunión es a las diez, así que hay tiempo para desayunar.",
    ),
    "fr": (
        "La porte d'entrée est ouverte et quelqu'un attend dehors.",
        "Le dîner est prêt. Tout le monde devrait venir à la cuisine.",
        "Demain, le ciel sera couvert, avec un peu de pluie dans l'après-midi.",
        "Bonjour. La première réunion est à dix heures, il reste du temps pour le petit déjeuner.",
    ),
    "hi": (
        "सामने का दरवाज़ा खुला है और बाहर कोई खड़ा है।",
        "खाना तैयार है। सब लोग अब रसोई में आ जाएँ।",
        "कल बादल रहेंगे और दोपहर में थोड़ी बारिश होगी।",
        "सुप्रभात। पहली बैठक दस बजे है, इसलिए नाश्ते के लिए समय है।",
    ),
    "it": (
        "La porta d'ingresso è aperta e fuori c'è qualcuno.",
        "La cena è pronta. Adesso dovreste venire tutti in cucina.",
        "Domani sarà nuvoloso, con un po' di pioggia nel pomeriggio.",
        "Buongiorno. La prima riunione è alle dieci, quindi c'è tempo per la colazione.",
    ),
    "ja": (
        "玄関のドアが開いていて、外に誰かが立っています。",
        "夕食の用意ができました。みんな台所に来てください。",
        "明日は曇りで、午後に少し雨が降るでしょう。",
        "おはようございます。最初の会議は十時なので、朝食の時間があります。",
    ),
    "pt": (
        "A porta da frente está aberta e há alguém lá fora.",
        "O jantar está pronto. Todos devem vir para a cozinha agora.",
        "Amanhã o céu estará nublado, com um pouco de chuva à tarde.",
        "Bom dia. A primeira reunião é às dez, então há tempo para o café da manhã.",
    ),
    "zh": (
        "前门开着，外面站着一个人。",
        "晚饭准备好了，请大家现在到厨房来。",
        "明天多云，下午有小雨。",
        "早上好。第一个会议在十点，所以还有时间吃早饭。",
    ),
}
"""By language. The loudness of the first two is kept; the others are there to see how far it holds for something else."""


class Speaking:
    """The fastest way of this machine to hear a voice."""

    def __init__(self) -> None:
        folder = fetch().folder
        self._feeds = Feeds(folder)
        self._network = list(ways(folder))[:3][-1].load()

    def sentences(self, voice: str, which: slice = slice(None)) -> list[Samples]:
        """What that voice says of its texts, trimmed as for a cast."""
        texts = TEXTS[language_of(voice).tag[:2]][which]
        sounds = [self._network.run(self._feeds.feed(text, voice), Stop())[0] for text in texts]
        return [trim(sound, Boundary.SENTENCE, Boundary.SENTENCE).samples for sound in sounds]


def loudness_lufs(sounds: Sequence[Samples]) -> float:
    """Integrated and gated, of all of them together."""
    together = np.concatenate(list(sounds)).astype(np.float64)
    return float(pyloudnorm.Meter(SPEECH.rate).integrated_loudness(together))


def heard(sounds: Sequence[Samples], voice: str) -> list[Samples]:
    """As they are served."""
    gain_db = gain_of(blend_of(voice))
    return [from_pcm(levelled(to_pcm(limited(sound, 1.0)), gain_db)) for sound in sounds]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voices", nargs="*", default=VOICE_NAMES)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    speaking = Speaking()
    raw: dict[str, float] = {}
    served: dict[str, float] = {}
    other: dict[str, float] = {}
    print(f"{'LUFS':<14}{'as spoken':>10}{'as served':>10}{'other text':>11}{'peak':>6}")
    for voice in options.voices:
        sounds = speaking.sentences(voice, slice(2))
        louder, else_ = heard(sounds, voice), heard(speaking.sentences(voice, slice(2, None)), voice)
        raw[voice], served[voice], other[voice] = map(loudness_lufs, (sounds, louder, else_))
        peak = max(float(np.abs(sound).max()) for sound in louder)
        print(f"{voice:<14}{raw[voice]:>10.2f}{served[voice]:>10.2f}{other[voice]:>11.2f}{peak:>6.2f}", flush=True)
    spans = [
        f"{name} {_span(levels):.2f} dB" for name, levels in (("as spoken", raw), ("as served", served), ("other text", other))
    ]
    print(f"between softest and loudest: {', '.join(spans)} (bar, as served: 1 dB)")
    if options.write:
        _write(raw)


def _span(levels: dict[str, float]) -> float:
    return max(levels.values()) - min(levels.values())


def _write(levels: dict[str, float]) -> None:
    """Into the engine's table."""
    lines = [f'    "{voice}": {level:.1f},' for voice, level in levels.items()]
    path = Path(voice_loudness.__file__)
    before, rest = path.read_text(encoding="utf-8").split("LOUDNESS_LUFS = {\n")
    _, after = rest.split("}\n", 1)
    path.write_text("".join([before, "LOUDNESS_LUFS = {\n", "\n".join(lines), "\n}\n", after]), encoding="utf-8")


if __name__ == "__main__":
    main()
