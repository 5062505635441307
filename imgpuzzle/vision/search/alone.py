"""Reading without a reference: by numbers, by a thumbnail, or by the tiles' sides.

Every likely place of a board is cut into tiles. Numbers that form a complete
series say most; then the tiles are pieced together, which only the right grid allows;
and a picture of the goal may stand elsewhere on the screen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from imgpuzzle.core.board import Shape, TurnedBoard
from imgpuzzle.core.goals import rival_goals, row_major
from imgpuzzle.core.reading import Alternative, Region
from imgpuzzle.messages import Doubt, Message, Refusal
from imgpuzzle.vision import decide
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.turning import arrangement, layout_of, whole_turns
from imgpuzzle.vision.arrange.verdict import Verdict, Weighed, rank
from imgpuzzle.vision.blank import find_sliding_tile, plain_rims
from imgpuzzle.vision.candidate import Candidate, View, verdict_of
from imgpuzzle.vision.evidence import NEVER
from imgpuzzle.vision.geometry.cutting import gap_spread
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import covers, is_near, is_same, joint_share
from imgpuzzle.vision.numbers.digits import ZERO, NumberBoard, in_series
from imgpuzzle.vision.numbers.faces import is_like_others
from imgpuzzle.vision.numbers.tuning import TUNING as NUMBERS
from imgpuzzle.vision.propose.boxes import sets_of_equals
from imgpuzzle.vision.propose.fitting import fitted_inside, refine
from imgpuzzle.vision.propose.holes import pictures_with_hole
from imgpuzzle.vision.report import Finding, Outcome, Refused, sure_lead
from imgpuzzle.vision.search.adjoining import (
    goes_on_beside,
    grown,
    is_clearly_one,
    is_cut_off,
    is_one_beside,
    lines_in_doubt,
    loose_tiles,
    runs_on,
    stray_tiles,
    whole_of,
)
from imgpuzzle.vision.search.guided import finding_of
from imgpuzzle.vision.search.thumbnail import find_thumbnail
from imgpuzzle.vision.search.tuning import TUNING
from imgpuzzle.vision.search.turned_numbers import (
    find_turned_numbers,
    with_turned_faces,
    with_turned_numerals,
)
from imgpuzzle.vision.tuning import TUNING as VISION


def find_alone(view: View, *, is_quick: bool = False) -> Outcome:
    """Find the board and place its tiles with nothing but the screenshot.

    ``is_quick`` tries fewer grids, and no picture of the goal beside the board.
    """
    candidates = view.candidates(TUNING.few_grids if is_quick else TUNING.most_grids)
    nothing = Refused(Message(Refusal.NO_BOARD))
    if not candidates:
        found = (None if is_quick else _by_hole(view)) or nothing
        view.note("no grid by its looks: a picture with a hole", found)
        return found
    numbered = _by_numbers(candidates)
    view.note("numbers on the tiles", numbered, candidates if numbered else ())
    if isinstance(numbered, Refused):
        return numbered
    if numbered is not None and numbered.is_certain:
        return numbered
    joined: Outcome | None = None
    if numbered is None:
        joined = _by_seams(candidates)
        view.note("seams between the tiles", joined, candidates)
        if isinstance(joined, Refused) and joined.regions:
            return joined  # two boards: anything else would be about one of them
        if isinstance(joined, Finding) and joined.is_certain:
            return joined
    cornered = _by_cornered_numbers(candidates)
    view.note("small numbers in a corner of the tiles", cornered)
    if cornered is not None:
        return cornered
    shown = None if is_quick else _by_thumbnail(view, candidates)
    view.note("a picture of the goal on the screen", shown)
    if shown is not None:
        return shown
    # Another cut may tell what no numbers were read of; it settles no other doubt.
    is_read = numbered is not None and bool(numbered.kinds - {Doubt.ARRANGEMENT})
    lacking = None if is_quick or is_read else _by_hole(view)
    view.note("a picture with a hole", lacking)
    if lacking is not None and lacking.is_certain:
        if numbered is not None:
            if decide.is_goal_beside(lacking, numbered):
                return numbered
            # Nor is what many numbers leave open settled by fewer.
            return _or_finer(lacking, view.candidate(lacking.cut.lattice), candidates)
        return decide.hole_or_seams(lacking, joined)
    if numbered is not None:
        return numbered
    if isinstance(joined, Refused):
        return lacking or joined
    assert joined is not None
    return joined


def find_turned(view: View, *, is_quick: bool = False) -> Outcome:
    """The same of a board whose tiles may lie turned.

    ``is_quick`` tries fewer grids.
    """
    # In all their turns tiles take four times as long, and more of them join by chance.
    candidates = [
        one
        for one in view.candidates(TUNING.few_grids if is_quick else TUNING.most_grids)
        if not decide.is_unlikely(one)
    ]
    numbered = find_turned_numbers(candidates[: TUNING.few_grids])
    view.note("numbers on turned tiles", numbered, candidates if numbered else ())
    if numbered is not None and numbered.is_certain:
        return numbered
    joined: Outcome = Refused(Message(Refusal.NO_BOARD))
    if candidates:
        joined = _by_seams(candidates)
        view.note("seams between tiles in all turns", joined, candidates)
    if isinstance(joined, Finding) and joined.is_certain:
        return joined
    if numbered is None or isinstance(joined, Refused):
        return numbered or joined
    # Signs on a few tiles may look like numbers.
    return max(numbered, joined, key=lambda one: one.confidence)


def find_numbers(view: View) -> Finding | None:
    """The board with numbers on its tiles, if they leave nothing in doubt."""
    candidates = view.candidates(TUNING.most_grids)[: TUNING.few_grids]
    found = _by_numbers(candidates)
    if found is None or (isinstance(found, Finding) and not found.is_certain):
        found = _by_cornered_numbers(candidates)
    if found is None or isinstance(found, Refused):
        return None  # also where there are two boards with numbers
    # Numbers that do not follow the picture say nothing of what the reference shows.
    return found if found.method == "digits" else None


def _by_cornered_numbers(candidates: Sequence[Candidate]) -> Outcome | None:
    """A certain finding by small numbers in a corner of the tiles, or two boards."""
    large = [
        one
        for one in candidates[: TUNING.most_cornered]
        if min(one.tiles.shape[1:3]) >= TUNING.least_cornered_px
    ]
    found = _by_numbers(large, cornered=True)
    if isinstance(found, Finding) and not found.is_certain:
        return None
    return found


def _by_thumbnail(view: View, candidates: Sequence[Candidate]) -> Finding | None:
    """A certain finding by a picture of the goal elsewhere on the screen."""
    lattices = [
        one.lattice
        for one in candidates[: TUNING.most_with_thumbnail]
        if view.is_narrow or not one.is_plain
    ]
    found = find_thumbnail(view.screen, lattices, view.request.known.goal_blank)
    if found is None:
        return None
    finding = finding_of(view, *found, method="thumbnail")
    return finding if finding.is_certain else None


def _by_hole(view: View) -> Finding | None:
    """The board that a picture with a hole is, where no lines show a grid.

    Or a plate with numbers: the first that leaves nothing in doubt, else the first.
    """
    request = view.request
    first: Finding | None = None
    regions = [Region(*(round(side) for side in box)) for box in view.boxes]
    places = pictures_with_hole(request.view, request.shapes, regions)
    for at in itertools.islice(places, TUNING.most_with_hole):
        if request.inner is not None and not is_near(at, request.inner):
            continue
        candidate = view.candidate(at, decide.TUNING.likely_support)
        if candidate.is_large_enough:
            found = _by_numbers([candidate]) or _by_seams([candidate])
            if isinstance(found, Finding):
                if found.is_certain:
                    return found
                first = first or found
    return _by_plate(view) or first


def _by_plate(view: View) -> Finding | None:
    """A certain finding by numbers alone: in equal boxes, or in one without a line.

    Such a plate is cut in every grid.
    """
    request = view.request
    wanted = [one for one in request.shapes if one.size > VISION.few_cells]
    equal = (at for at, _ in sets_of_equals(view.boxes) if at.shape in wanted)
    plates = (
        Lattice.from_box(shape, *box)
        for box, shape in itertools.product(view.boxes[: TUNING.most_plates], wanted)
    )
    for at in itertools.chain(equal, plates):
        if request.inner is not None and not is_near(at, request.inner):
            continue
        if at.is_oblong:
            continue
        one = view.cut(at, decide.TUNING.likely_support, at.region(view.screen))
        # Plain tiles may be pieced together in any way.
        found = _by_numbers([one], is_alone=True) if one.is_large_enough else None
        if isinstance(found, Finding) and found.is_certain and found.method == "digits":
            return found
    return None


def _by_numbers(
    candidates: Sequence[Candidate], *, cornered: bool = False, is_alone: bool = False
) -> Outcome | None:
    """The board with numbers on its tiles, if there is one.

    What they leave open may be settled by the seams, unless they count alone.
    """
    # Tiles with numbers stand out: of boards that were read by theirs, none came later.
    one = decide.numbered(candidates[: TUNING.few_grids], cornered=cornered)
    if one is None:
        return None
    whole = _all_numbers(one, cornered=cornered)
    if whole is not None and (
        not whole.verdict.is_of_open_kind or _shows_blank(one, whole.best)
    ):
        return _or_finer(whole, one, candidates)
    board = one.number_board(cornered=cornered)
    if board.margin_nats > NUMBERS.close_nats:
        dealt = decide.elsewhere_dealt(one, candidates, cornered=cornered)
        pictured = decide.second_board(one, candidates)
        if board.is_ascending:
            # What is in order is the goal, or a list of some other kind.
            if dealt:
                return _by_numbers(dealt, cornered=cornered)
            if pictured is not None:
                return None
        for other in (*dealt, pictured):
            if other is not None:
                return Refused.two_boards(one.cut, other.cut)
    found = _numbered(one, board, cornered=cornered)
    if found.best.is_solved and decide.is_goal_of_larger(
        one, candidates, cornered=cornered
    ):
        return found.doubted(Doubt.SOLVED_OR_NO_BOARD)
    if found.is_certain or not is_alone:
        found = decide.numbers_or_picture(one, found, lambda: _by_seams([one]))
    if found.is_certain and whole is not None:
        found = whole
    return _or_finer(found, one, candidates)


def _or_finer(
    found: Finding, one: Candidate, candidates: Sequence[Candidate]
) -> Finding:
    """The finding of one candidate, in doubt if smaller tiles carry numbers, too."""
    if not found.is_certain:
        return found
    finer = decide.finer_numbers(one, candidates[: TUNING.few_grids])
    return found if finer is None else found.or_grid(finer.shape)


def _shows_blank(one: Candidate, whole: Arrangement) -> bool:
    """Whether the tile with the last number is the only one without a picture.

    Some games show the number of the empty cell, too.
    """
    plain = plain_rims(one.tiles)
    return bool(plain[whole.homes.index(one.shape.size - 1)] and plain.sum() == 1)


def _all_numbers(one: Candidate, *, cornered: bool) -> Finding | None:
    """What the numbers of a candidate come to if every one from 1 may be there."""
    whole, nats, lead = one.whole_numbers(cornered=cornered)
    is_open = one.possible.has_hole and one.possible.is_whole
    if not is_open:
        nats = NEVER if one.possible.is_whole else -NEVER
    if nats < ARRANGE.maybe_numbered_nats:
        return None
    if is_open and _shows_blank(one, whole):
        other = Weighed(
            0.0, replace(whole, blank=whole.homes.index(one.shape.size - 1))
        )
    else:
        board = one.number_board(cornered=cornered)
        # On the scale on which it is certain that every tile is there.
        nats *= ARRANGE.whole_nats / ARRANGE.numbered_nats
        other = Weighed(nats, arranged(one.shape, board.labels, None))
    verdict = Verdict(whole, lead, (), (), other)
    found = Finding(
        one.cut,
        verdict,
        "digits",
        shown=tuple(whole.board.cells),
        distinct=one.view.request.known.distinct,
    )
    # Lists, keypads and calendars show numbers in order.
    found = with_turned_faces(one, found)
    if not cornered:
        found = with_turned_numerals(one, found)
    if one.view.request.inner is None and is_one_beside(one):
        found = found.doubted(Doubt.TILES_BESIDE)
    is_asked = found.best.is_solved and not one.is_named
    return found.doubted(Doubt.SOLVED_OR_NO_BOARD) if is_asked else found


def _shows_tile(one: Candidate, blank: int) -> bool:
    """Whether the cell without a number may be a tile all the same.

    It may lie turned. Some games show a 0 in the empty cell.
    """
    scores = one.numerals()
    if scores is None or not one.possible.is_whole:
        return False
    is_told = np.exp(scores[blank, [0, ZERO]]).max() > NUMBERS.surely_empty
    return not is_told and is_like_others(one.tiles, one.textures, blank)


def _bare(one: Candidate, board: NumberBoard, *, cornered: bool) -> list[int]:
    """The cells that are taken for tiles, but show no number rather than their own.

    One of them may be the empty one, and the cell that was taken for it lie under
    something: what little speaks for a number there does not tell, nor does a cell
    that looks like a tile.
    """
    scores = one.numerals(cornered=cornered)
    if scores is None or one.possible.empty is not None:
        return []
    scores = in_series(scores, board.first)
    labels = np.array(board.labels)
    own = scores[np.arange(len(labels)), labels]
    is_bare = scores[:, 0] - own > NUMBERS.bare_nats
    return list(np.flatnonzero(is_bare & (labels > 0)).tolist())


def _numbered(one: Candidate, board: NumberBoard, *, cornered: bool) -> Finding:
    """What the numbers of a candidate come to."""
    home = one.view.request.blank_cell(one.shape)
    verdict = rank(
        arranged(one.shape, board.labels, home),
        [
            Weighed(board.margin_nats, arranged(one.shape, labels, home))
            for labels in board.alternatives
        ],
        beyond=board.margin_nats,
    )
    found = Finding(
        one.cut,
        verdict,
        "digits",
        shown=board.shown,
        distinct=one.view.request.known.distinct,
    )
    if board.is_calendar(one.shape) and not one.view.is_narrow:
        found = found.doubted(Doubt.SOLVED_OR_NO_BOARD)
    if found.is_certain and _shows_tile(one, found.best.blank):
        found = found.doubted(Doubt.TILE_MISSING)
    if bare := _bare(one, board, cornered=cornered):
        verdict = verdict.tied((*bare, found.best.blank), found.best)
        found = replace(found, verdict=verdict)
    found = _unless_sliding(one, found)
    if home is None:
        if found.best.goal == row_major(one.shape):
            lying = found.best.board
            rivals = (Alternative(lying, *one) for one in rival_goals(lying))
            found = replace(found, goals=tuple(rivals))
        return found
    # A home that was given counts for the places of the tiles only: the player must
    # not find other numbers in the moves than on the tiles.
    mine = sorted(label for label in verdict.best.board.cells if label)
    names = dict(zip(mine, sorted(n for n in board.labels if n), strict=True))
    return replace(found, labels={**names, 0: 0})


def arranged(shape: Shape, labels: Sequence[int], home: int | None) -> Arrangement:
    """The arrangement that numbers make, with the blank's home where it is known."""
    if home is None:
        (home,) = set(range(1, shape.size + 1)) - {n for n in labels if n}
        home -= 1
    free = [cell for cell in range(shape.size) if cell != home]
    places = dict(zip(sorted(n for n in labels if n), free, strict=True))
    places[0] = home
    homes = tuple(places[label] for label in labels)
    return Arrangement(shape, homes, list(labels).index(0), 0.0)


def _unless_sliding(one: Candidate, found: Finding) -> Finding:
    """The finding, doubted where a tile is on its way into the blank."""
    cut, blank = one.cut, found.best.blank
    if found.best.is_whole:
        return found
    sliding = find_sliding_tile(
        one.view.request.screenshot, cut.region, one.shape, cut.gap_px, blank
    )
    if sliding is None:
        return found
    return replace(found, misfits=(sliding, blank)).doubted(Doubt.SLIDING_TILE)


def _by_seams(candidates: Sequence[Candidate]) -> Outcome:
    """The board that the tiles make when they are pieced together."""
    laid = laid_of(candidates)
    boards = decide.in_play_or_solved(laid, decide.clear_grid(candidates))
    if not boards:
        return Refused(Message(Refusal.NO_BOARD))
    best, rival = decide.rival_grid(boards[0], boards[1:])
    if rival is not None and best.has_few_faces:
        # Draughts boards and wallpapers are cut in many ways.
        return Refused.two_grids(best.shape, rival.shape)
    view, is_open = best.view, False
    is_turned = view.request.known.turned is not None
    if is_turned and not view.is_narrow:
        best = whole_of(best, boards)
        if rival is not None and decide.is_same_spot(rival, best):
            rival = None  # the larger board that was asked about
    if view.request.inner is None and not best.is_in_order:
        is_open = goes_on_beside(best) or runs_on(best)
        if is_open and is_turned and not view.is_narrow:
            best = grown(best)
            is_open = goes_on_beside(best) or runs_on(best)
        if view.is_whole and not view.is_narrow:
            is_open = is_open or is_cut_off(view.request.view, best.lattice)
    sure_nats = sure_lead("reassembly", best.best)
    loose = loose_tiles(best) if is_turned else ()
    if loose and is_clearly_one(best):
        loose = ()
    # Cuts of turned tiles take four times as long: only where a little is lacking.
    is_near = best.laid.margin_nats > TUNING.nearly_sure * sure_nats and not loose
    may_help = is_near if is_turned else True
    if may_help and decide.may_be_cut_better(best, sure_nats):
        best = _cut_better(best, sure_nats)
    if best.is_sure and not best.is_in_order:
        other = decide.second_board(best, candidates, best.best)
        if other is not None:
            return Refused.two_boards(best.cut, other.cut)
    found = Finding(
        best.cut,
        verdict_of(best, best.laid),
        "reassembly",
        classes=best.classes,
        distinct=view.request.known.distinct,
        goals=ways_up(best),
    )
    moving = _unless_sliding(best, found)
    if moving is not found:
        return moving
    found = found.doubted(*decide.doubts_of_laid(best, candidates, is_open=is_open))
    if rival is None:
        rival = decide.clearer_in_place(best, candidates)
    if rival is not None:
        found = found.or_grid(rival.shape)
    stray = stray_tiles(best) or loose
    if stray:
        found = replace(found, misfits=stray).doubted(Doubt.STRAY_TILES)
    if found.is_certain and (lines := lines_in_doubt(best)):
        found = replace(found, misfits=lines).doubted(Doubt.ARRANGEMENT)
    other = decide.cut_otherwise(best, laid)
    if other is None:
        return found
    cells = best.best.differing(other.best)
    return replace(found, misfits=cells).doubted(Doubt.ARRANGEMENT)


def _without_gap(one: Candidate) -> Candidate:
    """The same grid, where its gaps are light or dark sides of bevelled tiles.

    Such sides show the picture, so tiles join better with them than without: first
    the light ones may have been left out, or the dark ones, or some of both.
    """
    shot, cut = one.view.request.screenshot, one.cut
    gap = cut.gap_px
    # Lines that lie a px beside their place are looked for later.
    if gap < 2 or gap_spread(shot, cut) < TUNING.picture_in_gap:
        return one
    half = gap // 2
    sides = (0, 0), (-gap, 0), (0, gap), (-half, gap - half)
    moved = (one.moved(first, last, -gap) for first, last in sides)
    ways = [*filter(None, moved)]
    return decide.clearest_cut(
        one, [*ways, *_between_lines(ways[0])] if ways else (), is_settled=False
    )


def _between_lines(one: Candidate) -> list[Candidate]:
    """The same grid without gaps, between the clearest lines near its own.

    Tiles with drawn sides meet in the clearest lines, and end in those beside them.
    Of turned tiles only: upright ones gain nothing by it, and wrong grids look better.
    """
    at, view = one.lattice, one.view
    if view.request.inner is not None or one.turns == 1:
        return []
    found = {}
    for reach in TUNING.line_reach:
        px = math.ceil(reach * min(at.pitch_x, at.pitch_y))
        way = view.candidate(refine(view.screen, at, px), one.support)
        if way.cut.region != one.cut.region:
            found[way.cut.region] = way
    return [*found.values()]


def _with_hairline(one: Candidate) -> Candidate:
    """The same grid, where the line between its tiles may be a gap of one px.

    Where the two sides of such a line are seen as one place, the tiles have half of it,
    and no side joins well.
    """
    at = one.lattice
    apart = max(at.pitch_x - at.tile_width, at.pitch_y - at.tile_height)
    if one.cut.gap_px or at.is_gapless or apart > TUNING.hairline_px:
        return one
    return decide.clearest_cut(
        one, filter(None, [one.moved(0, 0, 1)]), is_settled=False
    )


def _with_frame(one: Candidate) -> Candidate:
    """The same grid in the box about it, or between the clearest lines near its own.

    Where its tiles join better so. A picture with a frame ends at the outermost of
    several lines; the net may have taken another, and then no tile is cut where it
    ends. And bevelled tiles may have been cut without their light sides, or their dark
    ones, to the left otherwise than above: only the lines inside are sure then.
    """
    view, at = one.view, one.lattice
    if view.request.inner is not None or one.is_sure:
        return one
    ways = []
    if one.joins().quality > VISION.sure_quality:
        inside = fitted_inside(view.screen, at, TUNING.inside_reach)
        if is_same(inside, at, TUNING.inside_reach):
            ways.append(view.cut(inside, one.support, inside.region(view.screen)))
    if at.is_gapless:
        about = (Lattice.from_box(one.shape, *box) for box in view.boxes)
        near = [
            box
            for box in about
            if box.width * box.height > at.width * at.height
            and covers(box, at, TUNING.within_frame)
            and joint_share(box, at) > TUNING.framed_share
        ]
        ways += [view.candidate(box, one.support) for box in near[: TUNING.most_frames]]
        ways += _between_lines(one)
    return decide.clearest_cut(one, ways, is_settled=False)


def ways_up(best: Candidate) -> tuple[Alternative, ...]:
    """The other ways up of a picture that was pieced together of turned tiles."""
    if best.view.request.known.turned != "anywhere":
        return ()
    ways = [*whole_turns(best.shape, layout_of(best.best, best.turns), best.turns)][1:]
    share = (1.0 - ARRANGE.lit_above) / max(len(ways), 1)
    boards = [arrangement(best.shape, one, best.turns).board for one in ways]
    goal = TurnedBoard(best.shape, best.best.goal.cells)
    return tuple(Alternative(board, goal, share) for board in boards)


def _cut_better(best: Candidate, sure_nats: float) -> Candidate:
    """The same board, cut where its tiles join best.

    Lines that were cut a px beside their place take the tiles' outermost pixels, from
    which the seams are judged: on a small board that costs 2 nats of its lead.
    """
    # The sides of a place that was named are the caller's.
    is_free = best.view.request.inner is None
    moves = [one for one in TUNING.nearby_cuts if is_free or not any(one[:2])]
    for _ in range(TUNING.cut_rounds):
        near = [one for move in moves if (one := best.moved(*move)) is not None]
        clearest = decide.clearest_cut(best, near)
        if clearest is best or clearest.laid.margin_nats > sure_nats:
            return clearest
        best = clearest
    return best


def laid_of(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates put together, the likeliest board first.

    They come with the likeliest by looks first. How many are tried depends on
    their cells, never on the time.
    """
    laid: list[Candidate] = []
    best: Candidate | None = None
    clear = decide.clear_grid(candidates)
    work = 0
    for number, one in enumerate(candidates):
        cost = one.shape.size**2
        room = TUNING.most_work - work if laid else math.inf
        one.passed_over = _why_not(
            one,
            best,
            room,
            is_first=number < TUNING.always_tried,
            is_clear=one is clear,
        )
        if one.passed_over is not None:
            continue
        work += cost
        bare = _with_hairline(_without_gap(one))
        one = _with_frame(bare)
        # Where both make a picture, one of them is wrong: both are judged.
        laid += [one] if one is bare else [one, bare]
        if not one.is_in_order and (best is None or one.total > best.total):
            best = one
    return decide.best_laid(laid)


def _why_not(
    one: Candidate,
    best: Candidate | None,
    room: float,
    *,
    is_first: bool,
    is_clear: bool,
) -> str | None:
    """Why a candidate's tiles are not worth putting together; ``None`` if they are.

    ``best`` is the likeliest so far, and ``room`` the work that is left; ``is_clear``
    where no other grid shows nearly as well.
    """
    if one.shape.size**2 > room:
        return "others took all the work"
    if best is not None and not _may_win(one, best):
        return "another is clearly likelier"
    is_told = one.view.is_narrow or (is_clear and not one.has_few_faces)
    if one.is_plain and not is_told:
        return "its sides are plain"
    least = 0.0 if is_clear else _least(one, is_first=is_first)
    if least > 1.0:
        return f"so many cells need looks of {TUNING.huge_support:.0f} nats"
    quality = one.joins(VISION.hopeless_quality).quality
    if quality < least:
        return f"its sides promise a quality of {quality:.2f}, below {least:.2f}"
    return None


def _least(one: Candidate, *, is_first: bool) -> float:
    """The joins that a place must promise to be worth the work."""
    if one.view.is_narrow:
        return 0.0
    if decide.is_unlikely(one):
        return TUNING.unlikely_quality
    if one.shape.size > TUNING.huge_cells:
        return TUNING.huge_quality if one.support > TUNING.huge_support else math.inf
    if one.shape.size > TUNING.large_cells:
        return TUNING.large_quality
    # Where nearly all tiles are at home there are few new joins.
    return 0.0 if is_first else TUNING.later_quality


def _may_win(one: Candidate, best: Candidate) -> bool:
    if one.support + VISION.join_nats > best.total or one.holds(best):
        return True
    # A frame may look like a part of the outer tiles: only the tiles tell.
    return decide.is_same_spot(one, best)
