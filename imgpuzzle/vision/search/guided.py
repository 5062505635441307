"""Reading with the help of a picture of the goal: where it shows, and as what."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.reading import Method, Region
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt, Message, Refusal
from imgpuzzle.vision import decide
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import Verdict, judge, rank, trust
from imgpuzzle.vision.arrange.whole import cost_of_whole
from imgpuzzle.vision.blank import usual_homes
from imgpuzzle.vision.candidate import Candidate, View, added_up, with_seams
from imgpuzzle.vision.evidence import NEVER, Evidence
from imgpuzzle.vision.geometry.align import Alignment, Window, tile_at, windows_for
from imgpuzzle.vision.geometry.colours import median, to_opponent
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import (
    covers,
    is_near,
    is_part,
    lies_inside,
    shown_part,
    whole_of,
)
from imgpuzzle.vision.propose.features import (
    hypotheses_from_features,
    matches_of,
    points_of,
)
from imgpuzzle.vision.propose.grids import find_grids, within
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.report import Finding, Outcome, Refused
from imgpuzzle.vision.search.beside import board_beside
from imgpuzzle.vision.search.complete import goal_place, goes_on, shows_all, shows_part
from imgpuzzle.vision.search.finishing import finish
from imgpuzzle.vision.search.locate import choose, elsewhere
from imgpuzzle.vision.search.sliding import find_sliding, with_sliding
from imgpuzzle.vision.search.tuning import TUNING
from imgpuzzle.vision.tuning import TUNING as VISION

Floats = NDArray[np.float32]


class GuidedSearch:
    """The search for the board that shows pieces of a reference, in steps."""

    def __init__(self, view: View, reference: Image) -> None:
        request = view.request
        self._view = view
        self._request = request
        self._reference = reference
        self._size = reference.shape[1], reference.shape[0]
        self._scene = Scene(
            view.screen,
            to_opponent(reference),
            list(request.shapes),
            request.known.goal_blank,
            request.is_lit,
        )
        self._settled: list[Assessment] = []
        self._complete: Assessment | None = None
        self._moving: Assessment | None = None
        self._tried = 0
        self._sources = _sources(view, reference)

    @property
    def is_settled(self) -> bool:
        """Whether a board is found that convinces, without a rival."""
        return decide.settled(self._settled)

    @property
    def is_decided(self) -> bool:
        """Whether that is so, or nothing further can decide.

        That is where two boards convince, and where a tile is on its way.
        """
        return (
            self.is_settled
            or self._moving is not None
            or decide.shows_two_boards(self._settled)
        )

    @property
    def _is_done(self) -> bool:
        """Whether that is so beyond doubt, or after all the quick ways."""
        if not self.is_decided:
            return False
        is_open = self.is_settled and not decide.is_unsurpassed(self._settled)
        return not is_open or self._tried >= TUNING.quick_sources

    @property
    def shows_goal(self) -> bool:
        """Whether the complete picture stands there upright beyond doubt."""
        return self._complete is not None

    def ended_by(self, alone: Callable[[], Outcome]) -> Outcome | None:
        """What was found so far, where a sure reading without the reference ends it.

        ``alone`` is only asked where no place looked at so far shows the reference
        beyond doubt, and nothing seen there may contradict it: closer looks take
        several times as long, and find the same board or none.
        """
        if self.is_decided or self.shows_goal:
            return None
        found = alone()
        if isinstance(found, Refused) or not found.is_certain:
            return None
        if found.method != "digits" and all(map(hardly_shows, self._settled)):
            # What finishes and weighs a match takes as long as all that led to it.
            return Refused(Message(Refusal.NO_PIECES))
        seen = self.outcome()
        if found.method == "digits":
            is_free = isinstance(seen, Refused) and not (seen.shapes or seen.is_final)
            ends = is_free and decide.may_show(found, self._reference)
        else:
            told = decide.with_or_without(seen, alone)
            ends = isinstance(told, Finding) and told.method == found.method
        return seen if ends else None

    def look(self, most: int | None = None) -> None:
        """Try further ways to find the board, ``most`` in all, or all that help."""
        scene, inner = self._scene, self._request.inner
        while not self._is_done and (most is None or self._tried < most):
            hypotheses = next(self._sources, None)
            if hypotheses is None:
                break
            alignments = hypotheses()
            if self._view.is_whole:
                alignments = [shown_part(one, scene.screen) for one in alignments]
            if inner is not None:
                alignments = [one for one in alignments if is_near(one.screen, inner)]
                alignments += _filling(scene, inner)
            if self._complete is not None:
                place = self._complete.alignment.screen
                alignments = [
                    one
                    for one in alignments
                    if not covers(one.screen, place, TUNING.covered)
                ]
            self._settled = decide.ranked([*self._settled, *choose(scene, alignments)])
            self._tried += 1
            self._note_complete()
            self._note_moving()

    def _note_complete(self) -> None:
        """Drop what only cuts up the complete picture, where that is to be seen."""
        if self._complete is None:
            everything = (one for one in self._settled if shows_all(self._scene, one))
            self._complete = next(everything, None)
        if self._complete is not None:
            rest = elsewhere(self._complete, self._settled)
            self._settled = decide.ranked([*rest, self._complete])

    def _note_moving(self) -> None:
        """Keep the board that only a tile between two cells leaves in doubt."""
        scene = self._scene
        found = with_sliding(scene.screen, scene.picture, self._settled)
        if found is None or not self.is_settled:
            self._moving = found
            return
        # What convinces may lack the row or column in which a tile moves.
        mine, theirs = self._settled[0].alignment.screen, found.alignment.screen
        self._moving = found if is_part(mine, theirs) else None

    def outcome(self) -> Outcome:
        """What was found."""
        found = self._outcome()
        self._view.note("the reference", found, matches=self._settled)
        return found

    def _outcome(self) -> Outcome:
        best = self._moving or decide.pick(self._settled, self._place)
        if isinstance(best, Refused):
            return best
        # The search has ended with the first that convinced.
        other = self._beside(best)
        if other is not None:
            # To the pixel: the caller will name one of them.
            first, second = (finish(self._scene, one) for one in (best, other))
            return Refused.two_matches(
                (first.best.shape, second.best.shape),
                (self._place(first), self._place(second)),
            )
        if self._moving is None:
            # Another screenshot is asked for anyway where a tile is on its way.
            best = finish(self._scene, best)
        found = finding_of(self._view, self._scene, best, method="reference")
        grids = self._view.grids(TUNING.few_grids)
        clear = decide.clear_otherwise(grids, best.alignment.screen)
        if clear is None and found.best.is_whole:
            finer = decide.finer_match(self._settled, best)
            clear = None if finer is None else finer.best.shape
        return found if clear is None else found.or_grid(clear)

    def _place(self, one: Assessment) -> Region:
        """Where a match lies in the screenshot."""
        box: Lattice | Region = one.alignment.screen
        if one.is_shifted:
            box = goal_place(self._scene, one)
        request = self._request
        sides = box.left + request.left, box.top + request.top, box.width, box.height
        return Region(*(round(side) for side in sides))

    def _beside(self, best: Assessment) -> Assessment | None:
        """A second board in play on the screen, or in the place that was named."""
        request = self._request
        if request.is_lit:
            # The view of one board, cut out of a photograph.
            return None

        def is_wanted(place: Lattice) -> bool:
            return request.inner is None or is_near(place, request.inner)

        grids = _from_grids(self._view, self._size)
        return board_beside(self._scene, grids, best, is_wanted)


def _sources(view: View, reference: Image) -> Iterator[Callable[[], list[Alignment]]]:
    """Ways to guess where the board is, the quick and reliable first.

    Grids that show cost less than features, and the finder misses few. Games fit a
    picture to their board by squeezing it, or by cropping it, in its middle mostly.
    """
    size = reference.shape[1], reference.shape[0]
    yield partial(_from_grids, view, size)
    yield partial(_from_features, view, reference)
    yield partial(_from_grids, view, size, focuses=(0.0, 1.0))


def _from_features(view: View, reference: Image) -> list[Alignment]:
    """Alignments that points of screenshot and reference vote for."""
    seen = points_of(view.request.view, TUNING.feature_side_px)
    whole = Window(0, 0, reference.shape[1], reference.shape[0])
    shapes = list(view.request.shapes)
    return hypotheses_from_features(matches_of(seen, reference), whole, shapes)


def _from_grids(
    view: View, size: tuple[int, int], focuses: Sequence[float] = (0.5,)
) -> list[Alignment]:
    """Alignments with every grid that shows in the screenshot by itself."""
    grids = view.grids(TUNING.most_guided_grids)
    if view.request.inner is not None:
        # Also those about a place that was named roughly.
        grids = find_grids(
            view.request.view,
            view.request.shapes,
            most=TUNING.most_guided_grids,
            screen=view.screen,
        )
    return [
        Alignment(one.lattice, window.homes(one.lattice.shape))
        for one in grids
        for window in windows_for(one.lattice, size, focuses)
    ]


def _filling(scene: Scene, region: Region) -> list[Alignment]:
    """Alignments that fill a box, for shapes whose tiles are not oddly long.

    Where the grid is known, also with gaps between its tiles, and without a frame.
    """
    height, width = scene.picture.shape[:2]
    shapes = list(scene.shapes)
    found = []
    for shape in shapes:
        tile_width, tile_height = region.width / shape.cols, region.height / shape.rows
        home = (width / shape.cols) / (height / shape.rows)
        if min(tile_width, tile_height) < VISION.least_tile_px:
            continue
        stretch = abs(math.log(tile_width / tile_height / home))
        if len(shapes) > 1 and abs(math.log(tile_width / tile_height)) > 0.5:
            continue
        box = (region.left, region.top, region.width, region.height)
        lattices = [Lattice.from_box(shape, *box)]
        if len(shapes) == 1:
            lattices = [one.lattice for one in within(scene.screen, shape, region)]
        windows = [Window(0, 0, width, height)]
        if stretch > TUNING.cover_stretch:
            windows.append(
                Window.covering((width, height), region.width / region.height)
            )
        found += [
            Alignment(lattice, window.homes(shape))
            for lattice in lattices
            for window in windows
        ]
    return found


def finding_of(
    view: View, scene: Scene, best: Assessment, *, method: Method
) -> Finding:
    """What is found at the best match, with every reason for doubt."""
    at, corners = best.alignment.screen, None
    candidate = view.candidate(at)
    cut, classes = candidate.cut, candidate.classes
    whole = whole_of(at, scene.screen) if view.is_whole else at
    if whole != at:
        # Tiles that look the same may not do so where they are cut off.
        cut, corners = view.cut_beyond(whole)
        classes = tuple(range(best.best.shape.size))
    # A board that is cut off, or in uneven light, does not show what is missing.
    square = best.square
    if corners is None and not scene.is_lit:
        square = _with_whole(scene, candidate, best)
    verdict = judge(best.best.shape, square, detail=best.detail, classes=classes)
    sliding = None
    if not verdict.best.is_whole:
        sliding = find_sliding(scene.screen, scene.picture, best)
    other = verdict.other_kind
    matches = _of_kind(best, verdict, trust(best.detail) * square)
    if corners is None and (verdict.nats < TUNING.seams_nats or scene.is_lit):
        verdict = with_seams(candidate, matches)
    verdict = replace(verdict, other_kind=other)
    if best.refits:
        verdict = _with_refits(verdict, best, classes)
    is_open = verdict.nats < ARRANGE.certain_nats and sliding is None
    if is_open and corners is None and not scene.is_lit:
        both = added_up(candidate, matches=matches, numbers=True)
        if both is not None:
            verdict = replace(both, other_kind=other)
    is_named = method == "reference" or view.request.inner is not None
    doubts = _doubts(scene, best, is_sliding=sliding is not None)
    doubts += _solved_doubts(scene, verdict.best, is_named=is_named)
    if _is_part_of_larger(view, scene, best):
        doubts.append(Message(Doubt.PART_OF_LARGER))
    is_told = not (candidate.possible.has_hole and candidate.possible.empty is None)
    if verdict.best.is_whole or is_told:
        about_hole = {Doubt.BLANK_PARTLY_SHOWN, Doubt.SOLVED_WITHOUT_CORNER}
        doubts = [one for one in doubts if one.kind not in about_hole]
    elif sliding is None and _shows_a_piece(scene, best, verdict.best.blank):
        doubts.append(Message(Doubt.BLANK_LIKE_PIECE))
    is_sought = not (verdict.best.is_whole or verdict.is_of_open_kind or is_told)
    if is_sought and sliding is None:
        blank = verdict.best.blank
        cell, likelier = _other_blank(candidate, verdict.best, best.mse)
        if cell != blank:
            verdict = verdict.tied((blank, cell), likelier)
    if decide.hides_its_grid(verdict.best, scene.shapes):
        doubts.append(Message(Doubt.UNLIKELY_GRID))
    few = verdict.best.shape.size < ARRANGE.fewest_whole
    if verdict.best.is_whole and few and not is_told:
        doubts.append(Message(Doubt.TILE_MISSING))
    return Finding(
        cut,
        verdict,
        method,
        doubts=tuple(doubts),
        misfits=best.misfits if sliding is None else (sliding, best.best.blank),
        classes=classes,
        distinct=view.request.known.distinct,
        corners=corners,
    )


def _other_blank(
    candidate: Candidate, best: Arrangement, mse: NDArray[np.float64]
) -> tuple[int, Arrangement]:
    """A cell that may be the empty one instead of ``best``'s, and the likelier board.

    That of ``best`` where no other may be. ``mse`` is what tells each tile of the
    ``candidate`` from each home. Two cells may be like no piece of a picture, where
    something lies over a tile; or the picture shows the empty cell, and that is taken
    for its tile. Then it is plainer than what was taken for empty, and has a more usual
    home, by which it is told, or is far from its home.
    """
    homes, looks = np.array(best.homes), candidate.blank_evidence()
    more_usual = looks.hole[homes[best.blank]] - looks.hole[homes]
    plainer = looks.tile - looks.tile[best.blank]
    apart = mse[np.arange(best.shape.size), homes]
    times = apart / (median(np.delete(apart, best.blank)) + 1.0)
    strange = np.log(np.maximum(times / VISION.usual_times, 1.0))
    strange[best.blank] = 0.0
    moved = np.where(more_usual > 0.0, plainer + more_usual, 0.0)
    exchanged = np.where(strange > 0.0, plainer + VISION.strange_nats * strange, 0.0)
    cell = int(np.argmax(np.maximum(moved, exchanged)))
    if moved[cell] >= VISION.likelier_nats:
        return cell, replace(best, blank=cell)
    return cell if exchanged[cell] >= VISION.likelier_nats else best.blank, best


def _limits_of_whole(scene: Scene, best: Assessment) -> tuple[float, float]:
    """What may be said at least and at most for a board without an empty cell, nats.

    Where the empty cell shows the piece of its home, pale or under a mark, it may be a
    tile as well; with much less contrast it is a blank that shows what is missing, if
    that belongs in a corner.
    """
    cell, home = best.best.blank, best.best.homes[best.best.blank]
    shown, wanted = (
        tile_at(picture, at, number, TUNING.seen_px, TUNING.marked_share)[
            ..., 0
        ].ravel()
        for picture, at, number in (
            (scene.screen, best.alignment.screen, cell),
            (scene.picture, best.alignment.picture, home),
        )
    )
    if min(shown.std(), wanted.std()) < TUNING.least_relief:
        return -math.inf, math.inf
    alike = float(np.corrcoef(shown, wanted)[0, 1])
    contrast = alike * float(shown.std() / wanted.std())
    is_dimmed = contrast < TUNING.marked_contrast
    if alike < (TUNING.dimmed_alike if is_dimmed else TUNING.marked_alike):
        return -math.inf, math.inf
    if is_dimmed and home in usual_homes(best.best.shape):
        return -math.inf, -ARRANGE.holed_nats
    return -0.5 * ARRANGE.holed_nats, math.inf


def _with_whole(
    scene: Scene, candidate: Candidate, best: Assessment
) -> NDArray[np.float64]:
    """What a match costs, with what it costs that no cell is empty.

    Or with what the caller said of that.
    """
    possible, square = candidate.possible, best.square.copy()
    size = best.best.shape.size
    if not possible.has_hole:
        square[size, :size] = square[:size, size] = NEVER
        square[size, size] = 0.0
    elif possible.empty is not None:
        square[possible.empty, :size] = NEVER
    elif possible.is_whole:
        limits = _limits_of_whole(scene, best)
        nats = candidate.whole_nats(best.square, best.best, limits)
        nats /= trust(best.detail)
        square[size, size] = cost_of_whole(square, best.best, nats)
    return square


def _of_kind(
    best: Assessment, verdict: Verdict, square: NDArray[np.float64]
) -> Evidence:
    """What a reference says of boards with an empty cell, or of those without one."""
    told = Evidence.of_square(best.best.shape, square)
    if not verdict.best.is_whole:
        return told
    return replace(told, hole=np.full(best.best.shape.size, NEVER), whole=0.0)


def _is_part_of_larger(view: View, scene: Scene, best: Assessment) -> bool:
    """Whether a larger board is likely of what shows a part of the picture.

    That is where the grid that looks likeliest holds this one: a picture like the true
    one, another cut of a wallpaper say, may fit some of a board's tiles, and not those
    beside them. Or where whole rows are left of the picture.
    """
    if len(scene.shapes) == 1 or not shows_part(scene, best):
        return False
    likeliest = view.grids(TUNING.most_guided_grids)[:1]
    is_seen = any(is_part(best.alignment.screen, one.lattice) for one in likeliest)
    return is_seen or _leaves_whole_lines(scene, best)


def _leaves_whole_lines(scene: Scene, best: Assessment) -> bool:
    """Whether whole rows or columns of such tiles are what is left of the reference.

    A message may lie over them. A game that crops its picture leaves any strip of it,
    and most boards are square.
    """
    at, (high, wide) = best.alignment.picture, scene.picture.shape[:2]
    lines = np.array([wide / at.pitch_x, high / at.pitch_y])
    first = np.array([at.left / at.pitch_x, at.top / at.pitch_y])
    off = np.abs([lines - np.rint(lines), first - np.rint(first)]).max()
    is_all = np.rint(lines) == (at.cols, at.rows)
    is_strip = at.rows != at.cols and int(is_all.sum()) == 1
    return is_strip and bool(off < TUNING.whole_lines)


def _with_refits(verdict: Verdict, best: Assessment, classes: Sequence[int]) -> Verdict:
    """The verdict with arrangements for which a photograph's light may differ."""
    believed = trust(best.detail)
    others = [replace(one, nats=believed * one.nats) for one in best.refits]
    ranked_anew = rank(
        verdict.best,
        [*verdict.rivals, *others],
        classes=classes,
        beyond=verdict.nats,
    )
    cells = {*verdict.doubtful, *ranked_anew.doubtful}
    return replace(ranked_anew, doubtful=tuple(sorted(cells)))


def _doubts(scene: Scene, best: Assessment, *, is_sliding: bool) -> list[Message]:
    """Reasons for doubt."""
    doubts = [Message(Doubt.SLIDING_TILE)] if is_sliding else _poor_matches(best)
    if _is_cut_off(scene, best.alignment.screen):
        doubts.append(Message(Doubt.CUT_OFF))
    if goes_on(scene, best):
        doubts.append(Message(Doubt.PART_OF_LARGER))
    if scene.goal_blank is not None and best.unforced_gain > ARRANGE.certain_nats:
        doubts.append(Message(Doubt.BLANK_HOME))
    return doubts


def _solved_doubts(
    scene: Scene, board: Arrangement, *, is_named: bool
) -> list[Message]:
    """What speaks against a board in order.

    ``is_named`` where the caller gave a picture or the place.
    """
    if not board.is_solved:
        return []
    if len(scene.shapes) > 1 or not is_named:
        return [Message(Doubt.SOLVED_GRID)]
    if scene.goal_blank is None and not (board.is_whole or board.is_in_corner):
        return [Message(Doubt.SOLVED_WITHOUT_CORNER)]
    return []


def hardly_shows(one: Assessment) -> bool:
    """Whether a match is too poor to speak against what is sure without it.

    Finishing mends a little; it does not make tiles look like their homes.
    """
    strange = 2 * len(one.misfits) > decide.TUNING.max_misfits * one.best.shape.size
    is_poor = (
        one.residue > REFERENCE.clear_residue or one.detail > REFERENCE.clear_detail
    )
    return (strange or is_poor) and not one.is_whole


def _poor_matches(best: Assessment) -> list[Message]:
    doubts = []
    if best.misfits:
        doubts.append(Message(Doubt.STRANGE_TILES))
    few = best.best.shape.size <= REFERENCE.few_cells
    if best.residue > REFERENCE.clear_residue or best.detail > TUNING.sure_detail / (
        2 if few else 1
    ):
        colours, details = float(best.residue), float(min(best.detail, 1.0))
        doubts.append(Message(Doubt.POOR_MATCH, colours=colours, details=details))
    if best.is_half_empty:
        doubts.append(Message(Doubt.BLANK_PARTLY_SHOWN))
    return doubts


def _shows_a_piece(scene: Scene, best: Assessment, blank: int) -> bool:
    """Whether some home explains what is to be seen in the blank's cell.

    Then the grid may be a part of the board only, and nothing in it is empty.
    """
    if best.is_half_empty:
        return False
    at = best.alignment.screen
    shown = tile_at(scene.screen, at, blank, TUNING.seen_px, TUNING.seen_share)
    texture = float(shown.var(axis=(0, 1)).sum())
    least = float(best.mse[blank].min())
    usual = median([best.mse[cell, home] for cell, home in best.pairs])
    return texture > TUNING.least_texture and least < min(
        TUNING.explained * texture + 2 * usual, 0.5 * texture
    )


def _is_cut_off(scene: Scene, lattice: Lattice) -> bool:
    """Whether a part of the outer tiles lies beyond the edge."""
    slack_x, slack_y = (
        TUNING.cut_off * lattice.tile_width,
        TUNING.cut_off * lattice.tile_height,
    )
    return not lies_inside(lattice, scene.screen, slack_x, slack_y)
