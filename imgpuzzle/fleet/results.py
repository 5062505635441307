"""Results of many boards, line by line, in a file that is whole or can be gone on with.

Until all is done the file has another name, with ``.part`` at its end. What is in there
is synchronised with the disk every second, so whoever is killed loses that second.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import importlib
import itertools
import json
import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self

from imgpuzzle.core.board import Shape
from imgpuzzle.errors import (
    MissingDependencyError,
    OutputError,
    PuzzleError,
    UsageError,
)
from imgpuzzle.files.temporary import cut_half_line, why
from imgpuzzle.fleet.positions import FORMATS, Row, as_board, parquet
from imgpuzzle.fleet.rating import COLUMNS, Rater, Rating, formatted, lost
from imgpuzzle.solver.tuning import MAX_CELLS

__all__ = [
    "Results",
    "check_begun",
    "check_nothing_to_go_on_with",
    "check_place",
    "format_of",
    "is_complete",
    "lines_done",
    "open_results",
]

SYNC_SECONDS = 1.0
LOOKED_AT = 16
"""Results by which it is seen whether a run goes on with its own file and options."""
_TYPES = {"int": "int64", "bool": "bool_", "float": "float64", "str": "string"}


class Results(Protocol):
    """Where the results of chunks go, in order."""

    def write(self, chunk: Any) -> None:
        """Write what the work on a chunk returned."""

    def __enter__(self) -> Self:
        """The results themselves."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the file its name, unless something went wrong."""


def format_of(output: str | None, named: str | None) -> str:
    """The format of the results: what is named, or what the file's name ends in.

    Raises ``UsageError`` for an ending that says nothing.
    """
    if named is not None:
        return named
    if output is None:
        return "csv"
    ending = Path(output).suffix.lower()
    if ending not in FORMATS:
        raise UsageError(
            f"expected a name that ends in {', '.join(FORMATS)}, found {output!r}; "
            "--format says what it is"
        )
    return FORMATS[ending]


def open_results(output: str | None, kind: str, *, goes_on: bool = False) -> Results:
    """Where results go: a file, or standard output.

    Args:
        output: The file's path, a URL for Parquet, or ``None``.
        kind: ``"csv"``, ``"jsonl"`` or ``"parquet"``.
        goes_on: Whether lines are added to those that are there; see ``lines_done``.
            A Parquet file is always begun anew.

    Raises:
        UsageError: For Parquet without a file.
        OutputError: When the file cannot be made.
    """
    if kind == "parquet":
        if output is None:
            raise UsageError(
                "expected --output FILE.parquet with --format parquet, found none"
            )
        return _Parquet(output)
    if output is None:
        return _Lines(None, kind, goes_on=False)
    return _Lines(Path(output), kind, goes_on=goes_on)


def check_place(output: str, boards: Path | None) -> None:
    """Raise ``UsageError`` where results would replace a folder or their boards."""
    path = Path(output)
    if path.is_dir():
        raise UsageError(
            f"expected a file for the results, found the folder {output!r}"
        )
    if boards is not None and path.exists() and os.path.samefile(path, boards):
        raise UsageError(
            f"expected another file for the results, found {output!r}, which holds the "
            "boards"
        )


def check_nothing_to_go_on_with(output: Path) -> None:
    """Raise ``UsageError`` where an interrupted run left results that would be lost."""
    part = _part(output)
    if part.exists() and part.stat().st_size > 0:
        raise UsageError(
            f"expected no earlier results, found {str(part)!r} of a run that was "
            "interrupted; --resume goes on with it, and who removes it begins anew"
        )


def is_complete(output: Path) -> bool:
    """Whether results are there that nothing is left to do for."""
    return output.exists() and not _part(output).exists()


def lines_done(output: Path, kind: str) -> tuple[int, list[dict[str, str]]]:
    """How many results an earlier run left, and the last ``LOOKED_AT`` of them.

    Of one that was interrupted, what is behind the last whole line is cut off.

    Raises:
        UsageError: When the file that is there is none of these results.
    """
    left = output if is_complete(output) else _part(output)
    if not left.exists():
        return 0, []
    count, last = 0, deque[bytes](maxlen=LOOKED_AT)
    with left.open("rb" if left is output else "r+b") as file:
        if left is not output:
            cut_half_line(file.fileno())
        file.seek(0)
        head = file.readline() if kind == "csv" else b""
        if head and head.strip() != _HEADER.encode():
            raise UsageError(
                f"expected results of imgpuzzle rate in {left.name!r}, found other "
                "columns"
            )
        for line in file:
            count += 1
            last.append(line)
    try:
        return count, _parsed(b"".join(last).decode(), kind)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(
            f"expected results of imgpuzzle rate in {left.name!r}, found something else"
        ) from None


def check_begun(
    rows: Iterable[Row], found: Iterable[dict[str, str]], rater: Rater, kind: str
) -> None:
    """Raise ``UsageError`` where results are of another file, or of other options.

    Args:
        rows: Of the file.
        found: The results that should be theirs; see ``lines_done``.
        rater: With the options of now.
        kind: The format.
    """
    for row, one in itertools.zip_longest(rows, found):
        now = {} if row is None else _again(row, one, rater, kind)
        for name in (*now, "line"):
            if now.get(name) != one.get(name):
                raise UsageError(
                    "expected the file and the options that the run was begun with, "
                    f"found {name} {now.get(name, 'nothing')!r} where its results have "
                    f"{one.get(name, 'nothing')!r} (line {one['line']})"
                )


def _again(
    row: Row, found: dict[str, str], rater: Rater, kind: str
) -> dict[str, str | None]:
    """What a result should say that depends on neither the time nor the machine."""
    shape = Shape.parse(found["shape"]) if "shape" in found else None
    names = ["line", "id"]
    if shape is None:  # what is no board, or ended its workers
        rated = lost(row, UsageError(""))
    elif shape.size > MAX_CELLS:
        names += ["board"]
        rated = lost(row, UsageError(""))
        with contextlib.suppress(PuzzleError):
            board = as_board(row.board, rater.shape).one_line()
            rated = dataclasses.replace(rated, board=board)
    else:
        names += ["board", "shape", "solvable", "moves"]
        (rated,) = rater.rate([row])
    (again,) = _parsed(formatted([rated], kind), kind)
    now = {name: again.get(name) for name in names}
    if now.get("moves") and bool(again.get("solution")) != bool(found.get("solution")):
        now["solution"] = again.get("solution")
    return now


def _parsed(text: str, kind: str) -> list[dict[str, str]]:
    """Lines of results as the text in their columns, those left out that are empty.

    Raises ``ValueError`` and its like for what is none.
    """
    if kind == "csv":
        records: Any = csv.DictReader(text.split("\n"), COLUMNS)
    else:
        records = map(json.loads, text.split("\n")[:-1])
    found = [
        {name: str(one[name]) for name in COLUMNS if one.get(name) not in (None, "")}
        for one in records
    ]
    for one in found:
        int(one["line"])
    return found


_HEADER = ",".join(COLUMNS)


def _part(output: Path) -> Path:
    return output.with_name(output.name + ".part")


@contextlib.contextmanager
def _writing(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"could not write {name!r}: {why(error)}") from None


class _Lines:
    """Lines of text."""

    def __init__(self, output: Path | None, kind: str, *, goes_on: bool) -> None:
        self._output = output
        self._synced = time.monotonic()
        self._file: IO[str] = sys.stdout
        if output is not None:
            with _writing(str(output)):
                mode = "a" if goes_on else "w"
                self._file = _part(output).open(mode, encoding="utf-8", newline="\n")
        if kind == "csv" and (output is None or _part(output).stat().st_size == 0):
            self.write(_HEADER + "\n")

    def write(self, chunk: str) -> None:
        with _writing(str(self._output or "standard output")):
            self._file.write(chunk)
            now = time.monotonic()
            if now - self._synced >= SYNC_SECONDS:
                self._sync()
                self._synced = now

    def _sync(self) -> None:
        self._file.flush()
        if self._output is not None:
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            with contextlib.suppress(OSError):
                self._sync()
        with _writing(str(self._output or "standard output")):
            if kind is None:
                self._sync()
            if self._output is not None:
                # A full disk has said what is wrong already; once is enough.
                with contextlib.suppress(*([OSError] if kind else [])):
                    self._file.close()
                if kind is None:
                    _part(self._output).replace(self._output)


class _Parquet:
    """A Parquet file, on this machine or behind any URL that fsspec knows."""

    def __init__(self, output: str) -> None:
        self._library = parquet()
        self._arrow: Any = importlib.import_module("pyarrow")
        self._output = output
        self._target = output if "://" in output else f"{output}.part"
        self._schema = self._arrow.schema(
            [
                (field.name, getattr(self._arrow, _TYPES[str(field.type).split()[0]])())
                for field in dataclasses.fields(Rating)
            ]
        )
        with _writing(output):
            if "://" in output:
                try:
                    fsspec: Any = importlib.import_module("fsspec")
                except ImportError:
                    raise MissingDependencyError(
                        "expected fsspec for a URL, found none; "
                        'run pip install "imgpuzzle[cluster]"'
                    ) from None
                try:
                    self._file: Any = fsspec.open(self._target, "wb").open()
                except (ImportError, ValueError) as error:
                    raise UsageError(
                        f"expected a URL that can be written, found {output!r} "
                        f"({str(error)[:120]})"
                    ) from None
            else:
                self._file = Path(self._target).open("wb")  # noqa: SIM115
        self._writer = self._library.ParquetWriter(self._file, self._schema)

    def write(self, chunk: Sequence[Rating]) -> None:
        columns = [[getattr(one, name) for one in chunk] for name in COLUMNS]
        with _writing(self._output):
            self._writer.write_table(
                self._arrow.table(
                    [
                        self._arrow.array(column, field.type)
                        for column, field in zip(columns, self._schema, strict=True)
                    ],
                    schema=self._schema,
                )
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            # What has no end is no Parquet file.
            with contextlib.suppress(OSError):
                self._file.close()
            with contextlib.suppress(OSError):
                if "://" not in self._output:
                    os.unlink(self._target)
            return
        with _writing(self._output):
            self._writer.close()
            self._file.close()
            if "://" not in self._output:
                os.replace(self._target, self._output)
