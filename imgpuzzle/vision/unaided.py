"""Reading without a reference: by numbers, by a thumbnail, or by the tiles' edges.

Every likely place of a board is cut into tiles. Numbers that form a complete
series say most; then a picture of the goal elsewhere on the screen; and else the
tiles are pieced together, which only the right grid allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.errors import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.image import Image
from imgpuzzle.messages import Doubt, Message, Note, Refusal
from imgpuzzle.reading import Reading, Region
from imgpuzzle.vision.adjoining import with_strips
from imgpuzzle.vision.arrange.judge import CERTAIN_NATS, Weighed, rank
from imgpuzzle.vision.arrange.reassemble import (
    equal_tiles,
    measure_joins,
    reassemble,
)
from imgpuzzle.vision.choosing import (
    LIKELY_BOARD,
    SURE_NATS,
    UNLIKELY,
    Pieced,
    Place,
    another_board,
    goes_on,
    has_likelier_whole,
    is_narrow,
    is_part_of,
    piece_together,
)
from imgpuzzle.vision.geometry.colours import to_opponent
from imgpuzzle.vision.geometry.edges import snap_region
from imgpuzzle.vision.geometry.places import covers, is_near, overlap
from imgpuzzle.vision.guided import reading_of
from imgpuzzle.vision.numbers.digits import (
    SURE_OF_NUMBERS,
    number_evidence,
    read_cornered,
    read_numbers,
)
from imgpuzzle.vision.numbers.faces import has_few_faces, is_plain
from imgpuzzle.vision.numbers.numbering import (
    arranged,
    as_shown,
    assigned,
    is_ascending,
    is_calendar,
    is_dealt,
)
from imgpuzzle.vision.outcome import (
    cut_tiles,
    make_reading,
)
from imgpuzzle.vision.propose.grids import find_grids
from imgpuzzle.vision.propose.holes import pictures_without_corner
from imgpuzzle.vision.reference.thumbnail import find_thumbnail
from imgpuzzle.vision.request import Request
from imgpuzzle.vision.seams.joins import seam_quality
from imgpuzzle.vision.sliding import find_sliding_tile

__all__ = ["read_by_numbers", "read_without_reference"]

Floats = NDArray[np.float32]
Look = Callable[[Sequence[Image]], NDArray[np.float64] | None]

MOST_GRIDS = 10
FEW_GRIDS = 5
MOST_WITH_THUMBNAIL = 3
MOST_WITH_BOTH = 49
MUCH_PROMISED = 0.5
FEW_CELLS = 6
LEAST_QUALITY = 0.2
CLEAR_QUALITY = 0.35
CLOSE_NATS = 2.0
CLEARLY_MORE = 1.15
MOSTLY = 0.9
"""Share of the smaller of two boards that both cover, if they are the same."""

MIN_TILE_PX = 12
MOST_CORNERED = 4
LEAST_CORNERED_PX = 40


def read_without_reference(request: Request, *, is_quick: bool = False) -> Reading:
    """Find the board and place its tiles with nothing but the screenshot.

    ``is_quick`` tries fewer grids, and no picture of the goal beside the board.
    Raises ``BoardNotFoundError`` when nothing looks like a board and
    ``GridAmbiguousError`` when several grids do so equally well.
    """
    screen = to_opponent(request.view)
    places = list(_places(request, screen, FEW_GRIDS if is_quick else MOST_GRIDS))
    if not places:
        lacking = None if is_quick else _by_hole(request)
        if lacking is None:
            raise BoardNotFoundError(Message(Refusal.NO_BOARD))
        return lacking
    numbered = _by_numbers(request, places)
    if numbered is not None and numbered.certain:
        return numbered
    joined: Reading | None = None
    failure: BoardNotFoundError | GridAmbiguousError | None = None
    try:
        joined = _by_edges(request, places) if numbered is None else None
    except BoardNotFoundError as error:
        failure = error
    except GridAmbiguousError as error:
        if error.regions:
            raise  # two boards: anything else would be about one of them
        failure = error
    if joined is not None and joined.certain:
        return joined
    cornered = _by_cornered_numbers(request, places)
    if cornered is not None:
        return cornered
    shown = None if is_quick else _by_thumbnail(request, screen, places)
    if shown is not None:
        return shown
    lacking = None if is_quick else _by_hole(request)
    if lacking is not None and (lacking.certain or _is_likelier(lacking, numbered)):
        return lacking
    if numbered is not None:
        return numbered
    if failure is not None:
        if lacking is not None:
            return lacking
        raise failure
    assert joined is not None
    return joined


def read_by_numbers(request: Request) -> Reading | None:
    """The board with numbers on its tiles, if they leave nothing in doubt."""
    screen = to_opponent(request.view)
    places = list(_places(request, screen, FEW_GRIDS))
    try:
        numbered = _by_numbers(request, places)
        if numbered is None or not numbered.certain:
            numbered = _by_cornered_numbers(request, places)
    except GridAmbiguousError:
        return None  # two boards with numbers
    # Numbers that do not follow the picture say nothing of what the reference shows.
    return None if numbered is None or numbered.method != "digits" else numbered


def _by_cornered_numbers(request: Request, places: Sequence[Place]) -> Reading | None:
    """A certain reading by small numbers in a corner of the tiles."""
    large = [
        place
        for place in places[:MOST_CORNERED]
        if min(place.cut.tiles[0].shape[:2]) >= LEAST_CORNERED_PX
    ]
    found = _by_numbers(request, large, read_cornered)
    return found if found is not None and found.certain else None


def _by_thumbnail(
    request: Request, screen: Floats, places: Sequence[Place]
) -> Reading | None:
    """A certain reading by a picture of the goal elsewhere on the screen."""
    lattices = [
        place.lattice
        for place in places[:MOST_WITH_THUMBNAIL]
        if is_narrow(request) or not is_plain(np.stack(place.cut.tiles))
    ]
    found = find_thumbnail(screen, lattices, request.goal_blank)
    if found is None:
        return None
    reading = reading_of(request, *found, method="thumbnail")
    return reading if reading.certain else None


def _by_hole(request: Request) -> Reading | None:
    """The board that a picture without a corner is, where no lines show a grid."""
    for one in pictures_without_corner(request.view, request.shapes):
        at = one.lattice
        if request.inner is not None and not is_near(at, request.inner):
            continue
        box = Region(*(round(n) for n in (at.left, at.top, at.width, at.height)))
        cut = cut_tiles(request.screenshot, request.on_screenshot(box), at)
        if min(cut.tiles[0].shape[:2]) < MIN_TILE_PX:
            continue
        try:
            return _by_edges(request, [Place(at, LIKELY_BOARD, cut)])
        except (BoardNotFoundError, GridAmbiguousError):
            continue
    return None


def _is_likelier(solved: Reading, numbered: Reading | None) -> bool:
    """Whether a picture in order outweighs numbers that are in doubt themselves.

    Numerals over a dark picture are hard to read; that it goes on from tile to tile,
    and lacks one of that very grid, is not.
    """
    return (
        numbered is not None
        and solved.board == solved.goal
        and solved.shape == numbered.shape
        and covers(solved.region, numbered.region, MOSTLY)
    )


def _places(request: Request, screen: Floats, most: int) -> Iterator[Place]:
    for one in find_grids(screen, request.shapes, region=request.inner, most=most):
        inside = snap_region(screen, one.lattice.region(screen))
        cut = cut_tiles(request.screenshot, request.on_screenshot(inside), one.lattice)
        if min(cut.tiles[0].shape[:2]) >= MIN_TILE_PX:
            yield Place(one.lattice, one.support, cut)


def _by_numbers(
    request: Request, places: Sequence[Place], look: Look = read_numbers
) -> Reading | None:
    """The board with numbers on its tiles, if there is one."""
    best: tuple[float, Place, NDArray[np.float64]] | None = None
    others: list[tuple[Place, NDArray[np.float64]]] = []
    for place in places:
        scores = look(place.cut.tiles)
        if scores is None:
            continue
        evidence = number_evidence(scores)
        if evidence < SURE_OF_NUMBERS:
            continue
        others.append((place, scores))
        total = evidence * place.shape.size
        # The likelier place stays where another one shows hardly more numbers.
        if best is None or total > CLEARLY_MORE * best[0]:
            best = total, place, scores
    if best is None:
        return None
    _, place, scores = best
    board = assigned(place, scores)
    if board.margin_nats > CERTAIN_NATS:
        dealt = [
            other
            for other, seen in others
            if not overlap(other.lattice, place.lattice)
            and is_dealt(other, seen, board)
        ]
        pictured = another_board(request, place, places)
        if dealt and is_ascending(board.labels):
            # What is in order is the goal, or a list of some other kind.
            return _by_numbers(request, dealt, look)
        if pictured is not None and is_ascending(board.labels):
            return None
        for other in (*dealt, pictured):
            if other is not None:
                raise _two_boards(place, other)
    home = request.blank_cell(place.shape)
    verdict = rank(
        arranged(place.shape, board.labels, home),
        [
            Weighed(board.margin_nats, arranged(place.shape, labels, home))
            for labels in board.alternatives
        ],
        beyond=board.margin_nats,
    )
    doubts: list[Message] = []
    if is_calendar(board.labels, place.shape) and not is_narrow(request):
        doubts.append(Message(Doubt.SOLVED_OR_NO_BOARD))
    cut = place.cut
    blank = verdict.best.blank
    sliding = find_sliding_tile(
        request.screenshot, cut.region, place.shape, cut.gap_px, blank
    )
    if sliding is not None:
        doubts.append(Message(Doubt.SLIDING_TILE))
    reading = make_reading(
        request,
        cut,
        verdict,
        method="digits",
        doubts=doubts,
        misfits=() if sliding is None else (sliding, blank),
        numbers=board.shown,
    )
    reading = _unless_picture_differs(request, place, reading)
    if home is not None and reading.method == "digits":
        return as_shown(reading, board)
    return reading


def _unless_picture_differs(
    request: Request, place: Place, reading: Reading
) -> Reading:
    """Numerals over a picture need not follow its order: then the picture counts."""
    if place.shape.size > MOST_WITH_BOTH:
        return reading
    tiles = np.stack(place.cut.tiles)
    if has_few_faces(tiles):
        return reading
    joins = measure_joins(tiles, place.shape)
    if joins.quality < CLEAR_QUALITY:
        return reading
    homes = [reading.goal.cells.index(label) for label in reading.board.cells]
    laid = np.argsort(homes)
    laid[homes[reading.board.blank]] = place.shape.size
    right, below = (
        np.pad(nats.astype(np.float64), (0, 1)) for nats in (joins.right, joins.below)
    )
    own = seam_quality(place.shape, (right, below), laid, reading.board.blank)
    try:
        pieced = _by_edges(request, [place])
    except BoardNotFoundError:
        pieced = reading
    is_same = pieced.board == reading.board and pieced.goal == reading.goal
    if is_same and pieced is not reading:
        return reading
    if pieced.certain and pieced is not reading:
        return replace(pieced, notes=(Message(Note.NUMBERS_AGAINST_PICTURE),))
    promised = joins.quality >= MUCH_PROMISED and not is_plain(tiles)
    if not promised or own > joins.quality - MUCH_PROMISED:
        return reading
    doubt = Message(Doubt.PICTURE_IN_OTHER_ORDER)
    return replace(reading, certain=False, doubts=(*reading.doubts, doubt))


def _by_edges(request: Request, places: Sequence[Place]) -> Reading:
    pieced = piece_together(request, places)
    moved = [one for one in pieced if not one.is_in_order]
    named = is_narrow(request)
    if not moved or moved[0].quality < LEAST_QUALITY:
        solved = [
            one
            for one in pieced
            if one.is_in_order
            and one.has_hole
            and (named or (one.is_regular and one.place.support > UNLIKELY))
        ]
        if not solved and not (moved and named):
            raise BoardNotFoundError(Message(Refusal.NO_BOARD))
        moved = solved or moved
    best = moved[0]
    is_open = False
    if request.inner is None and not best.is_in_order:
        best, is_open = with_strips(request, best)
    _check_rivals(best, moved[1:])
    if best.is_sure and not best.is_in_order:
        other = another_board(request, best.place, places, best.found.best)
        if other is not None:
            raise _two_boards(best.place, other)
    doubts: list[Message] = []
    if best.is_in_order:
        if not _is_placed(request, best.place):
            doubts.append(Message(Doubt.SOLVED_OR_NO_BOARD))
    elif best.quality < CLEAR_QUALITY:
        doubts.append(Message(Doubt.POOR_JOINS))
    elif not named and (
        has_likelier_whole(best, places) or (best.is_sure and goes_on(request, best))
    ):
        doubts.append(Message(Doubt.PART_OF_LARGER))
    if is_open:
        doubts.append(Message(Doubt.TILES_BESIDE))
    if request.goal_blank is not None and _speaks_against_home(best):
        doubts.append(Message(Doubt.BLANK_HOME))
    cut, blank = best.place.cut, best.found.best.blank
    # Without numerals nothing but the hole tells that a tile moves.
    sliding = find_sliding_tile(
        request.screenshot, cut.region, best.place.shape, cut.gap_px, blank
    )
    if sliding is not None:
        doubts = [Message(Doubt.SLIDING_TILE)]
    classes = equal_tiles(np.stack(cut.tiles))
    verdict = rank(
        best.found.best,
        [
            Weighed(
                other.cost - best.found.best.cost,
                other,
            )
            for other in best.found.alternatives
        ],
        classes=classes,
    )
    return make_reading(
        request,
        cut,
        verdict,
        method="reassembly",
        doubts=doubts,
        misfits=() if sliding is None else (sliding, blank),
        classes=classes,
        # Few tiles make few seams: chance has more to say.
        sure_nats=SURE_NATS if best.place.shape.size > FEW_CELLS else CERTAIN_NATS,
    )


def _is_placed(request: Request, place: Place) -> bool:
    """Whether the caller has named the grid and the place, and this is that place.

    Any picture with a plain corner looks like a solved board of some grid, and so does
    a single tile of another game.
    """
    inner = request.inner
    return (
        inner is not None and len(request.shapes) == 1 and is_near(place.lattice, inner)
    )


def _two_boards(one: Place, other: Place) -> GridAmbiguousError:
    regions = one.cut.region, other.cut.region
    return GridAmbiguousError(
        Message(Refusal.TWO_BOARDS, one=regions[0], other=regions[1]),
        (one.shape, other.shape),
        regions,
    )


def _speaks_against_home(best: Pieced) -> bool:
    """Whether the tiles join much better with another home of the blank."""
    free = reassemble(np.stack(best.place.cut.tiles), best.place.shape)
    return best.found.best.cost - free.best.cost > CERTAIN_NATS


def _check_rivals(best: Pieced, others: Sequence[Pieced]) -> None:
    for other in others:
        if other.place.shape == best.place.shape or is_part_of(other, best):
            continue
        if other.quality > CLEAR_QUALITY and other.total > best.total - CLOSE_NATS:
            raise GridAmbiguousError(
                Message(
                    Refusal.TWO_GRIDS, one=best.place.shape, other=other.place.shape
                ),
                (best.place.shape, other.place.shape),
            )
