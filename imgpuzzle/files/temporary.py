"""Temporary files and folders: they become results by a rename, or go.

Those of results lie beside what they become, so on the same file system, and are called
``.imgpuzzle-....part``. Whoever makes one holds a lock on it until the end, which the
system gives back when a process dies, however it dies. So the next run can tell what a
killed one left behind from what another one is still using, and removes it.

Systems without such locks (Windows, some network drives) keep what a killed run left.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

from imgpuzzle.errors import OutputError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Content: TypeAlias = bytes | Callable[[BinaryIO], object]
"""What a file holds, or what writes it into one that is open: "w+b" and empty."""

_PART = ".imgpuzzle-{}.part"
"""What is called so becomes a result; the name has some letters in place of ``{}``."""

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""No room on the disk, or none for this user. Windows knows only the first."""


def put(content: Content, file: BinaryIO) -> None:
    """Write ``content`` into an open file."""
    if isinstance(content, bytes):
        file.write(content)
    else:
        content(file)


def in_memory(content: Content) -> bytes:
    """The bytes of ``content``."""
    if isinstance(content, bytes):
        return content
    out = io.BytesIO()
    content(out)
    return out.getvalue()


def is_full(error: BaseException) -> bool:
    """Whether a failure is that of a disk without room."""
    return isinstance(error, OSError) and error.errno in _FULL


def why(error: BaseException) -> str:
    """What the system says of a failure, in words for people."""
    if isinstance(error, OSError) and is_full(error):
        return f"the disk is full ({error.strerror})"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@contextlib.contextmanager
def writing(target: str | Path, *, is_inside: bool = False) -> Iterator[None]:
    """Have a failure of the system be an ``OutputError`` that names what is written.

    Whoever reads what is piped, and has seen enough, is none. ``is_inside`` says that
    ``target`` is a folder into which something is written.
    """
    try:
        yield
    except OSError as error:
        if isinstance(error, OutputError | BrokenPipeError):
            raise
        said = {"target": str(target), "why": why(error)}
        if is_inside:
            raise OutputError.said(
                "could not write into {target!r}: {why}", **said
            ) from None
        raise OutputError.said("could not write {target!r}: {why}", **said) from None


def landing(target: Path) -> Path:
    """Where the file comes to lie that is written to ``target``: at the end of links.

    Raises ``OutputError`` for a pipe or a device, whose place no file should take, and
    for a file that may not be written: a rename would ask the folder alone.
    """
    try:
        kind = target.stat().st_mode
    except OSError:  # nothing is there yet
        kind = stat.S_IFREG
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise OutputError.said(
            "expected a file or nothing, found the pipe or device {target!r}; "
            "write a file and send that",
            target=str(target),
        )
    check_writable(target)
    return Path(os.path.realpath(target)) if target.is_symlink() else target


def check_writable(path: Path) -> None:
    """Raise ``OutputError`` for a file or folder that may not be written."""
    is_folder = os.path.isdir(path)
    needed = os.W_OK | (os.X_OK if is_folder else 0)
    if os.path.exists(path) and not os.access(path, needed):
        with writing(path, is_inside=is_folder):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """A file to write that takes the place of ``target`` at the end, or goes."""
    target = landing(target)
    sweep(target.parent)
    while True:
        path = _free_name(target.parent, _PART)
        file = open(path, "x+b")  # noqa: SIM115
        if _is_kept(path, file.fileno()):
            break
        file.close()  # swept between being made and being locked
    try:
        yield file
        file.flush()
        if fcntl is None:
            file.close()  # Windows renames no open file, and has nothing to unlock
        os.replace(path, target)
    finally:
        # Locked until it is gone: nobody takes it for one that was left behind.
        path.unlink(missing_ok=True)
        # What is not written yet is not wanted, and finds no room on a full disk.
        with contextlib.suppress(OSError):
            file.close()


@contextlib.contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """A new folder in ``parent``, which goes at the end with all that is left in it."""
    sweep(parent)
    folder = OwnFolder(parent)
    try:
        yield folder.path
    finally:
        folder.remove()


class OwnFolder:
    """A new folder in ``parent`` that nobody sweeps before it is removed.

    ``called`` is its name, with ``{}`` where letters of its own go, and ``mode`` says
    who may look into it, as far as the umask allows. ``path`` is where it lies. Raises
    ``OSError`` when it cannot be made.
    """

    def __init__(self, parent: Path, called: str = _PART, mode: int = 0o777) -> None:
        while True:
            self.path = _free_name(parent, called)
            self.path.mkdir(mode)
            with contextlib.suppress(FileNotFoundError):
                self._descriptor = _open_folder(self.path)
                if self._descriptor is None or _is_kept(self.path, self._descriptor):
                    break
                os.close(self._descriptor)

    def remove(self) -> None:
        """Let it go, with all that is in it; further calls do nothing."""
        import shutil

        shutil.rmtree(self.path, ignore_errors=True)
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextlib.contextmanager
def locked(path: Path, *, waits: bool = True) -> Iterator[None]:
    """Work in a folder, or at a file, while no other process that does the same does.

    Raises ``BlockingIOError`` in place of waiting where that is not wanted.
    """
    descriptor = _open_folder(path)
    try:
        if fcntl is not None and descriptor is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
            except BlockingIOError:
                raise
            except OSError:
                pass  # some network drives have no locks: then there is no waiting
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def sweep(folder: Path, called: str = _PART) -> None:
    """Remove from ``folder`` what killed runs of this user left there.

    ``called`` is the name that they gave it, as ``OwnFolder`` has it.
    """
    if fcntl is None:
        return
    name = re.compile("[0-9a-f]{16}".join(map(re.escape, called.split("{}"))))
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if name.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _sweep(Path(entry.path))


def _sweep(path: Path) -> None:
    found = path.lstat()
    is_folder = stat.S_ISDIR(found.st_mode)
    if found.st_uid != os.geteuid() or not (is_folder or stat.S_ISREG(found.st_mode)):
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_folder:
            import shutil

            shutil.rmtree(path)
        else:
            path.unlink()
    finally:
        os.close(descriptor)


def _free_name(folder: Path, called: str) -> Path:
    return folder / called.format(os.urandom(8).hex())


def _open_folder(path: Path) -> int | None:
    # Only where folders can be opened and locked.
    return None if fcntl is None else os.open(path, os.O_RDONLY)


def _is_kept(path: Path, descriptor: int) -> bool:
    """Lock what was made; false when somebody sweeps it away at this moment."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # no locks here, and so no sweeping either
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False
