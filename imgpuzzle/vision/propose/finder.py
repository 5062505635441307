"""The lattices that a small net sees in a screen.

It looks at the whole screen, then once more at each likely place (see ``maps``). A
lattice costs what the maps would have to be changed for it (the cross entropy of its
lines and what the net drew), in nats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import distinct, joint_share
from imgpuzzle.vision.propose.boxes import Box, sets_of_equals
from imgpuzzle.vision.propose.maps import Look, look_at
from imgpuzzle.vision.propose.tuning import TUNING

if TYPE_CHECKING:
    from imgpuzzle.core.reading import Region
    from imgpuzzle.files.image import Image

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

LEAST_CLEAR = 0.02
"""No map is believed to be surer than this: no px says more than 4 nats."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A lattice that the net saw, without gaps, and what it costs in nats."""

    lattice: Lattice
    cost: float


@dataclass(frozen=True, slots=True)
class _Row:
    """Evenly spaced lines along one axis of the maps: ``count`` tiles from to."""

    cost: float
    count: int
    first: float
    last: float


def seen_lattices(
    screen: Image,
    shapes: Sequence[Shape],
    *,
    region: Region | None = None,
    boxes: Callable[[], Sequence[Box]] = tuple,
) -> list[Seen]:
    """Lattices of the given shapes, without gaps, the likeliest first.

    ``screen`` is H x W x 3, RGB. With a ``region``, which may be rough, only that place
    is looked at, and only what fills it about is returned. ``boxes`` are other places
    of boards, the likeliest first; they are asked for where nothing sure is seen.
    """
    wanted = set(shapes)
    if region is not None:
        box = (region.left, region.top, region.width, region.height)
        found = list(_in_place(screen, box, wanted))
        found = [
            one
            for one in found
            if joint_share(one.lattice, region) >= TUNING.least_agreement
        ]
    else:
        found = _searched(screen, wanted, boxes)
    found.sort(key=lambda one: one.cost)
    return distinct(found, attrgetter("lattice"), TUNING.same_grid)[: TUNING.most_seen]


def _searched(
    screen: Image, wanted: Collection[Shape], boxes: Callable[[], Sequence[Box]]
) -> list[Seen]:
    """What the net sees in the places that look like boards.

    A board that is small on its screen may not show in a view of the whole of it: where
    nothing is sure, ``boxes`` are looked at, too.
    """
    height, width = screen.shape[:2]
    whole = look_at(screen, (0, 0, width, height), TUNING.finder_side_px)
    blobs = [_on_screen(whole, box) for box in _blobs(whole.maps[0])]
    lined = [_on_screen(whole, box) for box in _combed(whole, most=2)]
    middle = (0.1 * width, 0.1 * height, 0.8 * width, 0.8 * height)
    places = [*blobs[:1], *lined, *blobs[1:3]] or [middle]
    looked: list[Box] = []
    found = _seen_at(screen, places, wanted, looked)
    is_sure = min((one.cost for one in found), default=math.inf) < TUNING.unsure_cost
    # A screen that is hardly reduced was shown as well as its parts would be.
    if is_sure or width * height < (2 * TUNING.finder_side_px) ** 2:
        return found
    most = TUNING.small_share * width * height
    known = boxes()
    small = [box for box in known if box[2] * box[3] < most]
    sets = sets_of_equals(known)[: TUNING.most_sets]
    hulls = [_box_of(at) for at, _ in sets]
    more = _seen_at(screen, [*hulls, *small][: TUNING.most_boxes], wanted, looked)
    # The net hardly knows tiles far apart on a ground that is not plain.
    more += [
        Seen(at, TUNING.unsure_cost - TUNING.equal_nats * count / at.shape.size)
        for at, count in sets
        if at.shape in wanted and count >= TUNING.equals_share * at.shape.size
    ]
    # Lines of text make boxes, too, and grids in them that are not sure.
    limit = TUNING.unsure_cost
    if min((one.cost for one in more), default=math.inf) >= limit:
        # Of nothing that is sure what fills a box just so.
        more = [one for one in more if _fills(one, small)]
        limit = TUNING.boxed_cost
    return found + [one for one in more if one.cost < limit]


def _fills(one: Seen, boxes: Sequence[Box]) -> bool:
    """Whether the sides of a lattice are those of one of the boxes."""
    return any(_distance(_box_of(one.lattice), box) < TUNING.boxed for box in boxes)


def _seen_at(
    screen: Image, places: list[Box], wanted: Collection[Shape], looked: list[Box]
) -> list[Seen]:
    """What the net sees in places, but for those ``looked`` at, which they join."""
    found: list[Seen] = []
    rough: list[tuple[Seen, float]] = []
    most = len(looked) + TUNING.most_finder_looks
    while places and len(looked) < most:
        box = places.pop(0)
        if any(_distance(box, other) < TUNING.new_place for other in looked):
            continue
        looked.append(box)
        here = list(_in_place(screen, box, wanted))
        best = min(here, key=lambda one: one.cost, default=None)
        if best is None:
            continue
        again = _box_of(best.lattice)
        is_new = not any(
            _overlap(again, _box_of(one.lattice))
            and one.cost < best.cost + TUNING.much_nats
            for one in found
        )
        wider = _wider(screen, again, box) if is_new else None
        if wider is not None:
            # What runs up to where the view ends is a part of something larger.
            rough += [(one, TUNING.part_share) for one in here]
            places.insert(0, wider)
            continue
        is_clear = best.cost < TUNING.clear_cost
        if is_clear:
            # Nothing else lies here; but a second board may lie elsewhere.
            places = [one for one in places if not _overlap(one, again)]
        if _area(again) < TUNING.far_share * _area(box):
            # Seen from afar: what is seen from near at the same place is exact.
            rough += [(one, TUNING.as_large) for one in here]
            places.insert(0, again)
            continue
        found += here
        if not is_clear and _distance(again, box) >= 0.8 * TUNING.new_place:
            places.insert(0, again)
    return found + [one for one, share in rough if not _is_seen(one, share, found)]


def _is_seen(one: Seen, share: float, found: Sequence[Seen]) -> bool:
    """Whether something was seen there whose area, times ``share``, is larger."""
    box = _box_of(one.lattice)
    others = [_box_of(other.lattice) for other in found]
    return any(
        _overlap(box, other) and _area(box) < share * _area(other) for other in others
    )


def _area(box: Box) -> float:
    return box[2] * box[3]


def _wider(screen: Image, found: Box, box: Box) -> Box | None:
    """What was found and more of each side where the view of ``box`` ended, if it did.

    The end of the screen is none of the view's.
    """
    high, wide = screen.shape[:2]
    view = _about(box)
    sides, is_cut = [], False
    for axis, size in ((0, wide), (1, high)):
        first, last = found[axis], found[axis] + found[axis + 2]
        begin, end = view[axis], view[axis] + view[axis + 2]
        near = TUNING.view_end * box[axis + 2]
        more = TUNING.wider_view * (last - first)
        if begin > 0.0 and first < begin + near:
            first, is_cut = max(first - more, 0.0), True
        if end < size and last > end - near:
            last, is_cut = min(last + more, float(size)), True
        sides.append((first, last))
    (left, right), (top, bottom) = sides
    return (left, top, right - left, bottom - top) if is_cut else None


def _in_place(screen: Image, box: Box, wanted: Collection[Shape]) -> Iterator[Seen]:
    """What the net sees in a place, with some margin about it."""
    look = look_at(screen, _about(box), TUNING.finder_side_px)
    high, wide = screen.shape[:2]
    for cost, down, across in _decoded(look, wanted):
        x, y, w, h = _on_screen(
            look, (across.first, down.first, across.last, down.last)
        )
        x, y, right, bottom = max(x, 0), max(y, 0), min(x + w, wide), min(y + h, high)
        if min(right - x, bottom - y) >= TUNING.least_seen_px:
            shape = Shape(down.count, across.count)
            yield Seen(Lattice.from_box(shape, x, y, right - x, bottom - y), cost)


def named_lattices(
    screen: Image, shapes: Sequence[Shape], region: Region
) -> list[Seen]:
    """The lattices of the shapes that fill a region just so, the likeliest first.

    ``screen`` is H x W x 3, RGB; the region may reach beyond it.
    """
    box = (region.left, region.top, region.width, region.height)
    look = look_at(screen, _about(box), TUNING.finder_side_px)
    sides = _in_maps(look, box)
    axes = _axes_in(look, sides)
    found = []
    for shape in shapes:
        cost = _cost_at(look, axes, sides, shape)
        found.append(Seen(Lattice.from_box(shape, *box), cost))
    return sorted(found, key=lambda one: one.cost)


def likelier_by(
    screen: Image, known: Lattice, others: Sequence[Lattice]
) -> list[float]:
    """By how many nats each of the others is likelier than a lattice near them.

    ``screen`` is H x W x 3, RGB. One look shows them all, and each is compared with
    nothing being where it is, for they lie in different places.
    """
    look = look_at(screen, _about(_around((known, *others))), TUNING.finder_side_px)
    gains = []
    for one in (known, *others):
        sides = _in_maps(look, _box_of(one))
        axes = _axes_in(look, sides)
        absent = axes[0].absent + axes[1].absent
        gains.append(absent - _cost_at(look, axes, sides, one.shape))
    return [gain - gains[0] for gain in gains[1:]]


def _axes_in(look: Look, sides: Box) -> tuple[_Axis, _Axis]:
    """What the maps say across and down a place (left, top, right, bottom)."""
    across, down = _axes(look, sides)
    return _axis(across, 0), _axis(down, 1)


def _cost_at(look: Look, axes: tuple[_Axis, _Axis], sides: Box, shape: Shape) -> float:
    """What a lattice costs that fills just that place of the maps."""
    across, down = (
        _Row(one.at(count, first, last), count, first, last)
        for one, count, first, last in zip(
            axes, (shape.cols, shape.rows), sides[:2], sides[2:], strict=True
        )
    )
    return _joint_cost(look, down, across)


def _box_of(one: Lattice) -> Box:
    return one.left, one.top, one.width, one.height


def _around(lattices: Sequence[Lattice]) -> Box:
    """The place that holds them all."""
    left, top = min(one.left for one in lattices), min(one.top for one in lattices)
    right = max(one.left + one.width for one in lattices)
    bottom = max(one.top + one.height for one in lattices)
    return left, top, right - left, bottom - top


def _in_maps(look: Look, box: Box) -> Box:
    """Left, top, right and bottom of a box of the screen, in px of the maps."""
    across, down = look.scale
    left, top = (box[0] - look.left) / across, (box[1] - look.top) / down
    return left, top, left + box[2] / across, top + box[3] / down


def _about(box: Box) -> Box:
    """A place with the margin that the net was trained on."""
    left, top, width, height = box
    margin = TUNING.finder_margin
    return (
        left - margin * width,
        top - margin * height,
        (1 + 2 * margin) * width,
        (1 + 2 * margin) * height,
    )


def _on_screen(look: Look, sides: Box | tuple[int, int, int, int]) -> Box:
    """Left, top, right and bottom in px of the maps as a box of the screen."""
    left, top, right, bottom = sides
    across, down = look.scale
    return (
        look.left + left * across,
        look.top + top * down,
        (right - left) * across,
        (bottom - top) * down,
    )


def _distance(one: Box, other: Box) -> float:
    """By how much the sides of two boxes differ, in sizes of the second."""
    return max(
        abs(one[0] - other[0]) / other[2],
        abs(one[0] + one[2] - other[0] - other[2]) / other[2],
        abs(one[1] - other[1]) / other[3],
        abs(one[1] + one[3] - other[1] - other[3]) / other[3],
    )


def _overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have any place in common."""
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def _blobs(board: Floats) -> list[tuple[int, int, int, int]]:
    """Left, top, right and bottom of what looks like boards, the clearest first."""
    found: list[tuple[float, tuple[int, int, int, int]]] = []
    for least, weight in TUNING.board_levels:
        _, labels, stats, _ = cv2.connectedComponentsWithStats(
            (board > least).astype(np.uint8), connectivity=4
        )
        for number, (left, top, width, height, area) in enumerate(
            stats[1:].tolist(), 1
        ):
            if min(width, height) < 4 or area < 20:
                continue
            inside = np.s_[top : top + height, left : left + width]
            shown = (labels[inside] == number) * board[inside]
            across, down = shown.sum(axis=0), shown.sum(axis=1)
            columns = np.flatnonzero(across > TUNING.board_core * across.max())
            rows = np.flatnonzero(down > TUNING.board_core * down.max())
            box = (
                left + int(columns[0]),
                top + int(rows[0]),
                left + int(columns[-1]) + 1,
                top + int(rows[-1]) + 1,
            )
            total = float(shown.sum())
            filled = total / ((box[2] - box[0]) * (box[3] - box[1]))
            near = 2 + 0.06 * max(width, height)
            if all(
                max(abs(a - b) for a, b in zip(box, other, strict=True)) > near
                for _, other in found
            ):
                found.append((weight * filled * math.sqrt(total), box))
    return [box for _, box in sorted(found, reverse=True)]


def _decoded(look: Look, wanted: Collection[Shape]) -> list[tuple[float, _Row, _Row]]:
    """Cost, rows and columns of lattices in the maps of a near look, in that order."""
    boxes = _blobs(look.maps[0])
    if not boxes:
        return []
    sizes = {(shape.rows, shape.cols) for shape in wanted}
    rows, columns = ({size[axis] for size in sizes} for axis in (0, 1))
    box: Sequence[float] = boxes[0]
    both: list[tuple[float, _Row, _Row]] = []
    for _ in range(2):
        along, below = _axes(look, box)
        across = _rows_along(look, along, 0, columns)
        down = _rows_along(look, below, 1, rows)
        both = [
            (_joint_cost(look, one, other), one, other)
            for one in down
            for other in across
            if (one.count, other.count) in sizes
        ]
        if not both:
            return []
        both.sort(key=lambda three: three[0])
        _, one, other = both[0]
        new = other.first, one.first, other.last, one.last
        if max(abs(a - b) for a, b in zip(new, box, strict=True)) <= 1.5:
            break
        box = new
    return both[: TUNING.most_seen]


def _joint_cost(look: Look, down: _Row, across: _Row) -> float:
    """What rows and columns cost together: tiles are mostly square, boards, too."""
    wide = (across.last - across.first) * look.scale[0] / across.count
    high = (down.last - down.first) * look.scale[1] / down.count
    stretch = abs(math.log(wide / high))
    cost = down.cost + across.cost
    if stretch > TUNING.even_stretch:
        cost += TUNING.stretch_nats * min(stretch, 1.0)
    return cost + (TUNING.oblong_nats if down.count != across.count else 0.0)


@dataclass(frozen=True, slots=True)
class _Axis:
    """What the maps say of lines along one axis, 0 across or 1 down.

    ``inner`` and ``outer`` are what a line between tiles and one about the board
    gains, a quarter px apart from -2 px on; ``inside`` sums what the board gains;
    ``absent`` is what all costs if nothing is there.
    """

    inner: Doubles
    outer: Doubles
    inside: Doubles
    absent: float

    def cost(self, count: int, lows: Doubles, highs: Doubles) -> Doubles:
        """Of so many tiles between each first and each last line, px of the maps."""
        length = highs[None] - lows[:, None]
        last = len(self.inside) - 1
        begin = np.clip(np.rint(lows).astype(np.intp), 0, last)
        end = np.clip(np.rint(highs).astype(np.intp), 0, last)
        about = (
            self.absent
            - _at(self.outer, lows)[:, None]
            - _at(self.outer, highs)[None]
            - (self.inside[end][None] - self.inside[begin][:, None])
        )
        lines = lows[:, None, None] + length[..., None] * (np.arange(1, count) / count)
        cost = about - _at(self.inner, lines).sum(axis=2)
        fits = (length / count >= TUNING.least_cell_px) & (length >= 8)
        return np.where(fits, cost, np.inf)

    def at(self, count: int, first: float, last: float) -> float:
        """The same for one first and one last line."""
        return float(self.cost(count, np.array([first]), np.array([last]))[0, 0])


def _at(gain: Doubles, places: Doubles) -> Doubles:
    index = np.clip(np.rint(places * 4).astype(np.intp) + 8, 0, len(gain) - 1)
    return gain[index]


def _axis(profile: Floats, axis: int) -> _Axis:
    """``profile`` is maps x n: the means of the maps along the lines."""
    bump = _bumps(profile.shape[1])
    gains, absent = [], 0.0
    for row, weight in ((1 + axis, 1.0), (3 + axis, 1.0), (0, TUNING.board_weight)):
        clear = _believed(profile[row])
        gains.append(weight * _odds(clear))
        absent -= weight * float(np.log1p(-clear).sum())
    inside = np.concatenate([[0.0], np.cumsum(gains[2])])
    return _Axis(bump @ gains[0], bump @ gains[1], inside, absent)


def _believed(shown: Floats) -> Doubles:
    """What a map shows, and never too sure."""
    return np.clip(shown, LEAST_CLEAR, 1 - LEAST_CLEAR).astype(np.float64)


def _odds(clear: Doubles) -> Doubles:
    """What something gains by being there, in nats."""
    return np.asarray(np.log(clear) - np.log1p(-clear))


@lru_cache(maxsize=32)
def _bumps(n: int) -> Doubles:
    """Lines at places a quarter px apart, from 2 px before n px to 2 behind them."""
    fine = np.arange(-8, 4 * n + 9) / 4.0
    centre = np.arange(n) + 0.5
    return np.exp(-0.5 * ((fine[:, None] - centre) / TUNING.line_px) ** 2)


def _axes(look: Look, box: Sequence[float]) -> tuple[Floats, Floats]:
    """The means of the maps across and down a box (left, top, right, bottom)."""
    high, wide = look.maps.shape[1:]
    left = min(max(0, round(box[0])), wide - 2)
    top = min(max(0, round(box[1])), high - 2)
    right = min(wide, max(left + 2, round(box[2])))
    bottom = min(high, max(top + 2, round(box[3])))
    # Corners may be round, and the box may be off: the ends are left out.
    trim_x, trim_y = (right - left) // 20, (bottom - top) // 20
    across = look.maps[:, top + trim_y : bottom - trim_y].mean(axis=1)
    down = look.maps[:, :, left + trim_x : right - trim_x].mean(axis=2)
    return across, down


def _rows_along(
    look: Look, profile: Floats, axis: int, counts: Collection[int]
) -> list[_Row]:
    """Evenly spaced lines along an axis (0 across, 1 down), the likeliest first.

    All counts, and all first and last lines near those that the maps show, are
    compared.
    """
    lows, highs = _ends(look, profile, axis)
    if not len(lows) or not len(highs):
        return []
    said = _axis(profile, axis)
    most = profile.shape[1] // TUNING.least_cell_px
    found: list[_Row] = []
    for count in sorted(counts):
        if count <= most:
            found += _best_of(said.cost(count, lows, highs), count, lows, highs)
    found.sort(key=lambda one: one.cost)
    return found[: TUNING.most_rows]


def _best_of(cost: Doubles, count: int, lows: Doubles, highs: Doubles) -> list[_Row]:
    """The cheapest first and last lines for one count that are not next to another."""
    found: list[_Row] = []
    for _ in range(TUNING.kept_per_count):
        low, high = np.unravel_index(int(cost.argmin()), cost.shape)
        if not math.isfinite(cost[low, high]):
            break
        first, last = float(lows[low]), float(highs[high])
        found.append(_Row(float(cost[low, high]), count, first, last))
        beside = np.abs(lows - first) <= TUNING.same_line_px
        behind = np.abs(highs - last) <= TUNING.same_line_px
        cost[np.ix_(beside, behind)] = np.inf
    return found


def _ends(look: Look, profile: Floats, axis: int) -> tuple[Doubles, Doubles]:
    """Where the first and the last line may be, px of the maps.

    Where the maps show lines about the board or lines between tiles, where the board
    begins and ends, and where the screen does.
    """
    board, inner, outer = profile[0], profile[1 + axis], profile[3 + axis]
    n = len(board)

    def between(shown: Floats) -> Doubles:
        """The mean of the px before and after each place between two px."""
        padded = np.concatenate([[0.0], shown, [0.0]])
        return np.asarray(padded[:-1] + padded[1:], np.float64) / 2

    edge = np.abs(np.diff(np.concatenate([[0.0], board, [0.0]])))
    about, inside = between(outer) + 0.5 * edge, between(inner)
    places = set(_peaks(about, 0.03)) | set(_peaks(inside, 0.15))
    on = np.flatnonzero(board > 0.5)
    middle = n / 2
    if len(on):
        middle = (on[0] + on[-1]) / 2
        places |= {float(on[0]), float(on[-1] + 1)}
    begin, scale = (look.left, look.top)[axis], look.scale[axis]
    for side in (0, look.size[axis]):
        place = (side - begin) / scale
        if -0.5 <= place <= n + 0.5:
            places.add(place)
    weight = about + 0.4 * inside

    def clearest(some: list[float]) -> Doubles:
        some.sort(key=lambda place: -weight[min(max(round(place), 0), n)])
        chosen = np.array(some[: TUNING.most_ends])
        shifts = np.arange(-1.25, 1.26, 0.25)
        near = np.round((chosen[:, None] + shifts) * 4) / 4
        # ``np.unique`` loads masked arrays, which takes longer than all this.
        return np.array(sorted(set(near.ravel().tolist())))

    low = [place for place in places if place < middle + 0.15 * n]
    high = [place for place in places if place >= middle - 0.15 * n]
    return clearest(low), clearest(high)


def _peaks(values: Doubles, least: float) -> list[float]:
    """Places whose value is no smaller than those beside it, and large enough."""
    beside = np.full(len(values) + 2, -np.inf)
    beside[1:-1] = values
    near = np.maximum(beside[:-2], beside[2:])
    is_peak = (values > least) & (values >= near - 1e-9)
    return [float(place) for place in np.flatnonzero(is_peak)]


def _combed(look: Look, most: int) -> list[tuple[float, float, float, float]]:
    """Boxes of evenly spaced lines in the whole view, where its map of boards is faint.

    Left, top, right and bottom in px of the maps; the ``most`` clearest, these first.
    """
    found: list[tuple[float, tuple[float, float, float, float]]] = []
    for left, top, right, bottom in _blobs(look.maps[0])[:2]:
        upright = np.maximum(look.maps[1], look.maps[3])[top:bottom].mean(axis=0)
        level = np.maximum(look.maps[2], look.maps[4])[:, left:right].mean(axis=1)
        down = _combs(level)
        for score, cols, first, last in _combs(upright):
            for other, rows, begin, end in down:
                wide = (last - first) * look.scale[0] / cols
                high = (end - begin) * look.scale[1] / rows
                stretch = abs(math.log(wide / high))
                if stretch < 0.4:
                    total = score + other - 6 * stretch - (rows != cols)
                    found.append((total, (first, begin, last, end)))
    found.sort(reverse=True)
    kept: list[tuple[float, float, float, float]] = []
    for _, box in found:
        size = 0.12 * max(box[2] - box[0], box[3] - box[1])
        if all(
            max(abs(a - b) for a, b in zip(box, other, strict=True)) >= size
            for other in kept
        ):
            kept.append(box)
        if len(kept) == most:
            break
    return kept


def _combs(shown: Floats) -> list[tuple[float, int, float, float]]:
    """Score, tiles, first and last of evenly spaced lines in a profile."""
    clear = _believed(shown)
    gain = _odds(clear)
    n = len(clear)
    weight = np.concatenate([[0.0], clear]) + np.concatenate([clear, [0.0]])
    places = sorted(_peaks(weight, 0.25), key=lambda at: -weight[int(at)])[:16]
    bump = _bumps(n)
    at_line = np.clip(bump @ gain, -6, 6)
    seen = bump @ np.maximum(gain, 0)
    sums = np.concatenate([[0.0], np.cumsum(np.maximum(gain, 0))])
    at = np.array(places)
    first, last = (some.ravel() for some in np.meshgrid(at, at, indexing="ij"))
    apart = last - first >= 8
    first, last = first[apart], last[apart]
    total = sums[last.astype(np.intp)] - sums[first.astype(np.intp)]
    found: list[tuple[float, int, float, float]] = []
    for count in range(2, 11):
        fits = (last - first) / count >= TUNING.least_cell_px
        low, high = first[fits], last[fits]
        lines = low[:, None] + (high - low)[:, None] * np.arange(count + 1) / count
        index = np.rint(lines * 4).astype(np.intp) + 8
        missed = total[fits] - seen[index][:, 1:-1].sum(axis=1)
        scores = at_line[index].sum(axis=1) - 0.5 * np.maximum(missed, 0.0)
        kept = np.argsort(-scores, kind="stable")[:10]
        found += [
            (float(scores[n]), count, float(low[n]), float(high[n])) for n in kept
        ]
    return sorted(found, reverse=True)[:10]
