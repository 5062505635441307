"""What the solver finds at fixed nodes: kept, and compared after a change.

    python -m benchmarks frozen-solver freeze FILE.json [--only TEXT]
    python -m benchmarks frozen-solver compare BEFORE.json AFTER.json

Boards of all shapes, goals, metrics and classes of equal tiles: moves, nodes and what
is proven. Nothing here hangs on the clock or on how many cores there are, so whatever
``compare`` lists was changed by hand, or by other tables in the cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks import command
from benchmarks.solver.boards import read_boards
from imgpuzzle import goals, solve
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform, walk
from imgpuzzle.core.solution import Limits
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.solver.beam.home_tables import home_tables
from imgpuzzle.solver.beam.improve import improve
from imgpuzzle.solver.beam.layer import make_tables
from imgpuzzle.solver.beam.search import Effort
from imgpuzzle.solver.beam.windows import improve_windows
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.classic.bidirectional import BothEnds
from imgpuzzle.solver.classic.large import LargeSearch
from imgpuzzle.solver.complete import depths, distances_of
from imgpuzzle.solver.counting import count_shortest, shortest_solutions
from imgpuzzle.solver.first.construct import construct
from imgpuzzle.solver.first.labelling import labellings
from imgpuzzle.solver.first.shorten import shorten
from imgpuzzle.solver.first.stages import in_stages
from imgpuzzle.solver.reachable import reachable_goals
from imgpuzzle.solver.search import ALGORITHMS, shortest
from imgpuzzle.solver.slides.beam import improve_slides, told_apart
from imgpuzzle.solver.slides.search import solve_slides
from imgpuzzle.solver.tables.large import large_lookup

Found = Callable[[], Any]
MEMORY_MB = 1500
HEURISTICS = ("manhattan", "linear-conflict", "corner-tiles+last-moves")
HEURISTICS += ("linear-conflict+walking-distance", "none")
LAYOUTS = ("row", "column", "snake", "spiral", "bottom-up")


def limits(nodes: int | None = None) -> Limits:
    """So many nodes, and the same memory on all machines."""
    return Limits(nodes=nodes, memory_mb=MEMORY_MB)


def boards(*shapes: str, count: int = 1) -> Iterator[tuple[str, Board, Board]]:
    """Uniform boards of some shapes, with goals of all layouts and blanks by turns."""
    layouts = itertools.cycle(LAYOUTS)
    for shape, number in itertools.product(map(Shape.parse, shapes), range(count)):
        layout = next(layouts)
        # Large boards have their blanks at home in corners, which share their tables.
        blank = number * 7 % shape.size if shape.size < 17 else -number % shape.size
        goal = goals.LAYOUTS[layout](shape, blank=blank)
        yield f"{shape} {layout} {number}", uniform(goal, seed=number), goal


def classes(*shapes: str, kinds: int) -> Iterator[tuple[str, Board, Board]]:
    """The same with so many kinds of tiles."""
    for number, shape in enumerate(map(Shape.parse, shapes)):
        cells = (*(1 + cell % kinds for cell in range(shape.size - 1)), 0)
        goal = Board(shape, cells)
        yield f"{shape} {kinds} kinds", uniform(goal, seed=number), goal


def solved(start: Board, goal: Board, nodes: int | None = None, **how: Any) -> Any:
    """Length, bound, nodes, method and moves; where a limit was reached the bound."""
    try:
        found = solve(start, goal, limits=limits(nodes), **how)
    except LimitReachedError as error:
        return {"bound": error.lower_bound, "nodes": error.nodes}
    found.verify()
    return {
        "length": found.length,
        "bound": found.lower_bound,
        "nodes": found.nodes,
        "method": found.method,
        "moves": _digest(found.moves),
    }


def _digest(moves: Any) -> str:
    return f"{len(moves)} {hashlib.sha256(repr(moves).encode()).hexdigest()[:12]}"


def cases() -> Iterator[tuple[str, Found]]:
    """All cases by name."""
    small = list(
        boards("1x2", "1x7", "2x2", "2x3", "3x2", "2x4", "4x2", "2x5", count=2)
    )
    small += boards("3x3", "3x4", "4x3", "2x6", count=3)
    small += classes("2x3", "3x3", "2x5", "3x4", kinds=3)
    for name, start, goal in small:
        yield f"auto {name}", lambda s=start, g=goal: solved(s, g)
        yield f"slide {name}", lambda s=start, g=goal: solved(s, g, metric="slide")
    named = [*boards("2x3", "3x3", "2x4"), *classes("3x3", kinds=4)]
    named += [
        (f"3x4 walk {n}", walk(g, walks=6, seed=n), g) for n, _, g in boards("3x4")
    ]
    for (name, start, goal), way in itertools.product(named, ALGORITHMS):
        for heuristic in ("auto",) if way == "bfs" else ("auto", *HEURISTICS):
            how = {"algorithm": way, "heuristic": heuristic}
            yield (
                f"{way} {heuristic} {name}",
                (lambda s=start, g=goal, h=how: solved(s, g, 60_000, **h)),
            )
    middle = [*boards("2x7", "7x2", "2x8", "3x5", "5x3", "4x4", count=2)]
    middle += classes("3x5", "4x4", "2x8", kinds=5)
    middle += classes("4x4", kinds=13)
    middle += [(f"korf {n}", p.start, p.goal) for n, p in _file("korf15_100", 30)]
    middle += [("80 moves", p.start, p.goal) for _, p in _file("hardest15_80", 1)]
    for name, start, goal in middle:
        yield f"auto {name}", lambda s=start, g=goal: solved(s, g, 3_000_000)
    for name, start, goal in middle[:14:2]:
        yield f"shortest {name}", lambda s=start, g=goal: _digest(shortest(s, g))
    for name, start, goal in middle[::6]:
        yield f"bound of slides {name}", lambda s=start, g=goal: _slides(s, g)
    for name, start, goal in [*boards("3x3", "2x4"), *classes("3x3", kinds=5)]:
        yield f"ways {name}", lambda s=start, g=goal: _ways(s, g)
    for _, start, _ in boards("3x3", "3x4", "4x4", "5x5"):
        yield f"goals {start.one_line()}", lambda s=start: _goals(s)
    for shape, home in (("3x3", 8), ("2x5", 4), ("3x3", 4), ("2x4", 0)):
        for slides in (False, True):
            yield (
                f"depths {shape} {home} {slides}",
                (lambda s=shape, h=home, m=slides: _depths(Shape.parse(s), h, m)),
            )
    large = [*boards("3x6", "2x9", "4x5", "5x5", count=2), *boards("6x6", "7x7")]
    large += classes("4x5", "5x5", kinds=8)
    large += [(f"korf24 {n}", p.start, p.goal) for n, p in _file("korf24_50", 1)]
    large += [(f"cube35 {n}", p.start, p.goal) for n, p in _file("deepcubea35", 1)]
    large += boards("8x8", "9x11", "10x10")
    far = [
        *boards("12x13", "20x20", "1x40", "3x30", "32x32"),
        *classes("16x16", kinds=9),
    ]
    for name, start, goal in [*large, *far]:
        problem = canonicalise(start, goal)
        yield f"first {name}", lambda p=problem: _first(p)
        if problem.shape.rows > 1:
            yield f"stages {name}", lambda p=problem: [str(s) for s in in_stages(p)[1]]
    for name, start, goal in large:
        yield f"large {name}", lambda s=start, g=goal: _large(canonicalise(s, g))
    for name, start, goal in classes("3x6", "4x5", kinds=2):
        yield (
            f"both ends {name}",
            lambda s=start, g=goal: _both_ends(canonicalise(s, g)),
        )


def _file(name: str, count: int) -> Iterator[tuple[int, Any]]:
    return enumerate(read_boards(name, count))


def _slides(start: Board, goal: Board) -> Any:
    budget = Budget(limits(1_000_000))
    try:
        found = solve_slides(canonicalise(start, goal), budget)
    except LimitReachedError as error:
        return {"bound": error.lower_bound, "nodes": error.nodes}
    return [found.lower_bound, found.nodes, found.method, _digest(found.moves)]


def _ways(start: Board, goal: Board) -> Any:
    found = count_shortest(start, goal)
    ways = shortest_solutions(start, goal, most=20)
    return [found.moves, found.count, [_digest(way.moves) for way in ways]]


def _goals(start: Board) -> Any:
    found = reachable_goals(start, seconds=1e6)
    return [(one.layout, one.move_count, one.lower_bound) for one in found]


def _depths(shape: Shape, home: int, slides: bool) -> Any:
    table = distances_of(shape, home, slides=slides) if shape.size < 10 else None
    ways = None if table is None else int(table.ways.sum())
    return [list(depths(shape, home, slides=slides)), ways]


def _first(problem: Canonical) -> Any:
    moves = construct(next(labellings(problem)))
    asked = itertools.count()
    shorter = shorten(problem, moves, seconds=1e6, is_stopped=lambda: next(asked) > 60)
    return [_digest(moves), _digest(shorter)]


def _large(problem: Canonical) -> Any:
    """A proof, beams, windows and slides, one after the other, a thread each."""
    moves = construct(next(labellings(problem)))
    lookup = large_lookup(problem, Budget(limits()), 0)
    found: dict[str, Any] = {}
    if all(len(own) < 2 for own in problem.homes):
        search = LargeSearch(problem, make_tables(lookup))
        search.run(Budget(limits()), most_nodes=400_000)
        found["bound"] = search.lower_bound
    beams = improve(
        problem, lookup, moves, Effort(threads=1, most_width=1800, memory_mb=200)
    )
    found["beams"] = [_digest(beams.moves), beams.nodes, beams.width]
    tables = home_tables(lookup, problem.goal.index(0))
    with mock.patch.object(time, "monotonic", return_value=0.0):
        windows = improve_windows(
            problem, tables, moves, Effort(threads=1, most_nodes=300_000, memory_mb=200)
        )
    found["windows"] = [_digest(windows.moves), windows.nodes]
    apart = told_apart(problem, beams.moves)
    effort = Effort(threads=1, most_width=1200)
    slides = improve_slides(apart, lookup, moves, effort)
    found["slides"] = [_digest(slides), effort.nodes]
    return found


def _both_ends(problem: Canonical) -> Any:
    search, budget = BothEnds(problem), Budget(limits())
    moves = search.run(budget)
    return [_digest(moves), search.lower_bound, budget.nodes]


def freeze(only: str) -> dict[str, Any]:
    """All results by name; on a terminal with what is at work."""
    kept: dict[str, Any] = {}
    with contextlib.suppress(KeyboardInterrupt):  # what there is by then is kept
        for name, work in cases():
            if only in name:
                print(f"\r{name[:70]:70}", end="", file=sys.stderr, flush=True)
                assert name not in kept, name
                kept[name] = json.loads(json.dumps(work()))
    print(f"\r{len(kept)} results {'':60}", file=sys.stderr)
    return kept


def main() -> int:
    parser = command.parser(__doc__)
    parser.add_argument("what", choices=("freeze", "compare"))
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--only", default="", metavar="TEXT", help="part of a name")
    given = parser.parse_args()
    if given.what == "freeze":
        command.save(given.files[0], freeze(given.only))
        return 0
    before, after = (json.loads(path.read_text()) for path in given.files)
    changed = [name for name in before if before[name] != after.get(name)]
    for name in changed:
        print(f"{name}\n  before: {before.get(name)}\n  after:  {after.get(name)}")
    print(f"{len(changed)} of {len(before)} results changed")
    return len(changed) > 0


if __name__ == "__main__":
    sys.exit(main())
