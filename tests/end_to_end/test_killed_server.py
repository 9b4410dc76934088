"""The whole process group killed at fifty random moments: the journal is held against what was promised."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.torture.kill import Torture


@pytest.mark.timeout(400)
async def test_nothing_accepted_is_lost_or_doubled_over_fifty_kills(tmp_path: Path) -> None:
    torture = Torture(engine="tone", kills=50, seed=3)
    remains = await torture.run(tmp_path)
    assert remains.faults == []
    assert remains.casts >= 50
    assert remains.resumed > 0, "no kill hit a cast in its middle: the moments are badly chosen"
