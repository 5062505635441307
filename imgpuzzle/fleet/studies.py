"""Figures of the puzzle itself: how far positions are from the goal.

A study is a list of points, each measured on boards in parts of ``PART``. Which boards
a part has depends on the seed, its point and its number alone, so any number of workers
gives the same figures, and a study that was interrupted goes on with the parts it has
not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from imgpuzzle.core import scramble
from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import LAYOUTS
from imgpuzzle.core.options import Tell
from imgpuzzle.files.journal import Journal
from imgpuzzle.fleet.rating import require_provable
from imgpuzzle.fleet.workers import Fleet
from imgpuzzle.messages import Message, Work
from imgpuzzle.solver.complete import MOST_KNOWN_CELLS, distances_of
from imgpuzzle.solver.search import solve

Sums = tuple[int, float, float]
"""How many boards, the sum of their values, and of the squares of those."""
PART = 50
"""Boards of a part: 0.2 s of 4x4, which is all that a crash costs."""
CONFIDENCE = 1.959964
"""Standard errors of a mean that hold it in 95 of 100 samples."""


@dataclass(frozen=True, slots=True)
class Part:
    """Boards to be measured: the part ``number`` of a point, by the study's seed.

    ``kind`` is ``"walks"``, where the blank walks so far, or ``"uniform"``.
    """

    kind: str
    shape: str
    walks: int
    number: int
    count: int
    seed: int

    @property
    def key(self) -> str:
        """What tells it apart within its study."""
        return f"{self.kind} {self.shape} {self.walks} {self.number} {self.count}"


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured: a mean with its 95 % interval.

    Attributes:
        kind: Of its parts.
        shape: Rows and columns.
        walks: How far the blank walked; 0 where it did not.
        count: How many boards.
        mean: Moves of the shortest solution.
        low: The lower end of the interval.
        high: The upper end.
        deviation: The standard deviation of single boards.
    """

    kind: str
    shape: str
    walks: int
    count: int
    mean: float
    low: float
    high: float
    deviation: float


def parts_of(
    shape: Shape, points: Iterable[tuple[str, int]], boards: int, seed: int
) -> Iterator[Part]:
    """The parts of a study of one shape; each point is a kind and how far blanks walk.

    Raises:
        UsageError: For a shape of more than ``MAX_CELLS`` cells.
    """
    require_provable(shape)
    for kind, walks in points:
        for number, first in enumerate(range(0, boards, PART)):
            count = min(PART, boards - first)
            yield Part(kind, str(shape), walks, number, count, seed)


def measure(part: Part) -> tuple[str, int, float, float]:
    """Key, count, sum and sum of squares of a part."""
    chance = random.Random(f"{part.seed} {part.key}")
    shape = Shape.parse(part.shape)
    goal = LAYOUTS["row"](shape)
    seeds = [chance.getrandbits(32) for _ in range(part.count)]
    if part.kind == "walks":
        boards = [scramble.walk(goal, walks=part.walks, seed=one) for one in seeds]
    else:
        boards = [scramble.uniform(goal, seed=one) for one in seeds]
    if shape.size > MOST_KNOWN_CELLS:
        values = [solve(board, goal).move_count for board in boards]
    else:
        table = distances_of(shape, goal.blank)
        # Ascending numbers: a tile's label is its place in the goal's order already.
        numbers = table.numbers(np.array([board.cells for board in boards], np.uint8))
        values = table.distance[numbers].tolist()
    total = float(sum(values))
    return part.key, part.count, total, float(sum(value * value for value in values))


def measured(
    parts: Sequence[Part],
    fleet: Fleet,
    kept: Path | None = None,
    tell: Tell | None = None,
) -> list[Point]:
    """Measure all parts of a study, and join them to points.

    ``kept`` is a file of results, a line a part; what is there is not measured again.

    Raises:
        UsageError: For a file of another study.
        WorkerLostError: When a part ends its workers.
    """
    journal = None if kept is None else Journal(kept)
    done: dict[str, Sums] = {}
    if journal is not None and parts:
        known = {part.key for part in parts}
        earlier = journal.begun({"--seed": str(parts[0].seed)})
        done = {key: (n, sum_, squares) for key, n, sum_, squares in earlier}
        done = {key: sums for key, sums in done.items() if key in known}
    missing = [part for part in parts if part.key not in done]
    for found in fleet.map_chunks(measure, missing):
        done[found[0]] = found[1:]
        if journal is not None:
            journal.note(found)
        if tell is not None:
            count = len(parts)
            so_far = Message(Work.PARTS_MEASURED, found=len(done), count=count)
            tell(so_far, len(done) / count)
    joined: dict[tuple[str, str, int], list[Sums]] = {}
    for part in parts:
        key = (part.kind, part.shape, part.walks)
        joined.setdefault(key, []).append(done[part.key])
    return [_point(*key, values) for key, values in joined.items()]


def _point(kind: str, shape: str, walks: int, values: Sequence[Sums]) -> Point:
    count, total, squares = (sum(column) for column in zip(*values, strict=True))
    mean = total / count
    spread = max(squares / count - mean * mean, 0.0)
    deviation = math.sqrt(spread * count / max(count - 1, 1))
    half = CONFIDENCE * deviation / math.sqrt(count)
    return Point(
        *(kind, shape, walks, int(count), mean, mean - half, mean + half), deviation
    )
