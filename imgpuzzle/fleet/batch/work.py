"""What is done with one picture of a batch: read, solve, draw, put in place, note."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgpuzzle.core.reading import UncertainReadingError
from imgpuzzle.errors import (
    InvalidImageError,
    LimitReachedError,
    MissingDependencyError,
    OutputError,
    PuzzleError,
    UnsolvableError,
)
from imgpuzzle.files.folder import RECORD_NAME
from imgpuzzle.files.image import (
    REFERENCE_PX,
    decode_image,
    encoded,
    give_memory_back,
    load_image,
    read_bytes,
    reduced,
    save_image,
)
from imgpuzzle.files.temporary import is_full, temporary_folder, why, writing
from imgpuzzle.fleet.batch.find import Offer, names_in
from imgpuzzle.fleet.batch.journal import (
    DOUBTFUL,
    FAILED,
    SOLVED,
    UNSOLVABLE,
    PictureEntry,
)
from imgpuzzle.messages import BatchFault, Message, ReferenceWay
from imgpuzzle.render.files.formats import FORMATS, Sort

if TYPE_CHECKING:
    from imgpuzzle.core.board import Shape
    from imgpuzzle.core.reading import Reading
    from imgpuzzle.core.solution import Limits
    from imgpuzzle.files.image import Image
    from imgpuzzle.guide import Guide

READING_NAME = "reading.jpg"
"""The screenshot with what was read drawn on it."""

READING_PX, READING_QUALITY = 1600, 85
"""Its longer side at most: 1,000 of them take 200 MB, and numbers stay legible."""

THUMBNAILS = "thumbnails"
"""The folder of the small pictures for the report."""

THUMBNAIL_PX = 224
THUMBNAIL_QUALITY = 50
"""About 5 kB each, so that a page with a thousand of them is no burden."""

AROUND = 0.1
"""What a thumbnail shows around the board, as a share of the board's longer side."""

LONGEST_WHY = 200
"""Letters of what nobody expected that are kept."""


@dataclass(frozen=True, slots=True)
class BatchTerms:
    """What is the same for all pictures of a batch.

    Attributes:
        output: The folder for all that is written; absolute for workers.
        limits: When the search for a board of some shape ends; a function of a module,
            which workers are sent.
        suffixes: The formats of the guides.
        language: That of guides and of the report.
        puzzle: The kind of all puzzles.
    """

    output: Path
    limits: Callable[[Shape], Limits]
    suffixes: tuple[str, ...] = (".html",)
    language: str = "en"
    puzzle: str = "slide"


@dataclass(frozen=True, slots=True)
class PictureTask:
    """One picture.

    Attributes:
        path: The screenshot, absolute.
        key: Its path from the output's folder, by which the journal knows it.
        name: What it is called in the report.
        folder: Where its files go, below the output's folder.
        offer: The picture of the goal that belongs to it by name.
    """

    path: Path
    key: str
    name: str
    folder: str
    offer: Offer


def work(job: tuple[BatchTerms, PictureTask]) -> PictureEntry:
    """Do all of it for one picture; whatever is wrong with it is said in its entry.

    Raises:
        OutputError: Nothing can be written any more.
        MissingDependencyError: A part of imgpuzzle is not installed.
    """
    began = time.perf_counter()
    one = _Worked(*job)
    one.look()
    try:
        with writing(one.target):
            one.write()
    except OutputError:
        raise
    except Exception as error:
        one.meet(error)
    entry = replace(one.entry, seconds=round(time.perf_counter() - began, 2))
    del one
    give_memory_back()
    return entry


def lost(job: tuple[BatchTerms, PictureTask], error: PuzzleError) -> PictureEntry:
    """The line of a picture whose workers ended again and again."""
    one = _Worked(*job)
    one.fail(Message(BatchFault.WORKER_LOST), 1)
    # Known by its bytes, so that --resume does not try what ends every worker.
    with contextlib.suppress(PuzzleError, OSError):
        one.stamp()
    return one.entry


class _Worked:
    """A picture while it is worked at: what becomes of it is in its ``entry``."""

    def __init__(self, plan: BatchTerms, task: PictureTask) -> None:
        self._plan, self._task = plan, task
        self._picture: Image | None = None
        self._reading: Reading | None = None
        self._guide: Guide | None = None
        self.target = plan.output / task.folder
        offered = self._relative(task.offer.path)
        self.entry = PictureEntry(
            task.key, task.name, offered=offered, puzzle=plan.puzzle
        )

    def _note(self, **what: Any) -> None:
        self.entry = replace(self.entry, **what)

    def _relative(self, path: Path | None) -> str | None:
        return None if path is None else relative_key(path, self._plan.output)

    def fail(self, said: Message, code: int, words: str = "") -> None:
        """Note why it is not solved."""
        words, record = words or str(said), said.to_dict()
        self._note(status=FAILED, exit_code=code, message=words, message_code=record)

    def meet(self, error: Exception) -> None:
        """One picture costs its own line and nothing else, whatever it meets.

        Raises ``OutputError`` where the disk is full.
        """
        if isinstance(error, MemoryError):
            code = LimitReachedError.exit_code
            self.fail(Message(BatchFault.TOO_LARGE_FOR_MEMORY), code)
            return
        if is_full(error):
            raise OutputError.said("could not write: {why}", why=why(error)) from None
        words = f"{type(error).__name__}: {error}"
        message = Message(BatchFault.UNEXPECTED, why=words[:LONGEST_WHY])
        self.fail(message, PuzzleError.exit_code)

    def stamp(self) -> bytes:
        """Note the file's marks, and return its bytes."""
        # Before it is read: what changes it later is then noticed.
        path, name = self._task.path, self._task.name
        found = marks_of(path)
        if found is not None and stat.S_ISDIR(found.st_mode):
            # One that could not be looked into, and may not be by now.
            try:
                names_in(path)
            except OSError as error:
                raise InvalidImageError.said(
                    BatchFault.UNREADABLE_FOLDER, name=name, why=why(error)
                ) from None
        if found is not None and not stat.S_ISREG(found.st_mode):
            # Reading a pipe would wait for ever.
            message = Message(BatchFault.NO_PLAIN_FILE, name=name)
            raise InvalidImageError(message)
        data = read_bytes(path, name)
        self._note(
            size=len(data),
            mtime_ns=-1 if found is None else found.st_mtime_ns,
            sha256=hashlib.sha256(data).hexdigest(),
        )
        return data

    def look(self) -> None:
        """Read and solve; what goes wrong is in the entry."""
        from imgpuzzle.pipeline import require_usable, solve_reading

        puzzle = self._plan.puzzle
        try:
            self._picture = decode_image(self.stamp(), name=self._task.name)
            reading = self._reading = self._read(self._picture)
            require_usable(reading, puzzle)
            limits = self._plan.limits(reading.shape)
            guide = self._guide = solve_reading(reading, limits=limits, puzzle=puzzle)
            self._note(
                status=SOLVED,
                moves=guide.solution.move_count,
                lower_bound=guide.solution.lower_bound,
                optimal=guide.solution.is_optimal,
            )
        except MissingDependencyError:
            raise  # of the installation, and the same for every picture
        except PuzzleError as error:
            said = error.message or Message(BatchFault.UNEXPECTED, why=str(error))
            self.fail(said, error.exit_code, str(error))
            if isinstance(error, UncertainReadingError):
                self._note(status=DOUBTFUL)
            elif isinstance(error, UnsolvableError):
                self._note(status=UNSOLVABLE)
            elif isinstance(error, LimitReachedError):
                self._note(lower_bound=error.lower_bound)
        except Exception as error:
            self.meet(error)

    def _read(self, picture: Image) -> Reading:
        """The reading, certain or not; the entry says by which picture of the goal."""
        import cv2

        from imgpuzzle.core.options import ReadOptions
        from imgpuzzle.pipeline import read_as

        # There is a worker a core: more threads would wait for each other.
        cv2.setNumThreads(1)
        puzzle, choice, reference = self._plan.puzzle, self._task.offer, None
        if choice.path is not None:
            try:
                reference = load_image(choice.path, most_px=REFERENCE_PX)
            except PuzzleError:
                choice = Offer(choice.path, ReferenceWay.UNREADABLE)
        path = self._relative(choice.path)
        self._note(reference=path, reference_why=choice.way.value)
        try:
            reading = read_as(puzzle, picture, ReadOptions(), reference=reference)
        finally:
            give_memory_back()
        if choice.path is None and reading.certain:
            self._note(reference_why=ReferenceWay.NOT_NEEDED.value)
        self._note(
            reference_used=choice.path is not None and reading.method == "reference",
            grid=str(reading.shape),
            method=reading.method,
            confidence=round(reading.confidence, 4),
            board=reading.board.one_line(),
            goal=reading.goal.one_line(),
            doubts=tuple(str(doubt) for doubt in reading.doubts),
            doubt_codes=tuple(doubt.to_dict() for doubt in reading.doubts),
        )
        return reading

    def write(self) -> None:
        """Put the picture's files in place; the entry says which."""
        from imgpuzzle.vision.annotate import annotate

        output, picture, reading = self._plan.output, self._picture, self._reading
        if picture is not None:
            drawn = picture if reading is None else annotate(picture, reading)
            key = self._task.key.encode(errors="surrogateescape")
            name = f"{THUMBNAILS}/{hashlib.sha256(key).hexdigest()[:16]}.webp"
            (output / THUMBNAILS).mkdir(exist_ok=True)
            thumbnail = _thumbnail(drawn, reading)
            save_image(thumbnail, output / name, quality=THUMBNAIL_QUALITY)
            self._note(thumbnail=name)
        with temporary_folder(output) as temporary:
            new, names = temporary / "new", [READING_NAME]
            # It may have been read once, and be another picture now.
            if reading is not None:
                new.mkdir()
                shown = reduced(drawn, READING_PX)
                drawing = encoded(shown, ".jpg", quality=READING_QUALITY)
                (new / READING_NAME).write_bytes(drawing)
                for name, data in self._contents(reading):
                    (new / name).write_bytes(data)
                    names.append(name)
            if is_own(self.target, self._task.key):
                # What an earlier run made of it goes with what is temporary.
                os.rename(self.target, temporary / "old")
            if reading is not None:
                self.target.parent.mkdir(parents=True, exist_ok=True)
                os.rename(new, self.target)
                self._note(folder=self._task.folder, files=tuple(names))

    def _contents(self, reading: Reading) -> Iterator[tuple[str, bytes]]:
        """The files beside the drawn reading, the record last."""
        from imgpuzzle.guide import result_dict
        from imgpuzzle.render.drawing.style import Style

        names, guide = [READING_NAME], self._guide
        style = Style(language=self._plan.language)
        if guide is not None:
            for suffix in self._plan.suffixes:
                if FORMATS[suffix].kind is Sort.RECORD:
                    continue  # it is there anyway
                for path, data in guide.draw(FORMATS[suffix].file_name, style=style):
                    names.append(path.name)
                    yield path.name, data
        names.append(RECORD_NAME)
        if guide is not None:
            record = guide.to_dict(names)
        else:
            board = reading.interchangeable()
            record = result_dict(*board, reading=reading, files=names)
        record["picture"] = self._task.key
        yield RECORD_NAME, json.dumps(record).encode("ascii") + b"\n"


def marks_of(path: Path) -> os.stat_result | None:
    """What shows that a file was changed; None for one that is gone."""
    try:
        return path.stat()
    except OSError:
        return None


def relative_key(path: Path, output: Path) -> str:
    """The path from the output's folder, which stays true when both are moved."""
    try:
        return Path(os.path.relpath(path, output)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def is_own(folder: Path, key: str) -> bool:
    """Whether a folder holds what was made of this picture before."""
    try:
        record = json.loads((folder / RECORD_NAME).read_bytes())
        return bool(record["picture"] == key)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _thumbnail(drawn: Image, reading: Reading | None) -> Image:
    """The board with what was read, or all of a picture that was not read."""
    if reading is not None:
        region = reading.region
        margin = round(AROUND * max(region.width, region.height))
        drawn = drawn[
            max(region.top - margin, 0) : region.bottom + margin,
            max(region.left - margin, 0) : region.right + margin,
        ]
    return reduced(drawn, THUMBNAIL_PX)
