"""The numbers on which it hangs which grids are proposed, in which order."""

from __future__ import annotations


class Tuning:
    """Numbers of the whole room, and below those of one kind of sign each.

    Nats are those of a choice among grids. Shares are those of a
    tile's side unless it is said. The numbers of lines in a known place (from
    ``slip_px`` on) were chosen on made-up games below number 1000 and on captured
    screenshots, by the rank of the true grid; the others by hand on the tuning
    half of its made-up screens. How much hangs on each: ``benchmarks/README.md``.

    Attributes:
        finder_side_px: The root of the area at which the net is shown a view, in px:
            what it was trained on, within a factor of 1.3.
        finder_margin: Share of a place's sides that is shown about it, as in training.
        most_finder_looks: Places that are looked at, the whole screen not counted.
        view_end: Share of a place up to which what was found there may lie from where
            the view ends: it may go on there, and the place looked at next is wider
        wider_view: by so much of its size, where nothing is known there that is not
        much_nats: worse. What was found is left out where
        part_share: it has less than that of the area of what lies there, too.
        far_share: Share of a place below which what was found there is looked at again,
            from near, and is left out if something
        as_large: of at least a size that is so many times smaller lies there.
        most_boxes: Boxes of straight edges that are looked at where nothing is sure, if
        small_share: they cover less of the screen: others show in a view of all of it.
        new_place: Share of its size by which a place differs from one looked at before.
        clear_cost: Nats below which nothing else is looked for in a place, and
        unsure_cost: above which it is not sure that there is a board. Of 172 real
            screens whose best cost was below it, the grid was right in 166.
        boxed_cost: The same of a lattice that fills a box of straight edges, where
            nothing else is sure: its sides are those of the box within
        boxed: so much of its size.
        board_levels: What a px of the map of boards shows at least to belong to one,
            and how much boards at that level count.
        board_core: Share of the fullest row or column from which on one belongs to it.
        board_weight: What a px of the board counts beside one of a line: there are
            many, and they say the same.
        line_px: Half width of a line in the maps, as the net was taught to draw it.
        least_cell_px: Smaller tiles of the maps cannot be told apart, and
        least_seen_px: smaller boards are none, in px of the screen.
        even_stretch: Logarithm of how oblong tiles may be without a price, and
        stretch_nats: the price of more.
        oblong_nats: The price of other numbers of rows than of columns. These three are
            estimates; a line more or less is some ten nats.
        most_ends: First and last lines that are tried, with places beside them.
        kept_per_count: Places kept of each number of tiles along an axis, if they are
        same_line_px: more than this apart, and
        most_rows: of all numbers.
        most_seen: Lattices that are kept, rivals included.
        most_ruled: How many are laid on the exact lines of their place: 30 ms each.
        usual_support: Support of a lattice at ``unsure_cost``, and
        cost_share: what a nat of its cost takes off: the cost counts each line of a
            view by itself, though lines of one board come together. Fitted to the real
            screens of the tuning half.
        close_ruling: Nats by which a cut of the same lattice, with gaps or without, may
            be less likely to be kept as well.
        rounding_px: How far a lattice on whole px is from the true one, at most.
        least_screen_px: Smaller screens are not searched.
        least_agreement: Shared over joint area of a grid and a region, at least.
        slip_px: How far outside a named region the sides of its board may lie.
        edge_px: The same where the screenshot ends there: it shows no outer line.
        frame_px: How wide a frame about a board inside a region may be.
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
        uneven_nats: Price for each px, up to 3, by which a frame differs on two sides.
        unequal_gap_nats: Price for each px beyond the first by which gaps differ.
        side_nats: Sides of a region on which less is seen speak for a rough one.
        most_exact: Grids that are proposed for a region as it is.
        same_px: By how much a lattice may move that is fitted to a fraction of a px.
        no_gap_px: Tiles that are fitted that near one another touch.
        same_grid: Those whose sides are that near, in tiles, are one in a list.
    """

    __slots__ = ()

    finder_side_px: int = 224
    finder_margin: float = 0.22
    most_finder_looks: int = 5
    view_end: float = 0.06
    wider_view: float = 0.5
    much_nats: float = 20.0
    part_share: float = 0.85
    far_share: float = 0.6
    as_large: float = 1.2
    most_boxes: int = 4
    small_share: float = 0.25
    new_place: float = 0.1
    clear_cost: float = 38.0
    board_levels: tuple[tuple[float, float], ...] = ((0.5, 1.0), (0.25, 0.6))
    board_core: float = 0.35
    board_weight: float = 0.25
    line_px: float = 0.75
    least_cell_px: float = 3.2
    least_seen_px: int = 16
    even_stretch: float = 0.03
    stretch_nats: float = 2.5
    oblong_nats: float = 1.0
    most_ends: int = 9
    kept_per_count: int = 5
    same_line_px: float = 3.0
    most_rows: int = 16
    most_seen: int = 12
    unsure_cost: float = 42.0
    boxed_cost: float = 55.0
    boxed: float = 0.04
    most_ruled: int = 6
    usual_support: float = 13.0
    cost_share: float = 0.35
    close_ruling: float = 2.0
    rounding_px: float = 1.0
    least_screen_px: int = 40
    least_agreement: float = 0.33
    slip_px: int = 3
    edge_px: int = 8
    frame_px: int = 12
    widest_gap: float = 0.35
    line_floor: float = 0.04
    most_line_nats: float = 2.2
    beside_nats: float = 0.5
    line_nats: float = 0.7
    wide_gap_px: int = 3
    gap_nats: float = 0.5
    frame_nats: float = 1.0
    shift_nats: float = 0.05
    uneven_nats: float = 0.3
    unequal_gap_nats: float = 0.5
    side_nats: float = 0.7
    most_exact: int = 15
    same_px: float = 1.5
    no_gap_px: float = 0.1
    same_grid: float = 0.1

    # Evidence on lines (sides)

    noise: float = 1.0
    """A jump of this size counts half on flat ground; luma runs from 0 to 100."""
    full_line: float = 0.5
    """Evidence on a px from which on it speaks fully for a line."""

    # Lattices fitted to lines (fitting, named)

    margin_px: int = 4
    line_samples: int = 320
    """What is kept beside a line, and samples along it: for time."""
    least_line: float = 0.15
    """Evidence from which on a line is fitted to."""
    rule_reach: float = 0.1
    """How far a side may lie from where a reference puts it, in tiles."""

    # Rows and columns beside a grid (grids)

    strip_nats: float = 15.0
    """By how many nats the net must find a board with one more row or column likelier.
    One of 252 strips beside boards of real games gains so much; of the outer rows and
    columns of these boards, left out, 95 in 100 gain 19 and more."""
    room: float = 0.1
    """In tiles: so much of a strip may lie beyond the edge of the screenshot."""
    grown_nats: float = 30.0
    most_strips: int = 2
    """And by how many for that board to come first, and how many are added: on a page
    of rocks, on which the net hardly sees a board, wrong strips gain up to 26."""

    # Boxes of straight edges (boxes)

    box_side_px: int = 960
    """Longer side of the picture in which boxes are looked for."""
    least_board_px: int = 44
    least_line_px: int = 18
    """Of boards and lines in it."""
    equal_px: float = 3.0
    equal_share: float = 0.04
    """How unlike the sides of equal boxes may be, in px or in their shorter side."""
    equal_pitch: float = 1.5
    least_equals: int = 4
    most_sets: int = 2
    """From one to the next at most, in their size; how many make a set, and how many
    sets are looked at."""
    equals_share: float = 0.5
    equal_nats: float = 4.0
    """Share of a set's cells in which such boxes are, for a lattice of it alone; and
    how much surer one of all cells is than what the net is not sure of."""
    edge_units: float = 5.0
    """Colour units of a step between two regions."""
    closings_px: tuple[int, ...] = (3, 9, 19)
    """Widths of the gaps that are closed to make one region of the tiles."""
    whole_side: float = 0.6
    """Share of a side of a box along which a line runs that ends it."""
    aspect_slack: float = 0.16
    """Logarithm by which a box's shape may differ from the picture's."""
    box_size_bonus: float = 0.25
    """Score for a doubling of a box."""

    # Holes in pictures that are nearly in order (holes)

    same_levels: int = 8
    """Levels by which pixels of one plain colour may differ."""
    most_grounds: int = 3
    """Plain colours of a page that are tried."""
    least_filled: float = 0.55
    """Share of its box that a picture covers: of 2x2 tiles three are there, or with
    dark and light parts somewhat less."""
    flat_share: float = 0.98
    """Share of the hole that has its colour."""
    hole_off: float = 0.08
    """How far the sides of the hole may lie from the grid's lines, in tiles."""
    least_hole_px: int = 12
    """Of a hole."""

    # Points that look like points of the reference (features)

    reference_side_px: int = 420
    """Longer side of the reference."""
    most_features: int = 3000
    most_matches: int = 600
    """Points of a picture, and pairs of points: for time."""
    features_side_px: int = 800
    features_margin_px: int = 64
    """Larger pictures are looked at in parts, with so much about each: in all scales
    1600 x 900 px take 300 MB."""
    most_ratio: float = 0.8
    """Distance of the nearest descriptor in that of the second (D. G. Lowe, 2004)."""
    least_reach: float = 24.0
    reaches: int = 16
    """Half the side, in px, of the smallest square in which points may lie dense, and
    how many sizes are tried from there to half the screen."""
    neighbours: int = 10
    """Pairs nearby, with which each pair makes a scale."""
    scale_bin: float = 0.025
    most_squeeze: float = 0.6
    """Bin of a logarithmic scale, and most by which both scales may differ."""
    most_scales: int = 3
    first_of_scale: int = 3
    """Scales that are tried, and places of each that come before the others."""
    most_shapes: int = 16
    """Shapes that are tried at a scale."""
    cell_price: float = 0.02
    """Pairs that a cell costs."""

    line_share: float = 0.4
    """Share of a line that may step less than the line is strong: details of a picture
    are longer seldom."""


TUNING = Tuning()
