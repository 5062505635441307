"""The numbers on which it hangs which grids are proposed, in which order."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["TUNING", "Tuning"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """Numbers of the whole room; those of one kind of sign stand in its file.

    Nats are those of a choice among grids (see ``ranking``). Shares are those of a
    tile's side unless it is said. The numbers of lines in a known place (from
    ``slip_px`` on) were chosen on made-up games below number 1000 and on captured
    screenshots with ``python -m benchmarks.locating``; the others, which bound the
    time of a search, on the tuning half of its made-up screens.

    Attributes:
        work_side_px: A larger screen is reduced until its longer side has so many px.
        least_screen_px: Smaller parts of a screen are not searched, nor
        least_reduced_px: reduced ones: two rows of the smallest tiles.
        region_pad: Share of a region's shorter side that is searched around it.
        least_agreement: Shared over joint area of a grid and a region, at least.
        region_nats: Price of a grid that has nothing in common with the region.
        most_combs: Combs of each class of pitches that are crossed with others.
        most_pairs: Crossed combs of each class that are looked at, and
        most_wide_pairs: of those whose pitch is above
        wide_px: this, in px of the reduced screen.
        most_squares: Combs on which square tiles are tried.
        seen: Mean evidence from which on a line is one.
        max_aspect: Largest logarithm of the ratio of two pitches that are crossed.
        aspect_scale: The same for which a pair counts 1/e of one of square tiles.
        most_fitted: Crossed combs that are fitted to their lines.
        most_gapped: Of these, how many are tried with gaps.
        block_powers: Powers of the number of cells by which the best block of a
            lattice is worth less: larger ones prefer smaller blocks.
        most_from_combs: Grids kept from combs,
        most_from_boxes: from boxes, and
        most_from_words: from numerals.
        most_boxes: Boxes that are cut up.
        most_cut: Cut boxes that are fitted to their lines.
        shapes_per_box: Grids tried in each box, and
        kept_per_box: kept of them.
        size_bonus: Score of a box for each time it is twice as large.
        absent: What a side that is not seen in a box is worth less.
        glyph_reach: How far from the middle between two numerals a line is looked for.
        crowding_nats: By how much a grid makes others in its place less welcome.
        spare: Grids looked at beyond those asked for, since some become doubles.
        slip_px: How far outside a named region the sides of its board may lie.
        most_frame: Width of a frame about a board inside a region, within
        frame_px: these bounds in px.
        widest_gap: Of gaps between tiles.
        line_floor: Evidence that a line adds to what is usual where nothing is seen;
            more makes faint lines on plain ground count less.
        most_line_nats: What one line can say at most.
        beside_nats: Price of a line a px beside its place.
        line_nats: Price of a gap's second line; less makes borders of tiles gaps.
        wide_gap_px: From here on the two sides of a gap are sought each by itself; a
            resampled line is up to 2 px wide.
        gap_nats: Price of gaps as such.
        frame_nats: Price of each side that is not where the region's is, and
        shift_nats: for each px between them.
        settle_nats: In place of ``frame_nats`` where nobody has named the place.
        uneven_nats: Price for each px, up to 3, by which a frame differs on two sides.
        unequal_gap_nats: Price for each px beyond the first by which gaps differ.
        side_nats: Sides of a region on which less is seen speak for a rough one.
        most_exact: Grids that are proposed for a region as it is.
        most_settled: Of the likeliest grids, how many are moved to clearer lines.
        clearly_nats: By how much these must be clearer.
        same_place: Shared over joint area of grids in one place.
        same_px: Lattices nearer than that are the same.
    """

    work_side_px: int = 1400
    least_screen_px: int = 40
    least_reduced_px: int = 22
    region_pad: float = 0.06
    least_agreement: float = 0.33
    region_nats: float = 3.0
    most_combs: int = 16
    most_pairs: int = 8
    most_wide_pairs: int = 16
    wide_px: float = 40.0
    most_squares: int = 6
    seen: float = 0.12
    max_aspect: float = math.log(1.85)
    aspect_scale: float = 0.35
    most_fitted: int = 50
    most_gapped: int = 16
    block_powers: tuple[float, ...] = (0.0, 0.4, 0.7)
    most_from_combs: int = 45
    most_from_boxes: int = 30
    most_from_words: int = 20
    most_boxes: int = 20
    most_cut: int = 45
    shapes_per_box: int = 8
    kept_per_box: int = 4
    size_bonus: float = 0.1
    absent: float = 0.12
    glyph_reach: float = 0.1
    crowding_nats: float = 0.5
    spare: int = 2
    slip_px: int = 3
    most_frame: float = 0.08
    frame_px: tuple[int, int] = (8, 24)
    widest_gap: float = 0.35
    line_floor: float = 0.04
    most_line_nats: float = 2.2
    beside_nats: float = 0.5
    line_nats: float = 0.7
    wide_gap_px: int = 3
    gap_nats: float = 0.5
    frame_nats: float = 1.0
    shift_nats: float = 0.05
    settle_nats: float = 0.3
    uneven_nats: float = 0.3
    unequal_gap_nats: float = 0.5
    side_nats: float = 0.7
    most_exact: int = 15
    most_settled: int = 4
    clearly_nats: float = 2.0
    same_place: float = 0.6
    same_px: float = 1.5


TUNING = Tuning()
