"""One row of ``run`` is measured here, in a process of its own."""

from __future__ import annotations

import gc
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmarks.solver.boards import Puzzle, drawn, manhattan
from benchmarks.solver.suites import Row
from imgpuzzle.core.board import Board
from imgpuzzle.core.options import Control
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import LimitReachedError

__all__ = ["Record", "Result", "measure"]

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
    at_least: int = 0
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
    peak_mb: float | None = None
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
            at_least=puzzle.at_least,
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
    time, ``tables_mb`` the arrays that stay in memory, ``peak_mb`` the largest resident
    size of the process."""

    name: str
    kind: str
    is_exact: bool
    records: list[Record]
    seconds: float | None = None
    marks: tuple[float, ...] = ()
    clock: Literal["wall", "CPU"] = "wall"
    setup_seconds: float | None = None
    first_answer_cold: float | None = None
    wall_seconds: float = 0.0
    cpu_seconds: float | None = None
    threads: int = 1
    tables_mb: float | None = None
    peak_mb: float | None = None
    note: str = ""


def measure(row: Row, count: int, seconds: float | None) -> list[Result]:
    """The results of ``count`` boards with so many seconds each."""
    run = {"process": _processes, "threads": _threads}.get(row.kind, _boards)
    began = time.perf_counter()
    results = run(row, count, seconds)
    for result in results:
        result.wall_seconds = result.wall_seconds or time.perf_counter() - began
        result.clock = "CPU" if time.monotonic is time.process_time else "wall"
        if row.kind != "process":
            result.tables_mb = _tables_mb()
            result.peak_mb = _peak_mb()
    return results


def _result(row: Row, records: list[Record], seconds: float | None) -> Result:
    return Result(row.name, row.kind, row.is_exact, records, seconds, row.marks)


# One board after the other.


def _boards(row: Row, count: int, seconds: float | None) -> list[Result]:
    puzzles = row.boards(count)
    setup = first = None
    if row.is_warm:
        setup, first = _warm_up(row, puzzles, seconds)
    records = [_solved(puzzle, row.how, seconds) for puzzle in puzzles]
    result = _result(row, records, seconds)
    result.setup_seconds, result.first_answer_cold = setup, first
    return [result]


def _warm_up(
    row: Row, puzzles: list[Puzzle], limit: float | None
) -> tuple[float | None, float]:
    """Solve other boards, far from their goal lest they be solved without tables.

    Returns by how much that took longer than solving them again, unless it was
    time that ended it, and when there was a first answer.
    """
    far = sorted(
        drawn(puzzles[0].goal, 50), key=lambda one: -manhattan(one.start, one.goal)
    )
    if limit is not None:
        once = _solved(far[0], row.how, _WARM_SECONDS)
        return None, once.improved[0][0] if once.improved else once.clock_seconds
    first, second = (
        [_solved(puzzle, row.how, None) for puzzle in far[:_WARM_BOARDS]]
        for _ in range(2)
    )
    spent = [sum(one.wall_seconds for one in pass_) for pass_ in (first, second)]
    return max(0.0, spent[0] - spent[1]), first[0].wall_seconds


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


# Several boards at a time.


def _threads(row: Row, count: int, seconds: float | None) -> list[Result]:
    from imgpuzzle.solver.many import solve_many

    puzzles = row.boards(count)
    setup, _ = _warm_up(row, puzzles, seconds)
    results = []
    for threads in (1, 2):
        records = [Record.of(puzzle) for puzzle in puzzles]
        boards = [(puzzle.start, puzzle.goal) for puzzle in puzzles]
        cpu, began = time.process_time(), time.perf_counter()
        outcomes = list(
            solve_many(
                boards,
                threads=threads,
                limits=Limits(seconds=seconds or _PATIENCE_SECONDS),
            )
        )
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        for record, outcome in zip(records, outcomes, strict=True):
            if isinstance(outcome, Solution):
                record.keep(outcome)
                record.wall_seconds = outcome.seconds
            else:
                record.error = f"{type(outcome).__name__}: {outcome}"
        result = _result(row, records, seconds)
        result.setup_seconds, result.threads = setup, threads
        result.wall_seconds, result.cpu_seconds = wall, cpu
        results.append(result)
    return results


# Whole processes.


def _processes(row: Row, count: int, seconds: float | None) -> list[Result]:
    """The command line on an empty cache, then on what that left there."""
    (puzzle,) = row.boards(1)
    command = ["-m", "imgpuzzle", "solve", "--no-files", "--json"]
    command += ["--board", puzzle.start.one_line()]
    if seconds is not None:
        command += ["--time-limit", f"{seconds:g}"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        first = _process(puzzle, command, folder)
        later = [_process(puzzle, command, folder) for _ in range(count)]
        note = _imports(command, folder)
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files) / 1e6
    results = []
    for when, records in (("first on an empty cache", [first]), ("later", later)):
        result = _result(row, records, seconds)
        result.name = f"{row.name}, {when}"
        result.wall_seconds = statistics.mean(one.wall_seconds for one in records)
        result.peak_mb = max((one.peak_mb or 0.0 for one in records), default=None)
        result.note = f"{note}; {size:.0f} MB cached" if size else note
        results.append(result)
    return results


def _process(puzzle: Puzzle, command: list[str], folder: str) -> Record:
    record = Record.of(puzzle)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *command], stdout=out, stderr=err, env=_environment(folder)
        )
        if hasattr(os, "wait4"):
            _, status, usage = os.wait4(process.pid, 0)
            record.wall_seconds = time.perf_counter() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            record.cpu_seconds = usage.ru_utime + usage.ru_stime
            record.peak_mb = usage.ru_maxrss * _MAXRSS_UNIT / 1e6
        else:
            process.wait()
            record.wall_seconds = time.perf_counter() - began
        out.seek(0)
        err.seek(0)
        try:
            answer = json.loads(out.read())
            record.length = _replayed(puzzle, answer["moves"])
            record.lower_bound, record.nodes = answer["lower_bound"], answer["nodes"]
        except (ValueError, KeyError) as error:
            said = err.read().decode(errors="replace").strip().splitlines()[-1:]
            record.error = f"exit status {process.returncode}, {error}: {said}"
    return record


def _replayed(puzzle: Puzzle, moves: Iterable[dict[str, Any]]) -> int:
    board: Board = puzzle.start
    number = 0
    for move in moves:
        board = board.slide(board.shape.cell(*move["from"]))
        number += 1
    if board != puzzle.goal:
        raise ValueError(f"the moves end at {board.one_line()!r}")
    return number


def _imports(command: list[str], folder: str) -> str:
    """Which of the libraries that are slow to import a process loads."""
    seen = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        capture_output=True,
        text=True,
        env=_environment(folder),
    ).stderr
    loaded = set(re.findall(r"\| +(\S+)$", seen, re.MULTILINE))
    names = [name for name in ("numpy", "cv2", "PIL") if name in loaded]
    return "imports " + (", ".join(names) or "none of numpy, cv2, PIL")


def _environment(folder: str) -> dict[str, str]:
    """Ours with that cache."""
    return {**os.environ, "IMGPUZZLE_CACHE_DIR": folder}


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


def _tables_mb() -> float:
    """The NumPy arrays of 100 kB or more that are alive, views counted once."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return 0.0
    gc.collect()
    sizes: dict[int, int] = {}
    for owner in gc.get_objects():
        for thing in gc.get_referents(owner):
            if isinstance(thing, numpy.ndarray):
                while isinstance(thing.base, numpy.ndarray):
                    thing = thing.base
                sizes[id(thing)] = thing.nbytes
    return sum(size for size in sizes.values() if size >= 100_000) / 1e6
