"""From many board hypotheses to the one that explains the screenshot best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.errors import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.messages import Message, Refusal
from imgpuzzle.reading import Region
from imgpuzzle.vision.geometry.align import Alignment, settle
from imgpuzzle.vision.geometry.extending import extensions
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import (
    covers,
    is_part,
    is_same,
    lies_inside,
    overlap,
)
from imgpuzzle.vision.reference.assess import CLEAR_RESIDUE, Assessment
from imgpuzzle.vision.reference.complete import goes_on, is_part_of_goal, shows_all
from imgpuzzle.vision.reference.scene import INSET, Scene

__all__ = ["SETTLE_PX", "choose", "elsewhere"]

Floats = NDArray[np.float32]

QUICK_PX = 10
SETTLED_PX = 16
SETTLE_PX = ((8, 16), (16, 32))
SHORTLIST = 5
FEW_ALIGNMENTS = 12
ROUGH_SLACK = 0.25
GOOD_SCORE = 0.06
NO_RIVAL = 0.05
HOPELESS_SCORE = 0.55
EXACT_RESIDUE = 0.004
SHARP_RESIDUE = 0.05
MAX_RESIDUE = 0.3
MAX_DETAIL = 0.7
MAX_MISFITS = 0.2
AMBIGUOUS = 0.01
SUBDIVISION_SLACK = 0.06
FLAT_HOLE = 0.05
LIVELY_HOLE = 0.7
MAX_TILE_STRETCH = 0.8
FEW_MISFITS = 0.1
MOST_PAIRS = 40
OVERHANG = 0.15
MIN_TILE_PX = 16
MOST_WHOLES = 2


def shortlist(scene: Scene, alignments: Iterable[Alignment]) -> list[Assessment]:
    """Quick assessments, best first, without doubles of one grid and place."""
    inside = [one for one in alignments if _is_inside(scene, one.screen)]
    if len(inside) > FEW_ALIGNMENTS:
        inside = _likely(scene, inside)
    quick = [scene.assess(one, QUICK_PX, INSET) for one in inside]
    possible = [
        one for one in quick if not (one.is_vacant or is_part_of_goal(scene, one))
    ]
    return _without_doubles(sorted(possible, key=_score))


def _likely(scene: Scene, alignments: Sequence[Alignment]) -> list[Alignment]:
    """Those that are worth a tint of their own, the best first."""
    scores = [scene.rough_score(one, QUICK_PX, INSET) for one in alignments]
    order = sorted(range(len(scores)), key=scores.__getitem__)
    limit = scores[order[0]] + ROUGH_SLACK
    kept = [index for index in order if scores[index] <= limit]
    return [alignments[index] for index in max(kept, order[:FEW_ALIGNMENTS], key=len)]


def _is_inside(scene: Scene, lattice: Lattice) -> bool:
    if min(lattice.tile_width, lattice.tile_height) < MIN_TILE_PX:
        return False
    slack_x, slack_y = OVERHANG * lattice.pitch_x, OVERHANG * lattice.pitch_y
    return lies_inside(lattice, scene.screen, slack_x, slack_y)


def choose(scene: Scene, alignments: Iterable[Alignment]) -> list[Assessment]:
    """The settled assessments of the likeliest alignments, best first."""
    quick = shortlist(scene, alignments)
    complete = _find_complete(scene, quick)
    if complete is not None:
        # Every grid cuts a complete picture into tiles at home.
        quick = elsewhere(complete, quick)
    settled = _settle_best(scene, quick[:SHORTLIST])
    if not settled:
        return [] if complete is None else [complete]
    best = settled[0]
    box = best.alignment.screen
    if best.best.is_nearly_solved:
        # Tiles at home are explained by every grid: only the others show which.
        recut = _recut(best.alignment, scene.shapes)
        settled += _settle_best(scene, shortlist(scene, recut))
    else:
        coarser = [shape for shape in scene.shapes if _divides(shape, box.shape)]
        for one in shortlist(scene, _recut(best.alignment, coarser)):
            if _score(one) < _score(best) + SUBDIVISION_SLACK:
                settled.append(settle_in(scene, one))
    if best.fits and (best.misfits or goes_on(scene, best)):
        # Tiles from elsewhere in the picture, or more at home: the board may go on.
        settled += _settle_best(scene, shortlist(scene, _extended(scene, best)))
    # A second board elsewhere must not go unnoticed.
    for one in quick:
        is_apart = not overlap(one.alignment.screen, box)
        if is_apart and one.residue < 2 * CLEAR_RESIDUE and not one.is_whole:
            settled.append(settle_in(scene, one))
            break
    return ranked(settled if complete is None else [*settled, complete])


def elsewhere(complete: Assessment, others: Iterable[Assessment]) -> list[Assessment]:
    """Those that are no cuts through a complete picture."""
    place = complete.alignment.screen
    return [one for one in others if not covers(one.alignment.screen, place)]


def _find_complete(scene: Scene, quick: Sequence[Assessment]) -> Assessment | None:
    """The complete picture of the reference, where it stands beyond doubt."""
    wholes = [one for one in quick if one.is_whole and not one.is_shifted]
    for one in sorted(wholes, key=lambda one: one.residue)[:MOST_WHOLES]:
        settled = settle_in(scene, one)
        if shows_all(scene, settled):
            return settled
    return None


def _settle_best(scene: Scene, quick: Sequence[Assessment]) -> list[Assessment]:
    """The first few settled, as long as they may still be the best; best first."""
    settled: list[Assessment] = []
    for one in quick[:SHORTLIST]:
        best_so_far = min((_score(other) for other in settled), default=np.inf)
        # Settling mends a few px; it does not turn a wrong grid into a right one.
        if best_so_far < GOOD_SCORE and _score(one) > best_so_far + NO_RIVAL:
            break
        if settled and _score(one) > HOPELESS_SCORE:
            break
        if scene.is_chance(one, QUICK_PX, INSET):
            continue
        settled.append(settle_in(scene, one))
    return ranked(settled)


def _recut(alignment: Alignment, shapes: Sequence[Shape]) -> list[Alignment]:
    """The same boxes in other grids, with tiles that are not oddly long."""
    aspect = alignment.screen.width / alignment.screen.height
    return [
        Alignment(_cut_up(alignment.screen, shape), _cut_up(alignment.picture, shape))
        for shape in shapes
        if shape != alignment.screen.shape
        and (
            len(shapes) == 1
            or abs(np.log(aspect * shape.rows / shape.cols)) < MAX_TILE_STRETCH
            or shape.rows == shape.cols
        )
    ]


def _extended(scene: Scene, one: Assessment) -> list[Alignment]:
    """The same tiles as a part of larger boards."""
    (high, wide), (rows, cols) = scene.screen.shape[:2], scene.picture.shape[:2]
    return extensions(one.alignment, (high, wide), (rows, cols), scene.shapes)


def _cut_up(lattice: Lattice, shape: Shape) -> Lattice:
    box = (lattice.left, lattice.top, lattice.width, lattice.height)
    return Lattice.from_box(shape, *box)


def _divides(coarse: Shape, fine: Shape) -> bool:
    return fine.rows % coarse.rows == 0 and fine.cols % coarse.cols == 0


def ranked(settled: Iterable[Assessment]) -> list[Assessment]:
    """Sorted, the best first, one for each grid and place.

    Boards in play come before solved ones: a picture with all tiles at home is
    more often the goal, shown beside the board with something lying over it.
    """

    found = list(settled)
    some_convince = any(is_convincing([one]) for one in found)

    def key(one: Assessment) -> tuple[bool, float]:
        # What convinces may be a page still: a board of which a few tiles are
        # covered, or show what the reference does not, is weighed against it.
        few = len(one.misfits) <= FEW_MISFITS * one.best.shape.size
        in_play = few and one.fits and not one.best.is_solved
        return not (some_convince and in_play), _score(one)

    return _without_doubles(sorted(found, key=key))


def _without_doubles(ordered: Iterable[Assessment]) -> list[Assessment]:
    kept: list[Assessment] = []
    for one in ordered:
        mine = one.alignment.screen
        if not any(is_same(mine, other.alignment.screen) for other in kept):
            kept.append(one)
    return kept


def _score(one: Assessment) -> float:
    # The complete picture is the goal, or a solved board without a visible grid.
    return one.score + (10.0 if one.is_whole else 0.0)


def is_convincing(settled: Sequence[Assessment]) -> bool:
    """Whether the best of them is a board in play that leaves little unexplained."""
    return bool(settled) and settled[0].is_clear and not settled[0].best.is_solved


def is_settled(settled: Sequence[Assessment]) -> bool:
    """Whether nothing else needs to be tried: the best convinces, without a rival.

    A hole as lively as the tiles is rare, and common where no board is.
    """
    return (
        is_convincing(settled)
        and settled[0].hole < LIVELY_HOLE
        and _rival(settled, _coarsest(settled)) is None
    )


def are_two_boards(settled: Sequence[Assessment]) -> bool:
    """Whether two boards in two places convince: no more can be found out."""
    if not is_convincing(settled):
        return False
    best = _coarsest(settled)
    rival = _rival(settled, best)
    return rival is not None and not overlap(
        best.alignment.screen, rival.alignment.screen
    )


def settle_in(scene: Scene, one: Assessment) -> Assessment:
    known = scene.settled_before(one.alignment)
    if known is not None:
        return known
    start = one.alignment
    for sizes in SETTLE_PX:
        moved = settle(
            scene.screen,
            scene.picture,
            one.alignment,
            one.tint,
            spread(one.pairs, MOST_PAIRS),
            sizes=sizes,
        )
        again = scene.assess(moved, SETTLED_PX, 0.1)
        if again.residue > 1.2 * one.residue + 0.01:
            break
        one = again
        if one.residue < EXACT_RESIDUE:
            break
    scene.note_settled(start, one)
    return one


def spread(pairs: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Pairs from all over the board, no more than are needed to measure with."""
    count = min(len(pairs), most)
    return [pairs[index * len(pairs) // count] for index in range(count)]


def pick(
    settled: Sequence[Assessment], left: float = 0.0, top: float = 0.0
) -> Assessment:
    """The best assessment; raises when nothing fits, or two things fit equally.

    ``left`` and ``top`` are added to the places that are named then.
    """
    if not settled:
        raise BoardNotFoundError(Message(Refusal.NO_PIECES))
    best = _coarsest(settled)
    wholes = [one for one in settled if one.is_whole]
    whole = next((one for one in wholes if one.is_complete), next(iter(wholes), None))
    if whole is not None and not best.is_clear:
        place = _place(whole, left, top)
        message = Message(Refusal.COMPLETE_PICTURE, place=place)
        raise BoardNotFoundError(message, place)
    misfits = len(best.misfits) / best.best.shape.size
    if best.residue > MAX_RESIDUE or best.detail > MAX_DETAIL or misfits > MAX_MISFITS:
        raise BoardNotFoundError(Message(Refusal.NO_PIECES))
    rival = _rival(settled, best)
    if rival is None:
        return best
    if overlap(best.alignment.screen, rival.alignment.screen):
        raise GridAmbiguousError(
            Message(Refusal.TWO_GRIDS, one=best.best.shape, other=rival.best.shape),
            (best.best.shape, rival.best.shape),
        )
    raise two_boards(best, rival, left, top)


def two_boards(
    best: Assessment, rival: Assessment, left: float = 0.0, top: float = 0.0
) -> GridAmbiguousError:
    """What is to be raised for two boards in two places."""
    regions = _place(best, left, top), _place(rival, left, top)
    return GridAmbiguousError(
        Message(Refusal.TWO_MATCHES, one=regions[0], other=regions[1]),
        (best.best.shape, rival.best.shape),
        regions,
    )


def _place(one: Assessment, left: float, top: float) -> Region:
    box = one.alignment.screen
    sides = (box.left + left, box.top + top, box.width, box.height)
    return Region(*(round(side) for side in sides))


def _rival(settled: Sequence[Assessment], best: Assessment) -> Assessment | None:
    """Another board elsewhere, or another grid that is as good."""
    for other in settled:
        if other is best or not is_convincing([other]):
            continue
        if not overlap(best.alignment.screen, other.alignment.screen):
            if other.best.is_same(best.best):
                continue  # a preview of the same position
            # Parts of a page match soft parts of the reference, more or less, with
            # anything in the hole.
            if other.residue < SHARP_RESIDUE or other.hole < LIVELY_HOLE:
                return other
            continue
        if is_part(other.alignment.screen, best.alignment.screen):
            continue
        if other.score < best.score + AMBIGUOUS and not _is_subdivision(other, best):
            return other
    return None


def _coarsest(settled: Sequence[Assessment]) -> Assessment:
    """The best assessment, or a coarser grid whose tiles it only cuts further.

    Blocks that stay together in a shuffle are tiles. But in a board nearly in
    order the coarser grid may take all that is not in order for its hole.
    """
    best = _largest(settled)
    for other in settled[1:]:
        if (
            other.best.shape.size < best.best.shape.size
            and other.score < best.score + SUBDIVISION_SLACK
            and (other.hole < FLAT_HOLE or not other.best.is_nearly_solved)
            and not other.is_whole
            and _is_subdivision(best, other)
        ):
            best = other
    return best


def _largest(settled: Sequence[Assessment]) -> Assessment:
    """The best assessment, or a board that it is only a part of."""
    best = settled[0]
    for other in settled[1:]:
        likely = other.score < best.score + SUBDIVISION_SLACK
        if (
            likely
            and is_convincing([other])
            and is_part(best.alignment.screen, other.alignment.screen)
        ):
            best = other
    return best


def _is_subdivision(one: Assessment, other: Assessment) -> bool:
    """Whether one grid only cuts the tiles of the other, which move as blocks."""
    coarse, fine = sorted((one.best, other.best), key=lambda a: a.shape.size)
    if coarse.shape == fine.shape:
        return True
    down, rest_down = divmod(fine.shape.rows, coarse.shape.rows)
    across, rest_across = divmod(fine.shape.cols, coarse.shape.cols)
    if rest_down or rest_across:
        return False
    kept = total = 0
    for cell, home in enumerate(fine.homes):
        row, col = fine.shape.row_col(cell)
        block = coarse.shape.cell(row // down, col // across)
        if block == coarse.blank:
            continue
        block_row, block_col = coarse.shape.row_col(coarse.homes[block])
        expected = fine.shape.cell(
            block_row * down + row % down, block_col * across + col % across
        )
        kept += home == expected
        total += 1
    return kept > 0.5 * total
