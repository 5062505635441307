"""How often readings like a given one are right.

The lead of the best arrangement over the next, in nats, is turned into a
frequency by a logistic curve for each way of reading (J. Platt, 1999), fitted
to made-up screenshots of known truth; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from imgpuzzle.board import Shape
from imgpuzzle.reading import Method
from imgpuzzle.vision.arrange.judge import CERTAIN_NATS, Verdict, differing

__all__ = ["board_confidence", "cell_confidences"]

_CURVES: dict[Method, tuple[float, float]] = {
    "reference": (0.05, 0.67),
    "thumbnail": (0.0, 0.53),
    "digits": (0.07, 0.79),
    "reassembly": (-0.9, 1.1),
}
"""Offset and slope of the logarithmic odds over the lead in nats."""

_LEAST, _MOST = 0.02, 0.999
UNNAMED = 0.05
TROUBLE = 0.6
"""What each further reason for doubt leaves of the confidence."""


def board_confidence(method: Method, nats: float, trouble: int) -> float:
    """The share of right ones among readings with this lead and so many doubts."""
    offset, slope = _CURVES[method]
    odds = offset + slope * min(max(nats, 0.0), 4 * CERTAIN_NATS)
    confidence = TROUBLE**trouble / (1.0 + math.exp(-odds))
    return min(max(confidence, _LEAST), _MOST)


def cell_confidences(
    verdict: Verdict, confidence: float, doubtful: Collection[int], shape: Shape
) -> tuple[float, ...]:
    """The same for each cell: cells that no rival changes are more certain."""
    wrong = [0.0] * shape.size
    weights = [math.exp(-max(one.nats, 0.0)) for one in verdict.rivals]
    # What no rival accounts for weighs something as well.
    total = sum(weights) + UNNAMED
    for one, weight in zip(verdict.rivals, weights, strict=True):
        for cell in differing(verdict.best, one.arrangement, None):
            wrong[cell] += weight / total
    left = 1.0 - confidence
    result = []
    for cell, share in enumerate(wrong):
        share = max(share, 0.5) if cell in doubtful else share
        # A part of the risk, that the grid is wrong, is common to all cells.
        result.append(1.0 - left * max(min(share, 1.0), 0.1))
    return tuple(result)
