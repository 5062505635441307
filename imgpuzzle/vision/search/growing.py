"""A grid with numbers grows by rows and columns, while the series gains."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from imgpuzzle.vision.candidate import Candidate
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.numbers.digits import LARGEST, glanced, number_evidence
from imgpuzzle.vision.search.tuning import TUNING

__all__ = ["grown"]


def grown(candidates: Sequence[Candidate]) -> Candidate | None:
    """The likeliest grid of which one of the ``candidates`` is a part, if there is one.

    Those that carry numbers are tried, the likeliest first.
    """
    parts = [one for one in candidates if one.numerals() is not None]
    parts.sort(key=_nats, reverse=True)
    found = [_larger(one) for one in parts[: TUNING.most_grown]]
    return max((one for one in found if one is not None), key=_nats, default=None)


def _nats(one: Candidate) -> float:
    """What speaks for the numbers of all of its cells."""
    return one.number_nats() * one.shape.size


def _larger(part: Candidate) -> Candidate | None:
    """The grid with as many more rows and columns as the series gains by.

    Each cell that is added has to add its own evidence: stray numbers beside a board
    fit its series by chance.
    """
    request, known = part.view.request, part.lattice
    if request.inner is not None or len(request.shapes) == 1:
        return None
    height, width = part.view.screen.shape[:2]
    # above, below, before, after
    most = (
        _room(known.top, known.pitch_y),
        _room(height - known.top - known.height, known.pitch_y),
        _room(known.left, known.pitch_x),
        _room(width - known.left - known.width, known.pitch_x),
    )
    if not any(most):
        return None
    whole = _extended(known, *most)
    region = whole.region(part.view.screen)
    tiles = part.view.cut(whole, part.support, region).cut.tiles
    scores = glanced(tiles).reshape(whole.rows, whole.cols, -1)
    own = known.rows * known.cols
    best, growth = 0.0, (0, 0, 0, 0)
    alone: float | None = None
    sides = [range(each + 1) for each in most]
    for up, down, west, east in itertools.product(*sides):
        inside = scores[
            most[0] - up : whole.rows - most[1] + down,
            most[2] - west : whole.cols - most[3] + east,
        ]
        size = inside.shape[0] * inside.shape[1]
        if size > LARGEST:
            continue
        nats = size * number_evidence(inside.reshape(size, -1))
        alone = nats if alone is None else alone  # the first adds nothing
        gained = nats - alone - TUNING.grown_nats * (size - own)
        if gained > best:
            best, growth = gained, (up, down, west, east)
    if not any(growth):
        return None
    found = part.view.candidate(_extended(known, *growth), part.support)
    if not found.is_large_enough or found.numerals() is None:
        return None
    cost = TUNING.grown_nats * (found.shape.size - own)
    return found if _nats(found) > _nats(part) + cost else None


def _room(length: float, pitch: float) -> int:
    """How many tiles there is room for in so many px, a little less will do."""
    return int(min(max(length / pitch + TUNING.grown_slack, 0), TUNING.most_rows_more))


def _extended(known: Lattice, up: int, down: int, west: int, east: int) -> Lattice:
    return replace(
        known,
        rows=known.rows + up + down,
        cols=known.cols + west + east,
        left=known.left - west * known.pitch_x,
        top=known.top - up * known.pitch_y,
    )
