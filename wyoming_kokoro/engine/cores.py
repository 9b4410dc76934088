"""How many cores this process may really use."""

from __future__ import annotations

import math
import os
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def allowed_cores(cgroup: Path = _CGROUP) -> int:
    """Cores that the scheduler allows and the container's quota pays for; at least 1."""
    scheduled = len(os.sched_getaffinity(0))
    quota = _quota(cgroup)
    return scheduled if quota is None else max(1, min(scheduled, math.ceil(quota)))


def _quota(cgroup: Path) -> float | None:
    """Cores' worth of time that the control group grants (version 2, then version 1); None where it grants all."""
    try:
        limit, period = (cgroup / "cpu.max").read_text("ascii").split()
    except (OSError, ValueError):
        try:
            limit = (cgroup / "cpu" / "cpu.cfs_quota_us").read_text("ascii").strip()
            period = (cgroup / "cpu" / "cpu.cfs_period_us").read_text("ascii").strip()
        except OSError:
            return None
    if not limit.isdigit() or not period.isdigit() or int(period) == 0:
        return None
    return int(limit) / int(period)
