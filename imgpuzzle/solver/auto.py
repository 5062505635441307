"""Which search answers which board, when the caller leaves the choice.

Easy boards are answered by plain Python before anything compiled could be
loaded, so are all boards of up to 12 cells. Up to 16 cells pattern databases find
a shortest solution in milliseconds. Larger boards get a first solution at once
and better ones until the time is up, with the bound that is proven by then.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import islice

from imgpuzzle.board import Board
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.messages import Count, Limit, Message
from imgpuzzle.solution import UNSEARCHED, Solution
from imgpuzzle.solver.bounds import simple_bound
from imgpuzzle.solver.budget import Budget, Outcome, no_look
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.deepening import DepthFirst, idastar, node_work
from imgpuzzle.solver.heuristics import Heuristic, heuristic_parts, make_heuristic

__all__ = [
    "LIGHT",
    "MAX_CELLS",
    "PLAIN_CELLS",
    "STRONG",
    "Answer",
    "plain_bound",
    "solve_automatically",
    "solve_strictly",
]

LIGHT = "linear-conflict"
STRONG = "linear-conflict+walking-distance"
# The light bound needs no tables and solves most boards within this many
# nodes, some 50 ms; for the others the strong bound's tables are worth building.
_LIGHT_NODES = 30_000
_LAST_NODES = 200_000
_MOST_LIGHT_WORK = 500_000
"""And for fewer nodes where each takes long, because many tiles are equal: half a
second or so, as what comes afterwards needs its time."""
# Forwards and backwards are tried in turn until an iteration is as long as this.
_PROBE_NODES = 50_000
_STRONG_PRUNING = 8
MAX_CELLS = 16
"""Up to this many cells tables prove which solutions are shortest."""
LARGE_SECONDS = 5.0
"""For boards that could be improved for ever, unless a limit says otherwise."""
PLAIN_CELLS = 12
"""Up to this many plain Python is quick enough."""
QUICK_CELLS = 64
"""Up to this many cells a first solution is there before anybody can ask to stop."""
_HURRIED_CELLS = 1000
"""Up to this many there is time for one, put together in a hurry, after a limit."""
_BOUND_CELLS = 400
"""On more cells the bounds of one position are all that is asked of plain Python."""
_LIGHT_CELLS, _LIGHT_MOVES = 3600, 80
"""Unless a board of so many cells is at most so many moves from home, it seems."""
_SHORTEN_SECONDS = 0.2
_LABELLINGS = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """Moves, the length that is proven to be needed, and how both were found."""

    moves: tuple[int, ...]
    lower_bound: int
    nodes: int
    method: str

    @classmethod
    def proven(cls, outcome: Outcome, method: str) -> Answer:
        """What a search found that ends with a shortest solution."""
        return cls(outcome.moves, len(outcome.moves), outcome.nodes, method)


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
        problem = canonicalise(start, goal)
        return Answer.proven(only_way(problem, budget), "only way")
    if start.shape.size <= PLAIN_CELLS:
        return _plain(start, goal, budget)
    return _compiled(start, goal, budget, large=large)


def only_way(problem: Canonical, budget: Budget) -> Outcome:
    """On one row or column the blank can only go straight to its home."""
    blank, home = problem.start.index(0), problem.goal.index(0)
    step = 1 if home > blank else -1
    moves = tuple(range(blank + step, home + step, step))
    budget.check_moves(len(moves))
    return Outcome(moves, len(moves) + 1)


def light_search(
    problem: Canonical, budget: Budget, nodes: int = _LIGHT_NODES
) -> Outcome | int:
    """What plain Python finds within some nodes, or the bound proven by then."""
    heuristic = plain_bound(problem, LIGHT)
    nodes = min(nodes, _MOST_LIGHT_WORK // node_work(heuristic))
    return idastar(problem, heuristic, budget, give_up_after=nodes)


def plain_bound(problem: Canonical, name: str) -> Heuristic:
    """The heuristic of that name for the problem's goal."""
    return make_heuristic(
        problem.shape, problem.goal, problem.homes, heuristic_parts(name)
    )


def bound_of(problem: Canonical) -> int:
    """A proven minimum for the moves from the start, on boards of any size."""
    if problem.shape.size > _BOUND_CELLS:
        return simple_bound(problem)
    return problem.at_least(plain_bound(problem, LIGHT)(problem.start))


def _quickly_shortened(
    problem: Canonical, moves: tuple[int, ...], budget: Budget
) -> tuple[int, ...]:
    """A last moment's work on a solution that no search has made shorter."""
    from imgpuzzle.solver.shorten import shorten

    stop = budget.control.stop
    return shorten(problem, moves, seconds=_SHORTEN_SECONDS, is_stopped=stop.is_set)


def _plain(start: Board, goal: Board, budget: Budget) -> Answer:
    """IDA*: light at first, then with tables, from the easier of both ends."""
    forward = canonicalise(start, goal)
    light = light_search(forward, budget)
    if isinstance(light, Outcome):
        return Answer.proven(light, f"idastar {LIGHT}")
    budget.check(budget.nodes, light)
    backward = canonicalise(goal, start)
    heuristics = [plain_bound(forward, STRONG), plain_bound(backward, STRONG)]
    searches = [
        DepthFirst(problem, heuristic, budget, pruning_depth=_STRONG_PRUNING)
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
            path = searches[side].within(bound)
            if path is not None:
                moves = path if side == 0 else _reversed(path, backward)
                return Answer.proven(Outcome(moves, budget.nodes), names[side])
            effort[side] = budget.nodes - before
        if max(effort.values()) > _PROBE_NODES:
            sides = [min(sides, key=lambda side: effort[side])]
        bound += 2


def _reversed(path: tuple[int, ...], backward: Canonical) -> tuple[int, ...]:
    """The moves in the other direction: the blank walks its way back."""
    return (backward.start.index(0), *path[:-1])[::-1]


def _compiled(start: Board, goal: Board, budget: Budget, *, large: bool) -> Answer:
    problem = canonicalise(start, goal)
    bound = 0
    # No compiled search proves anything of large boards with twins.
    is_last = problem.shape.size > MAX_CELLS and start.has_repeats
    if problem.shape.size > _BOUND_CELLS:
        bound = simple_bound(problem)
        budget.check(budget.nodes, bound)
    if problem.shape.size > _LIGHT_CELLS or bound > _LIGHT_MOVES:
        budget.check_moves(bound)
    elif is_last or not _is_ready(problem):
        light = light_search(problem, budget, _LAST_NODES if is_last else _LIGHT_NODES)
        if isinstance(light, Outcome):
            return Answer.proven(light, f"idastar {LIGHT}")
        budget.check(budget.nodes, light)
        bound = light
    if problem.shape.size <= MAX_CELLS:
        return _optimal(problem, budget, bound, large=large)
    return _anytime(start, goal, budget, bound)


def _is_ready(problem: Canonical) -> bool:
    """Whether tables are at hand already."""
    for name in ("engine", "large_tables"):
        module = sys.modules.get(f"imgpuzzle.solver.{name}")
        if module is not None and module.is_ready(problem):
            return True
    return False


def _optimal(
    problem: Canonical, budget: Budget, lower_bound: int, *, large: bool
) -> Answer:
    from imgpuzzle.solver.engine import optimal_search

    search = optimal_search(problem, budget, large=large, lower_bound=lower_bound)
    return Answer.proven(search.run(budget), "idastar pattern databases")


def _anytime(start: Board, goal: Board, budget: Budget, lower_bound: int) -> Answer:
    from imgpuzzle.solver.anytime import Best, search_anytime

    method = "beam search, pattern databases"

    def announce(best: Best) -> None:
        if budget.control.on_improved is None and not is_slow:
            return
        solution = Solution(
            start,
            goal,
            best.moves,
            min(best.lower_bound, len(best.moves)),
            budget.nodes,
            budget.seconds,
            UNSEARCHED if best.is_first else method,
        )
        solution.replay(look)
        solution.check_length()
        budget.replayed = best.moves
        if budget.control.on_improved is not None:
            budget.control.on_improved(solution)

    problem = canonicalise(start, goal)
    is_slow = problem.shape.size > _BOUND_CELLS
    look = budget.look if is_slow else no_look
    best = Best(problem, lower_bound, announce)
    try:
        search_anytime(best, budget)
    except LimitReachedError as error:
        best.lower_bound = max(best.lower_bound, error.lower_bound)
        if not best.moves:
            raise
    if best.is_first and not best.is_enough:
        # Not even a narrow beam had the time: then this is better than nothing.
        method = UNSEARCHED
        if not is_slow:
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
    from imgpuzzle.solver.constructive import construct
    from imgpuzzle.solver.labelling import labellings

    size = problem.shape.size
    if size > _HURRIED_CELLS:
        raise error
    most = budget.limits.max_moves
    if most is not None and error.lower_bound > most:
        raise error
    in_hurry = size > QUICK_CELLS
    choices = labellings(problem, in_hurry=in_hurry)
    choices = islice(choices, 1 if in_hurry else _LABELLINGS)
    moves = min((construct(one, in_hurry=in_hurry) for one in choices), key=len)
    moves = _quickly_shortened(problem, moves, budget)
    # Where nothing was left to set the search up in, it proved nothing.
    bound = bound_of(problem)
    return Answer(moves, max(bound, error.lower_bound), error.nodes, UNSEARCHED)
