"""Python in a browser for tests: Pyodide of npm, and this project's wheel for it.

The wheels of NumPy and OpenCV come from another package of npm, which has repacked them
and is under the AGPL: that will do for tests, and for nothing else. Without npm, the
network at the first time, or ziglang, the tests are skipped.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from benchmarks.web import wasm
from imgpuzzle.web import static_site


@cache
def npm() -> Path:
    """A folder with Pyodide and wheels for it."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program}")
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("the Python package ziglang is not installed")
    try:
        return wasm.fetched(wasm.cache_folder())
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm does not bring Pyodide: {error}")


@cache
def engine() -> dict[str, bytes]:
    """What a page, or an extension, without a server has more."""
    with tempfile.TemporaryDirectory() as folder:
        own = wasm.wheel(Path(folder))
        wheels = str(npm() / "wheels")
        return static_site.engine_files(
            npm() / "pyodide", wheels, own, accept_others=True
        )
