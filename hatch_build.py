"""Compiles the solver's kernels while the package is built.

The C compiler is the one that ``CC`` names, or ``cc``, ``gcc`` or ``clang``, whichever
works first. Where there is none, Zig's comes as a package, for the build alone. The
shared library needs nothing of Python, so one wheel serves all versions of it.

With ``IMGPUZZLE_WHEEL=pyodide`` the wheel is one for Python in a browser, whatever the
system that it is built on; Zig's compiler alone makes that one.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
KERNELS = "imgpuzzle/kernels"
USUAL = ("cc", "gcc", "clang")
X86_64 = ("x86_64", "amd64")
ZIG = "ziglang>=0.13"
FLAGS = ("-std=c11", "-O3", "-g0", "-fvisibility=hidden", "-shared")
WHEEL_VARIABLE = "IMGPUZZLE_WHEEL"
PYODIDE = "pyodide_2025_0_wasm32"
"""The platform of Pyodide's releases with Python 3.13, in a wheel's tag."""
WASM = ("cc", "-target", "wasm32-emscripten", "-fPIC", "-msimd128", "-c")
WASM_LINK = ("wasm-ld", "--experimental-pic", "-shared", "--import-undefined", "-s")
_SECONDS = 300.0
"""For one call of a compiler. Zig's first one takes half a minute on a slow machine."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the library into wheels, and beside its sources for an editable install."""

    def dependencies(self) -> list[str]:
        """What to fetch before the build: a compiler where there is none."""
        if self.target_name != "wheel" or (self._compiler and not is_for_pyodide()):
            return []
        return [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and name the platform in the wheel's tag."""
        if self.target_name != "wheel":
            return
        sources, is_wasm = _sources(), is_for_pyodide()
        if is_wasm and version == "editable":
            _give_up(f"{WHEEL_VARIABLE}=pyodide makes wheels, and nothing to edit")
        self._folder = tempfile.TemporaryDirectory(prefix="imgpuzzle-")
        name = sources.library_for("emscripten") if is_wasm else sources.LIBRARY
        library = Path(self._folder.name, name)
        try:
            if is_wasm:
                compile_wasm(sources, library)
                # The page around it has them already.
                included = self.build_config.force_include
                for path in [one for one in included if "sample_images" in one]:
                    del included[path]
            else:
                compile_library(self._compiler or zig(), sources, library)
        except SystemExit:
            self._folder.cleanup()
            raise
        if version == "editable":
            # Under another name first: somebody may be using the old one.
            own = Path(sources.FOLDER, sources.LIBRARY)
            beside = own.with_name(f"{own.name}.{os.getpid()}.part")
            shutil.copyfile(library, beside)
            beside.replace(own)
            sources.seal(own)
        else:
            sources.seal(library)
            for name in (library.name, sources.CHECKSUM):
                made = str(library.with_name(name))
                build_data["force_include"][made] = f"{KERNELS}/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{PYODIDE if is_wasm else _platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], path: str) -> None:
        """Remove what was only made for the wheel."""
        if self.target_name == "wheel":
            self._folder.cleanup()

    @cached_property
    def _compiler(self) -> list[str] | None:
        return find_compiler()


def find_compiler() -> list[str] | None:
    """The command of a C compiler that works; ``None`` without any.

    One that the user names is taken as it is.
    """
    if named := os.environ.get("CC"):
        try:
            return shlex.split(named)
        except ValueError as error:
            _give_up(f"cannot read CC={named}: {error}")
    for name in USUAL:
        if (found := shutil.which(name)) and _works([found]):
            return [found]
    return None


def is_for_pyodide() -> bool:
    """Whether the wheel that is asked for is one for Pyodide."""
    asked = os.environ.get(WHEEL_VARIABLE, "")
    if asked not in ("", "pyodide"):
        _give_up(f"cannot make {WHEEL_VARIABLE}={asked}; 'pyodide' is known")
    return asked == "pyodide"


def zig() -> list[str]:
    """The command of the C compiler that comes as a package."""
    # Unlike others, it would make code for the very processor that it runs on.
    is_x86 = platform.machine().lower() in X86_64
    return [*_zig(), "cc", f"-mcpu={'x86_64_v2' if is_x86 else 'baseline'}"]


def _zig() -> list[str]:
    if importlib.util.find_spec("ziglang") is None:
        tried = "" if is_for_pyodide() else f"{', '.join(USUAL)} and "
        _give_up(f"tried {tried}the Python package ziglang")
    return [sys.executable, "-m", "ziglang"]


def compile_library(compiler: list[str], sources: ModuleType, library: Path) -> None:
    """Make the shared library, or end with one line that says what helps."""
    flags = [*FLAGS, *_platform_flags(), f'-DDIGEST="{sources.digest()}"']
    # The same bytes wherever the sources lie: they are named as seen from there.
    command = [*compiler, *flags, "-o", str(library), *sources.units()]
    done = _run(command, sources.FOLDER)
    if done is None and not library.is_file():
        done = "it made nothing"
    if isinstance(done, str):
        _give_up(f"tried {shlex.join(compiler)!r}: {done}")


def compile_wasm(sources: ModuleType, library: Path) -> None:
    """Make the library as a side module of Pyodide, or end with what helps.

    No C library is needed: the few of its functions that kernels call are Pyodide's.
    """
    flags = ["-std=c11", "-O3", "-g0", f'-DDIGEST="{sources.digest()}"']
    with tempfile.TemporaryDirectory(prefix="imgpuzzle-") as folder:
        made = [f"{folder}/{unit}.o" for unit in sources.units()]
        calls = [
            [*WASM, *flags, "-o", out, unit]
            for unit, out in zip(sources.units(), made, strict=True)
        ]
        for call in (*calls, [*WASM_LINK, "-o", str(library), *made]):
            # What Zig keeps goes with the folder, and the user's own is not asked.
            wrong = _run([*_zig(), *call], sources.FOLDER, ZIG_GLOBAL_CACHE_DIR=folder)
            if wrong is not None:
                _give_up(f"tried 'ziglang {shlex.join(call)}': {wrong}")


def _platform_flags() -> list[str]:
    flags = [] if sys.platform == "win32" else ["-fPIC"]
    if platform.machine().lower() in X86_64:
        # All processors since 2009 have an instruction that counts bits.
        flags += ["-msse4.2", "-mpopcnt"]
    if sys.platform == "linux":
        flags.append("-Wl,--build-id=none")
    return flags


def _works(compiler: list[str]) -> bool:
    """Whether a compiler makes a shared library; some only tell how to get them."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "try.c").write_text("#include <string.h>\nint one;\n")
        command = [*compiler, "-shared", "-fPIC", "-o", "try.out", "try.c"]
        return _run(command, Path(folder)) is None


def _run(command: list[str], folder: Path, **variables: str) -> str | None:
    """Run a compiler; what went wrong, in a few words."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = (done.stderr or done.stdout).strip().splitlines()
    return next(
        (line for line in lines if "error" in line), *(lines[-1:] or ["failed"])
    )


def _give_up(what: str) -> NoReturn:
    raise SystemExit(
        f"imgpuzzle: no C compiler made the solver's kernels ({what}); install one, "
        "such as Debian's package gcc, or name one with CC=..., or allow the build to "
        f"fetch the Python package {ZIG.partition('>')[0]}"
    )


def _platform() -> str:
    """The platform in the wheel's tag: this one and no other."""
    from packaging.tags import platform_tags

    usual = [one for one in platform_tags() if not one.startswith(("many", "musl"))]
    return usual[0]


def _sources() -> ModuleType:
    path = ROOT / KERNELS / "sources.py"
    spec = importlib.util.spec_from_file_location("imgpuzzle_kernel_sources", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
