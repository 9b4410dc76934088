"""What the door says: failures, descriptions, silence round the speech."""

import pytest
from wyoming.error import Error
from wyoming.info import Info

from tests.unit.frontends.fake_house import VOICES, FakeVoices, pcm_of
from wyoming_kokoro import __version__
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.frontends.wyoming.failure import CODES, code_of, error_event, text_of
from wyoming_kokoro.frontends.wyoming.info import InfoPage, info
from wyoming_kokoro.frontends.wyoming.limits import Limits
from wyoming_kokoro.frontends.wyoming.speech import nothing, speech
from wyoming_kokoro.frontends.wyoming.wire import EventDecoder
from wyoming_kokoro.model import errors
from wyoming_kokoro.model.audio import SPEECH, AudioFormat
from wyoming_kokoro.model.voice import Voice
from wyoming_kokoro.settings import WyomingSettings


def every_error(root: type[Exception] = errors.VoiceOfAHouseError) -> list[type[Exception]]:
    return [root, *[kind for child in root.__subclasses__() for kind in every_error(child)]]


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_has_a_code_of_its_own_branch_and_a_readable_text(kind: type[Exception]) -> None:
    error = kind.__new__(kind)
    Exception.__init__(error, "the reason")
    if isinstance(error, errors.RefusedError):
        error.field, error.message = "text", "the reason"
    code = code_of(error)
    assert code != CODES[errors.VoiceOfAHouseError] or kind is errors.VoiceOfAHouseError
    assert "the reason" in text_of(error)
    event = Error.from_event(error_event(error))
    assert (event.text, event.code) == (text_of(error), code)


def test_an_error_without_words_still_says_something() -> None:
    assert text_of(errors.CastCutError())
    assert text_of(errors.VoiceOfAHouseError()) == "internal_error"


def test_a_refused_field_is_named_as_the_protocol_has_it() -> None:
    assert text_of(errors.RefusedError("speed", "0.5 to 2.0 is expected")) == "context.speed: 0.5 to 2.0 is expected"
    assert text_of(errors.RefusedError("text", "it is too long")) == "text: it is too long"


def described(voices: tuple[Voice, ...] = VOICES, *, streaming: bool = True) -> Info:
    return Info.from_event(info(voices, streaming=streaming).event())


def test_every_voice_and_every_other_name_of_one_is_listed_with_its_language() -> None:
    (program,) = described().tts
    assert [(voice.name, voice.languages, voice.installed) for voice in program.voices] == [
        ("af_heart", ["en-US"], True),
        ("heart", ["en-US"], True),
        ("marin", ["en-US"], True),
        ("bm_lewis", ["en-GB"], True),
        ("jf_alpha", ["ja"], False),
    ]
    assert (program.installed, program.version, program.supports_synthesize_streaming) == (True, __version__, True)
    assert not described(streaming=False).tts[0].supports_synthesize_streaming


def test_no_two_voices_have_the_same_label_or_name() -> None:
    twins = (
        Voice(name="a", language="en-US", description="Same", aliases=("b", "c")),
        Voice(name="b", language="en-US", description="Same", aliases=("c",)),
        Voice(name="d", language="en-US"),
    )
    voices = described(twins).tts[0].voices
    assert [voice.name for voice in voices] == ["a", "c", "b", "d"]
    assert len({voice.description for voice in voices}) == len(voices)


def test_the_description_is_written_again_only_when_the_voices_changed() -> None:
    voices = FakeVoices()
    page = InfoPage(voices, streaming=True)
    first = page.encoded()
    assert page.encoded() is first
    voices.voices = VOICES[:1]
    (event,) = EventDecoder(Limits()).receive(page.encoded())
    assert [voice["name"] for voice in event.data["tts"][0]["voices"]] == ["af_heart", "heart", "marin"]


async def heard(*pcm: bytes, **settings: int) -> bytes:
    async def pieces():
        for index, sound in enumerate(pcm):
            yield Piece(index=index, pcm=sound, text="", seq_num=None)

    return b"".join([sound async for sound in speech(pieces(), WyomingSettings(**settings))])


async def test_speech_at_the_models_rate_is_passed_on_untouched() -> None:
    one, two = pcm_of("one"), pcm_of("two" * 90)
    assert await heard(one, b"", two) == one + two


async def test_silence_is_put_round_the_speech() -> None:
    one = pcm_of("one")
    assert await heard(one, one, lead_ms=400, tail_ms=100) == SPEECH.silence(400) + one + one + SPEECH.silence(100)


@pytest.mark.parametrize("rate", [16_000, 22_050, 44_100, 48_000])
async def test_at_another_rate_the_speech_is_as_long_as_before(rate: int) -> None:
    one, two = pcm_of("one"), pcm_of("two" * 90)
    audio = AudioFormat(rate)
    sound = await heard(one, two, rate=rate, lead_ms=100)
    assert sound.startswith(audio.silence(100))
    assert abs(audio.seconds(len(sound)) - 0.1 - SPEECH.seconds(len(one) + len(two))) < 0.001


@pytest.mark.parametrize("pieces", [(), (b"",)])
async def test_a_cast_without_sound_is_a_short_silence(pieces: tuple[bytes, ...]) -> None:
    assert await heard(*pieces, lead_ms=400) == SPEECH.silence(200)
    assert nothing(WyomingSettings(rate=16_000)) == AudioFormat(16_000).silence(200)
