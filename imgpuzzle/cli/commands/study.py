"""``imgpuzzle study``: figures of the puzzle itself."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import click

from imgpuzzle.cli import options, searching, speech, values
from imgpuzzle.cli.terminal import progress_bar, say
from imgpuzzle.cli.writing import save
from imgpuzzle.files.folder import check_folder
from imgpuzzle.messages import Count, Message, Work
from imgpuzzle.puzzles.kind import kind_of, only_sliding

WALKS = (0, 1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100, 125, 150, 200)
"""How far the blank walks, where nothing else is asked for."""


@click.group("study", cls=options.CommandGroup)
def command() -> None:
    """Measure the puzzle itself: how far positions are from the goal.

    Each study writes its figures as CSV into a folder. The same seed gives the same
    figures, with any number of workers; a study that was interrupted goes on when it
    is asked for again.
    """


_output_option = partial(
    options.path_option,
    *("--output", "FOLDER", "Where the figures go."),
    type=values.OutputType(),
)


@command.command(
    "walks",
    cls=options.PlainCommand,
    short_help="Mean length against the blank's walk.",
)
@options.grid_option("Rows and columns, of at most 16 cells.", default="4x4")
@click.option(
    "--walks",
    type=values.WholeRange(0, 100_000),
    multiple=True,
    help="How far the blank walks; may be given many times.  [default: 0 to 200]",
)
@click.option(
    "--boards",
    type=values.WholeRange(2, 10_000_000),
    default=1000,
    help="Boards for each point.",
)
@click.option(
    "--seed",
    type=values.WholeRange(min=0),
    default=0,
    help="Another seed makes other boards.",
)
@_output_option(required=True)
@searching.fleet_options
@options.slide_option
def walks(given: options.Given) -> None:
    """Mean shortest length against the random walk of the blank that made the board."""
    from imgpuzzle.fleet import studies

    points = [("walks", far) for far in sorted(set(given.walks or WALKS))]
    points.append(("uniform", 0))
    parts = list(studies.parts_of(given.grid, points, given.boards, given.seed))
    check_folder(given.output)
    given.output.mkdir(parents=True, exist_ok=True)
    kept = given.output / "walks.parts.jsonl"
    words = speech.gettext("interrupted; the same command goes on from here")
    with (
        searching.ending_in_one_line(words),
        searching.make_fleet(given) as fleet,
        progress_bar(speech.gettext("measuring")) as tell,
    ):
        found = studies.measured(parts, fleet, kept, tell)
    rows = ["kind,shape,walks,boards,mean,low,high,deviation"]
    for one in found:
        where = f"{one.shape}, {one.walks} walks" if one.kind == "walks" else one.shape
        say(
            f"{where}: {one.mean:.2f} moves "
            f"(95 %: {one.low:.2f} to {one.high:.2f}; {one.count:,} boards)"
        )
        rows.append(
            f"{one.kind},{one.shape},{one.walks},{one.count},{one.mean:.6g},"
            f"{one.low:.6g},{one.high:.6g},{one.deviation:.6g}"
        )
    _write(given.output, "walks", rows)


@command.command(
    "depth",
    cls=options.PlainCommand,
    short_help="How many positions are how far away.",
)
@options.grid_option("Rows and columns, of at most 12 cells.", default="3x3")
@options.kind_option
@searching.metric_option
@_output_option()
def depth(given: options.Given) -> None:
    """How many positions are how far from the goal, all of them counted.

    Prints the figures, or writes them where -o says.
    """
    from imgpuzzle.solver.complete import depths

    grid, metric, kind = given.grid, given.metric, kind_of(given.kind)
    if given.output is not None:
        check_folder(given.output)
    counted = kind.depths(grid)
    every = math.factorial(grid.size)
    if counted is None:
        counted = depths(grid, grid.size - 1, slides=metric == "slide")
        every //= 2
    elif metric != "single":
        raise only_sliding("--metric", kind.name)
    layers, seen = [], 0
    with progress_bar(speech.gettext("positions")) as tell:
        for far, count in counted:
            layers.append((far, count))
            seen += count
            told = Message(Work.POSITIONS_COUNTED, count=seen)
            tell(told, min(seen / every, 1.0))
    mean = sum(far * count for far, count in layers) / seen
    what = "slides" if metric == "slide" else "moves"
    unit = Count.SLIDES if metric == "slide" else kind.several
    counted_as = unit.several.format(count=f"{mean:.4f}")
    say(
        f"{grid}: {seen:,} positions, {counted_as} in the mean, {layers[-1][0]} at most"
    )
    rows = [f"{what},positions", *(f"{far},{count}" for far, count in layers)]
    if given.output is None:
        say("\n".join(rows))
        return
    _write(given.output, "depth", rows)


def _write(folder: Path, name: str, rows: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    save(("\n".join(rows) + "\n").encode(), folder / f"{name}.csv")
