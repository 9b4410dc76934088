"""One file over HTTP: with progress, resumed where it broke off, tried again, and given up with a clear word."""

from __future__ import annotations

import http.client
import logging
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

_LOGGER = logging.getLogger(__name__)
_BLOCK_BYTES = 1 << 17
_TIMEOUT_SECONDS = 30.0
_PAUSES_SECONDS = (0.5, 2.0, 5.0)
"""Before the second try and the next ones; a try that got anywhere starts them anew."""


def download(
    address: str,
    target: IO[bytes],
    size_bytes: int,
    progress: Callable[[int], None],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Write what lies at `address` to the file, from its beginning; `progress` hears how many bytes are there.

    Raises `EngineUnavailableError` where it can't be had.
    """
    failures = 0
    while target.tell() < size_bytes:
        before = target.tell()
        try:
            _continue(address, target, progress)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in (408, 429):
                raise EngineUnavailableError(f"{address} answers {error.code} {error.reason}") from error
            reason = f"{error.code} {error.reason}"
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
        else:
            reason = "it ended early"
        if target.tell() >= size_bytes:
            break
        failures = 1 if target.tell() > before else failures + 1
        if failures > len(_PAUSES_SECONDS):
            raise EngineUnavailableError(f"can't fetch {address}: {reason}")
        _LOGGER.info("%s: %s; trying again", address, reason)
        pause(_PAUSES_SECONDS[failures - 1])


def _continue(address: str, target: IO[bytes], progress: Callable[[int], None]) -> None:
    """Fetch from where the file ends; start over where the other side can't do that."""
    request = urllib.request.Request(address, headers={"User-Agent": "wyoming-kokoro"})  # noqa: S310  only http(s): `download` is given fixed hubs
    if target.tell():
        request.add_header("Range", f"bytes={target.tell()}-")
    with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310  as above
        if answer.status != http.client.PARTIAL_CONTENT and target.tell():
            target.seek(0)
            target.truncate()
        while block := answer.read(_BLOCK_BYTES):
            target.write(block)
            progress(target.tell())
