"""A game as it was played: from what a watcher says to its moves and their cost."""

from __future__ import annotations

import base64
import itertools
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.solution import Limits, Solution, Step
from imgpuzzle.live.follower import one_slide_away
from imgpuzzle.live.watching import Event
from imgpuzzle.solver.many import solve_many

__all__ = ["Game", "Judged", "games_of", "judged"]

REPLAY = "https://slidysim.github.io/replay?r="
"""Where solutions are played that are given as a link."""

PAUSE_SECONDS = 2.0
"""So long without a move is told as a pause."""

PROOF_SECONDS, LARGE_SECONDS, LEAST_SECONDS = 10.0, 30.0, 0.05
"""For the search of each position of up to 16 cells; for all of a game of more cells
together, and for each of those at least."""


@dataclass(slots=True)
class Game:
    """Moves that follow each other without a gap.

    Attributes:
        reading: The puzzle, with its tiles.
        boards: The positions, the first one included; labels of the reading.
        times: When each was seen first, in seconds of the recording.
        inferred: The numbers of those that no frame shows at rest.
    """

    reading: Reading
    boards: list[Board]
    times: list[float]
    inferred: set[int] = field(default_factory=set)

    @property
    def played(self) -> Solution:
        """The moves that were made, as a way from the first position to the last."""
        moves = tuple(board.blank for board in self.boards[1:])
        return Solution(self.boards[0], self.boards[-1], moves, 0, method="played")

    @property
    def puzzles(self) -> list[tuple[Board, Board]]:
        """Each position and the goal, tiles that look the same with one label."""
        start, goal = self.reading.interchangeable()
        labels = dict(zip(self.reading.board.cells, start.cells, strict=True))
        return [
            (Board(one.shape, tuple(labels[label] for label in one.cells)), goal)
            for one in self.boards
        ]

    @property
    def is_solved(self) -> bool:
        """Whether it ends at the goal."""
        last, goal = self.puzzles[-1]
        return last == goal

    @property
    def seconds(self) -> float:
        """From the first move to the last one."""
        return self.times[-1] - self.times[1] if len(self.times) > 1 else 0.0

    @property
    def letters(self) -> str:
        """The tiles' ways, ``"R2DL"``: a number says how often one is repeated."""
        return re.sub(
            r"(.)\1+", lambda run: f"{run[1]}{len(run[0])}", self.played.letters
        )

    @property
    def replay(self) -> str | None:
        """A link that plays the moves; none for a game that does not reach its goal."""
        count = len(self.boards) - 1
        usual = (*range(1, self.reading.shape.size), 0)
        if not count or not self.is_solved or self.reading.goal.cells != usual:
            return None
        start = "/".join(" ".join(map(str, row)) for row in self.boards[0].rows())
        times = [round(1000 * (at - self.times[1])) for at in self.times[1:]]
        rate = round(1000 * count / max(self.seconds, 0.001))
        packed = zlib.compress(json.dumps([self.letters, rate, start, times]).encode())
        return REPLAY + quote(base64.b64encode(packed).decode(), safe="")


def games_of(events: Iterable[Event]) -> list[Game]:
    """The stretches of a recording in which moves follow each other.

    Between two of them is a gap, or a new game: what no move joins is not guessed.
    """
    games: list[Game] = []
    for event in events:
        if not event.is_position:
            continue
        game = games[-1] if games else None
        if game is None or game.reading.goal != event.reading.goal:
            games.append(Game(event.reading, [event.board], [event.at]))
        elif event.board != game.boards[-1]:
            way = _way(game.boards[-1], event.board)
            if way is None:
                games.append(Game(event.reading, [event.board], [event.at]))
                continue
            for board in way:
                if event.is_inferred:
                    game.inferred.add(len(game.boards))
                game.boards.append(board)
                game.times.append(event.at)
    return games


def _way(one: Board, other: Board) -> list[Board] | None:
    """The single moves of one slide."""
    if other not in one_slide_away(one):
        return None
    shape, way = one.shape, [one]
    (row, col), (to_row, to_col) = shape.row_col(one.blank), shape.row_col(other.blank)
    down = (to_row > row) - (to_row < row)
    across = (to_col > col) - (to_col < col)
    while way[-1] != other:
        row, col = row + down, col + across
        way.append(way[-1].slide(shape.cell(row, col)))
    return way[1:]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the moves of a game came to.

    Attributes:
        game: The game.
        left: The fewest moves known from each position; none where there is no way.
        best: The shortest known way from the first position.
        is_proven: Whether no way is shorter, from any of the positions.
    """

    game: Game
    left: tuple[int, ...]
    best: Solution | None
    is_proven: bool

    @property
    def lost(self) -> list[int]:
        """The numbers of the moves, from 1, that led away from the goal."""
        pairs = enumerate(itertools.pairwise(self.left), start=1)
        return [number for number, (one, other) in pairs if other > one]

    @property
    def worst(self) -> tuple[int, int, int] | None:
        """The stretch in which most was lost: first and last move, moves lost."""
        best, total, first = (0, 0, 0), 0, 1
        for number, (one, other) in enumerate(itertools.pairwise(self.left), start=1):
            if total <= 0:
                total, first = 0, number
            total += other - one
            if total > best[2]:
                best = first, number, total
        return best if best[2] else None

    @property
    def pauses(self) -> list[tuple[float, float]]:
        """When nothing was moved for long: since when, and how many seconds."""
        pairs = itertools.pairwise(self.game.times[1:])
        return [(one, two - one) for one, two in pairs if two - one >= PAUSE_SECONDS]

    @property
    def steps(self) -> list[Step]:
        """The moves."""
        return list(self.game.played.steps())

    def to_dict(self) -> dict[str, Any]:
        """The game as ``imgpuzzle review --json`` prints it."""
        game, best = self.game, self.best
        keys = ("step", "tile", "from", "to", "direction")
        away = set(self.lost)
        return {
            "start": game.boards[0].rows(),
            "goal": game.reading.goal.rows(),
            "solved": game.is_solved,
            "moves": [
                {key: step.to_dict()[key] for key in keys}
                | {"at": round(game.times[step.number], 3)}
                | {"moves_left": self.left[step.number] if self.left else None}
                | {"away": step.number in away}
                | {"inferred": step.number in game.inferred}
                for step in self.steps
            ],
            "fewest_moves": None if best is None else best.move_count,
            "fewest_proven": best is not None and best.is_optimal,
            "judged_exactly": self.is_proven,
            "most_lost": None if self.worst is None else list(self.worst),
            "begins": round(game.times[0], 3),
            "seconds": round(game.seconds, 3),
            "pauses": [[round(at, 3), round(long, 3)] for at, long in self.pauses],
            "solution": game.letters,
            "replay": game.replay,
        }


def judged(game: Game) -> Judged:
    """Weigh each move of a game by the shortest ways that are known."""
    puzzles = game.puzzles
    is_large = game.reading.shape.size > 16
    each = max(LARGE_SECONDS / len(puzzles), LEAST_SECONDS)
    limits = Limits(seconds=each if is_large else PROOF_SECONDS)
    found = [
        one if isinstance(one, Solution) else None
        for one in solve_many(puzzles, limits=limits)
    ]
    solutions = [one for one in found if one is not None]
    if len(solutions) < len(found):
        return Judged(game, (), None, is_proven=False)
    left = [one.move_count for one in solutions]
    # A way from the next position, or the one before, is one from here as well.
    for number in reversed(range(len(left) - 1)):
        left[number] = min(left[number], left[number + 1] + 1)
    for number in range(1, len(left)):
        left[number] = min(left[number], left[number - 1] + 1)
    return Judged(game, tuple(left), _best(game, solutions, left), _exact(solutions))


def _exact(solutions: Sequence[Solution]) -> bool:
    return all(one.is_optimal for one in solutions)


def _best(game: Game, solutions: Sequence[Solution], left: Sequence[int]) -> Solution:
    """The shortest known way from the first position, by whichever position it goes."""
    first = solutions[0]
    for number, one in enumerate(solutions):
        if number + one.move_count == left[0] < first.move_count:
            moves = tuple(board.blank for board in game.boards[1 : number + 1])
            way = (*moves, *one.moves)
            return Solution(first.start, first.goal, way, first.lower_bound)
    return first
