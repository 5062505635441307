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
from functools import partial
from typing import Any
from unittest import mock

from benchmarks import command
from benchmarks.solver.boards import read_boards
from imgpuzzle import goals, solve
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Limits, straight_runs
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.solver.beam.home_tables import home_tables
from imgpuzzle.solver.beam.improve import improve
from imgpuzzle.solver.beam.layer import make_tables
from imgpuzzle.solver.beam.search import Effort
from imgpuzzle.solver.beam.windows import improve_windows
from imgpuzzle.solver.budget import Budget
from imgpuzzle.solver.canonical import canonicalise
from imgpuzzle.solver.classic.bidirectional import BothEnds
from imgpuzzle.solver.classic.large import LargeSearch
from imgpuzzle.solver.complete import depths
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

Case = tuple[str, Board, Board]
HEURISTICS = ("auto", "none", "manhattan", "linear-conflict")
HEURISTICS += ("corner-tiles+last-moves", "linear-conflict+walking-distance")
LAYOUTS = ("row", "column", "snake", "spiral", "bottom-up")


def limits(nodes: int | None = None) -> Limits:
    """So many nodes, and the same memory on all machines."""
    return Limits(nodes=nodes, memory_mb=1500)


def boards(*shapes: str, count: int = 1) -> Iterator[Case]:
    """Uniform boards of some shapes, with goals of all layouts and blanks by turns."""
    layouts = itertools.cycle(LAYOUTS)
    for shape, number in itertools.product(map(Shape.parse, shapes), range(count)):
        layout = next(layouts)
        # Large boards have their blanks at home in corners, which share their tables.
        blank = number * 7 % shape.size if shape.size < 17 else -number % shape.size
        goal = goals.LAYOUTS[layout](shape, blank=blank)
        yield f"{shape} {layout} {number}", uniform(goal, seed=number), goal


def classes(*shapes: str, kinds: int) -> Iterator[Case]:
    """The same with so many kinds of tiles."""
    for number, shape in enumerate(map(Shape.parse, shapes)):
        cells = (*(1 + cell % kinds for cell in range(shape.size - 1)), 0)
        goal = Board(shape, cells)
        yield f"{shape} {kinds} kinds", uniform(goal, seed=number), goal


def published(name: str, count: int) -> Iterator[Case]:
    """The first boards of a file."""
    for number, one in enumerate(read_boards(name, count)):
        yield f"{name} {number}", one.start, one.goal


def solved(start: Board, goal: Board, nodes: int | None = None, **how: Any) -> Any:
    """What is found, or where a limit was reached the bound."""
    try:
        found = solve(start, goal, limits=limits(nodes), **how)
    except LimitReachedError as error:
        return error.lower_bound, error.nodes
    found.verify()
    return found.lower_bound, found.nodes, found.method, digest(found.moves)


def digest(moves: Any) -> str:
    """The number of moves, and what tells them from others."""
    return f"{len(moves)} {hashlib.sha256(repr(moves).encode()).hexdigest()[:12]}"


def cases() -> Iterator[tuple[str, Callable[[], Any]]]:
    """All cases by name."""
    small = [*boards("1x2", "1x7", "2x2", "2x3", "3x2", "2x4", "4x2", "2x5", count=2)]
    small += [*boards("3x3", "3x4", "4x3", "2x6", count=3)]
    small += classes("2x3", "3x3", "2x5", "3x4", kinds=3)
    named = [*boards("2x3", "3x3", "2x4"), *classes("3x3", kinds=4)]
    middle = [*boards("2x7", "7x2", "2x8", "3x5", "5x3", "4x4", count=2)]
    middle += [*classes("3x5", "4x4", "2x8", kinds=5), *classes("4x4", kinds=13)]
    middle += [*published("korf15_100", 100), *published("hardest15_80", 1)]
    large = [*boards("3x6", "2x9", "4x5", "5x5", count=2), *boards("6x6", "7x7")]
    large += [*classes("4x5", "5x5", kinds=8), *published("korf24_50", 1)]
    large += [*published("deepcubea35", 1), *boards("8x8", "9x11", "10x10")]
    far = [*boards("12x13", "20x20", "3x30", "32x32"), *classes("16x16", kinds=9)]
    plans: list[tuple[str, Callable[..., Any], list[Case]]] = [
        ("auto", solved, small),
        ("slide", partial(solved, metric="slide"), small),
        *(
            (
                f"{way} {heuristic}",
                partial(solved, nodes=60_000, algorithm=way, heuristic=heuristic),
                named,
            )
            for way in ALGORITHMS
            for heuristic in (["auto"] if way == "bfs" else HEURISTICS)
        ),
        ("proof", partial(solved, nodes=3_000_000), middle),
        ("shortest", lambda start, goal: digest(shortest(start, goal)), middle[:14:2]),
        ("bound of slides", _slides, middle[::6]),
        ("ways", _ways, [*boards("3x3", "2x4"), *classes("3x3", kinds=5)]),
        ("goals", _goals, [*boards("3x3", "3x4", "4x4", "5x5")]),
        ("depths", _depths, [*boards("3x3", "2x5", "2x4", count=2)]),
        ("first", _first, [*large, *far]),
        ("large", _large, large),
        ("both ends", _both_ends, [*classes("3x6", "4x5", kinds=2)]),
    ]
    for kind, work, tried in plans:
        for name, start, goal in tried:
            yield f"{kind} {name}", partial(work, start, goal)


def _slides(start: Board, goal: Board) -> Any:
    budget = Budget(limits(1_000_000))
    try:
        found = solve_slides(canonicalise(start, goal), budget)
    except LimitReachedError as error:
        return error.lower_bound, error.nodes
    return found.lower_bound, budget.nodes, found.method, digest(found.moves)


def _ways(start: Board, goal: Board) -> Any:
    found, ways = count_shortest(start, goal), shortest_solutions(start, goal, most=20)
    return found.moves, found.count, [digest(way.moves) for way in ways]


def _goals(start: Board, goal: Board) -> Any:
    found = reachable_goals(start, seconds=1e6)
    return [(one.layout, one.move_count, one.lower_bound) for one in found]


def _depths(start: Board, goal: Board) -> Any:
    shape, home = goal.shape, goal.blank
    return [list(depths(shape, home, slides=slides)) for slides in (False, True)]


def _first(start: Board, goal: Board) -> Any:
    problem = canonicalise(start, goal)
    moves = construct(next(labellings(problem)))
    asked = itertools.count()
    shorter = shorten(problem, moves, seconds=1e6, is_stopped=lambda: next(asked) > 60)
    return digest(moves), digest(shorter), [str(one) for one in in_stages(problem)[1]]


def _large(start: Board, goal: Board) -> Any:
    """A proof, beams, windows and slides, one after the other, a thread each."""
    problem = canonicalise(start, goal)
    moves = construct(next(labellings(problem)))
    lookup = large_lookup(problem, Budget(limits()), 0)
    bound = 0
    if not problem.has_equals:
        search = LargeSearch(problem, make_tables(lookup))
        search.run(Budget(limits()), most_nodes=400_000)
        bound = search.lower_bound
    each = partial(Effort, threads=1, memory_mb=200)
    efforts = [each(**most) for most in ({"most_width": 1800}, {"most_nodes": 300_000})]
    efforts.append(each(most_width=1200))
    beams = improve(problem, lookup, moves, efforts[0])
    tables = home_tables(lookup, problem.goal.index(0))
    with mock.patch.object(time, "monotonic", return_value=0.0):
        windows = improve_windows(problem, tables, moves, efforts[1])
    apart = told_apart(problem, beams.moves)
    slides = improve_slides(apart, lookup, moves, efforts[2])
    nodes = [one.nodes for one in efforts]
    few = len(straight_runs(problem.start.index(0), slides))
    ways = [digest(one) for one in (beams.moves, windows.moves, slides)]
    return bound, nodes, ways, f"{few} slides"


def _both_ends(start: Board, goal: Board) -> Any:
    search, budget = BothEnds(canonicalise(start, goal)), Budget(limits())
    return digest(search.run(budget)), search.lower_bound, budget.nodes


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
    given = command.freezer(__doc__).parse_args()
    if given.what == "freeze":
        command.save(given.paths[0], freeze(given.only))
        return 0
    before, after = (json.loads(path.read_text()) for path in given.paths)
    changed = [name for name in before if before[name] != after.get(name)]
    for name in changed:
        print(f"{name}\n  before: {before.get(name)}\n  after:  {after.get(name)}")
    print(f"{len(changed)} of {len(before)} results changed")
    return len(changed) > 0
