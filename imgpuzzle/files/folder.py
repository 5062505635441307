"""Writing files and folders as one thing: all of it is there, or nothing is.

All is made under temporary names on the same file system and renamed into place at
the end, so that neither an error nor Ctrl-C nor a full disk leaves anything
half-written, and whatever was there before survives. Into a folder that exists the
record goes first, with the names of the old files and of the new: whenever a process
is killed, the next one knows which files are ours.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from imgpuzzle.errors import OutputError
from imgpuzzle.files.temporary import (
    Content,
    check_writable,
    landing,
    locked,
    put,
    sweep,
    temporary_folder,
    writing,
)

RECORD_NAME = "solution.json"
"""The file that lists, under ``files``, what a run wrote into its folder."""

ASSEMBLED_NAME = "assembled.png"
"""The goal as it was understood where no picture of it was given."""

AT_ONCE_NAME = "all_moves.png"
"""The start with the marks of all moves, where one picture can show them."""

MARKDOWN_NAME = "guide.md"
"""The moves with their pictures, for wikis and the like."""

MADE_NAMES = ("overview.png", "solution.gif", "guide.html", MARKDOWN_NAME, "moves.txt")
"""The files of a folder beside the step pictures."""

_NUMBERED = re.compile(r"(step|overview)_[0-9]{1,6}\.png")


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of a folder: its ``files``, and how many old ones had to go.

    ``replaced`` counts files of the same name, ``removed`` what else an earlier
    run had written. Of a file alone ``folder`` is where it lies.
    """

    folder: Path
    files: tuple[Path, ...]
    replaced: int = 0
    removed: int = 0


def is_own_name(name: str) -> bool:
    """Whether a file of a guide may be called that."""
    own = {*MADE_NAMES, RECORD_NAME, ASSEMBLED_NAME, AT_ONCE_NAME}
    return name in own or _NUMBERED.fullmatch(name) is not None


def free_folder(folder: Path) -> Path:
    """``folder`` when it is absent or empty, otherwise ``folder-2``, ``-3`` ..."""
    candidate, number = folder, 2
    sweep(candidate)
    while os.path.lexists(candidate) and not is_empty_folder(candidate):
        candidate = folder.with_name(f"{folder.name}-{number}")
        number += 1
    return candidate


_LIKE_A_FILE = re.compile(r"\.[a-z][a-z0-9]+")
"""No new folder is called that; ``v1.2`` and ``conf.d`` are names for some."""


def is_like_a_file(path: Path) -> bool:
    """Whether a name looks like that of a file."""
    suffix = path.suffix.lower().strip()
    return path.name == "-" or _LIKE_A_FILE.fullmatch(suffix) is not None


def check_folder(folder: Path) -> None:
    """Raise ``OutputError`` when ``folder`` plainly cannot be written.

    This is the early check, before the work; the real one is the writing.
    """
    if is_like_a_file(folder) and not folder.is_dir():
        raise OutputError.said(
            "expected a folder as --output, found {target!r}; a folder with such a "
            "name has to exist before",
            target=str(folder),
        )
    check_place(folder, is_made=True)


def check_place(folder: Path, *, is_made: bool = False) -> None:
    """Raise ``OutputError`` when nothing can be written into ``folder``.

    It has to be there, unless it ``is_made`` with those that it lies in.
    """
    base = next(filter(os.path.lexists, (folder, *folder.parents)), folder)
    if not base.is_dir():
        raise OutputError.said(
            "expected a folder to write into, found the file {base!r}", base=str(base)
        )
    if base != folder and not is_made:
        raise OutputError.said(
            "expected a folder to write into, found no {folder}", folder=folder
        )
    check_writable(base)


def write_folder(
    folder: Path, contents: Iterable[tuple[str, Content]], *, numbered: bool = False
) -> Delivered:
    """Write ``contents``, pairs of file name and data, into ``folder``.

    In a folder that exists, files of the same names are replaced, and those that
    only the record of an earlier run lists (step pictures of a longer solution,
    an assembled goal) are removed; everything else stays. With ``numbered`` such
    a folder is left alone and the next free ``folder-2``, ``folder-3`` ... is
    taken, as it is where another process makes a new folder of that name meanwhile.
    Raises ``OutputError`` and leaves everything as it was when anything goes wrong.
    """
    with Delivery() as delivery:
        delivery.add_folder(folder, contents, numbered=numbered)
        (written,) = delivery.finish()
    return written


class Delivery:
    """Files and folders that appear together when they are all made: ``finish``.

    Until then they have temporary names, and go with the end of the ``with``.
    """

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        # What each one is, and what puts it into its place.
        self._staged: list[tuple[Path, Callable[[_Undo], Delivered]]] = []

    def __enter__(self) -> Delivery:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add_file(self, target: Path, content: Content) -> None:
        """Make a file that will take the place of ``target``, or of what it links to.

        Raises ``OutputError`` when it cannot be written.
        """
        with writing(target):
            place = landing(target)
            temporary = self._temporary(place.parent)
            _make(temporary / "new", content)
        placed = functools.partial(_place_file, target, place, temporary)
        self._staged.append((target, placed))

    def add_folder(
        self,
        folder: Path,
        contents: Iterable[tuple[str, Content]],
        *,
        numbered: bool = False,
    ) -> None:
        """Make the files of a folder, as ``write_folder`` says."""
        asked = folder
        if numbered:
            folder = free_folder(folder)
        check_folder(folder)
        with writing(folder, is_inside=True):
            exists = folder.is_dir()
            absent = folder
            while not exists and not absent.parent.exists():
                absent = absent.parent
            if exists:
                sweep(folder.parent)  # where it was new, a run may have been killed
            # Inside a folder that exists, which may be the root of a file system.
            temporary = self._temporary(folder if exists else absent.parent)
            # Missing parents are made inside too: one rename puts all in place.
            inner = Path("new") if exists else folder.relative_to(absent.parent)
            stage = temporary / inner
            stage.mkdir(parents=True)
            names = []
            for name, content in contents:
                _make(stage / name, content)
                names.append(name)
        free = functools.partial(_place_free, asked, stage, names)
        if exists:
            placed = functools.partial(
                _place_inside, folder, temporary, names, free if numbered else None
            )
        else:
            made = temporary / absent.name, absent
            placed = functools.partial(_place_new, folder, made, names, free)
        self._staged.append((folder, placed))

    def _temporary(self, parent: Path) -> Path:
        return self._stack.enter_context(temporary_folder(parent))

    def finish(self) -> list[Delivered]:
        """Put all in place; says what was written, in the order it was added.

        Raises ``OutputError``, with everything as it was, when that is impossible.
        """
        undo: _Undo = []
        written = []
        try:
            for target, place in self._staged:
                with writing(target):
                    written.append(place(undo))
        except BaseException:
            for back in reversed(undo):
                with contextlib.suppress(OSError):
                    back()
            raise
        return written


_Undo: TypeAlias = list[Callable[[], object]]
"""What takes back what is done so far, to be called from the last to the first."""


def _place_file(target: Path, place: Path, temporary: Path, undo: _Undo) -> Delivered:
    existed = _replace(temporary / "new", place, temporary / "old", undo)
    return Delivered(target.parent, (target,), int(existed))


def _place_new(
    folder: Path,
    made: tuple[Path, Path],
    names: list[str],
    free: Callable[[_Undo], Delivered],
    undo: _Undo,
) -> Delivered:
    """Put a new folder in place; what is ``made`` may be the first missing parent."""
    if _is_placed(*made, undo):
        return Delivered(folder, tuple(folder / name for name in names))
    # Another process took the name while this one was drawing.
    folder.parent.mkdir(parents=True, exist_ok=True)
    return free(undo)


def _place_inside(
    folder: Path,
    temporary: Path,
    names: list[str],
    free: Callable[[_Undo], Delivered] | None,
    undo: _Undo,
) -> Delivered:
    """Put files into a folder; or take the next name that is ``free``, if it is not."""
    stage, old = temporary / "new", temporary / "old"
    with locked(folder):
        if free is not None and os.listdir(folder) != [temporary.name]:
            # What was empty is another's by now.
            return free(undo)
        old.mkdir()
        recorded = _recorded_files(folder)
        stale = [name for name in recorded if name not in set(names)]
        replaced = 0
        if RECORD_NAME in names:
            # Until the last file is in its place it lists all, the old and the new.
            joint = temporary / RECORD_NAME
            joint.write_bytes(_joint_record(stage / RECORD_NAME, recorded))
            replaced += _replace(joint, folder / RECORD_NAME, old / RECORD_NAME, undo)
        # A record that goes goes last.
        for name in sorted(stale, key=lambda name: name == RECORD_NAME):
            undo.append(functools.partial(os.rename, old / name, folder / name))
            os.rename(folder / name, old / name)
        for name in names:
            if name != RECORD_NAME:
                replaced += _replace(stage / name, folder / name, old / name, undo)
        if RECORD_NAME in names:
            os.replace(stage / RECORD_NAME, folder / RECORD_NAME)
    files = tuple(folder / name for name in names)
    return Delivered(folder, files, replaced, removed=len(stale))


def _place_free(folder: Path, stage: Path, names: list[str], undo: _Undo) -> Delivered:
    """Put a folder that is made under the next free name."""
    while True:
        free = free_folder(folder)
        if _is_placed(stage, free, undo):
            return Delivered(free, tuple(free / name for name in names))


def _is_placed(made: Path, folder: Path, undo: _Undo) -> bool:
    """Rename a folder that is made; false where another process has taken the name."""
    undo.append(functools.partial(os.rename, folder, made))
    try:
        os.rename(made, folder)
    except OSError as error:
        undo.pop()
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            return False
        raise
    return True


def _replace(new: Path, target: Path, old: Path, undo: _Undo) -> bool:
    """Rename ``new`` to ``target``; says whether that was there, and is ``old`` now."""
    if not os.path.lexists(target):
        undo.append(functools.partial(os.rename, target, new))
        os.replace(new, target)
        return False
    if target.is_dir() and not target.is_symlink():
        raise OutputError.said(
            "expected a file or nothing, found the folder {target!r}",
            target=str(target),
        )
    check_writable(target)
    undo.append(functools.partial(os.replace, old, target))
    try:
        os.link(target, old, follow_symlinks=False)
    except (OSError, NotImplementedError):
        # A file system without hard links: for a moment the name is free.
        os.rename(target, old)
    os.replace(new, target)
    return True


def _joint_record(path: Path, recorded: list[str]) -> bytes:
    """The record at ``path``, with the files of an earlier one besides."""
    record = json.loads(path.read_bytes())
    names = dict.fromkeys([*record["files"], *recorded])
    return json.dumps({**record, "files": list(names)}).encode()


def _make(path: Path, content: Content) -> None:
    with open(path, "x+b") as file:
        put(content, file)


def _recorded_files(folder: Path) -> list[str]:
    try:
        record = json.loads((folder / RECORD_NAME).read_bytes())
        names = record["files"]
        # Only names of our own kind: the record may be anybody's file.
        own = [name for name in names if is_own_name(name)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [name for name in dict.fromkeys(own) if (folder / name).is_file()]


def is_empty_folder(path: Path) -> bool:
    """Whether a folder is there in which nothing lies, as far as that can be seen."""
    try:
        return path.is_dir() and not any(path.iterdir())
    except OSError:
        return False
