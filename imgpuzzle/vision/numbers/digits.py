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

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.board import Shape
from imgpuzzle.vision.arrange.assign import best_assignments, padded
from imgpuzzle.vision.numbers.digit_net import GRID, Reading, read_tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from imgpuzzle.image import Image

__all__ = [
    "LARGEST",
    "NumberBoard",
    "assign_numbers",
    "is_numbered",
    "number_evidence",
    "read_cornered",
    "read_numbers",
]

FloatArray = NDArray[np.float64]

LARGEST = 99
"""The largest number that is read."""

DOUBT = 2e-4
"""The share of tiles that show something the net was not trained on."""

SHARPNESS = 1.3
"""Log probabilities are multiplied by this to be neither too high nor too low."""

SURE_AT_FIRST_SIGHT = 0.999
"""Tiles whose number is less probable than this are looked at from closer."""

OUTERMOST = (0.03, 0.97)
"""The shares of the digits' cells, over all tiles, between which the numerals lie."""

ROOM = 1.4
"""How much larger the window for the second look is than the numerals."""

LEAST_WINDOW = 0.3
MOST_WINDOW = 0.85

CORNER = 0.35
"""The share of a tile's sides at which a small number in its corner is sought."""

ENOUGH_TILES = 9
LEAST_NUMBERED = 0.5

SURE_OF_NUMBERS = 0.5
"""Nats a tile from which on the tiles are said to carry numbers."""

OTHER_SERIES_NATS = 6.0
"""How much likelier a series lacks its first or last number than another."""

FIRST_MISSING_NATS = 1.0
"""How much likelier the last is the missing one; a choice, not evidence."""

FROM_ZERO_NATS = 4.0
"""How much likelier a series begins with 1 than with 0."""

UNREACHABLE_NATS = 3.0
"""How much likelier a board is one that can be solved. Some games do not check."""

TEXTURE_NATS = 2.0
"""How much the emptiest cell is likelier the blank than the fullest one."""

MISFIT_NATS = 16.0
"""Contradicting single tiles by so much halves what a margin is worth."""

FAR_NATS = 24.0
CLOSE_NATS = 8.0
MOST_BOARDS = 60
MOST_ALTERNATIVES = 8

_NEVER = 1e6


def read_numbers(tiles: Sequence[Image]) -> FloatArray:
    """What number each tile shows.

    ``tiles`` are RGB uint8 pictures, h x w x 3, whose sizes may differ. Returns
    n x 100 log probabilities, every row summing to 1 as probabilities: column 0 is
    "no number here", column k "shows the number k".
    """
    first = read_tiles(tiles)
    scores = log_probabilities(first)
    window = numeral_window(first)
    unsure = np.flatnonzero(scores.max(axis=1) < np.log(SURE_AT_FIRST_SIGHT))
    if window is not None and len(unsure):
        # Numerals sit alike on all tiles of a board, and larger ones read better.
        closer = read_tiles([_part(tiles[int(index)], window) for index in unsure])
        both = scores[unsure] + log_probabilities(closer)
        scores[unsure] = _normalised(both / 2)
    return _doubted(_normalised(SHARPNESS * scores))


def read_cornered(tiles: Sequence[Image]) -> FloatArray | None:
    """The same for small numbers in one corner of all tiles, if there seem to be any.

    The net sees a whole tile at 64 px: a badge on a large one is lost in that.
    """
    step = max(1, len(tiles) // ENOUGH_TILES)
    starts = 0.0, 1.0 - CORNER
    windows = [(x, y, x + CORNER, y + CORNER) for y in starts for x in starts]
    shares = []
    for window in windows:
        some = read_tiles([_part(tile, window) for tile in tiles[::step]])
        shares.append(float(1.0 - np.exp(some.length[:, 0]).mean()))
    best = int(np.argmax(shares))
    if shares[best] < LEAST_NUMBERED:
        return None
    return read_numbers([_part(tile, windows[best]) for tile in tiles])


def numeral_window(reading: Reading) -> tuple[float, float, float, float] | None:
    """Where on the tiles the numerals sit: a square a little larger than that.

    Left, top, right, bottom as shares of the tile; nothing where they fill the tile
    or sit here on one tile and there on the next.
    """
    digits = np.exp(reading.length)
    one_or_two, two = 1 - digits[:, 0], digits[:, 2]
    places = reading.where[:, 1] * one_or_two[:, None, None]
    places = (places + reading.where[:, 0] * two[:, None, None]).sum(axis=0)
    edges = np.arange(GRID + 1) / GRID
    spans = []
    for axis in (0, 1):
        share = np.concatenate([[0.0], np.cumsum(places.sum(axis=axis))])
        ends = np.array(OUTERMOST) * share[-1]
        spans.append(np.interp(ends, share, edges))
    side = ROOM * max(float(high - low) for low, high in spans)
    side = max(side, LEAST_WINDOW)
    if side > MOST_WINDOW:
        return None
    left, top = (float(np.clip(span.mean() - side / 2, 0, 1 - side)) for span in spans)
    return left, top, left + side, top + side


def _part(tile: Image, window: tuple[float, float, float, float]) -> Image:
    height, width = tile.shape[:2]
    left, top, right, bottom = window
    rows = slice(int(top * height), max(math.ceil(bottom * height), 1))
    columns = slice(int(left * width), max(math.ceil(right * width), 1))
    return tile[rows, columns]


def log_probabilities(reading: Reading) -> FloatArray:
    """Combine how many digits there are with which they are, n x 100."""
    length = reading.length.astype(np.float64)
    tens = reading.tens.astype(np.float64)
    units = reading.units.astype(np.float64)
    count = len(length)
    scores = np.empty((count, LARGEST + 1))
    scores[:, :10] = length[:, 1:2] + units
    pairs = length[:, 2, None, None] + tens[:, :, None] + units[:, None, :]
    # 05 is a five.
    scores[:, :10] = np.logaddexp(scores[:, :10], pairs[:, 0])
    scores[:, 10:] = pairs[:, 1:].reshape(count, 90)
    # A lone 0 is no number of a series from 1.
    scores[:, 0] = np.logaddexp(length[:, 0], scores[:, 0])
    return scores


def _doubted(scores: FloatArray) -> FloatArray:
    """Leave a little probability to every number."""
    floor = np.log(DOUBT / (LARGEST + 1))
    return np.asarray(np.logaddexp(scores + np.log1p(-DOUBT), floor))


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


def assign_numbers(
    shape: Shape, scores: FloatArray, *, texture: FloatArray | None = None
) -> NumberBoard:
    """The likeliest board: one blank, each number once, the numbers a series.

    ``scores`` are those of ``read_numbers`` for the cells row by row (n x 100);
    ``texture``, if known, says how much there is to see in each cell (n values, any
    unit, least where the blank may be). The series is 1 to n - 1, or 2 to n where
    the blank took the place of the 1; any other number may be missing as well, but
    that must show clearly. In the series 0 to n - 2 the labels are one more than
    what is shown; its 0 looks much like a blank, so such a board is never
    certain. Raises ``ValueError`` for more than 99 numbers or scores of another size.
    """
    count = shape.size
    if count > LARGEST:
        raise ValueError(f"expected at most {LARGEST} cells, found {count}")
    if scores.shape != (count, LARGEST + 1):
        raise ValueError(
            f"expected {count} x {LARGEST + 1} scores, found {scores.shape}"
        )
    empty = _blank_costs(count, texture)
    found = [
        *_weighed(shape, _square(scores, empty), scores, first=1),
        *_weighed(shape, _square_from_zero(scores, empty), scores, first=0),
    ]
    return _judged(sorted(found, key=lambda one: one.cost))


def _square(scores: FloatArray, empty: FloatArray) -> FloatArray:
    """Costs in the form of ``padded``: homes are numbers, the blank's the missing one.

    ``empty`` is added to what it costs to call a cell the blank.
    """
    count = len(scores)
    missing = np.full(count, OTHER_SERIES_NATS)
    missing[[0, -1]] = FIRST_MISSING_NATS, 0.0
    return padded(-scores[:, 1 : count + 1], missing, empty - scores[:, 0])


def _square_from_zero(scores: FloatArray, empty: FloatArray) -> FloatArray:
    """The same for numbers from 0: the blank's home is the last, always."""
    count = len(scores)
    missing = np.full(count, _NEVER)
    missing[-1] = FROM_ZERO_NATS
    return padded(-scores[:, :count], missing, empty - scores[:, 0])


def _blank_costs(count: int, texture: FloatArray | None) -> FloatArray:
    """What it costs to call each cell empty, by what there is to see in it."""
    if texture is None:
        return np.zeros(count)
    ranks = np.argsort(np.argsort(np.asarray(texture), kind="stable"))
    return np.asarray(TEXTURE_NATS * ranks / max(count - 1, 1))


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
    shape: Shape, square: FloatArray, scores: FloatArray, *, first: int
) -> list[_Weighed]:
    """The cheapest boards of one kind of series, which starts with ``first``."""
    boards: list[_Weighed] = []
    lowest = float("inf")
    cells = np.arange(shape.size)
    for found in islice(best_assignments(shape, square), MOST_BOARDS):
        if found.cost > lowest + FAR_NATS:
            break
        unlikely = 0.0 if found.is_reachable else UNREACHABLE_NATS
        cost = found.cost + unlikely
        lowest = min(lowest, cost)
        labels = found.board.cells
        shown = np.maximum(np.array(labels) - (1 - first), 0)
        own = scores[cells, shown]
        chosen = first == 1 and found.homes[found.blank] == 0
        boards.append(
            _Weighed(
                labels=labels,
                cost=cost,
                evidence=cost - (FIRST_MISSING_NATS if chosen else 0.0),
                unlikely=unlikely,
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
    trust = 1.0 / (1.0 + best.misfit / MISFIT_NATS)
    # Where it cannot be solved, the tiles have outweighed that already: how surely
    # they were read is then for them alone to say.
    is_odd = best.unlikely > 0
    gaps = [
        (trust * (_evidence(one, is_odd) - _evidence(best, is_odd)), one)
        for one in boards[1:]
    ]
    close = [one.labels for gap, one in gaps if gap < CLOSE_NATS]
    doubtful = {
        cell
        for other in close
        for cell, label in enumerate(other)
        if label != best.labels[cell]
    }
    return NumberBoard(
        labels=best.labels,
        margin_nats=max(min((gap for gap, _ in gaps), default=trust * FAR_NATS), 0.0),
        doubtful=tuple(sorted(doubtful)),
        log_likelihood=best.log_likelihood,
        alternatives=tuple(close[:MOST_ALTERNATIVES]),
        first=best.first,
    )


def _evidence(board: _Weighed, is_odd: bool) -> float:
    return board.evidence - board.unlikely if is_odd else board.evidence


def number_evidence(scores: FloatArray) -> float:
    """How much likelier the tiles carry the numbers of a board than none, nats a tile.

    ``scores`` are those of ``read_numbers``, n x 100.
    """
    count = len(scores)
    if not 2 <= count <= LARGEST:
        return -float("inf")
    best = next(best_assignments(Shape(1, count), _square(scores, np.zeros(count))))
    return float((-best.cost - scores[:, 0].sum()) / count)


def is_numbered(scores: FloatArray) -> bool:
    """Whether the tiles carry the numbers of a board; ``scores`` as above."""
    return number_evidence(scores) > SURE_OF_NUMBERS
