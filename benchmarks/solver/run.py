"""Measure the solver: one command for all figures of this folder's README.

    python -m benchmarks solving                    # a quick set, about two minutes
    python -m benchmarks solving --full             # everything, hours
    python -m benchmarks solving --suite korf15 slide --json figures.json

Named suites have all their boards. Each row is measured in a process of its own,
so that its set-up and its memory are its own. The table goes to standard output
in Markdown, notes to standard error, and with --json every board's record to a
file. Solutions are replayed; the exit status is 1 when one is wrong, or a board
that must be solved with proof is not.
"""

from __future__ import annotations

import argparse
import dataclasses
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from benchmarks import command
from benchmarks.solver.measure import Result, measure
from benchmarks.solver.report import failures, machine, table
from benchmarks.solver.suites import SUITES, Row

_SHOWN = 20


def main() -> int:
    """Run what the arguments ask for, and return the exit status."""
    options = _parser().parse_args()
    quick = not options.full and not options.suite
    facts = machine()
    print(", ".join(f"{name}: {value}" for name, value in facts.items()), flush=True)
    measured: dict[str, list[Result]] = {}
    broken = []
    began = time.perf_counter()
    try:
        for suite in options.suite or SUITES:
            measured[suite] = []
            for row in SUITES[suite]:
                count = row.count(quick, options.sample)
                if not count or options.only not in row.name:
                    continue
                _note(f"{suite}: {row.name} ...")
                seconds = row.limit(quick, options.seconds)
                try:
                    measured[suite].append(
                        _apart(row, count, seconds, by_cpu=options.cpu_clock)
                    )
                except Exception as error:  # the other rows are still worth it
                    broken.append(f"{row.name}: {type(error).__name__}: {error}")
                    _note(f"  {broken[-1]}")
    except KeyboardInterrupt:
        broken.append("interrupted")
    results = [result for some in measured.values() for result in some]
    print(f"\n{table(results)}")
    suites = {
        suite: [dataclasses.asdict(result) for result in results]
        for suite, results in measured.items()
    }
    command.save(options.json, {"machine": facts, "suites": suites})
    wrong = broken + failures(results)
    for line in wrong[:_SHOWN]:
        _note(f"WRONG: {line}")
    if len(wrong) > _SHOWN:
        _note(f"WRONG: {len(wrong) - _SHOWN} more")
    _note(f"{time.perf_counter() - began:.0f} s in all, {len(wrong)} wrong")
    return 1 if wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = command.parser(__doc__)
    parser.add_argument(
        "--suite", nargs="+", action="extend", choices=SUITES, help="only these"
    )
    parser.add_argument("--full", action="store_true", help="all suites, all boards")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="rows with this in their names"
    )
    parser.add_argument("--sample", type=int, help="boards in each row")
    parser.add_argument(
        "--seconds", type=float, help="for each board that has a time limit"
    )
    parser.add_argument(
        "--cpu-clock",
        action="store_true",
        help="limits count CPU seconds of all threads, for busy machines",
    )
    return parser


def _apart(
    row: Row, count: int, seconds: float | None, *, by_cpu: bool = False
) -> Result:
    """Measure the row in a fresh process."""
    context = multiprocessing.get_context("spawn")
    begin = _count_cpu if by_cpu else None
    with ProcessPoolExecutor(1, mp_context=context, initializer=begin) as pool:
        return pool.submit(measure, row, count, seconds).result()


def _count_cpu() -> None:
    time.monotonic = time.process_time


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
