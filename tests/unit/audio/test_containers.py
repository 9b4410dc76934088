"""What is served opens everywhere, whole and as it was spoken."""

from __future__ import annotations

import io
import itertools
import struct
import wave
from importlib.metadata import version

import av
import numpy as np
import pytest
import soundfile

from tests.unit.audio.players import PLAYERS, RATE, Sound, by_ffmpeg, by_libsndfile, by_miniaudio, samples, sentence
from wyoming_kokoro.audio.containers import FORMATS, content_length, encoder_version, open_encoder

SENTENCES = [sentence(0.9), sentence(1.31, 220.0, 2), sentence(0.7003, 140.0, 3)]
CAST = b"".join(SENTENCES)
EDGES = np.cumsum([len(each) // 2 for each in SENTENCES])[:-1]
MP3_DELAY = 1105
READERS = [(name, player) for name, players in PLAYERS.items() for player in players]
LIVE_READERS = [each for each in READERS if each != ("flac", by_libsndfile)]


def served(name: str, pieces: list[bytes], total_bytes: int | None = None) -> bytes:
    encoder = open_encoder(name, total_bytes=total_bytes)
    return b"".join([*map(encoder.feed, pieces), encoder.finish()])


def finished(name: str, pieces: list[bytes] = SENTENCES) -> bytes:
    return served(name, pieces, sum(map(len, pieces)))


def aligned(name: str, sound: Sound) -> Sound:
    """Without what the codec itself puts round the sound."""
    begin = MP3_DELAY if name == "mp3" and len(sound) > len(CAST) // 2 else 0
    return sound[begin : begin + len(CAST) // 2]


def noise(original: Sound, copy: Sound) -> float:
    """Energy of the difference, as a part of the sound's."""
    return float(np.sum((original - copy) ** 2) / np.sum(original**2))


def by_name(value: object) -> str:
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize(("name", "player"), READERS, ids=by_name)
def test_a_finished_cast_is_heard_whole_by_every_player(name: str, player: object) -> None:
    assert callable(player)
    heard = aligned(name, player(finished(name)))
    assert len(heard) == len(CAST) // 2
    assert noise(samples(CAST), heard) < (0.05 if name in ("mp3", "opus") else 1e-9)


@pytest.mark.parametrize(("name", "player"), LIVE_READERS, ids=by_name)
def test_a_cast_that_was_served_while_it_was_made_is_heard_whole(name: str, player: object) -> None:
    assert callable(player)
    assert len(aligned(name, player(served(name, SENTENCES)))) == len(CAST) // 2


@pytest.mark.parametrize("total_bytes", [None, len(CAST)], ids=["live", "finished"])
@pytest.mark.parametrize("name", ["flac", "wav"])
def test_flac_and_wav_give_back_the_sound_exactly(name: str, total_bytes: int | None) -> None:
    assert np.array_equal(by_miniaudio(served(name, SENTENCES, total_bytes)), samples(CAST))


def test_mp3_puts_less_than_a_tenth_of_a_second_round_the_sound() -> None:
    assert 0 <= len(by_ffmpeg(finished("mp3"))) - len(CAST) // 2 < RATE // 10


@pytest.mark.parametrize(("name", "player"), READERS, ids=by_name)
def test_sentences_are_joined_without_a_jump(name: str, player: object) -> None:
    assert callable(player)
    heard = player(finished(name))
    assert np.abs(np.diff(heard)).max() < 0.2
    for edge in EDGES + (MP3_DELAY if name == "mp3" else 0):
        around = np.abs(heard[edge - RATE // 50 : edge + RATE // 50])
        assert around.max() < 0.01


@pytest.mark.parametrize("name", FORMATS)
def test_how_the_sound_was_cut_changes_nothing(name: str) -> None:
    tiny = [CAST[start : start + 1998] for start in range(0, len(CAST), 1998)]
    assert finished(name, tiny) == finished(name, [CAST]) == finished(name, [b"", *SENTENCES, b""])


@pytest.mark.parametrize("name", ["mp3", "opus"])
def test_a_live_cast_and_the_finished_one_are_the_same_bytes(name: str) -> None:
    assert served(name, SENTENCES) == finished(name)


def test_the_sizes_in_a_finished_wav_are_exact() -> None:
    file = finished("wav")
    assert struct.unpack_from("<I", file, 4)[0] == len(file) - 8
    assert struct.unpack_from("<I", file, 40)[0] == len(CAST)
    with wave.open(io.BytesIO(file)) as sound:
        assert sound.getnframes() == len(CAST) // 2


def test_a_live_wav_says_that_its_sizes_are_unknown() -> None:
    file = served("wav", SENTENCES)
    assert struct.unpack_from("<I", file, 4) == struct.unpack_from("<I", file, 40) == (0xFFFFFFFF,)
    assert file.count(b"RIFF") == 1
    assert file[44:] == CAST


def test_a_wav_too_long_for_its_header_says_that_its_sizes_are_unknown() -> None:
    begin = open_encoder("wav", total_bytes=0xFFFFFFFE).feed(b"\0\0")
    assert struct.unpack_from("<I", begin, 4) == struct.unpack_from("<I", begin, 40) == (0xFFFFFFFF,)
    largest = open_encoder("wav", total_bytes=0xFFFFFFFE - 36).feed(b"\0\0")
    assert struct.unpack_from("<I", largest, 4)[0] == 0xFFFFFFFE


def test_a_finished_flac_names_its_length_and_can_be_wound() -> None:
    with soundfile.SoundFile(io.BytesIO(finished("flac"))) as flac:
        assert flac.frames == len(CAST) // 2
        flac.seek(RATE)
        assert bytes(flac.buffer_read(100, "int16")) == CAST[2 * RATE : 2 * RATE + 200]


def test_a_live_and_a_finished_flac_differ_only_in_the_number_of_frames() -> None:
    live, whole = served("flac", SENTENCES), finished("flac")
    assert live[:21] == whole[:21]
    assert live[26:] == whole[26:]
    assert int.from_bytes(live[21:26], "big") & (1 << 36) - 1 == 0
    assert int.from_bytes(whole[21:26], "big") & (1 << 36) - 1 == len(CAST) // 2


def test_an_mp3_is_nothing_but_frames_of_one_size() -> None:
    file = finished("mp3")
    heads = [file[start : start + 3] for start in range(0, len(file), 144)]
    assert set(heads) == {bytes.fromhex("fff364")}
    with av.open(io.BytesIO(file), format="mp3") as container:
        assert container.metadata == {}
        assert container.streams[0].codec_context.sample_rate == RATE


def test_an_opus_file_names_its_length() -> None:
    with soundfile.SoundFile(io.BytesIO(finished("opus"))) as opus:
        assert (opus.subtype, opus.frames) == ("OPUS", len(CAST) // 2)


def test_every_page_of_an_opus_file_has_its_right_checksum() -> None:
    """As Ogg defines it, bit by bit."""
    file = finished("opus")
    begins = [begin for begin in range(len(file)) if file[begin : begin + 4] == b"OggS"]
    assert len(begins) >= 4
    for begin, end in itertools.pairwise([*begins, len(file)]):
        register = 0
        for byte in file[begin : begin + 22] + bytes(4) + file[begin + 26 : end]:
            register ^= byte << 24
            for _ in range(8):
                register = (register << 1 ^ (0x04C11DB7 if register >> 31 else 0)) & 0xFFFFFFFF
        assert struct.unpack_from("<I", file, begin + 22)[0] == register


@pytest.mark.parametrize("frames", [0, 1, 575, 576, 577, 1152, 1153, 24_000, 31_337])
@pytest.mark.parametrize("name", ["mp3", "wav"])
def test_the_size_of_mp3_and_wav_is_known_beforehand(name: str, frames: int) -> None:
    assert content_length(name, 2 * frames) == len(finished(name, [CAST[: 2 * frames]]))


@pytest.mark.parametrize("name", ["flac", "opus"])
def test_the_size_of_flac_and_opus_is_known_only_when_they_are_made(name: str) -> None:
    assert content_length(name, 2000) is None


@pytest.mark.parametrize("total_bytes", [None, 0], ids=["live", "finished"])
def test_no_sound_at_all_is_a_file_all_the_same(total_bytes: int | None) -> None:
    assert served("mp3", [], total_bytes) == b""
    assert len(served("wav", [], total_bytes)) == 44
    bare = served("flac", [], total_bytes)
    assert bare[4:8] == b"\x80\0\0\x22"
    assert len(bare) == 42
    assert bare[8:12] + bare[18:21] == finished("flac")[8:12] + finished("flac")[18:21]
    assert served("opus", [], total_bytes).startswith(b"OggS")


@pytest.mark.parametrize("name", FORMATS)
def test_sound_that_breaks_the_promise_about_its_length_is_refused(name: str) -> None:
    short, long = open_encoder(name, total_bytes=400), open_encoder(name, total_bytes=400)
    short.feed(bytes(398))
    with pytest.raises(ValueError, match="398 bytes of sound instead of the 400"):
        short.finish()
    long.feed(bytes(400))
    with pytest.raises(ValueError, match="more than the 400 bytes"):
        long.feed(bytes(2))


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_is_over_takes_nothing_more(name: str) -> None:
    done, dropped = open_encoder(name), open_encoder(name)
    done.feed(CAST)
    done.finish()
    dropped.feed(CAST)
    for encoder in (done, dropped):
        encoder.close()
        encoder.close()
        with pytest.raises(ValueError, match="at its end"):
            encoder.feed(b"\0\0")
        with pytest.raises(ValueError, match="at its end"):
            encoder.finish()


def test_half_a_sample_is_no_sound() -> None:
    for refused in (lambda: open_encoder("mp3").feed(b"\0"), lambda: open_encoder("mp3", total_bytes=-2)):
        with pytest.raises(ValueError, match="no whole number of frames"):
            refused()
    with pytest.raises(ValueError, match="no whole number of frames"):
        content_length("opus", 3)


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="'aac' is not one of mp3, flac, wav, opus"):
        open_encoder("aac")
    with pytest.raises(ValueError, match="'aac' is not one of"):
        content_length("aac", 2)


def test_each_format_names_the_program_behind_its_bytes() -> None:
    assert encoder_version("mp3") == f"lameenc {version('lameenc')}"
    assert encoder_version("flac") == encoder_version("opus") == f"soundfile {soundfile.__version__}"
    assert encoder_version("wav").startswith("wyoming-kokoro ")
    with pytest.raises(ValueError, match="'aac' is not one of"):
        encoder_version("aac")


def test_each_format_is_announced_by_its_media_type() -> None:
    assert {name: served_format.media_type for name, served_format in FORMATS.items()} == {
        "mp3": "audio/mpeg",
        "flac": "audio/flac",
        "wav": "audio/wav",
        "opus": "audio/ogg",
    }
    assert all(name == served_format.name and served_format.is_chunkable for name, served_format in FORMATS.items())
