"""Which arrangement to report, and how sure that is.

The costs of different arrangements are compared in nats: the logarithm of how
much worse the second explains the picture. Games hardly ever deal a board that
cannot be solved, so an arrangement from which its goal cannot be reached must
explain the picture a good deal better than every one from which it can.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from imgpuzzle.board import Shape
from imgpuzzle.vision.match import (
    Arrangement,
    FloatArray,
    best_assignments,
)

__all__ = ["CERTAIN", "Verdict", "judge"]

UNREACHABLE_NATS = 15.0
CERTAIN_NATS = 8.0

MISFIT_FACTOR = 10.0
"""Evidence counts less the worse the tiles match: 0.1 of detail lost halves it."""

_FAR = 6 * CERTAIN_NATS
_MOST = 300


def margin_of(nats: float) -> float:
    """Map a difference in nats (from 0) to a confidence from 0 to 1."""
    return 1.0 - math.exp(-max(nats, 0.0) / CERTAIN_NATS)


CERTAIN = margin_of(CERTAIN_NATS)
"""The margin from which on a reading is called certain."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best arrangement, its margin over the next, and the cells in doubt.

    ``alternatives`` are the arrangements too close to be excluded.
    """

    best: Arrangement
    margin: float
    doubtful: tuple[int, ...]
    alternatives: tuple[Arrangement, ...]


def judge(shape: Shape, square: FloatArray, *, detail: float = 0.0) -> Verdict:
    """Weigh the cheapest arrangements of padded costs against each other.

    ``detail`` is the share of the tiles' inner detail that stays unexplained.
    """
    trust = 1.0 / (1.0 + MISFIT_FACTOR * detail)
    weighed: list[tuple[float, Arrangement]] = []
    lowest = float("inf")
    for count, arrangement in enumerate(best_assignments(shape, square)):
        if weighed and (arrangement.cost > lowest + _FAR or count >= _MOST):
            break
        extra = 0.0 if arrangement.is_reachable else UNREACHABLE_NATS
        weighed.append((arrangement.cost + extra, arrangement))
        lowest = min(lowest, arrangement.cost + extra)
    weighed.sort(key=lambda pair: pair[0])
    least, best = weighed[0]
    # Two arrangements can name one board when the blank's home differs only.
    others = [pair for pair in weighed[1:] if _differ(pair[1], best)]
    # Where blanks usually live helps to choose; as evidence it does not count.
    usual = square[-1]
    own = least - usual[best.homes[best.blank]]
    gaps = [
        (trust * (cost - usual[other.homes[other.blank]] - own), other)
        for cost, other in others
    ]
    gap = float(min((nats for nats, _ in gaps), default=_FAR * trust))
    close = [other for nats, other in gaps if nats < CERTAIN_NATS]
    doubtful = sorted({cell for other in close for cell in other.differing(best)})
    return Verdict(best, margin_of(gap), tuple(doubtful), tuple(close[:8]))


def _differ(one: Arrangement, other: Arrangement) -> bool:
    return one.board != other.board or one.goal != other.goal
