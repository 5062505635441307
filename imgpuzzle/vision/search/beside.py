"""A second board of the same reference, elsewhere on the screen.

The search ends with the first board that convinces, and what supports another one
is then easily mistaken for chance. So the grids off the board are looked at once more
by themselves. The goal, shown as a picture in order, is no second board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import covers, overlap
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.search.locate import settle_in
from imgpuzzle.vision.search.tuning import TUNING


def board_beside(
    scene: Scene,
    grids: Sequence[Alignment],
    best: Assessment,
    wanted: Callable[[Lattice], bool],
) -> Assessment | None:
    """Another board in play that shows the reference, or ``None``.

    ``grids`` are what the screen shows by itself, ``best`` is the board that was found,
    and ``wanted`` says which places come into question.
    """
    at = best.alignment.screen
    apart = [one for one in grids if not overlap(one.screen, at) and wanted(one.screen)]
    # Any grid shows that a picture is in order, and coarse ones are quick.
    apart.sort(key=lambda one: (one.screen.shape != at.shape, one.screen.shape.size))
    goals: list[Lattice] = []
    likely: list[Assessment] = []
    for alignment in apart:
        if any(covers(alignment.screen, goal, TUNING.covered) for goal in goals):
            continue
        if (
            scene.rough_score(alignment, TUNING.quick_tile_px, REFERENCE.inset)
            > TUNING.likely_residue
        ):
            continue
        one = scene.assess(alignment, TUNING.quick_tile_px, REFERENCE.inset)
        if _is_goal(one):
            goals.append(alignment.screen)
        elif _is_likely(one):
            likely.append(one)
    likely.sort(key=lambda one: one.score)
    for one in likely[: TUNING.most_beside]:
        if any(covers(one.alignment.screen, goal, TUNING.covered) for goal in goals):
            continue
        found = settle_in(scene, one)
        is_apart = not overlap(found.alignment.screen, at)
        is_news = is_apart and not found.best.is_same(best.best)
        if is_news and _is_as_good(found, best) and _is_in_play(found):
            return found
    return None


def _is_likely(one: Assessment) -> bool:
    """Whether it is worth the work to look more closely."""
    few = len(one.misfits) <= TUNING.likely_misfits * one.best.shape.size
    return few and one.residue < TUNING.likely_residue and not one.is_vacant


def _is_goal(one: Assessment) -> bool:
    """Whether all that is to be seen there lies as in the reference."""
    in_order = one.is_whole or one.best.is_solved
    return in_order and one.residue < TUNING.beside_residue


def _is_as_good(one: Assessment, best: Assessment) -> bool:
    """Whether a board shows what the one that was found shows, and about as well."""
    residue = max(TUNING.beside_residue, TUNING.beside_worse * best.residue)
    detail = max(TUNING.beside_detail, TUNING.beside_worse * best.detail)
    mine, theirs = one.alignment.picture, best.alignment.picture
    return (
        one.residue < residue
        and one.detail < detail
        and not one.misfits
        and mine.width > TUNING.least_shown * theirs.width
        and mine.height > TUNING.least_shown * theirs.height
    )


def _is_in_play(one: Assessment) -> bool:
    """Whether tiles lie there in disorder, not a picture with something over it."""
    if one.best.is_solved or one.is_whole or one.is_half_empty:
        return False
    shape = one.best.shape
    steps = {}
    for cell, home in enumerate(one.best.homes):
        (row, col), (to_row, to_col) = shape.row_col(cell), shape.row_col(home)
        steps[cell] = to_row - row, to_col - col
    down, across = Counter(steps.values()).most_common(1)[0][0]
    moved = 0
    for cell, step in steps.items():
        if cell == one.best.blank or step == (down, across):
            continue
        row, col = shape.row_col(cell)
        row, col = row + down, col + across
        if not (0 <= row < shape.rows and 0 <= col < shape.cols):
            moved += 1
            continue
        mine = float(one.mse[cell, one.best.homes[cell]])
        moved += mine < TUNING.elsewhere * float(one.mse[cell, shape.cell(row, col)])
    return moved >= TUNING.least_moved
