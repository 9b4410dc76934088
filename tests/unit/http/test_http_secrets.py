"""Secrets of the data directory, and the token."""

import os
import stat
from pathlib import Path

import pytest

from wyoming_kokoro.frontends.http.api_token import ApiToken
from wyoming_kokoro.frontends.http.secret_file import read_or_make
from wyoming_kokoro.model.errors import SettingsError


def test_a_secret_is_made_once_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "fresh" / "secret"
    secret = read_or_make(path)
    assert len(secret) >= 40
    assert read_or_make(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_or_make(tmp_path / "other") != secret
    assert [each.name for each in path.parent.iterdir()] == ["secret"]


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_is_no_secret(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "secret"
    path.write_bytes(content)
    path.chmod(0o644)
    assert len(read_or_make(path)) >= 40
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_secret_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    with pytest.raises(SettingsError, match="secret can't be used"):
        read_or_make(tmp_path / "secret")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="no text"):
        read_or_make(tmp_path / "binary")


def test_the_token_of_the_data_directory_lets_in_and_nothing_else(tmp_path: Path) -> None:
    token = ApiToken(None, tmp_path)
    written = (tmp_path / "api_token").read_text(encoding="ascii").strip()
    assert token.is_asked_for
    assert token.admits(f"Bearer {written}")
    assert token.admits(f"bearer  {written}")
    for wrong in (None, "", "Bearer", "Bearer ", written, f"Basic {written}", f"Bearer {written}x", "Bearer \udcff"):
        assert not token.admits(wrong)


def test_a_chosen_token_leaves_no_file(tmp_path: Path) -> None:
    token = ApiToken("sixteen-or-longer", tmp_path)
    assert token.admits("Bearer sixteen-or-longer")
    assert not token.admits("Bearer sixteen")
    assert list(tmp_path.iterdir()) == []


def test_none_asks_for_nothing(tmp_path: Path) -> None:
    token = ApiToken("none", tmp_path)
    assert not token.is_asked_for
    assert token.admits(None)
    assert list(tmp_path.iterdir()) == []


def test_a_token_is_exchanged_while_the_server_runs(tmp_path: Path) -> None:
    path = tmp_path / "api_token"
    token = ApiToken(None, tmp_path)
    old = path.read_text(encoding="ascii").strip()
    path.write_text("another-token-for-the-house\n", encoding="ascii")
    os.utime(path, ns=(1, 1))
    assert token.admits("Bearer another-token-for-the-house")
    assert not token.admits(f"Bearer {old}")
    path.write_text("", encoding="ascii")
    os.utime(path, ns=(2, 2))
    assert token.admits("Bearer another-token-for-the-house")
    path.unlink()
    assert token.admits("Bearer another-token-for-the-house")
    path.write_text("none\n", encoding="ascii")
    os.utime(path, ns=(3, 3))
    assert not token.admits(None)
