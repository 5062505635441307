"""Piece a picture together whose tiles lie turned, from its tiles alone.

Each tile is as many pieces as it has turns. Where tiles are at home only their turns
are sought; elsewhere the whole picture may lie in any turn, for no seam tells.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange import growing, piecing
from imgpuzzle.vision.arrange.assemble import Reassembly
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING
from imgpuzzle.vision.evidence import NEVER, Evidence, Layouts, cells_of, turn
from imgpuzzle.vision.seams.joins import (
    Joins,
    as_they_lie,
    quality_of,
    seam_evidence,
    seen_as_they_lie,
)
from imgpuzzle.vision.seams.tuning import TUNING as SEAMS


def arrange_turned(
    tiles: NDArray[np.uint8], shape: Shape, joins: Joins, *, at_home: bool
) -> Reassembly:
    """The likeliest ways to lay tiles (n x h x w x 3), each in one of its turns.

    With ``at_home`` each lies where it belongs; else the picture is told in the way up
    in which its upper half is the lightest.
    """
    costs = seam_evidence(joins, shape)
    costs.hole[:] = NEVER
    if at_home:
        homes = np.arange(shape.size)
        costs.place[:] = NEVER
        for way in range(joins.turns):
            costs.place[homes, homes + way * shape.size] = 0.0
        layouts = _in_place(costs)
    else:
        layouts = growing.search(costs)
    near = [piecing.neighbours_of(shape, one, joins.turns) for one in layouts[:3]]
    pool = np.concatenate([layouts, *near])
    totals = costs.total(pool)
    found: dict[bytes, tuple[Layouts, float]] = {}
    for number in np.argsort(totals, kind="stable"):
        if totals[number] >= NEVER / 2 or len(found) > TUNING.most_rivals:
            break
        one = pool[number]
        if not at_home:
            one = min(whole_turns(shape, one, joins.turns), key=_first)
        found.setdefault(one.tobytes(), (one, float(totals[number])))
    laid, costs_of = zip(*found.values(), strict=True)
    if not at_home:
        light = tiles.mean(axis=(1, 2, 3))
        ways = [[*whole_turns(shape, one, joins.turns)] for one in laid]
        up = _lightest_above(shape, ways[0], joins.turns, light)
        laid = tuple(one[up] for one in ways)
    best, *others = (
        arrangement(shape, one, joins.turns, cost)
        for one, cost in zip(laid, costs_of, strict=True)
    )
    margin = others[0].cost - best.cost if others else 4 * TUNING.certain_nats
    quality = _quality(shape, joins, laid[0])
    return Reassembly(best, tuple(others), margin, (), quality)


def _in_place(costs: Evidence) -> Layouts:
    """The best layouts of tiles that are at home, by beams along rows and columns."""
    mirrored = costs.turned()
    across = piecing.beam(mirrored, TUNING.turned_beam)
    return np.concatenate(
        [piecing.beam(costs, TUNING.turned_beam), turn(across, mirrored.shape)]
    )


def whole_turns(shape: Shape, layout: Layouts, turns: int) -> Iterator[Layouts]:
    """The same picture in each turn in which it fits onto the board, upright first."""
    grid, step = layout.reshape(shape.rows, shape.cols), 4 // turns
    for way in range(turns):
        if shape.rows == shape.cols or (way * step) % 2 == 0:
            turned = np.rot90(grid, way * step) + way * shape.size
            yield (turned % (turns * shape.size)).ravel().astype(np.int16)


def _lightest_above(
    shape: Shape, ways: list[Layouts], turns: int, light: NDArray[np.float64]
) -> int:
    """Which of some layouts has the lightest upper half: pictures are mostly lit so.

    ``light`` is how light the tile in each cell is.
    """
    weights = np.linspace(1.0, -1.0, shape.rows)

    def above(way: int) -> float:
        rows = light[cells_of(ways[way], turns)].reshape(shape.rows, shape.cols)
        return float(weights @ rows.mean(axis=1))

    return max(range(len(ways)), key=above)


def _first(layout: Layouts) -> int:
    """Which turn the tile in the first cell lies in."""
    count = len(layout)
    return int(layout[np.flatnonzero(layout % count == 0)[0]])


def arrangement(
    shape: Shape, layout: Layouts, turns: int, cost: float = 0.0
) -> Arrangement:
    """A layout of pieces as an arrangement."""
    cells = cells_of(layout, turns)
    homes, quarters = np.empty((2, shape.size), int)
    homes[cells] = np.arange(shape.size)
    quarters[cells] = layout // shape.size * (4 // turns)
    tiles = tuple(homes.tolist()), shape.size, cost, tuple(quarters.tolist())
    return Arrangement(shape, *tiles)


def layout_of(one: Arrangement, turns: int) -> Layouts:
    """An arrangement as a layout of pieces."""
    cells = np.argsort(one.homes)
    ways = np.array(one.turns or cells * 0)[cells] // (4 // turns)
    return np.asarray(cells + ways * one.shape.size, np.int16)


def _quality(shape: Shape, joins: Joins, layout: Layouts) -> float:
    """From 0 to 1 how natural those joins are that are not seen as it lies."""
    grid = layout.reshape(shape.rows, shape.cols)
    seen = seen_as_they_lie(shape, joins.turns)
    fresh: list[float] = []
    gained = 0.0
    now = next(as_they_lie(shape, joins.turns))
    for table, known, cut in (
        (joins.right, seen[0], (np.s_[:, :-1], np.s_[:, 1:])),
        (joins.below, seen[1], (np.s_[:-1], np.s_[1:])),
    ):
        first, second = grid[cut[0]], grid[cut[1]]
        nats = table[first, second]
        gained += float(nats.sum() - table[now[cut[0]], now[cut[1]]].sum())
        fresh.extend(nats[~known[first, second]].tolist())
    if not fresh:
        return 0.0
    trust = 1.0 - np.exp(-max(gained, 0.0) / SEAMS.gain_nats)
    return float(trust) * quality_of(float(np.mean(fresh)))
