"""``imgpuzzle tables``: the solver's tables that are kept on disk."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imgpuzzle.cli import options, speech, values
from imgpuzzle.cli.report import line
from imgpuzzle.cli.searching import metric_option
from imgpuzzle.cli.terminal import note, progress_bar, say, say_json
from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import usual_homes
from imgpuzzle.errors import OutputError
from imgpuzzle.messages import Message, Work

if TYPE_CHECKING:
    from imgpuzzle.solver.tables.store import StoredTable


@click.group("tables", cls=options.CommandGroup)
def command() -> None:
    """The tables that speed up larger boards, kept between runs.

    They are built when a board first needs them and lie in the user's cache, or
    below the folder that the environment variable IMGPUZZLE_CACHE_DIR names.
    Removing them costs nothing but the time to build them again.
    """


@command.command("list", cls=options.PlainCommand)
@options.json_option
def list_tables(given: options.Given) -> None:
    """Show the tables: names, sizes, and whether they are whole."""
    from imgpuzzle.solver.tables.store import TableStore

    store = TableStore()
    records = [_record(entry) for entry in store.entries()]
    if not _is_usable(store.directory):
        note(f"no table can be kept in {str(store.directory)!r}; {_ANOTHER_FOLDER}")
    total = sum(one["bytes"] for one in records)
    if given.as_json:
        folder = str(store.directory)
        say_json({"folder": folder, "tables": records, "bytes": total})
        return
    _say_tables(records)
    line("folder", str(store.directory))
    line("total", f"{_count(len(records), 'table')}, {_megabytes(total)}")


@command.command("clear", cls=options.PlainCommand)
def clear_tables(given: options.Given) -> None:
    """Remove the tables; files of other programs stay."""
    from imgpuzzle.solver.tables.store import TableStore

    store = TableStore()
    files, size = store.clear()
    line("folder", str(store.directory))
    line("removed", f"{_count(files, 'file')}, {_megabytes(size)}")


@command.command("build", cls=options.PlainCommand)
@click.argument("grids", type=values.ShapeType(), metavar="[ROWSxCOLS]...", nargs=-1)
@click.option(
    "--goal-blank",
    type=values.CellType(),
    help="The goal's empty cell, counted from 0: 0,0 is the top left. "
    "By default all homes that games use: the corners and the end of a spiral.",
)
@options.flag_option("--large", "Build larger tables: slower now, faster later.")
@metric_option
def build_tables(given: options.Given) -> None:
    """Get ready for grids ahead of time, 4x4 if none is given.

    That is to build their tables, rows first: imgpuzzle tables build 5x5. A game's
    first board then needs no more time than all later ones.
    """
    from imgpuzzle.solver.prepare import prepare
    from imgpuzzle.solver.tables.store import TableStore

    boards = _boards(given.grids or (Shape(4, 4),), given.goal_blank)
    store = TableStore()
    names: dict[Shape, list[str]] = {}
    with progress_bar(speech.gettext("tables")) as tell:
        for number, (shape, home) in enumerate(boards):

            def show(what: Work | None, share: float, number: int = number) -> None:
                message = Message(what or Work.READY)
                tell(message, (number + share) / len(boards))

            names.setdefault(shape, []).extend(
                prepare(
                    *(shape, home),
                    metric=given.metric,
                    is_large=given.large,
                    progress=show,
                )
            )
    for shape in names:
        if not names[shape]:
            say(f"for {shape} boards no tables are kept")
    wanted = set().union(*names.values())
    kept = [entry for entry in store.entries() if entry.name in wanted]
    _say_tables([_record(entry) for entry in kept])
    lost = wanted - {entry.name for entry in kept if entry.state == "good"}
    if lost:
        raise OutputError.said(
            "could not keep all tables in {folder!r}: {count} are lost; set "
            "IMGPUZZLE_CACHE_DIR to a folder that can be written and has space",
            folder=str(store.directory),
            count=len(lost),
        )


def _boards(
    grids: tuple[Shape, ...], goal_blank: tuple[int, int] | None
) -> list[tuple[Shape, int]]:
    """Each grid with each home of the blank that is asked for."""
    return [
        (shape, home)
        for shape in dict.fromkeys(grids)
        for home in (
            usual_homes(shape) if goal_blank is None else (shape.cell(*goal_blank),)
        )
    ]


_ANOTHER_FOLDER = "set IMGPUZZLE_CACHE_DIR to a folder that can be written"


def _is_usable(folder: Path) -> bool:
    """Whether a folder can be written, or made: something is made there, and removed.

    Permissions alone do not tell: in /proc nobody can make any.
    """
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryDirectory(dir=folder):
            return os.access(folder, os.R_OK)
    except OSError:
        return False


def _record(entry: StoredTable) -> dict[str, Any]:
    return {
        "name": entry.name,
        "path": str(entry.path),
        "bytes": entry.size_bytes,
        "state": entry.state,
    }


def _say_tables(records: Sequence[dict[str, Any]]) -> None:
    width = max((len(one["name"]) for one in records), default=0)
    for one in records:
        size = _megabytes(one["bytes"])
        say(f"{one['name']:<{width}}  {size:>10}  {one['state']}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
