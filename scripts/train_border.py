"""Learn what it adds to ranks how near to the border the homes of tiles are.

    python -m scripts.train_border

writes ``imgpuzzle/solver/beam/border.bin``, for boards of 6x6; the same boards give the
same numbers. As ``train_homes`` from what narrow beams miss, but of three shapes, and
each number is a sum of two: one for all homes alike, and one of their class.
"""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import write_atomically
from imgpuzzle.solver.beam.rank import CLASSES, border_classes, learned_weights
from scripts.train_homes import WAYS, Pairs, Task, beside, drawn_of, fit, stored
from scripts.train_rank import FURTHEST, Counts

TARGET = Path(__file__).parents[1] / "imgpuzzle/solver/beam/border.bin"
BOARDS = ((Shape(6, 6), 400, 8), (Shape(7, 7), 300, 12), (Shape(8, 8), 120, 14))
"""How many, and how many positions of each layer."""
AT_ONCE = 20
BACK, LEAST, STEPS, PAIRS = (1e-4, 2e-4), 2e-3, 160, 4096
TAKEN = 0.5
COUNTS = Counts()
KINDS = COUNTS.size - 1


def counted(shape: Shape, cells: np.ndarray) -> np.ndarray:
    """(n, F): which numbers positions (n, N) count, class by class."""
    kind = border_classes(shape.rows, shape.cols).ravel()
    at = np.argsort(cells, axis=1)[:, 1:]
    row, col = np.divmod(at, shape.cols)
    tiles = np.arange(shape.size - 1)
    down = np.minimum(abs(row - tiles // shape.cols), FURTHEST)
    right = np.minimum(abs(col - tiles % shape.cols), FURTHEST)
    found = [KINDS * kind[tiles] + COUNTS.places.away[down, right]]
    for way, one, two, down, right in beside(shape, at, WAYS):
        own = COUNTS.places.of(way, down, right).astype(np.int64)
        found.append(KINDS * np.minimum(kind[one], kind[two]) + own)
    return np.concatenate(found, axis=1)


def tables_of(numbers: np.ndarray) -> np.ndarray:
    """(classes, ...): the same, each number wherever it counts."""
    places = [COUNTS.places.away, *COUNTS.places.beside.values()]
    whole = [numbers.reshape(CLASSES, KINDS)[:, table.ravel()] for table in places]
    return np.concatenate(whole, axis=1)


def in_use() -> np.ndarray:
    """(F,): the weights to begin with."""
    weights = learned_weights()
    found = np.zeros(KINDS)
    found[COUNTS.places.away] = weights.away
    for apart, table in COUNTS.places.beside.items():
        found[table] = weights.beside[apart]
    return np.tile(found, CLASSES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    tasks = [
        Task(shape, f"homes {shape}", range(first, first + AT_ONCE), count, 2)
        for shape, boards, count in reversed(BOARDS)
        for first in range(0, boards, AT_ONCE)
    ]
    pairs = drawn_of(tasks, given.jobs)
    sources = []
    for shape, *_ in BOARDS:
        own = [
            one for one, task in zip(pairs, tasks, strict=True) if task.shape is shape
        ]
        joined = Pairs(*map(np.concatenate, zip(*own, strict=True)))
        sources.append((joined, functools.partial(counted, shape)))
    every = np.arange(CLASSES * KINDS)
    how = {"back": BACK, "least": LEAST, "steps": STEPS, "pairs": PAIRS}
    found = fit(sources, in_use(), [every % KINDS, every], **how)
    write_atomically(TARGET, stored(tables_of(TAKEN * found)))


if __name__ == "__main__":
    main()
