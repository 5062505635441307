"""How much hangs on each number of the reader: moved by a third, what changes?

    python -m benchmarks.sensitivity FROZEN.json [--rooms decide propose seams numbers]
        [--only TEXT] [--most N] [--fields NAME ...] [--json FILE]

``FROZEN.json`` is what ``benchmarks.outcomes freeze`` wrote. Every number of a room's
``Tuning`` is made a third smaller and a third larger, the frozen screenshots are read
again, and the outcomes that change are counted: the verdict or the board. A number that
changes nothing on many screenshots is not needed; one that changes much is to be
fitted, or replaced by something that is measured in the picture.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from imgpuzzle.image import write_atomically

ROOMS = {
    "decide": "imgpuzzle.vision.decide",
    "propose": "imgpuzzle.vision.propose.tuning",
    "seams": "imgpuzzle.vision.seams.tuning",
    "numbers": "imgpuzzle.vision.numbers.tuning",
}
FACTORS = (2 / 3, 4 / 3)


def moved(value: Any, factor: float) -> Any:
    """A number that is so many times as large; whole ones stay whole, and change."""
    if isinstance(value, int):
        changed = round(value * factor)
        return changed if changed != value else value + (1 if factor > 1 else -1)
    return value * factor


def numbers_of(room: str, only: list[str]) -> Iterator[tuple[str, float]]:
    """Names and values of a room's numbers, those that are ``only`` asked for."""
    tuning = importlib.import_module(ROOMS[room]).TUNING
    for field in dataclasses.fields(tuning):
        value = getattr(tuning, field.name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and (not only or field.name in only):
            yield field.name, value


def with_number(room: str, name: str, value: float) -> None:
    """Set a number in this process, before anything that takes it over is imported."""
    object.__setattr__(importlib.import_module(ROOMS[room]).TUNING, name, value)
    import cv2

    cv2.setNumThreads(1)


def outcome_of(record: dict[str, Any]) -> tuple[str, str | None]:
    """Verdict and board of a frozen task as it is read now."""
    from benchmarks.outcomes import Task, outcome

    task = record["task"] | {"pictures": tuple(record["task"]["pictures"])}
    found = outcome(Task(**task))
    return found["verdict"], found.get("board")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("frozen", type=Path)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=list(ROOMS))
    parser.add_argument("--fields", nargs="+", default=[])
    parser.add_argument("--only", default="", help="outcomes with this text")
    parser.add_argument("--most", type=int, default=20, help="outcomes, evenly chosen")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    frozen = json.loads(arguments.frozen.read_text())
    records = [one for key, one in frozen.items() if arguments.only in key]
    step = max(1, len(records) // arguments.most)
    records = records[::step][: arguments.most]
    # Fresh processes: numbers are taken over when modules are imported.
    context = multiprocessing.get_context("spawn")
    counts: dict[str, list[int]] = {}
    for room in arguments.rooms:
        for name, value in numbers_of(room, arguments.fields):
            changed = []
            for factor in FACTORS:
                setting = room, name, moved(value, factor)
                with context.Pool(arguments.jobs, with_number, setting) as pool:
                    now = pool.map(outcome_of, records, chunksize=1)
                before = [(one["verdict"], one.get("board")) for one in records]
                changed.append(sum(map(tuple.__ne__, now, before)))
            counts[f"{room}.{name}"] = changed
            print(f"{room}.{name} = {value:g}: {changed[0]} and {changed[1]} of "
                  f"{len(records)} outcomes change", flush=True)  # fmt: skip
            if arguments.json is not None:
                write_atomically(arguments.json, json.dumps(counts, indent=1).encode())


if __name__ == "__main__":
    main()
