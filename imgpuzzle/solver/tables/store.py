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
import secrets
import stat
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from imgpuzzle.errors import UsageError

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = [
    "CACHE_VARIABLE",
    "HEADER_BYTES",
    "SMALLEST_STORED",
    "WAIT_SECONDS",
    "Entry",
    "TableStore",
    "cache_directory",
]

CACHE_VARIABLE = "IMGPUZZLE_CACHE_DIR"
"""The environment variable that names another folder for all that is kept."""

HEADER_BYTES = 256
SMALLEST_STORED = 100_000
"""In bytes; less is built sooner than read."""
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
# "~" is in no name, so that the files of one table are not taken for another's.
_OWN = re.compile(rf"(?P<name>{_NAME})(?P<kind>\.table|\.lock|~[0-9a-f]{{8}}\.tmp)")

_LOOK_SECONDS = 0.1
"""How long one waits for a lock without looking up."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the store: ``size_bytes`` on disk, header included, and its state.

    Only ``"good"`` tables are ever used. ``"damaged"`` is cut off, altered or
    renamed, ``"other version"`` comes from another release, and ``"foreign"``
    does not begin like a table at all.
    """

    name: str
    path: Path
    size_bytes: int
    state: State


@dataclass(frozen=True, slots=True)
class _Header:
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
        self, name: str, size: int, out: npt.NDArray[np.uint8] | None = None
    ) -> npt.NDArray[np.uint8] | None:
        """The table ``name`` of ``size`` bytes if it is stored whole, else ``None``.

        The array is one-dimensional, uint8, read-only and no file is kept open. It is
        read into ``out`` (size, uint8) if that is given.
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
                table = np.empty(size, np.uint8) if out is None else out
                if file.readinto(table.data) != size:
                    return None
        except OSError:
            return None
        return None if zlib.crc32(table.data) != header.checksum else _closed(table)

    def get(
        self,
        name: str,
        size: int,
        build: Callable[[], npt.NDArray[np.uint8]],
        *,
        out: npt.NDArray[np.uint8] | None = None,
        wait_seconds: float = WAIT_SECONDS,
        look: Callable[[], None] | None = None,
    ) -> npt.NDArray[np.uint8]:
        """The stored table, or the one that ``build`` returns, which is then stored.

        A stored one is read into ``out`` if that is given, and ``build`` has to build
        there.

        Of several processes that want the same table one builds and the others
        wait for it, but not longer than ``wait_seconds``: then they build too. What
        ``look``, called while they wait, raises is passed on.
        The array is one-dimensional, uint8 and read-only, stored or built. What
        ``build`` raises is passed on. Raises ``UsageError`` for a name that no
        table can have and when ``build`` returns anything but ``size`` bytes.
        """
        table = self.load(name, size, out)
        if table is not None:
            return table
        with self._locked(name, wait_seconds, make=True, look=look) as locked:
            # Another process may have saved it meanwhile, also a third one
            # while the holder of the lock is stuck.
            table = self.load(name, size, out)
            if table is None:
                if locked:
                    self._remove_temporary(name)
                table = _checked(build(), name, size)
                self._save(name, table)
        return table

    def entries(self) -> list[Entry]:
        """What is stored, in order of the names; every checksum is tried."""
        entries = []
        for name, kind, path in self._own_names():
            if kind == _TABLE:
                size, state = _examine(path, name)
                entries.append(Entry(name, path, size, state))
        return sorted(entries, key=lambda entry: entry.name)

    def clear(self) -> tuple[int, int]:
        """Remove all tables; return how many files and how many bytes went.

        With them go the temporary and lock files of processes that ended early,
        but not those in use. Files that this class did not write stay, also under
        the name of a table. What cannot be removed stays too.
        """
        ours: dict[str, list[tuple[str, Path]]] = {}
        for name, kind, path in self._own_names():
            if _is_ours(path, kind):
                ours.setdefault(name, []).append((kind, path))
        removed = [0, 0]
        for name, files in ours.items():
            with self._locked(name, 0, make=False) as locked:
                for kind, path in files:
                    if kind == _TABLE or locked is not False:
                        _remove(path, removed)
        return removed[0], removed[1]

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
        self,
        name: str,
        seconds: float,
        *,
        make: bool,
        look: Callable[[], None] | None = None,
    ) -> Iterator[bool | None]:
        """Hold the lock of a table; yields whether it is held.

        ``False`` means that another process has it and ``None`` that there can be
        no lock here; the caller goes on in either case. The lock's file is removed
        at the end: it does no harm that the next lock is another file, because
        everybody looks for the table once more before building it.
        """
        from filelock import FileLock, Timeout

        path = self.directory / f"{name}{_LOCK}"
        held: bool | None = None
        try:
            if make:
                self.directory.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path)
            if not _is_foreign_lock(path):
                _acquire(lock, seconds, look)
                held = True
        except Timeout:
            held = False
        except (OSError, NotImplementedError):
            pass
        try:
            yield held
        finally:
            if held:
                for action in (path.unlink, lock.release):
                    with contextlib.suppress(OSError):
                        action()

    def _remove_temporary(self, name: str) -> None:
        """Remove what was left of a table by processes that ended while saving it.

        Only for the holder of the lock; who saves without it may lose a file.
        """
        for other, kind, path in self._own_names():
            if other == name and kind.startswith("~") and _is_ours(path, kind):
                _remove(path, [0, 0])

    def _save(self, name: str, table: npt.NDArray[np.uint8]) -> None:
        """Write a table to a temporary name and rename it; failing is no error."""
        temporary = self.directory / f"{name}~{secrets.token_hex(4)}.tmp"
        header = _Header(name, table.size, zlib.crc32(table.data))
        with contextlib.suppress(OSError):
            try:
                with temporary.open("xb") as file:
                    file.write(header.pack())
                    file.write(table.data)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(self.directory / f"{name}{_TABLE}")
            except BaseException:
                # Ctrl-C must not leave the temporary file behind either.
                with contextlib.suppress(OSError):
                    temporary.unlink()
                raise


def _acquire(lock: FileLock, seconds: float, look: Callable[[], None] | None) -> None:
    """Wait for a lock, at most so long; raises ``Timeout``, or what ``look`` does.

    Raises ``NotImplementedError`` where the system has no locks: what takes their place
    is a file that stays when its maker is killed, and nobody would wait for anybody.
    """
    from filelock import SoftFileLock, Timeout

    ends_at = time.monotonic() + max(seconds, 0.0)
    while True:
        left = ends_at - time.monotonic()
        try:
            lock.acquire(timeout=max(min(left, _LOOK_SECONDS), 0.0))
            return
        except Timeout:
            if isinstance(lock, SoftFileLock):
                raise NotImplementedError from None
            if left <= _LOOK_SECONDS:
                raise
        if look is not None:
            look()


def cache_directory() -> Path:
    """The folder for everything that is kept between runs; it need not exist.

    That is ``IMGPUZZLE_CACHE_DIR`` if it is set, otherwise the user's cache folder.
    """
    from platformdirs import user_cache_dir

    with contextlib.suppress(OSError, RuntimeError):
        if chosen := os.environ.get(CACHE_VARIABLE):
            return Path(os.path.abspath(chosen))
        folder = Path(user_cache_dir("imgpuzzle", appauthor=False))
        if folder.is_absolute():
            return folder
    # No home, or no current folder: nothing can be made below this and is kept.
    return Path(os.devnull) / "imgpuzzle"


def _checked(built: object, name: str, size: int) -> npt.NDArray[np.uint8]:
    found = getattr(built, "shape", None), getattr(built, "dtype", type(built))
    if not isinstance(built, np.ndarray) or found != ((size,), np.uint8):
        raise UsageError(f"expected {size} bytes (uint8) for {name}, found {found}")
    return _closed(np.ascontiguousarray(built))


def _closed(table: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The same bytes, for reading alone."""
    table = table.view()
    table.flags.writeable = False
    return table


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


def _is_ours(path: Path, kind: str) -> bool:
    """Whether a file that is called like one of ours was written here.

    Tables begin with the magic, as far as they go, and locks are empty.
    """
    try:
        if kind == _LOCK:
            return not _is_foreign_lock(path)
        if path.is_symlink() or not path.is_file():
            return False
        with path.open("rb") as file:
            return _MAGIC.startswith(file.read(len(_MAGIC)))
    except OSError:
        return False


def _is_foreign_lock(path: Path) -> bool:
    """Whether something else stands where a lock's file would be."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return not stat.S_ISREG(status.st_mode) or status.st_size > 0


def _remove(path: Path, removed: list[int]) -> None:
    with contextlib.suppress(OSError):
        size = path.stat().st_size
        path.unlink()
        removed[0] += 1
        removed[1] += size
