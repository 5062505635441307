"""Make the program as a folder without Python: ``python scripts/one_folder.py OUT``.

Needs ``pip install pyinstaller`` beside ``imgpuzzle[live]``. ``OUT`` then has the
folder ``imgpuzzle`` with a program of that name, and an archive of it. It is a folder,
and not one file that unpacks itself: virus scanners take those for malware.

The program it makes begins in this file as well. It is the command, and where it is
called as Python is for a worker (``-P -m MODULE``) it runs that module.
"""

from __future__ import annotations

import ctypes.util
import platform
import runpy
import shutil
import sys
from pathlib import Path

LEFT_OUT = ("tkinter", "_tkinter", "distributed", "pyarrow", "av", "matplotlib")
"""What others of its libraries would bring along where it is installed: films, clusters
and windows are asked for by those who have Python."""
OPTIONS = (
    *("--noconfirm", "--clean", "--onedir", "--console", "--name", "imgpuzzle"),
    *("--collect-all", "imgpuzzle", "--copy-metadata", "imgpuzzle"),
    *(word for name in LEFT_OUT for word in ("--exclude-module", name)),
)
XCB = "libxcb.so.1"
"""Screens are looked at with it on Linux, and PyInstaller leaves it to the system."""


def begin() -> None:
    """Be the program."""
    own = Path(sys._MEIPASS)  # type: ignore[attr-defined]
    system = ctypes.util.find_library

    def found(name: str) -> str | None:
        """A library of the system, or else of the folder."""
        of_folder = (str(path) for path in own.glob(f"lib{name}.so.*"))
        return system(name) or next(of_folder, None)

    if sys.platform == "linux":
        ctypes.util.find_library = found
    if sys.argv[1:3] == ["-P", "-m"]:
        module = sys.argv[3]
        sys.argv[1:] = sys.argv[4:]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return
    from imgpuzzle.__main__ import main

    main()


def make(out: Path) -> Path:
    """Make the folder and its archive; returns the archive."""
    from PyInstaller.__main__ import run
    from PyInstaller.depend.bindepend import resolve_library_path

    work = out / "work"
    places = ("--distpath", str(out), "--workpath", str(work), "--specpath", str(work))
    more = (XCB,) if sys.platform == "linux" else ()
    libraries = (f"--add-binary={resolve_library_path(name)}:." for name in more)
    run([*OPTIONS, *places, *libraries, __file__])
    shutil.rmtree(work)
    name = f"imgpuzzle-{sys.platform}-{platform.machine().lower()}"
    # Libraries are linked to each other there; a zip would hold them twice.
    kind = "zip" if sys.platform == "win32" else "gztar"
    return Path(shutil.make_archive(str(out / name), kind, out, "imgpuzzle"))


if __name__ == "__main__":
    if getattr(sys, "frozen", False):
        begin()
    else:
        made = make(Path(sys.argv[1]).absolute())
        print(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
