"""Numbers on tiles: the net's arithmetic, the assignment, and reading whole boards."""

from __future__ import annotations

import hashlib
import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from vision_scenes import cells_of, photo

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import home_cells
from imgpuzzle.core.scramble import uniform
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.numbers import digit_net
from imgpuzzle.vision.numbers.digits import (
    ZERO,
    NumberBoard,
    assign_numbers,
    in_series,
    is_numbered,
    log_probabilities,
    number_evidence,
    numeral_window,
    read_cornered,
    read_numbers,
    roman_probabilities,
)
from imgpuzzle.vision.numbers.tuning import TUNING
from imgpuzzle.vision.read import read_puzzle


def log_softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    exponent = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.log(exponent / exponent.sum(axis=-1, keepdims=True))


def clear_scores(labels: list[int], nats: float) -> NDArray[np.float64]:
    """Scores of tiles that show these numbers, all others so much less likely."""
    scores = np.zeros((len(labels), ZERO + 1))
    scores[np.arange(len(labels)), labels] = nats
    return log_softmax(scores)


# The net's arithmetic


def test_the_net_says_what_its_definition_does() -> None:
    """As computed by the library that trained it, not by OpenCV."""
    rows, cols = np.mgrid[:64, :64]
    tile = np.stack([rows * 3, cols * 3, (rows * cols) % 251], 2).astype(np.uint8)
    said = digit_net.read_tiles([tile])
    assert said.length[0] == pytest.approx([-0.27194, -1.69778, -2.90025], abs=1e-3)
    assert said.units[0, :3] == pytest.approx([-2.08753, -2.08162, -1.46100], abs=1e-3)
    assert said.tens[0, 1:3] == pytest.approx([-0.39494, -1.79539], abs=1e-3)
    assert said.roman[0, :2] == pytest.approx([-0.00310, -8.36498], abs=1e-3)
    assert said.where[0, :, 2, 5] == pytest.approx([0.00303, 0.00756], abs=1e-4)


def test_threads_do_not_disturb_one_another() -> None:
    rng = np.random.default_rng(6)
    lots = [
        [rng.integers(0, 256, (40, 40, 3)).astype(np.uint8) for _ in range(count)]
        for count in (1, 5, 9, 16, 3, 7)
    ]
    expected = [digit_net.read_tiles(tiles) for tiles in lots]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(digit_net.read_tiles, lots * 5))
    for one, other in zip(found, expected * 5, strict=True):
        assert one.length == pytest.approx(other.length, abs=1e-5)
        assert one.where == pytest.approx(other.where, abs=1e-5)


def test_a_reading_holds_probabilities_whatever_the_sizes() -> None:
    rng = np.random.default_rng(2)
    sizes = [(24, 24), (64, 64), (300, 200), (9, 31)] * 4
    tiles = [rng.integers(0, 256, (*size, 3)).astype(np.uint8) for size in sizes]
    reading = digit_net.read_tiles(tiles)
    for values in (reading.length, reading.tens, reading.units):
        assert np.exp(values).sum(axis=1) == pytest.approx(np.ones(16), abs=1e-4)
    assert reading.where.sum(axis=(2, 3)) == pytest.approx(np.ones((16, 2)), abs=1e-4)
    # A tile is read alike on its own and among others.
    alone = digit_net.read_tiles(tiles[-1:])
    assert alone.units == pytest.approx(reading.units[-1:], abs=1e-3)


def test_the_weights_are_those_that_were_trained() -> None:
    """Whoever trains anew changes this, and the figures in benchmarks/README.md."""
    stored = digit_net.NET.file.read_bytes()
    assert len(stored) < 600_000
    assert hashlib.sha256(stored).hexdigest().startswith("75bd907b040ccf26")


def test_an_oblong_tile_keeps_the_shape_of_what_it_shows() -> None:
    rng = np.random.default_rng(4)
    for height, width in ((60, 100), (100, 60), (61, 100)):
        tile = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
        square = digit_net.squared(tile)
        side = max(height, width)
        assert square.shape == (side, side, 3)
        top, left = (side - height) // 2, (side - width) // 2
        assert (square[top : top + height, left : left + width] == tile).all()
        # The rest is the rim, drawn out.
        assert (square[0, left : left + width] == tile[0]).all()
        assert (square[top : top + height, -1] == tile[:, -1]).all()
    nearly = rng.integers(0, 256, (100, 105, 3)).astype(np.uint8)
    assert digit_net.squared(nearly) is nearly


def test_digits_combine_to_numbers() -> None:
    rng = np.random.default_rng(3)
    length = log_softmax(rng.normal(size=(1, 3)))
    tens, units = (log_softmax(rng.normal(size=(1, 10))) for _ in range(2))
    where = np.zeros((1, 2, 8, 8))
    roman = np.zeros((1, digit_net.MOST_ROMAN + 1))
    reading = digit_net.Numerals(length, tens, units, where, roman)  # type: ignore[arg-type]
    none, one, two = np.exp(length[0])
    expected = np.zeros(ZERO + 1)
    expected[0] = none
    for unit, share in enumerate(np.exp(units[0])):
        expected[unit or ZERO] += one * share
        for ten, other in enumerate(np.exp(tens[0])):
            expected[10 * ten + unit or ZERO] += two * share * other
    found = np.exp(log_probabilities(reading))[0]
    assert found.sum() == pytest.approx(1.0)
    assert found == pytest.approx(expected, abs=1e-3)


def readings(
    places: list[tuple[int, int]], shown: float = 0.999, clear: float = 20.0
) -> digit_net.Numerals:
    """Tiles with a single digit in a cell of the attention map: (row, column)."""
    where = np.zeros((len(places), 2, 8, 8), dtype=np.float32)
    where[:, 0] = 1 / 64
    for tile, (row, column) in enumerate(places):
        where[tile, 1, row, column] = 1
    rest = (1 - shown) / 2
    length = np.log(np.tile([rest, shown, rest], (len(places), 1)))
    scores = np.zeros((len(places), 10))
    scores[:, 7] = clear
    digits = log_softmax(scores)
    roman = np.full((len(places), digit_net.MOST_ROMAN + 1), -20.0)
    roman[:, 0] = 0.0
    return digit_net.Numerals(length, digits, digits, where, roman)  # type: ignore[arg-type]


def test_the_second_look_is_where_the_numerals_are() -> None:
    window = numeral_window(readings([(1, 5), (1, 6)] * 8))
    left, top, right, bottom = window
    assert left <= 5 / 8 < 7 / 8 <= right <= 1
    assert 0 <= top <= 1 / 8 < 2 / 8 <= bottom
    assert right - left == pytest.approx(bottom - top)
    assert right - left < 0.5


def test_tiles_that_are_hard_to_read_do_not_tell_where_numerals_are() -> None:
    assert numeral_window(readings([(1, 5), (1, 6)] * 8, clear=0.0)) is None


def test_numerals_all_over_the_place_get_no_second_look() -> None:
    assert numeral_window(readings([(0, 0), (7, 7), (0, 7), (7, 0)])) is None


# The assignment


def odd(cells: tuple[int, ...], goal: tuple[int, ...]) -> int:
    """1 where a board of two columns cannot be solved, by counting inversions."""
    pairs = itertools.combinations(cells, 2)
    swaps = sum(0 < later < earlier for earlier, later in pairs)
    return (swaps + cells.index(0) // 2 + goal.index(0) // 2) % 2


def said_of(scores: NDArray[np.float64], first: int, cells: tuple[int, ...]) -> float:
    """What the scores say of these labels in a series from 1 or 0."""
    total = 0.0
    for score, label in zip(scores, cells, strict=True):
        if label:
            total += score[label - 1 + first or ZERO]
        else:  # a lone 0 is in no series from 1
            total += np.logaddexp(score[0], score[ZERO]) if first else score[0]
    return total


def cheapest(shape: Shape, scores: NDArray[np.float64]) -> list[tuple[float, tuple]]:
    """Every board and what it costs, by trying all of them."""
    count = shape.size
    boards = []
    for missing in range(1, count + 1):
        shown = [number for number in range(count + 1) if number != missing]
        goal = home_cells(shape, blank=missing - 1)
        for cells in itertools.permutations(shown):
            cost = -said_of(scores, 1, cells)
            cost += 0 if missing in (1, count) else TUNING.other_series_nats
            cost += TUNING.first_missing_nats if missing == 1 else 0
            cost += ARRANGE.unreachable_nats * odd(cells, goal.cells)
            boards.append((cost, cells))
    goal = home_cells(shape, blank=count - 1)
    for cells in itertools.permutations(range(count)):
        cost = -said_of(scores, 0, cells)
        cost += ARRANGE.unreachable_nats * odd(cells, goal.cells)
        cost += TUNING.from_zero_nats
        boards.append((cost, cells))
    return sorted(boards)


@given(st.integers(0, 2**32 - 1))
def test_the_board_is_the_cheapest_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = log_softmax(3 * rng.normal(size=(4, ZERO + 1)))
    shape = Shape(2, 2)
    board = assign_numbers(shape, scores)
    boards = cheapest(shape, scores)
    assert board.labels == boards[0][1]
    likelihood = said_of(scores, board.first, board.labels)
    assert board.log_likelihood == pytest.approx(likelihood)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.integers(2, 5))
def test_no_number_occurs_twice(seed: int, rows: int, cols: int) -> None:
    rng = np.random.default_rng(seed)
    shape = Shape(rows, cols)
    scores = log_softmax(4 * rng.normal(size=(shape.size, ZERO + 1)))
    board = assign_numbers(shape, scores)
    assert len(set(board.labels)) == shape.size
    assert set(board.labels) < set(range(shape.size + 1))
    assert 0 in board.labels
    for other in board.alternatives:
        assert len(set(other)) == shape.size
        cells = {
            cell for cell in range(shape.size) if other[cell] != board.labels[cell]
        }
        assert cells <= set(board.doubtful)


@pytest.mark.parametrize("missing", [9, 1])
def test_clear_numbers_are_certain(missing: int) -> None:
    labels = [number for number in (4, 8, 0, 3, 1, 2, 7, 9, 5, 6) if number != missing]
    board = assign_numbers(Shape(3, 3), clear_scores(labels, 20.0))
    assert board.labels == tuple(labels)
    assert board.margin_nats > TUNING.close_nats
    assert board.doubtful == board.alternatives == ()


def test_a_number_in_the_middle_may_be_missing() -> None:
    labels = [9, 8, 0, 3, 1, 2, 7, 5, 6]
    assert assign_numbers(Shape(3, 3), clear_scores(labels, 20.0)).labels == tuple(
        labels
    )


@pytest.mark.parametrize(
    "labels",
    [
        [1, 2, 3, 4, 5, 6, 7, 7, 0],  # the 7 twice, no 8
        [1, 2, 3, 4, 5, 6, 7, 0, 0],  # two cells without a number
        [1, 2, 3, 4, 5, 6, 7, 8, 9],  # no blank at all
        [1, 2, 3, 4, 5, 6, 7, 44, 0],  # a number that does not belong
        [10, 2, 3, 4, 5, 6, 7, 11, 0],
    ],
)
def test_what_is_no_series_is_never_certain(labels: list[int]) -> None:
    for nats in (8.0, 12.0, 25.0):
        board = assign_numbers(Shape(3, 3), clear_scores(labels, nats))
        assert board.margin_nats < TUNING.close_nats
        assert board.doubtful


def test_two_that_cannot_be_told_apart_are_named() -> None:
    labels = [1, 2, 3, 4, 5, 6, 7, 8, 0]
    scores = clear_scores(labels, 20.0)
    scores[[1, 5], 2] = scores[[1, 5], 6] = math.log(0.5)
    board = assign_numbers(Shape(3, 3), scores)
    assert board.doubtful == (1, 5)
    assert board.margin_nats < TUNING.close_nats
    swapped = (1, 6, 3, 4, 5, 2, 7, 8, 0)
    assert {board.labels, board.alternatives[0]} == {tuple(labels), swapped}


def test_the_emptiest_cell_is_the_blank() -> None:
    labels = [1, 2, 3, 4, 5, 6, 7, 8, 0]
    scores = clear_scores(labels, 20.0)
    scores[7] = scores[8]
    for blank in (7, 8):
        texture = np.full(9, 30.0)
        texture[blank] = 1.0
        board = assign_numbers(Shape(3, 3), scores, texture=texture)
        assert board.labels[blank] == 0


SHOWN_FROM_0 = [3, ZERO, 2, 7, 6, 5, 1, 4, 0]


def test_a_series_from_0_is_certain_where_its_0_is_read() -> None:
    board = assign_numbers(Shape(3, 3), clear_scores(SHOWN_FROM_0, 20.0))
    assert board.labels == (4, 1, 3, 8, 7, 6, 2, 5, 0)
    assert board.first == 0
    assert board.shown == (3, 0, 2, 7, 6, 5, 1, 4, 0)
    assert board.margin_nats > TUNING.close_nats


def hardly_legible_0() -> NDArray[np.float64]:
    """Scores of a series from 0 where its 0 and the empty cell may be each other."""
    scores = clear_scores(SHOWN_FROM_0, 20.0)
    for cell in (1, 8):
        scores[cell, [0, ZERO]] = math.log(0.5)
    return scores


@pytest.mark.parametrize("spread", [4.0, 9.0, 40.0])
def test_emptiness_chooses_between_two_cells_and_is_no_lead(spread: float) -> None:
    texture = np.full(9, 60.0)
    texture[1], texture[8] = spread, 1.0
    board = assign_numbers(Shape(3, 3), hardly_legible_0(), texture=texture)
    assert board.first == 0
    assert board.labels[8] == 0
    assert board.margin_nats < TUNING.close_nats
    assert set(board.doubtful) == {1, 8}


def test_a_series_from_0_is_in_doubt_where_nothing_is_empty() -> None:
    for texture in (None, np.full(9, 30.0)):
        board = assign_numbers(Shape(3, 3), hardly_legible_0(), texture=texture)
        assert board.margin_nats < TUNING.close_nats
        assert set(board.doubtful) == {1, 8}


def test_scores_of_another_board_are_refused() -> None:
    scores = clear_scores([1, 2, 3, 0], 5.0)
    with pytest.raises(ValueError, match="9 x 101"):
        assign_numbers(Shape(3, 3), scores)
    with pytest.raises(ValueError, match="at most 99"):
        assign_numbers(Shape(10, 10), scores)


# Whole boards


def cut(picture: Image, shape: Shape) -> list[Image]:
    return [*cells_of(picture, shape.rows, shape.cols)]


def numbered(
    shape: Shape,
    labels: tuple[int, ...],
    side: int,
    *,
    picture: Image | None = None,
    tall: float = 0.4,
    corner: bool = False,
    colours: tuple[str, str] = ("#ddd", "#222"),
    digits: int = 1,
    first: int = 1,
) -> list[Image]:
    """A board in Pillow's own font, which the net was not trained with."""
    size = (shape.cols * side, shape.rows * side)
    board = PillowImage.new("RGB", size, colours[0])
    if picture is not None:
        board = PillowImage.fromarray(cv2.resize(picture, size))
    draw = ImageDraw.Draw(board)
    font = ImageFont.load_default(tall * side / 0.7)
    for cell, label in enumerate(labels):
        left, top = cell % shape.cols * side, cell // shape.cols * side
        box = (left, top, left + side - 1, top + side - 1)
        if label == 0:
            draw.rectangle(box, colours[0])
            continue
        draw.rectangle(box, None, "#888")
        outlined = picture is not None
        at = (left + 0.12 * side, top + 0.1 * side) if corner else None
        draw.text(
            at or (left + side / 2, top + side / 2),
            f"{label - 1 + first:0{digits}}",
            "white" if outlined else colours[1],
            font,
            anchor="la" if corner else "mm",
            stroke_width=max(1, round(0.03 * side)) if outlined else 0,
            stroke_fill="black",
        )
    return cut(np.asarray(board), shape)


def read(shape: Shape, tiles: list[Image]) -> NumberBoard:
    scores = read_numbers(tiles)
    assert is_numbered(in_series(scores))
    return assign_numbers(shape, scores)


def assert_sure(shape: Shape, labels: tuple[int, ...], tiles: list[Image]) -> None:
    board = read(shape, tiles)
    assert board.labels == labels
    assert board.margin_nats > TUNING.close_nats


@pytest.mark.parametrize(
    ("rows", "side", "tall", "colours"),
    [
        (3, 100, 0.6, ("#ddd", "#222")),
        (4, 48, 0.4, ("#123", "#fc6")),
        (5, 30, 0.5, ("#b00", "white")),
        (6, 64, 0.3, ("#fff", "#06c")),
        (7, 40, 0.4, ("#8a6", "#000")),
    ],
)
@pytest.mark.parametrize("blank", [0, -1])
def test_plain_numbers_are_read(
    rows: int, side: int, tall: float, colours: tuple[str, str], blank: int
) -> None:
    shape = Shape(rows, rows)
    goal = home_cells(shape, blank=blank % shape.size)
    labels = uniform(goal, seed=rows).cells
    tiles = numbered(shape, labels, side, tall=tall, colours=colours)
    assert_sure(shape, labels, tiles)


@pytest.mark.parametrize("corner", [False, True])
def test_outlined_numbers_over_a_picture_are_read(corner: bool) -> None:
    shape = Shape(4, 4)
    labels = uniform(home_cells(shape, blank=15), seed=8).cells
    tiles = numbered(shape, labels, 80, picture=photo(), tall=0.35, corner=corner)
    assert read(shape, tiles).labels == labels


@pytest.mark.parametrize("lit", [None, 3])
def test_small_numbers_on_large_plain_tiles_are_read(lit: int | None) -> None:
    """A tenth of a tile's height is lost at the net's size; a tile may be lit."""
    shape = Shape(4, 4)
    labels = uniform(home_cells(shape, blank=15), seed=2).cells
    tiles = numbered(shape, labels, 220, tall=0.1)
    if lit is not None:
        tiles[lit] = cv2.convertScaleAbs(tiles[lit], alpha=0.7)
    assert_sure(shape, labels, tiles)


@pytest.mark.parametrize(
    ("rows", "tall", "colours"),
    [
        (3, 0.4, ("#ddd", "#222")),
        (4, 0.3, ("#000", "#0f0")),
        (5, 0.4, ("#fff", "#039")),
    ],
)
@pytest.mark.parametrize(("first", "digits"), [(0, 1), (0, 2), (1, 2)])
def test_a_0_is_read_alone_and_in_front_of_others(
    rows: int, tall: float, colours: tuple[str, str], first: int, digits: int
) -> None:
    """Some programs count from 0, and some line numbers up: 01, 02 and so on."""
    shape = Shape(rows, rows)
    labels = uniform(home_cells(shape, blank=shape.size - 1), seed=rows).cells
    style = {"tall": tall, "colours": colours, "digits": digits, "first": first}
    tiles = numbered(shape, labels, 72, **style)
    assert_sure(shape, labels, tiles)


@pytest.mark.parametrize("tall", [0.06, 0.075, 0.09, 0.12])
@pytest.mark.parametrize("digits", [1, 2])
def test_numerals_seen_too_small_are_looked_at_again(tall: float, digits: int) -> None:
    """At the net's size they look like other ones, which says little for any board."""
    shape = Shape(4, 4)
    labels = uniform(home_cells(shape, blank=15), seed=5).cells
    assert_sure(shape, labels, numbered(shape, labels, 170, tall=tall, digits=digits))


ROMAN = [
    "",
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"),
    *("XIII", "XIV", "XV"),
]


@pytest.mark.parametrize("rows", [3, 4])
def test_roman_numerals_are_read_where_they_make_a_series(rows: int) -> None:
    shape = Shape(rows, rows)
    labels = uniform(home_cells(shape, blank=shape.size - 1), seed=rows).cells
    tiles = []
    font = ImageFont.load_default(34)
    for label in labels:
        tile = PillowImage.new("RGB", (90, 90), "#243")
        at = (45, 45)
        ImageDraw.Draw(tile).text(at, ROMAN[label], "#fe9", font, anchor="mm")
        tiles.append(np.asarray(tile))
    assert read(shape, tiles).labels == labels


def test_roman_numerals_have_a_place_among_all_numbers() -> None:
    said = readings([(1, 1)])
    said.roman[:] = -20.0
    said.roman[0, 14] = 0.0
    scores = roman_probabilities(said)
    assert scores.shape == (1, ZERO + 1)
    assert int(scores.argmax()) == 14
    assert np.isneginf(scores[0, digit_net.MOST_ROMAN + 1 :]).all()


def test_pictures_and_plain_colours_carry_no_numbers() -> None:
    shape = Shape(4, 4)
    assert not is_numbered(in_series(read_numbers(cut(photo(), shape))))
    plain = [np.full((40, 40, 3), 15 * cell, dtype=np.uint8) for cell in range(16)]
    assert not is_numbered(in_series(read_numbers(plain)))


@pytest.mark.parametrize("corner", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_small_numbers_in_a_corner_are_evidence(corner: tuple[int, int]) -> None:
    shape = Shape(4, 4)
    labels = uniform(home_cells(shape, blank=15), seed=8).cells
    turned = numbered(shape, labels, 160, tall=0.1, corner=True)
    # The badge is moved to another corner of its tile.
    rolls = tuple(100 * there for there in corner)
    tiles = [np.roll(tile, rolls, (0, 1)) for tile in turned]
    scores = read_cornered(tiles)
    texture = np.array([tile.std() for tile in tiles])
    board = assign_numbers(shape, scores, texture=texture)
    assert number_evidence(in_series(scores)) > TUNING.sure_of_numbers
    assert board.labels == labels
    assert number_evidence(in_series(read_cornered(cut(photo(), shape)))) < 0


def test_evidence_is_that_of_a_board_against_none() -> None:
    labels = [1, 2, 3, 0]
    scores = in_series(clear_scores(labels, 6.0))
    expected = (
        sum(scores[c, n] for c, n in enumerate(labels)) - scores[:, 0].sum()
    ) / 4
    assert number_evidence(scores) == pytest.approx(expected)
    assert not is_numbered(in_series(clear_scores([0] * 9, 6.0)))


def test_a_board_that_cannot_be_solved_leads_by_less_than_its_tiles_say() -> None:
    """The 1 may just be a 9, on a board without a 1 that could be solved then."""
    labels = [5, 1, 3, 0, 4, 6, 8, 2, 7]
    scores = clear_scores(labels, 20.0)
    scores[1, 9] = scores[1, 1] - 9.0 - ARRANGE.unreachable_nats
    board = assign_numbers(Shape(3, 3), scores)
    assert board.labels == tuple(labels)
    assert board.margin_nats == pytest.approx(9.0, abs=0.2)
    scores[1, 9] = scores[1, 1] - 5.0 - ARRANGE.unreachable_nats
    assert assign_numbers(Shape(3, 3), scores).margin_nats < TUNING.close_nats


def laid(
    page: PillowImage.Image,
    labels: tuple[int, ...],
    at: tuple[int, int],
    side: int,
    gap: int,
    colours: tuple[str, str] = ("#346", "white"),
) -> list[tuple[int, int, int, int]]:
    """Plates with numbers drawn on a page, in a square; the box of each cell."""
    many = math.isqrt(len(labels))
    tiles = numbered(Shape(many, many), labels, side, colours=colours)
    boxes = []
    for cell, tile in enumerate(tiles):
        left = at[0] + (side + gap) * (cell % many)
        top = at[1] + (side + gap) * (cell // many)
        if labels[cell]:
            page.paste(PillowImage.fromarray(tile), (left, top))
        boxes.append((left, top, left + side, top + side))
    return boxes


@pytest.mark.parametrize(
    ("over", "icon"), [("#ffffff", False), ("#112233", False), ("#ffffff", True)]
)
def test_of_two_cells_without_a_number_neither_is_stated_to_be_a_tile(
    over: str, icon: bool
) -> None:
    """Something lies over a tile: its number would be the one that is missing.

    An empty cell with a drawing may look more like a tile than what lies over one.
    """
    labels = (3, 1, 9, 8, 4, 10, 11, 13, 5, 7, 14, 15, 12, 2, 0, 6)
    page = PillowImage.new("RGB", (440, 420), "#222831")
    boxes = laid(page, labels, (60, 50), 72, 4, ("#e0704f", "white"))
    page.paste(over, boxes[8])
    if icon:
        page.paste("#e0704f", boxes[14])
        left, top, _, _ = boxes[14]
        drawing = ImageDraw.Draw(page)
        drawing.ellipse((left + 30, top + 27, left + 42, top + 43), fill="white")
    reading = read_puzzle(np.asarray(page))
    assert not reading.certain
    assert {8, 14} <= {*reading.doubtful, reading.board.blank}


GOAL_OF_NINE = (1, 2, 3, 4, 5, 6, 7, 8, 0)


@pytest.mark.parametrize(
    ("side", "over", "ground"),
    [(26, 0, "#222831"), (32, 4, "#f5d050"), (40, 8, "#ffffff")],
)
def test_a_goal_beside_a_board_with_a_hidden_tile_is_not_the_board(
    side: int, over: int, ground: str
) -> None:
    """The goal shows more than the board then, and would be stated to be solved."""
    page = PillowImage.new("RGB", (560, 420), ground)
    laid(page, GOAL_OF_NINE, (300, 30), side, 8, ("#eee", "black"))
    labels = (1, 8, 2, 0, 4, 3, 7, 6, 5)
    boxes = laid(page, labels, (40, 190), 60, 8, ("#eee", "black"))
    page.paste("#fae8a0", boxes[over])
    reading = read_puzzle(np.asarray(page))
    assert not reading.certain
    assert reading.region.top > 180
    assert {3, over} <= {*reading.doubtful, reading.board.blank}


def test_a_goal_beside_a_board_that_is_hardly_to_be_seen_is_doubted() -> None:
    in_order = (*range(1, 16), 0)
    dealt = (2, 11, 14, 3, 5, 10, 8, 1, 13, 9, 0, 4, 15, 6, 7, 12)

    def page_with(labels: tuple[int, ...]) -> PillowImage.Image:
        page = PillowImage.new("RGB", (620, 480), "white")
        laid(page, in_order, (400, 30), 32, 6, ("#eee", "black"))
        laid(page, labels, (40, 150), 56, 8, ("#eee", "black"))
        return page

    for labels in (in_order, dealt):
        reading = read_puzzle(np.asarray(page_with(labels)))
        assert reading.certain
        assert reading.board.cells == labels
    page = page_with(dealt)
    ImageDraw.Draw(page).rectangle((30, 264, 300, 342), "white", "black")
    reading = read_puzzle(np.asarray(page))
    assert not reading.certain
    assert Doubt.SOLVED_OR_NO_BOARD in reading.doubt_kinds


@pytest.mark.parametrize("seed", [1, 4])
def test_nor_is_an_empty_cell_with_a_picture_where_a_message_lies(seed: int) -> None:
    """In the wood of the ground a little speaks for a number."""
    side, over = 100, 1
    labels = (12, 7, 13, 10, 9, 4, 1, 3, 0, 15, 14, 5, 6, 11, 2, 8)
    page = PillowImage.new("RGB", (560, 560), "#6b4423")
    boxes = laid(page, labels, (70, 60), side, 0, ("white", "#222"))
    wood = np.full((side, side, 3), (115.0, 70.0, 35.0))
    wood += np.random.default_rng(seed).normal(0, 18, (1, side, 1))
    wood *= np.linspace(0.75, 1.15, side)[None, :, None]
    shown = PillowImage.fromarray(wood.clip(0, 255).astype(np.uint8))
    page.paste(shown, boxes[labels.index(0)])
    page.paste("#3c3c3c", boxes[over])
    left, top, _, _ = boxes[over]
    font = ImageFont.load_default(26)
    ImageDraw.Draw(page).text((left + 4, top + 28), "Saved", fill="white", font=font)
    reading = read_puzzle(np.asarray(page))
    assert not reading.certain
    assert {over, labels.index(0)} <= {*reading.doubtful, reading.board.blank}
