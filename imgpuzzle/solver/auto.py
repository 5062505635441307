"""Which search answers which board, when the caller leaves the choice.

Easy boards are answered without tables before these could be loaded, so are most
boards of up to 12 cells. Up to 16 cells pattern databases find a shortest solution in
milliseconds; smaller boards get them when a goal has taken about as long without them
as they take to build. Larger boards get a first
solution at once and better ones until the time is up, with the bound that is proven
by then.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from itertools import islice

from imgpuzzle.core.board import Board
from imgpuzzle.core.solution import UNSEARCHED
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.solver.budget import Budget, Result
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

_TABLES = "imgpuzzle.solver.tables.database", "imgpuzzle.solver.tables.large"
_LIGHT, _WITH_TABLES = "idastar linear-conflict", "idastar pattern databases"
"""How searches without tables and with them are called."""
_LIGHT_NODES_A_CALL, _LIGHT_SECONDS_A_CALL = 100_000, 0.01
"""Some 5 ms on an idle machine."""


def solve_automatically(
    start: Board, goal: Board, budget: Budget, *, large: bool
) -> Result:
    """A solution: a shortest one, or the best one within the budget.

    Raises ``LimitReachedError`` when that has more moves than are allowed.
    """
    try:
        answer = solve_strictly(start, goal, budget, large=large)
    except LimitReachedError as error:
        answer = _best_effort(canonicalise(start, goal), budget, error)
    most, found = budget.limits.max_moves, len(answer.moves)
    if most is not None and found > most:
        budget.check_moves(answer.lower_bound)
        budget.refuse(found, answer.lower_bound)
    return answer


def solve_strictly(
    start: Board, goal: Board, budget: Budget, *, large: bool = False
) -> Result:
    """The same without a last resort: ``LimitReachedError`` when a limit is reached.

    Up to ``MAX_CELLS`` cells the solution is a shortest one.
    """
    problem = canonicalise(start, goal)
    if min(start.shape.rows, start.shape.cols) == 1:
        return _only_way(problem, budget)
    bound = 0
    nodes, equal_nodes = _light_nodes(problem, goal, budget)
    if nodes > 0:
        before = budget.nodes
        try:
            light = light_search(problem, budget, nodes, equal_nodes)
        finally:
            if goal.shape.size <= TUNING.small_cells:
                if len(_spent) >= _MOST_SPENT:
                    _spent.clear()
                _spent[goal] += budget.nodes - before
        if isinstance(light, tuple):
            return Result.proven(light, _LIGHT)
        budget.check(budget.nodes, light)
        bound = light
    if problem.shape.size <= MAX_CELLS:
        from imgpuzzle.solver.classic.optimal import optimal_search

        search = optimal_search(problem, budget, large=large, lower_bound=bound)
        return Result.proven(search.run(budget), _WITH_TABLES)
    return _anytime(start, goal, budget, bound)


def _light_nodes(problem: Canonical, goal: Board, budget: Budget) -> tuple[int, int]:
    """How many nodes a search without tables may take, compiled and in plain Python.

    Small boards are searched without tables until that has taken as long for this goal
    as tables take: so one board never costs more than twice what the better way would
    have cost, and of many boards nearly all have the tables.
    """
    size = problem.shape.size
    is_marked = size > MAX_CELLS and budget.can_mark(problem)
    if size > MAX_CELLS and goal.has_repeats and not is_marked:
        # No other compiled search proves anything of these.
        return TUNING.large_light_nodes, TUNING.last_nodes
    if is_marked or is_ready(problem, *_TABLES):
        return 0, 0
    if size > MAX_CELLS:
        return TUNING.large_light_nodes, TUNING.equal_nodes
    if size > TUNING.small_cells:
        return TUNING.light_nodes, TUNING.equal_nodes
    if budget.limits.nodes is not None:  # who counts them wants no tables
        return budget.limits.nodes, TUNING.equal_nodes
    return TUNING.small_nodes - _spent[goal], TUNING.equal_nodes


_spent: Counter[Board] = Counter()
"""By goal the nodes that were generated without tables for small boards so far."""
_MOST_SPENT = 1000


def solve_alike(start: Board, goal: Board, budget: Budget) -> Result:
    """A shortest solution of at most ``MAX_CELLS`` cells, the same in any process.

    The other ways depend on what was solved before, and is at hand therefore. Here
    tables are always asked for; only boards with equal tiles, whose tables nobody
    keeps, are tried without them first.
    """
    problem = canonicalise(start, goal)
    if min(start.shape.rows, start.shape.cols) == 1:
        return _only_way(problem, budget)
    if start.has_repeats:
        light = light_search(problem, budget, 0, TUNING.equal_nodes)
        if isinstance(light, tuple):
            return Result.proven(light, _LIGHT)
    from imgpuzzle.solver.classic.optimal import OptimalSearch
    from imgpuzzle.solver.tables.database import database_of, turned
    from imgpuzzle.solver.tables.partition import Size

    database = database_of(turned(problem)[0], Size.DEFAULT, None)
    return Result.proven(OptimalSearch(problem, database).run(budget), _WITH_TABLES)


def _only_way(problem: Canonical, budget: Budget) -> Result:
    """The moves on one row or column, where the blank can only go straight home."""
    blank, home = problem.start.index(0), problem.goal.index(0)
    step = 1 if home > blank else -1
    moves = tuple(range(blank + step, home + step, step))
    budget.check_moves(len(moves))
    budget.nodes = len(moves) + 1
    return Result(moves, len(moves), "only way")


def light_search(
    problem: Canonical, budget: Budget, nodes: int, equal_nodes: int
) -> tuple[int, ...] | int:
    """What a search without tables finds within some nodes, or the bound it proves.

    ``equal_nodes`` are those of plain Python, which knows equal tiles.
    """
    if problem.has_equals:
        from imgpuzzle.solver.classic.deepening import idastar, node_work
        from imgpuzzle.solver.classic.heuristics import LIGHT, plain_bound

        heuristic = plain_bound(problem, LIGHT)
        equal_nodes = min(equal_nodes, TUNING.light_work // node_work(heuristic))
        return idastar(problem, heuristic, budget, give_up_after=equal_nodes)
    from imgpuzzle.solver.classic.light import LightSearch

    search = LightSearch(problem)
    stop_at = budget.nodes + max(1, nodes // search.work)
    budget.check_moves(search.bound)
    while budget.nodes < stop_at:
        at_once = _LIGHT_NODES_A_CALL // search.work
        at_once = budget.portion(at_once, _LIGHT_SECONDS_A_CALL)
        moves, generated, is_over = search.run(at_once)
        budget.nodes += generated
        if moves is not None:
            return moves
        budget.check(budget.nodes, search.bound)
        if is_over:
            search.begin(search.bound + 2)
            budget.check_moves(search.bound)
    return search.bound


def _quickly_shortened(
    problem: Canonical, moves: tuple[int, ...], budget: Budget
) -> tuple[int, ...]:
    """What time is left, for a moment, goes to a solution that no search has found."""
    from imgpuzzle.solver.first.shorten import shorten

    seconds = min(TUNING.shorten_seconds, max(0.0, budget.seconds_left))
    return shorten(problem, moves, seconds, budget.control.stop.is_set)


def is_ready(problem: Canonical, *tables: str) -> bool:
    """Whether one of the modules named has tables at hand already; none is imported."""
    for module in tables:
        # Another thread may be about to import it: then it is waited for.
        if module in sys.modules and importlib.import_module(module).is_ready(problem):
            return True
    return False


def _anytime(start: Board, goal: Board, budget: Budget, lower_bound: int) -> Result:
    with budget.setting_up():
        from imgpuzzle.solver.anytime import Best, search_anytime

    def announce(best: Best) -> None:
        method = UNSEARCHED if best.is_first else best.method
        bound = min(best.lower_bound, len(best.moves))
        budget.tell(start, goal, Result(best.moves, bound, method))

    problem = canonicalise(start, goal)
    best = Best(problem, lower_bound, announce)
    try:
        search_anytime(best, budget)
    except LimitReachedError as error:
        best.lower_bound = max(best.lower_bound, error.lower_bound)
        if not best.moves:
            raise
    method = best.method
    if best.is_first and not best.is_enough:
        # Not even a narrow beam had the time: then this is better than nothing.
        method = UNSEARCHED
        if budget.seconds_left > 0:
            best.take(_quickly_shortened(best.problem, best.moves, budget))
    return Result(best.moves, best.lower_bound, method)


def _best_effort(
    problem: Canonical, budget: Budget, error: LimitReachedError
) -> Result:
    """A solution that is not the shortest, where a limit ended the search."""
    from imgpuzzle.solver.classic.heuristics import bound_of
    from imgpuzzle.solver.first.construct import construct
    from imgpuzzle.solver.first.labelling import labellings

    most = budget.limits.max_moves
    if most is not None and error.lower_bound > most:
        raise error
    is_large = problem.shape.size > TUNING.quick_cells
    if is_large and budget.control.stop.is_set():
        raise error  # whoever asks to stop waits for no 0.6 s
    choices = labellings(problem)
    choices = islice(choices, 1 if is_large else TUNING.labellings)
    in_hurry = budget.seconds_left <= 0
    moves = min((construct(one, in_hurry=in_hurry) for one in choices), key=len)
    moves = _quickly_shortened(problem, moves, budget)
    # Where nothing was left to set the search up in, it proved nothing.
    bound = bound_of(problem)
    return Result(moves, max(bound, error.lower_bound), UNSEARCHED)
