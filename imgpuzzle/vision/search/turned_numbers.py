"""Boards with numbers on tiles that lie turned, read by the numbers alone.

Numbers that stand upright on turned tiles say where these belong, and what is painted
around them how they lie. Where numbers are turned, too, each tile is read in all its
turns, and each number is where it reads best. An 8 looks the same upside down, and a 6
is a 9 then: what no other tile settles is in doubt.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import TurnedBoard
from imgpuzzle.core.reading import Alternative
from imgpuzzle.messages import Doubt
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import Verdict
from imgpuzzle.vision.arrange.whole import numbered_nats
from imgpuzzle.vision.candidate import Candidate
from imgpuzzle.vision.numbers.digits import (
    LARGEST,
    in_series,
    is_numbered,
    number_evidence,
    read_numbers,
)
from imgpuzzle.vision.numbers.faces import turned_faces
from imgpuzzle.vision.report import Finding, sure_lead

Scores = NDArray[np.float64]


def find_turned_numbers(candidates: Iterable[Candidate]) -> Finding | None:
    """The likeliest board with every number from 1, each in some turn, if one is."""
    best: Finding | None = None
    most = 0.0
    for one in candidates:
        if one.shape.size > LARGEST:
            continue
        ratios = _ratios(one, one.turns)
        scores = _scores(one, ratios)
        total = one.shape.size * number_evidence(scores)
        if is_numbered(scores) and total > most:
            found = _found(one, ratios, _where_at_home(one, scores))
            best, most = (found, total) if found is not None else (best, most)
    return best


def with_turned_faces(one: Candidate, found: Finding) -> Finding:
    """What upright numbers came to, with the turns that the tiles' faces tell, if any.

    Which turn is the upright one is asked where no mark points up.
    """
    faces = turned_faces(one.tiles)
    if faces is None:
        return found

    def lying(way: int) -> Arrangement:
        return replace(
            found.best, turns=tuple((turn + way) % 4 for turn in faces.turns)
        )

    best = lying(0)
    turned = replace(found, verdict=replace(found.verdict, best=best))
    if any(faces.is_open):
        cells = tuple(np.flatnonzero(faces.is_open).tolist())
        return replace(turned, misfits=cells).doubted(Doubt.TURNS)
    if not faces.is_upright:
        goal = TurnedBoard(one.shape, best.goal.cells)
        boards = [lying(way).board for way in (1, 2, 3)]
        goals = tuple(Alternative(board, goal, 0.25) for board in boards)
        turned = replace(turned, goals=goals)
    return turned


def with_turned_numerals(one: Candidate, found: Finding) -> Finding:
    """What upright numbers came to, in doubt where one reads better on a turned tile.

    The others may leave but one number for it, so that nothing else tells.
    """
    scores = one.numerals()
    assert scores is not None
    cells, homes = np.arange(one.shape.size), np.array(found.best.homes)
    scores = in_series(scores)
    own = scores[cells, homes + 1] - scores[:, 0]
    sure = sure_lead("digits", found.best)
    if own.min() > sure:
        return found
    ratios = _ratios(one, 2 if one.lattice.is_oblong else 4)[1:, cells, homes + 1]
    turned = ratios.max(axis=0) - np.maximum(own, 0.0) > sure
    if not turned.any():
        return found
    lying = tuple(np.flatnonzero(turned).tolist())
    return replace(found, misfits=lying).doubted(Doubt.TURNS)


def _ratios(one: Candidate, turns: int) -> Scores:
    """Nats for each number on each tile against none: turns x n x 100."""
    looks = []
    for way in range(turns):
        quarters = way * (4 // turns)
        tiles = [np.ascontiguousarray(np.rot90(tile, quarters)) for tile in one.tiles]
        looks.append(in_series(read_numbers(tiles)))
    seen = np.stack(looks)
    return np.asarray(seen - seen[:, :, :1])


def _scores(one: Candidate, ratios: Scores) -> Scores:
    """Log probabilities of numbers in whichever turn they read best, n x 100."""
    scores = ratios.max(axis=0) - math.log(one.turns)
    scores[:, 0] = 0.0
    return _normal(scores)


def _where_at_home(one: Candidate, scores: Scores) -> Scores:
    """The same where the tile in the first cell is a 1, unless it is clearly none."""
    if one.view.request.known.turned != "home":
        return scores
    homes = np.arange(one.shape.size)
    known = scores.copy()
    known[homes, homes + 1] += ARRANGE.certain_nats
    return _normal(known)


def _normal(scores: Scores) -> Scores:
    """Log probabilities that sum up to 1 as probabilities."""
    top = scores.max(axis=1, keepdims=True)
    return np.asarray(scores - top - np.log(np.exp(scores - top).sum(1, keepdims=True)))


def _is_same_upside_down(number: int) -> bool:
    """Whether a number has no way up, as 8, 69 and 88."""
    text = str(number)
    turned = text.translate(str.maketrans("0689", "0986"))[::-1]
    return set(text) <= set("0689") and turned == text


def _found(one: Candidate, ratios: Scores, scores: Scores) -> Finding | None:
    """What the numbers of a candidate come to."""
    whole, nats, lead = numbered_nats(one.shape, scores)
    if nats < ARRANGE.maybe_numbered_nats:
        return None
    cells, homes = np.arange(one.shape.size), np.array(whole.homes)
    own = ratios[:, cells, homes + 1]
    step = 4 // one.turns
    whole = replace(whole, turns=tuple((step * own.argmax(axis=0)).tolist()))
    sure = sure_lead("digits", whole)
    ordered = np.sort(own, axis=0)
    is_open = ordered[-1] - ordered[-2] < sure
    is_open |= np.array([_is_same_upside_down(home + 1) for home in whole.homes])
    # What it costs that two tiles have each other's numbers.
    costs = -scores[:, homes + 1]
    swapped = costs + costs.T - np.add.outer(costs.diagonal(), costs.diagonal())
    np.fill_diagonal(swapped, np.inf)
    is_open |= swapped.min(axis=1) < sure
    found = Finding(
        one.cut,
        Verdict(whole, lead, (), ()),
        "digits",
        misfits=tuple(np.flatnonzero(is_open).tolist()),
        shown=tuple(whole.board.cells),
        distinct=one.view.request.known.distinct,
    )
    if is_open.any():
        found = found.doubted(Doubt.TURNS)
    # Lists, keypads and calendars show numbers in order.
    is_asked = whole.is_solved and not one.is_named
    return found.doubted(Doubt.SOLVED_OR_NO_BOARD) if is_asked else found
