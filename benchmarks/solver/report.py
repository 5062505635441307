"""What ``run`` makes of its records: tables, and what went wrong."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.solver.measure import Record, Result

__all__ = ["failures", "machine", "tables"]

_LIBRARIES = ("imgpuzzle", "numpy")
_NONE = "-"


def machine() -> dict[str, str]:
    """The processor, the system and the versions, by name."""
    found = {
        "processor": _processor(),
        "cores": str(os.cpu_count() or "unknown"),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


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
    if length is not None and length < record.at_least:
        yield f"expected at least {record.at_least}, found {length}"


# Tables.

Column = tuple[str, Callable[[Result], str]]


def tables(results: Sequence[Result]) -> str:
    """All results as Markdown, a table for each kind that is there."""
    parts = []
    for kind, title, columns in _KINDS:
        some = [result for result in results if result.kind == kind]
        if some:
            full = [[name, *map(cell, some)] for name, cell in columns]
            known = [column for column in full if set(column[1:]) != {_NONE}]
            rows = [list(row) for row in zip(*known, strict=True)]
            parts.append(f"{title}\n\n{_aligned(rows)}")
    return "\n\n".join(parts)


def _aligned(rows: list[list[str]]) -> str:
    """A Markdown table whose first column is text, and the rest numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
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


def _mean(values: Iterable[float | None], digits: int = 2) -> str:
    known = [value for value in values if value is not None]
    return f"{statistics.mean(known):,.{digits}f}" if known else _NONE


def _most(values: Iterable[float | None], digits: int = 0) -> str:
    known = [value for value in values if value is not None]
    return f"{max(known):,.{digits}f}" if known else _NONE


def _time(pick: Callable[[list[float]], float]) -> Callable[[Result], str]:
    def cell(result: Result) -> str:
        times = [1000 * record.cpu_seconds for record in result.records]
        if not times:
            return _NONE
        chosen = pick(times)
        return f"{chosen:,.{0 if chosen >= 100 else 1 if chosen >= 10 else 2}f}"

    return cell


def _ratio(known: Callable[[Record], int | None]) -> Callable[[Result], str]:
    """The mean of length by a known length, over the boards that have both."""

    def cell(result: Result) -> str:
        return _mean(
            (
                record.length / (known(record) or 1)
                for record in result.records
                if record.length is not None and known(record)
            ),
            4,
        )

    return cell


def _against_published(result: Result) -> str:
    pairs = [(r.length, r.published) for r in result.records if r.published is not None]
    if not pairs:
        return _NONE
    shorter = sum(ours is not None and ours < theirs for ours, theirs in pairs)
    equal = sum(ours == theirs for ours, theirs in pairs)
    return f"{shorter} / {equal} / {len(pairs) - shorter - equal}"


def _after_marks(result: Result) -> str:
    """The mean length after each mark, over the boards that had an answer then."""
    texts = []
    for mark in result.marks:
        if mark > (result.seconds or 0):
            continue
        known = [
            [length for after, length in record.improved if after <= mark]
            for record in result.records
        ]
        lengths = [min(some) for some in known if some]
        missing = f" ({len(known) - len(lengths)} none)" if not all(known) else ""
        texts.append(f"{mark:g} s: {_mean(lengths, 1)}{missing}")
    return ", ".join(texts) or _NONE


def _first(result: Result) -> list[float]:
    return [record.improved[0][0] for record in result.records if record.improved]


def _optional(value: float | None, digits: int) -> str:
    return _NONE if value is None else f"{value:,.{digits}f}"


_NAME: Column = ("boards", lambda result: result.name)
_NUMBER: Column = ("number", lambda result: f"{len(result.records):,}")
_PROVEN: Column = (
    "proven",
    lambda result: f"{sum(record.is_proven for record in result.records):,}",
)
_LENGTH: Column = ("length", lambda result: _mean(r.length for r in result.records))
_LONGEST: Column = ("longest", lambda result: _most(r.length for r in result.records))
_NODES: Column = ("nodes", lambda result: _mean((r.nodes for r in result.records), 0))
_TABLES: Column = ("tables MB", lambda result: _optional(result.tables_mb, 0))
_PEAK: Column = ("peak MB", lambda result: _optional(result.peak_mb, 0))
_SETUP: Column = ("set-up s", lambda result: _optional(result.setup_seconds, 2))
_WALL: Column = (
    "wall s",
    lambda result: _mean((record.wall_seconds for record in result.records), 2),
)
_WALL_MAX: Column = (
    "max",
    lambda result: _most((record.wall_seconds for record in result.records), 2),
)

_KINDS: tuple[tuple[str, str, list[Column]], ...] = (
    (
        "shortest",
        "**Shortest solutions** (times of one board; set-up apart, in wall time)",
        [
            _NAME,
            _NUMBER,
            (
                "solved",
                lambda r: f"{sum(one.length is not None for one in r.records):,}",
            ),
            _PROVEN,
            _LENGTH,
            _LONGEST,
            _NODES,
            ("CPU ms mean", _time(statistics.mean)),
            ("median", _time(statistics.median)),
            ("max", _time(max)),
            _SETUP,
            _TABLES,
            _PEAK,
        ],
    ),
    (
        "anytime",
        "**Within a time limit** (wall time, tables set up before)",
        [
            _NAME,
            _NUMBER,
            ("limit s", lambda r: _optional(r.seconds, 0)),
            _LENGTH,
            ("slides", lambda r: _mean(one.slides for one in r.records)),
            ("bound", lambda r: _mean(one.lower_bound for one in r.records)),
            _PROVEN,
            (
                "shortest",
                lambda r: (
                    str(sum(one.length == one.truth for one in r.records))
                    if any(one.truth is not None for one in r.records)
                    else _NONE
                ),
            ),
            ("to shortest", _ratio(lambda one: one.truth)),
            ("to published", _ratio(lambda one: one.published)),
            ("shorter / equal / longer", _against_published),
            ("to Manhattan", _ratio(lambda one: one.manhattan)),
            ("after", _after_marks),
            ("first answer s", lambda r: _mean(_first(r), 3)),
            ("latest", lambda r: _most(_first(r), 3)),
            ("in a cold process", lambda r: _optional(r.first_answer_cold, 2)),
            _WALL,
            _WALL_MAX,
            _NODES,
            _TABLES,
            _PEAK,
        ],
    ),
    (
        "process",
        "**Whole processes** (from start to answer)",
        [
            _NAME,
            ("runs", lambda r: str(len(r.records))),
            ("length", lambda r: _mean((one.length for one in r.records), 0)),
            _WALL,
            _WALL_MAX,
            ("CPU s", lambda r: _mean((one.cpu_seconds for one in r.records), 2)),
            _PEAK,
            ("note", lambda r: r.note),
        ],
    ),
    (
        "threads",
        "**Several at a time** (wall time of all boards)",
        [
            _NAME,
            _NUMBER,
            ("threads", lambda r: str(r.threads)),
            _PROVEN,
            _LENGTH,
            ("wall s", lambda r: _optional(r.wall_seconds, 2)),
            ("CPU s", lambda r: _optional(r.cpu_seconds, 2)),
            (
                "boards a second",
                lambda r: _optional(len(r.records) / r.wall_seconds, 1),
            ),
            _SETUP,
            _TABLES,
            _PEAK,
        ],
    ),
)
