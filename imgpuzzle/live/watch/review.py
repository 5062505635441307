"""A game as it was played: from what a watcher says to its moves and their cost."""

from __future__ import annotations

import base64
import itertools
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from imgpuzzle.core.board import Board
from imgpuzzle.core.moves import slides_from
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.live.planning import Planner
from imgpuzzle.live.watch.watching import Event
from imgpuzzle.solver.many import solve_many

REPLAY = "https://slidysim.github.io/replay?r="
"""Where solutions are played that are given as a link."""

PAUSE_SECONDS = 2.0
"""So long without a move is told as a pause."""

HIDDEN_SECONDS = 0.5
"""What cannot be seen for less is a tile on its way, or a new game that is dealt."""

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
        unknown_since: Since when it could not be seen how the tiles lie, until the
            first position; ``None`` where that came at once.
        inferred: The numbers of those that no frame shows at rest.
        left: The fewest moves known from each, once ``judge`` was called; none where
            no moves lead to the goal.
        best: The shortest way that was found from the first position.
        is_proven: Whether no way is shorter, from any of the positions.
    """

    reading: Reading
    boards: list[Board]
    times: list[float]
    unknown_since: float | None = None
    inferred: set[int] = field(default_factory=set)
    left: list[int] = field(default_factory=list)
    best: Solution | None = None
    is_proven: bool = False

    @property
    def played(self) -> Solution:
        """The moves that were made, as a way from the first position to the last."""
        moves = tuple(board.blank for board in self.boards[1:])
        is_best = self.is_solved and self.best is not None
        bound = self.best.lower_bound if is_best and self.best is not None else 0
        return Solution(self.boards[0], self.boards[-1], moves, bound, method="played")

    @property
    def is_solved(self) -> bool:
        """Whether it ends at the goal."""
        last, goal = self._puzzles()[-1]
        return last == goal

    @property
    def seconds(self) -> float:
        """From the first move to the last one."""
        return self.times[-1] - self.times[1] if len(self.times) > 1 else 0.0

    @property
    def letters(self) -> str:
        """The tiles' ways, ``"R2DL"``: a number says how often one is repeated."""
        ways = self.played.letters
        return re.sub(r"(.)\1+", lambda run: f"{run[1]}{len(run[0])}", ways)

    @property
    def replay(self) -> str | None:
        """A link that plays the moves; none where they do not reach the usual goal."""
        usual = (*range(1, self.reading.shape.size), 0)
        if len(self.boards) < 2 or self.boards[-1].cells != usual:
            return None
        start = "/".join(" ".join(map(str, row)) for row in self.boards[0].rows())
        times = [round(1000 * (at - self.times[1])) for at in self.times[1:]]
        rate = round(1000 * len(times) / max(self.seconds, 0.001))
        packed = zlib.compress(json.dumps([self.letters, rate, start, times]).encode())
        return REPLAY + quote(base64.b64encode(packed).decode(), safe="")

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
            best = max(best, (first, number, total), key=lambda stretch: stretch[2])
        return best if best[2] else None

    @property
    def pauses(self) -> list[tuple[float, float]]:
        """When nothing was moved for long: since when, and how many seconds."""
        pairs = itertools.pairwise(self.times[1:])
        return [(one, two - one) for one, two in pairs if two - one >= PAUSE_SECONDS]

    def _puzzles(self) -> list[tuple[Board, Board]]:
        """Each position and the goal, tiles that look the same with one label."""
        planner = Planner.of(self.reading)
        return [(planner.plain(one), planner.goal) for one in self.boards]

    def judge(self) -> None:
        """Weigh each move by the shortest ways that are found."""
        is_large = self.reading.shape.size > 16
        each = max(LARGE_SECONDS / len(self.boards), LEAST_SECONDS)
        limits = Limits(seconds=each if is_large else PROOF_SECONDS)
        found = list(solve_many(self._puzzles(), limits=limits))
        solutions = [one for one in found if isinstance(one, Solution)]
        if len(solutions) < len(found):
            return
        left = [one.move_count for one in solutions]
        # A way from the next position, or the one before, is one from here as well.
        for number in reversed(range(len(left) - 1)):
            left[number] = min(left[number], left[number + 1] + 1)
        for number in range(1, len(left)):
            left[number] = min(left[number], left[number - 1] + 1)
        self.left, first = left, solutions[0]
        self.is_proven = all(one.is_optimal for one in solutions)
        # The first that gives the way from the beginning, by the moves up to there.
        number = next(
            number
            for number, one in enumerate(solutions)
            if number + one.move_count == left[0]
        )
        moves = (*self.played.moves[:number], *solutions[number].moves)
        self.best = Solution(first.start, first.goal, moves, first.lower_bound)

    def to_dict(self) -> dict[str, Any]:
        """The game as ``imgpuzzle review --json`` prints it."""
        best, away = self.best, set(self.lost)
        return {
            "start": self.boards[0].rows(),
            "goal": self.reading.goal.rows(),
            "solved": self.is_solved,
            "moves": [
                step.to_dict()
                | {"at": round(self.times[step.number], 3)}
                | {"moves_left": self.left[step.number] if self.left else None}
                | {"away": step.number in away}
                | {"inferred": step.number in self.inferred}
                for step in self.played.steps()
            ],
            "fewest_moves": None if best is None else best.move_count,
            "fewest_proven": best is not None and best.is_optimal,
            "judged_exactly": self.is_proven,
            "most_lost": None if self.worst is None else list(self.worst),
            "begins": round(self.times[0], 3),
            "unknown_since": (
                None if self.unknown_since is None else round(self.unknown_since, 3)
            ),
            "seconds": round(self.seconds, 3),
            "pauses": [[round(at, 3), round(long, 3)] for at, long in self.pauses],
            "solution": self.letters,
            "replay": self.replay,
        }


def games_of(events: Iterable[Event]) -> list[Game]:
    """The stretches of a recording in which moves follow each other.

    Between two of them is a gap, or a new game: what no move joins is not guessed.
    """
    games: list[Game] = []
    unknown: float | None = None
    for event in events:
        board, reading = event.board, event.reading
        if not event.is_position or board is None or reading is None:
            unknown = event.at if unknown is None else unknown
            continue
        since, unknown = unknown, None
        if games and board == games[-1].boards[-1]:
            continue
        way = None
        if games and games[-1].reading.goal == reading.goal:
            ways = slides_from(games[-1].boards[-1])
            way = next((way for way in ways if way[-1] == board), None)
        if way is None:
            if since is not None and event.at - since < HIDDEN_SECONDS:
                since = None
            games.append(Game(reading, [board], [event.at], since))
            continue
        for passed in way:
            if event.is_inferred:
                games[-1].inferred.add(len(games[-1].boards))
            games[-1].boards.append(passed)
            games[-1].times.append(event.at)
    return games
