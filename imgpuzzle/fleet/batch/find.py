"""Which screenshots lie below some paths, and which picture belongs to each by name."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.files.folder import RECORD_NAME, is_own_name
from imgpuzzle.files.temporary import why
from imgpuzzle.messages import BatchFault, ReferenceWay

SETTINGS_NAME = "batch.json"
"""The file by which the output of a batch is known: there are no screenshots."""

_READ = {".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".jp2", ".png", ".qoi", ".webp"}
_NOT_READ = {".heic", ".heif", ".tif", ".tiff"}
SUFFIXES = frozenset(_READ | _NOT_READ)
"""Files that are taken for pictures where a folder is given; of those that cannot be
read that is told. A file that is named itself is tried whatever it is called."""

_GOAL = re.compile(r"reference|goal")
_GOAL_OF = re.compile(r"(.+)[_-]reference")
_SHOT_OF = re.compile(r"(.+)[_-](?:screenshot|shot)")


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A screenshot.

    It lies at ``path``, absolute; its ``name`` is that below the folder that was given.
    """

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class Offer:
    """The picture of the goal that belongs to a screenshot, and why; or why none."""

    path: Path | None = None
    way: ReferenceWay = ReferenceWay.NONE_FOUND


def find_pictures(
    paths: Iterable[Path],
    *,
    left_out: Iterable[Path] = (),
    on_trouble: Callable[[Path, str], None] = lambda folder, why: None,
) -> list[Screenshot]:
    """The screenshots below some paths, each once, those of a folder by name.

    Hidden files, pictures called as references are, and what earlier runs wrote are
    left out. Links to folders are followed, but no folder is gone into twice. One that
    cannot be read stands for the pictures in it.

    Args:
        paths: Files and folders; a file is taken whatever it is called.
        left_out: Files and folders that hold no screenshots.
        on_trouble: Called with a folder that cannot be read, and why.

    Raises:
        InvalidImageError: For a path where nothing is.
    """
    seen = {_identity(path) for path in left_out}
    found: dict[Path, Screenshot] = {}
    roots = list(paths)
    for root in roots:
        if not os.path.lexists(root):
            raise InvalidImageError.said(BatchFault.NO_PATH, name=str(root))
        path = Path(os.path.abspath(root))
        if not os.path.isdir(path):
            found.setdefault(path, Screenshot(path, path.name))
            continue
        # Of several folders each name says in which one the picture lies.
        prefix = f"{path.name}/" if len(roots) > 1 else ""
        for one in _walk(path, seen, on_trouble):
            below = one.relative_to(path).as_posix()
            name = path.name if one == path else prefix + below
            found.setdefault(one, Screenshot(one, name))
    return list(found.values())


def _identity(path: Path) -> str:
    return os.path.realpath(path)


def _walk(
    top: Path, seen: set[str], on_trouble: Callable[[Path, str], None]
) -> Iterator[Path]:
    folders = [top]
    while folders:
        folder = folders.pop()
        if (identity := _identity(folder)) in seen:
            continue
        seen.add(identity)
        try:
            names = names_in(folder)
        except OSError as error:
            on_trouble(folder, why(error))
            yield folder
            continue
        if SETTINGS_NAME in names:
            continue
        has_guide = RECORD_NAME in names
        inner = []
        for name in names:
            path = folder / name
            # Where it is not known what lies there, `Path.is_dir` raises.
            if os.path.isdir(path) and not name.startswith("."):
                inner.append(path)
            elif (
                _is_picture(path)
                and not is_reference_name(path)
                and not (has_guide and is_own_name(name))
                and _identity(path) not in seen
            ):
                yield path
        folders += reversed(inner)


def names_in(folder: Path) -> list[str]:
    """What lies in a folder, by name.

    Raises ``OSError`` for one that cannot be listed, or be listed and not entered.
    """
    os.stat(os.path.join(folder, os.curdir))
    return sorted(os.listdir(folder))


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".")


def is_reference_name(path: Path) -> bool:
    """Whether a picture is called like one of a goal: ``goal``, ``a_reference``."""
    stem = path.stem.lower()
    return bool(_GOAL.fullmatch(stem) or _GOAL_OF.fullmatch(stem))


class References:
    """The pictures of goals that screenshots may belong to.

    One is ``given`` for all, or a ``folder`` has each for those that it fits;
    ``on_trouble`` is called with one that cannot be read, and why. Raises
    ``UsageError`` for a folder without any.
    """

    def __init__(
        self,
        given: Path | None = None,
        folder: Path | None = None,
        on_trouble: Callable[[Path, str], None] = lambda folder, why: None,
    ) -> None:
        self._given = None if given is None else Path(os.path.abspath(given))
        self._named: dict[str, Path] = {}
        if folder is not None:
            top = Path(os.path.abspath(folder))
            for path in _all_pictures(top, on_trouble):
                stem = path.stem.lower()
                self._named.setdefault(stem, path)
                if match := _GOAL_OF.fullmatch(stem):
                    self._named.setdefault(match[1], path)
            if not self._named:
                raise UsageError.said(BatchFault.NO_REFERENCES, name=str(folder))
        self._beside: dict[Path, dict[str, Path]] = {}

    def offer(self, screenshot: Path) -> Offer:
        """The picture that belongs to a screenshot by name or place, if any."""
        if self._given is not None:
            return Offer(self._given, ReferenceWay.GIVEN)
        stem = screenshot.stem.lower()
        names = [stem]
        if match := _SHOT_OF.fullmatch(stem):
            names.append(match[1])
        for name in names:
            if name in self._named and self._named[name] != screenshot:
                return Offer(self._named[name], ReferenceWay.SAME_NAME)
        beside = self._in_folder(screenshot.parent)
        for name in (*names, ""):
            if name in beside and beside[name] != screenshot:
                return Offer(beside[name], ReferenceWay.BESIDE)
        return Offer()

    def _in_folder(self, folder: Path) -> dict[str, Path]:
        """The pictures of goals in a folder by the screenshot's name; "" for all."""
        if folder not in self._beside:
            named: dict[str, Path] = {}
            with contextlib.suppress(OSError):
                paths = (folder / name for name in names_in(folder))
                for path in filter(_is_picture, paths):
                    stem = path.stem.lower()
                    if _GOAL.fullmatch(stem):
                        named.setdefault("", path)
                    elif match := _GOAL_OF.fullmatch(stem):
                        named.setdefault(match[1], path)
            self._beside[folder] = named
        return self._beside[folder]


def _all_pictures(top: Path, on_trouble: Callable[[Path, str], None]) -> Iterator[Path]:
    """Every picture below a folder: here all names are those of references."""
    folders = [top] if os.path.isdir(top) else []
    while folders:
        folder = folders.pop()
        try:
            names = names_in(folder)
        except OSError as error:
            on_trouble(folder, why(error))
            continue
        inner = []
        for path in (folder / name for name in names):
            if os.path.isdir(path):
                if not path.name.startswith(".") and not os.path.islink(path):
                    inner.append(path)
            elif _is_picture(path):
                yield path
        folders += reversed(inner)
