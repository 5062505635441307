"""Results of many boards, line by line, in a file that is whole or can be gone on with.

Until all is done they are JSON lines in a file beside it, the journal, with ``.part``
at its end. CSV is made of it at the end.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from imgpuzzle.core.board import Shape
from imgpuzzle.errors import OutputError, PuzzleError, UsageError
from imgpuzzle.files.journal import Journal, other
from imgpuzzle.files.temporary import replacing, writing
from imgpuzzle.fleet.positions import FORMATS, BoardLine, as_board
from imgpuzzle.fleet.rating import COLUMNS, csv_line


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


def begun(output: str, rows: Iterator[BoardLine], options: Mapping[str, str]) -> int:
    """How many results an interrupted run left in a file; their rows are taken.

    ``options``, by their names, have to be as they were when the run was begun.

    Raises:
        UsageError: When what is there are no results, or those of other boards or
            options.
    """
    count = 0
    shape = Shape.parse(options["--grid"]) if options["--grid"] else None
    for record in _journal(output).begun(options):
        row = next(rows, None)
        known = record["line"], record.get("id"), record.get("board")
        if row is None or (row.line, row.id) != known[:2]:
            raise other(f"line {known[0]}", row.board if row else None, known[2])
        board = row.board[:200]
        if board != known[2]:
            with contextlib.suppress(PuzzleError):
                board = as_board(row.board, shape).one_line()
        if board != known[2]:
            raise other(f"line {known[0]}", board, known[2])
        count += 1
    return count


def _journal(output: str) -> Journal:
    """Beside the results."""
    return Journal(Path(f"{output}.part"))


class Results:
    """Where the results of chunks go, in order: a file, or standard output.

    ``kind`` is ``"csv"`` or ``"jsonl"``. ``options`` are what ``begun`` knows the run
    by, and when it ``goes_on`` lines are added to those that are there.

    Raises:
        OutputError: When the file cannot be made.
    """

    def __init__(
        self,
        output: str | None,
        kind: str,
        options: Mapping[str, str],
        *,
        goes_on: bool = False,
    ) -> None:
        self._output, self._kind = output, kind
        self._journal = None if output is None else _journal(output)
        self._has_lines = goes_on
        if self._journal is None:
            self._print(_HEADER if kind == "csv" else "")
        elif not goes_on:
            with writing(str(output)):
                self._journal.path.write_bytes(b"")
            self._journal.note({"options": dict(options)})

    def write(self, chunk: str) -> None:
        """Write the JSON lines that the work on a chunk returned."""
        if self._journal is None:
            if self._kind == "csv":
                chunk = "".join(map(csv_line, map(json.loads, chunk.splitlines())))
            self._print(chunk)
            return
        self._journal.add(chunk.encode())
        self._has_lines = True

    def _print(self, text: str) -> None:
        with writing("standard output"):
            sys.stdout.write(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Make the file of the journal, unless something went wrong."""
        if self._output is None:
            # What went wrong has been said already; once is enough.
            said = [] if kind is None else [OSError]
            with contextlib.suppress(*said), writing("standard output"):
                sys.stdout.flush()
        elif kind is None:
            with writing(self._output):
                _make(self._output, self._kind)
        elif kind is OutputError and not self._has_lines:
            # There is nothing to go on with.
            _journal(self._output).path.unlink(missing_ok=True)


_HEADER = ",".join(COLUMNS) + "\n"


def _make(output: str, kind: str) -> None:
    """The results in their format and place, out of their journal, which goes."""
    journal = _journal(output)
    lines = itertools.islice(journal.lines(), 1, None)  # the first one has the options
    with replacing(Path(output)) as file:
        if kind == "jsonl":
            file.writelines(lines)
        else:
            text = io.TextIOWrapper(file, "utf-8", newline="\n")
            text.write(_HEADER)
            text.writelines(csv_line(json.loads(line)) for line in lines)
            text.detach()
    journal.path.unlink()
