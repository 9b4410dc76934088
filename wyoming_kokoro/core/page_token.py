"""The opaque token with which a list goes on: the place below which the next page begins."""

from __future__ import annotations

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.position import SeqNum


def parse_page_token(token: str | None) -> SeqNum | None:
    """The place; None for the first page. Raises `RefusedError` for what is no token of ours."""
    if token is None:
        return None
    if not (token.isascii() and token.isdigit() and len(token) < 20):
        raise RefusedError("before", "it is not the token of a page")
    return int(token)
