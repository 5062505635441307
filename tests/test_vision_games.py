"""Choosing among grids, and giving up where there is no board."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from vision_scenes import cells_of
from vision_ways import unless_refused

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.reading import BoardNotFoundError, GridAmbiguousError, Region
from imgpuzzle.core.scramble import uniform
from imgpuzzle.messages import Doubt
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.verdict import Weighed, rank
from imgpuzzle.vision.candidate import Candidate, View
from imgpuzzle.vision.decide import is_part_of_larger
from imgpuzzle.vision.geometry.cutting import cut_tiles
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.perspective import tilted_views
from imgpuzzle.vision.numbers.digits import is_plain
from imgpuzzle.vision.options import make_request
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.report import CURVES, Finding, confidence_of, sure_lead
from imgpuzzle.vision.search.alone import laid_of
from imgpuzzle.vision.tuning import TUNING as VISION

TILE = 60
LEFT, TOP = 130, 90


def picture(rng, height, width):
    """Soft blobs of all sizes, different everywhere."""
    total = np.zeros((height, width, 3))
    for sigma, weight in ((6, 1), (16, 3), (45, 9)):
        noise = rng.normal(0, 1, (height, width, 3))
        total += weight * sigma * cv2.GaussianBlur(noise, (0, 0), sigma)
    total -= total.min()
    return (255 * total / total.max()).astype(np.uint8)


def drawn(board, goal, rng):
    """A grey page with the board on it, the hole in the page's colour."""
    rows, cols = board.shape.rows, board.shape.cols
    whole = picture(rng, rows * TILE, cols * TILE)
    page = np.full((TOP * 2 + rows * TILE, LEFT * 2 + cols * TILE, 3), 60, np.uint8)
    for cell, label in enumerate(board.cells):
        if label:
            row, col = board.shape.row_col(cell)
            y, x = (TILE * n for n in goal.shape.row_col(goal.cells.index(label)))
            top, left = TOP + row * TILE, LEFT + col * TILE
            page[top : top + TILE, left : left + TILE] = whole[
                y : y + TILE, x : x + TILE
            ]
    return page


def grid_of(view, shape, row, col, support):
    lattice = Lattice.from_box(
        shape,
        LEFT + col * TILE,
        TOP + row * TILE,
        shape.cols * TILE,
        shape.rows * TILE,
    )
    return view.cut(lattice, support, lattice.region(view.screen))


def stirred_corner():
    """A 4x4 board of which only the 3x3 at the bottom right has been moved."""
    goal = row_major(Shape(4, 4))
    board = goal
    for cell in (14, 10, 9, 13, 14, 10, 11, 15, 14, 13, 9, 10, 6, 5, 9, 13):
        board = board.slide(cell)
    assert all(board.cells[cell] == goal.cells[cell] for cell in (0, 1, 2, 3, 4, 8, 12))
    return board, goal


@pytest.fixture
def stirred():
    board, goal = stirred_corner()
    view = View(make_request(drawn(board, goal, np.random.default_rng(4))))
    part = grid_of(view, Shape(3, 3), 1, 1, 19.0)
    return view, part, grid_of(view, Shape(4, 4), 0, 0, 17.0)


def test_whole_board_wins_over_its_stirred_corner(stirred):
    _, part, whole = stirred
    assert laid_of([part])[0].quality > 0.6
    assert laid_of([part, whole])[0] is whole


def test_picture_goes_on_beyond_a_part_of_the_board(stirred):
    _, part, whole = stirred
    assert part.goes_on
    assert not whole.goes_on
    assert is_part_of_larger(part, [])


def test_likelier_whole_casts_doubt_on_its_part(stirred):
    view, part, whole = stirred
    # A board whose sides show that it ends there, of which nothing goes on.
    likelier = grid_of(view, Shape(4, 4), 0, 0, whole.support + 3.0)
    less = grid_of(view, Shape(4, 4), 0, 0, whole.support - 5.0)
    assert likelier.holds(part)
    assert not part.holds(likelier)
    shaky = Candidate(view, part.lattice, part.support, part.cut)
    shaky.__dict__["laid"] = replace(part.laid, margin_nats=0.0)
    assert not is_part_of_larger(shaky, [shaky, less])
    assert is_part_of_larger(shaky, [shaky, likelier])


def test_grids_that_cannot_win_are_not_pieced_together(stirred):
    view, _, whole = stirred
    other = grid_of(view, Shape(3, 4), 0, 0, whole.support - 12.0)
    assert laid_of([whole, other]) == [whole]


def test_texts_are_plain_and_pictures_are_not():
    rng = np.random.default_rng(1)
    page = np.full((240, 240, 3), 250, np.uint8)
    for y in range(30, 240, 60):
        cv2.putText(page, "a  b  c", (12, y + 8), 0, 0.5, (0, 0, 0), 1)
    assert is_plain(cells_of(page, 4, 4))
    assert not is_plain(cells_of(picture(rng, 240, 240), 4, 4))


def test_upright_pictures_have_no_tilted_views():
    goal = row_major(Shape(3, 3))
    board = Board(goal.shape, (8, 6, 7, 2, 5, 4, 3, 0, 1))
    page = drawn(board, goal, np.random.default_rng(2))
    cv2.rectangle(page, (20, 20), (page.shape[1] - 20, page.shape[0] - 20), 0, 3)
    assert not list(tilted_views(page))
    height, width = page.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = corners + np.array([(40, 25), (-10, 50), (-35, -20), (15, -5)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, moved)
    assert list(tilted_views(cv2.warpPerspective(page, matrix, (width, height))))


@pytest.mark.slow
def test_boards_of_other_games_are_not_read():
    page = np.full((400, 480, 3), 235, np.uint8)
    for row in range(8):
        for col in range(8):
            dark = (row + col) % 2
            x, y = 80 + 40 * col, 40 + 40 * row
            cv2.rectangle(
                page, (x, y), (x + 39, y + 39), (90, 140, 200)[:: 1 - 2 * dark], -1
            )
    with pytest.raises((BoardNotFoundError, GridAmbiguousError)):
        read_puzzle(page)


def at_home(shape, blank):
    """All at home; after the last cell none is empty."""
    return Arrangement(shape, tuple(range(shape.size)), blank, 0.0)


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(3, 3)], ids=str)
@pytest.mark.parametrize("more", [-0.1, 0.1])
def test_the_lead_that_is_asked_for_makes_certain(shape, more):
    lead = sure_lead("reassembly", at_home(shape, 3)) + more
    page = np.zeros((80, 80, 3), np.uint8)
    lattice = Lattice.from_box(shape, 0, 0, 80, 80)
    cut = cut_tiles(page, lattice.region(page), lattice)
    rest = tuple(range(2, shape.size))
    best = Arrangement(shape, (0, 1, *rest), 3, 0.0)
    other = Weighed(lead, Arrangement(shape, (1, 0, *rest), 3, lead))
    reading = Finding(cut, rank(best, [other]), "reassembly").reading()
    assert reading.certain is (more > 0.0)
    assert bool(reading.doubtful) is not reading.certain
    assert bool(reading.alternatives) is not reading.certain


@pytest.mark.parametrize("more", [-0.1, 0.1])
def test_of_what_cannot_be_solved_a_larger_lead_is_asked_for(more):
    shape = Shape(3, 3)
    enough = sure_lead("reassembly", at_home(shape, 8))
    page = np.zeros((90, 90, 3), np.uint8)
    lattice = Lattice.from_box(shape, 0, 0, 90, 90)
    cut = cut_tiles(page, lattice.region(page), lattice)
    home = tuple(range(9))
    lead = enough + VISION.unsolvable_lead + more
    for best, other in (((1, 0, *home[2:]), home), (home, (1, 0, *home[2:]))):
        rival = Weighed(lead, Arrangement(shape, other, 8, lead))
        verdict = rank(Arrangement(shape, best, 8, 0.0), [rival])
        found = Finding(cut, verdict, "reassembly")
        assert found.is_certain is (best == home or more > 0.0)
        assert (found.confidence >= VISION.sure_share) is found.is_certain
        # What is doubted for another reason than the lead is not told to be sure.
        for kind in (Doubt.ARRANGEMENT, Doubt.CUT_OFF):
            assert found.doubted(kind).confidence < VISION.sure_share


def test_one_share_of_right_readings_is_asked_of_every_witness():
    for method in CURVES:
        lead = sure_lead(method, at_home(Shape(4, 4), 15))
        assert confidence_of(method, lead, 0) == pytest.approx(VISION.sure_share)
        # Few tiles make few seams and few numbers.
        few = at_home(Shape(2, 3), 5)
        more = {"digits": 2.0, "reassembly": VISION.few_joined}.get(method, 1.0)
        assert sure_lead(method, few) == pytest.approx(more * lead)
        # And where none is missing, or tiles may lie turned, there are more boards.
        more = 2.0 if method in ("digits", "reassembly") else 1.0
        for one in (at_home(Shape(2, 3), 6), replace(few, turns=(0, 1, 0, 3, 0, 0))):
            assert sure_lead(method, one) == pytest.approx(more * lead)


def numbers_page(rows, cols, blank):
    """Black numbers from 1 on white cells with lines between, one cell empty."""
    page = np.full((rows * 80 + 120, cols * 80 + 160, 3), 245, np.uint8)
    shown = iter(range(1, rows * cols))
    for cell in range(rows * cols):
        y, x = 60 + 80 * (cell // cols), 80 + 80 * (cell % cols)
        cv2.rectangle(page, (x, y), (x + 78, y + 78), (120, 120, 120), 1)
        if cell != blank:
            number = str(next(shown))
            cv2.putText(page, number, (x + 18, y + 52), 0, 1.1, (0, 0, 0), 3)
    return page


@pytest.mark.slow
def test_weeks_of_a_calendar_are_not_taken_for_a_board():
    reading = read_puzzle(numbers_page(4, 7, 0))
    assert not reading.certain


def test_square_of_numbers_in_order_is_a_board():
    reading = read_puzzle(numbers_page(4, 4, 15))
    assert reading.certain
    assert reading.board.cells == (*range(1, 16), 0)


def without_lines(monkeypatch):
    """Tiles of soft pictures may show no line at all: no grid is proposed."""
    monkeypatch.setattr("imgpuzzle.vision.candidate.find_grids", lambda *_, **__: [])


def test_a_named_grid_in_a_named_place_is_read_where_no_lines_show(monkeypatch):
    without_lines(monkeypatch)
    goal = row_major(Shape(3, 3))
    board = uniform(goal, seed=4)
    page = drawn(board, goal, np.random.default_rng(3))
    box = Region(LEFT, TOP, 3 * TILE, 3 * TILE)
    reading = read_puzzle(page, shape=board.shape, region=box)
    assert reading.board == board
    assert reading.region == box
    # Where the place alone is named, the hole in the picture tells the grid.
    found = read_puzzle(page, region=box)
    assert (found.board, found.region) == (board, box)


def test_where_nothing_is_to_be_seen_there_is_no_board_though_it_is_named(monkeypatch):
    without_lines(monkeypatch)
    page = np.full((400, 500, 3), 250, np.uint8)
    cv2.putText(page, "drop a picture", (120, 200), 0, 0.6, (0, 0, 0), 1)
    with pytest.raises(BoardNotFoundError):
        read_puzzle(page, shape=Shape(3, 3), region=Region(100, 90, 180, 180))


def test_why_tiles_were_not_put_together_is_kept():
    """Of a grid that is no board: for --explain."""
    page = np.full((400, 500, 3), 250, np.uint8)
    page[90:270, 130:310] = np.random.default_rng(2).integers(0, 255, (180, 180, 3))
    view = View(make_request(page))
    one = grid_of(view, Shape(3, 3), 0, 0, 9.0)
    plain = grid_of(view, Shape(2, 2), 3, 0, 9.0)
    many = grid_of(view, Shape(9, 9), 0, 0, 9.0)
    assert laid_of([one, plain]) == [one]
    assert one.passed_over is None
    assert plain.passed_over == "its sides are plain"
    assert laid_of([many]) == []
    assert many.passed_over == "so many cells need looks of 18 nats"


def test_a_page_with_a_photograph_is_no_board_for_certain() -> None:
    """Its sides lie on lines of a grid: moved by a tile it would spare two seams."""
    rng = np.random.default_rng(5)
    sky = np.linspace((250, 232, 236), (255, 136, 54), 720).astype(np.uint8)
    page = np.repeat(sky[:, None], 1280, axis=1)
    page[476:656, 856:1152] = picture(rng, 180, 296)
    found = unless_refused(page)
    assert found is None or not found.certain
