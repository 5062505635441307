"""The speed of each compiled kernel, and what starting with them costs.

    python -m benchmarks kernels                  # a table, half a minute
    python -m benchmarks kernels --json a.json    # for comparing two versions

Everything runs in one thread, and seconds are those of the CPU, the least of three
runs, so that a busy machine changes little. To compare two checkouts, run both by
turns: ``PYTHONPATH=/other/checkout python benchmarks/solver/kernels.py``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Limits
from imgpuzzle.solver.beam import search as beams
from imgpuzzle.solver.beam.layer import bounds, make_tables
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.large import LargeSearch
from imgpuzzle.solver.classic.optimal import OptimalSearch
from imgpuzzle.solver.slides import tables as slide_tables
from imgpuzzle.solver.slides.depth_first import SlideSearch
from imgpuzzle.solver.tables import database as databases
from imgpuzzle.solver.tables.large_partition import choose_views
from imgpuzzle.solver.tables.lookup import make_lookup
from imgpuzzle.solver.tables.partition import Size
from imgpuzzle.solver.tables.patterns import Group, build, build_table

RUNS = 3
HARD_4X4 = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1"
"""80 moves; see ``benchmarks/data``."""

Row = tuple[str, float, float]
"""A kernel, units of work, and CPU seconds."""


def timed(work: Callable[[], float]) -> tuple[float, float]:
    """What the work counts, and its seconds: the best run, after one for nothing."""
    work()
    best = (0.0, 1.0)
    for _ in range(RUNS):
        began = time.process_time()
        count = work()
        seconds = time.process_time() - began
        if count / seconds > best[0] / best[1]:
            best = count, seconds
    return best


def rows() -> Iterator[Row]:
    """Measure one kernel after the other."""
    yield from _small_boards()
    yield from _large_boards()
    yield from _slides()


def _small_boards() -> Iterator[Row]:
    shape = Shape(4, 4)
    group = Group(shape, tuple((cell,) for cell in (0, 1, 2, 4, 5, 8, 9)), 15)
    yield "pattern spread, entries", *timed(lambda: 8 * build(group).size)
    goal = goals.row_major(shape)
    problem = canonicalise(Board.parse(HARD_4X4), goal)
    database = databases.Database(databases.turned(problem)[0], Size.DEFAULT)
    start = databases.turned(problem)[1]

    def words() -> float:
        for _ in range(200):
            database.root(start)
        return 200.0

    yield "find_words, positions", *timed(words)

    def deepen() -> float:
        search, budget = OptimalSearch(problem, database), Budget(Limits())
        search.run(budget)
        return budget.nodes

    yield "deepen, nodes", *timed(deepen)


def _large_boards() -> Iterator[Row]:
    shape = Shape(5, 5)
    homes = (0, 1, 2, 5, 6, 7)
    yield (
        "order spread, entries",
        *timed(lambda: 8 * build_table(shape, homes, 24).size),
    )
    tables = make_tables(make_lookup(shape, 24, choose_views(shape, 24, 5)))
    start = uniform(goals.row_major(shape), seed=1)
    problem = canonicalise(start, goals.row_major(shape))

    def distances() -> float:
        for _ in range(200):
            bounds(problem.start, tables)
        return 200.0

    yield "group_distances, positions", *timed(distances)

    def descend() -> float:
        budget = Budget(Limits())
        LargeSearch(problem, tables).run(budget, most_nodes=3_000_000)
        return budget.nodes

    yield "descend, nodes", *timed(descend)
    for width in (100, 20_000):
        for name in ("generate", "keep"):
            found = timed(
                lambda width=width, name=name: _beam(problem, tables, width, name)
            )
            yield f"{name}, width {width}, children", *found


def _beam(problem: Any, tables: Any, width: int, only: str) -> float:
    """A beam search; the other passes' time is taken off the clock."""
    searched = beams.Beam(
        problem, tables, width=width, best=200, is_time_up=lambda: False, seed=1
    )
    spent = 0.0
    kernel = getattr(beams, only)

    def measured(*args: Any) -> Any:
        nonlocal spent
        began = time.process_time()
        try:
            return kernel(*args)
        finally:
            spent += time.process_time() - began

    setattr(beams, only, measured)
    try:
        began = time.process_time()
        searched.run()
        whole = time.process_time() - began
    finally:
        setattr(beams, only, kernel)
    # In units of the whole run, because ``timed`` divides by that.
    return searched.generated * whole / spent


def _slides() -> Iterator[Row]:
    shape = Shape(4, 4)
    goal = goals.row_major(shape)
    problem = canonicalise(uniform(goal, seed=0), goal)

    def fill() -> float:
        slide_tables._recent.clear()
        tables = slide_tables.make_tables(problem, 900_000, show=lambda *_: None)
        return float(tables.entries.size)

    yield "fill, entries", *timed(fill)
    tables = slide_tables.make_tables(problem, slide_tables.SMALL, show=lambda *_: None)
    search = SlideSearch(problem, tables)

    def nodes() -> float:
        count, bound = 0.0, search.bound()
        while count < 3e6:
            for more, stops in search.within(bound, 1_000_000):
                count += more
                if stops:
                    return count
            bound += 1
        return count

    yield "search, nodes", *timed(nodes)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results")
    given = parser.parse_args()
    kept = {}
    print("| kernel | a second | CPU s |\n|---|---|---|")
    for name, count, seconds in rows():
        kept[name] = count / seconds
        print(f"| {name} | {count / seconds:,.0f} | {seconds:.3f} |", flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(kept), "utf-8")


if __name__ == "__main__":
    main()
