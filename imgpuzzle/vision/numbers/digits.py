"""The numbers on the tiles: what each tile shows, and which board that makes.

A net reads every tile by itself (``digit_net``). A tile is then not judged alone:
each number occurs once and the numbers make a series, so the board is the
likeliest assignment of numbers to cells, and its margin says how certain that is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.assign import best_assignments, padded
from imgpuzzle.vision.geometry.colours import at_shares
from imgpuzzle.vision.numbers.digit_net import GRID, Numerals, read_tiles, squared
from imgpuzzle.vision.numbers.tuning import TUNING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from imgpuzzle.files.image import Image

FloatArray = NDArray[np.float64]

LARGEST = 99
"""The largest number that is read."""

ZERO = LARGEST + 1
"""The column of scores for a lone 0."""

_NEVER = 1e6
_MEAN_OF_THREE = np.full((1, 3), 1 / 3, dtype=np.float32)

Window = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of a tile."""


def read_numbers(tiles: Sequence[Image], least: float = -math.inf) -> FloatArray:
    """What number each tile shows.

    ``tiles`` are RGB uint8 pictures, h x w x 3, whose sizes may differ. Returns
    n x 101 log probabilities, every row summing to 1 as probabilities: column 0 is
    "no number here", column k "shows the number k", the last "shows a 0". Where a
    series of Roman numerals is likelier than one of digits, they are those. Where some
    tiles show that all together will not have ``least`` nats a tile, none is read.
    """
    squares = [squared(tile) for tile in tiles]
    least = max(least, TUNING.hopeless)
    scores = _read(squares, least)
    seen = -math.inf if scores is None else number_evidence(in_series(scores))
    if seen < TUNING.clear_numbers:
        # Small numerals on large tiles are lost at the net's size.
        window = ink_window(tiles)
        if window is not None:
            nearer = _read([_part(tile, window) for tile in squares], least)
            is_clear = (
                nearer is not None
                and number_evidence(in_series(nearer)) > TUNING.clear_numbers
            )
            scores = nearer if scores is None or is_clear else scores
    return _unnumbered(len(tiles)) if scores is None else scores


def _read(tiles: Sequence[Image], least: float) -> FloatArray | None:
    """The same of square tiles; nothing where few of them show a number."""
    glances = _spread_out(len(tiles), TUNING.glances)
    seen = read_tiles([tiles[index] for index in glances])
    if _most_evidence(seen) < TUNING.glance_nats:
        # Where some tiles show nothing, the others are not looked at.
        return None
    rest = [index for index in range(len(tiles)) if index not in glances]
    # Letters and pictures look like a number here and there: some more tiles tell.
    more = [rest[number] for number in _spread_out(len(rest), TUNING.further_glances)]
    seen = _joined(seen, read_tiles([tiles[index] for index in more]))
    if _most_evidence(seen) < least:
        return None
    rest = [index for index in rest if index not in more]
    order = np.argsort([*glances, *more, *rest])
    first = _joined(seen, read_tiles([tiles[index] for index in rest]), order)
    if _most_evidence(first) < least:
        return None
    said = _notation(first)
    scores = said(first)
    unsure = np.flatnonzero(scores.max(axis=1) < math.log(TUNING.sure_at_first_sight))
    window = numeral_window(first)
    if window is not None and len(unsure):
        # Numerals sit alike on all tiles of a board, and larger ones read better.
        some = [tiles[int(index)] for index in unsure]
        looks = [scores[unsure]]
        for nearer in _looks(window):
            looks.append(said(read_tiles([_part(tile, nearer) for tile in some])))
        scores[unsure] = _agreed(np.stack(looks))
    return _settled(scores)


def _notation(seen: Numerals) -> Callable[[Numerals], FloatArray]:
    """How numbers are written: in the way that makes the likeliest series of them."""

    def nats(kind: Callable[[Numerals], FloatArray]) -> float:
        return number_evidence(in_series(_settled(kind(seen))))

    return max((log_probabilities, roman_probabilities), key=nats)


def _agreed(looks: FloatArray) -> FloatArray:
    """What several looks at tiles say together; looks x n x 101."""
    return _normalised(np.mean(looks, axis=0))


def ink_window(tiles: Sequence[Image]) -> Window | None:
    """A square around what is drawn inside plain tiles, in shares of ``squared`` ones.

    Nothing where the tiles are small, and where that square is no small part of them.
    """
    some = [tiles[index] for index in _spread_out(len(tiles), TUNING.corner_glances)]
    if min(max(tile.shape[:2]) for tile in some) < TUNING.ink_px:
        return None
    side = TUNING.ink_px
    rim = round(TUNING.ink_rim * side)
    edges = []
    for tile in some:
        small = cv2.resize(tile, (side, side), interpolation=cv2.INTER_AREA)
        grey = cv2.transform(small.astype(np.float32), _MEAN_OF_THREE)
        down = cv2.absdiff(grey[2:, 1:-1], grey[:-2, 1:-1])
        across = cv2.absdiff(grey[1:-1, 2:], grey[1:-1, :-2])
        edges.append(0.5 * (down + across)[rim - 1 : 1 - rim, rim - 1 : 1 - rim])
    drawn = np.stack(edges)
    # What most tiles show is no numeral, nor is grain.
    (usual,) = at_shares(drawn, (0.25,), axis=0)
    drawn = np.maximum(drawn - usual - TUNING.least_ink, 0.0)
    drawn = drawn[drawn.any(axis=(1, 2))]
    if len(drawn) < max(TUNING.least_numbered * len(some), 2):
        return None
    places = (np.arange(side - 2 * rim) + rim + 0.5) / side
    spans = []
    for axis in (1, 2):
        share = np.cumsum(drawn.sum(axis=axis), axis=1)
        ends = [np.interp(TUNING.outermost, one / one[-1], places) for one in share]
        # The outermost of all may be a tile that is lit, or has the pointer on it.
        low, high = np.sort(ends, axis=0)[[1, -2], [0, 1]]
        spans.append((float(low), float(high)))
    height, width = some[0].shape[:2]
    square = max(height, width)
    (left, right), (top, bottom) = (
        tuple(0.5 + (end - 0.5) * length / square for end in span)
        for span, length in zip(spans, (width, height), strict=True)
    )
    return _square_around((left, top, right, bottom), *TUNING.ink_window)


def read_cornered(tiles: Sequence[Image], least: float = -math.inf) -> FloatArray:
    """The same for small numbers in one corner of all tiles.

    The net sees a whole tile at 64 px: a badge on a large one is lost in that. The
    corner in which most tiles seem to show a number counts; where none does, the
    answer is that there are no numbers.
    """
    glances = _spread_out(len(tiles), TUNING.corner_glances)
    some = [tiles[index] for index in glances]
    shares, corners = [], [(down, across) for down in (0, 1) for across in (0, 1)]
    for down, across in corners:
        seen = read_tiles([_corner(tile, down, across) for tile in some])
        shares.append(float(1.0 - np.exp(seen.length[:, 0]).mean()))
    best = int(np.argmax(shares))
    if shares[best] < TUNING.least_numbered:
        return _unnumbered(len(tiles))
    return read_numbers([_corner(tile, *corners[best]) for tile in tiles], least)


def _spread_out(count: int, most: int) -> list[int]:
    """At most so many indices below ``count``, evenly spaced."""
    few = min(count, most)
    return [(2 * number + 1) * count // (2 * few) for number in range(few)]


def _joined(
    one: Numerals, other: Numerals, order: NDArray[np.intp] | slice = np.s_[:]
) -> Numerals:
    """Two readings as one, put in order."""
    return Numerals(
        length=np.concatenate([one.length, other.length])[order],
        tens=np.concatenate([one.tens, other.tens])[order],
        units=np.concatenate([one.units, other.units])[order],
        where=np.concatenate([one.where, other.where])[order],
        roman=np.concatenate([one.roman, other.roman])[order],
    )


def _most_evidence(reading: Numerals) -> float:
    """What ``number_evidence`` is at most, were every number free for all tiles."""
    return max(
        float((scores[:, 1:].max(axis=1) - scores[:, 0]).mean())
        for scores in (
            in_series(_settled(log_probabilities(reading))),
            in_series(_settled(roman_probabilities(reading))),
        )
    )


def _unnumbered(count: int) -> FloatArray:
    """The log probabilities of tiles on which nothing looks like a number."""
    scores = np.full((count, ZERO + 1), math.log(TUNING.unseen_share / ZERO))
    scores[:, 0] = math.log1p(-TUNING.unseen_share)
    return _settled(scores)


def numeral_window(reading: Numerals) -> Window | None:
    """Where on the tiles the numerals sit: a square a little larger than that.

    Only tiles whose number is clear tell. Nothing where numerals fill the tile or sit
    here on one tile and there on the next.
    """
    digits, romans = np.exp(reading.length), np.exp(reading.roman)
    romans_nats = roman_probabilities(reading)[:, 1:].max(axis=1)
    likeliest = np.maximum(log_probabilities(reading).max(axis=1), romans_nats)
    steady = likeliest > math.log(TUNING.steady)
    if not steady.any():
        return None
    any_of = np.maximum(1 - digits[:, 0], 1 - romans[:, 0])
    one_or_two, two = any_of * steady, digits[:, 2] * steady
    places = reading.where[:, 1] * one_or_two[:, None, None]
    places = (places + reading.where[:, 0] * two[:, None, None]).sum(axis=0)
    edges = np.arange(GRID + 1) / GRID
    spans = []
    for axis in (0, 1):
        share = np.concatenate([[0.0], np.cumsum(places.sum(axis=axis))])
        ends = np.array(TUNING.outermost) * share[-1]
        spans.append([float(end) for end in np.interp(ends, share, edges)])
    (left, right), (top, bottom) = spans
    return _square_around((left, top, right, bottom), *TUNING.window)


def _square_around(box: Window, smallest: float, largest: float) -> Window | None:
    """A square around a box, a little larger; nothing where that is too large."""
    left, top, right, bottom = box
    side = max(TUNING.room * max(right - left, bottom - top), smallest)
    if side > largest:
        return None
    left = min(max((left + right - side) / 2, 0.0), 1.0 - side)
    top = min(max((top + bottom - side) / 2, 0.0), 1.0 - side)
    return left, top, left + side, top + side


def _looks(window: Window) -> list[Window]:
    """The window and a smaller one, each moved a little, as far as the tile goes."""
    left, top, right, bottom = window
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    found = []
    for size, x, y in TUNING.looks:
        side = size * (right - left)
        west = float(np.clip(middle_x + (x - 0.5) * side, 0, 1 - side))
        north = float(np.clip(middle_y + (y - 0.5) * side, 0, 1 - side))
        found.append((west, north, west + side, north + side))
    return found


def _part(tile: Image, window: Window) -> Image:
    height, width = tile.shape[:2]
    left, top, right, bottom = window
    rows = slice(int(top * height), max(math.ceil(bottom * height), 1))
    columns = slice(int(left * width), max(math.ceil(right * width), 1))
    return tile[rows, columns]


def _corner(tile: Image, down: int, across: int) -> Image:
    """A square at the top (0) or bottom (1), left (0) or right (1) of a tile."""
    height, width = tile.shape[:2]
    side = max(math.ceil(TUNING.corner * min(height, width)), 1)
    top, left = down * (height - side), across * (width - side)
    return tile[top : top + side, left : left + side]


def log_probabilities(reading: Numerals) -> FloatArray:
    """Combine how many digits there are with which they are, n x 101."""
    length = reading.length.astype(np.float64)
    tens = reading.tens.astype(np.float64)
    units = reading.units.astype(np.float64)
    count = len(length)
    scores = np.empty((count, ZERO + 1))
    pairs = length[:, 2, None, None] + tens[:, :, None] + units[:, None, :]
    # 05 is a five.
    single = np.logaddexp(length[:, 1:2] + units, pairs[:, 0])
    scores[:, 0], scores[:, ZERO] = length[:, 0], single[:, 0]
    scores[:, 1:10] = single[:, 1:]
    scores[:, 10:ZERO] = pairs[:, 1:].reshape(count, 90)
    return scores


def roman_probabilities(reading: Numerals) -> FloatArray:
    """The same of Roman numerals, n x 101: larger ones than the net knows are none."""
    roman = reading.roman.astype(np.float64)
    scores = np.full((len(roman), ZERO + 1), -np.inf)
    scores[:, : roman.shape[1]] = roman
    return scores


def in_series(scores: FloatArray, first: int = 1) -> FloatArray:
    """Scores by what a number means in a series that begins with 0 or 1, n x 100.

    Column k is for the tile that is the k-th of the series, column 0 for one that shows
    none of its numbers: of a series from 1 that is also who shows a 0.
    """
    if first == 0:
        return np.concatenate([scores[:, [0, ZERO]], scores[:, 1:LARGEST]], axis=1)
    found = scores[:, :ZERO].copy()
    found[:, 0] = np.logaddexp(scores[:, 0], scores[:, ZERO])
    return found


def _settled(scores: FloatArray) -> FloatArray:
    """Log probabilities that are neither too bold nor too timid, none too small."""
    return _doubted(_normalised(TUNING.sharpness * scores))


def _doubted(scores: FloatArray) -> FloatArray:
    """Leave a little probability to every number."""
    floor = np.log(TUNING.doubt / (ZERO + 1))
    return np.asarray(np.logaddexp(scores + np.log1p(-TUNING.doubt), floor))


def _normalised(scores: FloatArray) -> FloatArray:
    top = scores.max(axis=1, keepdims=True)
    total = np.log(np.exp(scores - top).sum(axis=1, keepdims=True)) + top
    return np.asarray(scores - total)


@dataclass(frozen=True, slots=True)
class NumberBoard:
    """A board read from the numbers on it.

    ``labels`` holds the number in every cell, row by row, 0 for the blank;
    ``margin_nats`` how much likelier it is than the next different board;
    ``doubtful`` are the cells in which boards that come close differ, and
    ``alternatives`` those boards, the likeliest first. ``log_likelihood`` is that
    of the scores under ``labels``, in nats. ``first`` is the lowest number of the
    series that the tiles show.
    """

    labels: tuple[int, ...]
    margin_nats: float
    doubtful: tuple[int, ...]
    log_likelihood: float
    alternatives: tuple[tuple[int, ...], ...]
    first: int = 1

    @property
    def shown(self) -> tuple[int, ...]:
        """The number that each tile shows, 0 for the blank."""
        return tuple(max(0, label - (1 - self.first)) for label in self.labels)

    @property
    def is_ascending(self) -> bool:
        """Whether the numbers ascend row by row, wherever the blank is."""
        numbers = [label for label in self.labels if label]
        return numbers == sorted(numbers)

    def is_calendar(self, shape: Shape) -> bool:
        """Whether the numbers ascend in a grid that is no square.

        Weeks and keypads do; of games hardly any that is solved.
        """
        return shape.rows != shape.cols and self.is_ascending


def assign_numbers(
    shape: Shape, scores: FloatArray, *, texture: FloatArray | None = None
) -> NumberBoard:
    """The likeliest board: one blank, each number once, the numbers a series.

    ``scores`` are those of ``read_numbers`` for the cells row by row (n x 101);
    ``texture``, if known, says how much there is to see in each cell (n standard
    deviations in grey levels, least where the blank may be). The series is 1 to
    n - 1, or 2 to n where the blank took the place of the 1; any other number may be
    missing as well, but that must show clearly. In the series 0 to n - 2 the labels
    are one more than what is shown. Raises ``ValueError`` for more than 99 numbers or
    scores of another size.
    """
    count = shape.size
    if count > LARGEST:
        raise ValueError(f"expected at most {LARGEST} cells, found {count}")
    if scores.shape != (count, ZERO + 1):
        raise ValueError(f"expected {count} x {ZERO + 1} scores, found {scores.shape}")
    empty = _blank_costs(count, texture)
    found = [
        board for first in (1, 0) for board in _weighed(shape, scores, empty, first)
    ]
    return _judged(sorted(found, key=lambda one: one.cost))


def _square(scores: FloatArray, empty: FloatArray, first: int) -> FloatArray:
    """Costs in the form of ``padded``: homes are numbers, the blank's the missing one.

    ``scores`` are those of a series; ``empty`` is added to what it costs to call a cell
    the blank. Where a series begins with 0 the blank's home is the last, always.
    """
    count = len(scores)
    missing = np.full(count, TUNING.other_series_nats if first else _NEVER)
    if first:
        missing[[0, -1]] = TUNING.first_missing_nats, 0.0
    else:
        missing[-1] = TUNING.from_zero_nats
    return padded(-scores[:, 1 : count + 1], missing, empty - scores[:, 0])


def _blank_costs(count: int, texture: FloatArray | None) -> FloatArray:
    """What it costs to call each cell empty, by what there is to see in it."""
    if texture is None:
        return np.zeros(count)
    shown = np.log1p(np.asarray(texture, dtype=np.float64))
    nats = TUNING.empty_nats * (shown - shown.min())
    return np.asarray(np.minimum(nats, TUNING.most_empty_nats))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A board, what it costs in all, and what part of that is evidence.

    ``unlikely`` is the part of the evidence that is no reading of tiles: what it
    costs that the board cannot be solved.
    """

    labels: tuple[int, ...]
    cost: float
    evidence: float
    unlikely: float
    log_likelihood: float
    misfit: float
    first: int


def _weighed(
    shape: Shape, scores: FloatArray, empty: FloatArray, first: int
) -> list[_Weighed]:
    """The cheapest boards of one kind of series, which starts with ``first``."""
    scores = in_series(scores, first)
    square = _square(scores, empty, first)
    boards: list[_Weighed] = []
    lowest = float("inf")
    cells = np.arange(shape.size)
    for found in islice(best_assignments(shape, square), TUNING.most_boards):
        if found.cost > lowest + TUNING.far_nats:
            break
        cost = found.cost + found.unlikely
        lowest = min(lowest, cost)
        labels = found.board.cells
        own = scores[cells, labels]
        # How much there is to see, and what games leave out, helps to choose only.
        choice = empty[found.blank]
        if first == 1 and found.homes[found.blank] == 0:
            choice += TUNING.first_missing_nats
        boards.append(
            _Weighed(
                labels=labels,
                cost=cost,
                evidence=cost - float(choice),
                unlikely=found.unlikely,
                log_likelihood=float(own.sum()),
                misfit=float((scores.max(axis=1) - own).sum()),
                first=first,
            )
        )
    return boards


def _judged(boards: list[_Weighed]) -> NumberBoard:
    """The first of the boards, compared with the others."""
    best = boards[0]
    # Where the likeliest board contradicts single tiles, something is not as
    # assumed, and the comparison of boards says less than it seems to.
    trust = 1.0 / (1.0 + best.misfit / TUNING.misfit_nats)
    gaps = [(trust * _lead(best, one), one) for one in boards[1:]]
    close = [one.labels for gap, one in gaps if gap < TUNING.close_nats]
    doubtful = {
        cell
        for other in close
        for cell, label in enumerate(other)
        if label != best.labels[cell]
    }
    return NumberBoard(
        labels=best.labels,
        margin_nats=max(
            min((gap for gap, _ in gaps), default=trust * TUNING.far_nats), 0.0
        ),
        doubtful=tuple(sorted(doubtful)),
        log_likelihood=best.log_likelihood,
        alternatives=tuple(close[: TUNING.most_alternatives]),
        first=best.first,
    )


def _lead(best: _Weighed, other: _Weighed) -> float:
    """By how much another board is worse; that one can be solved adds nothing to it."""
    by_tiles = other.evidence - other.unlikely - best.evidence + best.unlikely
    return by_tiles + min(other.unlikely - best.unlikely, 0.0)


def number_evidence(scores: FloatArray) -> float:
    """How much likelier the tiles carry the numbers of a board than none, nats a tile.

    ``scores`` are those of a series from 1 (``in_series``), n x 100.
    """
    count = len(scores)
    if not 2 <= count <= LARGEST:
        return -float("inf")
    best = next(best_assignments(Shape(1, count), _square(scores, np.zeros(count), 1)))
    return float((-best.cost - scores[:, 0].sum()) / count)


def most_evidence(count: int) -> float:
    """What the numbers on so many tiles say at most, in nats."""
    return count * math.log((ZERO + 1) / TUNING.doubt)


def is_numbered(scores: FloatArray) -> bool:
    """Whether the tiles carry the numbers of a board; ``scores`` as above."""
    return number_evidence(scores) > TUNING.sure_of_numbers


def is_plain(tiles: NDArray[np.uint8]) -> bool:
    """Whether most sides of the tiles are of one colour or two, as in tables."""
    height, width = tiles.shape[1:3]
    down, across = round(TUNING.rim * height), round(TUNING.rim * width)
    middle_y = slice(round(0.2 * height), round(0.8 * height))
    middle_x = slice(round(0.2 * width), round(0.8 * width))
    flat, colours = [], []
    for side in (
        tiles[:, down, middle_x],
        tiles[:, -1 - down, middle_x],
        tiles[:, middle_y, across],
        tiles[:, middle_y, -1 - across],
    ):
        flat.append(side.std(axis=1).max(axis=1) < TUNING.flat_spread)
        colours.append(side.mean(axis=1))
    means = np.concatenate(colours)[np.concatenate(flat)]
    left, plain = means, 0
    # Chequered boards have two colours.
    for _ in range(2):
        if not len(left):
            break
        apart = np.abs(left[:, None] - left[None]).max(axis=2) < TUNING.flat_spread
        usual = int(apart.sum(axis=1).argmax())
        plain += int(apart[usual].sum())
        left = left[~apart[usual]]
    return plain > TUNING.plain_share * 4 * len(tiles)
