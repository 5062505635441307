"""A reference: which of the places that match it is the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from imgpuzzle.core.reading import Region
from imgpuzzle.messages import Message, Refusal
from imgpuzzle.vision.decide.tuning import TUNING
from imgpuzzle.vision.geometry.places import covers, is_part, overlap
from imgpuzzle.vision.reference.assess import Assessment, without_doubles
from imgpuzzle.vision.report import Refused

Placed = Callable[[Assessment], Region]
"""The place of a match in the screenshot."""

COMPLETE_SCORE = 10.0
"""Added to the score of the complete picture: it is the goal, or solved."""


def score_of(one: Assessment) -> float:
    """What a match leaves unexplained; smaller is better."""
    return one.score + (COMPLETE_SCORE if one.is_whole else 0.0)


def convinces(matches: Sequence[Assessment]) -> bool:
    """Whether the best match is a board in play that leaves little unexplained."""
    return bool(matches) and matches[0].is_clear and not matches[0].best.is_solved


def ranked(matches: Iterable[Assessment]) -> list[Assessment]:
    """Sorted, the best first, one for each grid and place.

    Boards in play come before solved ones: a picture with all tiles at home is
    more often the goal, shown beside the board with something lying over it. But
    where that explains much more of one place, nothing is in play there: fine grids
    call in play what a window lies over.
    """
    found = list(matches)
    solved = [one for one in found if one.is_clear and one.best.is_solved]

    def is_cut_up(one: Assessment) -> bool:
        at = one.alignment.screen
        return any(
            other.score + TUNING.subdivision_slack < one.score
            and covers(at, other.alignment.screen, TUNING.mostly)
            for other in solved
        )

    some_convince = any(convinces([one]) for one in found)

    def key(one: Assessment) -> tuple[bool, float]:
        # What convinces may be a page still: a board of which a few tiles are
        # covered, or show what the reference does not, is weighed against it.
        few = len(one.misfits) <= TUNING.few_misfits * one.best.shape.size
        in_play = few and one.fits and not (one.best.is_solved or is_cut_up(one))
        return not (some_convince and in_play), score_of(one)

    return without_doubles(sorted(found, key=key), TUNING.same_match)


def settled(matches: Sequence[Assessment]) -> bool:
    """Whether nothing else needs to be tried: the best convinces, without a rival.

    A hole as lively as the tiles is rare, and common where no board is.
    """
    return (
        convinces(matches)
        and matches[0].hole < TUNING.lively_hole
        and rival_match(matches, coarsest(matches)) is None
    )


def is_unsurpassed(matches: Sequence[Assessment]) -> bool:
    """Whether nothing can explain more than what settles the search.

    Where a match leaves a part of the tiles unexplained, or cannot be solved, another
    grid may fit better: halves of tiles fit a picture with much black in it.
    """
    return (
        settled(matches)
        and matches[0].residue < TUNING.sharp_residue
        and matches[0].best.is_reachable
    )


def shows_two_boards(matches: Sequence[Assessment]) -> bool:
    """Whether two boards in two places convince: no more can be found out."""
    if not convinces(matches):
        return False
    best = coarsest(matches)
    rival = rival_match(matches, best)
    return rival is not None and not overlap(
        best.alignment.screen, rival.alignment.screen
    )


def pick(matches: Sequence[Assessment], place: Placed) -> Assessment | Refused:
    """The best match, or why there is none: nothing fits, or two fit equally.

    ``place`` gives the region of a match in the screenshot.
    """
    if not matches:
        return Refused(Message(Refusal.NO_PIECES))
    best = coarsest(matches)
    wholes = [one for one in matches if one.is_whole]
    whole = next((one for one in wholes if one.is_complete), next(iter(wholes), None))
    if whole is not None and not best.is_clear:
        at = place(whole)
        return Refused(Message(Refusal.COMPLETE_PICTURE, place=at), complete=at)
    misfits = len(best.misfits) / best.best.shape.size
    if (
        best.residue > TUNING.max_residue
        or best.detail > TUNING.max_detail
        or misfits > TUNING.max_misfits
    ):
        return Refused(Message(Refusal.NO_PIECES))
    rival = rival_match(matches, best)
    if rival is None:
        return best
    if overlap(best.alignment.screen, rival.alignment.screen):
        return Refused.two_grids(best.best.shape, rival.best.shape)
    return Refused.two_matches(
        (best.best.shape, rival.best.shape), (place(best), place(rival))
    )


def rival_match(matches: Sequence[Assessment], best: Assessment) -> Assessment | None:
    """Another board elsewhere, or another grid that is as good."""
    mine = best.alignment.screen
    for other in matches:
        if other is best or not convinces([other]):
            continue
        theirs = other.alignment.screen
        if not overlap(mine, theirs):
            if other.best.is_same(best.best):
                continue  # a preview of the same position
            # Parts of a page match soft parts of the reference, more or less, with
            # anything in the hole.
            is_sharp = other.residue < TUNING.sharp_residue
            if is_sharp or other.hole < TUNING.lively_hole:
                return other
            continue
        if is_part(theirs, mine):
            continue
        as_good = other.score < best.score + TUNING.ambiguous
        if as_good and not cuts_further(other, best):
            return other
    return None


def coarsest(matches: Sequence[Assessment]) -> Assessment:
    """The best match, or a coarser grid whose tiles it only cuts further.

    Blocks that stay together in a shuffle are tiles. But in a board nearly in
    order the coarser grid may take all that is not in order for its hole.
    """
    best = _largest(matches)
    for other in matches[1:]:
        if (
            other.best.shape.size < best.best.shape.size
            and other.score < best.score + TUNING.subdivision_slack
            and (other.hole < TUNING.flat_hole or not other.best.is_nearly_solved)
            and not other.is_whole
            and cuts_further(best, other)
        ):
            best = other
    return best


def finer_match(matches: Sequence[Assessment], best: Assessment) -> Assessment | None:
    """A grid that cuts the tiles of the best match further, and fits clearly better.

    Where no tile is missing, blocks of tiles that were moved as one look like tiles,
    but for the lines between those.
    """
    for other in matches:
        is_finer = other.best.shape.size > best.best.shape.size
        is_better = other.score < best.score - TUNING.ambiguous
        if is_finer and is_better and cuts_further(other, best):
            return other
    return None


def _largest(matches: Sequence[Assessment]) -> Assessment:
    """The best match, or a board that it is only a part of."""
    best = matches[0]
    for other in matches[1:]:
        likely = other.score < best.score + TUNING.subdivision_slack
        is_whole = is_part(best.alignment.screen, other.alignment.screen)
        if likely and convinces([other]) and is_whole:
            best = other
    return best


def cuts_further(one: Assessment, other: Assessment) -> bool:
    """Whether one grid only cuts the tiles of the other, which move as blocks."""
    coarse, fine = sorted((one.best, other.best), key=lambda a: a.shape.size)
    if coarse.shape == fine.shape:
        return True
    down, rest_down = divmod(fine.shape.rows, coarse.shape.rows)
    across, rest_across = divmod(fine.shape.cols, coarse.shape.cols)
    if rest_down or rest_across:
        return False
    kept = total = 0
    for cell, home in enumerate(fine.homes):
        row, col = fine.shape.row_col(cell)
        block = coarse.shape.cell(row // down, col // across)
        if block == coarse.blank:
            continue
        block_row, block_col = coarse.shape.row_col(coarse.homes[block])
        expected = fine.shape.cell(
            block_row * down + row % down, block_col * across + col % across
        )
        kept += home == expected
        total += 1
    return kept > 0.5 * total
