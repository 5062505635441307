"""Pattern-database tables on disk: built once, then kept in the user's cache.

A cache may cost time and never anything else. What is found there is believed
only when its checksum, name and size are right, and where nothing can be read or
written the tables are simply built.

A file is a header of 256 bytes, little-endian, and the table::

    offset  bytes
         0      8   magic
         8      4   version of the format
        12      4   CRC-32 of the table
        16      8   size of the table in bytes
        24    160   its name in ASCII, then zeros up to 252
       252      4   CRC-32 of the 252 bytes before
       256          the table

A file is replaced and removed as a whole, and never written to.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from imgpuzzle.errors import UsageError

CACHE_VARIABLE = "IMGPUZZLE_CACHE_DIR"
"""The environment variable that names another folder for all that is kept."""

HEADER_BYTES = 256
WAIT_SECONDS = 60.0
"""How long to wait for a table that another process is building."""

State = Literal["good", "damaged", "other version", "foreign"]

_MAGIC = b"\x89IMGPZL\n"
_VERSION = 1
_HEADER = struct.Struct("<8sIIQ160s68xI")
assert _HEADER.size == HEADER_BYTES
_CHECKED = _HEADER.size - 4
_CHUNK_BYTES = 1 << 20

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,159}"
_TABLE, _LOCK = ".table", ".lock"
_OWN = re.compile(rf"(?P<name>{_NAME})(?P<kind>\.table|\.lock)")

_LOOK_SECONDS = 0.1
"""How long one waits for a lock without looking up."""


class StoredTable(NamedTuple):
    """A file of the store: ``size_bytes`` on disk, header included, and its state.

    Only ``"good"`` tables are ever used. ``"damaged"`` is cut off, altered or
    renamed, ``"other version"`` comes from another release, and ``"foreign"``
    does not begin like a table at all.
    """

    name: str
    path: Path
    size_bytes: int
    state: State


class _Header(NamedTuple):
    name: str
    size: int  # in bytes, without the header
    checksum: int

    def pack(self) -> bytes:
        fields = (_MAGIC, _VERSION, self.checksum, self.size, self.name.encode())
        start = _HEADER.pack(*fields, 0)[:_CHECKED]
        return start + struct.pack("<I", zlib.crc32(start))

    @classmethod
    def parse(cls, data: bytes) -> _Header | State:
        """The header that ``data`` is, or the state of a file that begins so."""
        if not _MAGIC.startswith(data[: len(_MAGIC)]):
            return "foreign"
        if len(data) < _HEADER.size:
            return "damaged"
        _, version, checksum, size, name, own_checksum = _HEADER.unpack(data)
        # First, because another version may keep its checksum elsewhere.
        if version != _VERSION:
            return "other version"
        if zlib.crc32(data[:_CHECKED]) != own_checksum:
            return "damaged"
        return cls(name.rstrip(b"\0").decode("latin-1"), size, checksum)


class TableStore:
    """Tables of bytes by name, each in a file of its own.

    ``directory`` is by default the sub-folder ``tables`` of ``cache_directory()``.
    It is made when it is needed, and any number of processes may share it.
    """

    def __init__(self, directory: Path | None = None) -> None:
        if directory is None:
            directory = cache_directory() / "tables"
        self.directory = directory

    def has(self, name: str, size: int) -> bool:
        """Whether a file of that name and size is there, unread; nothing is sure."""
        try:
            return self._path(name, size).stat().st_size == _HEADER.size + size
        except OSError:
            return False

    def load(
        self, name: str, size: int, out: memoryview | None = None
    ) -> memoryview | None:
        """The table ``name`` of ``size`` bytes if it is stored whole, else ``None``.

        What is returned is for reading alone, and no file is kept open. It is read into
        ``out``, of as many bytes, if that is given.
        Raises ``UsageError`` for a name that no table can have.
        """
        path = self._path(name, size)
        try:
            # Opening a named pipe would wait for its other end.
            if not path.is_file():
                return None
            with path.open("rb") as file:
                header = _Header.parse(file.read(_HEADER.size))
                if (
                    not isinstance(header, _Header)
                    or (header.name, header.size) != (name, size)
                    or os.fstat(file.fileno()).st_size != _HEADER.size + size
                ):
                    return None
                table = memoryview(bytearray(size)) if out is None else out
                if file.readinto(table) != size:
                    return None
        except OSError:
            return None
        return None if zlib.crc32(table) != header.checksum else table.toreadonly()

    def get(
        self,
        name: str,
        size: int,
        build: Callable[[], bytes | bytearray | memoryview],
        *,
        out: memoryview | None = None,
        wait_seconds: float = WAIT_SECONDS,
        look: Callable[[], None] | None = None,
    ) -> memoryview:
        """The stored table, or the one that ``build`` returns, which is then stored.

        A stored one is read into ``out`` if that is given, and ``build`` has to build
        there.

        Of several processes that want the same table one builds and the others
        wait for it, but not longer than ``wait_seconds``: then they build too. What
        ``look``, called while they wait, raises is passed on.
        What is returned is for reading alone, stored or built. What ``build``, which
        returns ``size`` bytes, raises is passed on. Raises ``UsageError`` for a name
        that no table can have.
        """
        table = self.load(name, size, out)
        if table is not None:
            return table
        with self._locked(name, wait_seconds, look):
            # Another process may have saved it meanwhile, also a third one
            # while the holder of the lock is stuck.
            table = self.load(name, size, out)
            if table is None:
                table = memoryview(build()).toreadonly()
                self._save(name, table)
        return table

    def entries(self) -> list[StoredTable]:
        """What is stored, in order of the names; every checksum is tried."""
        entries = []
        for name, kind, path in self._own_names():
            if kind == _TABLE:
                size, state = _examine(path, name)
                entries.append(StoredTable(name, path, size, state))
        return sorted(entries, key=lambda entry: entry.name)

    def clear(self) -> tuple[int, int]:
        """Remove all tables; return how many there were and how many bytes.

        With them go what processes that ended early left behind, but not what is in
        use. Files that this class did not write stay, also under the name of a table.
        What cannot be removed stays too.
        """
        from imgpuzzle.files.temporary import locked, sweep

        sweep(self.directory)
        count = size_bytes = 0
        for _, kind, path in self._own_names():
            with contextlib.suppress(OSError):
                if kind == _LOCK and _is_own_lock(path):
                    with locked(path, waits=False):
                        path.unlink()
                elif kind == _TABLE and _is_own_table(path):
                    size = path.stat().st_size
                    path.unlink()
                    count, size_bytes = count + 1, size_bytes + size
        return count, size_bytes

    def _path(self, name: str, size: int) -> Path:
        if not re.fullmatch(_NAME, name):
            raise UsageError(
                "expected a table's name of up to 160 letters, digits, '.', '_' "
                f"and '-' that begins with a letter or digit, found {name[:200]!r}"
            )
        if size < 1:
            raise UsageError(f"expected a table of at least 1 byte, found {size}")
        return self.directory / f"{name}{_TABLE}"

    def _own_names(self) -> Iterator[tuple[str, str, Path]]:
        """Table name, kind and path of every file that is called like one of ours."""
        try:
            paths = list(self.directory.iterdir())
        except OSError:
            return
        for path in paths:
            if match := _OWN.fullmatch(path.name):
                yield match["name"], match["kind"], path

    @contextlib.contextmanager
    def _locked(
        self, name: str, seconds: float, look: Callable[[], None] | None
    ) -> Iterator[None]:
        """Hold the lock of a table, if it comes free in time and there can be one.

        The caller goes on in any case. The lock's file is removed at the end: it does
        no harm that the next lock is another file, because everybody looks for the
        table once more before building it.
        """
        from imgpuzzle.files.temporary import locked

        path = self.directory / f"{name}{_LOCK}"
        ends_at = time.monotonic() + seconds
        with contextlib.ExitStack() as held:
            while True:
                try:
                    self.directory.mkdir(parents=True, exist_ok=True)
                    if not os.path.lexists(path):
                        path.touch()
                    if _is_own_lock(path):
                        held.enter_context(locked(path, waits=False))
                        held.callback(path.unlink, missing_ok=True)
                    break
                except BlockingIOError:
                    if time.monotonic() >= ends_at:
                        break
                except OSError:
                    break
                time.sleep(_LOOK_SECONDS)
                if look is not None:
                    look()
            yield

    def _save(self, name: str, table: memoryview) -> None:
        """Write a table, whole or not at all; failing is no error."""
        from imgpuzzle.files.temporary import replacing

        header = _Header(name, table.nbytes, zlib.crc32(table))
        path = self.directory / f"{name}{_TABLE}"
        with contextlib.suppress(OSError):
            if path.is_symlink() or not path.is_file():
                path.unlink(missing_ok=True)  # a link, whose file is another's; a pipe
            with replacing(path) as file:
                file.write(header.pack())
                file.write(table)


def cache_directory() -> Path:
    """The folder for everything that is kept between runs; it need not exist.

    That is ``IMGPUZZLE_CACHE_DIR`` if it is set, otherwise the user's cache folder.
    """
    with contextlib.suppress(OSError, RuntimeError):
        if chosen := os.environ.get(CACHE_VARIABLE):
            return Path(os.path.abspath(chosen))
        from platformdirs import user_cache_dir

        folder = Path(user_cache_dir("imgpuzzle", appauthor=False))
        if folder.is_absolute():
            return folder
    # No home, or no current folder: nothing can be made below this and is kept.
    return Path(os.devnull) / "imgpuzzle"


def _examine(path: Path, name: str) -> tuple[int, State]:
    """Size in bytes and state of a file; reads all of it, a piece at a time."""
    size = 0
    try:
        if path.is_symlink() or not path.is_file():
            return path.lstat().st_size, "foreign"
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            header = _Header.parse(file.read(_HEADER.size))
            if not isinstance(header, _Header):
                return size, header
            if header.name != name or size != _HEADER.size + header.size:
                return size, "damaged"
            checksum = 0
            while chunk := file.read(_CHUNK_BYTES):
                checksum = zlib.crc32(chunk, checksum)
    except OSError:
        return size, "damaged"
    return size, "good" if checksum == header.checksum else "damaged"


def _is_own_table(path: Path) -> bool:
    """Whether a file that is called like a table begins like one, as far as it goes."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return _MAGIC.startswith(file.read(len(_MAGIC)))


def _is_own_lock(path: Path) -> bool:
    """Whether it is a lock's file: those are empty, and no links."""
    status = path.lstat()
    return stat.S_ISREG(status.st_mode) and not status.st_size
