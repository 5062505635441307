"""From many places that may show the reference to the few that are worth a close look.

Those are settled: moved and scaled until the tiles lie on their homes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.decide import TUNING as DECIDE
from imgpuzzle.vision.decide import TUNING as JUDGE
from imgpuzzle.vision.decide import ranked, score_of
from imgpuzzle.vision.geometry.align import Alignment, settle
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import (
    covers,
    extensions,
    lies_inside,
    overlap,
)
from imgpuzzle.vision.reference.assess import Assessment, without_doubles
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.search.complete import goes_on, is_part_of_goal, shows_all
from imgpuzzle.vision.search.tuning import TUNING

Floats = NDArray[np.float32]


def shortlist(scene: Scene, alignments: Iterable[Alignment]) -> list[Assessment]:
    """Quick assessments, best first, without doubles of one grid and place."""
    inside = [one for one in alignments if _is_inside(scene, one.screen)]
    if len(inside) > TUNING.few_alignments:
        inside = _likely(scene, inside)
    quick = [scene.assess(one, TUNING.quick_tile_px, REFERENCE.inset) for one in inside]
    possible = [
        one for one in quick if not (one.is_vacant or is_part_of_goal(scene, one))
    ]
    return without_doubles(sorted(possible, key=score_of), DECIDE.same_match)


def _likely(scene: Scene, alignments: Sequence[Alignment]) -> list[Alignment]:
    """Those that are worth a tint of their own, the best first."""
    scores = [
        scene.rough_score(one, TUNING.quick_tile_px, REFERENCE.inset)
        for one in alignments
    ]
    order = sorted(range(len(scores)), key=scores.__getitem__)
    best = scores[order[0]]
    # Where nothing fits, all of them fit about as badly.
    limit = best + TUNING.rough_slack if best < TUNING.hopeless_score else best
    kept = [index for index in order if scores[index] <= limit]
    return [
        alignments[index]
        for index in max(kept, order[: TUNING.few_alignments], key=len)
    ]


def _is_inside(scene: Scene, lattice: Lattice) -> bool:
    if min(lattice.tile_width, lattice.tile_height) < TUNING.least_match_px:
        return False
    slack_x, slack_y = (
        TUNING.overhang * lattice.pitch_x,
        TUNING.overhang * lattice.pitch_y,
    )
    return lies_inside(lattice, scene.screen, slack_x, slack_y)


def choose(scene: Scene, alignments: Iterable[Alignment]) -> list[Assessment]:
    """The settled assessments of the likeliest alignments, best first."""
    quick = shortlist(scene, alignments)
    complete = _find_complete(scene, quick)
    if complete is not None:
        # Every grid cuts a complete picture into tiles at home.
        quick = elsewhere(complete, quick)
    settled = _settle_best(scene, quick[: TUNING.shortlist])
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
            if score_of(one) < score_of(best) + JUDGE.subdivision_slack:
                settled.append(settle_in(scene, one))
    if best.fits and (best.misfits or goes_on(scene, best)):
        # Tiles from elsewhere in the picture, or more at home: the board may go on.
        settled += _settle_best(scene, shortlist(scene, _extended(scene, best)))
    # A second board elsewhere must not go unnoticed.
    for one in quick:
        is_apart = not overlap(one.alignment.screen, box)
        if is_apart and one.residue < 2 * REFERENCE.clear_residue and not one.is_whole:
            settled.append(settle_in(scene, one))
            break
    return ranked(settled if complete is None else [*settled, complete])


def elsewhere(complete: Assessment, others: Iterable[Assessment]) -> list[Assessment]:
    """Those that are no cuts through a complete picture."""
    place = complete.alignment.screen
    return [
        one for one in others if not covers(one.alignment.screen, place, TUNING.covered)
    ]


def _find_complete(scene: Scene, quick: Sequence[Assessment]) -> Assessment | None:
    """The complete picture of the reference, where it stands beyond doubt."""
    wholes = [one for one in quick if one.is_whole and not one.is_shifted]
    for one in sorted(wholes, key=lambda one: one.residue)[: TUNING.most_wholes]:
        settled = settle_in(scene, one)
        if shows_all(scene, settled):
            return settled
    return None


def _settle_best(scene: Scene, quick: Sequence[Assessment]) -> list[Assessment]:
    """The first few settled, as long as they may still be the best; best first."""
    settled: list[Assessment] = []
    for one in quick[: TUNING.shortlist]:
        best_so_far = min((score_of(other) for other in settled), default=np.inf)
        # Settling mends a few px; it does not turn a wrong grid into a right one.
        if (
            best_so_far < TUNING.good_score
            and score_of(one) > best_so_far + TUNING.no_rival
        ):
            break
        if settled and score_of(one) > TUNING.hopeless_score:
            break
        if scene.is_chance(one, TUNING.quick_tile_px, REFERENCE.inset):
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
            or abs(np.log(aspect * shape.rows / shape.cols)) < TUNING.most_stretch
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


def settle_in(scene: Scene, one: Assessment) -> Assessment:
    known = scene.settled_before(one.alignment)
    if known is not None:
        return known
    start = one.alignment
    for sizes in TUNING.settle_px:
        moved = settle(
            scene.screen,
            scene.picture,
            one.alignment,
            one.tint,
            spread(one.pairs, TUNING.settle_pairs),
            sizes=sizes,
        )
        again = scene.assess(moved, TUNING.settled_tile_px, 0.1, one.tint)
        if again.residue > 1.2 * one.residue + 0.01:
            break
        one = again
        if one.residue < TUNING.exact_residue:
            break
    scene.note_settled(start, one)
    return one


def spread(pairs: list[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Pairs from all over the board, no more than are needed to measure with."""
    count = min(len(pairs), most)
    return [pairs[index * len(pairs) // count] for index in range(count)]
