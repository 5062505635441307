"""Where a board may lie in a screenshot, found without reference and digits."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.lattice import STRIPS, Lattice, widened
from imgpuzzle.vision.geometry.places import distinct, is_same, lies_inside
from imgpuzzle.vision.propose.boxes import find_boxes
from imgpuzzle.vision.propose.finder import (
    Seen,
    likelier_by,
    named_lattices,
    seen_lattices,
)
from imgpuzzle.vision.propose.named import NamedPlace, Ruled
from imgpuzzle.vision.propose.tuning import TUNING
from imgpuzzle.vision.tuning import TUNING as VISION

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid that may be the board; higher ``support`` is likelier.

    ``is_open`` says whether the board clearly goes on beyond it, where it was asked.
    """

    lattice: Lattice
    support: float
    is_open: bool | None = None


_Kept = dict[
    tuple[int, tuple[Shape, ...], Region | None],
    tuple[weakref.ref[Image], list[Grid]],
]
_KEPT: ContextVar[_Kept] = ContextVar("kept")


@contextlib.contextmanager
def kept_grids() -> Iterator[None]:
    """What is found in a picture is known when it is looked at again.

    As long as nothing changes in it, and nowhere but inside of this.
    """
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


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
    ``to_opponent``), where that is known. What the net sees is laid on the lines that
    are there; near doubles are left out. With a ``region``, which may be rough, with
    margins of up to 30 % or a few px cut off, only grids that fill about that region
    are returned, first those of exactly that region if its sides look like a board's.
    """
    asked, kept = (id(picture), tuple(shapes), region), _KEPT.get({})
    known, found = kept.get(asked, (None, []))
    # Another picture may have come to lie where one was.
    if known is None or known() is not picture:
        found = _found(picture, shapes, region, screen)
        kept[asked] = weakref.ref(picture), found
    return found[:most]


def _found(
    picture: Image,
    shapes: Sequence[Shape],
    region: Region | None,
    screen: Floats | None,
) -> list[Grid]:
    """All grids, the likeliest first."""
    if screen is None:
        screen = to_opponent(picture)
    if min(screen.shape[:2]) < TUNING.least_screen_px:
        return []
    seen = seen_lattices(
        picture, shapes, region=region, boxes=partial(find_boxes, screen)
    )
    found = on_their_lines(screen, seen)
    if region is not None:
        found += _as_named(picture, screen, shapes, region)
        found.sort(key=lambda one: -one.support)
    elif found:
        found = _with_whole(picture, found, shapes)
    return distinct(found, attrgetter("lattice"), TUNING.same_grid)


def _with_whole(
    picture: Image, found: list[Grid], shapes: Sequence[Shape]
) -> list[Grid]:
    """The grids, the clearest of which is all of its board.

    An empty cell in the colour of the page leaves the outline of a board no rectangle,
    and a part of it is the clearest grid then. How likely a grid with one more row or
    column is beside it is told by one look at both, not by one at each.
    """
    best = found[0]
    for _ in range(TUNING.most_strips):
        beside = strips_beside(picture, best.lattice)
        nats, wider = max(beside, key=itemgetter(0), default=(0.0, best.lattice))
        seen = replace(best, is_open=nats > TUNING.strip_nats)
        rest = [one for one in found if not _is_one(one, best.lattice)]
        if nats <= TUNING.grown_nats or wider.shape not in shapes:
            return [seen, *rest]
        part = replace(seen, support=seen.support - TUNING.cost_share * nats)
        best = Grid(wider, best.support)
        found = [one for one in rest if not _is_one(one, wider)]
        found = sorted([part, *found], key=lambda one: -one.support)
    return [best, *found]


def _is_one(one: Grid, lattice: Lattice) -> bool:
    return is_same(one.lattice, lattice, TUNING.same_grid)


def strips_beside(picture: Image, lattice: Lattice) -> list[tuple[float, Lattice]]:
    """Grids with one more row or column, where the picture has room for them.

    Each with the nats by which the net finds it likelier; ``picture`` is H x W x 3,
    RGB. Each in a look of its own: what lies on the other sides is no matter.
    """
    slack_x, slack_y = TUNING.room * lattice.pitch_x, TUNING.room * lattice.pitch_y
    wider = [widened(lattice, strip) for strip in STRIPS]
    return [
        (likelier_by(picture, lattice, [one])[0], one)
        for one in wider
        if lies_inside(one, picture, slack_x, slack_y)
    ]


def on_their_lines(screen: Floats, seen: Sequence[Seen]) -> list[Grid]:
    """What the net saw, on the exact lines there, with gaps between tiles or not."""
    found: list[Grid] = []
    for number, one in enumerate(seen):
        support = _support(one.cost)
        if number >= TUNING.most_ruled:
            found.append(Grid(one.lattice, support))
            continue
        place = NamedPlace(screen, one.lattice.region(screen))
        exact = _lined(place, one.lattice.shape)
        found += [
            Grid(each.lattice, support + each.nats - exact[0].nats) for each in exact
        ]
    return sorted(found, key=lambda one: -one.support)


def _lined(place: NamedPlace, shape: Shape) -> list[Ruled]:
    """The likely lattices in a place, to a fraction of a px where it was resized."""
    exact = place.lattices(shape)
    found = []
    for one in exact:
        if exact[0].nats - one.nats < TUNING.close_ruling:
            found.append(Ruled(_exact(place, one.lattice), one.nats))
    return found


def _exact(place: NamedPlace, lattice: Lattice) -> Lattice:
    """A lattice to a fraction of a px, where that is not for nothing."""
    fine = place.refined(lattice, 1)
    return fine if _is_resized(lattice, fine) else lattice


def on_lines(screen: Floats, lattice: Lattice) -> Lattice:
    """A lattice that is known roughly, on the lines that are there.

    ``screen`` is H x W x 3 in opponent colours. A reference that is cropped, blurred or
    tinted shows what a tile is, but not to the px where it ends.
    """
    reach = TUNING.rule_reach * min(lattice.tile_width, lattice.tile_height)
    left, top = round(lattice.left), round(lattice.top)
    region = Region(left, top, round(lattice.width), round(lattice.height))
    place = NamedPlace(screen, region, round(reach))
    # A thin gap is better known by the strongest lines than by their middles.
    best = place.lattices(lattice.shape)[0].lattice
    return _exact(place, best) if best.is_gapless else best


def _is_resized(at: Lattice, fine: Lattice) -> bool:
    """Whether lines that are not between two px are those of a board.

    Lines of most screens are, and of bevelled tiles the outer ones look stronger: only
    a board that was resized is elsewhere, or shows a line on two px, which is no gap.
    """
    apart = _apart(fine, at)
    gap = max(fine.pitch_x - fine.tile_width, fine.pitch_y - fine.tile_height)
    is_no_gap = gap < TUNING.no_gap_px and not at.is_gapless
    return apart <= TUNING.same_px and (apart > TUNING.rounding_px or is_no_gap)


def _support(cost: float) -> float:
    """What a lattice of the net is worth."""
    return TUNING.usual_support + TUNING.cost_share * (TUNING.unsure_cost - cost)


def _as_named(
    picture: Image, screen: Floats, shapes: Sequence[Shape], region: Region
) -> list[Grid]:
    """Grids in exactly the region, likelier the more its sides look like a board's.

    A rough region's sides seldom lie on lines to the pixel.
    """
    place = NamedPlace(screen, region)
    # Tiles of a few px hit on lines by chance; a grid that was named is none.
    large = [
        shape
        for shape in shapes
        if len(shapes) == 1
        or min(region.width / shape.cols, region.height / shape.rows)
        >= VISION.least_tile_px
    ]
    found = []
    for one in named_lattices(picture, large, region)[: TUNING.most_exact]:
        some = place.lattices(one.lattice.shape)
        # Where the grid is known, its gaps and its frame are left to choose.
        for exact in some if len(shapes) == 1 else some[:1]:
            nats = exact.nats - some[0].nats + place.exact_nats
            found.append(Grid(exact.lattice, _support(one.cost) + nats))
    return found


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
    found = NamedPlace(screen, region).lattices(shape)
    return [Grid(one.lattice, one.nats) for one in found]
