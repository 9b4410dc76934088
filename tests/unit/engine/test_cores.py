"""How many cores the engine may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wyoming_kokoro.engine.cores import allowed_cores


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))


@pytest.mark.parametrize(
    ("limit", "cores"),
    [("max 100000", 8), ("200000 100000", 2), ("150000 100000", 2), ("10000 100000", 1), ("odd", 8), ("1000000 100000", 8)],
)
def test_a_containers_quota_counts(tmp_path: Path, limit: str, cores: int) -> None:
    (tmp_path / "cpu.max").write_text(limit + "\n")
    assert allowed_cores(tmp_path) == cores


@pytest.mark.parametrize(("quota", "cores"), [("-1", 8), ("300000", 3)])
def test_the_older_kind_of_quota_counts_too(tmp_path: Path, quota: str, cores: int) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert allowed_cores(tmp_path) == cores


def test_without_a_quota_all_cores_of_the_process_are_used(tmp_path: Path) -> None:
    assert allowed_cores(tmp_path) == 8
