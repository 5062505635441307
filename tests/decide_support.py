"""Boards, findings and cuts for the tests of the judge's rules."""

from __future__ import annotations

import numpy as np

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import Method, Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.messages import Message, Refusal
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.verdict import Verdict
from imgpuzzle.vision.candidate import Candidate, View
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.report import Finding, Refused

GRID = Shape(3, 3)
GOAL = home_cells(GRID, blank=8)
NO_BOARD = Refused(Message(Refusal.NO_BOARD))
PICTURE = np.random.default_rng(5).integers(0, 255, (330, 330, 3), np.uint8)


def arrangement(board: Board, goal: Board = GOAL) -> Arrangement:
    homes = tuple(goal.cells.index(label) for label in board.cells)
    return Arrangement(board.shape, homes, board.blank, 0.0)


def finding(
    seed: int = 1, *, method: Method = "reassembly", nats: float = 20.0, at: int = 10
) -> Finding:
    """A board that was found, certain unless ``nats`` are few."""
    cut = cut_cells(PICTURE, Region(at, at, 180, 180), GRID, 0)
    verdict = Verdict(arrangement(uniform(GOAL, seed=seed)), nats, (), ())
    return Finding(cut, verdict, method)


def cut_at(
    view: View, shape: Shape, box: Region, *, support: float = 15.0
) -> Candidate:
    at = Lattice.from_box(shape, box.left, box.top, box.width, box.height)
    return view.cut(at, support, box)
