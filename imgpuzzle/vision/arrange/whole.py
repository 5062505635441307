"""Is a tile missing? What speaks for a board of which every tile is there, in nats.

A board is laid with a hole and without one. What lies in the cell that the one takes
for empty joins its neighbours in the other as well as their sides join each other, if
it is a tile; an empty cell does not, and is mostly of one colour.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.kernels.assignment import assigned
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING
from imgpuzzle.vision.evidence import Evidence
from imgpuzzle.vision.geometry.colours import at_shares, median
from imgpuzzle.vision.seams.tuning import TUNING as SEAMS


def filled_nats(
    costs: Evidence, holed: Arrangement, whole: Arrangement, spread: float
) -> float:
    """How much likelier the seams and looks make it that no cell is empty.

    ``holed`` and ``whole`` are the best arrangements with a hole and without one, with
    what they cost by ``costs``; what these say of tiles at their places is left out.
    ``spread`` are the levels by which colours differ in the cell that may be empty.
    """
    gain, beside, flat = filled_signs(costs, holed, whole, spread)
    return (
        TUNING.filled_bias
        + TUNING.filled_gain * gain
        + TUNING.filled_beside * beside
        - TUNING.filled_flat * flat
        - costs.whole
    )


def filled_signs(
    costs: Evidence, holed: Arrangement, whole: Arrangement, spread: float
) -> tuple[float, float, float]:
    """What ``filled_nats`` weighs.

    What is gained by the cell that may be empty, how much better it joins than most
    others do, and from 0 to 1 whether it is of one colour.
    """
    pair = np.stack([holed.layout(), whole.layout()])
    placed = costs.place[np.arange(costs.shape.size), pair].sum(axis=1)
    gain = (holed.cost - placed[0]) - (whole.cost - placed[1])
    own, others = _seams(costs, whole, holed.blank)
    beside = 0.0
    if others:
        (usual,) = at_shares(np.array(others), (TUNING.usual_seam,), 0)
        beside = np.mean(own) - usual
    beside = np.clip(beside, -TUNING.least_beside, TUNING.most_beside)
    flat = math.exp(-spread / TUNING.flat_spread)
    return float(gain), float(beside), flat


def _seams(
    costs: Evidence, whole: Arrangement, cell: int
) -> tuple[list[float], list[float]]:
    """What speaks for each seam of a board, in nats: those of one cell, all others."""
    own: list[float] = []
    others: list[float] = []
    tables = costs.right, costs.below
    for table, (first, second) in zip(tables, whole.seams(), strict=True):
        for one, other in zip(first, second, strict=True):
            said = own if cell in (one, other) else others
            said.append(float(table[one, other]) / -SEAMS.trust)
    return own, others


def matched_nats(
    square: NDArray[np.float64], holed: Arrangement, spread: float
) -> float:
    """How much likelier a reference makes it that no cell is empty.

    ``square`` is what it costs that each cell shows each home (``assign.padded``), and
    ``spread`` the levels by which the colours in the empty cell differ. What lies there
    is compared with the blank's home: a tile fits its own as well as most others do
    theirs, or under a mark not quite so well, and an empty cell hardly better than any.
    """
    size = holed.shape.size
    costs = square[np.arange(size), np.array(holed.homes)]
    own, usual = costs[holed.blank], median(np.delete(costs, holed.blank))
    anywhere = median(square[holed.blank, :size])
    apart = (own - usual) / max(anywhere - usual, TUNING.least_apart)
    nats = TUNING.most_matched * (1.0 - max(apart, 0.0) / TUNING.matched_share)
    # A plain cell may fit a plain place: in the picture the blank may be drawn.
    shown = min(spread / TUNING.shown_spread, 1.0)
    return float(max(min(nats, shown * TUNING.most_matched), -TUNING.least_matched))


def cost_of_whole(
    square: NDArray[np.float64], holed: Arrangement, nats: float
) -> float:
    """What it costs that no cell is empty, if that is so much likelier, in nats.

    ``square`` is what each cell costs at each home (``assign.padded``), ``holed`` the
    best arrangement with an empty cell. It is compared with the best one of all tiles:
    of a picture that is plain in places the empty cell may be a tile there, in which
    other tiles have other homes.
    """
    size, cell, home = holed.shape.size, holed.blank, holed.homes[holed.blank]
    tiles = np.delete(square[np.arange(size), np.array(holed.homes)], cell).sum()
    whole, _ = assigned(size, np.ascontiguousarray(square[:size, :size]))
    return float(tiles + square[cell, size] + square[size, home] - whole - nats)


def numbered_nats(
    shape: Shape, scores: NDArray[np.float64]
) -> tuple[Arrangement, float, float]:
    """The board on which every number from 1 stands, how much likelier it is, its lead.

    ``scores`` are those of a series from 1 (``digits.in_series``), n x 100. The first
    number is by how many nats all numbers explain the cells better than all but one
    and a cell without any, the second the lead over another order of them.
    """
    count = shape.size
    costs = -scores[:, 1 : count + 1]
    cost, homes = assigned(count, np.ascontiguousarray(costs))
    whole = Arrangement(shape, tuple(homes), count, cost)
    padded = np.full((count + 1, count + 1), 4 * abs(costs).max() + 1.0)
    padded[:count, :count] = costs
    padded[:count, count] = -scores[:, 0]
    padded[count, :count] = 0.0
    holed, _ = assigned(count + 1, padded)
    lead = np.inf
    for cell, home in enumerate(whole.homes):
        other = costs.copy()
        other[cell, home] = padded[count, count]
        lead = min(lead, assigned(count, other)[0] - cost)
    return whole, holed - cost, lead
