"""Writing a folder of files as one thing: all of it is there, or nothing is.

The files are made in a temporary folder on the same file system and renamed
into place at the end, so that neither an error nor Ctrl-C nor a full disk
leaves anything half-written, and whatever was there before survives.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from imgpuzzle.errors import OutputError

__all__ = [
    "ASSEMBLED_NAME",
    "MADE_NAMES",
    "MARKDOWN_NAME",
    "RECORD_NAME",
    "Written",
    "check_folder",
    "free_folder",
    "is_own_name",
    "write_folder",
]

RECORD_NAME = "solution.json"
"""The file that lists, under ``files``, what a run wrote into its folder."""

ASSEMBLED_NAME = "assembled.png"
"""The goal as it was understood where no picture of it was given."""

MARKDOWN_NAME = "guide.md"
"""The moves with their pictures, for wikis and the like."""

MADE_NAMES = ("overview.png", "solution.gif", "guide.html", MARKDOWN_NAME, "moves.txt")
"""The files of a folder beside the step pictures."""

_NUMBERED = re.compile(r"(step|overview)_[0-9]{1,6}\.png")
_PREFIX = ".imgpuzzle-"


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a folder: its ``files``, and how many old ones had to go.

    ``replaced`` counts files of the same name, ``removed`` what else an earlier
    run had written.
    """

    folder: Path
    files: tuple[Path, ...]
    replaced: int = 0
    removed: int = 0


def is_own_name(name: str) -> bool:
    """Whether a file of a guide may be called that."""
    own = {*MADE_NAMES, RECORD_NAME, ASSEMBLED_NAME}
    return name in own or _NUMBERED.fullmatch(name) is not None


def free_folder(folder: Path) -> Path:
    """``folder`` when it is absent or empty, otherwise ``folder-2``, ``-3`` ..."""
    candidate, number = folder, 2
    while os.path.lexists(candidate) and not _is_empty_folder(candidate):
        candidate = folder.with_name(f"{folder.name}-{number}")
        number += 1
    return candidate


def check_folder(folder: Path) -> None:
    """Raise ``OutputError`` when ``folder`` plainly cannot be written.

    This is the early check, before the work; the real one is the writing.
    """
    base = folder
    while not os.path.lexists(base) and base != base.parent:
        base = base.parent
    if not base.is_dir():
        raise OutputError(
            f"expected a folder to write into, found the file {str(base)!r}; "
            "pass another --output"
        )
    if not os.access(base, os.W_OK | os.X_OK):
        raise OutputError(
            f"cannot write into the folder {str(base)!r}; pass another --output"
        )


def write_folder(
    folder: Path, contents: Iterable[tuple[str, bytes]], *, numbered: bool = False
) -> Written:
    """Write ``contents``, pairs of file name and data, into ``folder``.

    In a folder that exists, files of the same names are replaced, and those that
    only the record of an earlier run lists (step pictures of a longer solution,
    an assembled goal) are removed; everything else stays. With ``numbered`` such
    a folder is left alone and the next free ``folder-2``, ``folder-3`` ... is
    taken. Raises ``OutputError`` and leaves everything as it was when anything
    goes wrong.
    """
    if numbered:
        folder = free_folder(folder)
    check_folder(folder)
    try:
        if folder.is_dir():
            return _write_into(folder, contents)
        return _write_new(folder, contents, numbered)
    except OSError as error:
        if isinstance(error, OutputError):
            raise
        raise OutputError(
            f"could not write into {str(folder)!r}: {error.strerror or error}"
        ) from None


@contextlib.contextmanager
def _temporary_folder(parent: Path) -> Iterator[Path]:
    name = tempfile.mkdtemp(dir=parent, prefix=_PREFIX)
    try:
        yield Path(name)
    finally:
        shutil.rmtree(name, ignore_errors=True)


def _fill(stage: Path, contents: Iterable[tuple[str, bytes]]) -> list[str]:
    names = []
    for name, data in contents:
        (stage / name).write_bytes(data)
        names.append(name)
    return names


def _write_new(
    folder: Path, contents: Iterable[tuple[str, bytes]], numbered: bool
) -> Written:
    absent = folder
    while not absent.parent.exists():
        absent = absent.parent
    with _temporary_folder(absent.parent) as temporary:
        # Missing parents are made inside too: one rename puts all in place.
        stage = temporary / absent.name / folder.relative_to(absent)
        stage.mkdir(parents=True)
        names = _fill(stage, contents)
        made = temporary / absent.name
        while True:
            try:
                os.rename(made, absent)
                break
            except OSError as error:
                if not numbered or error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                    raise
                # Another process took the name while this one was drawing.
                folder = absent = free_folder(folder)
    return Written(folder, tuple(folder / name for name in names))


def _write_into(folder: Path, contents: Iterable[tuple[str, bytes]]) -> Written:
    # Inside the folder and not beside it: it may be the root of a file system.
    with _temporary_folder(folder) as temporary:
        stage, old = temporary / "new", temporary / "old"
        stage.mkdir()
        old.mkdir()
        names = _fill(stage, contents)
        stale = [name for name in _recorded_files(folder) if name not in set(names)]
        undo: list[tuple[Path, Path]] = []
        replaced = 0
        try:
            for name in (*names, *stale):
                if (folder / name).is_dir() and not (folder / name).is_symlink():
                    raise OutputError(
                        f"expected a file or nothing, "
                        f"found the folder {str(folder / name)!r}"
                    )
                if os.path.lexists(folder / name):
                    undo.append((old / name, folder / name))
                    os.rename(folder / name, old / name)
                    replaced += name not in stale
            for name in names:
                undo.append((folder / name, stage / name))
                os.rename(stage / name, folder / name)
        except BaseException:
            for source, target in reversed(undo):
                with contextlib.suppress(OSError):
                    os.rename(source, target)
            raise
    return Written(
        folder, tuple(folder / name for name in names), replaced, removed=len(stale)
    )


def _recorded_files(folder: Path) -> list[str]:
    try:
        record = json.loads((folder / RECORD_NAME).read_bytes())
        names = record["files"]
        # Only names of our own kind: the record may be anybody's file.
        own = [name for name in names if is_own_name(name)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [name for name in dict.fromkeys(own) if (folder / name).is_file()]


def _is_empty_folder(path: Path) -> bool:
    try:
        return path.is_dir() and not any(path.iterdir())
    except OSError:
        return False
