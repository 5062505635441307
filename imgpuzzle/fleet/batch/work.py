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

from imgpuzzle.core.reading import (
    BoardNotFoundError,
    GridAmbiguousError,
    UncertainReadingError,
)
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
    give_memory_back,
    load_image,
    read_bytes,
    reduced,
    save_image,
)
from imgpuzzle.files.temporary import is_full, temporary_folder, why, writing
from imgpuzzle.fleet.batch.find import Offer
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
    plan, task = job
    began = time.perf_counter()
    entry, picture, found = _looked_at(plan, task)
    try:
        with writing(plan.output / task.folder):
            entry = _written(plan, task, entry, picture, found)
    except OutputError:
        raise
    except Exception as error:
        entry = _unexpected(entry, error)
    seconds = round(time.perf_counter() - began, 2)
    del picture, found
    give_memory_back()
    return replace(entry, seconds=seconds)


def lost(job: tuple[BatchTerms, PictureTask], error: PuzzleError) -> PictureEntry:
    """The line of a picture whose workers ended again and again."""
    plan, task = job
    entry = _failed(_begun(plan, task), Message(BatchFault.WORKER_LOST), 1)
    # Known by its bytes, so that --resume does not try what ends every worker.
    with contextlib.suppress(PuzzleError, OSError):
        return _stamped(entry, task.path)[0]
    return entry


@dataclass(frozen=True, slots=True)
class _Understood:
    """What was read of a picture, and its guide."""

    reading: Reading
    guide: Guide | None = None


def _looked_at(
    plan: BatchTerms, task: PictureTask
) -> tuple[PictureEntry, Image | None, _Understood | None]:
    """Read and solve; what goes wrong is in the entry."""
    entry = _begun(plan, task)
    picture: Image | None = None
    found: _Understood | None = None
    try:
        entry, data = _stamped(entry, task.path)
        picture = decode_image(data, name=task.name)
        del data
        reading, choice = _read(plan, task, picture)
        entry = _with_choice(plan, entry, choice)
        if isinstance(reading, PuzzleError):
            raise reading
        found = _Understood(reading)
        entry = _with_reading(entry, reading, choice)
        guide = _solved(plan, reading)
        found = _Understood(reading, guide)
        entry = replace(
            entry,
            status=SOLVED,
            moves=guide.solution.move_count,
            lower_bound=guide.solution.lower_bound,
            optimal=guide.solution.is_optimal,
        )
    except MissingDependencyError:
        raise  # of the installation, and the same for every picture
    except PuzzleError as error:
        said = error.message or Message(BatchFault.UNEXPECTED, why=str(error))
        entry = _failed(entry, said, error.exit_code, str(error))
        if isinstance(error, UncertainReadingError):
            entry = replace(entry, status=DOUBTFUL)
        elif isinstance(error, UnsolvableError):
            entry = replace(entry, status=UNSOLVABLE)
        elif isinstance(error, LimitReachedError):
            entry = replace(entry, lower_bound=error.lower_bound)
    except Exception as error:
        entry = _unexpected(entry, error)
    return entry, picture, found


def _unexpected(entry: PictureEntry, error: Exception) -> PictureEntry:
    """One picture costs its own line and nothing else, whatever it meets.

    Raises ``OutputError`` where the disk is full.
    """
    if isinstance(error, MemoryError):
        code = LimitReachedError.exit_code
        return _failed(entry, Message(BatchFault.TOO_LARGE_FOR_MEMORY), code)
    if is_full(error):
        raise OutputError.said("could not write: {why}", why=why(error)) from None
    words = f"{type(error).__name__}: {error}"
    message = Message(BatchFault.UNEXPECTED, why=words[:LONGEST_WHY])
    return _failed(entry, message, PuzzleError.exit_code)


def _begun(plan: BatchTerms, task: PictureTask) -> PictureEntry:
    offered = _relative(plan, task.offer.path)
    return PictureEntry(task.key, task.name, offered=offered, puzzle=plan.puzzle)


def _failed(
    entry: PictureEntry, said: Message, code: int, words: str = ""
) -> PictureEntry:
    return replace(
        entry,
        status=FAILED,
        exit_code=code,
        message=words or str(said),
        message_code=said.to_dict(),
    )


def _stamped(entry: PictureEntry, path: Path) -> tuple[PictureEntry, bytes]:
    """The entry with the file's marks, and its bytes."""
    # Before it is read: what changes it later is then noticed.
    found = marks_of(path)
    if found is not None and not stat.S_ISREG(found.st_mode):
        # Reading a pipe would wait for ever.
        raise InvalidImageError(Message(BatchFault.NO_PLAIN_FILE, name=entry.name))
    data = read_bytes(path, entry.name)
    return replace(
        entry,
        size=len(data),
        mtime_ns=-1 if found is None else found.st_mtime_ns,
        sha256=hashlib.sha256(data).hexdigest(),
    ), data


def marks_of(path: Path) -> os.stat_result | None:
    """What shows that a file was changed; None for one that is gone."""
    try:
        return path.stat()
    except OSError:
        return None


def _read(
    plan: BatchTerms, task: PictureTask, picture: Image
) -> tuple[Reading | PuzzleError, Offer]:
    """The reading, certain or not, or why there is none, and the goal's picture."""
    import cv2

    from imgpuzzle.core.options import ReadOptions
    from imgpuzzle.pipeline import read_as

    # There is a worker a core: more threads would wait for each other.
    cv2.setNumThreads(1)
    reference, choice = None, task.offer
    if choice.path is not None:
        try:
            reference = load_image(choice.path, most_px=REFERENCE_PX)
        except PuzzleError:
            choice = Offer(choice.path, ReferenceWay.UNREADABLE)
    try:
        reading = read_as(plan.puzzle, picture, ReadOptions(), reference=reference)
    except (BoardNotFoundError, GridAmbiguousError, UncertainReadingError) as error:
        return error, choice
    finally:
        give_memory_back()
    if choice.path is None and reading.certain:
        choice = Offer(None, ReferenceWay.NOT_NEEDED)
    return reading, choice


def _solved(plan: BatchTerms, reading: Reading) -> Guide:
    from imgpuzzle.pipeline import require_usable, solve_reading

    require_usable(reading, plan.puzzle)
    limits = plan.limits(reading.shape)
    return solve_reading(reading, limits=limits, puzzle=plan.puzzle)


def _with_choice(plan: BatchTerms, entry: PictureEntry, choice: Offer) -> PictureEntry:
    path = _relative(plan, choice.path)
    return replace(entry, reference=path, reference_why=choice.way.value)


def _with_reading(entry: PictureEntry, reading: Reading, choice: Offer) -> PictureEntry:
    return replace(
        entry,
        reference_used=choice.path is not None and reading.method == "reference",
        grid=str(reading.shape),
        method=reading.method,
        confidence=round(reading.confidence, 4),
        board=reading.board.one_line(),
        goal=reading.goal.one_line(),
        doubts=tuple(str(doubt) for doubt in reading.doubts),
        doubt_codes=tuple(doubt.to_dict() for doubt in reading.doubts),
    )


def _relative(plan: BatchTerms, path: Path | None) -> str | None:
    return None if path is None else relative_key(path, plan.output)


def relative_key(path: Path, output: Path) -> str:
    """The path from the output's folder, which stays true when both are moved."""
    try:
        return Path(os.path.relpath(path, output)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def _written(
    plan: BatchTerms,
    task: PictureTask,
    entry: PictureEntry,
    picture: Image | None,
    found: _Understood | None,
) -> PictureEntry:
    """Put the picture's files in place; the entry says which."""
    from imgpuzzle.vision.annotate import annotate

    if picture is not None:
        name = thumbnail_name(task.key)
        (plan.output / THUMBNAILS).mkdir(exist_ok=True)
        thumbnail = _thumbnail(picture, found)
        save_image(thumbnail, plan.output / name, quality=THUMBNAIL_QUALITY)
        entry = replace(entry, thumbnail=name)
    with temporary_folder(plan.output) as temporary:
        if found is None or picture is None:
            # It may have been read once, and be another picture now.
            _put_away(plan, task, temporary)
            return entry
        new = temporary / "new"
        new.mkdir()
        drawn = reduced(annotate(picture, found.reading), READING_PX)
        save_image(drawn, new / READING_NAME, quality=READING_QUALITY)
        names = [READING_NAME]
        for name, data in _contents(plan, task, found):
            (new / name).write_bytes(data)
            names.append(name)
        _put_away(plan, task, temporary)
        target = plan.output / task.folder
        target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(new, target)
    return replace(entry, folder=task.folder, files=tuple(names))


def thumbnail_name(key: str) -> str:
    """Where the small picture of a screenshot lies, below the output's folder."""
    digest = hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()
    return f"{THUMBNAILS}/{digest[:16]}.webp"


def _put_away(plan: BatchTerms, task: PictureTask, temporary: Path) -> None:
    """Let what an earlier run made of the same picture go with what is temporary."""
    target = plan.output / task.folder
    if is_own(target, task.key):
        os.rename(target, temporary / "old")


def is_own(folder: Path, key: str) -> bool:
    """Whether a folder holds what was made of this picture before."""
    try:
        record = json.loads((folder / RECORD_NAME).read_bytes())
        return bool(record["picture"] == key)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _contents(
    plan: BatchTerms, task: PictureTask, found: _Understood
) -> Iterator[tuple[str, bytes]]:
    """The files of a picture's folder beside the drawn reading, the record last."""
    names = [READING_NAME]
    if found.guide is not None:
        from imgpuzzle.render.drawing.style import Style

        style = Style(language=plan.language)
        for suffix in plan.suffixes:
            if FORMATS[suffix].kind is Sort.RECORD:
                continue  # it is there anyway
            for path, data in found.guide.draw(FORMATS[suffix].file_name, style=style):
                names.append(path.name)
                yield path.name, data
    names.append(RECORD_NAME)
    record = {**_record(found, names), "picture": task.key}
    yield RECORD_NAME, json.dumps(record).encode("ascii") + b"\n"


def _record(found: _Understood, names: list[str]) -> dict[str, Any]:
    if found.guide is not None:
        return found.guide.to_dict(names)
    from imgpuzzle.guide import result_dict

    start, goal = found.reading.interchangeable()
    return result_dict(start, goal, reading=found.reading, files=names)


def _thumbnail(picture: Image, found: _Understood | None) -> Image:
    """The board with what was read, or all of a picture that was not read."""
    if found is None:
        return reduced(picture, THUMBNAIL_PX)
    from imgpuzzle.vision.annotate import annotate

    region = found.reading.region
    margin = round(AROUND * max(region.width, region.height))
    drawn = annotate(picture, found.reading)
    part = drawn[
        max(region.top - margin, 0) : region.bottom + margin,
        max(region.left - margin, 0) : region.right + margin,
    ]
    return reduced(part, THUMBNAIL_PX)
