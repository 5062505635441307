"""Folders of screenshots: each one read and solved, and a report of all of them.

``Batch`` says what is wanted. ``Run`` finds the pictures, lets a fleet work at those
that are not done yet, and writes the reports. Nothing but the journal says what is
done, so a run that was ended in any way goes on where it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.files.folder import check_folder, free_folder
from imgpuzzle.files.image import load_image, write_atomically
from imgpuzzle.files.journal import Journal
from imgpuzzle.files.temporary import locked, sweep, writing
from imgpuzzle.fleet.batch.find import (
    SETTINGS_NAME,
    References,
    Screenshot,
    find_pictures,
)
from imgpuzzle.fleet.batch.journal import JOURNAL_NAME, SOLVED, PictureEntry
from imgpuzzle.fleet.batch.page import CSV_NAME, PAGE_NAME, render_csv, render_page
from imgpuzzle.fleet.batch.work import (
    THUMBNAILS,
    BatchTerms,
    PictureTask,
    is_own,
    lost,
    marks_of,
    relative_key,
    work,
)
from imgpuzzle.fleet.workers import Fleet
from imgpuzzle.messages import BatchFault, Message, Work

if TYPE_CHECKING:
    from imgpuzzle.core.options import Tell

OUTPUT_NAME = "solutions"
"""The folder of a batch beside or in what was given, unless another one is named."""

FORMAT = 1
"""The number of the journal's form; a later one with other keys gets another."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is wanted.

    Attributes:
        paths: Pictures, and folders of them.
        terms: What is the same for all of them.
        reference: The picture of the goal of all screenshots.
        references: A folder of pictures of goals.
        options: What the user passed, by the names of the options, to be compared with
            those of an earlier run.
    """

    paths: tuple[Path, ...]
    terms: BatchTerms
    reference: Path | None = None
    references: Path | None = None
    options: dict[str, str] = field(default_factory=dict, hash=False)


def choose_output(paths: Iterable[Path], *, resume: bool) -> Path:
    """The folder for the results where none is named.

    ``solutions`` in the first folder that is given, or beside the first picture; the
    next free name where that holds something, or the last one when a run goes on.
    """
    first = next(iter(paths))
    folder = (first if first.is_dir() else first.parent) / OUTPUT_NAME
    if not resume:
        return free_folder(folder)
    latest, number = folder, 2
    while _is_batch(folder.with_name(f"{folder.name}-{number}")):
        latest = folder.with_name(f"{folder.name}-{number}")
        number += 1
    return latest


def _is_batch(folder: Path) -> bool:
    return (folder / SETTINGS_NAME).is_file()


class Run:
    """One run of a batch, to be used in a ``with``.

    Args:
        batch: What is wanted.
        resume: Go on with an earlier run in the same folder.
        on_changed: Called with the options that differ from the earlier run's: the
            name, what it was and what it is.
        on_trouble: Called with a folder that cannot be read, and why.

    Raises:
        UsageError: For options that do not go together, a folder that holds an earlier
            batch or that another run works in.
        InvalidImageError: For a path where nothing is, or a reference that is no
            picture.
        OutputError: When the folder cannot be written.

    Attributes:
        output: The folder of the results, absolute.
        total: How many pictures there are.
        entries: What is done, by the pictures' keys.
    """

    def __init__(
        self,
        batch: Batch,
        *,
        resume: bool = False,
        on_changed: Callable[[list[tuple[str, str, str]]], None] | None = None,
        on_trouble: Callable[[Path, str], None] = lambda folder, why: None,
    ) -> None:
        self._batch = batch
        self._stack = contextlib.ExitStack()
        self.output = Path(os.path.abspath(batch.terms.output))
        if batch.reference is not None:
            load_image(batch.reference)
        check_folder(self.output)
        self._references = References(batch.reference, batch.references, on_trouble)
        self._found = find_pictures(
            batch.paths, left_out=_left_out(batch), on_trouble=on_trouble
        )
        self._keys = {relative_key(one.path, self.output) for one in self._found}
        self.total = len(self._keys)
        if not self._found:
            names = ", ".join(repr(str(path)) for path in batch.paths)
            raise InvalidImageError.said(BatchFault.NO_PICTURES, names=names)
        if _is_batch(self.output) and not resume:
            message = Message(BatchFault.EARLIER_BATCH, name=str(batch.terms.output))
            raise UsageError(message)
        self._begin(on_changed)
        self._journal = Journal(self.output / JOURNAL_NAME)
        self.entries: dict[str, PictureEntry] = {}
        self._has_old_lines = False
        self._load()
        self._page_is_old = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def go(self, fleet: Fleet, tell: Tell | None = None) -> None:
        """Work at all pictures that are not done yet.

        Raises:
            OutputError: When nothing can be written any more.
        """
        wanted = [one for one in self._found if not self._is_done(one)]
        if not wanted:
            return
        self._page_is_old = True
        plan = replace(self._batch.terms, output=self.output)
        names = _Names(self.entries, self.output, self._found)
        tasks = []
        for one in wanted:
            key = relative_key(one.path, self.output)
            offer = self._references.offer(one.path)
            folder = names.folder(key, one.name)
            tasks.append(PictureTask(one.path, key, one.name, folder, offer))
        for entry in fleet.map_chunks(work, ((plan, task) for task in tasks), lost):
            self._journal.note(asdict(entry))
            self._know(entry)
            if tell is not None:
                found, count = len(self._done), self.total
                tell(Message(Work.SO_FAR, found=found, count=count), found / count)

    def finish(self) -> None:
        """Remove what workers left that were ended, and write the reports if need be.

        They are ``report.csv`` and ``report.html``.

        Raises:
            OutputError: When they cannot be written.
        """
        sweep(self.output)
        if not self._page_is_old:
            return
        self._load()
        entries = [
            entry
            for key, entry in self.entries.items()
            # A folder that could not be read, and is by now, is in its pictures.
            if key in self._keys or not os.path.isdir(self.output / key)
        ]
        if self._has_old_lines:
            lines = (json.dumps(asdict(one)).encode() + b"\n" for one in entries)
            write_atomically(self._journal.path, b"".join(lines))
            self._has_old_lines = False
        write_atomically(self.output / CSV_NAME, render_csv(entries))
        page = render_page(entries, self.output, language=self._batch.terms.language)
        write_atomically(self.output / PAGE_NAME, page)
        self._page_is_old = False

    @property
    def _done(self) -> list[PictureEntry]:
        return [entry for key, entry in self.entries.items() if key in self._keys]

    @property
    def counts(self) -> Counter[str]:
        """How many are done, by status, those of earlier runs included."""
        return Counter(entry.status for entry in self._done)

    @property
    def exit_code(self) -> int:
        """0 when all pictures are solved, else the lowest status of the others."""
        codes = [one.exit_code for one in self._done if one.status != SOLVED]
        return min(codes, default=0)

    def _begin(
        self, on_changed: Callable[[list[tuple[str, str, str]]], None] | None
    ) -> None:
        """Make the folder, take it for this run, and write down the options."""
        path = self.output / SETTINGS_NAME
        options = self._batch.options
        try:
            self.output.mkdir(parents=True, exist_ok=True)
            self._stack.enter_context(locked(self.output, waits=False))
            sweep(self.output)
            earlier = _settings(path)
            changed = [
                (name, earlier.get(name, ""), options.get(name, ""))
                for name in dict.fromkeys((*earlier, *options))
                if earlier.get(name, "") != options.get(name, "")
            ]
            if path.exists() and changed and on_changed is not None:
                on_changed(changed)
            record = {"format": FORMAT, "options": options}
            write_atomically(path, json.dumps(record).encode("ascii") + b"\n")
        except BaseException as error:
            self._stack.close()
            if isinstance(error, BlockingIOError):
                name = str(self._batch.terms.output)
                message = Message(BatchFault.FOLDER_IN_USE, name=name)
                raise UsageError(message) from None
            with writing(self._batch.terms.output, is_inside=True):
                raise

    def _is_done(self, one: Screenshot) -> bool:
        """Whether the journal has this picture as it is now, with all its files."""
        entry = self.entries.get(relative_key(one.path, self.output))
        if entry is None or entry.sha256 is None:
            return False  # what could not be opened may be by now
        is_other = entry.puzzle != self._batch.terms.puzzle
        if is_other and entry.status != SOLVED:
            return False  # its guide is not thrown away for another guess
        offer = self._references.offer(one.path).path
        if entry.offered != (offer and relative_key(offer, self.output)):
            return False
        if entry.folder is not None:
            for name in entry.files:
                marks = marks_of(self.output / entry.folder / name)
                if marks is None or marks.st_size == 0:
                    return False
        marks = marks_of(one.path)
        if marks is None or marks.st_size != entry.size:
            return marks is None  # gone: what was read of it stays
        return marks.st_mtime_ns == entry.mtime_ns or _sha256(one.path) == entry.sha256

    def _load(self) -> None:
        """Know what the journal says."""
        self.entries, self._has_old_lines = {}, False
        for entry in filter(None, map(PictureEntry.from_line, self._journal.lines())):
            self._know(entry)

    def _know(self, entry: PictureEntry) -> None:
        """Of several entries of a picture the last one counts."""
        self._has_old_lines |= self.entries.pop(entry.picture, None) is not None
        self.entries[entry.picture] = entry


class _Names:
    """Folders for pictures: one each, none inside another, the same in every run."""

    def __init__(
        self,
        entries: dict[str, PictureEntry],
        output: Path,
        found: Iterable[Screenshot],
    ) -> None:
        self._output = output
        self._kept = {key: one.folder for key, one in entries.items() if one.folder}
        own = {JOURNAL_NAME, CSV_NAME, PAGE_NAME, SETTINGS_NAME, THUMBNAILS}
        self._used = {name.casefold() for name in (*own, *self._kept.values())}
        # What is a folder of pictures cannot be a picture's own.
        self._parents: set[str] = set()
        for one in found:
            self._add_parents(os.path.splitext(one.name)[0])
        for name in self._kept.values():
            self._add_parents(name)

    def folder(self, key: str, name: str) -> str:
        """The folder of a picture, below the output's."""
        kept = self._kept.get(key)
        if kept is not None and self._is_ours(kept, key):
            return kept
        stem = os.path.splitext(name)[0]
        flat = stem.replace("/", "-")
        numbered = (f"{flat}-{number}" for number in itertools.count(2))
        names = itertools.chain((stem, flat), numbered)
        chosen = next(one for one in names if self._is_free(one, key))
        self._used.add(chosen.casefold())
        self._add_parents(chosen)
        return chosen

    def _is_free(self, name: str, key: str) -> bool:
        folded = name.casefold()
        is_taken = folded in self._used or folded in self._parents
        if is_taken or not self._used.isdisjoint(_parents(folded)):
            return False
        return self._is_ours(name, key)

    def _is_ours(self, name: str, key: str) -> bool:
        """Whether nothing lies there, or what was made of the same picture."""
        place = self._output / name
        above = (self._output / one for one in _parents(name))
        is_new = not os.path.lexists(place) and not any(map(os.path.isfile, above))
        return is_own(place, key) or is_new

    def _add_parents(self, name: str) -> None:
        self._parents.update(_parents(name.casefold()))


def _parents(name: str) -> Iterator[str]:
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name


def _sha256(path: Path) -> str | None:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _left_out(batch: Batch) -> list[Path]:
    """Where no screenshots are: the results, and the pictures of goals."""
    found = [batch.terms.output]
    if batch.reference is not None:
        found.append(batch.reference)
    if batch.references is not None and not _holds(batch.references, batch.paths):
        found.append(batch.references)
    return found


def _holds(folder: Path, paths: Iterable[Path]) -> bool:
    """Whether one of some paths lies in a folder, or is it."""
    top = Path(os.path.realpath(folder))
    return any(Path(os.path.realpath(path)).is_relative_to(top) for path in paths)


def _settings(path: Path) -> dict[str, str]:
    try:
        record: Any = json.loads(path.read_bytes())
        return {str(name): str(value) for name, value in record["options"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
