"""Every voice is as loud as the others where it is heard; what is stored is what the engine made."""

from __future__ import annotations

import numpy as np
import pytest

from tests.house import hear, open_house, say
from wyoming_kokoro.audio.levelling import levelled
from wyoming_kokoro.audio.samples import from_pcm
from wyoming_kokoro.engine import voice_loudness
from wyoming_kokoro.engine.blend import Blend
from wyoming_kokoro.engine.voice_loudness import TARGET_LUFS, gain_of
from wyoming_kokoro.engine.voice_table import VOICE_NAMES
from wyoming_kokoro.engine.voices import KokoroVoices, blend_of
from wyoming_kokoro.model.ids import cast_stream
from wyoming_kokoro.model.records import Audio

TEXT = "Somebody is at the door. Please open it."


@pytest.fixture(autouse=True)
def a_quiet_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(voice_loudness.LOUDNESS_LUFS, "af_heart", TARGET_LUFS - 4.0)
    monkeypatch.setitem(voice_loudness.LOUDNESS_LUFS, "af_bella", TARGET_LUFS - 1.0)


async def test_whoever_hears_it_live_and_whoever_comes_later_hear_the_same_louder_sound() -> None:
    async with open_house(voices=KokoroVoices(is_levelled=True)) as house:
        cast_id, live = await say(house, TEXT)
        later = await hear(house, cast_id)
        stored = [each.record for each in await house.shop.log.read(cast_stream(cast_id), 0)]
    raw = [record.body for record in stored if isinstance(record, Audio)]
    assert [piece.pcm for piece in live] == [piece.pcm for piece in later] == [levelled(pcm, 4.0) for pcm in raw]
    assert np.abs(from_pcm(live[0].pcm)).max() > np.abs(from_pcm(raw[0])).max()


async def test_a_part_of_a_cast_sounds_as_it_does_within_the_whole() -> None:
    async with open_house(voices=KokoroVoices(is_levelled=True)) as house:
        cast_id, whole = await say(house, TEXT)
        second = [piece async for piece in house.listening.listen(cast_id, first_index=1)]
    assert [piece.pcm for piece in second] == [piece.pcm for piece in whole[1:]]


def test_a_blend_is_raised_by_the_shares_of_its_voices() -> None:
    assert gain_of(blend_of("af_heart")) == 4.0
    assert gain_of(blend_of("af_heart(2)+af_bella(1)")) == 3.0
    assert gain_of(Blend((("nobody", 1),))) == 0.0


def test_every_voice_was_measured_and_none_needs_more_than_a_limiter_can_hide() -> None:
    assert set(voice_loudness.LOUDNESS_LUFS) == set(VOICE_NAMES)
    assert all(-8 <= gain_of(blend_of(name)) <= 12 for name in VOICE_NAMES)
