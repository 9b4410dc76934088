"""From file, environment and flags to the tree: what wins, and what each wrong value is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings import Settings, load_settings
from wyoming_kokoro.settings.schema import OPTIONS

DATA = {"data_dir": "/data"}


def options_file(folder: Path, text: str, name: str = "options.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def complaint(folder: Path, text: str, name: str = "options.yaml") -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings(DATA, {}, options_file=options_file(folder, text, name))
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{folder}/{name}: ")


def test_without_any_source_every_option_has_its_default() -> None:
    assert load_settings(DATA, {}) == Settings(data_dir=Path("/data"))


def test_the_data_directory_follows_the_xdg_variable() -> None:
    assert load_settings({}, {"XDG_DATA_HOME": "/srv"}).data_dir == Path("/srv/wyoming-kokoro")


def test_without_the_xdg_variable_the_data_directory_is_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/owner")
    assert load_settings({}, {}).data_dir == Path("/home/owner/.local/share/wyoming-kokoro")


def test_flags_go_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = options_file(tmp_path, "voice: file\nspeed: 0.8\nthreads: 3\nwyoming_lead_ms: 20\n")
    environment = {"WYOMING_KOKORO_VOICE": "environment", "WYOMING_KOKORO_SPEED": "0.9"}
    settings = load_settings({**DATA, "voice": "flag"}, environment, options_file=file)
    assert (settings.engine.voice, settings.engine.speed, settings.engine.threads) == ("flag", 0.9, 3)
    assert settings.wyoming.lead_ms == 20


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    file = options_file(tmp_path, "instance: attic")
    assert load_settings(DATA, {"WYOMING_KOKORO_OPTIONS": str(file)}).instance == "attic"


def test_yaml_and_json_files_mean_the_same(tmp_path: Path) -> None:
    options = {"engine": "tone", "zeroconf": False, "speed": 1, "model_dir": "/models", "wyoming_rate": 48000}
    as_yaml = load_settings(DATA, {}, options_file=options_file(tmp_path, yaml.safe_dump(options)))
    as_json = load_settings(DATA, {}, options_file=options_file(tmp_path, json.dumps(options), "options.json"))
    assert as_yaml == as_json
    assert as_json.engine.model_dir == Path("/models")
    assert (as_json.wyoming.zeroconf, as_json.wyoming.rate) == (False, 48000)


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert load_settings(DATA, {}, options_file=options_file(tmp_path, "# nothing\n")) == Settings(data_dir=Path("/data"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wyoming_lead_ms: soon", "wyoming_lead_ms is the text 'soon', but must be a whole number from 0 to 5000 milliseconds"),
        ("wyoming_lead_ms: '20'", "wyoming_lead_ms is the text '20', but must be a whole number from 0 to 5000 milliseconds"),
        ("wyoming_lead_ms: 5001", "wyoming_lead_ms is the number 5001, but must be a whole number from 0 to 5000 milliseconds"),
        ("threads: true", "threads is true, but must be a whole number from 0 to 256"),
        ("speed: .nan", "speed is the number nan, but must be a number from 0.5 to 2 times the voice's own pace"),
        ("speed: false", "speed is false, but must be a number from 0.5 to 2 times the voice's own pace"),
        ("zeroconf: 1", "zeroconf is the number 1, but must be true or false"),
        ("engine: [onnx]", "engine is a list, but must be one of auto, native, onnx, torch, tone"),
        ("journal:", "journal is empty, but must be one of sqlite, s2, memory"),
        ("instance: {a: 1}", "instance is a mapping, but must be 1 to 32 of a-z, 0-9, _ and -"),
        ("voice: 2026-11-30", "voice is a date, but must be the name of a voice, an alias, or a blend such as"),
        ("model_dir: ''", "model_dir is the text '', but must be the path of a folder"),
        ("wyoming_uri: tcp://0.0.0.0:65536", "wyoming_uri is the text 'tcp://0.0.0.0:65536', but must be tcp://HOST:PORT"),
        (
            "wyoming_rate: 44101",
            "wyoming_rate is the number 44101, but must be one of 16000, 22050, 24000, 44100, 48000 frames",
        ),
    ],
)
def test_a_wrong_value_names_the_key_the_kind_of_the_value_and_what_would_be_right(
    tmp_path: Path, text: str, message: str
) -> None:
    assert complaint(tmp_path, text).startswith(message)


def test_an_unknown_key_is_refused_with_the_nearest_one(tmp_path: Path) -> None:
    assert complaint(tmp_path, "wyoming_led_ms: 3").startswith(
        "there is no option wyoming_led_ms; did you mean wyoming_lead_ms"
    )


def test_an_unknown_key_that_resembles_nothing_is_refused_without_a_guess(tmp_path: Path) -> None:
    assert complaint(tmp_path, "qqqqqq: 3") == "there is no option qqqqqq"


def test_a_key_that_is_no_text_is_refused(tmp_path: Path) -> None:
    assert complaint(tmp_path, "7: 3") == "there is no option 7"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("options.yaml", "- voice", "the options must be a mapping of keys to values, such as voice: af_heart"),
        ("options.yaml", "voice: [", "line 1 is not YAML"),
        ("options.yaml", "voice: \x01", "the file is not YAML"),
        ("options.json", '{"voice": }', "line 1 is not JSON"),
    ],
)
def test_a_file_that_is_no_mapping_is_refused_with_its_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    assert complaint(tmp_path, text, name).startswith(message)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "options.yaml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="utf-8"):
        load_settings(DATA, {}, options_file=path)


def test_a_file_that_is_not_there_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the options can't be read: No such file or directory"):
        load_settings(DATA, {}, options_file=tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(("text", "value"), [("true", True), ("Off", False), ("1", True), ("no", False)])
def test_the_environment_says_yes_and_no_in_words(text: str, value: bool) -> None:
    assert load_settings(DATA, {"WYOMING_KOKORO_STREAMING": text}).wyoming.streaming is value


def test_a_wrong_variable_is_named_as_the_environment_names_it() -> None:
    with pytest.raises(
        SettingsError, match=r"environment: WYOMING_KOKORO_THREADS is the text 'many', but must be a whole number"
    ):
        load_settings(DATA, {"WYOMING_KOKORO_THREADS": "many"})


def test_an_unknown_variable_is_refused_and_other_peoples_are_not_looked_at() -> None:
    assert load_settings(DATA, {"VOICE": "x", "WYOMING_KOKORO_VENV": "/somewhere"}) == Settings(data_dir=Path("/data"))
    with pytest.raises(SettingsError, match="no option WYOMING_KOKORO_VOICES; did you mean WYOMING_KOKORO_VOICE"):
        load_settings(DATA, {"WYOMING_KOKORO_VOICES": "x"})


def test_a_wrong_flag_is_named_as_the_command_line_names_it() -> None:
    with pytest.raises(SettingsError, match="command line: --wyoming-tail-ms is the number -1, but must be"):
        load_settings({"wyoming_tail_ms": "-1"}, {})


def test_a_very_long_value_is_shortened_in_the_sentence(tmp_path: Path) -> None:
    assert len(complaint(tmp_path, f"engine: {'x' * 10_000}")) < 200


def test_every_default_passes_the_schema_unchanged(tmp_path: Path) -> None:
    defaults = {key: option.default for key, option in OPTIONS.items() if option.default is not None}
    file = options_file(tmp_path, yaml.safe_dump(defaults))
    assert load_settings(DATA, {}, options_file=file) == Settings(data_dir=Path("/data"))


@given(st.dictionaries(st.sampled_from(sorted(OPTIONS)), st.text(st.characters(exclude_characters="\0"), max_size=20)))
def test_any_text_in_the_environment_is_taken_or_refused_by_name(texts: dict[str, str]) -> None:
    environment = {f"WYOMING_KOKORO_{key.upper()}": text for key, text in texts.items()}
    try:
        assert isinstance(load_settings({}, environment), Settings)
    except SettingsError as error:
        assert any(name in str(error) for name in environment)
