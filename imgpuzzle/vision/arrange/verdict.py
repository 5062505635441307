"""Which arrangement to report, and how sure that is.

The costs of different arrangements are compared in nats: the logarithm of how
much worse the second explains the picture. Most games deal boards that can be
solved, so an arrangement from which its goal cannot be reached must explain the
picture better than every one from which it can; but that adds nothing to a lead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.arrange.assign import (
    Arrangement,
    FloatArray,
    best_assignments,
    nearest_others,
)
from imgpuzzle.vision.arrange.tuning import TUNING


def margin_of(nats: float) -> float:
    """Map a difference in nats (from 0) to a confidence from 0 to 1."""
    return 1.0 - math.exp(-max(nats, 0.0) / TUNING.certain_nats)


def trust(detail: float) -> float:
    """How much evidence counts when ``detail`` of the tiles stays unexplained."""
    return 1.0 / (1.0 + TUNING.misfit_factor * detail)


@dataclass(frozen=True, slots=True)
class Weighed:
    """An arrangement and how many nats worse than the best it explains things."""

    nats: float
    arrangement: Arrangement


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best arrangement, its lead over the next in nats, and the cells in doubt.

    ``rivals`` are the arrangements that differ from it, the closest first; all have an
    empty cell, or none has. ``other_kind`` is the best of the other kind, where both
    were weighed.
    """

    best: Arrangement
    nats: float
    doubtful: tuple[int, ...]
    rivals: tuple[Weighed, ...]
    other_kind: Weighed | None = None

    @property
    def is_of_open_kind(self) -> bool:
        """Whether it is in doubt that a tile is missing, or that none is."""
        if self.other_kind is None:
            return False
        least = TUNING.whole_nats if self.best.is_whole else TUNING.holed_nats
        return self._may_show_its_blank or self.other_kind.nats < least

    @property
    def asked_kind(self) -> Weighed | None:
        """The board of the other kind that is asked about, where that is open."""
        if not self._may_show_its_blank:
            return self.other_kind
        size, share = self.best.shape.size, TUNING.shown_blank_share
        nats = max(math.log((1.0 - share) / share / size), 0.0)
        return Weighed(nats, replace(self.best, blank=size - 1))

    @property
    def _may_show_its_blank(self) -> bool:
        """Whether the last piece lies at home, and few others do.

        Some sliding games show that piece where others have the empty cell. Where most
        tiles are at home it says nothing.
        """
        *others, last = [home == cell for cell, home in enumerate(self.best.homes)]
        few = sum(others) <= TUNING.mixed_share * len(others)
        return self.best.is_whole and last and few

    def tied(self, cells: Iterable[int], best: Arrangement) -> Verdict:
        """The same for ``best``, where nothing tells which of the cells is empty."""
        return replace(self, best=best, nats=0.0, doubtful=tuple(sorted(cells)))

    @property
    def margin(self) -> float:
        """The lead as a number from 0 to 1."""
        return margin_of(self.nats)


def judge(
    shape: Shape,
    square: FloatArray,
    *,
    detail: float = 0.0,
    classes: Sequence[int] | None = None,
) -> Verdict:
    """Weigh the cheapest arrangements of padded costs against each other.

    ``detail`` is the share of the tiles' inner detail that stays unexplained;
    cells of one number in ``classes`` hold tiles that look the same, and
    arrangements that only exchange those do not count as different.
    """
    believed = trust(detail)
    weighed: list[Arrangement] = []
    lowest = float("inf")
    for one in best_assignments(shape, square):
        if weighed and one.cost > lowest + TUNING.far_nats:
            break
        if len(weighed) >= TUNING.most_weighed:
            # All of these may only exchange tiles that look the same.
            looks = range(shape.size) if classes is None else classes
            weighed += nearest_others(weighed[0], square, looks)
            break
        weighed.append(one)
        lowest = min(lowest, one.cost + one.unlikely)
    kinds = [[one for one in weighed if one.is_whole == kind] for kind in (False, True)]
    likeliest = [
        min(kind, key=lambda one: one.cost + one.unlikely) for kind in kinds if kind
    ]
    # That it cannot be solved does not say that a board is of the other kind.
    best = min(likeliest, key=lambda one: one.cost)
    # Where blanks usually live helps to choose; as evidence it does not count.
    usual = square[-1]

    def habit(one: Arrangement) -> float:
        return 0.0 if one.blank_home is None else float(usual[one.blank_home])

    verdict = rank(
        best,
        [
            Weighed(believed * (best.lead_over(one) + habit(best) - habit(one)), one)
            for one in weighed
            if one is not best and one.is_whole == best.is_whole
        ],
        classes=classes,
        beyond=TUNING.far_nats * believed,
    )
    others = [
        Weighed(believed * (one.cost - best.cost), one)
        for one in likeliest
        if one is not best
    ]
    return replace(verdict, other_kind=others[0]) if others else verdict


def rank(
    best: Arrangement,
    others: Iterable[Weighed],
    *,
    classes: Sequence[int] | None = None,
    beyond: float | None = None,
) -> Verdict:
    """The verdict for a best arrangement and others.

    Where none differs its lead is ``beyond`` nats, or as far as is looked.
    """
    mine = _looks(best, classes)
    rivals = sorted(
        (one for one in others if _looks(one.arrangement, classes) != mine),
        key=lambda one: one.nats,
    )
    if beyond is None:
        beyond = TUNING.far_nats
    nats = min((one.nats for one in rivals), default=beyond)
    doubtful: set[int] = set()
    for one in rivals:
        if one.nats < TUNING.certain_nats:
            doubtful.update(differing(best, one.arrangement, classes))
    named = rivals[: TUNING.most_rivals]
    if not best.is_reachable:
        # The nearest that can be solved is told, however far it is.
        solvable = (one for one in rivals if one.arrangement.is_reachable)
        named += [one for one in islice(solvable, 1) if one not in named]
    return Verdict(best, float(nats), tuple(sorted(doubtful)), tuple(named))


def differing(
    one: Arrangement, other: Arrangement, classes: Sequence[int] | None
) -> tuple[int, ...]:
    """The cells whose tiles two arrangements send to homes that matter."""
    if classes is None:
        return one.differing(other)
    first, second = _looks(one, classes)[2], _looks(other, classes)[2]
    cells = set()
    for home, (mine, theirs) in enumerate(zip(first, second, strict=True)):
        if mine != theirs:
            cells.add(one.homes.index(home))
    return tuple(sorted(cells))


def _looks(
    one: Arrangement, classes: Sequence[int] | None
) -> tuple[int, int | None, tuple[int, ...]]:
    """Blank, its home, and which kind of tile belongs in each home cell.

    Two arrangements can name one board when the blank's home differs only.
    """
    kinds = [0] * len(one.homes)
    turns = one.turns or (0,) * len(kinds)
    for cell, home in enumerate(one.homes):
        kind = cell if classes is None else classes[cell]
        kinds[home] = -1 if cell == one.blank else 4 * kind + turns[cell]
    return one.blank, one.blank_home, tuple(kinds)
