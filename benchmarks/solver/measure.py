"""One row of ``run`` is measured here, in a process of its own."""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.solver.boards import Puzzle, drawn, manhattan
from benchmarks.solver.suites import Row
from imgpuzzle.core.options import Control
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError

_WARM_SECONDS = 5.0
_WARM_BOARDS = 3
"""How many boards are solved only to set up tables, or else how long one is."""

_PATIENCE_SECONDS = 300.0
"""When a board that has no limit is given up, which is a failure then."""


@dataclass(slots=True)
class Record:
    """One board: ``length`` is that of its solution in ``metric``, if it has one, and
    ``slides`` how many it has, whatever it was searched for.

    ``improved`` are pairs of seconds and the length known from then on, and
    ``clock_seconds`` when the board was left, by the clock that limits count.
    ``error`` says what went wrong, which a limit is not.
    """

    start: str
    goal: str
    manhattan: int
    metric: str = "single"
    truth: int | None = None
    published: int | None = None
    length: int | None = None
    slides: int | None = None
    lower_bound: int = 0
    nodes: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    clock_seconds: float = 0.0
    improved: list[tuple[float, int]] = field(default_factory=list)
    method: str = ""
    error: str | None = None

    @classmethod
    def of(cls, puzzle: Puzzle, metric: str = "single") -> Record:
        """The record of a board that is yet to be solved."""
        return cls(
            start=puzzle.start.one_line(),
            goal=puzzle.goal.one_line(),
            manhattan=manhattan(puzzle.start, puzzle.goal),
            metric=metric,
            truth=puzzle.truth,
            published=puzzle.published,
        )

    @property
    def is_proven(self) -> bool:
        """Whether the solution is known to be a shortest one."""
        return self.length is not None and self.length == self.lower_bound

    def keep(self, solution: Solution) -> None:
        """Replay the solution, and note what it says."""
        solution.verify()
        assert solution.start.one_line() == self.start, "another board was solved"
        assert solution.goal.one_line() == self.goal, "another goal was reached"
        assert solution.metric == self.metric, f"{solution.metric} moves were counted"
        self.length, self.slides = solution.length, solution.slide_count
        self.lower_bound = solution.lower_bound
        self.nodes = solution.nodes
        self.method = solution.method


@dataclass(slots=True)
class Result:
    """A measured row. ``clock`` is what limits count by. ``setup_seconds`` are wall
    time, ``peak_mb`` the largest resident size of the process."""

    name: str
    is_exact: bool
    records: list[Record]
    seconds: float | None = None
    clock: Literal["wall", "CPU"] = "wall"
    setup_seconds: float | None = None
    peak_mb: float | None = None


def measure(row: Row, count: int, seconds: float | None) -> Result:
    """The result of ``count`` boards with so many seconds each."""
    puzzles = row.boards(count)
    setup = _warm_up(row, puzzles, seconds) if row.is_warm else None
    records = [_solved(puzzle, row.how, seconds) for puzzle in puzzles]
    result = Result(row.name, row.is_exact, records, seconds, setup_seconds=setup)
    result.clock = "CPU" if time.monotonic is time.process_time else "wall"
    result.peak_mb = _peak_mb()
    return result


def _warm_up(row: Row, puzzles: list[Puzzle], limit: float | None) -> float | None:
    """Solve other boards, far from their goal lest they be solved without tables.

    Returns by how much that took longer than solving them again, unless it was
    time that ended it.
    """
    far = sorted(
        drawn(puzzles[0].goal, 50), key=lambda one: -manhattan(one.start, one.goal)
    )
    if limit is not None:
        _solved(far[0], row.how, _WARM_SECONDS)
        return None
    first, second = (
        [_solved(puzzle, row.how, None) for puzzle in far[:_WARM_BOARDS]]
        for _ in range(2)
    )
    spent = [sum(one.wall_seconds for one in pass_) for pass_ in (first, second)]
    return max(0.0, spent[0] - spent[1])


def _solved(
    puzzle: Puzzle, how: dict[str, str | bool], seconds: float | None
) -> Record:
    from imgpuzzle.solver.search import solve

    record = Record.of(puzzle, str(how.get("metric", "single")))
    better: list[tuple[float, Solution]] = []
    control = Control(
        on_improved=lambda found: better.append((time.monotonic() - clock, found))
    )
    limits = Limits(seconds=seconds or _PATIENCE_SECONDS)
    options: dict[str, Any] = {**how, "limits": limits, "control": control}
    solution: Solution | None = None
    cpu, began, clock = time.process_time(), time.perf_counter(), time.monotonic()
    try:
        solution = solve(puzzle.start, puzzle.goal, **options)
    except LimitReachedError as reached:
        record.lower_bound, record.nodes = reached.lower_bound, reached.nodes
    except Exception as error:  # the other boards are still worth measuring
        record.error = f"{type(error).__name__}: {error}"
    record.wall_seconds = time.perf_counter() - began
    record.cpu_seconds = time.process_time() - cpu
    record.clock_seconds = time.monotonic() - clock
    try:
        for after, found in better:
            found.verify()
            record.improved.append((after, found.length))
        if solution is not None:
            record.keep(solution)
            lengths = [length for _, length in record.improved]
            if not lengths or solution.length < lengths[-1]:
                record.improved.append((record.clock_seconds, solution.length))
    except Exception as error:
        record.error = f"{type(error).__name__} on replay: {error}"
    return record


# Memory.

_MAXRSS_UNIT = 1 if platform.system() == "Darwin" else 1024


def _peak_mb() -> float | None:
    """The largest resident size of this process so far, where the system says so."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * _MAXRSS_UNIT / 1e6
