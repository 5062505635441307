"""The judge's rules: each with the picture, or the findings, that it is there for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from decide_support import GOAL, GRID, NO_BOARD, arrangement, cut_at
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from test_vision_pages import numbered, soft
from vision_scenes import dealt, draw, is_right, photo, resized

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import GridAmbiguousError, Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt, Message, Note
from imgpuzzle.vision import decide
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.verdict import Verdict
from imgpuzzle.vision.candidate import Candidate, View
from imgpuzzle.vision.geometry.cutting import lattice_of
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.propose.grids import Grid
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.report import Finding, Outcome
from imgpuzzle.vision.search.alone import _by_seams, _cut_better

# 1. Numbers on the tiles


def beside(left: Image, right: Image) -> Image:
    return np.hstack([left, right])


@pytest.mark.slow
def test_small_numbers_in_a_corner_are_read_and_show_two_boards() -> None:
    """Their pictures are too soft to tell; the numerals say that both are dealt."""
    how: dict[str, Any] = {"tile": (110, 110), "at": (40, 40), "canvas": (420, 410)}
    boards = [dealt(GRID, seed, soft(GRID), **how) for seed in (3, 4)]
    pages = [numbered(one, one.board.cells, 13, cornered=True) for one in boards]
    reading = read_puzzle(pages[0])
    assert reading.method == "digits"
    assert reading.certain
    assert is_right(reading, boards[0])
    with pytest.raises(GridAmbiguousError) as found:
        read_puzzle(beside(*pages))
    assert len(found.value.regions) == 2
    assert found.value.candidates == (GRID, GRID)


def plates(boards: Sequence[tuple[int, ...]], shape: Shape = GRID) -> list[Candidate]:
    """Numbers on plain plates, board by board beside each other, cut exactly."""
    pitch = 64
    wide, high = shape.cols * pitch, shape.rows * pitch
    width = len(boards) * (wide + 40) + 40
    picture = PillowImage.new("RGB", (width, high + 80), (223, 230, 233))
    brush, letters = ImageDraw.Draw(picture), ImageFont.load_default(34)
    boxes = []
    for number, labels in enumerate(boards):
        left = 40 + number * (wide + 40)
        boxes.append(Region(left, 40, wide - 5, high - 5))
        for cell, label in enumerate(labels):
            row, col = shape.row_col(cell)
            x, y = left + pitch * col, 40 + pitch * row
            if label:
                brush.rectangle((x, y, x + 58, y + 58), fill=(70, 110, 180))
                place = (x + 29, y + 29)
                brush.text(place, str(label), (255, 255, 255), letters, anchor="mm")
    view = View(make_request(np.asarray(picture).copy()))
    return [view.cut(lattice_of(box, shape, 5), 15.0, box) for box in boxes]


IN_ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 0)
IN_PLAY = (2, 8, 3, 1, 0, 4, 7, 6, 5)


def test_numbers_in_order_beside_a_board_are_no_board() -> None:
    """A list of levels, or the goal: the board is what was dealt beside it."""
    levels, board = plates([IN_ORDER, IN_PLAY])
    both = [levels, board]
    assert decide.elsewhere_dealt(levels, both, cornered=False) == [board]
    assert decide.elsewhere_dealt(board, both, cornered=False) == []


def test_the_same_numbers_twice_are_one_board() -> None:
    one, preview = plates([IN_PLAY, IN_PLAY])
    assert decide.elsewhere_dealt(one, [one, preview], cornered=False) == []


@pytest.mark.parametrize(
    ("labels", "shape", "is_calendar"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0), Shape(4, 3), True),
        ((1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10, 0), Shape(4, 3), False),
        (IN_ORDER, GRID, False),
    ],
)
def test_weeks_and_keypads_are_no_solved_boards(
    labels: tuple[int, ...], shape: Shape, is_calendar: bool
) -> None:
    (one,) = plates([labels], shape)
    board = one.number_board()
    assert board.labels == labels
    assert board.is_calendar(shape) is is_calendar


def over_picture(
    follows: bool,
) -> tuple[Candidate, Finding, Callable[[], Outcome], Board]:
    """Numerals over a picture, in its order or in another, and what each says."""
    drawn = dealt(GRID, 5, tile=(80, 80), canvas=(400, 360))
    board = drawn.board
    labels = board.cells if follows else uniform(GOAL, seed=6).cells
    if not follows:
        kept = iter([label for label in labels if label])
        labels = tuple(next(kept) if label else 0 for label in board.cells)
    shown = numbered(drawn, labels, 22)
    one = View(make_request(shown)).cut(
        Lattice.from_box(GRID, 70, 50, 240, 240), 15.0, drawn.box
    )
    said = Finding(
        one.cut, Verdict(arrangement(Board(GRID, labels)), 20.0, (), ()), "digits"
    )
    return one, said, lambda: _by_seams([one]), board


def test_numbers_that_follow_the_picture_count() -> None:
    one, said, by_seams, _ = over_picture(follows=True)
    assert decide.numbers_or_picture(one, said, by_seams) == said


def test_a_picture_counts_where_numbers_do_not_follow_it() -> None:
    """Some games deal the numbers anew; solving by them would not mend the picture."""
    one, said, by_seams, board = over_picture(follows=False)
    found = decide.numbers_or_picture(one, said, by_seams)
    if found.is_certain:
        assert found.best.board == board
        assert Message(Note.NUMBERS_AGAINST_PICTURE) in found.notes
    else:
        assert Doubt.PICTURE_IN_OTHER_ORDER in found.kinds
    # Where nothing was pieced together, what the tiles promise is doubt enough.
    found = decide.numbers_or_picture(one, said, lambda: NO_BOARD)
    assert found.kinds == {Doubt.PICTURE_IN_OTHER_ORDER}


@pytest.mark.parametrize(
    ("quality", "nats", "is_doubted"),
    [(0.9, 9.0, True), (0.3, 9.0, False), (0.9, 0.4, False)],
)
def test_what_was_laid_speaks_against_numbers_not_what_was_promised(
    quality: float, nats: float, is_doubted: bool
) -> None:
    """Plain or grained tiles promise good joins, and keep little once they are laid."""
    one, said, _, _ = over_picture(follows=False)
    assert one.joins().quality > decide.TUNING.promised_quality
    one.laid = replace(one.laid, seam_quality=quality, margin_nats=nats)
    found = decide.numbers_or_picture(one, said, lambda: NO_BOARD)
    assert (Doubt.PICTURE_IN_OTHER_ORDER in found.kinds) is is_doubted


# 2. Seams


def two_boards(first: Board, second: Board) -> tuple[Candidate, Candidate]:
    """Two boards of two pictures beside each other."""
    pages = [
        draw(photo(name), board, GOAL, tile=(80, 80), canvas=(380, 340)).screenshot
        for name, board in (("photo_coffee.jpg", first), ("photo_cat.jpg", second))
    ]
    view = View(make_request(beside(*pages)))
    places = Region(70, 50, 240, 240), Region(450, 50, 240, 240)
    one, other = (cut_at(view, GRID, box) for box in places)
    return one, other


def test_a_second_board_in_play_is_named() -> None:
    one, other = two_boards(uniform(GOAL, seed=1), uniform(GOAL, seed=2))
    assert decide.second_board(one, [one, other]) is other
    # Not a preview of the same position, and nothing that hardly looks like a board.
    assert decide.second_board(one, [one, other], other.best) is None
    unlikely = cut_at(other.view, GRID, other.cut.region, support=5.0)
    assert decide.second_board(one, [unlikely]) is None


def test_the_goal_beside_a_board_is_no_second_board() -> None:
    one, goal = two_boards(uniform(GOAL, seed=1), GOAL)
    assert decide.second_board(one, [one, goal]) is None


def nearly_solved() -> tuple[Candidate, Candidate]:
    """Three columns of a 3x4 board that hold all that is not at home, and all of it."""
    shape = Shape(3, 4)
    goal = home_cells(shape, blank=0)
    # Around the corner: of the last column no tile has moved.
    board = goal
    for cell in (1, 2, 6, 10, 9, 5, 6, 2, 1, 0):
        board = board.slide(cell)
    drawn = draw(photo(), board, goal, tile=(80, 80), canvas=(460, 340))
    view = View(make_request(drawn.screenshot))
    whole = cut_at(view, shape, Region(70, 50, 320, 240), support=14.5)
    return cut_at(view, GRID, Region(70, 50, 240, 240), support=15.0), whole


def test_a_part_of_a_board_gives_way_to_the_whole() -> None:
    part, whole = nearly_solved()
    assert whole.holds(part)
    assert part.total > whole.total - 5.0
    assert decide.best_laid([part, whole])[0] is whole
    assert Doubt.PART_OF_LARGER in decide.doubts_of_laid(
        part, [part, whole], is_open=False
    )
    assert not decide.doubts_of_laid(whole, [part, whole], is_open=False)
    assert decide.doubts_of_laid(whole, [], is_open=True) == [Doubt.TILES_BESIDE]


def solved(hole: tuple[int, int, int] | None, **asked: Any) -> Candidate:
    """A picture in order, whose last cell is a hole, or shows the page, or a piece."""
    drawn = draw(photo(), GOAL, GOAL, tile=(80, 80), hole=hole, canvas=(380, 340))
    page = drawn.screenshot
    if hole is None:
        page[50:290, 70:310] = resized(photo(), 240, 240)
    view = View(make_request(page, **asked))
    left, top = 70 - view.request.left, 50 - view.request.top
    return cut_at(view, GRID, Region(left, top, 240, 240))


def test_a_picture_in_order_is_a_board_only_with_a_hole() -> None:
    board, picture = solved((30, 30, 34)), solved(None)
    assert decide.in_play_or_solved([board]) == [board]
    faint = cut_at(picture.view, GRID, picture.cut.region, support=12.0)
    assert decide.in_play_or_solved([faint]) == []
    # A grid that shows is told, and what lies in it is in doubt.
    assert decide.in_play_or_solved([picture]) == [picture]
    assert Doubt.SOLVED_OR_NO_BOARD in decide.doubts_of_laid(picture, [], is_open=False)
    assert decide.doubts_of_laid(board, [], is_open=False) == []
    # Where nothing but the hole shows its grid it may be any picture.
    bare = cut_at(board.view, GRID, board.cut.region, support=12.0)
    in_doubt = [Doubt.SOLVED_OR_NO_BOARD]
    assert decide.doubts_of_laid(bare, [], is_open=False) == in_doubt
    # Nor is it told beside larger tiles: it may be the goal of a board that is hidden.
    for width, said in ((280, in_doubt), (140, [])):
        strip = Region(20, 300, width, width // 10)
        beside = cut_at(board.view, Shape(1, 3), strip, support=13.0)
        large = cut_at(board.view, Shape(1, 3), replace(strip, height=width // 3))
        assert decide.doubts_of_laid(board, [beside], is_open=False) == []
        assert decide.doubts_of_laid(board, [large], is_open=False) == said
    # One in play goes before it.
    dealt, _ = two_boards(uniform(GOAL, seed=1), GOAL)
    assert decide.in_play_or_solved([board, dealt]) == [dealt]


def test_a_picture_that_is_in_order_but_for_its_edge_may_be_none() -> None:
    """With plain edges a page looks like that, cut anywhere."""
    shape = Shape(3, 4)
    picture = np.arange(12).reshape(3, 4)

    def laid(homes: Any, blank: int = 12) -> Arrangement:
        return Arrangement(shape, tuple(np.ravel(homes).tolist()), blank, 0.0)

    for down, across in itertools.product(range(3), range(4)):
        rolled = np.roll(picture, (down, across), (0, 1))
        assert laid(rolled).is_rolled
        for blank in (0, 7):
            # Whatever lies where the hole is.
            assert laid(rolled, blank).is_rolled
    assert not laid(np.roll(picture, 1)).is_rolled
    one_line = picture.copy()
    one_line[1] = np.roll(one_line[1], 1)
    assert not laid(one_line).is_rolled
    assert not laid(picture[:, [1, 0, 2, 3]]).is_rolled

    dealt, _ = two_boards(uniform(GOAL, seed=1), GOAL)
    said = decide.doubts_of_laid(dealt, [], is_open=False)
    assert Doubt.UNLIKELY_GRID not in said
    grid = np.arange(9).reshape(3, 3)
    homes = tuple(np.roll(grid, 1, 1).ravel().tolist())
    whole = Arrangement(GRID, homes, 9, 0.0)
    dealt.__dict__["laid"] = replace(dealt.laid, best=whole)
    assert Doubt.UNLIKELY_GRID in decide.doubts_of_laid(dealt, [], is_open=False)


@dataclass
class Put:
    """A grid that was put together, as far as it is in play or solved."""

    total: float
    quality: float = 0.0
    is_in_order: bool = False
    has_hole: bool = True
    is_in_corner: bool = True
    support: float = 15.0
    best: Arrangement = field(default_factory=lambda: arrangement(GOAL))
    view: Any = field(default_factory=lambda: SimpleNamespace(is_narrow=False))


def test_a_part_of_a_solved_board_that_joins_poorly_gives_way_to_it() -> None:
    def chosen(part: Put, whole: Put) -> Any:
        return decide.in_play_or_solved(cast("list[Candidate]", [part, whole]))[0]

    whole = Put(15.0, is_in_order=True)
    assert chosen(Put(12.0, quality=0.3), whole) is whole
    assert chosen(part := Put(14.0, quality=0.3), whole) is part
    # What joins well is in play, however clearly another grid shows.
    assert chosen(part := Put(5.0, quality=0.6), whole) is part
    # And any picture is in order: without a hole it says nothing.
    bare = Put(15.0, is_in_order=True, has_hole=False)
    assert chosen(part := Put(12.0, quality=0.3), bare) is part


@dataclass
class Shown:
    """A grid as far as it shows by itself."""

    support: float
    lattice: Lattice


def test_a_grid_shows_clearly_where_no_other_comes_near() -> None:
    def clear(*shown: Shown) -> Any:
        return decide.clear_grid(cast("list[Candidate]", shown))

    fine = Lattice.from_box(Shape(8, 8), 10, 10, 320, 320)
    coarse = Lattice.from_box(Shape(4, 4), 10, 10, 320, 320)
    assert clear(best := Shown(11.0, fine), Shown(6.0, coarse)) is best
    assert clear(Shown(6.0, coarse), best) is best
    # The same grid a px aside is no other one.
    aside = Shown(10.9, replace(fine, left=11.0))
    assert clear(best, aside, Shown(6.0, coarse)) is best
    assert clear(best, Shown(8.0, coarse)) is None
    assert clear(Shown(7.0, fine), Shown(-2.0, coarse)) is None


def test_a_solved_board_that_was_named_is_not_doubted() -> None:
    board = solved((30, 30, 34), shape=GRID, region=Region(70, 50, 240, 240))
    assert decide.doubts_of_laid(board, [], is_open=False) == []


@dataclass
class Tried:
    """A grid that was put together, as far as the rules on cuts look at it."""

    nats: float
    best: Arrangement

    def joins(self) -> Tried:
        return self


def tried(nats: float, seed: int) -> Candidate:
    one = Tried(nats, arrangement(uniform(GOAL, seed=seed)))
    return cast(Candidate, one)


def test_the_cut_counts_whose_tiles_join_best() -> None:
    own, clearer = tried(4.0, 1), tried(4.5, 1)
    assert decide.clearest_cut(own, [tried(4.2, 1), clearer]) is clearer
    assert decide.clearest_cut(own, [tried(4.05, 1)]) is own
    assert decide.clearest_cut(own, []) is own


def test_a_cut_that_makes_another_board_is_not_believed() -> None:
    """Else a board would be cut until it leads."""
    own = tried(4.0, 1)
    other = tried(6.0, 2)
    assert decide.clearest_cut(own, [other, tried(4.5, 1)]) is own
    assert decide.clearest_cut(own, [other], is_settled=False) is other


def ruled(seed: int) -> tuple[Image, Board]:
    """A board whose tiles have a dark line of a px along their left and top."""
    drawn = dealt(GRID, seed, tile=(57, 57), at=(40, 30), canvas=(260, 240))
    page = drawn.screenshot.copy()
    for step in range(3):
        page[30:201, 40 + 57 * step] = 20
        page[30 + 57 * step, 40:211] = 20
    return page, drawn.board


@pytest.mark.parametrize("seed", [2, 3])
def test_a_grid_is_cut_where_its_tiles_join_best(seed: int) -> None:
    """Sides of a px too little cut every tile a little elsewhere."""
    page, board = ruled(seed)
    box = Region(41, 31, 170, 170)
    own = View(make_request(page)).cut(Lattice.from_box(GRID, 41, 31, 170, 170), 0, box)
    assert own.best.board == board
    found = _cut_better(own, 1000.0)
    assert found.best.board == board
    assert found.joins().nats > own.joins().nats
    assert found.laid.margin_nats > own.laid.margin_nats
    # The lines are gaps, or parts of the tiles.
    assert found.cut.region.width + found.cut.gap_px == 171


def test_a_cut_stays_on_the_screen_and_in_a_place_that_was_named() -> None:
    page, _ = ruled(1)
    part = np.ascontiguousarray(page[30:, 40:])
    at, region = Lattice.from_box(GRID, 0, 0, 171, 171), Region(0, 0, 171, 171)
    corner = View(make_request(part)).cut(at, 0.0, region)
    assert corner.moved(-1, 0, 0) is None
    assert corner.moved(0, 0, -1) is None
    wider = corner.moved(0, 1, 1)
    assert (wider.cut.region, wider.cut.gap_px) == (Region(0, 0, 172, 172), 1)
    view = View(make_request(page, region=Region(41, 31, 170, 170)))
    inner = view.request.inner
    at = Lattice.from_box(GRID, inner.left, inner.top, 170, 170)
    found = _cut_better(view.cut(at, 0.0, inner), 1000.0)
    assert found.cut.region == Region(41, 31, 170, 170)


def spotted(
    at: float, seed: int, quality: float, margin: float, joins: float = 6.0
) -> Candidate:
    laid = SimpleNamespace(margin_nats=margin)
    lattice = Lattice.from_box(GRID, at, at, 240, 240)
    best = arrangement(uniform(GOAL, seed=seed))
    one = SimpleNamespace(lattice=lattice, quality=quality, laid=laid, best=best)
    one.joins = lambda: SimpleNamespace(nats=joins)
    return cast(Candidate, one)


def test_a_frame_that_may_be_part_of_the_tiles_leaves_doubt() -> None:
    """With it and without it the tiles make two boards: one of them is wrong."""
    best = spotted(50, 1, 1.0, 9.0)
    assert decide.cut_otherwise(best, [best]) is None
    other = spotted(54, 2, 0.95, 6.0)
    assert decide.cut_otherwise(best, [best, other]) is other
    for harmless in (
        spotted(54, 1, 0.95, 6.0),  # the same board
        spotted(54, 2, 0.7, 6.0),  # joins much worse
        spotted(54, 2, 0.95, 1.0),  # knows no better
        spotted(130, 2, 0.95, 6.0),  # another place
    ):
        assert decide.cut_otherwise(best, [harmless]) is None
    # What explains much less of the picture says nothing.
    poor = spotted(54, 2, 0.95, 6.0)
    cast(Any, poor).best = replace(poor.best, cost=9.0)
    assert decide.cut_otherwise(best, [poor]) is None
    # What it leads by counts against the lead of the best, where it joins as well.
    best, other = spotted(50, 1, 1.0, 4.5), spotted(51, 2, 1.0, 1.0)
    assert decide.cut_otherwise(best, [other]) is other
    assert decide.cut_otherwise(best, [spotted(51, 2, 1.0, 1.0, 5.0)]) is None
    assert decide.cut_otherwise(spotted(50, 1, 1.0, 6.5), [other]) is None


def test_a_match_on_another_grid_than_the_clear_one_in_its_place_is_told() -> None:
    clear = Lattice.from_box(Shape(3, 3), 100.0, 50.0, 300.0, 300.0)
    part = Lattice.from_box(Shape(3, 2), 100.0, 50.0, 200.0, 300.0)
    grids = [Grid(clear, 18.0), Grid(part, 12.0)]
    across = Lattice.from_box(Shape(6, 9), 100.0, 60.0, 300.0, 285.0)
    assert decide.clear_otherwise(grids, across) == Shape(3, 3)
    # The same grid, another place, and grids of which none is clear say nothing.
    assert decide.clear_otherwise(grids, clear) is None
    assert decide.clear_otherwise(grids, part) is None
    assert decide.clear_otherwise([Grid(clear, 14.0), grids[1]], across) is None
    assert decide.clear_otherwise([], across) is None


def test_another_grid_that_shows_more_clearly_in_the_place_of_a_board_is_told() -> None:
    def shown(rows: int, cols: int, support: float, left: float = 100.0) -> Candidate:
        at = Lattice.from_box(Shape(rows, cols), left, 50.0, 240.0, 240.0)
        one = SimpleNamespace(shape=at.shape, lattice=at, support=support)
        return cast("Candidate", one)

    best = shown(4, 2, 13.4)
    clearer = shown(4, 4, 17.0)
    assert decide.clearer_in_place(best, [best, clearer]) is clearer
    assert decide.clearer_in_place(clearer, [best, clearer]) is None
    assert decide.clearer_in_place(best, [shown(4, 4, 14.0)]) is None
    assert decide.clearer_in_place(best, [shown(4, 4, 17.0, left=200.0)]) is None
    assert decide.clearer_in_place(best, [shown(4, 2, 17.0)]) is None
