"""``imgpuzzle rate``: how hard many boards are."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, searching, speech, values
from imgpuzzle.cli.terminal import note, progress_bar
from imgpuzzle.cli.writing import check_file, written_words
from imgpuzzle.core.board import Board
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import Message, Work

if TYPE_CHECKING:
    from imgpuzzle.fleet.positions import BoardLine

SECONDS = 1.0
"""For a board that is too large for a proof: many boards are rated in one go."""


@click.command("rate", cls=options.PlainCommand)
@click.argument("file", type=values.PathType())
@options.grid_option("Rows and columns, for lines that do not show them.")
@click.option(
    "--goal",
    metavar="TEXT",
    help="The goal of all boards whose line has none of its own.",
)
@click.option(
    "--format",
    type=values.NamesType(["csv", "jsonl"]),
    help="Of the result.  [default: as the output's name ends, or csv]",
)
@options.path_option(
    "--output", "FILE", "Where the result goes.  [default: standard output]", type=str
)
@options.flag_option("--solutions", "A column with the moves, too.")
@click.option(
    "--time-limit",
    type=values.SecondsType(),
    default=SECONDS,
    help="End the search for a board of more than 16 cells after this time.",
)
@options.flag_option("--resume", "Go on where a run was interrupted.")
@searching.fleet_options
@options.slide_option
def command(given: options.Given) -> None:
    """Say of many boards how hard they are.

    FILE has a board a line ("1 2 3 / 4 0 5 / 7 8 6"), or is a table with a column
    "board" (and if wanted "goal" and "id"): .csv or .jsonl; - is standard input. The
    result has a line a board: its shortest solution's moves, whether that is proven,
    slides, on small boards how many shortest solutions there are, and a difficulty for
    people in bits, which the documentation explains. A line that is no board, or
    cannot be solved, says so in its column "error" and stops nothing; where no line is
    a board the status is 2.
    """
    from imgpuzzle.fleet import positions, rating, results

    grid, resume = given.grid, given.resume
    output = None if given.output == "-" else given.output
    kind = results.format_of(output, given.format)
    if resume and output is None:
        raise UsageError.said("expected --output FILE with --resume, found none")
    rater = rating.Rater(
        shape=grid,
        goal=None if given.goal is None else Board.parse(given.goal, shape=grid),
        seconds=given.time_limit,
        with_solutions=given.solutions,
    )
    typed = {
        "--grid": str(grid or ""),
        "--goal": given.goal or "",
        "--solutions": "yes" if given.solutions else "",
    }
    path = None if str(given.file) == "-" else given.file
    if output is not None:
        check_file(Path(output), path)
    rows = positions.read_rows(path)
    done = 0
    if output is not None and not resume:
        results.check_nothing_to_go_on_with(output)
    if resume and output is not None:
        if results.is_complete(output):
            note(
                f"{output!r} was finished before; boards that came later need another "
                "--output"
            )
            return
        done = results.begun(output, rows, typed)
    # The first board is read before the result's file is made.
    first = list(itertools.islice(rows, 1))
    if not first and not done:
        raise UsageError.said(
            "expected a board a line in {file!r}, found none", file=str(given.file)
        )
    rows = itertools.chain(first, rows)
    words = speech.gettext("interrupted")
    if output is not None:
        words = speech.gettext("interrupted; --resume goes on from here")
    replaced = output is not None and Path(output).exists()
    began, finished, failed, boards = time.monotonic(), 0, 0, 0
    with (
        searching.ending_in_one_line(words),
        searching.make_fleet(given) as fleet,
        results.Results(output, kind, typed, goes_on=done > 0) as result,
        progress_bar(speech.gettext("rating")) as tell,
    ):
        size = path.stat().st_size if path is not None else 0
        sent: list[list[BoardLine]] = []

        def chunks() -> Iterator[list[BoardLine]]:
            for chunk in positions.chunked(rows, grid):
                sent.append(chunk)
                yield chunk

        read = 0
        for ratings in fleet.map_chunks(rater, chunks(), rating.lost_lines):
            chunk = sent.pop(0)
            result.write(ratings)
            failed += ratings.count('"error": ')
            boards += ratings.count('"solvable": ')
            finished += len(chunk)
            read += sum(len(row.board) + 1 for row in chunk)
            rate = _rate(finished, time.monotonic() - began)
            so_far = Message(Work.BOARDS_RATED, count=f"{finished:,}", rate=rate)
            tell(so_far, min(read / size, 1) if size else 0)
    seconds = time.monotonic() - began
    if output is not None:
        note(written_words(Path(output), replaced=replaced))
    note(
        f"lines rated: {finished - failed:,} of {finished:,}, in {seconds:.1f} s "
        f"({_rate(finished, seconds)} a second)"
        + (f"; {done:,} were done before" if done else "")
        + (f'; what is wrong with {failed:,} says the column "error"' if failed else "")
    )
    if not boards and not done:
        raise InvalidBoardError.said(
            "expected a board a line in {file!r}, found none in any of {count}",
            file=str(given.file),
            count=finished,
        )


def _rate(count: int, seconds: float) -> str:
    """How many a second; of few lines that take long it is less than one."""
    rate = count / max(seconds, 1e-9)
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
