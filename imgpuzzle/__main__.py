"""The command ``imgpuzzle``, also as ``python -m imgpuzzle``."""

from __future__ import annotations

import os

__all__ = ["INTERRUPTED", "main"]

INTERRUPTED = 130
"""The exit status after Ctrl-C. Here, where nothing is loaded that takes time."""


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
