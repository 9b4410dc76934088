"""Texts as owners of Home Assistant write them: short durations, dates that follow a verb, times with a dot."""

from __future__ import annotations

import pytest

from wyoming_kokoro.text.spoken import Speaking


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en-US", "The dryer is done in 1h 20m.", "The dryer is done in one hour twenty minutes."),
        ("en-GB", "5m 30s left.", "five minutes thirty seconds left."),
        ("en-US", "The car is 50m away.", "The car is fifty meters away."),
        ("es", "Faltan 2h 5m.", "Faltan dos horas cinco minutos."),
        ("fr", "Encore 1 h 20 m.", "Encore une heure vingt minutes."),
        ("it", "Mancano 2h 20m.", "Mancano due ore venti minuti."),
        ("pt-BR", "Faltam 2h 20m.", "Faltam duas horas vinte minutos."),
        ("hi", "2h 20m बाकी", "दो घंटे बीस मिनट बाकी"),
        ("ja", "残り1h20m", "残り一時間 二十分"),
        ("zh-CN", "还剩1h 20m", "还剩一小时 二十分钟"),
    ],
)
def test_an_m_behind_hours_or_before_seconds_is_minutes(language: str, text: str, said: str) -> None:
    assert Speaking(language).spoken(text) == said


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en-US", "Your package arrives 12/24.", "Your package arrives December twenty-fourth."),
        ("en-US", "Set vol. 35%", "Set volume thirty-five percent"),
        ("it", "Il treno delle 8.15.", "Il treno delle otto e quindici."),
        ("it", "Chiude alle 21.30", "Chiude alle ventuno e trenta"),
        ("it", "nelle 3.500 case", "nelle tremilacinquecento case"),
    ],
)
def test_what_stands_before_a_figure_tells_what_it_is(language: str, text: str, said: str) -> None:
    assert Speaking(language).spoken(text) == said
