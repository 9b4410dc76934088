"""What a link to the sound of a cast, or a request for links, says about how it is to be heard. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.audio.chime import FAILURE
from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.presentation import HIGHEST, LOWEST, USUAL, Presentation

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def read_presentation(query: Mapping[str, str], chimes: Collection[str]) -> Presentation:
    """What the parameters of a link, or of a request for links, say; unknown ones are passed over. Raises `RefusedError`."""
    chime = query.get("chime", "")
    if chime and chime not in (*chimes, FAILURE):
        raise RefusedError("chime", f"one of {', '.join(chimes)} is expected")
    is_failure = chime == FAILURE and query.get("repeat") == "0"
    return Presentation(
        first_index=_number(query, "from"),
        chime=chime,
        lead_ms=_number(query, "lead_ms"),
        repeat=0 if is_failure else _number(query, "repeat"),
    )


def _number(query: Mapping[str, str], name: str) -> int:
    text = query.get(name)
    if text is None:
        return int(USUAL[name])
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and LOWEST[name] <= int(text) <= HIGHEST[name]):
        raise RefusedError(name, f"a whole number from {LOWEST[name]} to {HIGHEST[name]} is expected")
    return int(text)
