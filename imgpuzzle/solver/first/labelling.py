"""Ways to label equal tiles as different ones, the most promising first.

A puzzle with equal tiles is solved as soon as one of the puzzles is solved in
which every tile has a home of its own. Which tile gets which home is one
assignment problem for each class of equal tiles; its solutions are listed in
the order of their costs (K. G. Murty, 1968, with the duals of the parent problem
as the start of each smaller one: M. Miller, H. Stone and I. Cox, 1997). Even and
odd permutations are listed apart, because just one kind can be solved.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from imgpuzzle.core.solvability import is_odd_displacement
from imgpuzzle.solver.budget import no_look
from imgpuzzle.solver.canonical import Canonical

__all__ = ["labellings", "smallest_total", "starts_of"]

Costs = Sequence[Sequence[int]]
Permutation = tuple[int, ...]


_RANKED_CELLS = 400
"""Up to so many cells the cheapest labellings are found, in up to a second."""
_HURRIED_CELLS = 200
"""The same when every moment counts, in less than 0.1 s."""
_PLAIN_TILES = 16
"""Up to so many plain Python takes some milliseconds to assign them."""


class _Choice(NamedTuple):
    """For one class or more: the home that each of its tiles gets, and the cost."""

    cost: int
    homes: tuple[Permutation, ...]


def labellings(
    problem: Canonical,
    *,
    in_hurry: bool = False,
    look: Callable[[], None] = no_look,
) -> Iterator[Canonical]:
    """Every solvable labelling of the equal tiles of ``problem``, lazily.

    Each is a problem with distinct tiles, labelled by their home cell plus 1,
    and its solutions are solutions of ``problem``. They come in the order of
    the total Manhattan distance, so the first one has the smallest total of all
    solvable ones; of equal totals those with the smaller sum of squared distances
    come first, in which fewer tiles have to pass each other. A problem with
    distinct tiles is its own only labelling; without a solution there is none. On more
    than 400 cells, or 200 ``in_hurry``, there is only one labelling, its total the
    smallest but for two tiles perhaps. ``look`` is called every tenth of a second;
    what it raises ends the work.
    """
    starts: dict[int, list[int]] = {}
    for cell, label in enumerate(problem.start):
        if label:
            starts.setdefault(label, []).append(cell)
    if min(problem.shape.rows, problem.shape.cols) == 1:
        yield from _in_order(problem)
        return
    # Distinct tiles have no choice; they only count for the parity.
    groups = [
        (cells, problem.homes[label])
        for label, cells in starts.items()
        if len(cells) > 1
    ]
    plain = {
        cell: problem.homes[label][0]
        for label, cells in starts.items()
        for cell in cells
        if len(cells) == 1
    }
    identity = tuple(tuple(range(len(cells))) for cells, _ in groups)
    first = _labelled(problem, plain, groups, identity)
    homes = {label: label - 1 for label in first.start if label}
    homes[0] = problem.goal.index(0)
    odd = is_odd_displacement(first.start, homes, problem.shape.cols)
    if not groups:
        if not odd:
            yield first
        return
    if problem.shape.size > (_HURRIED_CELLS if in_hurry else _RANKED_CELLS):
        yield _labelled(problem, plain, groups, _cheapest(problem, groups, odd, look))
        return
    for choice in _choices(problem, groups, odd, look):
        yield _labelled(problem, plain, groups, choice)


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
    ranked = [_ranked(_costs(problem, cells, homes), look) for cells, homes in groups]
    best = [next(choices) for choices in ranked]
    # Often the best of each class fit together: no need to rank anything then.
    at_once = tuple(homes for choice in best for homes in choice.homes)
    if sum(map(_is_odd, at_once)) % 2 == odd:
        yield at_once
    parts = [
        _by_parity(itertools.chain([choice], choices))
        for choice, choices in zip(best, ranked, strict=True)
    ]
    while len(parts) > 1:
        pairs = itertools.zip_longest(parts[::2], parts[1::2])
        parts = [_joined(one, two) if two else one for one, two in pairs]
    for choice in parts[0][odd]:
        if choice.homes != at_once:
            yield choice.homes


def _cheapest(
    problem: Canonical,
    groups: Sequence[tuple[Sequence[int], Sequence[int]]],
    odd: bool,
    look: Callable[[], None],
) -> tuple[Permutation, ...]:
    """The same for large boards: the cheapest, or two tiles of it exchanged."""
    chosen = []
    for cells, homes in groups:
        look()
        chosen.append(_assigned(_costs(problem, cells, homes))[1])
    if sum(map(_is_odd, chosen)) % 2 != odd:
        first, second, *others = chosen[0]
        chosen[0] = (second, first, *others)
    return tuple(chosen)


def _assigned(costs: Costs) -> tuple[int, Permutation]:
    """The cheapest assignment of many rows to columns: its total, and the columns."""
    import lap
    import numpy as np

    total, columns, _ = lap.lapjv(np.array(costs, np.float64))
    return round(float(total)), tuple(columns.tolist())


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
    plain: dict[int, int],
    groups: Sequence[tuple[Sequence[int], Sequence[int]]],
    choice: Sequence[Permutation],
) -> Canonical:
    """``problem`` with the homes of its equal tiles chosen."""
    home_of = dict(plain)
    for (cells, homes), permutation in zip(groups, choice, strict=True):
        for cell, number in zip(cells, permutation, strict=True):
            home_of[cell] = homes[number]
    return _distinct(problem, home_of)


def _distinct(problem: Canonical, home_of: dict[int, int]) -> Canonical:
    """The problem in which the tile in each cell has the given home."""
    cells = range(problem.shape.size)
    start = tuple(home_of[cell] + 1 if cell in home_of else 0 for cell in cells)
    return Canonical.distinct(problem.shape, start, problem.goal.index(0))


def _in_order(problem: Canonical) -> Iterator[Canonical]:
    """On one row or column the tiles keep their order: at most one way."""
    cells = [cell for cell, label in enumerate(problem.start) if label]
    homes = [cell for cell, label in enumerate(problem.goal) if label]
    home_of = dict(zip(cells, homes, strict=True))
    if all(problem.start[c] == problem.goal[home] for c, home in home_of.items()):
        yield _distinct(problem, home_of)


def _ranked(costs: Costs, look: Callable[[], None]) -> Iterator[_Choice]:
    """All assignments of rows to columns, the cheapest first.

    Those that remain after an assignment fall into parts: the rows before a
    certain one keep their columns, and that one must not have its own. The best
    of each part is one augmenting path away.
    """
    size = len(costs)
    columns = list(range(size))
    owner = [-1] * size
    row_price, col_price = [0] * size, [0] * size
    total = 0
    for row in range(size):
        look()
        total += _augment(costs, row, columns, set(), owner, row_price, col_price) or 0
    count = itertools.count()
    none: set[int] = set()
    queue = [(total, next(count), 0, none, owner, row_price, col_price)]
    while queue:
        total, _, first, banned, owner, row_price, col_price = heapq.heappop(queue)
        column_of = [0] * size
        for column, row in enumerate(owner):
            column_of[row] = column
        yield _Choice(total, (tuple(column_of),))
        for row in range(first, size - 1):
            look()
            here = column_of[row]
            without = {here} | banned if row == first else {here}
            part = owner[:], row_price[:], col_price[:]
            part[0][here] = -1
            more = _augment(costs, row, column_of[row:], without, *part)
            if more is not None:
                heapq.heappush(queue, (total + more, next(count), row, without, *part))


def smallest_total(costs: Costs) -> int:
    """The smallest sum of one cost from each row, all from different columns.

    ``costs`` is square.
    """
    size = len(costs)
    if size > _PLAIN_TILES:
        return _assigned(costs)[0]
    columns, owner = range(size), [-1] * size
    prices = [0] * size, [0] * size
    return sum(
        _augment(costs, row, columns, set(), owner, *prices) or 0 for row in columns
    )


def _augment(
    costs: Costs,
    row: int,
    columns: Sequence[int],
    banned: set[int],
    owner: list[int],
    row_price: list[int],
    col_price: list[int],
) -> int | None:
    """Give ``row`` a column; others change theirs where that is cheapest.

    ``owner`` has the row of each column, -1 for the free one; it and the prices
    (costs less prices are never negative, and nothing where a row has its
    column) are changed in place. Only ``columns`` take part, and those ``banned``
    for ``row`` are not given to it. Returns what is added to the sum of the costs,
    ``None`` if there is no way (R. Jonker and A. Volgenant, 1987).
    """
    prices = costs[row]
    base = row_price[row]
    slack = {c: prices[c] - base - col_price[c] for c in columns if c not in banned}
    came_from = dict.fromkeys(slack, -1)
    waiting = set(columns)
    done: list[tuple[int, int]] = []
    column, least = -1, 0
    while slack:
        column = min(slack, key=slack.__getitem__)
        least = slack.pop(column)
        waiting.discard(column)
        current = owner[column]
        if current < 0:
            break
        done.append((column, least))
        prices = costs[current]
        base = row_price[current] - least
        for other in waiting:
            reduced = prices[other] - base - col_price[other]
            if other not in slack or reduced < slack[other]:
                slack[other], came_from[other] = reduced, column
    else:
        return None
    for passed, distance in done:
        col_price[passed] -= least - distance
        row_price[owner[passed]] += least - distance
    row_price[row] += least
    while column >= 0:
        previous = came_from[column]
        owner[column] = row if previous < 0 else owner[previous]
        column = previous
    return least


def _is_odd(permutation: Permutation) -> bool:
    """Whether an odd number of exchanges makes ``permutation``."""
    left = list(permutation)
    odd = False
    for place in range(len(left)):
        while left[place] != place:
            other = left[place]
            left[place], left[other] = left[other], other
            odd = not odd
    return odd


class _Listed:
    """What an iterator gives, to be read from the beginning again and again."""

    def __init__(self, source: Iterator[_Choice]) -> None:
        self._source = source
        self._read: list[_Choice] = []

    def get(self, number: int) -> _Choice | None:
        """The entry with that number, counted from 0; ``None`` behind the last."""
        while len(self._read) <= number:
            entry = next(self._source, None)
            if entry is None:
                return None
            self._read.append(entry)
        return self._read[number]

    def __iter__(self) -> Iterator[_Choice]:
        number = 0
        while (entry := self.get(number)) is not None:
            yield entry
            number += 1


def _by_parity(choices: Iterator[_Choice]) -> tuple[_Listed, _Listed]:
    """The even ones and the odd ones of one class, each read when needed."""
    waiting: tuple[deque[_Choice], deque[_Choice]] = deque(), deque()

    def of(odd: bool) -> Iterator[_Choice]:
        while True:
            while not waiting[odd]:
                choice = next(choices, None)
                if choice is None:
                    return
                waiting[_is_odd(choice.homes[0])].append(choice)
            yield waiting[odd].popleft()

    return _Listed(of(False)), _Listed(of(True))


def _joined(
    one: tuple[_Listed, _Listed], two: tuple[_Listed, _Listed]
) -> tuple[_Listed, _Listed]:
    """The even and the odd combinations of two lists of classes."""
    even, odd = (
        heapq.merge(
            _products(one[0], two[parity]),
            _products(one[1], two[not parity]),
            key=lambda choice: choice.cost,
        )
        for parity in (False, True)
    )
    return _Listed(iter(even)), _Listed(iter(odd))


def _products(one: _Listed, two: _Listed) -> Iterator[_Choice]:
    """All combinations of an entry of each list, the cheapest first."""
    queue: list[tuple[int, int, int, tuple[Permutation, ...]]] = []

    def offer(first: int, second: int) -> None:
        left, right = one.get(first), two.get(second)
        if left is not None and right is not None:
            homes = left.homes + right.homes
            heapq.heappush(queue, (left.cost + right.cost, first, second, homes))

    offer(0, 0)
    while queue:
        cost, first, second, homes = heapq.heappop(queue)
        yield _Choice(cost, homes)
        offer(first + 1, second)
        if first == 0:
            offer(0, second + 1)
