"""Which server is asked, and who gets to see our token."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wyoming_kokoro.cli.server.connecting import casts_of_server, running_server
from wyoming_kokoro.cli.server.place import announced_place, named_place
from wyoming_kokoro.model.errors import RefusedError, ServerError
from wyoming_kokoro.settings import HttpSettings, Settings


def settings_of(data_dir: Path, *, announced: object = None, http: HttpSettings | None = None) -> Settings:
    (data_dir / "api_token").write_text("the-secret-of-this-house\n", encoding="ascii")
    if announced is not None:
        text = announced if isinstance(announced, str) else json.dumps(announced)
        (data_dir / "server.json").write_text(text, encoding="utf-8")
    return Settings(data_dir=data_dir, http=http or HttpSettings())


FACTS = {"http_port": 4711, "version": "0.1.0", "pid": 1}


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:4711"),
        ("::", "http://[::1]:4711"),
        ("192.0.2.7", "http://192.0.2.7:4711"),
    ],
)
def test_the_announced_server_is_asked_where_it_listens_with_its_token(tmp_path: Path, host: str, url: str) -> None:
    place = announced_place(settings_of(tmp_path, announced=FACTS, http=HttpSettings(host=host)))
    assert place is not None
    assert str(place) == url
    assert place.token == "the-secret-of-this-house"


def test_where_none_is_announced_there_is_none(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    assert announced_place(settings) is None
    assert running_server(None, settings) is None
    with pytest.raises(ServerError, match="no server is running on"):
        casts_of_server(None, settings)


@pytest.mark.parametrize("broken", ["", "[]", '{"http_port": "x", "version": "", "pid": 1}', '{"wyoming_port": 1}'])
def test_an_announcement_that_makes_no_sense_is_one_sentence(tmp_path: Path, broken: str) -> None:
    with pytest.raises(ServerError, match="does not say where the server listens"):
        announced_place(settings_of(tmp_path, announced=broken))


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:10210", "the-secret-of-this-house"),
        ("http://[::1]:10210/", "the-secret-of-this-house"),
        ("http://localhost:10210", "the-secret-of-this-house"),
        ("http://127.0.0.1.example:10210", None),
        ("https://voice.example/house", None),
    ],
)
def test_the_token_of_the_house_is_shown_to_this_machine_alone(tmp_path: Path, url: str, told: str | None) -> None:
    place = named_place(url, settings_of(tmp_path))
    assert place.token == told
    assert "secret" not in str(place)


def test_a_token_that_the_options_name_is_shown_to_the_server_that_is_named(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, http=HttpSettings(api_token="another-token-of-16"))
    assert named_place("https://voice.example/house/", settings).token == "another-token-of-16"
    assert named_place("http://localhost", settings_of(tmp_path, http=HttpSettings(api_token="none"))).token is None


def test_an_address_keeps_its_port_and_its_path(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    assert str(named_place("https://voice.example/house/", settings)) == "https://voice.example:443/house"
    assert str(named_place("http://voice.example", settings)) == "http://voice.example:80"


@pytest.mark.parametrize(
    "url", ["localhost:10210", "ftp://localhost", "http://", "http://a:b@localhost", "http://localhost:99999", "http://[::1"]
)
def test_what_is_no_address_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(RefusedError, match="--server: http://HOST:PORT is expected"):
        named_place(url, settings_of(tmp_path))


def test_a_token_file_that_can_not_be_read_is_one_sentence(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    (tmp_path / "api_token").write_bytes(b"\xff")
    with pytest.raises(ServerError, match="holds no token"):
        named_place("http://localhost", settings)
    (tmp_path / "api_token").unlink()
    assert named_place("http://localhost", settings).token is None
    (tmp_path / "api_token").mkdir()
    with pytest.raises(ServerError, match="can't be read"):
        named_place("http://localhost", settings)
