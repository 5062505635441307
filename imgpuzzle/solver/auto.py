"""Which search answers which board, when the caller leaves the choice.

Easy boards are answered by plain Python before anything compiled could be
loaded, so are most boards of up to 12 cells. Up to 16 cells pattern databases find
a shortest solution in milliseconds; smaller boards get them when plain Python has
worked at a goal for about as long as they take to build. Larger boards get a first
solution at once and better ones until the time is up, with the bound that is proven
by then.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice

from imgpuzzle.core.board import Board
from imgpuzzle.core.solution import UNSEARCHED, Solution
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages import Count, Limit, Message
from imgpuzzle.solver.budget import Answer, Budget, Outcome
from imgpuzzle.solver.canonical import Canonical, canonicalise, only_way
from imgpuzzle.solver.classic.deepening import (
    DepthFirst,
    GaveUpError,
    idastar,
    node_work,
)
from imgpuzzle.solver.classic.heuristics import (
    LIGHT,
    STRONG,
    bound_of,
    plain_bound,
)
from imgpuzzle.solver.tuning import MAX_CELLS, TUNING

__all__ = [
    "solve_alike",
    "solve_automatically",
    "solve_strictly",
]


def solve_automatically(
    start: Board, goal: Board, budget: Budget, *, large: bool
) -> Answer:
    """A solution: a shortest one, or the best one within the budget.

    Raises ``LimitReachedError`` when that has more moves than are allowed.
    """
    try:
        answer = solve_strictly(start, goal, budget, large=large)
    except LimitReachedError as error:
        answer = _best_effort(canonicalise(start, goal), budget, error)
    return _within(budget, answer)


def solve_strictly(
    start: Board, goal: Board, budget: Budget, *, large: bool = False
) -> Answer:
    """The same without a last resort: ``LimitReachedError`` when a limit is reached.

    Up to ``MAX_CELLS`` cells the solution is a shortest one.
    """
    if min(start.shape.rows, start.shape.cols) == 1:
        return _only_way(canonicalise(start, goal), budget)
    if start.shape.size <= TUNING.plain_cells:
        return _small(start, goal, budget)
    return _compiled(start, goal, budget, large=large)


def solve_alike(start: Board, goal: Board, budget: Budget) -> Answer:
    """A shortest solution of at most ``MAX_CELLS`` cells, the same in any process.

    The other ways depend on what was solved before, and is at hand therefore. Here
    tables are always asked for; only boards with equal tiles, whose tables nobody
    keeps, are tried without them first.
    """
    problem = canonicalise(start, goal)
    if min(start.shape.rows, start.shape.cols) == 1:
        return _only_way(problem, budget)
    bound = 0
    if start.has_repeats:
        light = light_search(problem, budget)
        if isinstance(light, Outcome):
            return Answer.proven(light, f"idastar {LIGHT}")
        bound = light
    return _optimal(problem, budget, bound, large=False, alike=True)


def _only_way(problem: Canonical, budget: Budget) -> Answer:
    moves = only_way(problem)
    budget.check_moves(len(moves))
    return Answer(moves, len(moves), len(moves) + 1, "only way")


def light_search(
    problem: Canonical, budget: Budget, nodes: int = TUNING.light_nodes
) -> Outcome | int:
    """What plain Python finds within some nodes, or the bound proven by then."""
    heuristic = plain_bound(problem, LIGHT)
    nodes = min(nodes, TUNING.light_work // node_work(heuristic))
    return idastar(problem, heuristic, budget, give_up_after=nodes)


def _quickly_shortened(
    problem: Canonical, moves: tuple[int, ...], budget: Budget
) -> tuple[int, ...]:
    """What time is left, for a moment, goes to a solution that no search has found."""
    from imgpuzzle.solver.first.shorten import shorten

    seconds = min(TUNING.shorten_seconds, max(0.0, budget.seconds_left))
    return shorten(
        problem, moves, seconds=seconds, is_stopped=budget.control.stop.is_set
    )


_spent: Counter[Board] = Counter()
"""By goal the nodes that plain Python has generated for small boards so far."""
_MOST_SPENT = 1000


def _small(start: Board, goal: Board, budget: Budget) -> Answer:
    """Plain Python, until it has worked at this goal for as long as tables take.

    So one board never costs more than twice what the better way would have cost, and
    of many boards nearly all have the tables.
    """
    problem = canonicalise(start, goal)
    bound, left = 0, None
    if budget.limits.nodes is None:  # who counts them wants no tables
        left = max(0, TUNING.plain_nodes - _spent[goal])
    if left != 0 and not _is_ready(problem):
        if len(_spent) >= _MOST_SPENT:
            _spent.clear()
        before = budget.nodes
        try:
            found = _plain(start, goal, budget, left)
        finally:
            _spent[goal] += budget.nodes - before
        if isinstance(found, Answer):
            return found
        bound = found
    return _optimal(problem, budget, bound, large=False)


def _plain(
    start: Board, goal: Board, budget: Budget, nodes: int | None
) -> Answer | int:
    """IDA*: light at first, then with tables, from the easier of both ends.

    Returns the bound that is proven when so many nodes were not enough.
    """
    stop_at = None if nodes is None else budget.nodes + nodes
    forward = canonicalise(start, goal)
    light = light_search(forward, budget)
    if isinstance(light, Outcome):
        return Answer.proven(light, f"idastar {LIGHT}")
    budget.check(budget.nodes, light)
    backward = canonicalise(goal, start)
    heuristics = [plain_bound(forward, STRONG), plain_bound(backward, STRONG)]
    searches = [
        DepthFirst(problem, heuristic, budget, pruning_depth=TUNING.strong_pruning)
        for problem, heuristic in zip((forward, backward), heuristics, strict=True)
    ]
    names = [f"idastar {STRONG}", f"idastar {STRONG}, backwards"]
    bound = forward.at_least(
        max(light, heuristics[0](forward.start), heuristics[1](backward.start))
    )
    sides = [0, 1]
    while True:
        budget.check_moves(bound)
        effort = {}
        for side in sides:
            before = budget.nodes
            try:
                path = searches[side].within(bound, stop_at=stop_at)
            except GaveUpError:
                return bound
            if path is not None:
                moves = path if side == 0 else _reversed(path, backward)
                return Answer.proven(Outcome(moves, budget.nodes), names[side])
            effort[side] = budget.nodes - before
        if max(effort.values()) > TUNING.probe_nodes:
            sides = [min(sides, key=lambda side: effort[side])]
        bound += 2


def _reversed(path: tuple[int, ...], backward: Canonical) -> tuple[int, ...]:
    """The moves in the other direction: the blank walks its way back."""
    return (backward.start.index(0), *path[:-1])[::-1]


def _compiled(start: Board, goal: Board, budget: Budget, *, large: bool) -> Answer:
    problem = canonicalise(start, goal)
    bound = 0
    is_large = problem.shape.size > MAX_CELLS
    is_marked = is_large and budget.can_mark(problem)
    # No other compiled search proves anything of large boards with twins.
    is_last = is_large and start.has_repeats and not is_marked
    if problem.shape.size > TUNING.light_cells:
        bound = bound_of(problem)
        budget.check(budget.nodes, bound)
    if bound > TUNING.light_moves:
        budget.check_moves(bound)
    elif is_last or not (is_marked or _is_ready(problem)):
        light = light_search(
            problem, budget, TUNING.last_nodes if is_last else TUNING.light_nodes
        )
        if isinstance(light, Outcome):
            return Answer.proven(light, f"idastar {LIGHT}")
        budget.check(budget.nodes, light)
        bound = light
    if problem.shape.size <= MAX_CELLS:
        return _optimal(problem, budget, bound, large=large)
    return _anytime(start, goal, budget, bound)


def _is_ready(problem: Canonical) -> bool:
    """Whether tables are at hand already."""
    for name in ("database", "large"):
        module = sys.modules.get(f"imgpuzzle.solver.tables.{name}")
        if module is not None and module.is_ready(problem):
            return True
    return False


def _optimal(
    problem: Canonical,
    budget: Budget,
    lower_bound: int,
    *,
    large: bool,
    alike: bool = False,
) -> Answer:
    from imgpuzzle.solver.classic.optimal import optimal_search

    search = optimal_search(
        problem, budget, large=large, alike=alike, lower_bound=lower_bound
    )
    return Answer.proven(search.run(budget), "idastar pattern databases")


def _anytime(start: Board, goal: Board, budget: Budget, lower_bound: int) -> Answer:
    from imgpuzzle.solver.anytime import Best, search_anytime

    def announce(best: Best) -> None:
        if budget.control.on_improved is None:
            return
        solution = Solution(
            start,
            goal,
            best.moves,
            min(best.lower_bound, len(best.moves)),
            budget.nodes,
            budget.seconds,
            UNSEARCHED if best.is_first else best.method,
        )
        solution.verify()
        budget.control.on_improved(solution)

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
        best.take(_quickly_shortened(best.problem, best.moves, budget))
    return Answer(best.moves, best.lower_bound, budget.nodes, method)


def _within(budget: Budget, answer: Answer) -> Answer:
    """The answer, unless it has more moves than are allowed."""
    most, found = budget.limits.max_moves, len(answer.moves)
    if most is None or found <= most:
        return answer
    budget.nodes = answer.nodes
    budget.check_moves(answer.lower_bound)
    raise LimitReachedError(
        Message(
            Limit.NONE_FOUND_THAT_SHORT,
            most=Message(Count.MOVES, count=most),
            found=found,
            bound=answer.lower_bound,
        ),
        lower_bound=answer.lower_bound,
        nodes=answer.nodes,
    )


def _best_effort(
    problem: Canonical, budget: Budget, error: LimitReachedError
) -> Answer:
    """A solution that is not the shortest, where a limit ended the search."""
    from imgpuzzle.solver.first.construct import construct
    from imgpuzzle.solver.first.labelling import labellings

    most = budget.limits.max_moves
    if most is not None and error.lower_bound > most:
        raise error
    in_hurry = problem.shape.size > TUNING.quick_cells
    if in_hurry and budget.control.stop.is_set():
        raise error  # whoever asks to stop waits for no 0.6 s
    choices = labellings(problem, in_hurry=in_hurry)
    choices = islice(choices, 1 if in_hurry else TUNING.labellings)
    moves = min((construct(one) for one in choices), key=len)
    moves = _quickly_shortened(problem, moves, budget)
    # Where nothing was left to set the search up in, it proved nothing.
    bound = bound_of(problem)
    return Answer(moves, max(bound, error.lower_bound), error.nodes, UNSEARCHED)
