"""Files with a board a line, never whole in memory: text, CSV, JSON lines."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from imgpuzzle.core.board import Board, Shape, TurnedBoard, shape_of
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.files.temporary import why

FORMATS = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""The format of a file by the end of its name; anything else is text."""
LONGEST_LINE = 100_000
"""Characters; the largest board has 1,024 cells."""
_SPACES = str.maketrans(",;|", "   ")


def as_words(text: str) -> str:
    """Text for a table, which spreadsheets would else calculate, or run."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board of a file, not looked at yet.

    Attributes:
        line: Where it stands, counted from 1: a line, or a row of a table.
        board: Its numbers as text.
        goal: Those of its goal, where the file has a column of them.
        id: What the file calls it.
    """

    line: int
    board: str
    goal: str | None = None
    id: str | None = None


def read_rows(path: Path | None) -> Iterator[BoardLine]:
    """The boards of a file, one after the other.

    Args:
        path: The file, whose name says the format: ``.csv``, ``.jsonl``, or text
            with a board a line, where what follows ``#`` is a comment. ``None`` reads
             text or JSON lines from standard input.

    Raises:
        UsageError: When there is no such file, or no column ``board`` in it.
    """
    kind = "text" if path is None else FORMATS.get(path.suffix.lower(), "text")
    name = "standard input" if path is None else str(path)
    if path is not None and (not path.exists() or path.is_dir()):
        raise UsageError.said(
            "expected a file with a board a line, found none at {name!r}; - reads "
            "them from standard input",
            name=name,
        )
    try:
        with _opened(path) as file:
            lines = _lines(file, name)
            yield from _of_csv(lines, name) if kind == "csv" else _of_lines(lines)
    except UnicodeDecodeError:
        raise UsageError.said(
            "expected text in UTF-8 in {name!r}, found other bytes; the name of "
            "a table ends in .csv or .jsonl",
            name=name,
        ) from None
    except OSError as error:
        raise UsageError.said(
            "could not read {name!r}: {why}", name=name, why=why(error)
        ) from None


@contextlib.contextmanager
def _opened(path: Path | None) -> Iterator[IO[str]]:
    if path is not None:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield file
        return
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Like a file, whatever the terminal's encoding is.
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")
    yield sys.stdin


def _lines(file: IO[str], name: str) -> Iterator[str]:
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise UsageError.said(
                "expected lines of at most {most:,} characters in {name!r}, "
                "found a longer one",
                most=LONGEST_LINE,
                name=name,
            )
        yield line


def _of_lines(lines: Iterable[str]) -> Iterator[BoardLine]:
    for number, line in enumerate(lines, 1):
        text = line.split("#", 1)[0].strip() if "#" in line else line.strip()
        if text[:1] in "{[" and text:
            yield _of_json(number, text)
        elif text:
            yield BoardLine(number, text)


def _of_json(number: int, text: str) -> BoardLine:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return BoardLine(number, text[:200])
    if not isinstance(found, dict):
        return BoardLine(number, _as_text(found))
    if "board" not in found:
        raise UsageError.said(
            "expected a column 'board' (and if wanted 'goal' and 'id'), found {names} "
            "in line {number}",
            names=_names(found),
            number=number,
        )
    return _row(number, found)


def _of_csv(lines: Iterable[str], name: str) -> Iterator[BoardLine]:
    try:
        reader = csv.DictReader(lines)
        if "board" not in (reader.fieldnames or ()):
            raise UsageError.said(
                "expected a column 'board' (and if wanted 'goal' and 'id'), found "
                "{names} in {name!r}",
                names=_names(reader.fieldnames or ()),
                name=name,
            )
        for found in reader:
            yield _row(reader.line_num, found)
    except csv.Error as error:
        raise UsageError.said(
            "expected a table of boards in {name!r}, found {error}",
            name=name,
            error=error,
        ) from None


def _names(names: Iterable[str]) -> str:
    return (", ".join(repr(str(name)) for name in names) or "none")[:200]


def _row(number: int, found: dict[str, Any]) -> BoardLine:
    goal, name = found.get("goal"), found.get("id")
    return BoardLine(
        number,
        _as_text(found["board"]),
        None if goal in (None, "") else _as_text(goal),
        None if name is None else _plain(str(name)),
    )


def _plain(text: str) -> str:
    """Text that can be written: JSON may hold halves of characters."""
    if text.isascii():
        return text
    return text.encode(errors="backslashreplace").decode()


def _as_text(found: Any) -> str:
    """A board as text, also one that is a list of numbers, or of rows."""
    if isinstance(found, list):
        if found and all(isinstance(row, list) for row in found):
            return " / ".join(" ".join(map(str, row)) for row in found)
        return " ".join(map(str, found))
    return "" if found is None else _plain(str(found))


def as_board(text: str, shape: Shape | None = None) -> Board:
    """The board of a line, quick where nothing is wrong; raises as ``Board.parse``."""
    with contextlib.suppress(ValueError):
        rows = text.translate(_SPACES).split("/")
        cells = tuple(map(int, " ".join(rows).split()))
        if min(cells) >= 0:
            lengths: tuple[int, ...] = (len(cells),)
            if len(rows) > 1:
                lengths = tuple(len(row.split()) for row in rows)
            return Board(shape or shape_of(lengths), cells)
    try:
        return Board.parse(text, shape=shape)
    except InvalidBoardError:
        if _is_turned(text, shape):
            raise InvalidBoardError.said(
                "expected a board with an empty cell, found turned tiles"
            ) from None
        raise


def _is_turned(text: str, shape: Shape | None) -> bool:
    """Whether a line has tiles that lie turned."""
    with contextlib.suppress(InvalidBoardError):
        found = TurnedBoard.parse(text, shape=shape)
        return isinstance(found, TurnedBoard) and any(found.turns)
    return False


CHUNK_WORK = 4096
"""What a chunk holds: so many boards of up to 9 cells, which are looked up."""
WORK_OF_CELLS = ((9, 1), (16, 64))
"""What a board of so many cells weighs at most: some 4 ms where it is searched."""
LARGE_WORK = 1024
"""What a larger one weighs: seconds. So a chunk keeps a worker for some seconds."""
GROWS_EVERY, MOST_GROWTH = 32, 8
"""After so many chunks they hold as much again as the first ones, up to so many times
that: whoever hands them out has less to do, and a short file is still shared out
evenly. Those of large boards take long enough as they are."""


def chunked(
    rows: Iterable[BoardLine], shape: Shape | None
) -> Iterator[list[BoardLine]]:
    """The rows in chunks of work that grows slowly."""
    chunk: list[BoardLine] = []
    work = made = 0
    for row in rows:
        growth = min(1 + made // GROWS_EVERY, MOST_GROWTH)
        numbers = row.board.translate(_SPACES).replace("/", " ").split()
        cells = shape.size if shape else len(numbers)
        chunk.append(row)
        large = LARGE_WORK * growth
        work += next((w for most, w in WORK_OF_CELLS if cells <= most), large)
        if work >= CHUNK_WORK * growth:
            yield chunk
            chunk, work, made = [], 0, made + 1
    if chunk:
        yield chunk
