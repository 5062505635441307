"""A picture of the goal that the screenshot itself shows beside the board.

Many games show the goal small, and some at full size. Every box of about the
board's aspect is tried as the reference; a wrong one explains no board.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.goals import Place as GoalPlace
from imgpuzzle.vision import decide
from imgpuzzle.vision.geometry.align import Alignment, Window
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.frames import find_boxes
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.search.finishing import finish
from imgpuzzle.vision.search.locate import choose

__all__ = ["find_thumbnail"]

Floats = NDArray[np.float32]

MIN_SIDE_PX = 40
MIN_CELL_PX = 9
MOST_SHARED = 0.1
COLOUR_STEP = 16.0
LEAST_COLOURS = 0.45
MOST_TRIES = 4
BROKEN = 1.8
LAG = 0.08


def find_thumbnail(
    screen: Floats,
    lattices: Sequence[Lattice],
    goal_blank: GoalPlace | None = None,
) -> tuple[Scene, Assessment] | None:
    """The board among ``lattices`` that another part of the screen explains.

    ``screen`` is a colour picture. Only what leaves no doubt about the place
    and the grid is returned, with the scene that it was found in.
    """
    tries: list[tuple[float, int, Lattice, Floats]] = []
    for number, lattice in enumerate(lattices):
        here = lattice.left, lattice.top, lattice.width, lattice.height
        board = _crop(screen, here)
        for box in find_boxes(screen, lattice.width / lattice.height):
            if _shares(box, lattice) or min(box[2:]) < MIN_SIDE_PX:
                continue
            if box[2] / lattice.cols < MIN_CELL_PX:
                continue
            picture = _crop(screen, box)
            alike = _shared_colours(picture, board)
            if alike > LEAST_COLOURS:
                tries.append((alike, number, lattice, picture))
    tries.sort(key=lambda one: -one[0])
    found: list[tuple[int, float, Scene, Assessment]] = []
    for _, number, lattice, picture in tries[:MOST_TRIES]:
        scene = Scene(screen, picture, [lattice.shape], goal_blank)
        window = Window(0, 0, picture.shape[1], picture.shape[0])
        alignment = Alignment(lattice, window.homes(lattice.shape))
        matches = decide.ranked(choose(scene, [alignment]))
        if decide.settled(matches) and not _is_shuffled(picture, lattice):
            one = finish(scene, matches[0])
            found.append((number, one.score, scene, one))
    if not found:
        return None
    _, _, scene, assessment = min(found, key=lambda one: one[:2])
    return scene, assessment


def _shared_colours(one: Floats, other: Floats) -> float:
    """How far two pictures consist of the same colours, from 0 to 1.

    A shuffled picture has the histogram of the picture, but for hole and gaps.
    """
    counts = []
    for picture in (one, other):
        small = cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA)
        bins = np.floor(small.reshape(-1, 3) / COLOUR_STEP).astype(np.int64)
        bins = np.clip(bins + 16, 0, 31) @ np.array([1024, 32, 1])
        count = np.bincount(bins, minlength=32**3).astype(np.float32)
        cube = count.reshape(32, 32, 32)
        # Neighbouring colours count as well: pages tint and compress pictures.
        for axis in range(3):
            cube = cube + 0.5 * (np.roll(cube, 1, axis) + np.roll(cube, -1, axis))
        counts.append(cube / cube.sum())
    return float(np.minimum(*counts).sum())


def _is_shuffled(picture: Floats, lattice: Lattice) -> bool:
    """Whether a picture breaks along the grid, as another board would.

    Colours on both sides of the lines are compared with those as far apart
    elsewhere; what is drawn on the lines themselves does not count.
    """
    breaks = []
    for axis, count in ((1, lattice.cols), (0, lattice.rows)):
        pitch = picture.shape[axis] / count
        lag = max(3, round(LAG * pitch))
        lines = np.moveaxis(picture, axis, 0)
        steps = np.linalg.norm(lines[lag:] - lines[:-lag], axis=2).mean(axis=1)
        # The step that begins half a lag before a line leads across it.
        across = [round(number * pitch - lag / 2) for number in range(1, count)]
        breaks.append(float(np.mean(steps[across])) / (float(np.median(steps)) + 1.0))
    return min(breaks) > BROKEN


def _shares(box: tuple[float, ...], lattice: Lattice) -> bool:
    """Whether a box lies over more than the edge of the board."""
    left, top, width, height = box
    wide = min(left + width, lattice.left + lattice.width) - max(left, lattice.left)
    high = min(top + height, lattice.top + lattice.height) - max(top, lattice.top)
    return wide > 0 and high > 0 and wide * high > MOST_SHARED * width * height


def _crop(screen: Floats, box: tuple[float, ...]) -> Floats:
    left, top = max(round(box[0]), 0), max(round(box[1]), 0)
    right, bottom = round(box[0] + box[2]), round(box[1] + box[3])
    return np.ascontiguousarray(screen[top:bottom, left:right])
