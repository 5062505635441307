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

from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Region

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"


@dataclass(frozen=True)
class Captured:
    """One screenshot, and what is true of it.

    ``board`` is ``None`` where nobody could tell, ``goal`` where only the board can be
    judged; the tiles of a group of ``alike`` look the same. ``solved`` is the same game
    in order, where that was kept.
    """

    name: str
    kind: str
    screenshot: Path
    reference: Path | None
    board: Board | None
    goal: Board | None
    region: Region | None
    solved: Path | None = None
    alike: tuple[tuple[int, ...], ...] = ()

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        known = self.goal if self.board is None else self.board
        assert known is not None
        return known.shape


def screens(folder: Path) -> Iterator[Captured]:
    """Every folder that holds a ``truth.json``."""
    for path in sorted(folder.glob("*/truth.json")):
        yield from_file(path, path.parent.name)


def samples() -> Iterator[Captured]:
    """The screenshots that the project brings along."""
    for path in sorted(SAMPLES.glob("*_truth.json")):
        yield from_file(path, path.stem)


def every_set(shared: Path) -> Iterator[tuple[str, Captured]]:
    """What the folders in one folder hold, with their names."""
    for folder in sorted(path for path in shared.iterdir() if path.is_dir()):
        for one in one_set(folder):
            yield folder.name, one


def one_set(folder: Path) -> Iterator[Captured]:
    """What a folder holds: one ``truth.json`` for all pictures, or one for each."""
    if not (folder / "truth.json").exists():
        yield from screens(folder)
        return
    text = (folder / "truth.json").read_text("utf-8")
    is_list = text.lstrip().startswith("[")
    for one in json.loads(text) if is_list else map(json.loads, text.splitlines()):
        if "board" not in one:
            # It is of a recording.
            continue
        shape, at = Shape(*one["grid"]), one["region"]
        # Without a goal no tile is missing, and a tile's number is its home.
        goal: Board = FullBoard(shape, tuple(range(1, shape.size + 1)))
        if one.get("goal"):
            goal = Board.from_rows(one["goal"])
        board = one["board"] and type(goal).from_rows(one["board"])
        yield Captured(
            Path(one["file"]).stem,
            folder.name,
            folder / one["file"],
            folder / one["reference"] if one.get("reference") else None,
            board,
            None if one.get("goal_not_shown") else goal,
            # Some lie at half a pixel.
            Region(*map(round, at.values() if isinstance(at, dict) else at)),
            alike=tuple(one.get("alike") or ()),
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
        solved=solved if solved.exists() else None,
    )
