"""A picture of the goal that the screenshot itself shows beside the board.

Many games show the goal small, and some at full size. Every box of about the
board's aspect is tried as the reference; a wrong one explains no board.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.goals import Place as GoalPlace
from imgpuzzle.vision import decide
from imgpuzzle.vision.geometry.align import Alignment, Window
from imgpuzzle.vision.geometry.colours import median
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import covers
from imgpuzzle.vision.propose.boxes import find_boxes
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.search.finishing import finish
from imgpuzzle.vision.search.locate import choose
from imgpuzzle.vision.search.tuning import TUNING

Floats = NDArray[np.float32]


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
        aspect = lattice.width / lattice.height
        for box in find_boxes(screen, [aspect]):
            at = Lattice.from_box(lattice.shape, *box)
            if covers(at, lattice, TUNING.most_shared):
                continue
            if (
                min(at.width, at.height) < TUNING.thumbnail_side_px
                or at.pitch_x < TUNING.thumbnail_cell_px
            ):
                continue
            picture = _crop(screen, box)
            alike = _shared_colours(picture, board)
            if alike > TUNING.least_colours:
                tries.append((alike, number, lattice, picture))
    tries.sort(key=lambda one: -one[0])
    found: list[tuple[int, float, Scene, Assessment]] = []
    for _, number, lattice, picture in tries[: TUNING.most_thumbnails]:
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
        bins = np.floor(small.reshape(-1, 3) / TUNING.colour_step).astype(np.int64)
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
        lag = max(3, round(TUNING.lag_share * pitch))
        lines = np.moveaxis(picture, axis, 0)
        steps = np.linalg.norm(lines[lag:] - lines[:-lag], axis=2).mean(axis=1)
        # The step that begins half a lag before a line leads across it.
        across = [round(number * pitch - lag / 2) for number in range(1, count)]
        breaks.append(float(np.mean(steps[across])) / (median(steps) + 1.0))
    return min(breaks) > TUNING.broken


def _crop(screen: Floats, box: tuple[float, ...]) -> Floats:
    left, top = max(round(box[0]), 0), max(round(box[1]), 0)
    right, bottom = round(box[0] + box[2]), round(box[1] + box[3])
    return np.ascontiguousarray(screen[top:bottom, left:right])
