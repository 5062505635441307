"""Room for tables that lie end to end, into which their files can be mapped.

Kernels want all tables of a goal in one array. So that processes that work at the
same time have them in memory once, and not once each, the file of a table is mapped
over the part of the array that is its own. Where that cannot be done, the part is
ordinary memory, and the table is read into it.

Only Linux is asked for it, and only for files of its own file systems: what another
machine removes can no longer be read here, and who reads a mapped file that is not
there any more is killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import mmap
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

__all__ = ["HEADER_BYTES", "Part", "Room"]

HEADER_BYTES = 256
"""What a table's file begins with, and what is mapped along with it."""
_LOCAL = frozenset(
    ("bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs")
)
"""File systems whose files stay readable for whoever has them open."""
_FIXED = 0x10
"""MAP_FIXED of Linux, which Python does not name: at this address and no other."""
_FAILED = ctypes.c_void_p(-1).value


class Room:
    """Memory for tables of so many bytes each; nothing in it is ever moved.

    ``bits`` (uint8) is all of it. What lies between the tables is never asked for, and
    takes no memory. Unless it ``is_shared``, files are read, into huge pages where the
    system has some.
    """

    def __init__(self, sizes: Sequence[int], *, is_shared: bool = True) -> None:
        begins = [0]
        for size in sizes:
            pages = -(-(HEADER_BYTES + size) // mmap.PAGESIZE)
            begins.append(begins[-1] + pages * mmap.PAGESIZE)
        # The array keeps it, and it is given back as a whole, with all that was mapped.
        memory = mmap.mmap(-1, max(begins[-1], 1))
        if not is_shared and hasattr(mmap, "MADV_HUGEPAGE"):
            with contextlib.suppress(OSError):  # a kernel without them
                memory.madvise(mmap.MADV_HUGEPAGE)
        self.bits: npt.NDArray[np.uint8] = np.frombuffer(memory, np.uint8)
        self.parts = tuple(
            Part(
                *(begin + HEADER_BYTES, self.bits[begin:][: HEADER_BYTES + size]),
                is_shared=is_shared,
            )
            for begin, size in zip(begins, sizes, strict=False)
        )

    def close(self) -> npt.NDArray[np.uint8]:
        """``bits``, for reading alone."""
        self.bits.flags.writeable = False
        return self.bits


class Part:
    """Where one table lies: at ``begin`` in the room's ``bits``, as ``table``."""

    def __init__(
        self, begin: int, bits: npt.NDArray[np.uint8], *, is_shared: bool = True
    ) -> None:
        self.begin, self.table = begin, bits[HEADER_BYTES:]
        self._address, self._length = bits.ctypes.data, len(bits)
        self.is_mapped, self._is_shared = False, is_shared

    def take(self, file: BinaryIO) -> bool:
        """Map or read what an open file holds after its header, which is long enough.

        Returns false for a file that ends too early. Raises ``OSError``.
        """
        if self._is_shared and _is_local(file) and self._map(file.fileno()):
            return True
        file.seek(HEADER_BYTES)
        return readinto(file, self.table)

    def empty(self) -> None:
        """Make it ordinary memory again, which can be written to."""
        if self.is_mapped and not self._map(None):
            raise MemoryError("expected memory in the place of a file, found none")

    def _map(self, descriptor: int | None) -> bool:
        """Map a file, or ordinary memory, to this place; returns whether that went."""
        system = _system()
        if system is None:
            return False
        flags, protection = mmap.MAP_PRIVATE | _FIXED, mmap.PROT_READ
        if descriptor is None:
            flags |= mmap.MAP_ANONYMOUS
            protection |= mmap.PROT_WRITE
            descriptor = -1
        found = system(self._address, self._length, protection, flags, descriptor, 0)
        if found == _FAILED:
            return False
        self.is_mapped = descriptor >= 0
        return True


def readinto(file: BinaryIO, table: npt.NDArray[np.uint8]) -> bool:
    """Fill an array from where the file is; returns whether it was long enough."""
    count: int = file.readinto(table.data)  # type: ignore[attr-defined]
    return count == table.size


@functools.cache
def _system() -> Callable[..., int | None] | None:
    """The system's ``mmap``, where it is known how to call it."""
    if sys.platform != "linux":
        return None
    try:
        function = ctypes.CDLL(None, use_errno=True).mmap
    except (OSError, AttributeError):
        return None
    number = ctypes.c_int
    function.argtypes = (
        *(ctypes.c_void_p, ctypes.c_size_t, number, number, number, ctypes.c_ssize_t),
    )
    function.restype = ctypes.c_void_p
    return function


def _is_local(file: BinaryIO) -> bool:
    """Whether the file lies on one of this machine's own file systems."""
    try:
        path = os.path.realpath(file.name)
    except (OSError, TypeError, ValueError):
        return False
    for place, kind in _mounts():
        if path == place or path.startswith(place.rstrip("/") + "/"):
            return kind in _LOCAL
    return False


@functools.lru_cache(maxsize=1)
def _mounts() -> tuple[tuple[str, str], ...]:
    """Where file systems are mounted, and of what kind they are; the inmost first."""
    found = []
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    except OSError:
        return ()
    for line in lines.splitlines():
        own, _, rest = line.partition(" - ")
        if len(own.split()) > 4 and rest:
            place = re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), own.split()[4])
            found.append((place, rest.split()[0]))
    found.reverse()  # of two at one place the later one is seen
    return tuple(sorted(found, key=lambda one: -len(one[0])))
