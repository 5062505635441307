"""The compiled library: how it is made, and what is said when it is not there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pyodide_support
import pytest

import hatch_build as build
from benchmarks.web import wasm
from imgpuzzle import goals
from imgpuzzle.core.board import Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.kernels import library, sources

pytestmark = pytest.mark.xdist_group("package")

HARD = uniform(goals.row_major(Shape(4, 4)), seed=0).one_line()


def a_compiler() -> list[str]:
    found = build.find_compiler()
    if found is None:
        pytest.skip("there is no C compiler")
    return found


def test_the_library_was_made_from_the_sources_beside_it() -> None:
    assert len(sources.units()) > 4
    library.load()


@pytest.mark.slow
def test_the_wheel_for_a_browser_is_the_same_twice(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    wheel = pyodide_support.own_wheel(tmp_path_factory)
    assert wasm.wheel(tmp_path).read_bytes() == wheel.read_bytes()
    assert wheel.name.endswith(f"-py3-none-{build.PYODIDE}.whl")
    with zipfile.ZipFile(wheel) as archive:
        found = [one for one in archive.namelist() if "/compiled." in one]
        assert [Path(one).name for one in found] == ["compiled.crc32", "compiled.so"]
        library = archive.read(found[1])
    # A WebAssembly module, from these sources, that is linked when it is loaded.
    assert library.startswith(b"\0asm")
    assert sources.digest().encode() in library
    assert b"dylink.0" in library


def test_a_wheel_for_nobody_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(build.WHEEL_VARIABLE, "amiga")
    with pytest.raises(SystemExit, match="cannot make IMGPUZZLE_WHEEL=amiga"):
        hook().dependencies()
    monkeypatch.setenv(build.WHEEL_VARIABLE, "pyodide")
    assert hook().dependencies() == [build.ZIG]
    with pytest.raises(SystemExit, match="nothing to edit"):
        hook().initialize("editable", {"force_include": {}})


def without_compilers(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(folder))


def hook(target: str = "wheel") -> Any:
    return build.CustomBuildHook("", {}, None, None, "", target)  # type: ignore[arg-type]


def test_without_a_compiler_one_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if build.find_compiler():
        assert hook().dependencies() == []
    without_compilers(monkeypatch, tmp_path)
    assert hook().dependencies() == [build.ZIG]
    assert hook("sdist").dependencies() == []
    # One that is there and makes nothing is none.
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho install the developer tools >&2\nexit 1\n")
    broken.chmod(0o755)
    assert hook().dependencies() == [build.ZIG]
    # One that is named is taken at its word.
    monkeypatch.setenv("CC", "mine -m64")
    assert build.find_compiler() == ["mine", "-m64"]
    assert hook().dependencies() == []


def test_a_build_that_fails_says_what_was_tried_and_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O9")
    with pytest.raises(SystemExit) as failed:
        hook().initialize("standard", {"force_include": {}})
    line = str(failed.value)
    assert "\n" not in line
    assert "tried 'no-such-compiler -O9'" in line
    assert "No such file" in line or "cannot find" in line
    assert "install one" in line
    for named, words in (("true", "it made nothing"), ('gcc "', "cannot read CC=gcc")):
        monkeypatch.setenv("CC", named)
        with pytest.raises(SystemExit, match=words):
            hook().initialize("standard", {"force_include": {}})
    without_compilers(monkeypatch, tmp_path)
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="tried cc, gcc, clang and the Python package"):
        hook().initialize("standard", {"force_include": {}})


@pytest.mark.parametrize(
    "found",
    ["none", "a folder", "cut short", "garbage", "another library", "older"],
)
def test_a_library_that_is_missing_or_wrong(
    found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / sources.LIBRARY
    if found == "a folder":
        path.mkdir()
    elif found == "cut short":
        # The system would load it, and end the process at the first call.
        whole = (Path(sources.FOLDER, sources.LIBRARY)).read_bytes()
        shutil.copyfile(
            Path(sources.FOLDER, sources.CHECKSUM), tmp_path / sources.CHECKSUM
        )
        path.write_bytes(whole[:-4096])
    elif found == "garbage":
        path.write_bytes(b"\x7fELF garbage")
    elif found == "another library":
        code = tmp_path / "other.c"
        code.write_text("int other;\n")
        command = [*a_compiler(), "-shared", "-fPIC", "-o", str(path), str(code)]
        subprocess.run(command, check=True)
        code.unlink()
    elif found == "older":
        shutil.copyfile(Path(sources.FOLDER, sources.LIBRARY), path)
        for unit in sources.units():
            edited = Path(sources.FOLDER, unit).read_bytes() + b"/* edited */\n"
            (tmp_path / unit).write_bytes(edited)
    if found in ("garbage", "another library", "older"):
        sources.seal(path)
    monkeypatch.setattr(sources, "FOLDER", tmp_path)
    with pytest.raises(MissingDependencyError) as refused:
        library.load()
    assert "\n" not in str(refused.value)
    assert "install imgpuzzle again" in str(refused.value)
    expected = {
        "none": "found none",
        "a folder": "found something else",
        "cut short": "found a damaged one",
        "older": "found one made from other sources",
    }
    assert expected.get(found, "found one") in str(refused.value)


def test_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    shutil.copy(Path(sources.FOLDER, sources.LIBRARY), tmp_path)  # nobody looks there
    code = (
        "import sys\n"
        "from imgpuzzle.kernels import sources\n"
        "sources.LIBRARY = 'missing.so'\n"
        "from imgpuzzle.cli import main\n"
        f"main(['solve', '--no-files', '--board', {HARD!r}])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "IMGPUZZLE_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("imgpuzzle: expected the solver's compiled library")
    assert done.stderr.count("\n") == 1
