"""Where a board may lie in a screenshot, found without reference and digits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import joint_share
from imgpuzzle.vision.propose.blocks import LinedGrid, gapped, grow, weigh
from imgpuzzle.vision.propose.combs import Comb, find_combs, pitch_class
from imgpuzzle.vision.propose.finder import Seen, seen_lattices
from imgpuzzle.vision.propose.fitting import fit, refine
from imgpuzzle.vision.propose.glyphs import Words, find_words, lattices_of_words
from imgpuzzle.vision.propose.named import NamedPlace, Ruled
from imgpuzzle.vision.propose.outlines import find_boxes, likely_shapes
from imgpuzzle.vision.propose.ranking import describe, shows_blocks, support
from imgpuzzle.vision.propose.sides import Sides, find_sides
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["Grid", "find_grids", "outlines", "refine", "within"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Placed = TypeVar("Placed", "Grid", LinedGrid)


@dataclass(frozen=True, slots=True)
class _Searched:
    """The evidence for sides in a part of the screen, and where that part lies.

    Everything in it is smaller by ``factor``; it begins at ``left``, ``top`` in px of
    the screen.
    """

    sides: Sides
    factor: int
    left: int
    top: int

    def reduced(self, lattice: Lattice) -> Lattice:
        """A lattice on the screen in px of this part."""
        moved = lattice.enlarged(1.0, -self.left, -self.top)
        return moved.enlarged(1.0 / self.factor)


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid that may be the board; higher ``support`` is likelier."""

    lattice: Lattice
    support: float


def find_grids(
    picture: Image,
    shapes: Sequence[Shape],
    *,
    region: Region | None = None,
    most: int = 12,
    screen: Floats | None = None,
) -> list[Grid]:
    """Grids of the given shapes that may be the board, the likeliest first.

    ``picture`` is H x W x 3, RGB, and ``screen`` the same in opponent colours (see
    ``to_opponent``), where that is known. What the net sees comes first, on the lines
    that are there; where it is not sure, and in a place that was named, also what lines
    alone show. Near doubles are left out. With a ``region``, which may be rough, with
    margins of up to 30 % or a few px cut off, only grids that fill about that region
    are returned, first those of exactly that region if its sides look like a board's.
    """
    if screen is None:
        screen = to_opponent(picture)
    seen = seen_lattices(picture, shapes, region=region)
    is_sure = bool(seen) and seen[0].cost < TUNING.unsure_cost
    if is_sure and region is None:
        return _without_doubles(_on_their_lines(screen, seen), most)
    few = _on_their_lines(screen, seen[: None if is_sure else TUNING.few_seen])
    return _with_lined_grids(few, screen, shapes, region=region, most=most)


def _on_their_lines(screen: Floats, seen: Sequence[Seen]) -> list[Grid]:
    """What the net saw, on the exact lines there, with gaps between tiles or not."""
    found: list[Grid] = []
    for number, one in enumerate(seen):
        cheaper = TUNING.unsure_cost - one.cost
        support = TUNING.usual_support + TUNING.cost_share * cheaper
        if number >= TUNING.most_ruled:
            found.append(Grid(one.lattice, support))
            continue
        exact = within(screen, one.lattice.shape, one.lattice.region(screen))
        for other in exact:
            behind = exact[0].support - other.support
            if behind < TUNING.close_ruling:
                # Lines of most screens lie between two px: only a board that was
                # resized is elsewhere.
                fine = refine(screen, other.lattice, reach=1)
                apart = _apart(fine, other.lattice)
                is_resized = TUNING.rounding_px < apart <= TUNING.same_px
                found.append(
                    Grid(fine if is_resized else other.lattice, support - behind)
                )
    return sorted(found, key=lambda one: -one.support)


def _with_lined_grids(
    seen: Sequence[Grid],
    screen: Floats,
    shapes: Sequence[Shape],
    *,
    region: Region | None,
    most: int,
) -> list[Grid]:
    """The grids seen, and those that lines, boxes and numerals show.

    Other grids over the same place come later, so that one text or one picture does
    not fill the list.
    """
    offset = (0, 0)
    part = screen
    if region is not None:
        pad = round(TUNING.region_pad * min(region.width, region.height)) + 2
        offset = max(region.left - pad, 0), max(region.top - pad, 0)
        part = screen[offset[1] : region.bottom + pad, offset[0] : region.right + pad]
    if min(part.shape[:2]) < TUNING.least_screen_px:
        return list(seen)
    factor = max(1, math.ceil(max(part.shape[:2]) / TUNING.work_side_px))
    small = _reduced(part, factor)
    if min(small.shape[:2]) < TUNING.least_reduced_px:
        return list(seen)
    sides = find_sides(small)
    words = find_words(small)
    joined = Words.joined(words)
    wanted = set(shapes)

    def judged(one: LinedGrid) -> float:
        return support(describe(sides, one, joined, factor))

    found = []
    for one in gather(sides, words, shapes):
        if one.lattice.shape not in wanted or shows_blocks(sides, one.lattice, factor):
            continue
        lattice = one.lattice.enlarged(factor, *offset)
        fill = 1.0 if region is None else joint_share(lattice, region)
        if fill >= TUNING.least_agreement:
            score = judged(one) + TUNING.region_nats * (fill - 1.0)
            found.append(Grid(lattice, score))
    view = _Searched(sides, factor, *offset)
    exact = [
        one
        for one in seen
        if not shows_blocks(sides, view.reduced(one.lattice), factor)
    ]
    if region is not None:
        exact += _as_named(screen, view, shapes, region, judged)
    found.sort(key=lambda one: -one.support)
    refined = [
        Grid(refine(screen, one.lattice), one.support)
        for one in _spread(found, most + TUNING.spare)
    ]
    refined = [
        *_settled(screen, view, refined[: TUNING.most_settled]),
        *refined[TUNING.most_settled :],
    ]
    refined = sorted([*exact, *refined], key=lambda one: -one.support)
    return _without_doubles(refined, most)


def outlines(screen: Floats) -> list[Region]:
    """Boxes of lines on a screen (H x W x 3, opponent colours), the clearest first."""
    factor = max(1, math.ceil(max(screen.shape[:2]) / TUNING.work_side_px))
    small = _reduced(screen, factor)
    if min(small.shape[:2]) < TUNING.least_reduced_px:
        return []
    return [
        Lattice.from_box(Shape(2, 2), left, top, right - left, bottom - top)
        .enlarged(factor)
        .region(screen)
        for _, (left, top, right, bottom) in find_boxes(
            find_sides(small), most=TUNING.most_boxes
        )
    ]


def _settled(screen: Floats, view: _Searched, found: Sequence[Grid]) -> list[Grid]:
    """The candidates on the best combs of lines near them: without frames about them.

    Of several in one place the one with the clearest lines comes first.
    """
    moved = [_on_lines(screen, view, one.lattice) for one in found]
    free = list(range(len(found)))
    done: list[Grid] = []
    while free:
        first = free[0]
        group = [
            index
            for index in free
            if found[index].lattice.shape == found[first].lattice.shape
            and joint_share(moved[index].lattice, moved[first].lattice)
            > TUNING.same_place
        ]
        total = {index: found[index].support + moved[index].nats for index in group}
        best = max(group, key=lambda index: total[index])
        order = group
        if total[best] > total[first] + TUNING.clearly_nats:
            order = [best, *(index for index in group if index != best)]
        done += [
            Grid(moved[index].lattice, found[place].support)
            for place, index in zip(group, order, strict=True)
        ]
        free = [index for index in free if index not in group]
    return done


def _on_lines(screen: Floats, view: _Searched, at: Lattice) -> Ruled:
    """The lattice on other lines near it, if these are clearer."""
    # To the pixel: the evidence of a reduced screen would not do.
    exact = view.factor == 1
    left, top = (view.left, view.top) if exact else (0, 0)
    box = at.left - left, at.top - top, at.width, at.height
    region = Region(*(round(side) for side in box))
    source = view.sides if exact else screen
    frame = TUNING.most_frame * min(at.pitch_x, at.pitch_y)
    slip = int(np.clip(round(frame), *TUNING.frame_px))
    place = NamedPlace(source, region, slip_px=slip, move_nats=TUNING.settle_nats)
    best = place.lattices(at.shape)[0]
    best = Ruled(best.lattice.enlarged(1.0, left, top), best.nats)
    gap = round((at.pitch_x - at.tile_width + at.pitch_y - at.tile_height) / 2)
    own = place.nats_of(at.shape, gap)
    is_same = _apart(best.lattice, at) <= TUNING.same_px
    if is_same or best.nats < own + TUNING.clearly_nats:
        return Ruled(at, own)
    fine = refine(screen, best.lattice, reach=1)
    is_near = _apart(fine, best.lattice) <= TUNING.same_px
    return Ruled(fine, best.nats) if is_near else best


def _apart(one: Lattice, other: Lattice) -> float:
    """The largest distance of two sides, or difference of two gaps, in px."""
    return max(
        abs(one.left - other.left),
        abs(one.left + one.width - other.left - other.width),
        abs(one.top - other.top),
        abs(one.top + one.height - other.top - other.height),
        abs(one.pitch_x - one.tile_width - other.pitch_x + other.tile_width),
        abs(one.pitch_y - one.tile_height - other.pitch_y + other.tile_height),
    )


def within(screen: Floats, shape: Shape, region: Region) -> list[Grid]:
    """The lattices of a shape in exactly that place, the likeliest first.

    ``screen`` is H x W x 3 in opponent colours; ``region`` may reach beyond it. The
    region cut into equal tiles that touch is always among the four at most. The others
    have gaps between the tiles, or leave a frame about the board inside the region out:
    sides move inwards as far as a frame may be wide, and outwards by 3 px at most.
    """
    place = NamedPlace(
        screen, region, slip_px=TUNING.slip_px, move_nats=TUNING.frame_nats
    )
    found = place.lattices(shape)
    return [Grid(one.lattice, one.nats) for one in found]


def _as_named(
    screen: Floats,
    view: _Searched,
    shapes: Sequence[Shape],
    region: Region,
    judged: Callable[[LinedGrid], float],
) -> list[Grid]:
    """Grids in exactly the region, likelier the more its sides look like a board's.

    A rough region's sides seldom lie on lines to the pixel.
    """
    place = NamedPlace(
        screen, region, slip_px=TUNING.slip_px, move_nats=TUNING.frame_nats
    )
    # Tiles of a few px hit on lines by chance; a grid that was named is none.
    named = [
        place.lattices(shape)
        for shape in shapes
        if len(shapes) == 1
        or min(region.width / shape.cols, region.height / shape.rows)
        >= TUNING.least_tile_px
    ]
    named.sort(key=lambda some: -some[0].nats)
    found = []
    for some in named[: TUNING.most_exact]:
        best = judged(weigh(view.sides, view.reduced(some[0].lattice)))
        # Where the grid is known, its gaps and its frame are left to choose.
        for one in some if len(shapes) == 1 else some[:1]:
            nats = best + one.nats - some[0].nats + place.exact_nats
            found.append(Grid(one.lattice, nats))
    return found


def gather(
    sides: Sides, words: list[Words], shapes: Sequence[Shape]
) -> list[LinedGrid]:
    """Grids from all sources, without near doubles."""
    sources = (
        (_from_combs(sides), TUNING.most_from_combs),
        (_from_boxes(sides, shapes, Words.joined(words)), TUNING.most_from_boxes),
        (_from_words(sides, words), TUNING.most_from_words),
    )
    found = [
        one
        for some, most in sources
        for one in _without_doubles(some, most, with_gaps=True)
    ]
    return _without_doubles(found, len(found), with_gaps=True)


def _reduced(screen: Floats, factor: int) -> Floats:
    if factor == 1:
        return screen
    height, width = (side // factor * factor for side in screen.shape[:2])
    size = (width // factor, height // factor)
    shrunk = cv2.resize(screen[:height, :width], size, interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, dtype=np.float32)


def _from_combs(sides: Sides) -> list[LinedGrid]:
    across = find_combs(sides.upright, most=TUNING.most_combs)
    down = find_combs(sides.level, most=TUNING.most_combs)
    rough = [
        one
        for lattice in [
            *_pairs(across, down),
            *_squares(across, sides.level, turned=False),
            *_squares(down, sides.upright, turned=True),
        ]
        for one in grow(sides, lattice, reach=3, powers=(0.0, 0.6))
    ]
    rough = _without_doubles(_ordered(rough), TUNING.most_fitted)
    found: list[LinedGrid] = []
    for one in rough:
        fitted = fit(sides, one.lattice, 2)
        found += grow(sides, fitted, reach=2, powers=TUNING.block_powers)
    kept = _without_doubles(_ordered(found), TUNING.most_from_combs)
    for one in kept[: TUNING.most_gapped]:
        for other in gapped(sides, one.lattice):
            kept += grow(sides, fit(sides, other, 1), reach=1, powers=(0.0,))
    return _ordered(kept)


def _ordered(weighed: list[LinedGrid]) -> list[LinedGrid]:
    """The ones with the most sides seen first."""

    def seen(one: LinedGrid) -> float:
        inner = one.inner
        rim = 0.25 * sum(one.outer) * math.sqrt(len(inner))
        return (float(inner.sum()) / 2 + rim) / math.sqrt(one.lefts.size)

    return sorted(weighed, key=lambda one: -seen(one))


def _from_boxes(sides: Sides, shapes: Sequence[Shape], words: Words) -> list[LinedGrid]:
    """Outlines cut up: a board nearly in order has few sides to be seen inside."""
    whole = np.array([0.0, 0.0, sides.width, sides.height])
    cut: list[tuple[float, int, Lattice]] = []
    boxes = [*find_boxes(sides, most=TUNING.most_boxes), (0.5, whole)]
    for number, (weakest, box) in enumerate(boxes):
        size = box[2] - box[0], box[3] - box[1]
        share = math.log2(size[0] * size[1] / (sides.width * sides.height))
        for score, shape in likely_shapes(sides, box, shapes, words)[
            : TUNING.shapes_per_box
        ]:
            lattice = Lattice.from_box(shape, box[0], box[1], *size)
            cut.append((score + weakest + TUNING.size_bonus * share, number, lattice))
    cut.sort(key=lambda triple: -triple[0])
    found: list[tuple[float, int, LinedGrid]] = []
    for score, number, lattice in cut[: TUNING.most_cut]:
        reach = int(np.clip(0.03 * min(lattice.pitch_x, lattice.pitch_y), 1, 4))
        one = weigh(sides, fit(sides, lattice, reach))
        seen = np.maximum(one.inner, 0.0).sum() - TUNING.absent * len(one.inner)
        root = math.sqrt(lattice.rows * lattice.cols)
        found.append((score + float(seen) / root, number, one))
    found.sort(key=lambda triple: -triple[0])
    taken = [0] * len(boxes)
    kept = []
    for _, number, one in found:
        taken[number] += 1
        if taken[number] <= TUNING.kept_per_box:
            kept.append(one)
    return kept


def _from_words(sides: Sides, words: list[Words]) -> list[LinedGrid]:
    found = []
    for lattice in lattices_of_words(words):
        reach = max(
            2, round(TUNING.glyph_reach * min(lattice.pitch_x, lattice.pitch_y))
        )
        found.append(weigh(sides, lattice))
        # Lines nearby may be the tiles' own, or those of a frame about the board.
        fitted = fit(sides, lattice, reach, least=0.4)
        if fitted != lattice:
            found.append(weigh(sides, fitted))
    return sorted(found, key=lambda one: -one.lefts.size)


def _pairs(across: list[Comb], down: list[Comb]) -> list[Lattice]:
    """Combs of both directions that cross, and whose pitches are alike."""
    if not across or not down:
        return []
    one = np.array([(c.first, c.last, c.pitch, c.low, c.high, c.score) for c in across])
    two = np.array([(c.first, c.last, c.pitch, c.low, c.high, c.score) for c in down])
    shared_y = np.minimum(one[:, None, 4], two[None, :, 1]) - np.maximum(
        one[:, None, 3], two[None, :, 0]
    )
    shared_x = np.minimum(one[:, None, 1], two[None, :, 4]) - np.maximum(
        one[:, None, 0], two[None, :, 3]
    )
    aspect = np.abs(np.log(one[:, None, 2] / two[None, :, 2]))
    fits = (shared_y >= two[None, :, 2]) & (shared_x >= one[:, None, 2])
    fits &= aspect < TUNING.max_aspect
    score = np.sqrt(one[:, None, 5] * two[None, :, 5]) * np.exp(
        -aspect / TUNING.aspect_scale
    )
    score = np.where(fits, score, -1.0)
    order = np.argsort(-score, axis=None)
    seen: set[tuple[int, ...]] = set()
    taken: dict[int, int] = {}
    found: list[Lattice] = []
    for flat in order:
        index, other = divmod(int(flat), len(down))
        if score[index, other] <= 0:
            break
        x, y = across[index], down[other]
        key = (*_key(x), *_key(y))
        group = pitch_class(math.sqrt(x.pitch * y.pitch))
        wide = min(x.pitch, y.pitch) > TUNING.wide_px
        quota = TUNING.most_wide_pairs if wide else TUNING.most_pairs
        if key in seen or taken.get(group, 0) >= quota:
            continue
        seen.add(key)
        taken[group] = taken.get(group, 0) + 1
        found.append(
            Lattice(
                y.count - 1,
                x.count - 1,
                x.first,
                y.first,
                x.pitch,
                y.pitch,
                x.pitch,
                y.pitch,
            )
        )
    return found


def _squares(combs: list[Comb], across: Doubles, *, turned: bool) -> list[Lattice]:
    """Square tiles on the strongest combs, where the other lines agree best.

    ``across`` are the sums of the other direction. The combs are those of the
    columns, or, ``turned``, those of the rows.
    """
    found: list[Lattice] = []
    seen: set[tuple[int, ...]] = set()
    for comb in combs:
        if len(found) == TUNING.most_squares:
            break
        if _key(comb) in seen:
            continue
        seen.add(_key(comb))
        length = across.shape[1] - 1
        begin = min(max(round(comb.first), 0), length - 1)
        end = min(max(round(comb.last), begin + 1), length)
        profile = (across[:, end] - across[:, begin]) / (end - begin)
        phases = np.arange(0.0, comb.pitch)
        lines = np.arange(0.0, len(profile) - comb.pitch, comb.pitch)
        if not len(lines):
            continue
        places = np.rint(phases[:, None] + lines).astype(np.intp)
        places = np.minimum(places, len(profile) - 1)
        score = np.maximum(profile[places] - TUNING.seen, 0.0).sum(axis=1)
        phase = float(phases[score.argmax()])
        rows = max(len(lines) - 1, 1)
        cols, pitch = comb.count - 1, comb.pitch
        if turned:
            lattice = Lattice(cols, rows, phase, comb.first, *[pitch] * 4)
        else:
            lattice = Lattice(rows, cols, comb.first, phase, *[pitch] * 4)
        found.append(lattice)
    return found


def _key(comb: Comb) -> tuple[int, int, int]:
    """Equal for combs whose lines are the same, more or less."""
    place = round(math.log(comb.pitch) / 0.03)
    phase = round(comb.first % comb.pitch / (0.12 * comb.pitch)) % 8
    return place, phase, round((comb.first + comb.last) / (4 * comb.pitch))


def _without_doubles(
    ordered: Sequence[Placed], most: int, *, with_gaps: bool = False
) -> list[Placed]:
    """The first ``most`` that differ in shape, or by a tenth of a tile in place.

    ``with_gaps`` keeps tiles with gaps beside ones that touch in the same place: the
    frame about a board is often as wide as its gaps, and seen more clearly.
    """
    sides = np.array(
        [
            (
                a.left, a.left + a.width, a.top, a.top + a.height,
                500.0 * a.rows, 500.0 * a.cols,
                500.0 * (with_gaps and a.is_gapless), 0.1 * a.pitch_x, 0.1 * a.pitch_y,
            )
            for a in (one.lattice for one in ordered)
        ]
    ).reshape(-1, 9)  # fmt: skip
    sides[:, :2] /= sides[:, 7:8]
    sides[:, 2:4] /= sides[:, 8:9]
    kept: list[int] = []
    for index, mine in enumerate(sides):
        if len(kept) == most:
            break
        if not len(kept) or (
            np.abs(sides[kept, :7] - mine[:7]).max(axis=1).min() >= 1.0
        ):
            kept.append(index)
    return [ordered[index] for index in kept]


def _spread(ordered: list[Grid], most: int) -> list[Grid]:
    """The best candidates, where one place on the screen does not take all.

    Each candidate that is chosen lowers those that overlap it, as much as they do.
    """
    supports = np.array([one.support for one in ordered])
    boxes = np.array(
        [
            (a.left, a.top, a.left + a.width, a.top + a.height)
            for a in (one.lattice for one in ordered)
        ]
    ).reshape(-1, 4)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept: list[Grid] = []
    while len(kept) < min(most, len(ordered)):
        index = int(supports.argmax())
        one = ordered[index]
        kept.append(Grid(one.lattice, float(supports[index])))
        box = boxes[index]
        wide = np.minimum(boxes[:, 2], box[2]) - np.maximum(boxes[:, 0], box[0])
        high = np.minimum(boxes[:, 3], box[3]) - np.maximum(boxes[:, 1], box[1])
        shared = np.maximum(wide, 0) * np.maximum(high, 0)
        joint = shared / (areas + areas[index] - shared)
        supports = supports - TUNING.crowding_nats * joint
        supports[index] = -np.inf
    return kept
