"""From verdicts to readings: words, frequencies, and the drawings of both."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.reading import DOUBT, Alternative, Reading, Region
from imgpuzzle.messages import Doubt, Message, Note
from imgpuzzle.vision.annotate import (
    annotate,
    assemble,
    assemble_answers,
    numbered,
)
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import Verdict, Weighed, rank
from imgpuzzle.vision.geometry.cutting import Cut, cut_tiles
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.read import _well_lit
from imgpuzzle.vision.report import Finding, cell_confidences, confidence_of

SHAPE = Shape(3, 3)
HOMES = (3, 0, 2, 6, 8, 1, 7, 4, 5)
"""The blank lies in the middle and belongs in the last cell."""

METHODS = st.sampled_from(["reference", "thumbnail", "digits", "reassembly"])


def exchanged(one: int, other: int) -> tuple[int, ...]:
    homes = list(HOMES)
    homes[one], homes[other] = homes[other], homes[one]
    return tuple(homes)


def verdict(nats: float, one: int = 0, other: int = 8) -> Verdict:
    """Exchanging the tiles of two cells costs so much more."""
    best = Arrangement(SHAPE, HOMES, 4, 0.0)
    rival = Arrangement(SHAPE, exchanged(one, other), 4, nats)
    return rank(best, [Weighed(nats, rival)])


def grey_tiles(count: int = 9) -> Cut:
    tiles = tuple(np.full((20, 30, 3), 20 * n + 40, np.uint8) for n in range(count))
    return Cut(Region(10, 20, 94, 64), SHAPE, tiles, 2)


def reading(nats: float = 40.0, **options: object) -> Reading:
    given_verdict = options.pop("verdict", verdict(nats))
    assert isinstance(given_verdict, Verdict)
    return Finding(
        grey_tiles(),
        given_verdict,
        "reference",
        **options,  # type: ignore[arg-type]
    ).reading()


@pytest.mark.parametrize(
    ("method", "sure", "too_little"),
    [("reference", 16.5, 15.5), ("reassembly", 5.1, 4.9), ("digits", 4.9, None)],
)
def test_more_is_asked_of_what_was_set_upright(method, sure, too_little) -> None:
    found = Finding(grey_tiles(), verdict(sure), method)
    assert found.is_certain
    assert _well_lit(found) is found
    if too_little is not None:
        found = Finding(grey_tiles(), verdict(too_little), method)
        assert found.is_certain
        doubted = _well_lit(found)
        assert doubted.kinds == {Doubt.ARRANGEMENT}
        assert doubted.misfits == (*range(9),)


# Confidence


@given(METHODS, st.floats(-5, 60), st.floats(0, 60), st.integers(0, 4))
def test_confidence_grows_with_the_lead_and_falls_with_trouble(
    method, nats, more, trouble
) -> None:
    found = confidence_of(method, nats, trouble)
    assert 0 < found < 1
    assert confidence_of(method, nats + more, trouble) >= found
    assert confidence_of(method, nats, trouble + 1) <= found


def test_a_real_lead_is_worth_more_than_none() -> None:
    for method in ("reference", "thumbnail", "digits", "reassembly"):
        sure = confidence_of(method, ARRANGE.certain_nats, 0)
        assert sure > 0.95
        assert confidence_of(method, 0.0, 0) < sure - 0.2
        assert confidence_of(method, ARRANGE.certain_nats, 1) < sure - 0.2


@given(st.floats(0, 1), st.floats(0, 30), st.sets(st.integers(0, 8)))
def test_cells_that_no_rival_changes_are_more_certain(confidence, nats, doubt) -> None:
    cells = cell_confidences(verdict(nats), confidence, doubt)
    assert len(cells) == 9
    assert all(confidence - 1e-9 <= value <= 1 for value in cells)
    alone = set(range(9)) - {0, 8} - doubt
    assert all(cells[cell] >= cells[0] for cell in alone)
    assert all(cells[cell] <= 1 - 0.5 * (1 - confidence) + 1e-9 for cell in doubt)


# Readings


def test_a_clear_verdict_is_certain() -> None:
    found = reading(40.0, notes=(Message(Note.CORRECTED),))
    assert found.certain
    assert found.doubts == found.doubtful == ()
    # This board cannot be solved: the nearest that can is told, however far it is.
    assert not found.solvable
    assert [one.confidence < 1e-9 for one in found.alternatives] == [True]
    assert found.notes == (Message(Note.CORRECTED),)
    assert found.board == Board.parse("4 1 3 / 7 0 2 / 8 5 6")
    assert found.goal == home_cells(SHAPE, blank=8)
    assert (found.region, found.gap_px) == (Region(10, 20, 94, 64), 2)


def test_a_close_rival_is_named_with_its_cells() -> None:
    found = reading(3.0)
    assert not found.certain
    assert found.doubts == (Message(Doubt.ARRANGEMENT),)
    assert found.doubtful == (0, 8)
    (other,) = found.alternatives
    assert other.board.cells == (6, 1, 3, 7, 0, 2, 8, 5, 4)
    left = 1 - found.confidence
    likely = min(left, found.confidence * math.exp(-3.0))
    assert other.confidence == pytest.approx(likely)
    # The goal that the user gives settles it.
    assert found.with_goal(found.goal).certain


@given(st.floats(0, 6), st.integers(0, 3))
def test_no_alternative_is_likelier_than_the_reading(nats: float, trouble: int) -> None:
    found = reading(nats, doubts=(Message(Doubt.CUT_OFF),) * trouble)
    for other in found.alternatives:
        assert other.confidence <= found.confidence * math.exp(-nats) + 1e-9
        assert found.confidence + other.confidence <= 1 + 1e-9


def test_every_further_doubt_counts() -> None:
    found = reading(40.0, doubts=(Message(Doubt.CUT_OFF),), misfits=(7,))
    assert not found.certain
    assert found.doubts == (Message(Doubt.CUT_OFF),)
    assert found.doubtful == (7,)
    assert found.confidence < reading(40.0).confidence
    assert found.cell_confidence[7] < found.cell_confidence[1]
    assert not found.with_goal(found.goal).certain


def test_equal_tiles_are_grouped_without_the_blank() -> None:
    # Classes by cell: 0, 3 and the blank look the same, and so do 7 and 8.
    classes = (0, 1, 2, 0, 0, 5, 6, 7, 7)
    found = reading(classes=classes)
    assert found.identical == ((0, 3), (7, 8))
    assert found.certain
    apart = reading(classes=classes, distinct=True)
    assert apart.identical == ()
    assert apart.doubtful == (0, 3, 7, 8)
    assert not apart.certain


def test_parity_tells_a_single_pair_apart() -> None:
    classes = (0, 1, 2, 0, 4, 5, 6, 7, 8)
    found = reading(classes=classes, distinct=True)
    assert found.certain
    assert found.doubtful == found.identical == ()


@pytest.mark.parametrize(("rows", "cols", "gap"), [(3, 4, 3), (2, 5, 0), (4, 2, 8)])
def test_tiles_are_cut_out_to_the_pixel(rows: int, cols: int, gap: int) -> None:
    rng = np.random.default_rng(rows)
    page = rng.integers(0, 256, (300, 400, 3), dtype=np.uint8)
    width, height, left, top = 31, 24, 17, 9
    pitch = width + gap, height + gap
    lattice = Lattice(rows, cols, left, top, *pitch, width, height)
    region = Region(left, top, cols * pitch[0] - gap, rows * pitch[1] - gap)
    found = cut_tiles(page, region, lattice)
    assert (found.region, found.gap_px) == (region, gap)
    for cell, tile in enumerate(found.tiles):
        row, col = divmod(cell, cols)
        y, x = top + row * pitch[1], left + col * pitch[0]
        assert np.array_equal(tile, page[y : y + height, x : x + width])
        assert not np.shares_memory(tile, page)


# Drawings


def test_assembled_every_tile_lies_at_home() -> None:
    picture = assemble(reading(40.0))
    assert picture.shape == (60, 90, 3)
    for cell, home in enumerate(HOMES):
        row, col = SHAPE.row_col(home)
        # Away from the number in the middle.
        shown = picture[row * 20 + 3 : row * 20 + 5, col * 30 + 4 : col * 30 + 6]
        grey = 20 * cell + 40
        assert (shown == (grey if cell != 4 else int(grey * 0.3))).all()
        middle = picture[row * 20 + 5 : row * 20 + 15, col * 30 + 5 : col * 30 + 25]
        assert (np.ptp(middle) > 0) == (cell != 4)


def test_the_goals_in_question_side_by_side() -> None:
    first = reading(40.0)
    labels = list(first.board.cells)
    other = list(first.goal.cells)
    # The blank at home where the tile of cell 0 was, and that tile where the blank was.
    swapped = {labels[0]: 0, 0: labels[0]}
    goal = Board(SHAPE, tuple(swapped.get(label, label) for label in other))
    asked = dataclasses.replace(
        first,
        certain=False,
        doubts=(Message(Doubt.ARRANGEMENT),),
        alternatives=(Alternative(first.board, goal, 0.3),),
    )
    pictures = assemble_answers(asked)
    assert [one.shape for one in pictures] == [(60, 90, 3)] * 2
    differing = (pictures[0] != pictures[1]).any(axis=2)
    for cell, label in enumerate(other):
        row, col = SHAPE.row_col(cell)
        place = np.s_[row * 20 : row * 20 + 20, col * 30 : col * 30 + 30]
        is_moved = label in swapped
        assert (differing[place].mean() > 0.2) == is_moved
        for picture in pictures:
            framed = ink(picture[place], DOUBT["colour"])[:, 15]
            assert framed.any() == is_moved
    sheet = numbered(pictures)
    head = sheet.shape[0] - 60
    space = sheet.shape[1] - 2 * 90
    assert head > 0 < space
    assert np.array_equal(sheet[head:, :90], pictures[0])
    assert np.array_equal(sheet[head:, 90 + space :], pictures[1])
    heads = sheet[:head, :90], sheet[:head, 90 + space :]
    assert all(ink(one, (255, 255, 255)).any() for one in heads)
    assert not np.array_equal(*heads)
    # Wide ones stand below each other.
    wide = [np.full((20, 80, 3), grey, np.uint8) for grey in (60, 90, 120)]
    tall = numbered(wide)
    assert tall.shape[1] == 80
    assert (tall[-20:] == 120).all()
    assert assemble_answers(first) == []


def ink(picture: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return (np.abs(picture.astype(int) - colour).max(axis=2) < 30).astype(bool)


def test_annotations_follow_the_corners_of_a_tilted_board() -> None:
    quad = ((30.0, 20.0), (250.0, 50.0), (270.0, 230.0), (10.0, 200.0))
    found = dataclasses.replace(
        reading(3.0), corners=quad, region=Region(10, 20, 260, 210)
    )
    page = np.full((260, 300, 3), 128, np.uint8)
    picture = annotate(page, found)
    assert (page == 128).all()
    changed = (picture != page).any(axis=2)
    # All ink lies between the corners, and reaches every one of them.
    edges = [np.subtract(b, a) for a, b in zip(quad, quad[1:] + quad[:1], strict=True)]
    ys, xs = np.nonzero(changed)
    for (x, y), (dx, dy) in zip(quad, edges, strict=True):
        beyond = ((ys - y) * dx - (xs - x) * dy) / np.hypot(dx, dy)
        assert beyond.min() > -5
    for x, y in quad:
        assert np.hypot(xs - x, ys - y).min() < 4
    # Cells 0 and 8 are in doubt: orange in two opposite corners only.
    ys, xs = np.nonzero(ink(picture, DOUBT["colour"]))
    assert np.hypot(xs - 30, ys - 20).min() < 5
    assert np.hypot(xs - 270, ys - 230).min() < 5
    assert np.hypot(xs - 250, ys - 50).min() > 40
    assert np.hypot(xs - 10, ys - 200).min() > 40
