"""Where the compiled kernels lie, and what they were compiled from.

Only the standard library is needed here, because ``hatch_build.py`` loads this file.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

__all__ = ["FOLDER", "LIBRARY", "digest", "units"]

FOLDER = Path(__file__).parent
_SUFFIXES = {"win32": ".dll", "darwin": ".dylib"}
LIBRARY = "compiled" + _SUFFIXES.get(sys.platform, ".so")
"""The shared library's name; it lies in this folder."""


def units() -> list[Path]:
    """The C files, in one order everywhere; none in an installed package."""
    return sorted(FOLDER.glob("*.c"))


def digest() -> str:
    """The SHA-256 of the sources with their headers and names, in hexadecimal."""
    sums = hashlib.sha256()
    for path in (*units(), *sorted(FOLDER.glob("*.h"))):
        # As text, because git may write other line ends.
        text = path.read_text("utf-8").encode()
        sums.update(f"{path.name} {len(text)}\n".encode() + text)
    return sums.hexdigest()
