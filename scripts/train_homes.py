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
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import write_atomically
from imgpuzzle.solver.beam.layer import distances, make_tables
from imgpuzzle.solver.beam.rank import HOME_PARTS, learned_weights, near_homes
from imgpuzzle.solver.beam.search import Beam
from imgpuzzle.solver.first.shorten import loops_cut
from imgpuzzle.solver.tables.large import best_size, lookup_of
from imgpuzzle.solver.tables.store import TableStore
from scripts import train_rank
from scripts.train_rank import Counts, Drawing, random_problem

TARGET = Path(__file__).parents[1] / "imgpuzzle/solver/beam/homes.bin"
SHAPE, HOME = Shape(5, 5), 24
NARROW, WIDE = 1000, 3000
DRAWN = 12
"""Positions a layer."""
FIRSTS, BOARDS = range(2_002_000, 2_003_000, 100), 80
"""The first board of each task, each its own seed, and how many boards follow."""
BACK = (1e-4, 2e-3, 3e-3)
"""By how much a step draws each of the three sorts of numbers back."""
SOFT = 1.5
"""Moves by which keys of pairs differ three quarters of which are in order."""
TAKEN = 0.7
"""Of what was fitted: what is left out of boards that were held back is least then."""
STEPS, PAIRS, RATE = 300, 8192, 0.01
AROUND = list(itertools.product(range(5), repeat=2))
ACROSS = list(itertools.product(range(-4, 5), repeat=2))
WAYS = near_homes(learned_weights())


def kinds() -> Iterator[tuple[object, object, object, float]]:
    """Of each number of ``Homes``: which others are the same in each of three sorts,
    and the weight in use."""
    weights, places = learned_weights(), Counts().places
    for home, cell in itertools.product(AROUND, AROUND):
        down, right = (abs(a - b) for a, b in zip(home, cell, strict=True))
        one = min((home, cell), (home[::-1], cell[::-1]))
        kind = int(places.away[down, right])
        yield kind, (one[0], down + right), one, weights.away[down, right]
    for home, way, lie in itertools.product(
        AROUND, itertools.product(range(-2, 3), repeat=2), ACROSS
    ):
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


def counted(cells: np.ndarray) -> np.ndarray:
    """(n, F): which numbers of ``Homes`` positions count, once for each two tiles."""
    at = np.argsort(cells, axis=1)[:, 1:]
    row, col = np.divmod(at, SHAPE.cols)
    home = np.arange(HOME)
    found = [home * SHAPE.size + at]
    for number, (down, right) in enumerate(itertools.product(range(-2, 3), repeat=2)):
        to_row, to_col = home // 5 + down, home % 5 + right
        other = 5 * to_row + to_col
        is_there = (to_row < 5) & (to_col >= 0) & (to_col < 5) & (home < other)
        if (down, right) in WAYS:
            one = home[is_there & (other < HOME)]
            two = one + 5 * down + right
            lie = 9 * (row[:, two] - row[:, one] + 4) + col[:, two] - col[:, one] + 4
            found.append(SHAPE.size**2 + (25 * one + number) * len(ACROSS) + lie)
    return np.concatenate(found, axis=1).astype(np.int32)


def drawn(first: int) -> tuple[np.ndarray, ...]:
    """Of some boards: positions of the way, others of their layers, and by how much the
    bounds of these are more, in the mean of the views."""
    train_rank.DRAWN = DRAWN
    lookup = lookup_of(SHAPE, HOME, best_size(SHAPE), TableStore(), None)
    weights = dataclasses.replace(learned_weights(), homes=None)
    tables = make_tables(lookup, weights=weights)
    right, wrong, more = [], [], []
    for board in range(first, first + BOARDS):
        problem = random_problem(SHAPE, random.Random(f"homes {board}"))
        chance = np.random.default_rng([38, board])
        narrow = Drawing(
            problem, tables, width=NARROW, best=300, seed=board, chance=chance
        )
        wide = Beam(
            *(problem, tables),
            width=WIDE,
            best=300,
            seed=board,
            is_time_up=lambda: False,
        )
        way = min(narrow.run(), wide.run(), key=len)
        _, positions = loops_cut(problem, way)
        path = np.array([list(position) for position in positions])
        bounds = np.array([distances(cells, tables).sum() for cells in path])
        for depth, cells, own in narrow.drawn[: len(path) - 2]:
            right.append(np.repeat(path[depth][None], len(cells), axis=0))
            wrong.append(cells)
            more.append((own.sum(axis=1, dtype=np.int64) - bounds[depth]) / len(own[0]))
    every = (np.concatenate(cells).astype(np.uint8) for cells in (right, wrong))
    return (*every, np.concatenate(more))


def fit(right: np.ndarray, wrong: np.ndarray, more: np.ndarray) -> np.ndarray:
    """What is added to the weights in use, by Adam (D. Kingma and J. Ba, 2015)."""
    *sorts, begin = zip(*kinds(), strict=True)
    sames = [_numbered(sort) for sort in sorts]
    parts = [np.zeros(same.max() + 1) for same in sames]
    means, squares = [[np.zeros_like(part) for part in parts] for _ in range(2)]
    in_use, chance = np.array(begin, np.float32), np.random.default_rng(0)
    for step in range(STEPS):
        some = chance.integers(0, len(more), PAIRS)
        now = in_use + sum(part[same] for part, same in zip(parts, sames, strict=True))
        one, other = counted(right[some]), counted(wrong[some])
        lead = more[some] + now[other].sum(axis=1) - now[one].sum(axis=1)
        doubt = 1 / (1 + np.exp(np.clip(lead / SOFT, -30, 30))) / SOFT / PAIRS
        each = np.repeat(doubt, one.shape[1])
        slope = np.bincount(one.ravel(), each, len(now))
        slope -= np.bincount(other.ravel(), each, len(now))
        rate = RATE * (1 - step / STEPS)
        for sort, same in enumerate(sames):
            part, mean, square = parts[sort], means[sort], squares[sort]
            own = np.bincount(same, slope, len(part)) + BACK[sort] * part
            mean += 0.1 * (own - mean)
            square += 0.01 * (own**2 - square)
            sure = 1 - 0.9 ** (step + 1), 1 - 0.99 ** (step + 1)
            part -= rate * (mean / sure[0]) / (np.sqrt(square / sure[1]) + 1e-7)
    return TAKEN * (now - in_use)


def _numbered(sort: tuple[object, ...]) -> np.ndarray:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(one, len(seen)) for one in sort])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=TARGET)
    given = parser.parse_args()
    with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
        pairs = pool.map(drawn, FIRSTS, chunksize=1)
    found = fit(*map(np.concatenate, zip(*pairs, strict=True)))
    whole = np.clip(np.rint(found * HOME_PARTS), -127, 127).astype(np.int8)
    write_atomically(given.output, zlib.compress(whole.tobytes(), 9))


if __name__ == "__main__":
    main()
