"""The files for Compose, read and held against its schema."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ADDON = Path(__file__).parents[3] / "addon"


def composition(name: str) -> dict[str, Any]:
    """One of them."""
    loaded: dict[str, Any] = yaml.safe_load((ADDON / name).read_text(encoding="utf-8"))
    return loaded


def against_the_schema(name: str) -> subprocess.CompletedProcess[str]:
    """What the checker said."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(ADDON / name)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
