"""Python in a browser for tests: Pyodide of npm, and this project's wheel for it.

The wheels of NumPy and OpenCV come from another package of npm, which has repacked them
and is under the AGPL: that will do for tests, and for nothing else. That of Pillow is
made from its source, once. Without npm, the network at the first time, or ziglang, the
tests are skipped; those that draw without what ``scripts/pillow_wheel.py`` needs, too.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from benchmarks.web import wasm
from imgpuzzle.files.temporary import locked
from imgpuzzle.web import static_site


@cache
def fetched() -> Path:
    """The folder of Pyodide, ``pyodide``, and of wheels for it, ``wheels``."""
    if shutil.which("npm") is None:
        pytest.skip("no npm: apt-get install npm")
    folder = wasm.cache_folder()
    try:
        with locked(folder):
            return wasm.fetched(folder)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm does not bring Pyodide: {error}")


@cache
def why_no_pillow() -> str:
    """Why there is no wheel of Pillow; empty where there is one beside the others."""
    folder = fetched()
    with locked(folder):
        done = subprocess.run(
            [sys.executable, str(wasm.ROOT / "scripts/pillow_wheel.py")],
            capture_output=True,
            text=True,
        )
    return done.stderr.strip()[-300:] if done.returncode else ""


def own_wheel(factory: pytest.TempPathFactory) -> Path:
    """This project's wheel for it, made once a run, whoever asks first."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("no ziglang, which makes the kernels")
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    made = folder / "wheel-for-browsers"
    with locked(folder):
        found = list(made.glob("*.whl"))
        return found[0] if found else wasm.wheel(made)


def engine(factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a page, or an extension, without a server has more."""
    why_no_pillow()
    wheels = str(fetched() / "wheels")
    own = own_wheel(factory)
    return static_site.engine_files(
        fetched() / "pyodide", wheels, own, accept_others=True
    )
