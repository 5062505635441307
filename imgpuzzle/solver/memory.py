"""How much memory is free: for this process, in its container, on this machine."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from imgpuzzle.files import IN_BROWSER

_PROC, _CGROUPS = Path("/proc"), Path("/sys/fs/cgroup")


def free_bytes() -> int | None:
    """The bytes that this process may still take; ``None`` where nobody says.

    The least of what the machine has free or can free at once, what the limits of its
    control groups leave, and the limit of its address space.
    """
    if IN_BROWSER:
        return None  # what is said there is what could be addressed
    known = [
        room
        for room in (_machine(), _address_space(), *_control_groups())
        if room is not None
    ]
    return max(0, min(known)) if known else None


def _machine() -> int | None:
    for line in _lines(_PROC / "meminfo"):
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) * 1024
    for ask in (_windows, _posix):
        room = ask()
        if room is not None:
            return room
    return None


def _posix() -> int | None:
    """What is free, or a quarter of the memory where only that is said (macOS)."""
    for name, share in (("SC_AVPHYS_PAGES", 1), ("SC_PHYS_PAGES", 4)):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE") // share
    return None


def _windows() -> int | None:
    """What is free in the machine and in the process's address space, by Windows."""
    import ctypes

    system = getattr(ctypes, "windll", None)
    if system is None:
        return None
    # Two numbers of 32 bits, the size of all this and the load; then seven of 64: the
    # memory, free memory, the page file, free in it, addresses, free ones, one more.
    status = (ctypes.c_uint64 * 8)(ctypes.sizeof(ctypes.c_uint64 * 8))
    if not system.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return int(min(status[2], status[6]))


def _address_space() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    pages = _lines(_PROC / "self/statm")
    if most == resource.RLIM_INFINITY or not pages:
        return None
    return most - int(pages[0].split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _control_groups() -> Iterator[int]:
    """What each group that the process is in leaves, the inmost first."""
    for line in _lines(_PROC / "self/cgroup"):
        _, _, rest = line.partition(":")
        kinds, _, path = rest.partition(":")
        if not kinds:  # version 2 has one tree
            root, names = _CGROUPS, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in kinds.split(","):
            root = _CGROUPS / "memory"
            names = (
                *("memory.limit_in_bytes", "memory.usage_in_bytes"),
                "total_inactive_file",
            )
        else:
            continue
        # In a container the path may be one that only the machine outside knows.
        place = root / path.lstrip("/")
        for folder in (place, *place.parents):
            room = _group_room(folder, *names)
            if room is not None:
                yield room
            if folder == root:
                break


def _group_room(folder: Path, most: str, used: str, cached: str) -> int | None:
    limits, uses = _lines(folder / most), _lines(folder / used)
    if not limits or not uses or not limits[0].isdecimal() or not uses[0].isdecimal():
        return None
    free = int(limits[0]) - int(uses[0])
    for line in _lines(folder / "memory.stat"):
        name, _, count = line.partition(" ")
        if name == cached and count.isdecimal():
            free += int(count)  # files kept in memory, dropped when it is needed
    return free


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("ascii", "replace").split("\n")
    except OSError:
        return []
