"""``imgpuzzle tables``: the solver's tables that are kept on disk."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imgpuzzle.cli import options, speech, values
from imgpuzzle.cli.report import line
from imgpuzzle.cli.searching import metric_option
from imgpuzzle.cli.terminal import note, progress_bar, say, say_json
from imgpuzzle.errors import OutputError
from imgpuzzle.messages import Message, Work

if TYPE_CHECKING:
    from imgpuzzle.core.board import Shape
    from imgpuzzle.solver.prepare import Need
    from imgpuzzle.solver.tables.store import Entry, TableStore

__all__ = ["command"]


@click.group("tables")
def command() -> None:
    """The tables that speed up larger boards, kept between runs.

    They are built when a board first needs them and lie in the user's cache, or
    below the folder that the environment variable IMGPUZZLE_CACHE_DIR names.
    Removing them costs nothing but the time to build them again.
    """


_goal_blank_option = click.option(
    "--goal-blank",
    type=values.CellType(),
    metavar="ROW,COL",
    help="The goal's empty cell, counted from 0: 0,0 is the top left. "
    "By default all homes that games use: the corners and the end of a spiral.",
)


@command.command("list", cls=options.PlainCommand)
@click.argument("grids", type=values.ShapeType(), metavar="[ROWSxCOLS]...", nargs=-1)
@_goal_blank_option
@click.option("--large", is_flag=True, help="Tell of the larger tables for 4x4.")
@metric_option
@options.json_option
def list_tables(
    grids: tuple[Shape, ...],
    goal_blank: tuple[int, int] | None,
    large: bool,
    metric: str,
    as_json: bool,
) -> None:
    """Show the tables: names, sizes, and whether they are whole.

    With grids, rows first, those that such boards need: imgpuzzle tables list 4x4. Of
    those that are missing it says how long they take to build.
    """
    from imgpuzzle.solver.tables.store import TableStore

    store = TableStore()
    entries = store.entries()
    if grids:
        from imgpuzzle.solver.prepare import needed

        need = functools.partial(needed, metric=metric, is_large=large)
        _list_needed(store, entries, _boards(grids, goal_blank), need, as_json)
        return
    total = sum(entry.size_bytes for entry in entries)
    if not _is_usable(store.directory):
        note(f"no table can be kept in {str(store.directory)!r}; {_ANOTHER_FOLDER}")
    if as_json:
        say_json(
            {
                "folder": str(store.directory),
                "tables": [_record(entry) for entry in entries],
                "bytes": total,
            }
        )
        return
    _say_entries(entries)
    line("folder", str(store.directory))
    line("total", f"{_count(len(entries), 'table')}, {_megabytes(total)}")


def _list_needed(
    store: TableStore,
    entries: list[Entry],
    boards: list[tuple[Shape, int]],
    needed: Callable[[Shape, int], list[Need]],
    as_json: bool,
) -> None:
    """What the tables of these boards are, or would be."""
    stored = {entry.name: entry for entry in entries}
    needs: dict[str, dict[str, Any]] = {}
    size = missing = 0
    seconds = 0.0
    shapes = dict.fromkeys(shape for shape, _ in boards)
    for shape, home in boards:
        for need in needed(shape, home):
            if need.name in needs:
                continue
            entry = stored.get(need.name)
            state = "missing" if entry is None else entry.state
            size += need.size_bytes
            if state != "good":
                missing += need.size_bytes
                seconds += need.seconds
            needs[need.name] = {
                "name": need.name,
                "path": str(store.directory / f"{need.name}.table"),
                "bytes": need.size_bytes,
                "state": state,
                "grid": str(shape),
                "seconds": round(need.seconds, 2),
            }
            shapes.pop(shape, None)
    if as_json:
        say_json(
            {
                "folder": str(store.directory),
                "tables": list(needs.values()),
                "bytes": size,
            }
        )
        return
    for shape in shapes:
        say(f"a {shape} board needs no tables")
    width = max(map(len, needs), default=0)
    for name, one in needs.items():
        say(f"{name:<{width}}  {_megabytes(one['bytes']):>10}  {one['state']}")
    line("folder", str(store.directory))
    line("needed", f"{_count(len(needs), 'table')}, {_megabytes(size)}")
    line(
        "missing",
        f"{_megabytes(missing)}, some {max(1, round(seconds))} s to build, once"
        if missing
        else "none",
    )


@command.command("clear", cls=options.PlainCommand)
def clear_tables() -> None:
    """Remove the tables; files of other programs stay."""
    from imgpuzzle.solver.tables.store import TableStore

    store = TableStore()
    files, size = store.clear()
    line("folder", str(store.directory))
    line("removed", f"{_count(files, 'file')}, {_megabytes(size)}")


@command.command("build", cls=options.PlainCommand)
@click.argument("grids", type=values.ShapeType(), metavar="[ROWSxCOLS]...", nargs=-1)
@options.grid_option(
    "The same as an argument; may be given several times.", "more_grids", multiple=True
)
@_goal_blank_option
@click.option(
    "--large", is_flag=True, help="Build larger tables: slower now, faster later."
)
@metric_option
def build_tables(
    grids: tuple[Shape, ...],
    more_grids: tuple[Shape, ...],
    goal_blank: tuple[int, int] | None,
    large: bool,
    metric: str,
) -> None:
    """Get ready for grids ahead of time, 4x4 if none is given.

    That is to build their tables, rows first: imgpuzzle tables build 5x5. A game's
    first board then needs no more time than all later ones.
    """
    from imgpuzzle.core.board import Shape
    from imgpuzzle.solver.prepare import prepare
    from imgpuzzle.solver.tables.store import TableStore

    boards = _boards((*grids, *more_grids) or (Shape(4, 4),), goal_blank)
    store = TableStore()
    names: dict[Shape, list[str]] = {}
    with progress_bar("tables") as progress:
        for number, (shape, home) in enumerate(boards):
            show = _part(progress, number, len(boards))
            found = names.setdefault(shape, [])
            found += prepare(shape, home, metric=metric, is_large=large, progress=show)
    for shape in names:
        if not names[shape]:
            say(f"a {shape} board needs no tables")
    wanted = set().union(*names.values())
    kept = [entry for entry in store.entries() if entry.name in wanted]
    _say_entries(kept)
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
    from imgpuzzle.core.goals import usual_homes

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


def _part(
    progress: Callable[[str, float], None], number: int, count: int
) -> Callable[[Work | None, float], None]:
    """The progress of one part of several, as a fraction of the whole."""

    def show(what: Work | None, fraction: float) -> None:
        text = "" if what is None else speech.worded(Message(what))
        progress(text, (number + fraction) / count)

    return show


def _record(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "path": str(entry.path),
        "bytes": entry.size_bytes,
        "state": entry.state,
    }


def _say_entries(entries: list[Entry]) -> None:
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        say(f"{entry.name:<{width}}  {_megabytes(entry.size_bytes):>10}  {entry.state}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
