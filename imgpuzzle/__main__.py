"""The command ``imgpuzzle``, also as ``python -m imgpuzzle``."""

from __future__ import annotations

import os

from imgpuzzle import INTERRUPTED

__all__ = ["main"]


def main() -> None:
    """Run the command; Ctrl-C ends it quietly also while it is being loaded."""
    try:
        from imgpuzzle.cli import main as command

        command()
    except KeyboardInterrupt:
        # Nothing was begun, and printing may be what was interrupted.
        os.write(2, b"imgpuzzle: interrupted\n")
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
