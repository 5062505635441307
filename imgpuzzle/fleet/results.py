"""Results of many boards, line by line, in a file that is whole or can be gone on with.

Until all is done they are JSON lines in a file beside it, the journal, with ``.part``
at its end. What is in there is synchronised with the disk every second, so whoever is
killed loses that second. CSV and Parquet are made of it at the end.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import io
import itertools
import json
import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from imgpuzzle.core.board import Shape
from imgpuzzle.errors import (
    MissingDependencyError,
    OutputError,
    PuzzleError,
    UsageError,
)
from imgpuzzle.files.journal import Journal
from imgpuzzle.files.temporary import replacing, why
from imgpuzzle.fleet.positions import FORMATS, Row, as_board, parquet
from imgpuzzle.fleet.rating import COLUMNS, Rater, Rating, csv_line, json_lines, lost
from imgpuzzle.solver.tuning import MAX_CELLS

__all__ = [
    "Results",
    "check_begun",
    "check_nothing_to_go_on_with",
    "check_place",
    "format_of",
    "is_complete",
    "lines_done",
]

SYNC_SECONDS = 1.0
LOOKED_AT = 16
"""Results by which it is seen whether a run goes on with its own file and options."""
_TYPES = {"int": "int64", "bool": "bool_", "float": "float64", "str": "string"}
_ROWS_A_BATCH = 4096


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
        raise UsageError.said(
            "expected a name that ends in {names}, found {output!r}; --format "
            "says what it is",
            names=", ".join(FORMATS),
            output=output,
        )
    return FORMATS[ending]


def check_place(output: str, boards: Path | None) -> None:
    """Raise ``UsageError`` where results would replace a folder or their boards."""
    path = Path(output)
    if path.is_dir():
        raise UsageError.said(
            "expected a file for the results, found the folder {output!r}",
            output=output,
        )
    if boards is not None and path.exists() and os.path.samefile(path, boards):
        raise UsageError.said(
            "expected another file for the results, found {output!r}, which "
            "holds the boards",
            output=output,
        )


def check_nothing_to_go_on_with(output: str) -> None:
    """Raise ``UsageError`` where an interrupted run left results that would be lost."""
    journal = _journal(output).path
    if journal.exists() and journal.stat().st_size > 0:
        raise UsageError.said(
            "expected no earlier results, found {journal!r} of a run that was "
            "interrupted; --resume goes on with it, and who removes it begins "
            "anew",
            journal=str(journal),
        )


def is_complete(output: str) -> bool:
    """Whether results are there that nothing is left to do for."""
    return Path(output).exists() and not _journal(output).path.exists()


def lines_done(output: str) -> tuple[int, list[dict[str, str]]]:
    """How many results an interrupted run left, and the last ``LOOKED_AT`` of them.

    What is behind the last whole line is cut off.

    Raises:
        UsageError: When the file that is there is none of these results.
    """
    left = _journal(output)
    left.mend()
    count, last = 0, deque[dict[str, Any]](maxlen=LOOKED_AT)
    try:
        for record in left.records():
            count += 1
            last.append(record)
        return count, _as_text(last)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError.said(
            "expected results of imgpuzzle rate in {name!r}, found something else",
            name=left.path.name,
        ) from None


def check_begun(
    rows: Iterable[Row], found: Iterable[dict[str, str]], rater: Rater
) -> None:
    """Raise ``UsageError`` where results are of another file, or of other options.

    Args:
        rows: Of the file.
        found: The results that should be theirs; see ``lines_done``.
        rater: With the options of now.
    """
    for row, one in itertools.zip_longest(rows, found):
        now = {} if row is None else _again(row, one, rater)
        for name in (*now, "line"):
            if now.get(name) != one.get(name):
                raise UsageError.said(
                    "expected the file and the options that the run was begun "
                    "with, found {name} {found!r} where its results have "
                    "{known!r} (line {line})",
                    name=name,
                    found=now.get(name, "nothing"),
                    known=one.get(name, "nothing"),
                    line=one["line"],
                )


def _again(row: Row, found: dict[str, str], rater: Rater) -> dict[str, str | None]:
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
    (again,) = _as_text(map(json.loads, [json_lines([rated])]))
    now = {name: again.get(name) for name in names}
    if now.get("moves") and bool(again.get("solution")) != bool(found.get("solution")):
        now["solution"] = again.get("solution")
    return now


def _as_text(records: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Results as the text in their columns, those left out that are empty.

    Raises ``ValueError`` and its like for what is none.
    """
    found = [
        {name: str(one[name]) for name in COLUMNS if one.get(name) not in (None, "")}
        for one in records
    ]
    for one in found:
        int(one["line"])
    return found


def _journal(output: str) -> Journal:
    """Beside the results; in the current folder for those that go to a URL."""
    path = Path(output)
    name = path.name if _is_url(output) else path
    return Journal(Path(f"{name}.part"))


def _is_url(output: str) -> bool:
    return "://" in output


@contextlib.contextmanager
def _writing(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError.said(
            "could not write {name!r}: {why}", name=name, why=why(error)
        ) from None


class Results:
    """Where the results of chunks go, in order: a file, or standard output.

    Args:
        output: The file's path, a URL for Parquet, or ``None``.
        kind: ``"csv"``, ``"jsonl"`` or ``"parquet"``.
        goes_on: Whether lines are added to those that are there; see ``lines_done``.

    Raises:
        UsageError: For Parquet without a file.
        MissingDependencyError: For Parquet without its library.
        OutputError: When the file cannot be made.
    """

    def __init__(self, output: str | None, kind: str, *, goes_on: bool = False) -> None:
        self._output, self._kind = output, kind
        self._synced = time.monotonic()
        if kind == "parquet":
            if output is None:
                raise UsageError.said(
                    "expected --output FILE.parquet with --format parquet, found none"
                )
            parquet()  # before any work is done
        self._journal = None if output is None else _journal(output)
        if self._journal is None:
            self._print(_HEADER if kind == "csv" else "")
        elif not goes_on:
            with _writing(str(output)):
                self._journal.path.write_bytes(b"")

    def write(self, chunk: str) -> None:
        """Write the JSON lines that the work on a chunk returned."""
        if self._journal is None:
            if self._kind == "csv":
                chunk = "".join(map(csv_line, map(json.loads, chunk.splitlines())))
            self._print(chunk)
            return
        with _writing(str(self._output)):
            self._journal.add(chunk.encode())
            now = time.monotonic()
            if now - self._synced >= SYNC_SECONDS:
                self._journal.sync()
                self._synced = now

    def _print(self, text: str) -> None:
        with _writing("standard output"):
            sys.stdout.write(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Make the file of the journal, unless something went wrong."""
        if kind is not None:
            # A full disk has said what is wrong already; once is enough.
            with contextlib.suppress(OSError):
                self._sync()
            return
        with _writing(self._output or "standard output"):
            self._sync()
            if self._output is not None:
                _make(self._output, self._kind)

    def _sync(self) -> None:
        if self._journal is None:
            sys.stdout.flush()
        else:
            self._journal.sync()


_HEADER = ",".join(COLUMNS) + "\n"


def _make(output: str, kind: str) -> None:
    """The results in their format and place, out of their journal, which goes."""
    journal = _journal(output)
    if kind == "jsonl":
        journal.path.replace(output)
        return
    put = _put_csv if kind == "csv" else _put_parquet
    with _opened(output) if _is_url(output) else replacing(Path(output)) as file:
        put(journal.records(), file)
    journal.path.unlink()


def _put_csv(records: Iterator[dict[str, Any]], file: BinaryIO) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="\n")
    text.write(_HEADER)
    text.writelines(map(csv_line, records))
    text.detach()


def _put_parquet(records: Iterator[dict[str, Any]], file: BinaryIO) -> None:
    arrow: Any = importlib.import_module("pyarrow")
    schema = arrow.schema(
        [
            (field.name, getattr(arrow, _TYPES[str(field.type).split()[0]])())
            for field in dataclasses.fields(Rating)
        ]
    )
    with parquet().ParquetWriter(file, schema) as writer:
        while batch := list(itertools.islice(records, _ROWS_A_BATCH)):
            # The schema fills in what a record leaves out.
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def _opened(url: str) -> Any:
    """A file behind any URL that fsspec knows."""
    try:
        fsspec: Any = importlib.import_module("fsspec")
    except ImportError:
        raise MissingDependencyError.said(
            "expected fsspec for a URL, found none; run pip install "
            '"imgpuzzle[cluster]"'
        ) from None
    try:
        return fsspec.open(url, "wb").open()
    except (ImportError, ValueError) as error:
        raise UsageError.said(
            "expected a URL that can be written, found {url!r} ({why})",
            url=url,
            why=str(error)[:120],
        ) from None
