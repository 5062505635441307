"""``python -m benchmarks attacks KIND [--count N] [--seed S]``."""

from __future__ import annotations

import argparse
import sys
import time

from benchmarks.robust.attack import KINDS, Report, run

SHOWN_FAILURES = 20


def main() -> int:
    """Attack, and print a table; the status is 1 when anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.monotonic()
    count = KINDS[given.kind] if given.count is None else given.count

    def told(report: Report) -> None:
        seconds = time.monotonic() - began
        done = report.outcomes.total()
        line = f"{done} of {count}, {len(report.failures)} failed, {seconds:.0f} s"
        print(line, file=sys.stderr, flush=True)

    report = run(given.kind, count, seed=given.seed, told=told)
    show(given.kind, report)
    return bool(report.failures)


def show(kind: str, report: Report) -> None:
    """The table of a run, in Markdown."""
    outcomes = ", ".join(f"{name} {n}" for name, n in report.outcomes.most_common())
    print("| attack | count | outcomes | worst s | worst MB | failures |")
    print("|---|---|---|---|---|---|")
    print(
        f"| {kind} | {report.outcomes.total()} | {outcomes} "
        f"| {report.slowest[0]:.1f} (seed {report.slowest[1]}) "
        f"| {report.largest[0]:.0f} (seed {report.largest[1]}) "
        f"| {len(report.failures)} |"
    )
    print(f"\n{report.cpu_seconds:.0f} s in all")
    for seed, complaint in report.failures[:SHOWN_FAILURES]:
        print(f"--seed {seed} --count 1: {complaint[:600]}")
