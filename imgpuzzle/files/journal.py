"""``Journal``: a file of JSON lines that work adds to, and that is gone on with."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from imgpuzzle.files.temporary import cut_half_line, locked


class Journal:
    """Lines that are there whole or not at all, whoever is killed meanwhile.

    Any number of processes may add to it: whoever does holds a lock, and cuts off what
    one that was killed left half-written. All of it raises ``OSError``.

    Args:
        path: The file, which need not be there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, lines: bytes) -> None:
        """Write whole lines, or nothing."""
        with open(self.path, "a+b", buffering=0) as file, locked(self.path):
            end = cut_half_line(file.fileno())
            try:
                while lines:
                    lines = lines[file.write(lines) :]
            except BaseException:
                with contextlib.suppress(OSError):
                    file.truncate(end)
                raise

    def mend(self) -> None:
        """Cut off what a killed process left of a last line."""
        if self.path.exists():
            self.add(b"")

    def lines(self, start: int = 0) -> Iterator[bytes]:
        """The whole lines from a place on, counted in bytes."""
        with contextlib.suppress(FileNotFoundError), open(self.path, "rb") as file:
            file.seek(start)
            for line in file:
                if line.endswith(b"\n"):  # or it is being written
                    yield line

    def records(self) -> Iterator[Any]:
        """What the lines hold; raises ``ValueError`` where one is no JSON."""
        return map(json.loads, self.lines())

    def sync(self) -> None:
        """Let the disk have all lines that were added so far."""
        with open(self.path, "rb") as file:
            os.fsync(file.fileno())
