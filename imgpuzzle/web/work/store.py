"""Readings and files: what the server remembers, and forgets again.

They lie in a private temporary folder that goes with the server. Where a server was
killed the next one removes it: whoever lives holds the lock on his folder.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from imgpuzzle.files.temporary import OwnFolder, sweep
from imgpuzzle.web.errors import forgotten
from imgpuzzle.web.settings import Settings

CALLED = "imgpuzzle-web-{}"
"""The folders of servers, in that for temporary files."""


@dataclass(eq=False, slots=True)
class Entry:
    """A folder of the server's own, and how many requests use it now."""

    id: str
    folder: Path
    users: int = 0
    bytes: int = 0

    def weigh(self) -> None:
        """Find out how much lies in the folder."""
        self.bytes = sum(file.stat().st_size for file in self.folder.iterdir())


@dataclass(eq=False, slots=True)
class Record(Entry):
    """A reading: what it was read with, and the answer that describes it.

    ``version`` is that of the answer, ``tries`` counts those that failed as well and
    ``kept`` lists the versions whose files are there, ``stem`` is what guides are
    named after and never the name of a file here. ``helps`` are those to the
    reader, ``corrections`` what a person said afterwards. ``base`` is the file of
    what was read before corrections, ``preview`` the latest picture of a guide to be.
    """

    version: int = 0
    tries: int = 0
    kept: list[int] = field(default_factory=list)
    stem: str = ""
    has_screenshot: bool = False
    has_reference: bool = False
    helps: dict[str, Any] = field(default_factory=dict)
    corrections: list[dict[str, Any]] = field(default_factory=list)
    base: str | None = None
    preview: Entry | None = None
    answer: dict[str, Any] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


_Entry = TypeVar("_Entry", bound=Entry)


class Store:
    """All readings, and the folders of files, in one private temporary directory."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        own = OwnFolder(Path(tempfile.gettempdir()), CALLED, mode=0o700)
        self.root = own.path
        self._entries: dict[str, Entry] = {}
        # Also when the interpreter ends without a word.
        self._remove = weakref.finalize(self, own.remove)

    def new(self, kind: type[_Entry]) -> _Entry:
        """A reading that is still to be made, or a folder for a file; it is in use."""
        # Not the id itself: it may begin with a dash, and file systems fold case.
        folder = self.root / secrets.token_hex(16)
        folder.mkdir()
        return kind(secrets.token_urlsafe(16), folder, users=1)

    def keep(self, entry: Entry) -> None:
        """Remember what is finished, and forget the oldest to make room."""
        entry.weigh()
        self._entries[entry.id] = entry
        self._make_room()

    def drop(self, entry: Entry) -> None:
        """Forget an entry and remove its files."""
        self._entries.pop(entry.id, None)
        shutil.rmtree(entry.folder, ignore_errors=True)

    def record(self, name: object) -> Record:
        """The reading with this id; raises ``ApiError`` with 404."""
        entry = self._entries.get(name) if isinstance(name, str) else None
        if not isinstance(entry, Record):
            raise forgotten("reading")
        # What is in use is forgotten last.
        self._entries[entry.id] = self._entries.pop(entry.id)
        return entry

    def close(self) -> None:
        """Remove everything."""
        self._entries.clear()
        self._remove()

    def _make_room(self) -> None:
        most = self._settings.max_readings
        kept = [one for one in self._entries.values() if isinstance(one, Record)]
        surplus = len(kept) - most
        total = sum(entry.bytes for entry in self._entries.values())
        for entry in list(self._entries.values())[:-1]:
            is_record = isinstance(entry, Record)
            over = total > self._settings.max_stored_bytes
            if entry.users or not (over or (is_record and surplus > 0)):
                continue
            self.drop(entry)
            total -= entry.bytes
            surplus -= is_record


def sweep_left_over() -> None:
    """Remove the folders of servers of this user that were killed."""
    sweep(Path(tempfile.gettempdir()), CALLED)
