"""``Journal``: a file of JSON lines that a run adds to, and that is gone on with."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from imgpuzzle.errors import UsageError
from imgpuzzle.files.temporary import writing

SYNC_SECONDS = 1.0
"""How often the disk is made to have the lines: what the power may take at most."""


class Journal:
    """Lines that are there whole or not at all, whoever is killed meanwhile.

    One process adds to it; the file need not be there. What cannot be written is an
    ``OutputError``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced = time.monotonic()

    def add(self, lines: bytes) -> None:
        """Write whole lines, or nothing."""
        with writing(self.path), open(self.path, "ab", buffering=0) as file:
            end = file.tell()
            try:
                while lines:
                    lines = lines[file.write(lines) :]
            except BaseException:
                with contextlib.suppress(OSError):
                    file.truncate(end)
                    if not end:
                        self.path.unlink()
                raise
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                os.fsync(file.fileno())
                self._synced = time.monotonic()

    def note(self, record: object) -> None:
        """Write a record as a line."""
        self.add(json.dumps(record).encode() + b"\n")

    def lines(self) -> Iterator[bytes]:
        """The lines; what a killed process left of a last one is cut off."""
        with contextlib.suppress(FileNotFoundError), open(self.path, "rb") as file:
            whole = 0
            for line in file:
                if not line.endswith(b"\n"):
                    os.truncate(self.path, whole)
                    return
                whole += len(line)
                yield line

    def begun(self, options: Mapping[str, str]) -> Iterator[Any]:
        """The records of a run that goes on; a new one is begun.

        ``options``, by their names, have to be as the first line has them.

        Raises:
            UsageError: For other options, and for a file that holds something else.
        """
        try:
            records = map(json.loads, self.lines())
            head = next(records, None)
            if head is None:
                self.note({"options": dict(options)})
                return
            for name, now in options.items():
                if (was := head["options"].get(name)) != now:
                    raise other(name, now, was)
            yield from records
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if isinstance(error, UsageError):
                raise
            raise UsageError.said(
                "expected results of an earlier run in {name!r}, found something else",
                name=self.path.name,
            ) from None


def other(name: str, found: str | None, known: str | None) -> UsageError:
    """That a run cannot be gone on with: what it was begun with was another."""
    return UsageError.said(
        "expected the file and the options that the run was begun with, found {name} "
        "{found!r} where it had {known!r}",
        name=name,
        found=found or "none",
        known=known or "none",
    )
