"""What the judge found, and the ``Reading`` that is handed out of it.

In: the arrangement that was chosen, how far the next one is, and all reasons for doubt.
Out: a reading with its confidence, made once and never changed, or an error. How often
readings like a given one are right is said by a logistic curve over the lead in nats
for each way of reading (J. Platt, 1999), fitted to made-up screenshots of known truth;
see ``benchmarks/README.md``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.reading import (
    Alternative,
    BoardNotFoundError,
    Corners,
    GridAmbiguousError,
    Method,
    Reading,
    Region,
)
from imgpuzzle.messages import Doubt, Kind, Message, Refusal
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import Verdict, differing
from imgpuzzle.vision.geometry.cutting import Cut
from imgpuzzle.vision.tuning import TUNING

CURVES: dict[Method, tuple[float, float]] = {
    "reference": (0.05, 0.67),
    "thumbnail": (0.0, 0.53),
    "digits": (0.07, 0.79),
    "reassembly": (-0.9, 1.1),
}
"""Offset and slope of the logarithmic odds over the lead in nats."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A board that was found, with all that speaks against it.

    Attributes:
        cut: The tiles and where they lie.
        verdict: The arrangement, and its rivals.
        method: The witness that said most.
        doubts: Reasons for doubt besides a rival that is close.
        misfits: Cells in doubt by themselves.
        classes: Numbers the cells by the look of their tiles.
        notes: Remarks that cast no doubt.
        shown: The numbers that the tiles show, row by row, 0 for the blank.
        labels: What the tiles are called instead of the numbers of their homes.
        distinct: Whether tiles that look the same are different ones to the caller.
        corners: Of a board at an angle, in px of the screenshot.
        goals: Other goals that numbers may have, or other ways up of a picture.
    """

    cut: Cut
    verdict: Verdict
    method: Method
    doubts: tuple[Message, ...] = ()
    misfits: tuple[int, ...] = ()
    classes: tuple[int, ...] | None = None
    notes: tuple[Message, ...] = ()
    shown: tuple[int, ...] = ()
    labels: Mapping[int, int] | None = None
    distinct: bool = False
    corners: Corners | None = None
    goals: tuple[Alternative, ...] = ()

    @property
    def best(self) -> Arrangement:
        """Which tile belongs where."""
        return self.verdict.best

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.best.shape

    @property
    def region(self) -> Region:
        """The rectangle that the tiles cover, in px of the screenshot."""
        return self.cut.region

    @property
    def sure_nats(self) -> float:
        """The lead over the next arrangement that is enough."""
        return sure_lead(self.method, self.best)

    @property
    def is_close(self) -> bool:
        """Whether another arrangement explains the picture nearly as well."""
        return self.verdict.nats < self.sure_nats

    @property
    def reasons(self) -> tuple[Message, ...]:
        """Every reason for doubt."""
        close = [Message(Doubt.ARRANGEMENT)] if self.is_close else []
        kind = [Message(Doubt.TILE_MISSING)] if self.verdict.is_of_open_kind else []
        equal = [Message(Doubt.EQUAL_TILES)] if self._undecided() else []
        # Several rules may find the same.
        return tuple(dict.fromkeys((*close, *kind, *self.doubts, *equal)))

    @property
    def kinds(self) -> frozenset[Kind]:
        """What is in doubt, whatever the values say."""
        kinds = [one.kind for one in self.reasons]
        return frozenset(one for one in kinds if isinstance(one, Kind))

    @property
    def is_certain(self) -> bool:
        """Whether nothing is in doubt."""
        return not self.reasons

    @property
    def confidence(self) -> float:
        """The share of right ones among readings like this."""
        # A lead that is too small is what the curve says already.
        trouble = len(self.reasons) - self.is_close
        lead = self.verdict.nats - _unsolvable_nats(self.method, self.best)
        nats = lead / _times(self.method, self.best)
        return confidence_of(self.method, nats, trouble)

    def is_same(self, other: Finding) -> bool:
        """Whether both lay the same tiles on the same cells."""
        return self.best.is_same(other.best)

    def or_grid(self, other: Shape) -> Finding:
        """The same, in doubt because of another grid."""
        grids = Message(Doubt.OTHER_GRID, one=self.shape, other=other)
        return replace(self, doubts=(*self.doubts, grids))

    def doubted(self, *kinds: Kind) -> Finding:
        """The same with further reasons for doubt."""
        more = tuple(Message(kind) for kind in kinds if kind not in self.kinds)
        return replace(self, doubts=(*self.doubts, *more)) if more else self

    def noted(self, kind: Kind) -> Finding:
        """The same with a remark, the first of all."""
        return replace(self, notes=(Message(kind), *self.notes))

    def reading(self) -> Reading:
        """What is handed out."""
        best, confidence = self.best, self.confidence
        doubtful = {*(self.verdict.doubtful if self.is_close else ()), *self.misfits}
        doubtful.update(self._undecided())
        reasons = self.reasons
        board = self._named(best.board)
        turns = self.best.turns
        # Tiles at other homes would lie in other turns, which nobody looked at.
        others = () if turns else self._alternatives(confidence)
        if self.goals and not reasons and not others:
            reasons = (Message(Doubt.WAY_UP if turns else Doubt.GOAL),)
            others = self.goals
        return Reading(
            board=board,
            goal=type(board)(board.shape, self._named(best.goal).cells),
            region=self.cut.region,
            method=self.method,
            margin=self.verdict.margin,
            certain=self.is_certain,
            doubtful=tuple(sorted(doubtful)),
            doubts=reasons,
            gap_px=self.cut.gap_px,
            tiles=self.cut.tiles,
            confidence=confidence,
            cell_confidence=cell_confidences(self.verdict, confidence, doubtful),
            alternatives=others,
            identical=() if self.distinct else self._groups(),
            corners=self.corners,
            notes=self.notes,
            # Games that count from 0, or leave another number out, have other labels.
            numbered=self.shown == board.cells,
        )

    def _named(self, board: Board) -> Board:
        names = self.labels
        if names is None:
            return board
        return replace(board, cells=tuple(names[label] for label in board.cells))

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        """Cells whose tiles look the same, in groups of two and more."""
        cells: dict[int, list[int]] = {}
        for cell, kind in enumerate(self.classes or ()):
            if cell != self.best.blank:
                cells.setdefault(kind, []).append(cell)
        return tuple(tuple(group) for group in cells.values() if len(group) > 1)

    def _undecided(self) -> list[int]:
        """The cells that parity leaves open: it settles one pair and no more."""
        if not self.distinct:
            return []
        groups = self._groups()
        if len(groups) == 1 and len(groups[0]) == 2:
            return []
        return [cell for group in groups for cell in group]

    def _alternatives(self, confidence: float) -> tuple[Alternative, ...]:
        close = [one for one in self.verdict.rivals if one.nats < self.sure_nats]
        close = close[: TUNING.most_alternatives]
        other = self.verdict.asked_kind
        if other is not None and Doubt.TILE_MISSING in self.kinds:
            close = [*close[: TUNING.most_alternatives - 1], other]
            close.sort(key=lambda one: one.nats)
        if not close and not self.best.is_reachable:
            # The nearest that can be solved is told, however far it is.
            rivals = self.verdict.rivals
            close = [one for one in rivals if one.arrangement.is_reachable][:1]
        weights = [math.exp(-max(one.nats, 0.0)) for one in close]
        left = 1.0 - confidence
        # What is left may belong to none of them: each is ``weight`` times as likely
        # as the reading itself, and never more.
        return tuple(
            Alternative(
                self._named(one.arrangement.board),
                self._named(one.arrangement.goal),
                min(left * weight / sum(weights), confidence * weight),
            )
            for one, weight in zip(close, weights, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no reading.

    Attributes:
        message: What is said.
        complete: Where the whole picture of the reference stands instead.
        shapes: The grids in question, the likeliest first.
        regions: Where they lie, if that is in several places.
    """

    message: Message
    complete: Region | None = None
    shapes: tuple[Shape, ...] = ()
    regions: tuple[Region, ...] = ()

    @classmethod
    def two_grids(cls, one: Shape, other: Shape) -> Refused:
        """Two grids explain the screenshot equally well."""
        message = Message(Refusal.TWO_GRIDS, one=one, other=other)
        return cls(message, shapes=(one, other))

    @classmethod
    def two_boards(cls, one: Cut, other: Cut) -> Refused:
        """There are two boards in play; the one on the left comes first."""
        one, other = sorted(
            (one, other), key=lambda cut: (cut.region.left, cut.region.top)
        )
        regions = one.region, other.region
        message = Message(Refusal.TWO_BOARDS, one=regions[0], other=regions[1])
        return cls(message, shapes=(one.shape, other.shape), regions=regions)

    @classmethod
    def two_matches(
        cls, shapes: tuple[Shape, Shape], regions: tuple[Region, Region]
    ) -> Refused:
        """Two boards show the reference."""
        message = Message(Refusal.TWO_MATCHES, one=regions[0], other=regions[1])
        return cls(message, shapes=shapes, regions=regions)

    @property
    def is_final(self) -> bool:
        """Whether no other way to read the screenshot could say more of it.

        Two boards, or the picture of the reference in order: that is what it shows.
        """
        return self.complete is not None or bool(self.regions)

    def at(self, moved: Callable[[Region], Region]) -> Refused:
        """The same with places counted in another way, from here to there."""
        named = [*self.regions, *([] if self.complete is None else [self.complete])]
        places: dict[Any, Region] = {region: moved(region) for region in named}
        return Refused(
            self.message.replaced(places),
            None if self.complete is None else places[self.complete],
            self.shapes,
            tuple(places[region] for region in self.regions),
        )

    def error(self) -> BoardNotFoundError | GridAmbiguousError:
        """What is raised."""
        if self.shapes:
            return GridAmbiguousError(self.message, self.shapes, self.regions)
        return BoardNotFoundError(self.message, self.complete)


Outcome = Finding | Refused


def confidence_of(method: Method, nats: float, trouble: int) -> float:
    """The share of right ones among readings with this lead and so many doubts."""
    offset, slope = CURVES[method]
    odds = offset + slope * min(max(nats, 0.0), 4 * ARRANGE.certain_nats)
    confidence = TUNING.trouble_factor**trouble / (1.0 + math.exp(-odds))
    return min(max(confidence, TUNING.least_confidence), TUNING.most_confidence)


def sure_lead(method: Method, best: Arrangement) -> float:
    """The lead from which on so many readings are right that one is called certain."""
    offset, slope = CURVES[method]
    share = TUNING.sure_share
    nats = (math.log(share / (1.0 - share)) - offset) / slope
    return nats * _times(method, best) + _unsolvable_nats(method, best)


def _unsolvable_nats(method: Method, best: Arrangement) -> float:
    """The lead that is asked for besides where seams say what cannot be solved."""
    is_usual = best.is_reachable or method != "reassembly"
    return 0.0 if is_usual else TUNING.unsolvable_lead


def _times(method: Method, best: Arrangement) -> float:
    """How many times the usual lead is asked for.

    Few tiles make few seams and few numbers, and chance has more to say.
    """
    if best.shape.size > TUNING.few_cells or method in ("reference", "thumbnail"):
        return 1.0
    is_sliding = not best.is_whole and not best.turns
    is_joined = method == "reassembly"
    return TUNING.few_joined if is_sliding and is_joined else TUNING.few_times


def cell_confidences(
    verdict: Verdict, confidence: float, doubtful: Collection[int]
) -> tuple[float, ...]:
    """The same for each cell: cells that no rival changes are more certain."""
    wrong = [0.0] * verdict.best.shape.size
    weights: Sequence[float] = [math.exp(-max(one.nats, 0.0)) for one in verdict.rivals]
    total = sum(weights) + TUNING.unnamed_weight
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
