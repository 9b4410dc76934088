"""Numbers as Prometheus reads them."""

from wyoming_kokoro.core.metrics import Counter, Family, Metrics, Sample
from wyoming_kokoro.frontends.http.prometheus import exposition


def test_every_number_of_the_core_is_shown_under_its_name() -> None:
    metrics = Metrics()
    metrics.count(Counter.hits_total, amount=3)
    lines = exposition(metrics.snapshot()).splitlines()
    assert "# TYPE wyoming_kokoro_hits_total counter" in lines
    assert "wyoming_kokoro_hits_total 3" in lines
    assert any(line.startswith("wyoming_kokoro_first_audio_seconds_bucket{") for line in lines)
    assert 'wyoming_kokoro_first_audio_seconds_bucket{le="+Inf"} 0' in lines


def test_nothing_in_a_label_can_break_the_page() -> None:
    family = Family("x", "gauge", "a\nb\\", (Sample("", (("room", 'a"b\\c\nd'),), 0.5), Sample("", (), float("inf"))))
    assert exposition([family]).splitlines() == [
        "# HELP wyoming_kokoro_x a\\nb\\\\",
        "# TYPE wyoming_kokoro_x gauge",
        'wyoming_kokoro_x{room="a\\"b\\\\c\\nd"} 0.5',
        "wyoming_kokoro_x +Inf",
    ]
