"""Writes the table of options into docs/settings.md, between its two marks."""

from __future__ import annotations

import re
from pathlib import Path

from wyoming_kokoro.settings.page import options_table

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
TABLE = re.compile(r"(?<=<!-- options -->\n).*?(?=<!-- /options -->)", re.DOTALL)

PAGE.write_text(TABLE.sub(lambda _: options_table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
