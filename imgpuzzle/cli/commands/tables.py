"""``imgpuzzle tables``: the solver's tables that are kept on disk."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imgpuzzle.cli import options
from imgpuzzle.cli.options import Given
from imgpuzzle.cli.report import line
from imgpuzzle.cli.terminal import note, say, say_json

if TYPE_CHECKING:
    from imgpuzzle.solver.tables.store import StoredTable


@click.group("tables")
def command() -> None:
    """The tables that speed up larger boards, kept between runs.

    They are built when a board first needs them and lie in the user's cache, or
    below the folder that the environment variable IMGPUZZLE_CACHE_DIR names.
    Removing them costs nothing but the time to build them again.
    """


@command.command("list", cls=options.PlainCommand)
@options.json_option
def list_tables(given: Given) -> None:
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
    width = max((len(one["name"]) for one in records), default=0)
    for one in records:
        size = _megabytes(one["bytes"])
        say(f"{one['name']:<{width}}  {size:>10}  {one['state']}")
    line("folder", str(store.directory))
    line("total", f"{_count(len(records), 'table')}, {_megabytes(total)}")


@command.command("clear", cls=options.PlainCommand)
def clear_tables(given: Given) -> None:
    """Remove the tables; files of other programs stay."""
    from imgpuzzle.solver.tables.store import TableStore

    store = TableStore()
    files, size = store.clear()
    line("folder", str(store.directory))
    line("removed", f"{_count(files, 'file')}, {_megabytes(size)}")


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


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
