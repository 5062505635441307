"""Files of ours that somebody, or a disk, has damaged: tables and earlier output."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.robust.attack import Outcome
from benchmarks.robust.kills import contents
from benchmarks.robust.mutation import mutated_bytes, mutated_json
from imgpuzzle.files.folder import write_folder
from imgpuzzle.solver.tables.store import TableStore

__all__ = ["attack"]

TABLE_BYTES = 5_000
WHOLE_SOLVES = 25
"""One in so many damages the tables of a real search: building them takes a second."""


@contextlib.contextmanager
def attack(folder: Path) -> Iterator[Any]:
    """Damage a table or a folder, and use it as if nothing were wrong."""

    def one(seed: int) -> Outcome:
        dice = random.Random(f"damages {seed}")
        if seed % WHOLE_SOLVES == WHOLE_SOLVES - 1:
            return _search(dice, folder / "searching")
        place = folder / f"damage-{seed}"
        place.mkdir()
        try:
            return _record(dice, place) if seed % 4 == 3 else _table(dice, place)
        finally:
            shutil.rmtree(place)

    yield one


def _damage(dice: random.Random, path: Path, others: list[Path]) -> str:
    """Spoil a file, or put something else into its place; says how."""
    way = dice.random()
    if way < 0.7:
        data = path.read_bytes()
        made = mutated_bytes(dice, data, [one.read_bytes() for one in others])
        path.write_bytes(made)
        return "changed" if made != data else "unchanged"
    if way < 0.8:
        os.truncate(path, dice.randrange(path.stat().st_size * 2))
        return "resized"
    path.unlink()
    if way < 0.85:
        path.mkdir()
        return "a folder"
    if way < 0.9:
        path.symlink_to(dice.choice(("absent", *map(str, others))))
        return "a link"
    if way < 0.95:
        path.write_bytes(dice.choice(others).read_bytes())
        return "another's"
    return "removed"


def _table(dice: random.Random, place: Path) -> Outcome:
    store = TableStore(place)
    one, two = (np.frombuffer(dice.randbytes(TABLE_BYTES), np.uint8) for _ in range(2))
    store.get("one", one.size, lambda: one)
    store.get("two", two.size, lambda: two)
    how = _damage(dice, place / "one.table", [place / "two.table"])
    kind, complaint = f"table {how}", ""
    found = store.load("one", one.size)
    if found is not None and not np.array_equal(found, one):
        complaint = "another table is loaded"
    for _ in range(2):
        found = store.get("one", one.size, lambda: one, wait_seconds=0)
        if not np.array_equal(found, one):
            complaint = complaint or "another table is returned"
    found = store.load("two", two.size)
    if found is None or not np.array_equal(found, two):
        complaint = complaint or "its neighbour is lost"
    store.entries()
    store.clear()
    left = [path.name for path in place.iterdir() if path.suffix == ".lock"]
    if left:
        complaint = complaint or f"{left} stay"
    return Outcome(kind, complaint and f"{kind}: {complaint}")


def _record(dice: random.Random, place: Path) -> Outcome:
    """The record of an earlier run says what to remove; here it may say anything."""
    target = place / "out"
    names = [f"step_{number:02}.png" for number in range(1, 6)]
    record = {"start": [[1, 2], [3, 0]], "files": ["solution.json", *names]}
    files = [(name, name.encode()) for name in names]
    write_folder(target, [("solution.json", mutated_json(dice, record)), *files])
    foreign = {"mine.txt": b"mine", "step_01.txt": b"mine", "photo.png": b"mine"}
    for name, data in foreign.items():
        (target / name).write_bytes(data)
    (place / "outside.png").write_bytes(b"mine")
    how = "record"
    if dice.random() < 0.2:
        how = f"record {_damage(dice, target / 'solution.json', [target / names[0]])}"
    if how.endswith("a folder"):
        # Somebody else's: refused, as the tests of folders have it.
        return Outcome(how)
    new = {"solution.json": b"{}", "step_01.png": b"new", "guide.md": b"new"}
    write_folder(target, list(new.items()))
    found = contents(target)
    complaint = ""
    if {name: found.get(name) for name in new} != new:
        complaint = "what was written is not there"
    if {name: found.get(name) for name in foreign} != foreign:
        complaint = "a file of somebody else is lost"
    if not (place / "outside.png").exists():
        complaint = "a file outside is lost"
    left = [path.name for path in target.iterdir() if path.name.startswith(".")]
    return Outcome(how, complaint or (f"{left} stay" if left else ""))


def _search(dice: random.Random, cache: Path) -> Outcome:
    """A real search whose tables are damaged proves what it proved before."""
    tables = sorted((cache / "tables").glob("*.table"))
    how = "none yet"
    if len(tables) > 1:
        spoilt = dice.choice(tables)
        how = _damage(dice, spoilt, [one for one in tables if one != spoilt])
    right = cache / "right"
    cache.mkdir(exist_ok=True)
    found = _found_in_a_copy(cache)
    if not right.exists():
        right.write_text(found)
    for path in (cache / "tables").glob("*"):
        # What is nobody's file is left alone, and would be in the way next time.
        if path.is_symlink():
            path.unlink()
        elif path.is_dir():
            path.rmdir()
    complaint = "" if found == right.read_text() else f"search {how}: {found}"
    return Outcome(f"search {how}", complaint)


def _found_in_a_copy(cache: Path) -> str:
    """What a process finds that has no tables in its memory yet."""
    from imgpuzzle import goals, scramble
    from imgpuzzle.core.board import Shape
    from imgpuzzle.solver.search import solve

    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.environ["IMGPUZZLE_CACHE_DIR"] = str(cache)
        goal = goals.row_major(Shape(4, 4))
        try:
            solution = solve(scramble.uniform(goal, seed=4), goal)
            found = f"{solution.move_count} moves, proven {solution.is_optimal}"
        except BaseException as error:
            found = repr(error)
        os.write(writer, found.encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        found = file.read().decode()
    os.waitpid(pid, 0)
    return found
