"""Learn the weights by which beams rank positions, from the beams' own mistakes.

    python -m scripts.train_rank --jobs 2

writes ``imgpuzzle/solver/beam/rank.json``. The same ``--seed`` draws the same boards
and gives the same weights. Each round beams rank by the weights of the round before,
and others by the bounds and two weights chosen by hand, which find their way where
those are lost yet. The shortest solution of a board leads through one position of each
layer. That one shall have a lower key than others of its layer, of which a few are
drawn: logistic regression on the differences of what is counted, over all rounds so
far (S. Ross, G. Gordon and D. Bagnell, "A reduction of imitation learning and
structured prediction to no-regret online learning", 2011).
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.files.image import write_atomically
from imgpuzzle.solver.beam.layer import distances, make_tables
from imgpuzzle.solver.beam.rank import Weights, all_ways
from imgpuzzle.solver.beam.search import Beam
from imgpuzzle.solver.canonical import Canonical, canonicalise
from imgpuzzle.solver.first.shorten import loops_cut
from imgpuzzle.solver.tables.large import best_size, lookup_of
from imgpuzzle.solver.tables.store import TableStore

TARGET = Path(__file__).parents[1] / "imgpuzzle/solver/beam/rank.json"
APART = ((0, 1), (1, 1), (0, 2), (1, 2))
"""Rows and columns between homes for whose tiles there are weights. With (0, 1) and
(1, 1) alone the path is in front in 81 % of the pairs, with these in 87 %, with (2, 2),
(0, 3) and (1, 3) besides in 88 %, but then a position takes 1.1 times as long."""
FURTHEST, FAR = 6, 4
"""Between a tile and its home, further than which few boards to learn from have tiles;
between two tiles."""
BOARDS = (
    # shape, width of the beams, boards a round
    ("5x5", 1000, 60),
    ("4x6", 1000, 60),
    ("3x8", 1000, 40),
    ("4x8", 1500, 60),
    ("6x6", 1000, 120),
    ("5x8", 1500, 40),
    ("7x7", 1000, 80),
    ("8x8", 1500, 24),
)
WIDER = 6
"""How many times as wide a second beam is where none of the first found a solution."""
DRAWN = 2
"""Positions a layer; of boards of more than 36 cells from every other layer."""
MOST_MOVES = 11
"""Times the cells: beams that need more are lost."""


class Counts:
    """What keys count, as one row of numbers: the last is the mean of the bounds."""

    def __init__(self) -> None:
        places = itertools.combinations_with_replacement(range(FURTHEST + 1), 2)
        number = {place: at for at, place in enumerate(places)}
        away = np.array(
            [
                [number[min(a, b), max(a, b)] for b in range(FURTHEST + 1)]
                for a in range(FURTHEST + 1)
            ]
        )
        beside = {}
        size = len(number)
        for apart in APART:
            table = np.zeros((2 * FAR + 1, 2 * FAR + 1), np.int64)
            seen: dict[tuple[int, int], int] = {}
            for down, right in itertools.product(range(-FAR, FAR + 1), repeat=2):
                same = {(down, right)}
                if apart[0] == 0:
                    same.add((-down, right))
                if apart[0] == apart[1]:
                    same.add((right, down))
                at = seen.setdefault(min(same), size)
                size += at == size
                table[down + FAR, right + FAR] = at
            beside[apart] = table
        self.places = Weights(away, beside)
        self.size = size + 1

    def weights(self, found: np.ndarray) -> Weights:
        """What was fitted, in moves of the bounds."""
        found = found[:-1] / found[-1]
        return Weights(
            found[self.places.away],
            {apart: found[table] for apart, table in self.places.beside.items()},
        )

    def of(self, shape: Shape, cells: np.ndarray, bounds: np.ndarray) -> np.ndarray:
        """(n, size), for positions ``cells`` (n, N) whose last home is the blank's."""
        count, size = cells.shape
        at = np.empty((count, size + 1), np.int64)
        np.put_along_axis(at, cells, np.arange(size)[None], 1)
        row, col = np.divmod(at, shape.cols)
        tiles = np.arange(1, size)
        home_row, home_col = np.divmod(tiles - 1, shape.cols)
        down = np.minimum(abs(row[:, 1:size] - home_row), FURTHEST)
        right = np.minimum(abs(col[:, 1:size] - home_col), FURTHEST)
        places = [self.places.away[down, right]]
        for way in all_ways(self.places.beside):
            to_row, to_col = home_row + way[0], home_col + way[1]
            other = to_row * shape.cols + to_col + 1
            is_there = (to_row >= 0) & (to_row < shape.rows)
            is_there &= (to_col >= 0) & (to_col < shape.cols)
            is_there &= (other < size) & (other > tiles)  # once for each two
            one, two = tiles[is_there], other[is_there]
            down, right = row[:, two] - row[:, one], col[:, two] - col[:, one]
            places.append(self.places.of(way, down, right).astype(np.int64))
        rows = np.arange(count)[:, None] * self.size
        every = (np.concatenate(places, axis=1) + rows).ravel()
        found = np.bincount(every, minlength=count * self.size).astype(np.float32)
        found = found.reshape(count, self.size)
        found[:, -1] = bounds
        return found


def by_hand() -> Weights:
    """Tiles at home are worse than shifted ones, and two that lie otherwise than they
    should are worse by each step."""
    away = np.zeros((FURTHEST + 1, FURTHEST + 1))
    away[0, 0] = 4 / 6
    ways = np.arange(-FAR, FAR + 1)
    steps = abs(ways)[:, None] + abs(ways - 1)
    none = np.zeros(steps.shape)
    return Weights(away, dict.fromkeys(APART, none) | {(0, 1): steps / 6})


class Drawing(Beam):
    """A beam of which some positions of each layer are drawn."""

    def __init__(self, *given: Any, chance: np.random.Generator, **named: Any) -> None:
        super().__init__(*given, is_time_up=lambda: False, **named)
        self.chance = chance
        self.drawn: list[tuple[int, np.ndarray, np.ndarray]] = []

    def _keep(self, layer, counts, children, codes, keys, seen, histogram, depth):
        found = super()._keep(
            layer, counts, children, codes, keys, seen, histogram, depth
        )
        size, kept = self.problem.shape.size, found[0][0]
        if depth % 2 == 0 or size <= 36:
            at = self.chance.integers(0, kept, min(DRAWN, kept))
            bounds = slice(self.tables.bounds_at, self.tables.key_at)
            self.drawn.append(
                (depth, children.bytes[at, :size], children.halves[at, bounds])
            )
        return found


def random_problem(shape: Shape, chance: random.Random) -> Canonical:
    """A uniform board with a solution, the blank at home in the last cell."""
    goal = row_major(shape)
    cells = list(range(shape.size))
    chance.shuffle(cells)
    if not is_solvable(Board(shape, tuple(cells)), goal):
        one, two = [at for at, cell in enumerate(cells) if cell][:2]
        cells[one], cells[two] = cells[two], cells[one]
    return canonicalise(Board(shape, tuple(cells)), goal)


def differences(task: tuple[str, int, int, list[Weights], int]) -> np.ndarray:
    """Of some boards of a shape: what others of the path's layers count more."""
    name, width, boards, all_weights, seed = task
    shape = Shape(*map(int, name.split("x")))
    lookup = lookup_of(shape, shape.size - 1, best_size(shape), TableStore(), None)
    tables = [make_tables(lookup, weights=weights) for weights in all_weights]
    views = len(tables[0].members)
    chance, counts = random.Random(f"{name} {seed}"), Counts()
    found = []
    for board in range(boards):
        problem = random_problem(shape, chance)
        beams: list[Drawing] = []
        ways: list[tuple[int, ...]] = []
        for times in (1, WIDER):
            for one in tables:
                beam = Drawing(
                    problem,
                    one,
                    width=times * width,
                    best=MOST_MOVES * shape.size,
                    seed=board,
                    chance=np.random.default_rng([seed, board]),
                )
                moves = beam.run()
                beams.append(beam)
                ways += [moves] if moves else []
            if ways:
                break
        if not ways:
            continue
        _, positions = loops_cut(problem, min(ways, key=len))
        path = np.array([list(position) for position in positions])
        bounds = [distances(cells, tables[0]).sum() for cells in path]
        right = counts.of(shape, path, np.array(bounds) / views)
        for beam in beams:
            for depth, cells, own in beam.drawn[: len(path) - 1]:
                if depth < len(path):
                    other = own.sum(axis=1, dtype=np.int64) / views
                    wrong = counts.of(shape, cells.astype(np.int64), other)
                    found.append((wrong - right[depth]).astype(np.float32))
    lengths = [len(way) for way in ways]
    print(f"  {name}: last board {lengths}", flush=True)
    return np.concatenate(found)


def fit(more: np.ndarray, begin: np.ndarray, seed: int) -> np.ndarray:
    """Logistic regression by Adam (D. Kingma and J. Ba, 2015), on one scale."""
    scale = more.std(axis=0) + 1e-3
    found = (begin * scale).astype(np.float32)
    mean, square = np.zeros_like(found), np.zeros_like(found)
    chance, steps = np.random.default_rng(seed), 1500
    for step in range(steps):
        some = more[chance.integers(0, len(more), 8192)] / scale
        wrong = 1 / (1 + np.exp(np.clip(some @ found, -30, 30)))
        slope = -(some * wrong[:, None]).mean(axis=0) + 2e-5 * found
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = 0.02 * (1 - step / steps)
        sure = 1 - 0.9 ** (step + 1), 1 - 0.999 ** (step + 1)
        found -= rate * (mean / sure[0]) / (np.sqrt(square / sure[1]) + 1e-8)
    right = (more @ (found / scale) > 0).mean()
    print(f"  {len(more)} pairs, {100 * right:.1f} % in order", flush=True)
    return found / scale


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=TARGET)
    given = parser.parse_args()
    counts, hand = Counts(), by_hand()
    learned: list[Weights] = []
    pairs: list[np.ndarray] = []
    found = np.eye(1, counts.size, counts.size - 1)[0]
    with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
        for number in range(given.rounds):
            print(f"round {number + 1}, {time.process_time():.0f} s", flush=True)
            seed = 1000 * given.seed + number
            tasks = [(*row, [*learned, hand], seed) for row in reversed(BOARDS)]
            pairs += pool.map(differences, tasks, chunksize=1)
            found = fit(np.concatenate(pairs), found, seed)
            learned = [counts.weights(found)]
            write(learned[0], given.output)


def write(weights: Weights, path: Path) -> None:
    """Thousandths of a move, a table after the other.

    Those of tiles around the blank stay: they were fitted with all others as they are.
    """
    beside = [
        {"apart": list(apart), "weights": np.round(table.astype(float), 3).tolist()}
        for apart, table in weights.beside.items()
    ]
    record = {
        "away": np.round(weights.away.astype(float), 3).tolist(),
        "beside": beside,
        "around": json.loads(TARGET.read_text())["around"],
    }
    write_atomically(path, (json.dumps(record) + "\n").encode())


if __name__ == "__main__":
    main()
