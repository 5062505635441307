"""Ways to label equal tiles as different ones, the most promising first.

A puzzle with equal tiles is solved as soon as one of the puzzles is solved in
which every tile has a home of its own. Which tile gets which home is one
assignment problem for each class of equal tiles. From the cheapest assignment on two
tiles after the other exchange their homes, the cheapest exchanges first; half of all
ways, the even or the odd permutations, can be solved.
"""

from __future__ import annotations

import heapq
import itertools
from array import array
from collections.abc import Callable, Iterator, Sequence

from imgpuzzle.core.solvability import is_odd, is_odd_displacement
from imgpuzzle.kernels.assignment import assigned
from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.canonical import Canonical

Costs = Sequence[Sequence[int]]
Permutation = tuple[int, ...]


_RANKED_CELLS = 400
"""On more cells there is one labelling: each that follows takes 0.1 s."""


def labellings(
    problem: Canonical,
    *,
    look: Callable[[], None] = no_look,
) -> Iterator[Canonical]:
    """Every solvable labelling of the equal tiles of ``problem``, lazily.

    Each is a problem with distinct tiles, labelled by their home cell plus 1,
    and its solutions are solutions of ``problem``. Those with a small total Manhattan
    distance come first, of equal totals those with the smaller sum of squared
    distances, in which fewer tiles have to pass each other; a way to which only dear
    exchanges lead may come late. A problem with distinct tiles is its own only
    labelling; without a solution there is none. There are at least two rows and two
    columns, and on more than 400 cells there is only one labelling. ``look`` is called
    before each of them; what it raises ends the work.
    """
    starts: dict[int, list[int]] = {}
    for cell, label in enumerate(problem.start):
        if label:
            starts.setdefault(label, []).append(cell)
    groups = [(cells, problem.homes[label]) for label, cells in starts.items()]
    first = _labelled(problem, groups, [range(len(cells)) for cells, _ in groups])
    homes = {label: label - 1 for label in first.start if label}
    homes[0] = problem.goal.index(0)
    odd = is_odd_displacement(first.start, homes, problem.shape.cols)
    choices = _choices(problem, groups, odd, look)
    is_large = problem.shape.size > _RANKED_CELLS
    for choice in itertools.islice(choices, 1 if is_large else None):
        yield _labelled(problem, groups, choice)


def starts_of(
    problem: Canonical, most: int, look: Callable[[], None] = no_look
) -> list[tuple[int, ...]]:
    """The start of ``problem`` under ``most`` labellings, the shortest ways first.

    Beams begin with all of them: which of equal tiles goes to which home is not decided
    before a search. ``look`` is called while they are sought, and may raise.
    """
    if not problem.has_equals:
        return [problem.start]
    found = itertools.islice(labellings(problem, look=look), most)
    return [one.start for one in found]


def _choices(
    problem: Canonical,
    groups: Sequence[tuple[Sequence[int], Sequence[int]]],
    odd: bool,
    look: Callable[[], None],
) -> Iterator[tuple[Permutation, ...]]:
    """Homes for the tiles of all classes, as one odd or even permutation."""
    tables: list[Costs] = []
    best: list[Permutation] = []
    for cells, homes in groups:
        if len(cells) == 1:  # it has no choice, and only counts for the parity
            tables.append([[0]])
            best.append((0,))
            continue
        look()
        tables.append(_costs(problem, cells, homes))
        best.append(cheapest(tables[-1])[1])
    first = tuple(best)
    is_right = sum(map(is_odd, first)) % 2 == odd
    if is_right:
        yield first
    seen, count = {first}, itertools.count()
    queue: list[tuple[int, int, _Exchanges]] = []

    def push(exchanges: _Exchanges) -> None:
        """Remember what the next exchange would cost in all, if there is one."""
        if exchanges.waiting:
            heapq.heappush(queue, (exchanges.least, next(count), exchanges))

    push(_Exchanges(tables, first, 0, is_right))
    while queue:
        look()
        cost, _, exchanges = heapq.heappop(queue)
        choice = exchanges.take()
        push(exchanges)
        if choice not in seen:
            seen.add(choice)
            if not exchanges.is_right:
                yield choice
            push(_Exchanges(tables, choice, cost, not exchanges.is_right))


class _Exchanges:
    """The exchanges of two equal tiles' homes in one choice, the cheapest first.

    ``cost`` is what the choice costs more than the best one; ``is_right`` whether it
    can be solved.
    """

    def __init__(
        self,
        tables: Sequence[Costs],
        choice: tuple[Permutation, ...],
        cost: int,
        is_right: bool,
    ) -> None:
        self._choice, self._cost, self.is_right = choice, cost, is_right
        self.waiting: list[tuple[int, int, int, int]] = []
        for number, (costs, homes) in enumerate(zip(tables, choice, strict=True)):
            own = [row[home] for row, home in zip(costs, homes, strict=True)]
            pairs = itertools.combinations(range(len(homes)), 2)
            for one, other in pairs:
                more = costs[one][homes[other]] + costs[other][homes[one]]
                more -= own[one] + own[other]
                self.waiting.append((more, number, one, other))
        heapq.heapify(self.waiting)

    @property
    def least(self) -> int:
        """What the choice after the next exchange costs."""
        return self._cost + self.waiting[0][0]

    def take(self) -> tuple[Permutation, ...]:
        """That choice."""
        _, number, one, other = heapq.heappop(self.waiting)
        homes = list(self._choice[number])
        homes[one], homes[other] = homes[other], homes[one]
        return (*self._choice[:number], tuple(homes), *self._choice[number + 1 :])


def cheapest(costs: Costs) -> tuple[int, Permutation]:
    """The cheapest way to give each row a column of its own: its cost, the columns."""
    flat = array("d", itertools.chain.from_iterable(costs))
    total, columns = assigned(len(costs), flat)
    return round(total), tuple(columns)


def _costs(
    problem: Canonical, cells: Sequence[int], homes: Sequence[int]
) -> list[list[int]]:
    """What it costs to send each of the ``cells`` to each of the ``homes``.

    The squares are added as a fraction, so that they only decide between equal
    sums of distances; all in integers.
    """
    rows, cols = problem.shape.rows, problem.shape.cols
    unit = rows * cols * (rows * rows + cols * cols)
    table = []
    for cell in cells:
        row, col = divmod(cell, cols)
        apart = [(abs(row - home // cols), abs(col - home % cols)) for home in homes]
        table.append([unit * (r + c) + r * r + c * c for r, c in apart])
    return table


def _labelled(
    problem: Canonical,
    groups: Sequence[tuple[Sequence[int], Sequence[int]]],
    choice: Sequence[Sequence[int]],
) -> Canonical:
    """``problem`` with the homes of its equal tiles chosen."""
    home_of: dict[int, int] = {}
    for (cells, homes), permutation in zip(groups, choice, strict=True):
        for cell, number in zip(cells, permutation, strict=True):
            home_of[cell] = homes[number]
    cells = range(problem.shape.size)
    start = tuple(home_of[cell] + 1 if cell in home_of else 0 for cell in cells)
    return Canonical.distinct(problem.shape, start, problem.goal.index(0))
