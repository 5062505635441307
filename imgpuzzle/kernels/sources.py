"""Where the compiled kernels lie, and what they were compiled from.

Only the standard library is needed here, because ``hatch_build.py`` loads this file;
and little of it, because each cold start does.
"""

from __future__ import annotations

import os
import sys
import zlib

FOLDER = os.path.dirname(__file__)
_SUFFIXES = {"win32": ".dll", "darwin": ".dylib"}


def library_for(platform: str) -> str:
    """The shared library's name on a platform; it lies in this folder."""
    return "compiled" + _SUFFIXES.get(platform, ".so")


LIBRARY = library_for(sys.platform)
CHECKSUM = "compiled.crc32"
"""The file beside it that says what is in it: a library that was cut short is not
refused by the system, it ends the process."""


def units(suffix: str = ".c") -> list[str]:
    """The C files' names, in one order everywhere; none in an installed package."""
    return sorted(name for name in os.listdir(FOLDER) if name.endswith(suffix))


def digest() -> str:
    """The CRC-32 of the sources with their headers and names, in hexadecimal."""
    found = 0
    for name in (*units(), *units(".h")):
        # As text, because git may write other line ends.
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            text = file.read().encode()
        found = zlib.crc32(f"{name} {len(text)}\n".encode() + text, found)
    return f"{found:08x}"


def _checksum(library: str | os.PathLike[str]) -> str:
    with open(library, "rb") as file:
        return f"{zlib.crc32(file.read()):08x}"


def _seal_of(library: str | os.PathLike[str]) -> str:
    return os.path.join(os.path.dirname(library), CHECKSUM)


def seal(library: str | os.PathLike[str]) -> None:
    """Write the checksum beside a library that was just made."""
    with open(_seal_of(library), "w", encoding="ascii") as file:
        file.write(f"{_checksum(library)}\n")


def why_broken(library: str | os.PathLike[str]) -> str | None:
    """What is wrong with a library's file, in a few words; ``None`` if nothing is."""
    if not os.path.isfile(library):
        return "something else" if os.path.exists(library) else "none"
    try:
        with open(_seal_of(library), encoding="ascii") as file:
            if file.read().strip() == _checksum(library):
                return None
    except (OSError, ValueError):
        pass
    return "a damaged one"
