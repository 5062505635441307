"""The numbers of what belongs to no room: blank, candidates, reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class Tuning:
    """Everything that the files beside the rooms choose.

    Levels are grey levels from 0 to 255. Where nothing else is said a number was chosen
    by hand on the tuning half of ``benchmarks/scenes.py`` and on captured games; how
    much hangs on it is in ``benchmarks/README.md``.
    """

    __slots__ = ()

    # The blank: its home, and what it looks like

    home_nats: Mapping[str, float] = MappingProxyType(
        {"last": 0.0, "first": 1.5, "corner": 3.3, "side": 5.0, "inside": 6.0}
    )
    """What it costs that the blank's home is such a cell, each by itself. Of 23 games
    of other makers 18 have it in the last cell, 4 in the first and 1 in another corner;
    none was seen elsewhere, which counts as half a game for all sides and all inner
    cells."""
    non_corner_nats: float = 6.0
    """The same for any cell but a corner while a lattice is still to be found: which
    corner it is does not matter then."""
    empty_nats: float = 1.5
    empty_spread: float = 0.7
    most_empty_nats: float = 6.0
    """What speaks against a cell being empty, for each e-fold of the spread of its
    colours over that of a plain one (levels), and at most."""
    likelier_nats: float = 3.0
    strange_nats: float = 1.5
    usual_times: float = 4.0
    """From here on another cell may be the empty one instead, and what is said for it
    for each e-fold by which it is farther from its home than so many times what most
    tiles are. Of 160 captured boards that are read right beside their picture one comes
    to 1.6 and no other to more than 1.5."""

    # A tile on its way into the blank

    rim_share: float = 0.12
    """Of a strip's breadth, on either side, that is not looked at: rounded corners."""
    far_share: float = 0.12
    """Of a tile, at the blank's far side, that shows what the hole looks like."""
    hole_levels: int = 14
    hole_pixels: float = 0.97
    """Levels by which the hole's pixels may differ, and the share of them that must
    not."""
    hole_rim_px: int = 2
    """At either end, what may belong to a neighbour or to a line of the grid."""
    least_part: float = 0.06
    """Share of a tile that must have left its cell: less may be a gap or a bevel."""
    nearly: float = 0.06
    """Share of a tile by which what it leaves and what it reaches may differ."""
    full: float = 0.97
    """Share of the cell from which on nothing of a tile is left in it."""
    mark_levels: int = 36
    """By which a numeral differs from its plate."""
    mass: tuple[float, float] = 0.08, 0.92
    """The shares of a numeral's pixels between which it is said to lie."""
    wider: float = 1.25
    two_digits: float = 2.2
    """How much wider a numeral may be than all others, and than half of them."""
    bare: float = 0.6
    enough_px: int = 32
    """Share of a plate that looks like the empty cell where nothing shows its sides,
    and about how many px of it are looked at in each direction: for time."""
    line_px: int = 2
    """Beside the gap, in which lines of the grid, and their blur, are not counted."""
    line_share: float = 0.7
    """Of a cell's breadth that no stroke of a numeral covers, and a line does."""
    fewest_marked: float = 0.004
    most_marked: float = 0.6
    """Shares of a plate's pixels between which its marks are a numeral."""
    fewest_tiles: int = 3
    """Other tiles without which nothing is known of numerals' places."""
    least_astray: float = 0.08
    astray: float = 1.35
    """A numeral is on its way when it lies that share of a tile off the middle, and by
    that factor farther off than any other: some lettering stands now here, now there.
    """

    # Candidates

    least_tile_px: int = 12
    """Smaller tiles show too little."""
    join_nats: float = 8.0
    """How much likelier perfect joins make a grid."""
    sure_quality: float = 0.6
    sure_nats: float = 4.0
    """Joins this good, with such a lead, were wrong on less than one of 100 boards: of
    163 made-up ones with a lead of 4 to 5 nats one was (stripes), of 100 with 3 to 4
    five."""
    hopeless_quality: float = 0.15
    """Joins that promise less are no picture, whichever way the tiles are trimmed."""
    hole_inset: float = 0.15
    """Share of a cell on each side that is not looked at for a hole."""
    most_flat: float = 0.5
    """Share of flat cells from which on a flat one is no hole."""
    plain_rim: tuple[float, float] = (0.06, 0.16)
    """Where a tile is looked at for a ground of one colour: above and below its middle,
    from so far inside it, beyond outlines, to so far, in its sizes."""
    plain_levels: float = 3.0
    """Levels by which colours differ about the middle of a tile without a picture."""
    frame_share: float = 0.05
    """How wide frames are that are looked for, in the tile's sides."""
    frame_levels: float = 5.0
    frame_spread: float = 0.17
    """Levels by which rims differ from what is inside, over all four sides, from which
    on tiles have a frame; and how far that may be from usual on half of them."""
    frame_shares: tuple[float, float] = (0.2, 0.4)
    frame_nats: tuple[float, float] = (-3.4, 1.0)
    """Share of the usual frame that shows in a cell, and what that says for a tile. Of
    212 made-up boards with frames 63 in 100 empty cells that show something have less
    than the first; of tiles, the least of each board, two in 100, and 96 more than the
    second."""
    lit_nats: float = 16.0
    """Uneven light on a photograph looks like evidence: a lead of more than twice what
    makes other readings certain is asked for."""
    slanting_nats: float = 5.0
    """And sides of tiles that were set upright join less surely: of 300 drawn boards at
    an angle (both halves) without a reference four of 38 with a lead of 4 to 5 nats
    were wrong, and none of 156 with more."""
    most_cut: float = 0.8
    """Share of a row or column beside a board that may lie beyond the edge where it is
    asked whether the picture goes on there."""
    region_margin: float = 0.35
    """Share of a named region's sides that is looked at around it."""

    # What is told

    sure_share: float = 0.97
    """The share of right ones among readings with so large a lead from which on one is
    called certain, whichever witness said most: by the curves of ``report``. Of the 230
    readings of the test half of which more was said all were right."""
    few_cells: int = 6
    few_times: float = 2.0
    few_joined: float = 1.25
    """Boards up to this size have so few seams and numbers that so many times that lead
    is asked for; the second where a board with an empty cell was pieced together. Of
    840 made-up ones of 2x2, 2x3 and 3x2, cut at their true places, one of 61 with a
    lead of one to 1.25 times the usual was wrong, and none of 180 with more."""
    unsolvable_lead: float = 0.8
    """Nats more that are asked for where a board that was pieced together cannot be
    solved: half of the wrong ones cannot, and one in eleven of the right ones, which
    would make it 1.6. Of 53 right ones that cannot be solved that doubts six, and this
    two; the one wrong one of 60 made-up boards led by 0.2 nats more than enough."""
    unnamed_weight: float = 0.05
    """What no rival accounts for, beside the rivals' own likelihoods."""
    trouble_factor: float = 0.6
    """What each further reason for doubt leaves of the confidence."""
    most_alternatives: int = 5
    most_told: int = 10
    """Other boards, and candidates of a step, that are told: for readers."""
    least_confidence: float = 0.02
    most_confidence: float = 0.999
    """No reading is said to be surer, or less sure."""


TUNING = Tuning()
