"""Piece a shuffled picture together from its tiles alone, under the puzzle's rules.

One cell is empty and the picture lacks one tile, or every tile is there; tiles keep
their orientation, and positions from which the goal cannot be reached are unlikely.
Costs are nats, so the margin over the next arrangement says how sure the best one is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange import growing, piecing
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.dimmed import (
    DimmedCosts,
    dimmest,
    total_with,
    with_dimmed,
)
from imgpuzzle.vision.arrange.tuning import TUNING
from imgpuzzle.vision.arrange.verdict import Weighed
from imgpuzzle.vision.arrange.whole import filled_nats
from imgpuzzle.vision.blank import emptiness_nats, framed_nats, spreads
from imgpuzzle.vision.evidence import NEVER, Evidence, left_out
from imgpuzzle.vision.seams.joins import (
    Joins,
    seam_quality,
)
from imgpuzzle.vision.seams.tuning import TUNING as SEAMS

Tiles = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reassembly:
    """The best assembly, its rivals and how far they are.

    ``margin_nats`` is the distance to the cheapest board that looks different;
    ``doubtful`` are the cells that close rivals or equal tiles leave open.
    ``seam_quality`` is from 0 (joins as between strangers) to 1. All that are of one
    kind, with an empty cell or without: ``other_kind`` is the best of the other.
    """

    best: Arrangement
    alternatives: tuple[Arrangement, ...]
    margin_nats: float
    doubtful: tuple[int, ...]
    seam_quality: float
    other_kind: Weighed | None = None


def arrange(
    evidence: Evidence, tiles: Tiles, dimmed_in: Joins | None = None
) -> Reassembly:
    """The likeliest arrangements of tiles (n x h x w x 3) by all that is known.

    With ``dimmed_in``, how the tiles join, a likely blank is also taken for the
    missing piece, dimmed.
    """
    layouts = growing.search(evidence)
    dimmed: DimmedCosts = {}
    if dimmed_in is not None:
        shows = emptiness_nats(tiles) > TUNING.shows_nats
        layouts, dimmed = with_dimmed(
            dimmed_in.edges, dimmed_in.lag, evidence, layouts, shows
        )
    return _weigh(tiles, evidence, layouts, dimmed, dimmed_in)


def equal_tiles(tiles: Tiles) -> tuple[int, ...]:
    """A class number for each tile; tiles of one class look the same.

    ``tiles`` is n x h x w x 3. Small differences everywhere, as JPEG makes
    them, are tolerated; a difference in one place is not.
    """
    small = np.stack([cv2.blur(tile, (3, 3)) for tile in tiles])
    means = np.array([cv2.mean(tile)[:3] for tile in small])
    classes: list[int] = []
    firsts: list[int] = []
    for number in range(len(tiles)):
        for known, first in enumerate(firsts):
            if np.abs(means[number] - means[first]).max() > TUNING.equal_mean:
                continue
            apart = cv2.absdiff(small[number], small[first])
            if apart.mean() < TUNING.equal_mean and apart.max() <= TUNING.equal_most:
                classes.append(known)
                break
        else:
            classes.append(len(firsts))
            firsts.append(number)
    return tuple(classes)


def _weigh(
    tiles: Tiles,
    costs: Evidence,
    layouts: NDArray[np.int16],
    dimmed: DimmedCosts,
    joins: Joins | None,
) -> Reassembly:
    """Rank the layouts and those near the best, reachable ones first."""
    shape = costs.shape
    pool = np.concatenate(
        [
            layouts,
            *(piecing.neighbours_of(shape, one) for one in layouts[:3]),
            _cycles(costs, layouts[0]),
        ]
    )
    totals = total_with(dimmed, costs, pool)
    classes = equal_tiles(tiles)
    looks = np.append(np.array(classes), -1).astype(np.int16)[pool]
    unused = left_out(pool)
    ranked: tuple[dict[bytes, Arrangement], ...] = ({}, {})
    for number in np.argsort(totals, kind="stable"):
        kind = ranked[int(unused[number] == shape.size)]
        if totals[number] >= NEVER / 2:
            break
        if len(kind) >= TUNING.most_layouts:
            continue
        # Layouts that look equal differ in nothing that is visible.
        key = looks[number].tobytes() + unused[number].tobytes()
        if key not in kind:
            cost = float(totals[number])
            kind[key] = _assembly(shape, pool[number], cost, classes)
    kinds = [list(kind.values()) for kind in ranked]
    found, other = _of_one_kind(tiles, costs, kinds, joins)
    best = _likeliest(found)
    others = sorted((one for one in found if one is not best), key=best.lead_over)
    margin = best.lead_over(others[0]) if others else 4 * TUNING.certain_nats
    close = [one for one in others if best.lead_over(one) < TUNING.certain_nats]
    told = others[:8]
    if not best.is_reachable:
        # The nearest that can be solved is told, however far it is.
        solvable = (one for one in others[8:] if one.is_reachable)
        told += [] if any(one.is_reachable for one in told) else islice(solvable, 1)
    doubtful = {
        cell
        for other in close
        for cell in range(shape.size)
        if _content(other, cell) != _content(best, cell)
    }
    used = [c for cell, c in enumerate(classes) if cell != best.blank]
    doubtful |= {
        cell
        for cell, c in enumerate(classes)
        if cell != best.blank and used.count(c) > 1
    }
    laid = best.layout()
    nats = costs.right / -SEAMS.trust, costs.below / -SEAMS.trust
    quality = seam_quality(shape, nats, laid, best.blank)
    return Reassembly(
        best,
        tuple(told),
        float(margin),
        tuple(sorted(doubtful)),
        quality,
        other,
    )


def _likeliest(found: list[Arrangement]) -> Arrangement:
    return min(found, key=lambda one: one.cost + one.unlikely)


def _of_one_kind(
    tiles: Tiles,
    costs: Evidence,
    kinds: list[list[Arrangement]],
    joins: Joins | None,
) -> tuple[list[Arrangement], Weighed | None]:
    """The arrangements of the likelier kind, and the best of the other one.

    ``kinds`` are those with an empty cell and those without.
    """
    if not all(kinds):
        return kinds[0] or kinds[1], None
    holed, whole = map(_likeliest, kinds)
    found = kinds[0]
    spread = float(spreads(tiles[holed.blank][None])[0])
    nats = filled_nats(costs, holed, whole, spread) + framed_nats(tiles, holed.blank)
    if nats > -TUNING.holed_nats and joins is not None:
        # A cell that may be empty may show the missing piece, too.
        cell, said = dimmest(joins, whole, holed.blank)
        nats -= said
        if cell != holed.blank:
            found = [one for one in found if one.blank == cell] or [
                _without(costs, whole, cell)
            ]
            holed = _likeliest(found)
    if nats > 0.0:
        return kinds[1], Weighed(nats, holed)
    return found, Weighed(-nats, whole)


def _without(costs: Evidence, whole: Arrangement, cell: int) -> Arrangement:
    """A board of which every tile was there, with a hole in a cell of it."""
    layout = whole.layout()
    layout[whole.homes[cell]] = whole.shape.size
    cost = float(costs.total(layout[None])[0])
    return replace(whole, blank=cell, cost=cost)


def _content(assembly: Arrangement, cell: int) -> tuple[bool, int]:
    return cell == assembly.blank, assembly.homes[cell]


def _assembly(
    shape: Shape, layout: NDArray[np.int16], cost: float, classes: tuple[int, ...]
) -> Arrangement:
    count = shape.size
    homes = [-1] * count
    hole = -1
    for home, cell in enumerate(layout):
        if cell == count:
            hole = home
        else:
            homes[int(cell)] = home
    # Of tiles that look the same those stay where they lie that may.
    laid = layout.tolist()
    for cell, kind in enumerate(classes):
        home, twin = homes[cell], laid[cell]
        if home not in (-1, cell) and twin < count and classes[twin] == kind:
            homes[cell], homes[twin] = cell, home
            laid[cell], laid[home] = cell, twin
    if hole < 0:
        return Arrangement(shape, tuple(homes), count, cost)
    blank = homes.index(-1)
    homes[blank] = hole
    found = Arrangement(shape, tuple(homes), blank, cost)
    pair = _equal_pair(classes, blank)
    if pair is None or found.is_reachable:
        return found
    # They look the same: only what can be reached decides.
    one, other = pair
    homes[one], homes[other] = homes[other], homes[one]
    return replace(found, homes=tuple(homes))


def _equal_pair(classes: tuple[int, ...], blank: int) -> tuple[int, int] | None:
    seen: dict[int, int] = {}
    for cell, number in enumerate(classes):
        if cell == blank:
            continue
        if number in seen:
            return seen[number], cell
        seen[number] = cell
    return None


def _cycles(costs: Evidence, layout: NDArray[np.int16]) -> NDArray[np.int16]:
    """Exchanges of three among the homes whose tiles are the easiest to exchange."""
    count = len(layout)
    first, second = np.triu_indices(count, 1)
    swaps = np.repeat(layout[None], len(first), axis=0)
    index = np.arange(len(first))
    swaps[index, first], swaps[index, second] = layout[second], layout[first]
    totals = costs.total(swaps)
    ease = np.full(count, np.inf)
    np.minimum.at(ease, first, totals)
    np.minimum.at(ease, second, totals)
    loose = np.argsort(ease)[:14]
    found = []
    for a in loose:
        for b in loose:
            for c in loose:
                if a < b and a < c and b != c:
                    one = layout.copy()
                    one[[a, b, c]] = layout[[b, c, a]]
                    found.append(one)
    easiest = np.argsort(totals)[:24]
    for number, one in enumerate(easiest):
        for other in easiest[:number]:
            both = swaps[one].copy()
            i, j = first[other], second[other]
            both[[i, j]] = both[[j, i]]
            found.append(both)
    return np.stack(found) if found else layout[None]
