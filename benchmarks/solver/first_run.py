"""The first run of all against later ones, and slides against single moves.

    python -m benchmarks first-run                      # about five minutes
    python -m benchmarks first-run --grids 5x5 --later 5
    python -m benchmarks first-run --slides --boards 3  # slides instead

Each run is ``imgpuzzle solve --json --no-files`` as a process of its own, the first
with an empty cache in a temporary folder; nothing of the user's cache is read or
written. Wall and CPU seconds are those of the whole process and all that it starts;
*before* is what of the wall time was no search. Run it on a machine that does nothing
else. The tables go to standard output in Markdown.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import command
from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform


@dataclass(frozen=True, slots=True)
class Run:
    """One process: what it answered, and wall and CPU seconds."""

    answer: dict[str, Any]
    wall: float
    cpu: float

    @property
    def before(self) -> float:
        """Wall seconds in which nothing was searched."""
        return self.wall - float(self.answer["seconds"])


def run(board: Board, cache: Path, *options: str) -> Run:
    """Solve a board in a process of its own, with that cache."""
    environment = {**os.environ, "IMGPUZZLE_CACHE_DIR": str(cache)}
    call = [
        *(sys.executable, "-m", "imgpuzzle", "solve", "--board", board.one_line()),
        *("--json", "--no-files", *options),
    ]
    used, began = _cpu(), time.perf_counter()
    done = subprocess.run(call, env=environment, check=True, capture_output=True)
    wall = time.perf_counter() - began
    return Run(json.loads(done.stdout), wall, _cpu() - used)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first_and_later(grids: list[str], boards: int, later: int) -> list[dict[str, Any]]:
    """Print a row for each board, and give all runs, the first one first."""
    kept = []
    print(
        "| board | first: moves | wall s | before s | CPU s "
        "| later: moves | wall s | before s | CPU s | first / later |"
    )
    print("|" + "---|" * 10)
    for grid in grids:
        for seed in range(boards):
            board = uniform(goals.row_major(Shape.parse(grid)), seed=seed)
            with tempfile.TemporaryDirectory() as folder:
                runs = [run(board, Path(folder)) for _ in range(1 + later)]
            first, *others = runs
            kept.append({"board": board.one_line(), "runs": list(map(asdict, runs))})
            moves = [one.answer["move_count"] for one in others]
            length = first.answer["move_count"]
            print(
                f"| {grid}, seed {seed} | {length} | {_times([first])} "
                f"| {', '.join(map(str, moves))} | {_times(others)} "
                f"| {length / statistics.mean(moves):.3f} |",
                flush=True,
            )
    return kept


def _times(runs: list[Run]) -> str:
    """Medians of wall, before, and CPU."""
    return " | ".join(
        f"{statistics.median(values):.1f}"
        for values in (
            [one.wall for one in runs],
            [one.before for one in runs],
            [one.cpu for one in runs],
        )
    )


def slides(grids: list[str], boards: int) -> list[list[str]]:
    """Print, and give, for each board the slides with either metric."""
    kept = []
    print("| board | default: moves | slides | `--metric slide`: moves | slides |")
    print("|" + "---|" * 5)
    with tempfile.TemporaryDirectory() as folder:
        for grid in grids:
            shape = Shape.parse(grid)
            run(uniform(goals.row_major(shape), seed=99), Path(folder))
            for seed in range(boards):
                board = uniform(goals.row_major(shape), seed=seed)
                cells = [f"{grid}, seed {seed}"]
                for metric in ("single", "slide"):
                    answer = run(board, Path(folder), "--metric", metric).answer
                    cells += [str(answer["move_count"]), str(answer["slide_count"])]
                kept.append(cells)
                print(f"| {' | '.join(cells)} |", flush=True)
    return kept


def main() -> None:
    """Measure what the arguments ask for."""
    parser = command.parser(__doc__)
    parser.add_argument("--grids", nargs="+", default=["5x5", "4x6", "6x6", "7x7"])
    parser.add_argument("--boards", type=int, default=1, help="of each grid")
    parser.add_argument("--later", type=int, default=3, help="runs after the first")
    parser.add_argument("--slides", action="store_true")
    given = parser.parse_args()
    if given.slides:
        command.save(given.json, slides(given.grids, given.boards))
    else:
        found = first_and_later(given.grids, given.boards, given.later)
        command.save(given.json, found)


if __name__ == "__main__":
    main()
