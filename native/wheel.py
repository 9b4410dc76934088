"""Hatchling's hook: compiles the library into the wheel, which then fits this platform and any Python."""

from __future__ import annotations

import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))


class Wheel(BuildHookInterface[Any]):
    """Adds the library."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless it is a link to the sources that is asked for."""
        from compiling import LIBRARY, compile_library

        if version == "editable":
            raise RuntimeError("wyoming-kokoro-native is compiled: install it without --editable")
        self._folder = tempfile.TemporaryDirectory()
        library = compile_library(Path(self._folder.name) / LIBRARY)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(library)] = f"wyoming_kokoro_native/{LIBRARY}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was only for the wheel."""
        self._folder.cleanup()
