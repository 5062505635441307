"""What workers keep of a reading between two requests: a file in its folder."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imgpuzzle.core.board import Board, TurnedBoard
from imgpuzzle.core.goals import NamedGoal, named_goals
from imgpuzzle.core.reading import Reading
from imgpuzzle.messages import Message
from imgpuzzle.puzzles.kind import full_kinds, kind_of


@dataclass(frozen=True, slots=True)
class State:
    """A board and its goal, and the reading they come from, if any.

    ``start`` and ``goal`` have one label for tiles that look the same.
    ``width`` and ``height`` are the screenshot's size in px, ``puzzle`` is the kind of
    puzzle, by its name.
    """

    start: Board
    goal: Board
    reading: Reading | None = None
    width: int | None = None
    height: int | None = None
    puzzle: str = "slide"

    @classmethod
    def of_reading(cls, reading: Reading, width: int, height: int) -> State:
        """The state of a reading that is taken as it is."""
        return cls(*reading.interchangeable(), reading, width, height)

    @property
    def reason(self) -> Message | None:
        """Why the goal cannot be reached, or ``None``."""
        return kind_of(self.puzzle).why_not(self.start, self.goal)

    @property
    def usual_goals(self) -> list[NamedGoal]:
        """The usual goals that can be reached from here; none for pictures."""
        if self.reading is not None and self.reading.method != "digits":
            return []
        return named_goals(self.start)

    def to_dict(self) -> dict[str, Any]:
        """The part of the answer that needs no pictures."""
        reading, reason = self.reading, self.reason
        row_col = self.start.shape.row_col
        return {
            "width": self.width,
            "height": self.height,
            "reading": None if reading is None else reading.to_dict(),
            "start": self.start.rows(),
            "goal": self.goal.rows(),
            "texts": [self.start.one_line(), self.goal.one_line()],
            "rows": self.start.shape.rows,
            "cols": self.start.shape.cols,
            "puzzle": self.puzzle,
            # Which kinds it may be, where no cell is empty; and whether tiles may lie
            # turned in this one.
            "puzzles": full_kinds(self.start),
            "turned": issubclass(kind_of(self.puzzle).board, TurnedBoard),
            "solvable": reason is None,
            "reason": None if reason is None else str(reason),
            "reason_code": None if reason is None else reason.to_dict(),
            "reachable_goals": [one.to_dict() for one in self.usual_goals],
            "certain": reading is None or (reading.certain and not reading.asks_goal),
            "confidence": 1.0 if reading is None else round(reading.confidence, 4),
            "doubtful": []
            if reading is None
            else [list(row_col(cell)) for cell in reading.doubtful],
        }


def state_name(version: int) -> str:
    """The file of the state with this version."""
    return f"state-{version}.pickle"


def base_name(version: int) -> str:
    """The file of what was read for this version, before anybody corrected it."""
    return f"base-{version}.pickle"


def save(state: State, folder: Path, name: str) -> None:
    """Write a state; the file appears whole or not at all."""
    from imgpuzzle.files.image import write_atomically

    data = pickle.dumps(state, protocol=pickle.HIGHEST_PROTOCOL)
    write_atomically(folder / name, data)


def load(folder: Path, name: str) -> State:
    """Read a state that a worker wrote; only the server's own folder has such."""
    state: State = pickle.loads((folder / name).read_bytes())
    return state
