"""The command ``imgpuzzle``, also as ``python -m imgpuzzle``."""

from __future__ import annotations

import gc
import os
import sys

from imgpuzzle import INTERRUPTED, __version__

_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Python's 700 are looked through some sixty times while modules are loaded, none of
which goes: a tenth of a small answer's time."""


def main() -> None:
    """Run the command; Ctrl-C ends it quietly also while it is being loaded."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    try:
        if sys.argv[1:] == ["--version"] and _is_version_told():
            return
        from imgpuzzle.cli import main as command

        command()
    except KeyboardInterrupt:
        # Nothing was begun, and printing may be what was interrupted.
        os.write(2, b"imgpuzzle: interrupted\n")
        raise SystemExit(INTERRUPTED) from None


def _is_version_told() -> bool:
    """Tell it at once; where it cannot be written the command says why."""
    try:
        return os.write(1, f"imgpuzzle {__version__}\n".encode()) > 0
    except OSError:
        return False


if __name__ == "__main__":
    main()
