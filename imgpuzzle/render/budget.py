"""How drawn files become small enough: a ladder, and what its rungs take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

GROWTH = 1.8
"""Bytes grow with this power of a picture's side: fine detail goes first."""

_STEP = 0.95
"""From one side to the next smaller one."""

Rung = TypeVar("Rung")


def sides(full: int, least: int) -> list[int]:
    """Sides of pictures in px, from ``full`` down to ``least``."""
    found = [full]
    while found[-1] > least:
        found.append(max(least, min(found[-1] - 1, round(found[-1] * _STEP))))
    return found


def fitted(
    ladder: Sequence[Rung],
    weight: Callable[[Rung], float],
    measure: Callable[[Rung], float],
    limit: float,
    *,
    well_used: float = 0.0,
) -> tuple[Rung, float]:
    """The first rung of a ladder that takes at most ``limit``, and what it takes.

    ``measure`` says what a rung takes, and ``weight`` in which proportion that is to be
    expected: so rungs that would not fit are left out, and seldom more than a few are
    tried. Where one that fits takes less than ``well_used`` of the limit, those that
    were left out before it are tried, too. The last rung is given where none fits.
    """
    too_large, fits = -1, len(ladder)
    rung, size = 0, 0.0
    while True:
        found = measure(ladder[rung])
        if found <= limit:
            fits, size = rung, found
        else:
            too_large = rung
        if fits == len(ladder):
            if rung == len(ladder) - 1:
                return ladder[rung], found
            factor = found / weight(ladder[rung])
            rung += 1
            while rung < len(ladder) - 1 and factor * weight(ladder[rung]) > limit:
                rung += 1
        elif fits == too_large + 1 or size >= well_used * limit:
            return ladder[fits], size
        else:
            rung = (too_large + fits) // 2
