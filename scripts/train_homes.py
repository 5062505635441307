"""Learn what the homes of tiles add to ranks on 5x5, from what narrow beams miss.

    python -m scripts.train_homes

writes ``imgpuzzle/solver/beam/homes.bin``; the same boards give the same numbers. Of
each layer of a narrow beam some positions are drawn; the one through which the best
way known leads shall have a lower key: logistic regression that begins with the weights
of ``train_rank``, which stay. Boards are few for so many numbers, so each is a sum of
three, which are drawn back to nothing: one for all homes alike, one by homes and by how
many steps tiles are from where they should be, and one of its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import multiprocessing
import random
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import write_atomically
from imgpuzzle.solver.beam.layer import distances, make_tables
from imgpuzzle.solver.beam.rank import HOME_PARTS, all_ways, learned_weights
from imgpuzzle.solver.beam.search import Beam
from imgpuzzle.solver.first.shorten import loops_cut
from imgpuzzle.solver.tables.large import best_size, lookup_of
from imgpuzzle.solver.tables.store import TableStore
from scripts import train_rank
from scripts.train_rank import Counts, Drawing, random_problem

TARGET = Path(__file__).parents[1] / "imgpuzzle/solver/beam/homes.bin"
SHAPE, HOME = Shape(5, 5), 24
NARROW, WIDE = 1000, 3000
FIRSTS, BOARDS = range(2_002_000, 2_003_000, 100), 80
"""The first board of each task, each its own seed, and how many boards follow."""
BACK = (1e-4, 2e-3, 3e-3)
"""By how much a step draws each of the three sorts of numbers back."""
LEAST = 1e-7
"""Slopes of fewer have shorter steps."""
SOFT = 1.5
"""Moves by which keys of pairs differ three quarters of which are in order."""
TAKEN = 0.7
"""Of what was fitted: what is left out of boards that were held back is least then."""
STEPS, PAIRS, RATE = 300, 8192, 0.01
NEAR = list(itertools.product(range(-2, 3), repeat=2))
AROUND = list(itertools.product(range(5), repeat=2))
ACROSS = list(itertools.product(range(-4, 5), repeat=2))
WAYS = all_ways(learned_weights().beside)


class Task(NamedTuple):
    """Boards of a shape, each its own seed; how many positions of a layer are drawn."""

    shape: Shape
    name: str
    boards: range
    drawn: int
    spared: int


class Pairs(NamedTuple):
    """Of P pairs the positions (P, N), and by how much more the second bound is."""

    right: np.ndarray
    wrong: np.ndarray
    more: np.ndarray


def kinds() -> Iterator[tuple[object, object, object, float]]:
    """Of each number of ``Homes``: which others are the same in each of three sorts,
    and the weight in use."""
    weights, places = learned_weights(), Counts().places
    for home, cell in itertools.product(AROUND, AROUND):
        down, right = (abs(a - b) for a, b in zip(home, cell, strict=True))
        one = min((home, cell), (home[::-1], cell[::-1]))
        kind = int(places.away[down, right])
        yield kind, (one[0], down + right), one, weights.away[down, right]
    for home, way, lie in itertools.product(AROUND, NEAR, ACROSS):
        if way not in WAYS:
            yield None, None, None, 0.0
            continue
        other = home[0] + way[0], home[1] + way[1]
        back = (other, (-way[0], -way[1]), (-lie[0], -lie[1]))
        same = [(home, way, lie), back]
        same += [tuple(part[::-1] for part in one) for one in same]
        one = min(same)
        steps = min(5, abs(lie[0] - way[0]) + abs(lie[1] - way[1]))
        kind = int(places.of(way, *lie))
        yield kind, (one[:2], steps), one, float(weights.of(way, *lie))


def beside(
    shape: Shape, at: np.ndarray, ways: Iterable[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """The ways between two homes, each with the tiles (k,) of both, once for each two,
    and the rows and columns (n, k) between these where tiles lie ``at`` (n, N - 1)."""
    row, col = np.divmod(at, shape.cols)
    tiles = np.arange(shape.size - 1)
    home_row, home_col = np.divmod(tiles, shape.cols)
    for way in ways:
        to_row, to_col = home_row + way[0], home_col + way[1]
        other = to_row * shape.cols + to_col
        is_there = (to_row < shape.rows) & (to_col >= 0) & (to_col < shape.cols)
        is_there &= (other < len(tiles)) & (other > tiles)
        one, two = tiles[is_there], other[is_there]
        yield way, one, two, row[:, two] - row[:, one], col[:, two] - col[:, one]


def counted(cells: np.ndarray) -> np.ndarray:
    """(n, F): which numbers of ``Homes`` positions count, once for each two tiles."""
    at = np.argsort(cells, axis=1)[:, 1:]
    found = [np.arange(HOME) * SHAPE.size + at]
    number = {way: at for at, way in enumerate(NEAR)}
    for way, one, _, down, right in beside(SHAPE, at, filter(WAYS.__contains__, NEAR)):
        lie = 9 * (down + 4) + right + 4
        found.append(SHAPE.size**2 + (25 * one + number[way]) * len(ACROSS) + lie)
    return np.concatenate(found, axis=1).astype(np.int32)


def drawn(task: Task) -> Pairs:
    """Of some boards: positions of the way, others of their layers, and by how much the
    bounds of these are more, in the mean of the views."""
    shape = task.shape
    train_rank.DRAWN = task.drawn
    lookup = lookup_of(shape, shape.size - 1, best_size(shape), TableStore(), None)
    weights = dataclasses.replace(learned_weights(), homes=None, border=())
    tables = make_tables(lookup, weights=weights)
    best = 12 * shape.size
    right, wrong, more = [], [], []
    for board in task.boards:
        problem = random_problem(shape, random.Random(f"{task.name} {board}"))
        chance = np.random.default_rng([38, board])
        narrow = Drawing(
            problem, tables, width=NARROW, best=best, seed=board, chance=chance
        )
        wide = Beam(
            *(problem, tables),
            width=WIDE,
            best=best,
            seed=board,
            is_time_up=lambda: False,
        )
        ways = [way for beam in (narrow, wide) if (way := beam.run())]
        if not ways:
            continue
        way = min(ways, key=len)
        _, positions = loops_cut(problem, way)
        path = np.array([list(position) for position in positions])
        bounds = np.array([distances(cells, tables).sum() for cells in path])
        for depth, cells, own in narrow.drawn:
            if depth >= len(path) - task.spared:
                break
            right.append(np.repeat(path[depth][None], len(cells), axis=0))
            wrong.append(cells)
            more.append((own.sum(axis=1, dtype=np.int64) - bounds[depth]) / len(own[0]))
    every = (np.concatenate(cells).astype(np.uint8) for cells in (right, wrong))
    return Pairs(*every, np.concatenate(more))


def fit(
    sources: list[tuple[Pairs, Callable[[np.ndarray], np.ndarray]]],
    begin: np.ndarray,
    sames: list[np.ndarray],
    *,
    back: tuple[float, ...] = BACK,
    least: float = LEAST,
    steps: int = STEPS,
    pairs: int = PAIRS,
) -> np.ndarray:
    """What is added to the weights in use, by Adam (D. Kingma and J. Ba, 2015).

    Each source has what says which numbers its positions count; ``sames`` has for each
    sort which of its parts each number has.
    """
    parts = [np.zeros(same.max() + 1) for same in sames]
    means, squares = [[np.zeros_like(part) for part in parts] for _ in range(2)]
    in_use, chance = begin.astype(np.float32), np.random.default_rng(0)
    for step in range(steps):
        now = in_use + sum(part[same] for part, same in zip(parts, sames, strict=True))
        slope = np.zeros(len(now))
        for (right, wrong, more), counted in sources:
            some = chance.integers(0, len(more), pairs)
            one, other = counted(right[some]), counted(wrong[some])
            lead = more[some] + now[other].sum(axis=1) - now[one].sum(axis=1)
            doubt = 1 / (1 + np.exp(np.clip(lead / SOFT, -30, 30))) / SOFT / pairs
            each = np.repeat(doubt / len(sources), one.shape[1])
            slope += np.bincount(one.ravel(), each, len(now))
            slope -= np.bincount(other.ravel(), each, len(now))
        rate = RATE * (1 - step / steps)
        for sort, same in enumerate(sames):
            part, mean, square = parts[sort], means[sort], squares[sort]
            own = np.bincount(same, slope, len(part)) + back[sort] * part
            mean += 0.1 * (own - mean)
            square += 0.01 * (own**2 - square)
            sure = 1 - 0.9 ** (step + 1), 1 - 0.99 ** (step + 1)
            part -= rate * (mean / sure[0]) / (np.sqrt(square / sure[1]) + least)
    return now - in_use


def _numbered(sort: tuple[object, ...]) -> np.ndarray:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(one, len(seen)) for one in sort])


def stored(found: np.ndarray) -> bytes:
    """As the package keeps what is added to weights, in moves."""
    whole = np.clip(np.rint(found * HOME_PARTS), -127, 127).astype(np.int8)
    return zlib.compress(whole.tobytes(), 9)


def drawn_of(tasks: list[Task], jobs: int) -> list[Pairs]:
    """The pairs of each task, by so many processes."""
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return pool.map(drawn, tasks, chunksize=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=TARGET)
    given = parser.parse_args()
    ranges = [range(first, first + BOARDS) for first in FIRSTS]
    tasks = [Task(SHAPE, "homes", boards, 12, 1) for boards in ranges]
    pairs = Pairs(*map(np.concatenate, zip(*drawn_of(tasks, given.jobs), strict=True)))
    *sorts, begin = zip(*kinds(), strict=True)
    found = fit([(pairs, counted)], np.array(begin), list(map(_numbered, sorts)))
    write_atomically(given.output, stored(TAKEN * found))


if __name__ == "__main__":
    main()
