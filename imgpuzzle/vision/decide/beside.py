"""Two places of one screen: which is the board, which its goal or another board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.candidate import Candidate
from imgpuzzle.vision.decide.tuning import TUNING
from imgpuzzle.vision.geometry.places import overlap
from imgpuzzle.vision.numbers.tuning import TUNING as NUMBERS
from imgpuzzle.vision.report import Finding
from imgpuzzle.vision.tuning import TUNING as VISION


def _numbered_apart(
    known: Candidate, candidates: Iterable[Candidate], *, cornered: bool
) -> Iterator[Candidate]:
    """The grids elsewhere whose tiles carry numbers."""
    for one in candidates:
        is_apart = not overlap(one.lattice, known.lattice)
        if is_apart and one.numerals(cornered=cornered) is not None:
            yield one


def elsewhere_dealt(
    known: Candidate, candidates: Iterable[Candidate], *, cornered: bool
) -> list[Candidate]:
    """Other places with numbers that are surely read, out of order, and others.

    Numbers in order beside such a place are the goal, or a list of some kind: also
    where a message lies over a tile of it, so that nearly as much is read there.
    """
    board = known.number_board(cornered=cornered)
    said = known.number_nats(cornered=cornered) * known.shape.size
    found = []
    for one in _numbered_apart(known, candidates, cornered=cornered):
        other = one.number_board(cornered=cornered)
        if other.is_ascending or other.labels == board.labels:
            continue
        mine = one.number_nats(cornered=cornered) * one.shape.size
        is_as_clear = board.is_ascending and mine > TUNING.nearly_as_well * said
        if is_as_clear or other.margin_nats > NUMBERS.close_nats:
            found.append(one)
    return found


def larger_beside(
    known: Candidate, candidates: Iterable[Candidate]
) -> Iterator[Candidate]:
    """Grids of larger tiles elsewhere: what is in order beside them may be their goal.

    A message may lie over most of the board.
    """
    at = known.lattice
    for one in candidates:
        is_larger = one.lattice.pitch_x * one.lattice.pitch_y > at.pitch_x * at.pitch_y
        if is_larger and not overlap(one.lattice, at):
            yield one


def is_goal_of_larger(
    known: Candidate, candidates: Sequence[Candidate], *, cornered: bool
) -> bool:
    """Whether larger tiles elsewhere show numbers, and not those of the same board."""
    labels = known.number_board(cornered=cornered).labels
    shown = list(_numbered_apart(known, candidates, cornered=cornered))
    same = [
        one.lattice
        for one in shown
        if one.number_board(cornered=cornered).labels == labels
    ]
    larger = [one.lattice for one in larger_beside(known, shown)]
    is_known = any(overlap(one, at) for one in larger for at in same)
    return bool(larger) and not is_known


def is_goal_beside(known: Finding, doubted: Finding) -> bool:
    """Whether what is certain is only the goal beside a board that is in doubt."""
    at, board = known.cut.lattice, doubted.cut.lattice
    return known.best.is_solved and not overlap(at, board)


def second_board(
    known: Candidate, candidates: Iterable[Candidate], found: Arrangement | None = None
) -> Candidate | None:
    """A second board in play, elsewhere on the screen, and surely read.

    A preview with the arrangement that was ``found`` already is none.
    """
    for one in candidates:
        if one.support < TUNING.likely_support or overlap(one.lattice, known.lattice):
            continue
        if one.shape.size > TUNING.large_cells or one.is_plain:
            continue
        if one.joins(VISION.hopeless_quality).quality <= VISION.sure_quality:
            continue
        is_known = found is not None and one.best.is_same(found)
        if one.is_sure and not one.is_in_order and not is_known:
            return one
    return None
