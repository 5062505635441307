"""Captured screenshots with known truth, as files.

``every_set`` finds all beside each other: folders with one ``truth.json`` for all of
their pictures, and ``screens``, where each has its own; ``samples`` are those of
``sample_images``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.scenes.scene import Scene
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import load_image

Row = dict[str, Any]
"""What is known of one screenshot; ``benchmarks/data/README.md`` names the entries."""

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"


@dataclass(frozen=True)
class Captured:
    """One screenshot; ``solved`` is the same game in order, where that was kept."""

    name: str
    kind: str
    screenshot: Path
    reference: Path | None
    board: Board
    goal: Board
    region: Region
    solved: Path | None = None

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the board in px."""
        at = self.region
        return at.left, at.top, at.width, at.height

    @property
    def homes(self) -> tuple[int, ...]:
        """The home of what lies in each cell, that of the blank included."""
        return tuple(self.goal.cells.index(label) for label in self.board.cells)

    def load(self, *, with_reference: bool) -> Scene:
        """The pictures themselves, as a scene."""
        reference = self.reference if with_reference else None
        return Scene(
            self.name,
            self.kind,
            load_image(self.screenshot),
            self.board,
            self.goal,
            self.box,
            None if reference is None else load_image(reference),
        )


def screens(folder: Path) -> Iterator[Captured]:
    """Every folder that holds a ``truth.json``."""
    for path in sorted(folder.glob("*/truth.json")):
        yield from_file(path, path.parent.name)


def samples() -> Iterator[Captured]:
    """The screenshots that the project brings along."""
    for path in sorted(SAMPLES.glob("*_truth.json")):
        yield from_file(path, path.stem)


def every_set(shared: Path) -> Iterator[tuple[str, Captured]]:
    """What the folders in one folder hold, with their names; ``loop`` is no set."""
    for folder in sorted(path for path in shared.iterdir() if path.is_dir()):
        found = screens(folder) if folder.name == "screens" else listed(folder)
        for one in found:
            yield folder.name, one


def rows_of(folder: Path) -> Iterator[Row]:
    """What ``truth.json`` in a folder says: a list, or a row in each line."""
    text = (folder / "truth.json").read_text("utf-8")
    is_list = text.lstrip().startswith("[")
    rows = json.loads(text) if is_list else map(json.loads, text.splitlines())
    for row in rows:
        goal = row.get("reference") and folder / row["reference"]
        yield {**row, "screenshot": folder / row["file"], "goal_picture": goal}


def listed(folder: Path) -> Iterator[Captured]:
    """One ``truth.json`` for all pictures, as far as board and goal are known."""
    if not (folder / "truth.json").exists():
        return
    for one in rows_of(folder):
        if not one.get("board") or not one.get("goal"):
            continue
        at = one["region"]
        yield Captured(
            Path(one["file"]).stem,
            folder.name,
            one["screenshot"],
            one["goal_picture"],
            Board.from_rows(one["board"]),
            Board.from_rows(one["goal"]),
            Region(*(at.values() if isinstance(at, dict) else at)),
        )


def from_file(path: Path, name: str) -> Captured:
    """What one ``truth.json`` tells of the pictures beside it."""
    one = json.loads(path.read_text("utf-8"))
    home = one["blank_goal_index"]
    shape = Shape(one["rows"], one["cols"])
    folder = path.parent
    # ``null`` says that there is none, no entry that it has its usual name.
    pattern = one.get("reference", "reference.*")
    references = sorted(folder.glob(pattern)) if pattern else []
    solved = folder / "solved.png"
    return Captured(
        name,
        one["kind"],
        folder / one["screenshot"],
        references[0] if references else None,
        Board(shape, tuple(0 if tile == home else tile + 1 for tile in one["tiles"])),
        home_cells(shape, blank=home),
        Region(*one["board_box"]),
        solved if solved.exists() else None,
    )
