"""How much hangs on each number of the reader: moved by a third, what changes?

    python -m benchmarks sensitivity FROZEN.json [--rooms ROOM ...] [--fields NAME ...]
        [--each N] [--group N] [--longest SECONDS] [--json FILE]

``FROZEN.json`` is what ``python -m benchmarks outcomes freeze`` wrote. Every number of
a room's ``Tuning`` is made a third smaller and a third larger, frozen screenshots are
read again, and the outcomes that change are counted: the verdict or the board.

Reading everything for every number takes days, so each number is tried where it can
tell: on ``--each`` outcomes in which it is read at all, short and in doubt before long
and certain. Numbers of one room are moved together, ``--group`` of them; where that
changes an outcome, halves are tried, down to the one number (R. Dorfman, 1943). What
only several change together is counted for none of them, but said. A number that is
never read needs other outcomes, and is said, too.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import pickle
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from benchmarks import command
from benchmarks.vision.outcomes import Task, outcome

ROOMS = {
    "vision": "imgpuzzle.vision.tuning",
    "decide": "imgpuzzle.vision.decide",
    **{
        room: f"imgpuzzle.vision.{room}.tuning"
        for room in (
            "arrange",
            "geometry",
            "numbers",
            "propose",
            "reference",
            "seams",
            "search",
        )
    },
}
FACTORS = {"smaller": 2 / 3, "larger": 4 / 3}

READ: set[str] = set()
"""The numbers that were read since this was emptied, as ``room.name``."""

Records = Sequence[dict[str, Any]]
Setting = Mapping[str, Any]


def moved(value: Any, factor: float) -> Any:
    """A number that is so many times as large; whole ones stay whole, and change."""
    if isinstance(value, Mapping):
        return {key: moved(one, factor) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(moved(one, factor) for one in value)
    if isinstance(value, int):
        changed = round(value * factor)
        return changed if changed != value else value + (1 if factor > 1 else -1)
    return value * factor


def watched(room: str) -> dict[str, Any]:
    """The numbers of a room by ``room.name``; from now on their use is noted."""
    tuning = importlib.import_module(ROOMS[room]).TUNING
    kind = type(tuning)
    values = {}
    for field in dataclasses.fields(tuning):
        name = f"{room}.{field.name}"
        values[name] = getattr(tuning, field.name)
        slot = getattr(kind, field.name)

        def read(own: Any, slot: Any = slot, name: str = name) -> Any:
            READ.add(name)
            return slot.__get__(own)

        setattr(kind, field.name, property(read, slot.__set__))
    return values


def set_number(name: str, value: Any) -> None:
    """Set a number in this process."""
    room, field = name.split(".")
    tuning = importlib.import_module(ROOMS[room]).TUNING
    getattr(type(tuning), field).fset(tuning, value)


def read_again(
    records: Records, setting: Setting
) -> Iterator[tuple[tuple[str, str | None], float, set[str]]]:
    """Verdict and board of frozen tasks, CPU seconds, and the numbers that were read.

    A child does it, so that nothing of a setting stays; where it is killed, that
    outcome and those after it have the verdict ``nothing``.
    """
    end, begin = os.pipe()
    if not (child := os.fork()):
        os.close(end)
        with os.fdopen(begin, "wb") as to:
            for name, value in setting.items():
                set_number(name, value)
            for record in records:
                READ.clear()
                began = time.process_time()
                task = record["task"]
                found = outcome(Task(**task | {"pictures": tuple(task["pictures"])}))
                said = found["verdict"], found.get("board")
                pickle.dump((said, time.process_time() - began, set(READ)), to)
                to.flush()
        os._exit(0)
    os.close(begin)
    with os.fdopen(end, "rb") as results:
        for _ in records:
            try:
                yield pickle.load(results)
            except EOFError:
                yield ("nothing", None), 0.0, set()
    os.waitpid(child, 0)


@dataclasses.dataclass
class Trial:
    """The outcomes as they are, and what numbers that were moved do to them."""

    records: dict[str, dict[str, Any]]
    values: dict[str, Any]
    before: dict[str, tuple[str, str | None]] = dataclasses.field(default_factory=dict)
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    readers: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    changed: dict[str, dict[str, list[str]]] = dataclasses.field(default_factory=dict)
    together: list[tuple[str, str, list[str]]] = dataclasses.field(default_factory=list)

    def look(self) -> None:
        """Read every outcome once, and note which numbers it reads."""
        for key, record in self.records.items():
            for said, seconds, names in read_again([record], {}):
                self.before[key], self.seconds[key] = said, seconds
                for name in names:
                    self.readers.setdefault(name, set()).add(key)

    def chosen(self, names: Sequence[str], each: int) -> list[str]:
        """Outcomes of which ``each`` read every number, cheap and doubtful first."""
        missing = dict.fromkeys(names, each)
        found: list[str] = []
        while True:
            worth = {
                key: sum(
                    missing[n] > 0 for n in names if key in self.readers.get(n, ())
                )
                * (1.6 - (self.records[key].get("margin") or 0.0))
                / (self.seconds[key] + 0.15)
                for key in self.records
                if key not in found
            }
            best = max(worth, key=worth.__getitem__, default=None)
            if best is None or worth[best] == 0:
                return found
            found.append(best)
            for name in names:
                missing[name] -= best in self.readers.get(name, ())

    def again(
        self, setting: Setting, keys: Sequence[str]
    ) -> Iterator[tuple[str, str | None]]:
        """Verdict and board of outcomes with some numbers set otherwise."""
        records = [self.records[key] for key in keys]
        return (said for said, _, _ in read_again(records, setting))

    def move(self, names: Sequence[str], word: str, keys: Sequence[str]) -> set[str]:
        """Move numbers together, find out which of them changes what; what changed."""
        setting = {name: moved(self.values[name], FACTORS[word]) for name in names}
        hit = [
            key
            for key, said in zip(keys, self.again(setting, keys), strict=True)
            if said != self.before[key]
        ]
        if hit and len(names) == 1:
            self.changed.setdefault(names[0], {})[word] = hit
        elif hit:
            half = len(names) // 2
            parts = [
                self.move(some, word, hit) for some in (names[:half], names[half:])
            ]
            alone = parts[0] | parts[1]
            self.together += [(key, word, [*names]) for key in hit if key not in alone]
        return set(hit)


def main() -> None:
    parser = command.parser(__doc__)
    parser.add_argument("frozen", type=Path)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=list(ROOMS))
    parser.add_argument("--fields", nargs="+", default=[])
    parser.add_argument("--only", default="", help="outcomes with this text")
    parser.add_argument("--longest", type=float, default=3.0, help="outcomes, CPU s")
    parser.add_argument("--each", type=int, default=4, help="outcomes for each number")
    parser.add_argument("--group", type=int, default=8, help="numbers moved together")
    arguments = parser.parse_args()
    # A fork keeps no threads.
    cv2.setNumThreads(1)
    values = {n: v for room in arguments.rooms for n, v in watched(room).items()}
    names = [n for n in values if n.split(".")[1] in (arguments.fields or n)]
    records = {
        key: one
        for key, one in json.loads(arguments.frozen.read_text()).items()
        if arguments.only in key and one["seconds"] <= arguments.longest
    }
    trial = Trial(records, values)
    trial.look()
    results: dict[str, Any] = {}
    for room in arguments.rooms:
        own = [n for n in names if n.startswith(f"{room}.") and n in trial.readers]
        for start in range(0, len(own), arguments.group):
            group = own[start : start + arguments.group]
            keys = trial.chosen(group, arguments.each)
            for word in FACTORS:
                trial.move(group, word, keys)
            for name in group:
                tried = [key for key in keys if key in trial.readers[name]]
                found = trial.changed.get(name, {})
                results[name] = {"tried": len(tried)} | {
                    w: found.get(w, []) for w in FACTORS
                }
                counts = " and ".join(str(len(results[name][w])) for w in FACTORS)
                print(f"{name} = {values[name]}: {counts} of {len(tried)}", flush=True)
            command.save(arguments.json, results)
    never = [name for name in names if name not in trial.readers]
    print(f"never read: {', '.join(never)}")
    for key, word, some in trial.together:
        print(f"only together, {word}: {', '.join(some)} change {key}")
    results |= {"never read": never, "together": trial.together}
    command.save(arguments.json, results)


if __name__ == "__main__":
    main()
