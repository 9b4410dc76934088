"""Writes the tables of options into docs/settings.md, between their marks."""

from __future__ import annotations

import re
from pathlib import Path

from wyoming_kokoro.settings.page import options_table, room_table

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"

text = PAGE.read_text(encoding="utf-8")
for mark, table in (("options", options_table()), ("room", room_table())):
    place = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- /{mark} -->)", re.DOTALL)
    text = place.sub(lambda _, table=table: table, text)
PAGE.write_text(text, encoding="utf-8")
