"""Python in a browser for tests: Pyodide of npm, and this project's wheel for it.

The wheels of NumPy and OpenCV come from another package of npm, which has repacked them
and is under the AGPL: that will do for tests, and for nothing else. Without npm, the
network at the first time, or ziglang, the tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path

import pytest

import hatch_build as build
from imgpuzzle.files.temporary import locked

PYODIDE = "pyodide@0.29.3"
WHEELS = "@bentopdf/pymupdf-wasm@0.11.16"


@cache
def npm_package(name: str) -> Path:
    """The folder of an unpacked package of npm, which stays for the next run."""
    kept = Path(os.environ["IMGPUZZLE_CACHE_DIR"]) / "npm"
    kept.mkdir(parents=True, exist_ok=True)
    target = kept / name.strip("@").replace("/", "-")
    with locked(kept):
        if not target.exists():
            _unpack(_packed(name, kept), target)
    return target / "package"


def _packed(name: str, folder: Path) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm: apt-get install npm")
    call = [npm, "pack", "--silent", "--pack-destination", str(folder), name]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"npm has no {name} here: {done.stderr.strip()[-200:]}")
    return folder / done.stdout.split()[-1]


def _unpack(packed: Path, target: Path) -> None:
    part = target.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    with tarfile.open(packed) as archive:
        archive.extractall(part, filter="data")
    packed.unlink()
    part.rename(target)


@cache
def pyodide() -> Path:
    """The folder of Pyodide itself."""
    return npm_package(PYODIDE)


@cache
def wheels() -> Path:
    """A folder with wheels of NumPy and OpenCV for it."""
    return npm_package(WHEELS) / "assets"


@cache
def own_wheel(folder: Path) -> Path:
    """This project's wheel for it, made in a folder."""
    pytest.importorskip("ziglang", reason="no ziglang, which makes the kernels")
    call = (sys.executable, "-m", "build", "--no-isolation", "--wheel")
    subprocess.run(
        [*call, "--outdir", str(folder), str(Path(build.__file__).parent)],
        env={**os.environ, build.WHEEL_VARIABLE: "pyodide"},
        check=True,
        capture_output=True,
    )
    (made,) = folder.glob("*.whl")
    return made
