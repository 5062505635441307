"""Where the compiled kernels lie, and what they were compiled from.

Only the standard library is needed here, because ``hatch_build.py`` loads this file.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

__all__ = ["CHECKSUM", "FOLDER", "LIBRARY", "digest", "seal", "units", "why_broken"]

FOLDER = Path(__file__).parent
_SUFFIXES = {"win32": ".dll", "darwin": ".dylib"}
LIBRARY = "compiled" + _SUFFIXES.get(sys.platform, ".so")
"""The shared library's name; it lies in this folder."""
CHECKSUM = "compiled.crc32"
"""The file beside it that says what is in it: a library that was cut short is not
refused by the system, it ends the process."""


def units() -> list[Path]:
    """The C files, in one order everywhere; none in an installed package."""
    return sorted(FOLDER.glob("*.c"))


def digest() -> str:
    """The CRC-32 of the sources with their headers and names, in hexadecimal."""
    found = 0
    for path in (*units(), *sorted(FOLDER.glob("*.h"))):
        # As text, because git may write other line ends.
        text = path.read_text("utf-8").encode()
        found = zlib.crc32(f"{path.name} {len(text)}\n".encode() + text, found)
    return f"{found:08x}"


def seal(library: Path) -> None:
    """Write the checksum beside a library that was just made."""
    library.with_name(CHECKSUM).write_text(f"{zlib.crc32(library.read_bytes()):08x}\n")


def why_broken(library: Path) -> str | None:
    """What is wrong with a library's file, in a few words; ``None`` if nothing is."""
    if not library.is_file():
        return "something else" if library.exists() else "none"
    try:
        sealed = library.with_name(CHECKSUM).read_text("ascii").strip()
        if f"{zlib.crc32(library.read_bytes()):08x}" == sealed:
            return None
    except (OSError, ValueError):
        pass
    return "a damaged one"
