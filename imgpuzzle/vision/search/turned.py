"""Boards whose tiles may lie turned, read with a picture of the goal.

Each grid that shows is compared with the picture, every tile in the turn that suits
it best. In the likeliest grids the tiles are set upright, and what that shows is
weighed as any other match: so all rules of what is certain hold. Last it is asked of
each tile how much worse it would look in another turn.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt
from imgpuzzle.vision import decide
from imgpuzzle.vision.arrange.assign import (
    Arrangement,
    best_assignments,
    heavy_tailed_costs,
    log_costs,
    padded,
    squared_differences,
)
from imgpuzzle.vision.arrange.tuning import TUNING as ARRANGE
from imgpuzzle.vision.arrange.verdict import Verdict, trust
from imgpuzzle.vision.candidate import View
from imgpuzzle.vision.evidence import NEVER
from imgpuzzle.vision.geometry.align import Alignment, windows_for
from imgpuzzle.vision.geometry.colours import (
    IDENTITY,
    Tint,
    apply_tint,
    match_quantiles,
    to_opponent,
)
from imgpuzzle.vision.geometry.cutting import turned_back
from imgpuzzle.vision.geometry.lattice import STRIPS, Lattice, Sampled, Samples, widened
from imgpuzzle.vision.geometry.places import distinct, is_same, lies_inside
from imgpuzzle.vision.propose.features import densest, matches_of, points_of
from imgpuzzle.vision.propose.fitting import fitted_inside
from imgpuzzle.vision.propose.grids import Grid, find_grids
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.lighting import matched
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.trials import residue_of
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.report import Finding
from imgpuzzle.vision.search.finishing import finish
from imgpuzzle.vision.search.guided import finding_of, hardly_shows
from imgpuzzle.vision.search.locate import settle_in
from imgpuzzle.vision.search.tuning import TUNING

Floats = NDArray[np.float32]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Match:
    """A grid, compared with the picture: ``score`` is what stays unexplained.

    ``turns`` are the quarters by which each tile is turned clockwise.
    """

    alignment: Alignment
    score: float
    turns: tuple[int, ...]


class TurnedSearch:
    """The search for a board with turned tiles in a view."""

    def __init__(self, view: View, reference: Image) -> None:
        self._view, self._reference = view, reference
        self._size = reference.shape[1], reference.shape[0]
        self._cells = Samples(view.screen)
        self._picture = to_opponent(reference)
        self._homes = Samples(self._picture)

    @property
    def _is_at_home(self) -> bool:
        """Whether each tile lies where it belongs, as the caller knows."""
        return self._view.request.known.turned == "home"

    @property
    def _is_named(self) -> bool:
        """Whether place and grid are known: else the goal alone looks like a board."""
        request = self._view.request
        return request.inner is not None and len(request.shapes) == 1

    def finding(self) -> Finding | None:
        """What is found; ``None`` where no grid shows."""
        best = self._best(self._view.grids(TUNING.most_guided_grids))
        if best is not None and best.is_certain:
            return best
        return self._best(self._about_features()) or best

    def _about_features(self) -> list[Grid]:
        """Grids where points look like some of the picture, however it is turned."""
        request = self._view.request
        if request.inner is not None:
            return []
        seen = points_of(request.view, TUNING.turned_side_px)
        points = matches_of(seen, self._reference, turned=True).screen
        if len(points) < TUNING.fewest_turned:
            return []
        height, width = self._view.screen.shape[:2]
        points = densest(points, (width, height))
        (left, top), (right, low) = points.min(axis=0), points.max(axis=0)
        wide, high = right - left, low - top
        if min(wide, high) < 2:
            return []
        region = Region(
            max(0, round(left - TUNING.turned_margin * wide)),
            max(0, round(top - TUNING.turned_margin * high)),
            round((1 + 2 * TUNING.turned_margin) * wide),
            round((1 + 2 * TUNING.turned_margin) * high),
        )
        return find_grids(
            request.view,
            request.shapes,
            region=region,
            most=TUNING.most_guided_grids,
            screen=self._view.screen,
        )

    def _best(self, grids: Sequence[Grid]) -> Finding | None:
        """The first of some grids that leaves nothing in doubt, or else the first.

        Also between the strongest lines inside them, where bevelled tiles meet: of what
        a bevel hides on one side a turned tile lacks another one.
        """
        best: Finding | None = None
        screen, reach = self._view.screen, TUNING.inside_reach
        places = [grid.lattice for grid in grids]
        closer = [(fitted_inside(screen, at, reach), at) for at in places]
        inside = [one for one, at in closer if is_same(one, at, reach)]
        likely = [
            self.grown(match)
            for some in (places, inside)
            for match in self._matches(some)[: TUNING.most_upright]
        ]
        likely.sort(key=lambda one: one.score)
        for match in likely[: TUNING.most_upright]:
            finding = self._finding_of(match)
            if finding is None or (finding.best.is_solved and not self._is_named):
                continue
            finding = self._in_whole_tiles(match, finding)
            if finding.is_certain:
                return finding
            best = best or finding
        return best

    def _in_whole_tiles(self, match: Match, finding: Finding) -> Finding:
        """The finding, or that of larger tiles which its own are only parts of.

        Where a grid is named its squares may be turned as one, too; and where smaller
        tiles fit clearly better the lines between them show, and perhaps they were
        turned as a block.
        """
        parts = parts_of_tiles(finding.best)
        larger, smaller = finding, match
        if parts != (1, 1):
            joined = _joined(match, parts)
            if joined.screen.shape not in self._view.request.shapes:
                return finding
            match = self.compared(joined)
            found = self._finding_of(match)
            if found is None:
                return finding.doubted(Doubt.UNLIKELY_GRID)
            larger = found
        elif finding.is_certain and not finding.best.is_solved:
            halved = _halved(match.alignment)
            if halved.screen.shape in self._view.request.shapes:
                smaller = self.compared(halved)
        if smaller.score < match.score - decide.TUNING.ambiguous:
            return larger.or_grid(smaller.alignment.screen.shape)
        return larger

    def _finding_of(self, match: Match) -> Finding | None:
        """What a match comes to; ``None`` where hardly any tile shows the picture."""
        upright, scene, quick = self._settled(match)
        # Which part of the picture the board shows is known once tiles lie on it.
        part = quick.alignment.picture
        again = self.compared(Alignment(match.alignment.screen, part))
        if again.score < match.score:
            match = again
            upright, scene, quick = self._settled(match)
        found = finish(scene, quick)
        if hardly_shows(found):
            return None
        finding = finding_of(upright, scene, found, method="reference")
        return self._turned(finding, upright, found, match.turns)

    def _settled(self, match: Match) -> tuple[View, Scene, Assessment]:
        """The tiles set upright and laid on the picture."""
        upright = self._upright(match)
        scene = Scene(upright.screen, self._picture, [match.alignment.screen.shape])
        quick = scene.assess(match.alignment, TUNING.quick_tile_px, REFERENCE.inset)
        return upright, scene, settle_in(scene, quick)

    def _matches(self, places: Sequence[Lattice]) -> list[Match]:
        """The places compared with the picture, the likeliest first."""
        found = [
            self.compared(Alignment(at, window.homes(at.shape)))
            for at in places
            for window in windows_for(at, self._size)
        ]
        found = [one for one in found if one.score < TUNING.hopeless_score]
        found.sort(key=lambda one: one.score)
        return distinct(found, lambda one: one.alignment.screen, TUNING.same_turned)

    def grown(self, match: Match) -> Match:
        """The same grid with all rows and columns beside it with which it fits better.

        Plain tiles at the side of a board do not show as a part of it.
        """
        for _ in range(TUNING.most_grown):
            around = [widened(match.alignment.screen, strip) for strip in STRIPS]
            wider = [
                self.compared(Alignment(lattice, window.homes(lattice.shape)))
                for lattice in around
                if lies_inside(lattice, self._view.screen, 1.0, 1.0)
                for window in windows_for(lattice, self._size)
            ]
            best = min(wider, key=lambda one: one.score, default=match)
            if best.score >= match.score:
                break
            match = best
        return match

    def compared(self, alignment: Alignment) -> Match:
        """A grid compared with the picture, in whichever light suits it best."""
        shown, wanted = self._sampled(alignment, TUNING.turned_px)
        matched = match_quantiles(wanted.quantiles, shown.quantiles)
        tried = [self._in_tint(alignment, tint) for tint in (IDENTITY, matched)]
        return min(tried, key=lambda one: one.score)

    def _in_tint(self, alignment: Alignment, tint: Tint) -> Match:
        shape = alignment.screen.shape
        shown, wanted = self._sampled(alignment, TUNING.turned_px)
        mse = _in_turns(alignment.screen, shown.tiles, apply_tint(wanted.tiles, tint))
        costs = log_costs(mse.min(axis=0))
        homes = list(enumerate(_homes_of(shape, costs)))
        if self._is_at_home and _lost_at_home(costs, homes) < ARRANGE.certain_nats:
            homes = [(cell, cell) for cell, _home in homes]
        mean = shown.tiles.mean(axis=(0, 1, 2))
        typical = float(np.square(shown.tiles - mean).sum(axis=3).mean()) + 1e-6
        own = np.array([mse[:, cell, home].min() for cell, home in homes])
        score = residue_of(own, typical) + REFERENCE.cell_price * shape.size
        turns = (int(mse[:, cell, home].argmin()) for cell, home in homes)
        return Match(alignment, score, tuple(turns))

    def _sampled(self, alignment: Alignment, size: int) -> tuple[Sampled, Sampled]:
        return (
            self._cells.tiles(alignment.screen, size, REFERENCE.inset),
            self._homes.tiles(alignment.picture, size, REFERENCE.inset),
        )

    def _upright(self, match: Match) -> View:
        """The view with all tiles set upright, and the grid named."""
        request, lattice = self._view.request, match.alignment.screen
        view, screenshot = request.view.copy(), request.screenshot.copy()
        for cell, turn in enumerate(match.turns):
            left, top = lattice.origin(cell)
            box = left, top, left + lattice.tile_width, top + lattice.tile_height
            x, y, right, low = (max(0, round(side)) for side in box)
            tile = view[y:low, x:right]
            if not turn or not tile.size:
                continue
            upright = turned_back(tile, turn)
            view[y:low, x:right] = upright
            y, x = y + request.top, x + request.left
            high, wide = upright.shape[:2]
            if screenshot[y : y + high, x : x + wide].shape == upright.shape:
                screenshot[y : y + high, x : x + wide] = upright
        upright_request = replace(
            request,
            screenshot=screenshot,
            view=view,
            shapes=(lattice.shape,),
            known=replace(request.known, blank="none", turned=None),
            inner=lattice.region(view),
        )
        name = f"tiles set upright: {lattice.shape}"
        return View(upright_request, self._view.trail, name)

    def _turned(
        self, finding: Finding, upright: View, found: Assessment, turns: tuple[int, ...]
    ) -> Finding:
        """The finding with the way that its tiles lie, doubted where that is open."""
        at, size = found.alignment, TUNING.turned_close_px
        shown = Samples(upright.screen).tiles(at.screen, size, REFERENCE.inset).tiles
        wanted = self._homes.tiles(at.picture, size, REFERENCE.inset).tiles
        homes = list(finding.best.homes)
        match = matched(shown, wanted, list(enumerate(homes)), None)
        if self._is_at_home:
            finding = _at_home(finding, trust(found.detail) * match.costs)
            homes = list(finding.best.homes)
        lead = _lead_in_turn(at.screen, match.cells, match.homes[homes], match.sigma)
        lead *= trust(found.detail)
        doubtful = np.flatnonzero(lead < finding.sure_nats).tolist()
        cut = replace(
            finding.cut,
            tiles=tuple(
                turned_back(tile, -turn)
                for tile, turn in zip(finding.cut.tiles, turns, strict=True)
            ),
        )
        best = replace(finding.best, turns=turns)
        verdict = replace(finding.verdict, best=best)
        finding = replace(finding, cut=cut, verdict=verdict)
        if not doubtful:
            return finding
        misfits = tuple(sorted({*finding.misfits, *doubtful}))
        return replace(finding, misfits=misfits).doubted(Doubt.TURNS)


def _at_home(finding: Finding, costs: FloatArray) -> Finding:
    """The finding with each tile where it lies, unless much speaks against it.

    ``costs`` are those of cells at homes, in nats. Which of two tiles that look alike
    belongs where is no question then.
    """
    if _lost_at_home(costs, enumerate(finding.best.homes)) > ARRANGE.certain_nats:
        return finding
    best = replace(finding.best, homes=tuple(range(finding.shape.size)))
    return replace(finding, verdict=Verdict(best, ARRANGE.far_nats, (), ()))


def parts_of_tiles(best: Arrangement) -> tuple[int, int]:
    """By how many rows and columns of its cells the tiles of a board may be larger.

    Mostly (1, 1). Where each block of so many cells holds such a block of the picture,
    turned as a whole, those are its tiles, and the grid is finer than theirs.
    """
    if best.is_solved:
        return 1, 1
    rows, cols = best.shape.rows, best.shape.cols
    homes = np.array(best.homes).reshape(rows, cols)
    turns = np.array(best.turns).reshape(rows, cols)
    sizes = itertools.product(range(1, rows // 2 + 1), range(1, cols // 2 + 1))
    for down, across in sorted(sizes, key=math.prod, reverse=True)[:-1]:
        if rows % down or cols % across:
            continue
        block = np.arange(down)[:, None] * cols + np.arange(across)
        blocks = [
            np.s_[row : row + down, col : col + across]
            for row in range(0, rows, down)
            for col in range(0, cols, across)
        ]
        if all(
            np.ptp(turns[one]) == 0
            and np.array_equal(
                np.rot90(homes[one], turns[one][0, 0]), block + homes[one].min()
            )
            for one in blocks
        ):
            return down, across
    return 1, 1


def _joined(match: Match, parts: tuple[int, int]) -> Alignment:
    """The same place in tiles that are so many times as high and wide."""
    sides = []
    for one in (match.alignment.screen, match.alignment.picture):
        shape = Shape(one.rows // parts[0], one.cols // parts[1])
        sides.append(Lattice.from_box(shape, one.left, one.top, one.width, one.height))
    return Alignment(*sides)


def _halved(at: Alignment) -> Alignment:
    """The same place in tiles that are half as wide and high, as far apart."""
    sides = []
    for one in (at.screen, at.picture):
        x, y = one.pitch_x / 2, one.pitch_y / 2
        size = max(one.tile_width - x, x / 2), max(one.tile_height - y, y / 2)
        sides.append(
            Lattice(2 * one.rows, 2 * one.cols, one.left, one.top, x, y, *size)
        )
    return Alignment(*sides)


def _lost_at_home(costs: FloatArray, homes: Iterable[tuple[int, int]]) -> float:
    """What it costs that each tile lies where it belongs, instead of at these homes."""
    return float(sum(costs[cell, cell] - costs[cell, home] for cell, home in homes))


def _in_turns(lattice: Lattice, cells: Floats, homes: Floats) -> FloatArray:
    """Squared differences of each cell, turned back by 0 to 3 quarters, to each home.

    4 x n x n.
    """
    found = np.full((4, len(cells), len(homes)), np.inf)
    for turn in _ways(lattice):
        found[turn] = squared_differences(np.rot90(cells, turn, axes=(1, 2)), homes)
    return found


def _ways(lattice: Lattice) -> range:
    """The quarters in which tiles fit into their cells: oblong ones by halves only."""
    return range(0, 4, 2 if lattice.is_oblong else 1)


def _lead_in_turn(
    lattice: Lattice, cells: Floats, homes: Floats, sigma: float
) -> FloatArray:
    """By how many nats each cell shows its own home better than in another turn."""
    lead = []
    for cell, home in zip(cells, homes, strict=True):
        turned = np.stack([np.rot90(cell, way) for way in _ways(lattice)])
        own, *others = heavy_tailed_costs(turned, home[None], sigma=sigma)[:, 0]
        lead.append(min(others) - own)
    return np.array(lead)


def _homes_of(shape: Shape, costs: FloatArray) -> tuple[int, ...]:
    """Where each tile belongs, likeliest, with none missing."""
    size = shape.size
    square = padded(costs, np.full(size, NEVER))
    square[:size, size] = NEVER
    square[size, size] = 0.0
    return next(best_assignments(shape, square)).homes
