"""The judge: every rule "which one", with a name, in the order in which they apply.

Which grid shows numbers; which the tiles make, once they are laid; whose word counts
where witnesses differ; in ``beside`` which of two places is the board, and in
``matches`` which place that matches a reference is. A rule chooses among what it is
given or says what is in doubt; it looks for nothing, and what it asks a candidate for
is computed once. ``search`` asks the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np

from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt, Note
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import Weighed, differing
from imgpuzzle.vision.blank import usual_homes
from imgpuzzle.vision.candidate import Candidate, added_up
from imgpuzzle.vision.decide.beside import (
    elsewhere_dealt,
    is_goal_beside,
    is_goal_of_larger,
    larger_beside,
    second_board,
)
from imgpuzzle.vision.decide.matches import (
    coarsest,
    cuts_further,
    finer_match,
    is_unsurpassed,
    pick,
    ranked,
    rival_match,
    score_of,
    settled,
    shows_two_boards,
)
from imgpuzzle.vision.decide.tuning import TUNING
from imgpuzzle.vision.geometry.colours import medians
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import (
    covers,
    is_near,
    is_part,
    is_same,
    joint_share,
    overlap,
)
from imgpuzzle.vision.numbers import digits, faces
from imgpuzzle.vision.propose.grids import Grid
from imgpuzzle.vision.report import Finding, Outcome, Refused
from imgpuzzle.vision.seams.joins import seam_quality
from imgpuzzle.vision.tuning import TUNING as VISION

Shown = TypeVar("Shown", Candidate, Grid)

__all__ = [
    "TUNING",
    "best_laid",
    "clear_grid",
    "clear_otherwise",
    "clearer_in_place",
    "clearest_cut",
    "coarsest",
    "cut_otherwise",
    "cuts_further",
    "doubts_of_laid",
    "elsewhere_dealt",
    "finer_match",
    "hole_or_seams",
    "in_play_or_solved",
    "is_goal_beside",
    "is_goal_of_larger",
    "is_part_of_larger",
    "is_same_spot",
    "is_unlikely",
    "is_unsurpassed",
    "larger_beside",
    "likelier_view",
    "may_be_cut_better",
    "may_be_tilted",
    "may_show",
    "numbered",
    "numbers_or_picture",
    "pick",
    "ranked",
    "rival_grid",
    "rival_match",
    "score_of",
    "second_board",
    "settled",
    "shows_two_boards",
    "with_numbers",
    "with_or_without",
]


# 1. Numbers on the tiles: which grid shows them, and whether they are the board's.


def numbered(candidates: Sequence[Candidate], *, cornered: bool) -> Candidate | None:
    """The grid whose tiles carry the numbers of a board, the likelier of two.

    Where a grid is too small to win, whatever stands on its tiles, nothing is read, and
    of one whose first tiles show too little no more.
    """
    best: tuple[float, Candidate] | None = None
    for one in candidates:
        known, size = 0.0 if best is None else best[0], one.shape.size
        least = TUNING.clearly_more * known
        may_win = digits.most_evidence(size) > least
        if not may_win or one.numerals(cornered=cornered, least=known / size) is None:
            continue
        total = one.number_nats(cornered=cornered) * one.shape.size
        if best is None or total > least:
            best = total, one
    if best is None:
        return None
    total, one = best
    # Signs on a few cells weigh less than lines of another grid that show well.
    likeliest = max((other.support for other in candidates), default=0.0)
    return one if total + one.support > likeliest else None


def finer_numbers(
    known: Candidate, candidates: Iterable[Candidate]
) -> Candidate | None:
    """A grid of smaller tiles in the same place that carries numbers nearly as well.

    Two signs that stand side by side may pass for one number.
    """
    said = known.number_nats() * known.shape.size
    for one in candidates:
        finer = one.shape.size >= TUNING.finer * known.shape.size
        if not finer or not is_near(one.lattice, known.cut.region):
            continue
        if one.number_nats() * one.shape.size > TUNING.nearly_as_well * said:
            return one
    return None


def numbers_or_picture(
    candidate: Candidate, found: Finding, by_seams: Callable[[], Outcome]
) -> Finding:
    """Numerals over a picture need not follow its order: then the picture counts.

    ``found`` is what the numbers say, and ``by_seams`` lays the tiles of the same
    candidate. Where one leaves open what the other does not, both are added up.
    """
    shape = candidate.shape
    if shape.size > TUNING.most_pieced or candidate.has_few_faces:
        return found
    joins = candidate.joins()
    if joins.quality < TUNING.clear_quality:
        return found
    laid = found.best.layout()
    nats = (
        np.pad(joins.right.astype(np.float64), (0, 1)),
        np.pad(joins.below.astype(np.float64), (0, 1)),
    )
    own = seam_quality(shape, nats, laid, found.best.blank)
    pieced = by_seams()
    if isinstance(pieced, Finding):
        if pieced.is_same(found):
            # A picture that joins in the order of the numbers has no other goal.
            return replace(_both(candidate, found), goals=())
        if pieced.is_certain:
            return pieced.noted(Note.NUMBERS_AGAINST_PICTURE)
    # What was laid tells: plain tiles promise much, and keep little of it.
    made, lead = candidate.quality, candidate.laid.margin_nats
    is_picture = made >= TUNING.promised_quality and lead > TUNING.close_nats
    if candidate.is_plain or not is_picture or own > made - TUNING.promised_quality:
        return _both(candidate, found)
    return found.doubted(Doubt.PICTURE_IN_OTHER_ORDER)


def _both(candidate: Candidate, found: Finding) -> Finding:
    """The numbers' finding, settled by the seams where it is open."""
    if not found.is_close:
        return found
    verdict = added_up(candidate, numbers=True)
    if verdict is None or not verdict.best.is_same(found.best):
        return found
    # By their numbers a tile is missing, or none is; seams of plates say little.
    verdict = replace(verdict, other_kind=found.verdict.other_kind)
    return replace(found, verdict=verdict)


# 2. Seams: which grid the tiles make, once they are laid.


def best_laid(laid: Sequence[Candidate]) -> list[Candidate]:
    """The first is replaced by the same grid cut better, or by a larger one.

    A part of a board that is nearly in order joins as well as the whole. And a part
    may look the likelier where an outer row is pale, though only the whole of it
    leaves nothing open.
    """
    ordered = sorted(laid, key=lambda one: -one.total)
    moved = [one for one in ordered if not one.is_in_order]
    if not moved:
        return ordered
    best = moved[0]
    for one in moved[1:]:
        if (
            one.holds(best)
            and one.quality > best.quality - TUNING.as_good_quality
            and (best.goes_on or (one.is_sure and not best.is_sure))
        ):
            best = one

    def worth(one: Candidate) -> tuple[float, float]:
        return round(one.quality, 1), round(one.laid.margin_nats)

    for one in moved:
        if is_same_spot(one, best) and worth(one) > worth(best):
            best = one
    return [best, *(one for one in ordered if one is not best)]


def clear_grid(candidates: Sequence[Shown]) -> Shown | None:
    """The grid that shows much more clearly than any other, if one does.

    Its tiles need not make a picture: many tiles that look alike do not.
    """
    best = max(candidates, key=lambda one: one.support)
    rivals = [
        one.support
        for one in candidates
        if one is not best and not is_same_spot(one, best)
    ]
    lead = best.support - max(rivals, default=TUNING.unlikely_support)
    is_clear = best.support > TUNING.unlikely_support and lead > VISION.sure_nats
    return best if is_clear else None


def in_play_or_solved(
    laid: Sequence[Candidate], clear: Candidate | None = None
) -> list[Candidate]:
    """The boards in play; or those in order, with a hole that shows.

    Any picture is in order, and any plain corner looks like a hole. Else those of which
    the grid shows, likeliest first, or the one that does so clearly (``clear_grid``);
    what lies in their cells is in doubt then.
    """
    moved = [one for one in laid if not one.is_in_order]
    found = []
    for one in laid:
        usual = one.is_in_corner and one.support > TUNING.unlikely_support
        is_told = one.view.is_narrow and (one.has_hole or one.best.is_whole)
        if one.is_in_order and (is_told or (one.has_hole and usual)):
            found.append(one)
    if moved and moved[0].quality >= TUNING.least_quality:
        # A part of a solved board joins after a fashion, as anything does.
        lead = found[0].total - moved[0].total if found else 0.0
        if moved[0].quality >= TUNING.clear_quality or lead <= TUNING.close_nats:
            return moved
    if found:
        return found
    if moved and moved[0].view.is_narrow:
        return moved
    likely = TUNING.likely_support
    shown = [one for one in laid if one.support > likely or one is clear]
    return sorted(shown, key=lambda one: -one.support)


def cut_otherwise(best: Candidate, laid: Iterable[Candidate]) -> Candidate | None:
    """The same grid with other sides, whose tiles make another picture as well.

    With a frame, or without it: one of the two is wrong. Where both explain the tiles
    as well, what the one leads by counts against the lead of the other.
    """
    for one in laid:
        if one is best or not is_same_spot(one, best):
            continue
        is_as_good = one.quality > best.quality - TUNING.as_good_quality
        if not is_as_good or one.best.is_same(best.best):
            continue
        if explains_less(one.best, best.best):
            continue
        lead = best.laid.margin_nats - one.laid.margin_nats
        is_clear = one.laid.margin_nats > TUNING.close_nats
        joins = one.joins().nats > best.joins().nats - TUNING.clearer_nats
        if is_clear or (joins and lead < VISION.sure_nats):
            return one
    return None


def explains_less(one: Arrangement, other: Arrangement) -> bool:
    """Whether tiles explain a picture so much worse than other ones in its place."""
    return one.cost > other.cost + ARRANGE.certain_nats


def hides_its_grid(one: Arrangement, shapes: Sequence[Shape]) -> bool:
    """Whether a board was only moved round its edge, so that other grids do as well.

    Pages with plain edges look like that, cut anywhere, and the lines of a grid across
    which nothing was moved show nowhere. Where one shape is named it is that.
    """
    is_moved = one.is_rolled and not one.is_solved
    is_large = one.shape.size >= ARRANGE.fewest_whole
    return is_moved and is_large and len(shapes) > 1


def may_be_cut_better(best: Candidate, sure_nats: float) -> bool:
    """Whether a board is likely right, but leads by too little to be certain."""
    return (
        not best.is_in_order
        and best.shape.size <= TUNING.large_cells
        and best.quality >= TUNING.clear_quality
        and best.laid.margin_nats < sure_nats
    )


def clearest_cut(
    best: Candidate, others: Iterable[Candidate], *, is_settled: bool = True
) -> Candidate:
    """The cut of one grid whose tiles join best; the same board, where ``is_settled``.

    Not the one that leads most: a wrong board would be cut until it leads, too.
    """
    clearest = max(others, key=lambda one: one.joins().nats, default=best)
    if clearest.joins().nats < best.joins().nats + TUNING.clearer_nats:
        return best
    if is_settled and not clearest.best.is_same(best.best):
        return best
    return clearest


def rival_grid(
    best: Candidate, others: Iterable[Candidate]
) -> tuple[Candidate, Candidate | None]:
    """The board, and another grid whose evidence is as good, if there is one.

    Of two the one whose tiles leave nothing open is the board: those of a wrong grid
    may join as well, but in many ways.
    """
    for other in others:
        if other.shape == best.shape or best.holds(other):
            continue
        as_likely = other.total > best.total - TUNING.close_nats
        if other.quality > TUNING.clear_quality and as_likely:
            is_other = other.is_sure and not best.is_sure
            return (other, best) if is_other else (best, other)
    return best, None


def is_part_of_larger(best: Candidate, candidates: Iterable[Candidate]) -> bool:
    """Whether the board may be larger: by a likelier grid, or by what lies beside."""
    larger = any(
        one.holds(best) and one.support > best.support - TUNING.close_support
        for one in candidates
    )
    return larger or (best.is_sure and best.goes_on)


def is_unlikely(one: Candidate) -> bool:
    """Whether hardly anything shows this grid, and nobody has named it."""
    return not one.view.is_narrow and one.support < TUNING.unlikely_support


def doubts_of_laid(
    best: Candidate, candidates: Iterable[Candidate], *, is_open: bool
) -> list[Doubt]:
    """What speaks against a board that was pieced together.

    ``is_open`` where tiles beside it may belong to it.
    """
    doubts = []
    is_asked = best.best.is_whole and best.view.request.known.blank is None
    if best.is_in_order:
        # Any picture with a plain corner looks like one, or a tile of another game:
        # unless a grid shows as well, and no other that is larger.
        likely = TUNING.likely_support
        shows = best.is_in_corner and best.support > likely
        shows &= all(one.support < likely for one in larger_beside(best, candidates))
        if not (best.is_named or (shows and best.has_hole)):
            doubts.append(Doubt.SOLVED_OR_NO_BOARD)
        if is_asked:
            doubts.append(Doubt.TILE_MISSING)
    elif best.quality < TUNING.clear_quality:
        doubts.append(Doubt.POOR_JOINS)
        # Whatever the seams say of a hole, then: only one of a single colour shows.
        shows = best.has_hole and best.hole_levels <= ARRANGE.flat_spread
        if best.is_of_either_kind and not shows:
            doubts.append(Doubt.TILE_MISSING)
    elif is_unlikely(best):
        doubts.append(Doubt.UNLIKELY_GRID)
    elif not best.view.is_narrow and is_part_of_larger(best, candidates):
        doubts.append(Doubt.PART_OF_LARGER)
    if hides_its_grid(best.best, best.view.request.shapes):
        doubts.append(Doubt.UNLIKELY_GRID)
    if is_open:
        doubts.append(Doubt.TILES_BESIDE)
    if is_asked and best.shape.size < ARRANGE.fewest_whole:
        doubts.append(Doubt.TILE_MISSING)
    if (
        best.view.request.known.goal_blank is not None
        and best.home_gain > ARRANGE.certain_nats
    ):
        doubts.append(Doubt.BLANK_HOME)
    return doubts


def clearer_in_place(
    best: Candidate, candidates: Iterable[Candidate]
) -> Candidate | None:
    """Another grid that shows more clearly just where the board is.

    Two turned tiles that happen to go together look like one; of boards that were read
    right hardly one in a hundred has such a grid, by 0.6 nats at most.
    """
    for one in candidates:
        is_clearer = one.support > best.support + TUNING.close_support
        if (
            is_clearer
            and one.shape != best.shape
            and joint_share(one.lattice, best.lattice) > TUNING.one_place
        ):
            return one
    return None


def clear_otherwise(grids: Sequence[Grid], at: Lattice) -> Shape | None:
    """Rows and columns that show much more clearly than others in a match's place.

    Small pieces of a soft picture match it in many ways, also across gaps.
    """
    clear = clear_grid(grids) if grids else None
    if clear is None or clear.lattice.shape == at.shape:
        return None
    is_here = joint_share(clear.lattice, at) > TUNING.one_place
    return clear.lattice.shape if is_here else None


def is_same_spot(one: Shown, other: Shown) -> bool:
    """Whether two grids of one shape lie in one place, roughly."""
    return is_same(one.lattice, other.lattice, TUNING.same_spot)


# 3. Whose word counts where witnesses differ.


def with_numbers(
    guided: Outcome, by_numbers: Callable[[], Finding | None], reference: Image
) -> Outcome:
    """Numbers settle what a reference leaves open.

    Large numerals hide much of the picture under them, so that it matches poorly.
    Numbers elsewhere, such as a list of levels, say nothing about the board.
    """
    if isinstance(guided, Refused):
        if guided.regions:
            return guided  # two boards: numbers would be those of one of them
        found = by_numbers()
        if found is None or not may_show(found, reference):
            return guided
        return found.noted(Note.REFERENCE_LEFT_OUT)
    is_open = not guided.is_certain and guided.corners is None
    if not is_open or guided.kinds & {Doubt.BLANK_HOME, Doubt.SLIDING_TILE}:
        return guided
    found = by_numbers()
    if found is None:
        return guided
    if not is_same(found.cut.lattice, guided.cut.lattice, TUNING.same_grid):
        is_there = covers(found.region, guided.region, TUNING.mostly)
        if not is_there or not may_show(found, reference):
            return guided
        return found.noted(Note.REFERENCE_LEFT_OUT)
    pairs = zip(found.best.homes, guided.best.homes, strict=True)
    alike = sum(mine == theirs for mine, theirs in pairs)
    if alike < TUNING.alike_homes * found.shape.size:
        return guided  # numerals need not follow the picture
    return replace(found, cut=guided.cut, goals=())


def may_show(found: Finding, reference: Image) -> bool:
    """Whether what lies under the numbers may be a picture, or has its colours."""
    tiles = np.stack(found.cut.tiles)
    if not digits.is_plain(tiles) and not faces.has_few_faces(tiles):
        return True
    shape = found.shape
    size = (shape.cols, shape.rows)
    pieces = cv2.resize(reference, size, interpolation=cv2.INTER_AREA)
    wanted = pieces.reshape(-1, 3).astype(np.float32)
    apart = [
        np.abs(medians(tile.reshape(-1, 3)) - wanted[home])
        for cell, (tile, home) in enumerate(zip(tiles, found.best.homes, strict=True))
        if cell != found.best.blank
    ]
    return bool(np.mean(apart) < TUNING.same_colour)


def with_or_without(guided: Outcome, alone: Callable[[], Outcome]) -> Outcome:
    """The outcome with a reference, or the one without it where only that is certain.

    Or where only that is a finding at all.

    Games show a part of their picture, or squeeze it, and people take the wrong file.
    """
    if isinstance(guided, Refused):
        if guided.regions:
            return guided  # two boards that both fit: there is no more to be said
    elif guided.is_certain or Doubt.SLIDING_TILE in guided.kinds:
        return guided
    other = alone()
    # Numbers elsewhere, such as a list of levels, were weighed with the reference.
    if isinstance(other, Refused) or other.method == "digits":
        return guided
    if not other.is_certain and not _may_be_told(guided, other):
        return guided
    if _contradicts(guided, other):
        return guided
    if (
        isinstance(guided, Finding)
        and guided.kinds == {Doubt.ARRANGEMENT}
        and other.is_same(guided)
    ):
        return other  # the reference fits, and seams settle what it leaves open
    return other.noted(Note.WITHOUT_REFERENCE)


def _may_be_told(guided: Outcome, alone: Finding) -> bool:
    """Whether a doubtful finding is better than nothing, which a reference has shown.

    Not where it may be no board at all.
    """
    is_unknown = isinstance(guided, Refused) and not (guided.shapes or guided.is_final)
    no_board = {Doubt.SOLVED_OR_NO_BOARD, Doubt.UNLIKELY_GRID}
    return is_unknown and not alone.kinds & no_board


def _contradicts(guided: Outcome, alone: Finding) -> bool:
    """Whether what a reference says speaks against a finding without it.

    It does not where its tiles match the reference badly. Where they match well, the
    other may only settle what it leaves open.
    """
    if isinstance(guided, Refused):
        if guided.shapes:
            return alone.shape not in guided.shapes
        # Any grid cuts a complete picture into tiles. But a reference that shows a part
        # of the goal may lie complete on a tile or two of a board.
        mine, whole = alone.region, guided.complete
        return (
            whole is not None
            and mine.width * mine.height
            <= TUNING.much_larger * whole.width * whole.height
            and covers(mine, whole, TUNING.touching)
        )
    if guided.kinds & {Doubt.STRANGE_TILES, Doubt.POOR_MATCH}:
        return False
    if not is_same(guided.cut.lattice, alone.cut.lattice, TUNING.same_grid):
        return True
    if Doubt.BLANK_LIKE_PIECE in guided.kinds and not alone.best.is_whole:
        return True
    is_usual = alone.best.blank_home in usual_homes(alone.shape)
    if Doubt.TILE_MISSING in guided.kinds and not is_usual:
        return True  # seams were asked about that as well
    for one in (Weighed(0.0, guided.best), *guided.verdict.rivals):
        if alone.best.is_same(one.arrangement):
            # What the reference says for another one counts against its lead.
            return alone.verdict.nats - one.nats < alone.sure_nats
    other = guided.verdict.other_kind
    return other is None or not alone.best.is_same(other.arrangement)


def may_be_tilted(upright: Finding) -> bool:
    """Whether the doubts are of the kind that a slanting board causes."""
    if upright.method == "digits":
        # Upright grids catch some of its numbers, which make no series.
        return not upright.is_certain
    others = upright.kinds - {Doubt.ARRANGEMENT}
    return bool(others) and not others & {Doubt.SLIDING_TILE, Doubt.OTHER_GRID}


def hole_or_seams(lacking: Finding, joined: Outcome | None) -> Finding:
    """What a picture with a hole comes to where seams have found something, too.

    A part of a board that is nearly in order looks like a board with a hole itself:
    what the larger one leaves open is then not settled by it. Another cut of the same
    board has to explain the picture better by as much as a lead must be, to settle what
    that leaves open. What explains much less of the picture says nothing.
    """
    in_order = {Doubt.SOLVED_OR_NO_BOARD, Doubt.TILE_MISSING}
    if not isinstance(joined, Finding) or joined.kinds >= in_order:
        # Any cut of a picture is in order: that says nothing against a hole in it.
        return lacking
    if explains_less(joined.best, lacking.best):
        return lacking
    mine, theirs = lacking.cut.lattice, joined.cut.lattice
    if is_part(mine, theirs):
        return joined.doubted(Doubt.ARRANGEMENT)
    if not is_same(mine, theirs, TUNING.same_spot):
        is_part_of = overlap(mine, theirs)
        return lacking.doubted(Doubt.PART_OF_LARGER) if is_part_of else lacking
    if not differing(joined.best, lacking.best, joined.classes):
        return lacking
    gain = joined.best.cost - lacking.best.cost
    if gain >= lacking.sure_nats:
        return lacking
    return (lacking if gain > 0 else joined).doubted(Doubt.ARRANGEMENT)


def likelier_view(upright: Outcome, tilted: Finding | None) -> Outcome:
    """The tilted finding, if any, where the upright one may owe to a slant."""
    if tilted is None:
        return upright
    if isinstance(upright, Refused):
        # Which of two grids, or of two boards, is not told by a slant.
        return upright if upright.shapes or upright.regions else tilted
    is_likelier = tilted.is_certain or tilted.confidence >= upright.confidence
    if may_be_tilted(upright) and is_likelier:
        return tilted
    return max(tilted, upright, key=lambda one: one.verdict.nats)
