"""``View``, the part of a screenshot that is searched, and ``Candidate``, a grid in it.

What is costly is computed once: the grids of a view, and of a candidate its tiles, its
numerals, how its tiles join and the best way to lay them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Corners, Region
from imgpuzzle.files.image import Image
from imgpuzzle.vision.arrange.assemble import Reassembly, arrange, equal_tiles
from imgpuzzle.vision.arrange.assign import Arrangement
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.turning import arrange_turned, layout_of
from imgpuzzle.vision.arrange.verdict import Verdict, Weighed, rank
from imgpuzzle.vision.arrange.whole import filled_nats, matched_nats, numbered_nats
from imgpuzzle.vision.blank import blank_evidence, framed_nats, spreads
from imgpuzzle.vision.evidence import NEVER, Evidence, Possible
from imgpuzzle.vision.geometry.colours import deviations, to_opponent
from imgpuzzle.vision.geometry.cutting import (
    Cut,
    Sides,
    covered_sides,
    cut_cells,
    cut_tiles,
    lattice_of,
    snap_region,
)
from imgpuzzle.vision.geometry.lattice import STRIPS, Lattice, Strip, widened
from imgpuzzle.vision.geometry.perspective import Upright, tilted_views
from imgpuzzle.vision.geometry.places import is_near, is_part
from imgpuzzle.vision.numbers.digits import (
    NumberBoard,
    assign_numbers,
    in_series,
    is_numbered,
    is_plain,
    number_evidence,
    read_cornered,
    read_numbers,
)
from imgpuzzle.vision.numbers.faces import has_few_faces
from imgpuzzle.vision.numbers.tuning import TUNING as NUMBERS
from imgpuzzle.vision.options import Request
from imgpuzzle.vision.propose.boxes import Box, find_boxes
from imgpuzzle.vision.propose.grids import Grid, find_grids
from imgpuzzle.vision.seams.joins import (
    Joins,
    joins_along,
    measure_joins,
    seam_evidence,
    seen_as_they_lie,
)
from imgpuzzle.vision.seams.tuning import TUNING as SEAMS
from imgpuzzle.vision.tuning import TUNING

if TYPE_CHECKING:
    from imgpuzzle.vision.reference.assess import Assessment
    from imgpuzzle.vision.report import Outcome
    from imgpuzzle.vision.trail import Trail

Floats = NDArray[np.float32]
Scores = NDArray[np.float64]
Look = Callable[[Sequence[Image], float], Scores]


class View:
    """The part of a screenshot to search, in colours for comparison, and its grids."""

    def __init__(
        self, request: Request, trail: Trail | None = None, name: str = "the screenshot"
    ) -> None:
        self.request = request
        self.trail = trail
        self.name = name
        self._cut: list[Candidate] = []

    def note(
        self,
        rule: str,
        outcome: Outcome | None,
        candidates: Sequence[Candidate] = (),
        matches: Sequence[Assessment] = (),
    ) -> None:
        """Keep a step of the search in this view for ``--explain``."""
        if self.trail is not None:
            self.trail.note(self.name, rule, outcome, candidates, matches)

    @cached_property
    def screen(self) -> Floats:
        """The view in opponent colours, H x W x 3."""
        return to_opponent(self.request.view)

    @cached_property
    def boxes(self) -> list[Box]:
        """The boxes of straight edges in the view, the likeliest first."""
        return find_boxes(self.screen)

    @cached_property
    def tilted(self) -> tuple[Upright, ...]:
        """Likely views of boards that do not stand upright, the best first."""
        return tuple(tilted_views(self.request.view))

    @property
    def is_whole(self) -> bool:
        """Whether its edges are those of the screenshot, and of no view of a part."""
        return self.request.inner is None and not self.request.is_lit

    @property
    def is_narrow(self) -> bool:
        """Whether the caller has named the grid or the place."""
        return self.request.inner is not None or len(self.request.shapes) == 1

    def grids(self, most: int) -> list[Grid]:
        """The ``most`` likeliest grids by their looks, the likeliest first.

        Those of a place that was named, where one was.
        """
        return self._grids[:most]

    @cached_property
    def _grids(self) -> list[Grid]:
        request = self.request
        return find_grids(
            request.view, request.shapes, region=request.inner, screen=self.screen
        )

    def candidates(self, most: int) -> list[Candidate]:
        """The same with what lies in their cells, but for those of tiny tiles."""
        for one in self.grids(most)[len(self._cut) :]:
            self._cut.append(self.candidate(one.lattice, one.support))
        found = [one for one in self._cut[:most] if one.is_large_enough]
        return found or self._named

    @cached_property
    def _named(self) -> list[Candidate]:
        """The named grid in the named place, where no lines of it show.

        Not where there is nothing to be seen, either.
        """
        inner, shapes = self.request.inner, self.request.shapes
        if inner is None or len(shapes) > 1:
            return []
        box = inner.left, inner.top, inner.width, inner.height
        one = self.candidate(Lattice.from_box(shapes[0], *box))
        if not one.is_large_enough or (one.is_plain and one.numerals() is None):
            return []
        return [one]

    def candidate(self, lattice: Lattice, support: float = 0.0) -> Candidate:
        """A grid of this view, with its sides moved to edges nearby."""
        inside = snap_region(self.screen, lattice.region(self.screen))
        return self.cut(lattice, support, inside)

    def cut_beyond(self, lattice: Lattice) -> tuple[Cut, Corners]:
        """A grid that goes on beyond the screenshot: what is cut off is grey.

        The region is what lies on the screenshot, and the corners are those of all.
        """
        shot = self.request.screenshot
        height, width = shot.shape[:2]
        left, top = round(lattice.left), round(lattice.top)
        right, bottom = (
            round(lattice.left + lattice.width),
            round(lattice.top + lattice.height),
        )
        before, above = max(-left, 0), max(-top, 0)
        after, below = max(right - width, 0), max(bottom - height, 0)
        padded = cv2.copyMakeBorder(
            shot, above, below, before, after, cv2.BORDER_CONSTANT, value=[127] * 3
        )
        box = Region(left + before, top + above, right - left, bottom - top)
        cut = cut_tiles(np.asarray(padded, np.uint8), box, lattice)
        corners = (left, top), (right, top), (right, bottom), (left, bottom)
        return replace(cut, region=lattice.region(shot)), corners

    def cut(self, lattice: Lattice, support: float, region: Region) -> Candidate:
        """A grid of this view, cut at a region of it."""
        request = self.request
        cut = cut_tiles(request.screenshot, request.on_screenshot(region), lattice)
        return Candidate(self, lattice, support, cut)


class Seam(NamedTuple):
    """Two cells whose tiles lie side by side in the finished picture.

    ``nats`` speak for it; ``is_as_it_lies`` where they do so on the screen, too.
    """

    first: int
    second: int
    is_as_it_lies: bool
    nats: float


class Candidate:
    """A grid that may be the board, what lies in its cells, and what it shows.

    Attributes:
        view: Where it was found.
        lattice: Its cells, in px of the view.
        support: How likely it is by its looks, nats.
        cut: Its tiles, and its place in the screenshot.
        passed_over: Why its tiles were not put together; ``None`` where they were, or
            where nobody has thought of it yet.
    """

    def __init__(self, view: View, lattice: Lattice, support: float, cut: Cut) -> None:
        self.view = view
        self.lattice = lattice
        self.support = support
        self.cut = cut
        self.passed_over: str | None = None
        self._numerals: dict[Look, tuple[float, Scores | None]] = {}
        self._number_boards: dict[bool, NumberBoard] = {}
        self._joins: tuple[float, Joins] | None = None

    def __repr__(self) -> str:
        return f"<Candidate {self.shape} at {self.cut.region}, {self.support:.1f} nats>"

    @property
    def shape(self) -> Shape:
        """Rows and columns."""
        return self.lattice.shape

    @property
    def possible(self) -> Possible:
        """The layouts that it may have by what the caller said."""
        return self.view.request.possible(self.shape)

    @property
    def is_large_enough(self) -> bool:
        """Whether its tiles show enough to be read."""
        return bool(min(self.cut.tiles[0].shape[:2]) >= TUNING.least_tile_px)

    @cached_property
    def tiles(self) -> NDArray[np.uint8]:
        """The tiles, n x h x w x 3, RGB."""
        return np.stack(self.cut.tiles)

    @cached_property
    def is_plain(self) -> bool:
        """Whether most sides of the tiles are of one colour or two, as in tables."""
        return is_plain(self.tiles)

    @cached_property
    def has_few_faces(self) -> bool:
        """Whether most tiles look like another, but for what stands in the middle."""
        return has_few_faces(self.tiles)

    @cached_property
    def classes(self) -> tuple[int, ...]:
        """A number for each cell; cells of one number look the same."""
        if self.view.request.known.turned is not None:
            # Of two that look the same each would have to turn as the other.
            return tuple(range(self.shape.size))
        return equal_tiles(self.tiles)

    @property
    def turns(self) -> int:
        """In how many turns each tile may lie: oblong ones in two."""
        if self.view.request.known.turned is None:
            return 1
        return 2 if self.lattice.is_oblong else 4

    @cached_property
    def is_named(self) -> bool:
        """Whether the caller has named this grid and this place."""
        request = self.view.request
        return (
            request.inner is not None
            and len(request.shapes) == 1
            and is_near(self.lattice, request.inner)
        )

    def numerals(
        self, *, cornered: bool = False, least: float = -math.inf
    ) -> Scores | None:
        """What number each tile shows, if they carry the numbers of a board.

        n x 101 log probabilities, see ``digits.read_numbers``; ``cornered`` for small
        ones in a corner of the tiles. Those that will not have ``least`` nats a tile
        are not read to the end.
        """
        look: Look = read_cornered if cornered else read_numbers
        asked, scores = self._numerals.get(look, (math.inf, None))
        if scores is None and least < asked:
            scores = look(self.cut.tiles, least)
            if not is_numbered(in_series(scores)):
                scores = None
            self._numerals[look] = least, scores
        return scores

    def asked_numbers(self) -> float | None:
        """``number_nats``, where numerals were looked for on the whole tiles."""
        if read_numbers not in self._numerals:
            return None
        _, scores = self._numerals[read_numbers]
        return 0.0 if scores is None else number_evidence(in_series(scores))

    def number_nats(self, *, cornered: bool = False) -> float:
        """How much likelier tiles carry a board's numbers than none, nats a tile."""
        scores = self.numerals(cornered=cornered)
        return 0.0 if scores is None else number_evidence(in_series(scores))

    def number_board(self, *, cornered: bool = False) -> NumberBoard:
        """The board that the numbers make; only where there are ``numerals``."""
        if cornered not in self._number_boards:
            scores = self.numerals(cornered=cornered)
            assert scores is not None
            empty = self.possible.empty
            if empty is not None:
                scores = scores.copy()
                scores[empty, 1:] = -NEVER
            found = assign_numbers(self.shape, scores, texture=self.textures)
            self._number_boards[cornered] = found
        return self._number_boards[cornered]

    def number_evidence(self) -> Evidence | None:
        """What the numerals say of tiles and homes, which count from 1 or from 0.

        Those on the whole tiles, or small ones in a corner; ``None`` for none.
        """
        for cornered in (False, True):
            scores = self.numerals(cornered=cornered)
            if scores is not None:
                count = self.shape.size
                first = self.number_board(cornered=cornered).first
                place = np.zeros((count, count + 1))
                scores = in_series(scores, first)
                place[:, :count] = (scores[:, :1] - scores[:, 1 : count + 1]).T
                return replace(Evidence.none(self.shape), place=place)
        return None

    def shown_evidence(self, least: float = 0.0) -> Evidence:
        """What the tiles' pictures say of the places they belong to, by themselves.

        All sums of witnesses begin with it, so a new witness that looks at the tiles
        is added here. ``least`` is that of ``joins``.
        """
        return seam_evidence(self.joins(least), self.shape, self.covered)

    @cached_property
    def covered(self) -> Sides:
        """The sides that something lies over."""
        return covered_sides(self.view.request.screenshot, self.cut)

    def blank_evidence(self) -> Evidence:
        """What the looks of the cells say of the blank, and usual homes of its home."""
        return blank_evidence(self.tiles, self.shape, self.possible)

    def whole_numbers(
        self, *, cornered: bool = False
    ) -> tuple[Arrangement, float, float]:
        """The board on which every number from 1 stands, see ``numbered_nats``.

        Only where there are ``numerals``.
        """
        scores = self.numerals(cornered=cornered)
        assert scores is not None
        return numbered_nats(self.shape, in_series(scores))

    def whole_nats(
        self,
        square: NDArray[np.float64],
        holed: Arrangement,
        limits: tuple[float, float],
    ) -> float:
        """How much likelier it is that no cell is empty, beside a reference.

        ``square`` is what that says (``assign.padded``), ``holed`` the best arrangement
        with an empty cell, ``limits`` what may be said of it at least and at most. The
        plainest is asked as well: what lies over a tile may make that fit worse.
        """
        levels = spreads(self.tiles)
        nats = self._filled(square, holed, levels, limits)
        plainest = int(levels.argmin())
        if plainest == holed.blank or levels[plainest] > ARRANGE.plain_spread:
            return nats
        other = replace(holed, blank=plainest)
        return min(nats, self._filled(square, other, levels, (-math.inf, math.inf)))

    def _filled(
        self,
        square: NDArray[np.float64],
        holed: Arrangement,
        levels: NDArray[np.float64],
        limits: tuple[float, float],
    ) -> float:
        """The same for the cell that is empty in one arrangement.

        ``levels`` says by how many colours differ in each cell.
        """
        spread = float(levels[holed.blank])
        nats = matched_nats(square, holed, spread)
        least, most = limits
        if max(nats, least) < -ARRANGE.most_matched:
            return nats  # seams do not say so much
        told = self.shown_evidence() + blank_evidence(
            self.tiles, self.shape, Possible(is_whole=True)
        )
        whole = replace(holed, blank=self.shape.size)
        pair = np.stack([holed.layout(), whole.layout()])
        first, second = (float(cost) for cost in told.total(pair))
        holed, whole = replace(holed, cost=first), replace(whole, cost=second)
        nats += filled_nats(told, holed, whole, spread)
        nats += framed_nats(self.tiles, holed.blank)
        return float(min(max(nats, least), most))

    @cached_property
    def textures(self) -> NDArray[np.float64]:
        """How much there is to see in each cell, in levels."""
        return np.asarray(deviations(self.cut.tiles).max(axis=1))

    def joins(self, least: float = 0.0) -> Joins:
        """How well all pairs of tiles join.

        Ways to trim them are not tried where the first one stays below ``least``.
        """
        if self._joins is None or self._joins[0] > least:
            found = measure_joins(self.tiles, self.shape, least=least, turns=self.turns)
            # Where they reach it, all ways were tried.
            self._joins = (0.0 if found.quality >= least else least), found
        return self._joins[1]

    @cached_property
    def laid(self) -> Reassembly:
        """The tiles put together by their seams, with the blank's home if named."""
        joins = self.joins(TUNING.hopeless_quality)
        turned = self.view.request.known.turned
        if turned is not None:
            is_home = turned == "home"
            return arrange_turned(self.tiles, self.shape, joins, at_home=is_home)
        told = self.shown_evidence(TUNING.hopeless_quality) + self.blank_evidence()
        return arrange(told, self.tiles, joins)

    @property
    def is_laid(self) -> bool:
        """Whether ``laid`` was asked for already."""
        return "laid" in self.__dict__

    @cached_property
    def home_gain(self) -> float:
        """How many nats better the tiles join with another home of the blank."""
        joins = self.joins(TUNING.hopeless_quality)
        told = self.shown_evidence(TUNING.hopeless_quality) + blank_evidence(
            self.tiles, self.shape
        )
        best = arrange(told, self.tiles, joins).best
        return self.best.cost + self.best.unlikely - best.cost - best.unlikely

    @property
    def best(self) -> Arrangement:
        """The arrangement that the seams favour."""
        return self.laid.best

    @property
    def quality(self) -> float:
        """From 0 to 1: how natural the new joins are."""
        return self.laid.seam_quality

    @property
    def total(self) -> float:
        """The evidence of looks and joins, nats."""
        return self.support + TUNING.join_nats * self.quality

    @property
    def is_sure(self) -> bool:
        """Whether the joins are good and the lead is large: nothing else is tried."""
        return (
            self.quality > TUNING.sure_quality
            and self.laid.margin_nats > TUNING.sure_nats
        )

    @property
    def is_in_order(self) -> bool:
        """Whether all tiles lie where they belong, as in any picture."""
        return self.best.is_solved

    @property
    def is_of_either_kind(self) -> bool:
        """Whether the caller leaves open that a cell is empty, and which one."""
        possible = self.possible
        return possible.has_hole and possible.is_whole and possible.empty is None

    @property
    def is_in_corner(self) -> bool:
        """Whether the blank lies in a corner."""
        return self.best.is_in_corner

    @property
    def has_hole(self) -> bool:
        """Whether the blank's cell is of one colour, and hardly any other is."""
        height, width = self.tiles.shape[1:3]
        down, across = (
            round(TUNING.hole_inset * height),
            round(TUNING.hole_inset * width),
        )
        inner = self.tiles[:, down : height - down, across : width - across]
        if self.best.is_whole:
            return False
        flat = deviations(inner).max(axis=1) < NUMBERS.flat_spread
        return bool(flat[self.best.blank] and flat.mean() < TUNING.most_flat)

    @property
    def hole_levels(self) -> float:
        """By how many levels the colours in the blank's cell differ."""
        return float(spreads(self.tiles[self.best.blank][None])[0])

    def moved(self, first_px: int, last_px: int, gap_px: int) -> Candidate | None:
        """The same grid cut a little otherwise; ``None`` where that is not possible.

        Left and top move right and down by ``first_px``, right and bottom by
        ``last_px``, and gaps become wider by ``gap_px``.
        """
        request, old = self.view.request, self.cut.region
        gap, more = self.cut.gap_px + gap_px, last_px - first_px
        left, top = old.left + first_px, old.top + first_px
        height, width = request.screenshot.shape[:2]
        over = max(
            -left, -top, old.right + last_px - width, old.bottom + last_px - height
        )
        if over > 0 or gap < 0:
            return None
        region = Region(left, top, old.width + more, old.height + more)
        inside = replace(region, left=left - request.left, top=top - request.top)
        cut = cut_cells(request.screenshot, region, self.shape, gap)
        lattice = lattice_of(inside, self.shape, gap)
        return Candidate(self.view, lattice, self.support, cut)

    def extended(self, strip: Strip) -> Candidate | None:
        """The grid with one more row or column, where the screenshot has room for it.

        Where the view is the whole screenshot a part of it may lie beyond the edge,
        which is grey then.
        """
        at, region, is_first = self.lattice, self.cut.region, strip.is_first
        wide, high = round(at.pitch_x * strip.across), round(at.pitch_y * strip.down)
        left, top = region.left - is_first * wide, region.top - is_first * high
        right, bottom = left + region.width + wide, top + region.height + high
        height, width = self.view.request.screenshot.shape[:2]
        over = max(-left, -top, right - width, bottom - height)
        wider = widened(at, strip)
        if over <= 0:
            box = Region(left, top, right - left, bottom - top)
            cut = cut_tiles(self.view.request.screenshot, box, wider)
        elif self.view.is_whole and over < TUNING.most_cut * (wide + high):
            cut, _ = self.view.cut_beyond(wider)
        else:
            return None
        return Candidate(self.view, wider, self.support, cut)

    def seams_within(self) -> Iterator[Seam]:
        """All pairs of tiles that lie side by side in the finished picture."""
        shape, joins = self.shape, self.joins()
        laid = np.argsort(self.best.homes)
        pieces = layout_of(self.best, joins.turns)
        right_seen, below_seen = seen_as_they_lie(shape, joins.turns)
        for home in range(shape.size):
            row, col = shape.row_col(home)
            for table, seen, step, is_inside in (
                (joins.right, right_seen, 1, col + 1 < shape.cols),
                (joins.below, below_seen, shape.cols, row + 1 < shape.rows),
            ):
                if is_inside:
                    first, second = int(laid[home]), int(laid[home + step])
                    if self.best.blank not in (first, second):
                        pair = int(pieces[home]), int(pieces[home + step])
                        yield Seam(first, second, bool(seen[pair]), float(table[pair]))

    @property
    def goes_on(self) -> bool:
        """Whether the finished picture goes on beyond a side of the grid as it lies.

        Then the grid is a part of the board: its other tiles are in place already.
        """
        return any(
            SEAMS.trust * sum(seams) > TUNING.sure_nats and min(seams) > 0.0
            for seams in self.seams_beyond()
        )

    def holds(self, other: Candidate) -> bool:
        """Whether another grid consists of some of the tiles of this one, not all."""
        return is_part(other.lattice, self.lattice)

    def seams_beyond(self) -> Iterator[list[float]]:
        """What the seams say, in nats, of the finished picture and what lies beside.

        For each side of the grid with room for one more row or column as it lies, or
        for a part of it; then of two and more tiles that lie there in place already.
        """
        at = self.lattice
        if self.view.request.known.turned is not None:
            return  # what lies beside them may lie turned, too
        laid = np.argsort(self.best.homes)
        for strip in STRIPS:
            wider = self.extended(strip)
            if wider is None:
                continue
            down, across, is_first = strip
            shape = wider.shape
            nats = joins_along(wider.tiles, 0 if across else 1)
            edge = 0 if is_first else (at.cols if across else at.rows) - 1
            seams, in_place = [], []
            for rank_ in range(at.rows if across else at.cols):
                row, col = (rank_, edge) if across else (edge, rank_)
                home = at.shape.cell(row, col)
                if self.best.blank_home == home:
                    continue
                row, col = at.shape.row_col(int(laid[home]))
                inside = shape.cell(row + down * is_first, col + across * is_first)
                if across:
                    outside = shape.cell(rank_, 0 if is_first else shape.cols - 1)
                else:
                    outside = shape.cell(0 if is_first else shape.rows - 1, rank_)
                pair = (outside, inside) if is_first else (inside, outside)
                seams.append(float(nats[pair]))
                if laid[home] == home:
                    in_place.append(seams[-1])
            if seams:
                yield seams
            if 1 < len(in_place) < len(seams):
                yield in_place


def with_seams(candidate: Candidate, matches: Evidence) -> Verdict:
    """What a reference and the seams say together.

    What a soft picture leaves open, the seams between its tiles often settle.
    """
    told = candidate.shown_evidence() + matches
    return verdict_of(candidate, arrange(told, candidate.tiles), matches)


def verdict_of(
    candidate: Candidate, found: Reassembly, matches: Evidence | None = None
) -> Verdict:
    """The arrangements found, ranked by evidence; ``matches`` is a reference's."""

    def usual(one: Arrangement) -> float:
        # Where blanks usually live helps to choose; beside a reference it does not
        # count as evidence.
        home = one.blank_home
        return 0.0 if matches is None or home is None else float(matches.hole[home])

    best = found.best
    ranked = rank(
        best,
        [
            Weighed(best.lead_over(other) + usual(best) - usual(other), other)
            for other in found.alternatives
        ],
        classes=candidate.classes,
    )
    return replace(ranked, other_kind=found.other_kind)


def added_up(
    candidate: Candidate, *, matches: Evidence | None = None, numbers: bool = False
) -> Verdict | None:
    """What all witnesses say together of the tiles of one candidate, in nats.

    ``matches`` is what a reference says; with ``numbers`` the numerals on the tiles
    have a say. ``None`` where a witness would have to give up more for the others
    than it is sure of: then they speak of different things.
    """
    shown = candidate.shown_evidence()
    total = shown + (candidate.blank_evidence() if matches is None else matches)
    # Each witness with what it needs to have a best arrangement of its own.
    own = [(shown, candidate.best)]
    if matches is not None:
        own.append((matches, arrange(matches, candidate.tiles).best))
    if numbers:
        said = candidate.number_evidence()
        if said is None:
            return None
        total = total + said
        alone = said + candidate.blank_evidence()
        own.append((said, arrange(alone, candidate.tiles).best))
    found = arrange(total, candidate.tiles)
    layout = found.best.layout()[None]
    for witness, best in own:
        lost = witness.total(layout) - witness.total(best.layout()[None])
        if float(lost[0]) > ARRANGE.certain_nats:
            return None
    return verdict_of(candidate, found, matches)
