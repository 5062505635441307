"""``Reading``: what was found in a screenshot, and how sure that is; or why nothing."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from imgpuzzle.core.board import Board, Shape, TurnedBoard
from imgpuzzle.core.board import Corners as Corners
from imgpuzzle.core.board import Region as Region
from imgpuzzle.core.goals import (
    MOST_ANSWERS,
    WAYS_UP,
    NamedGoal,
    Place,
    in_layout,
    named_goals,
)
from imgpuzzle.core.moves import differing
from imgpuzzle.core.solvability import is_solvable
from imgpuzzle.errors import PuzzleError, UsageError
from imgpuzzle.messages import Doubt, Kind, Message, UsageFault
from imgpuzzle.messages.message import sentence as _

if TYPE_CHECKING:
    from imgpuzzle.files.image import Image

Method = Literal["reference", "thumbnail", "digits", "reassembly"]
"""How tiles were recognised: by the given picture of the goal, by a small one that
the screenshot itself shows, by the numbers on them, or by their edges."""
METHODS: dict[str, str] = {
    "reference": _("compared with the reference"),
    "thumbnail": _("compared with a picture of the goal in the screenshot"),
    "digits": _("the numbers on the tiles"),
    "reassembly": _("pieced together by the tiles' edges"),
}

DOUBT: dict[str, Any] = {
    "colour": (255, 145, 0),
    "sign": "?",
    "lines": [[(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]],
}
"""How a doubtful cell is drawn, in pictures and on the page: with lines from place to
place, x and y as shares of the cell, and what stands behind its number."""

PLAUSIBLE_SHARE = 0.2
"""An alternative counts as an answer when it is at least so likely as the likeliest
alternative; what is less likely need not be asked about."""


def _turns(board: Board) -> dict[str, list[list[int]]]:
    return {"turns": board.turn_rows()} if isinstance(board, TurnedBoard) else {}


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another arrangement that explains the screenshot nearly as well.

    Attributes:
        board: Which tile lies where.
        goal: The goal that belongs to it.
        confidence: How likely it is, from 0 to 1.
    """

    board: Board
    goal: Board
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """The alternative as the machine interface prints it."""
        return {
            "board": self.board.rows(),
            "goal": self.goal.rows(),
            **_turns(self.board),
            "confidence": round(self.confidence, 4),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """A board read from a screenshot.

    Attributes:
        board: Which tile lies in each cell. Labels are home cells counted from 1;
            0 is the blank. A ``FullBoard`` where every tile is there.
        goal: Where each tile belongs.
        region: The rectangle that the tiles cover.
        method: How the tiles were recognised: ``"reference"``, ``"thumbnail"`` (a small
            picture of the goal in the screenshot), ``"digits"`` or ``"reassembly"``
            (by the tiles' edges).
        margin: How much better this reading explains the screenshot than the best
            different one that the rules allow, from 0 (equally well) to 1.
        certain: Whether it is known how the tiles lie. The goal of tiles with numbers
            may be asked about even so, see ``asks_goal``.
        doubtful: The cells in doubt, counted from 0, row by row.
        doubts: What is in doubt; as text, the sentences.
        gap_px: The space between two tiles.
        tiles: The picture of what lies in each cell of the screenshot, row by row, the
            blank's included; all of one size, height x width x 3, uint8, RGB.
        confidence: How often readings like this one are right, from 0 to 1.
        cell_confidence: The same for each cell.
        alternatives: Other arrangements, the likeliest first.
        identical: Groups of cells whose tiles look the same.
        corners: For a board seen at an angle, or cut off by an edge of the screenshot:
            its corners in px, x and y, clockwise from the top left.
        notes: Remarks that cast no doubt.
        numbered: Whether every tile shows its label as a number.
    """

    board: Board
    goal: Board
    region: Region
    method: Method
    margin: float
    certain: bool
    doubtful: tuple[int, ...] = ()
    doubts: tuple[Message, ...] = ()
    gap_px: int = 0
    tiles: tuple[Image, ...] = field(default=(), repr=False, compare=False)
    confidence: float = 1.0
    cell_confidence: tuple[float, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    identical: tuple[tuple[int, ...], ...] = ()
    corners: Corners | None = None
    notes: tuple[Message, ...] = ()
    numbered: bool = False

    def __repr__(self) -> str:
        state = "certain" if self.certain else "doubtful"
        return (
            f"<Reading {self.shape} at {self.region} by {self.method}: "
            f"{state}, confidence {self.confidence:.0%}>"
        )

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.board.shape

    @property
    def doubt_kinds(self) -> frozenset[Kind]:
        """What is in doubt, whatever the values say."""
        kinds = [doubt.kind for doubt in self.doubts]
        return frozenset(one for one in kinds if isinstance(one, Kind))

    @property
    def has_blank(self) -> bool:
        """Whether a cell is empty; else every tile is there, and none can slide."""
        return self.board.has_blank

    @property
    def asks_goal(self) -> bool:
        """Whether nothing but the goal is in doubt: ``answers`` has those in question.

        Numbers do not say where they belong: most games count in rows, some have the
        blank first, or a spiral. Nor do turned tiles say which way up their picture is.
        """
        return self.doubt_kinds in ({Doubt.GOAL}, {Doubt.WAY_UP})

    @property
    def solvable(self) -> bool:
        """Whether the goal can be reached from what was read, by slides."""
        return is_solvable(*self.interchangeable())

    @property
    def answers(self) -> tuple[Alternative, ...]:
        """The goals of which one is the solved picture, where that alone is in doubt.

        Two to four: this reading's own goal comes first, then the plausible ones of
        the alternatives, the likeliest first. None where something else is in doubt,
        too, and where more than three goals are plausible, or four ways up.
        """
        asked = {Doubt.ARRANGEMENT, Doubt.TILE_MISSING}
        if not self.doubt_kinds or not self.alternatives:
            return ()
        if self.doubt_kinds - asked and not self.asks_goal:
            return ()
        least = PLAUSIBLE_SHARE * max(one.confidence for one in self.alternatives)
        plausible = [one for one in self.alternatives if one.confidence >= least]
        own = Alternative(self.board, self.goal, self.confidence)
        answers = own, *sorted(plausible, key=lambda one: -one.confidence)
        most = WAYS_UP if Doubt.WAY_UP in self.doubt_kinds else MOST_ANSWERS
        return answers if len(answers) <= most else ()

    def answered(self, number: int) -> Reading:
        """The same tiles with one of the answers, which is then no longer in doubt.

        Args:
            number: Of one of ``answers``, counted from 1.

        Raises:
            UsageError: For a number that none of them has.
        """
        answers = self.answers
        if not 1 <= number <= len(answers):
            if not answers:
                raise UsageError.said(
                    "expected no answer, for nothing is asked here, found {number}",
                    number=number,
                )
            raise UsageError.said(
                "expected as answer 1 to {most}, found {number}",
                most=len(answers),
                number=number,
            )
        chosen = answers[number - 1]
        groups = [
            tuple(cell for cell in group if chosen.board.cells[cell])
            for group in self.identical
        ]
        return replace(
            self,
            board=chosen.board,
            goal=chosen.goal,
            identical=tuple(group for group in groups if len(group) > 1),
            certain=True,
            doubtful=(),
            doubts=(),
            alternatives=(),
            confidence=self.confidence if self.asks_goal else 1.0,
            cell_confidence=(
                self.cell_confidence if self.asks_goal else (1.0,) * self.shape.size
            ),
            numbered=self.numbered and chosen.board == self.board,
        )

    @property
    def labels(self) -> dict[int, int]:
        """By label that of all tiles which look the same."""
        labels = {label: label for label in self.board.cells}
        for cells in self.identical:
            group = [self.board.cells[cell] for cell in cells]
            labels.update(dict.fromkeys(group, min(group)))
        return labels

    def interchangeable(self) -> tuple[Board, Board]:
        """Board and goal in which tiles that look the same carry one label."""
        labels = self.labels
        start, goal = (
            replace(board, cells=tuple(labels[label] for label in board.cells))
            for board in (self.board, self.goal)
        )
        return start, goal

    def with_goal(self, goal: Board | str) -> Reading:
        """The same tiles with a goal that the user knows better.

        That settles which arrangement is meant; other doubts stay.

        Args:
            goal: A position of the tiles that were read.

        Raises:
            UsageError: For a goal that does not fit the board.
        """
        goal = Board.of(goal)
        if goal.shape != self.shape:
            raise UsageError.said(
                UsageFault.OTHER_GOAL_SHAPE, wanted=self.shape, found=goal.shape
            )
        if sorted(goal.cells) != sorted(self.board.cells):
            raise UsageError.said(
                "expected a --goal with the numbers that were read, 0 to {most} "
                "once each, found {goal!r}",
                most=max(self.board.cells),
                goal=str(goal),
            )
        settled = Doubt.ARRANGEMENT, Doubt.GOAL, Doubt.WAY_UP
        left = tuple(one for one in self.doubts if one.kind not in settled)
        return replace(
            self,
            goal=goal,
            certain=not left,
            doubts=left,
            doubtful=() if not left else self.doubtful,
            alternatives=(),
            identical=(),
        )

    def with_layout(self, layout: str = "row", place: Place = "last") -> Reading:
        """The same tiles with another usual goal of their numbers.

        That says nothing of how the tiles lie, so all doubts about them stay.

        Args:
            layout: One of ``goals.LAYOUTS``.
            place: The blank's home: row and column counted from 0, or one of
                ``goals.PLACES``.

        Raises:
            UsageError: For a board without numbers: the goal of a picture is the
                picture.
        """
        if self.method != "digits":
            raise UsageError.said(
                "expected tiles with numbers for the layout {layout!r}, found a "
                "picture, which has one goal only; --goal gives another by home "
                "cells",
                layout=layout,
            )
        others = [
            replace(one, goal=in_layout(one.board, layout, place))
            for one in self.alternatives
        ]
        goal = in_layout(self.board, layout, place)
        if self.asks_goal:
            return replace(self, goal=goal, doubts=(), alternatives=())
        return replace(self, goal=goal, alternatives=tuple(others))

    def usual_goals(self) -> list[NamedGoal]:
        """The usual goals that can be reached, see ``goals.named_goals``.

        None for a picture: its pieces fit together in one way only, and the piece
        that is missing says where the blank is at home.
        """
        return named_goals(self.board) if self.method == "digits" else []

    def likely_exchange(self) -> tuple[int, int] | None:
        """The two cells whose tiles were most likely taken for each other.

        Their exchange makes the goal reachable. ``None`` where it is reachable, where
        nothing is in doubt, and where no exchange that the doubts suggest helps: then
        something else is wrong. Pairs in which an alternative differs come first, the
        likeliest alternative's before others; then pairs of doubtful cells, those
        read with the least confidence first. Of one doubtful tile nothing says with
        which other it was exchanged.
        """
        if self.certain or self.solvable or not self.has_blank:
            return None
        for first, second in [*self._in_alternatives(), *self._doubtful_pairs()]:
            if replace(self, board=self.board.exchanged(first, second)).solvable:
                return first, second
        return None

    def _in_alternatives(self) -> list[tuple[int, int]]:
        found = []
        ranked = sorted(self.alternatives, key=lambda one: -one.confidence)
        for other in ranked:
            cells = differing(self.board, other.board)
            if len(cells) != 2 or other.goal != self.goal:
                continue
            first, second = cells
            # Not where one of the two is a tile that is read nowhere else.
            is_exchange = self.board.exchanged(first, second) == other.board
            if is_exchange and self.board.blank not in cells:
                found.append((first, second))
        return found

    def _doubtful_pairs(self) -> list[tuple[int, int]]:
        tiles = [cell for cell in self.doubtful if cell != self.board.blank]
        trust = self.cell_confidence or (1.0,) * self.shape.size
        return sorted(
            itertools.combinations(tiles, 2),
            key=lambda pair: trust[pair[0]] * trust[pair[1]],
        )

    def to_dict(self) -> dict[str, Any]:
        """The reading as the machine interface prints it."""
        confidence = [round(one, 4) for one in self.cell_confidence]

        def places(cells: tuple[int, ...]) -> list[list[int]]:
            return [list(self.shape.row_col(cell)) for cell in cells]

        return {
            "grid": [self.shape.rows, self.shape.cols],
            "region": self.region.to_dict(),
            "corners": self.corners
            and [[round(n, 1) for n in at] for at in self.corners],
            "board": self.board.rows(),
            "goal": self.goal.rows(),
            **_turns(self.board),
            "method": self.method,
            "certain": self.certain,
            "confidence": round(self.confidence, 4),
            "margin": round(self.margin, 4),
            "cell_confidence": self.shape.in_rows(confidence),
            "doubtful": places(self.doubtful),
            "doubts": [str(doubt) for doubt in self.doubts],
            "doubt_codes": [doubt.to_dict() for doubt in self.doubts],
            "alternatives": [one.to_dict() for one in self.alternatives],
            "identical": [*map(places, self.identical)],
            "notes": [str(note) for note in self.notes],
            "note_codes": [note.to_dict() for note in self.notes],
            "solvable": self.solvable,
            "blank": places((self.board.blank,))[0] if self.has_blank else None,
        }


class BoardNotFoundError(PuzzleError):
    """The screenshot shows no board that fits the reference and the options.

    Attributes:
        complete: Where the whole picture of the reference stands instead, if it does.
    """

    exit_code = 4

    def __init__(self, message: str | Message, complete: Region | None = None) -> None:
        super().__init__(message)
        self.complete = complete


class GridAmbiguousError(PuzzleError):
    """More than one grid, or board, explains the screenshot equally well.

    Attributes:
        candidates: The shapes in question, the likeliest first.
        regions: Where they lie in the screenshot, if that is in several places.
    """

    exit_code = 4

    def __init__(
        self,
        message: str | Message,
        candidates: tuple[Shape, ...] = (),
        regions: tuple[Region, ...] = (),
    ) -> None:
        super().__init__(message)
        self.candidates = candidates
        self.regions = regions


class UncertainReadingError(PuzzleError):
    """A board was read, but some of its cells are doubtful.

    Attributes:
        reading: The likeliest reading; its ``doubtful`` names the cells.
    """

    exit_code = 5

    def __init__(self, message: str | Message, reading: Reading) -> None:
        super().__init__(message)
        self.reading = reading
