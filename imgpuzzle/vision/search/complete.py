"""Whether a screenshot shows all of the reference, or more of it than a grid covers."""

from __future__ import annotations

import numpy as np

from imgpuzzle.core.reading import Region
from imgpuzzle.vision.arrange.assign import squared_differences
from imgpuzzle.vision.geometry.align import tile_at
from imgpuzzle.vision.geometry.colours import apply_tint
from imgpuzzle.vision.geometry.lattice import sample_box, sample_tiles
from imgpuzzle.vision.geometry.places import extensions, room
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.search.tuning import TUNING


def goal_place(scene: Scene, one: Assessment) -> Region:
    """Where the reference lies on the screen whose tiles are displaced alike.

    Their grid lies beside it; what is asked for is the picture.
    """
    at, to = one.alignment.screen, one.alignment.picture
    (high, wide), (rows, cols) = scene.screen.shape[:2], scene.picture.shape[:2]
    x, y = at.pitch_x / to.pitch_x, at.pitch_y / to.pitch_y
    left = at.left - one.step[1] * at.pitch_x - x * to.left
    top = at.top - one.step[0] * at.pitch_y - y * to.top
    sides = (
        min(max(round(left), 0), wide - 1),
        min(max(round(top), 0), high - 1),
        min(round(left + x * cols), wide),
        min(round(top + y * rows), high),
    )
    width, height = max(sides[2] - sides[0], 1), max(sides[3] - sides[1], 1)
    return Region(sides[0], sides[1], width, height)


def shows_all(scene: Scene, one: Assessment) -> bool:
    """Whether the whole reference stands there beyond doubt, with no hole at all."""
    return one.is_complete and _share_shown(scene, one) >= TUNING.all_shown


def is_part_of_goal(scene: Scene, one: Assessment) -> bool:
    """Whether tiles at home show a part of the reference only.

    Every part of a complete picture can be cut into such a board.
    """
    return shows_part(scene, one) and one.best.is_solved


def shows_part(scene: Scene, one: Assessment) -> bool:
    """Whether the homes of the tiles are a part of the reference only."""
    return _share_shown(scene, one) < TUNING.nearly_all


def goes_on(scene: Scene, one: Assessment) -> bool:
    """Whether a grid is a part of a board, by what lies in it or beside it.

    The tiles beside it show pieces of the picture, too; or what was taken for the hole
    shows one that lies outside of the grid's own.
    """
    if _holds_another(scene, one):
        return True
    (high, wide), (rows, cols) = scene.screen.shape[:2], scene.picture.shape[:2]
    size = one.best.shape
    for larger in extensions(
        one.alignment, (high, wide), (rows, cols), scene.shapes, most=1
    ):
        shown = sample_tiles(
            scene.screen, larger.screen, TUNING.strip_px, inset=REFERENCE.inset
        )
        wanted = sample_tiles(
            scene.picture, larger.picture, TUNING.strip_px, inset=REFERENCE.inset
        )
        grid = np.arange(len(shown)).reshape(larger.screen.rows, -1)
        first = larger.screen.left < one.alignment.screen.left - 1.0
        upper = larger.screen.top < one.alignment.screen.top - 1.0
        if larger.screen.cols > size.cols:
            strip = grid[:, 0 if first else -1]
        else:
            strip = grid[0 if upper else -1]
        apart = squared_differences(shown[strip], apply_tint(wanted, one.tint))
        texture = shown[strip].var(axis=(1, 2)).sum(axis=1)
        alike = apart.min(axis=1) < TUNING.strip_match * texture
        if (alike & (texture > TUNING.strip_texture)).mean() >= TUNING.strip_share:
            return True
    return False


def _holds_another(scene: Scene, one: Assessment) -> bool:
    """Whether the blank's cell shows a piece from beyond the homes of the grid."""
    shown = tile_at(scene.screen, one.alignment.screen, one.best.blank, TUNING.strip_px)
    shown = shown[1:-1, 1:-1]
    texture = float(shown.var(axis=(0, 1)).sum())
    if texture < max(TUNING.strip_texture, TUNING.lively * float(one.variance.mean())):
        return False
    to = one.alignment.picture
    above, below, left, right = room(to, scene.picture.shape[:2])
    for row in range(-above, to.rows + below):
        for col in range(-left, to.cols + right):
            if 0 <= row < to.rows and 0 <= col < to.cols:
                continue
            wanted = sample_box(
                scene.picture,
                to.left + col * to.pitch_x,
                to.top + row * to.pitch_y,
                to.tile_width,
                to.tile_height,
                (TUNING.strip_px, TUNING.strip_px),
            )
            apart = shown - apply_tint(wanted, one.tint)[1:-1, 1:-1]
            if (
                float(np.square(apart).sum(axis=2).mean())
                < TUNING.strip_match * texture
            ):
                return True
    return False


def _share_shown(scene: Scene, one: Assessment) -> float:
    """How much of the reference's width or height the homes cover, the smaller."""
    height, width = scene.picture.shape[:2]
    shown = one.alignment.picture
    return float(min(shown.width / width, shown.height / height))
