"""The command ``imgpuzzle``, also as ``python -m imgpuzzle``."""

from __future__ import annotations

import gc
import os
import sys

from imgpuzzle import INTERRUPTED, __version__, help_text

_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Python's 700 are looked through some sixty times while modules are loaded, none of
which goes: a tenth of a small answer's time."""


def main() -> None:
    """Run the command; Ctrl-C ends it quietly also while it is being loaded."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    try:
        if _is_told(sys.argv[1:]):
            return
        from imgpuzzle.cli import main as command

        command()
    except KeyboardInterrupt:
        # Nothing was begun, and printing may be what was interrupted.
        os.write(2, b"imgpuzzle: interrupted\n")
        raise SystemExit(INTERRUPTED) from None
    finally:
        # Python looks through all objects twice more before it ends.
        gc.freeze()


def _is_told(asked: list[str]) -> bool:
    """Tell what needs no command at once; where that fails the command says why."""
    if asked == ["--version"]:
        text = f"imgpuzzle {__version__}\n"
    elif asked in (["--help"], ["-h"]):
        text = help_text()
    else:
        return False
    try:
        return os.write(1, text.encode()) > 0
    except OSError:
        return False


if __name__ == "__main__":
    main()
