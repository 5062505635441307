"""Times of the plain Python solver, as a table in Markdown.

Usage: ``python benchmarks/solver.py [--sample N] [--korf FILE] [--seconds S]``.
``FILE`` has one 4x4 board a line: number, 16 cells, optimal length; its goal
is 0 1 2 ... 15. Boards that are not solved within ``S`` seconds are counted.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from imgpuzzle import goals
from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import LimitReachedError
from imgpuzzle.scramble import uniform, walk
from imgpuzzle.solution import Limits
from imgpuzzle.solver.search import solve

CASES = {
    "picture safe, 3x3": ("9 1 2 / 3 4 5 / 6 7 0", "1 9 4 / 6 3 5 / 2 7 0"),
    "hardest 3x3, a": ("8 6 7 / 2 5 4 / 3 0 1", None),
    "hardest 3x3, b": ("6 4 7 / 8 5 0 / 3 2 1", None),
    "light 4x4": ("5 1 3 4 / 9 2 11 7 / 13 6 10 8 / 0 14 15 12", None),
    "seven pairs, 4x4": (
        "5 1 4 8 / 2 6 8 3 / 4 7 5 2 / 3 6 7 0",
        "1 2 3 4 / 5 6 7 8 / 8 7 6 5 / 4 3 2 0",
    ),
    "repaired 4x4": ("3 7 11 15 / 2 13 9 4 / 5 14 6 12 / 8 1 10 0", None),
    "long 4x4": ("12 13 11 2 / 4 5 3 14 / 1 9 15 6 / 8 7 0 10", None),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=2000, help="3x3 boards")
    parser.add_argument("--korf", type=Path, help="a file of 4x4 boards")
    parser.add_argument("--seconds", type=float, default=60, help="for each board")
    options = parser.parse_args()
    limits = Limits(seconds=options.seconds)
    print(f"{processor()}, {platform.system()}, Python {platform.python_version()}\n")
    print(
        "| boards | number | moves | nodes | mean ms | median ms | max ms | unsolved |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, (start, goal) in CASES.items():
        target = Board.parse(goal) if goal else None
        measure(name, [(Board.parse(start), target)], limits)
    three = goals.row_major(Shape(3, 3))
    boards = [(uniform(three, seed=seed), three) for seed in range(options.sample)]
    measure("3x3, uniform", boards, limits)
    for text, walks in (
        ("3x4", None),
        ("4x4", 12),
        ("4x4", 25),
        ("5x5", 8),
        ("5x5", 16),
    ):
        target = goals.row_major(Shape.parse(text))
        if walks is None:
            boards = [(uniform(target, seed=seed), target) for seed in range(50)]
            measure(f"{text}, uniform", boards, limits)
        else:
            boards = [(walk(target, walks=walks, seed=s), target) for s in range(50)]
            measure(f"{text}, {walks} walks of the blank", boards, limits)
    if options.korf:
        measure("4x4, Korf 1985", read_korf(options.korf), limits)


def measure(
    name: str, boards: Iterable[tuple[Board, Board | None]], limits: Limits
) -> None:
    """Solve all and print one row; every time includes setting up the tables."""
    times, moves, nodes, unsolved = [], [], [], 0
    for start, goal in boards:
        began = time.perf_counter()
        try:
            solution = solve(start, goal, limits=limits)
            moves.append(solution.move_count)
            nodes.append(solution.nodes)
        except LimitReachedError as reached:
            nodes.append(reached.nodes)
            unsolved += 1
        times.append(1000 * (time.perf_counter() - began))
    length = f"{statistics.mean(moves):.2f}, at most {max(moves)}" if moves else "-"
    if len(moves) == 1:
        length = str(moves[0])
    print(
        f"| {name} | {len(times)} | {length} | {statistics.mean(nodes):,.0f} "
        f"| {statistics.mean(times):.2f} | {statistics.median(times):.2f} "
        f"| {max(times):.1f} | {unsolved} |",
        flush=True,
    )


def read_korf(path: Path) -> list[tuple[Board, Board | None]]:
    goal = goals.row_major(Shape(4, 4), blank=0)
    rows = [line.split() for line in path.read_text().splitlines() if line[:1] != "#"]
    return [(Board(goal.shape, tuple(map(int, row[1:17]))), goal) for row in rows]


def processor() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or sys.platform
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()
