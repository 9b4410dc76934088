"""Who may use the API: whoever knows the token."""

from __future__ import annotations

import hmac
import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.http.secret_file import read_or_make, read_secret

if TYPE_CHECKING:
    from pathlib import Path

_LOGGER = logging.getLogger(__name__)

FILE_NAME = "api_token"
NO_TOKEN = "none"  # noqa: S105 - the word that asks for no token


class ApiToken:
    """The token in force. One that stands in the data directory may be exchanged there while the server runs."""

    def __init__(self, chosen: str | None, data_dir: Path) -> None:
        """`chosen` is the option: a token, `none`, or None to have one made. Raises `SettingsError`."""
        self._path: Path | None = None
        self._token = chosen or ""
        self._written_ns = 0
        if chosen is None:
            self._path = data_dir / FILE_NAME
            self._token = read_or_make(self._path)
            self._written_ns = self._path.stat().st_mtime_ns

    @property
    def is_asked_for(self) -> bool:
        """Whether anybody has to show it."""
        return self._token != NO_TOKEN or self._path is not None

    def admits(self, authorization: str | None) -> bool:
        """Whether that `Authorization` header lets somebody in."""
        if not self.is_asked_for:
            return True
        self._look_again()
        scheme, _, shown = (authorization or "").partition(" ")
        is_right = hmac.compare_digest(shown.strip().encode("utf-8", "surrogateescape"), self._token.encode())
        return is_right and scheme.lower() == "bearer"

    def _look_again(self) -> None:
        """Take over a token that was written meanwhile; an unreadable or empty file changes nothing."""
        if self._path is None:
            return
        try:
            written_ns = self._path.stat().st_mtime_ns
            if written_ns == self._written_ns:
                return
            self._written_ns = written_ns
            if token := read_secret(self._path):
                self._token = token
                _LOGGER.info("the token of the API was exchanged")
        except (OSError, UnicodeDecodeError) as error:
            _LOGGER.warning("the token of the API can't be read again, the old one stays in force: %s", error)
