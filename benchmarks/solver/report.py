"""What ``run`` makes of its records: a table, and what went wrong."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import mean, median

from benchmarks.solver.measure import Record, Result

_NONE = "-"


def machine() -> dict[str, str]:
    """The processor, the system and the versions, by name."""
    found = {
        "processor": _processor(),
        "cores": str(os.cpu_count() or "unknown"),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }
    return found | {name: version(name) for name in ("imgpuzzle", "numpy")}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or sys.platform
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


# What went wrong.


def failures(results: Sequence[Result]) -> list[str]:
    """A line for each board that was answered wrongly, or not as it must be.

    Lengths are compared with what is known of the board, and with what other
    rows found out about the same board.
    """
    found = []
    bounds: dict[tuple[str, str, str], int] = {}
    lengths: dict[tuple[str, str, str], int] = {}
    for result in results:
        for record in result.records:
            for reason in _reasons(record, must_prove=result.is_exact):
                found.append(f"{result.name}: {record.start}: {reason}")
            key = (record.start, record.goal, record.metric)
            bounds[key] = max(record.lower_bound, bounds.get(key, 0))
            if record.length is not None:
                lengths[key] = min(record.length, lengths.get(key, record.length))
    fewest: dict[tuple[str, str], int] = {}
    for record in (one for result in results for one in result.records):
        if record.metric == "single" and record.slides is not None:
            board = record.start, record.goal
            fewest[board] = min(record.slides, fewest.get(board, record.slides))
    for (start, goal, metric), length in lengths.items():
        if metric == "slide" and length > fewest.get((start, goal), length):
            found.append(
                f"{start}: {length} slides were found, and {fewest[start, goal]} by "
                "counting single moves"
            )
    for key, length in lengths.items():
        if length < bounds[key]:
            found.append(
                f"{key[0]}: has a solution of {length}, and {bounds[key]} are "
                "said to be needed"
            )
    return found


def _reasons(record: Record, *, must_prove: bool) -> Iterable[str]:
    if record.error:
        yield record.error
        return
    truth, length = record.truth, record.length
    if must_prove and not record.is_proven:
        yield f"no proven shortest solution, found {length}"
    if truth is not None and length is not None and length < truth:
        yield f"expected no solution shorter than {truth}, found {length}"
    if truth is not None and record.lower_bound > truth:
        yield f"expected a bound of at most {truth}, found {record.lower_bound}"
    if record.is_proven and truth is not None and length != truth:
        yield f"expected a length of {truth}, found {length}"


# The table.


def table(results: Sequence[Result]) -> str:
    """All results as Markdown, without the columns that none of them has."""
    full = [[name, *map(cell, results)] for name, cell in _COLUMNS.items()]
    known = [column for column in full if set(column[1:]) != {_NONE}]
    widths = [max(map(len, column)) for column in known]
    rows = [list(row) for row in zip(*known, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(
        "| "
        + " | ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        + " |"
        for row in (rows[0], rule, *rows[1:])
    )


_Values = Callable[[Record], float | None]


def _of(
    value: _Values, pick: Callable[[list[float]], float] = mean, digits: int = 2
) -> Callable[[Result], str]:
    """A column: one figure of all records that have this value."""

    def cell(result: Result) -> str:
        known = [one for record in result.records if (one := value(record)) is not None]
        return f"{pick(known):,.{digits}f}" if known else _NONE

    return cell


def _ratio(known: Callable[[Record], int | None]) -> Callable[[Result], str]:
    """The mean of length by a known length, over the boards that have both."""

    def ratio(record: Record) -> float | None:
        other = known(record)
        return record.length / other if record.length is not None and other else None

    return _of(ratio, digits=4)


def _against_published(result: Result) -> str:
    pairs = [(r.length, r.published) for r in result.records if r.published is not None]
    if not pairs:
        return _NONE
    shorter = sum(ours is not None and ours < theirs for ours, theirs in pairs)
    equal = sum(ours == theirs for ours, theirs in pairs)
    return f"{shorter} / {equal} / {len(pairs) - shorter - equal}"


def _optional(value: float | None, digits: int) -> str:
    return _NONE if value is None else f"{value:,.{digits}f}"


_COLUMNS: dict[str, Callable[[Result], str]] = {
    "boards": lambda result: result.name,
    "number": lambda result: f"{len(result.records):,}",
    "limit s": lambda result: _optional(result.seconds, 0),
    "length": _of(lambda record: record.length),
    "longest": _of(lambda record: record.length, max, 0),
    "slides": _of(lambda record: record.slides),
    "bound": _of(lambda record: record.lower_bound),
    "proven": lambda result: f"{sum(one.is_proven for one in result.records):,}",
    "to shortest": _ratio(lambda record: record.truth),
    "to published": _ratio(lambda record: record.published),
    "shorter / equal / longer": _against_published,
    "to Manhattan": _ratio(lambda record: record.manhattan),
    "first answer s": _of(lambda r: r.improved[0][0] if r.improved else None, digits=3),
    "nodes": _of(lambda record: record.nodes, digits=0),
    "CPU ms mean": _of(lambda record: 1000 * record.cpu_seconds),
    "median": _of(lambda record: 1000 * record.cpu_seconds, median),
    "max": _of(lambda record: 1000 * record.cpu_seconds, max),
    "wall s": _of(lambda record: record.wall_seconds),
    "set-up s": lambda result: _optional(result.setup_seconds, 2),
    "peak MB": lambda result: _optional(result.peak_mb, 0),
}
"""By name: what a row of the table says of its boards."""
