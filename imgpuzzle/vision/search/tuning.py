"""The numbers that decide in this room: what each trades, and how it was chosen."""

from __future__ import annotations


class Tuning:
    """What is tried, in which order, and when a search ends.

    Most of it bounds time: larger numbers find a few boards more and make all others
    wait. Residue and detail are those of ``reference``. Where nothing else is said a
    number was chosen by hand on the tuning half of ``benchmarks/scenes.py``; how much
    hangs on each is in ``benchmarks/README.md``.
    """

    __slots__ = ()

    # Without a reference (alone)

    most_grids: int = 10
    few_grids: int = 5
    """Grids that are looked at, and fewer where another look follows anyway."""
    most_with_thumbnail: int = 3
    """Grids that are compared with every picture on the screen."""
    most_cornered: int = 4
    least_cornered_px: int = 40
    """Grids, with tiles of this size, on which small numbers in corners are sought."""
    large_cells: int = 36
    huge_cells: int = 64
    """Above so many cells a board has many cells, or very many."""
    large_quality: float = 0.3
    later_quality: float = 0.25
    unlikely_quality: float = 0.5
    huge_quality: float = 0.6
    """The joins that a place must promise to be worth the work: one of many cells, one
    not among the first, one that hardly looks like a board, one of very many cells."""
    most_with_hole: int = 4
    """Pictures with a hole that are pieced together: for time."""
    most_plates: int = 2
    """Boxes that are cut in every grid to look for numbers: for time."""
    huge_support: float = 18.0
    """The looks, in nats, that a board of very many cells must have."""
    most_work: int = 4500
    """Piecing together takes about as long as the square of the cells; their sum."""
    always_tried: int = 2
    """Grids that are pieced together whatever they promise."""

    hairline_px: float = 0.5
    """Gaps up to this may be one px wide."""
    framed_share: float = 0.8
    """What a grid and the box that may be its frame have in common, at least, as a
    share of both;"""
    within_frame: float = 0.97
    """and as one of the grid, since boxes are known to 2 px or so;"""
    most_frames: int = 2
    """and how many boxes are tried."""
    line_reach: tuple[float, ...] = 0.02, 0.07
    """How far from a line another one is sought, in sizes of a tile: drawn sides are up
    to a 14th wide."""
    inside_reach: float = 0.1
    """The same for the strongest lines inside a board, where only those count."""

    picture_in_gap: float = 0.45
    """How lively gaps are, to the tiles beside them, that may be sides of bevels: of 36
    boards with such sides the least was 0.53; of 27 of true gaps on plain pages, and
    of 22 hairlines, the most were 0.34 and 0.25."""
    nearby_cuts: tuple[tuple[int, int, int], ...] = (
        (0, 0, -1),
        (0, 0, 1),
        (-1, 0, 0),
        (0, 1, 0),
        (1, 0, 0),
        (0, -1, 0),
        (0, 1, 1),
        (0, -1, -1),
    )
    cut_rounds: int = 2
    """First and last sides moved, and gaps widened, in px: lines found are hardly ever
    more than a px off, and a hairline between two tiles may be a gap or a part of them.
    How often one such step follows another."""

    # With a reference (guided)

    feature_side_px: int = 640
    turned_side_px: int = 1600
    """Size of a screenshot in which points of the reference are sought, and that
    where they may lie turned. Closer looks at upright ones settled nothing."""
    most_guided_grids: int = 10
    """Grids that are compared with the reference for their looks alone: no more than
    ``most_grids``, which were found before where a reading without it was asked for."""
    cover_stretch: float = 0.03
    """Stretch of a reference over a named place from which on it may be cropped."""
    sure_detail: float = 0.25
    """Details that a match may leave and still be certain; half of it on few cells."""
    cut_off: float = 0.04
    """Share of a tile by which a board may reach beyond the screenshot."""
    least_texture: float = 1.5
    explained: float = 0.2
    seen_px: int = 24
    seen_share: float = 0.84
    """A tile in the hole: its texture in colour units, the share of it that its home
    may leave, and the size and share of the cell that are compared."""
    marked_share: float = 0.7
    least_relief: float = 2.0
    marked_alike: float = 0.7
    marked_contrast: float = 0.38
    """A tile that is pale or outlined: the share of its cell inside the outline, the
    standard deviation of its lightness, and the correlation with its home, and the
    contrast beside that, from which on it may be one."""
    dimmed_alike: float = 0.9
    """With less contrast, and so much correlation, it is a blank that shows the missing
    piece."""
    quick_sources: int = 2
    """Ways to find a board, after which a board or the whole picture ends a search, and
    those that are tried before boards at an angle: for time."""
    seams_nats: float = 24.0
    """A lead below this (three times a certain one) may come from one error that many
    tiles share: the tiles' edges, which know nothing of the reference, are asked as
    well, and always where light may lie over a whole board."""

    whole_lines: float = 0.08
    """Share of a tile by which what is left of a reference may differ from whole rows
    or columns of the board: of three boards with a message over theirs it was 0.004."""

    # Which place matches (locate, finishing)

    quick_tile_px: int = 10
    settled_tile_px: int = 16
    final_tile_px: int = 24
    """Sizes of the tiles that are compared: at first, once their place is settled, in
    the end."""
    settle_px: tuple[tuple[int, int], ...] = ((8, 16), (16, 32))
    fine_px: tuple[int, int] = (40, 64)
    """Sizes of the tiles at which a place is settled, and bounds of the last one."""
    settle_pairs: int = 40
    fine_pairs: int = 28
    """Tiles by which a place is settled, and made exact."""
    shortlist: int = 5
    few_alignments: int = 12
    """Matches that are settled, and that are compared in full."""
    rough_slack: float = 0.25
    """How much worse than the best a rough score may be to be compared in full."""
    good_score: float = 0.06
    no_rival: float = 0.05
    """A score below the first ends the search for others that are worse by the second.
    """
    hopeless_score: float = 0.55
    """Matches above this are not settled once there is another."""
    exact_residue: float = 0.004
    """Below this nothing is left to settle."""
    most_stretch: float = 0.8
    """Logarithm of the ratio of a tile's sides, at most."""
    overhang: float = 0.15
    """Share of a tile by which a lattice may reach beyond the picture."""
    least_match_px: int = 16
    """Smaller tiles match anywhere."""
    covered: float = 0.25
    """Share of the smaller of two places from which on one lies over the other."""
    most_wholes: int = 2
    """Complete pictures beside which a board is looked for."""
    most_wasted_gap_px: float = 1.5
    """Of a gap that the picture runs on beneath."""

    # The goal on the screen (beside, thumbnail, complete)

    likely_residue: float = 0.3
    likely_misfits: float = 0.25
    """What a match may leave to be likely, and the share of tiles that may be misfits.
    """
    most_beside: int = 2
    """Likely places that are tried."""
    beside_residue: float = 0.1
    beside_detail: float = 0.3
    beside_worse: float = 1.5
    """What a second match may leave, or so many times what the board leaves."""
    least_shown: float = 0.75
    """Share of what the board shows, along either axis, that a second one shows."""
    least_moved: int = 2
    elsewhere: float = 0.25
    """Tiles that lie elsewhere than on the first board, and share of the squared
    difference at home that they may leave there."""
    thumbnail_side_px: int = 40
    thumbnail_cell_px: int = 9
    """Smaller pictures, and cells of them, show nothing."""
    most_shared: float = 0.1
    """Share of itself that a thumbnail may have in common with the board."""
    colour_step: float = 16.0
    least_colours: float = 0.45
    """Colour units of one step, and share of the colours that both must have."""
    most_thumbnails: int = 4
    """Thumbnails that are compared with grids."""
    broken: float = 1.8
    lag_share: float = 0.08
    """A thumbnail whose colours change so many times as much across the board's lines,
    taken over this share of a cell, is a board itself."""
    nearly_all: float = 0.9
    all_shown: float = 0.97
    """Shares of the reference that are nearly all of it, and all."""
    strip_px: int = 12
    strip_match: float = 0.2
    strip_texture: float = 4.0
    strip_share: float = 0.5
    """A picture goes on where strips of tiles of this size are alike up to this share
    of their texture, have so much of it, and are this share of the strip."""
    lively: float = 0.05
    """Share of the tiles' spread of colours that a cell has which may hold a tile."""

    # A tile on its way (sliding)

    sliding_px: int = 24
    """Size at which it is compared."""
    closer: tuple[float, ...] = (0.05, 0.0125, 0.003)
    """Steps of the shares, each followed by the next around what fits best: a sharp
    tile that is one px aside fits badly."""
    better: float = 0.35
    """Between two cells the tile must fit so much better than in either of them."""
    strange: float = 8.0
    """How many times the usual difference the tile must show in either cell."""
    fit: float = 4.0
    fit_floor: float = 16.0
    """Times the usual difference, and colour units squared besides, that it may leave.
    """
    rest: float = 0.15
    """Share of the colours that all other tiles may leave unexplained."""

    # More rows and columns (adjoining)

    lines: float = 0.6
    """How clearly, from 0 to 1, lines are seen that divide a strip into cells. Of 893
    strips beside boards of real games none reached it, of 1,152 that were parts of such
    boards two thirds do."""
    least_step: float = 3.0
    """And by how much colours (luma from 0 to 100) must step on most of these lines: on
    103 cut columns of real boards it was 6 and more, on the bands of a sky 1."""
    nearly_sure: float = 0.5
    """Share of a certain lead from which on turned tiles are cut otherwise."""
    most_grown: int = 6
    """Rows and columns by which a board of turned tiles is larger than its grid."""
    stray_nats: float = -2.0
    """Mean nats of all seams of a tile below which it is not in place. Of 60 boards
    that were read right no tile had less than 1; one from a row that the edge of the
    screen cuts off had -4.4."""
    open_nats: float = 0.6
    """Nats a seam by which tiles speak against lying side by side, where they do so at
    last, from which on tiles are missing. Of 177 boards that were read right one had
    0.56 and another 0.34; two with rows under a message had 1.2 and 1.5."""
    least_cut: float = 0.15
    """In tiles: what must lie between a board and the edge of the screenshot, to look
    there for tiles that are cut off."""

    # Large and long pictures (large, long)

    enlargements: tuple[int, ...] = (6, 5, 4, 3, 2)
    least_drawn: int = 120
    """How many times emulators and pixel games enlarge what they draw, and px that its
    shorter side has at least: a Game Boy's screen has 144."""
    least_detail: float = 0.1
    """Share of its px that differ from the next: of a painting in pixels half do."""
    screen_px: int = 2_200_000
    quick_px: int = 1_500_000
    """What is larger than a usual screen, 1920x1080, is read first at this size. Of 15
    screens of phones and 4K monitors all were read as before, in three quarters of the
    time and the memory, and a tile of 30 px still has 16 on most of them."""
    closer_px: int = 6_000_000
    """The size at which it is read where that leaves doubt: a picture of 79 million px
    and all that is made of this size then stay below 1 GB."""
    around_corners: float = 0.3
    """What is kept around a board at an angle, in sides of its bounding box."""
    larger: float = 1.05
    """Tiles are cut anew where they become larger by this factor."""
    least_length_px: int = 6000
    least_aspect: float = 4.0
    """From this length on, and so many times as long as wide, a picture is read in
    parts. Two screens side by side are not."""
    most_aspect: int = 200
    """A page of 80 million px and 632 px wide is as long as that."""
    part_aspect: float = 3.0
    least_part_px: int = 1200
    """How long a part is, in its breadths and at least in px."""
    board_aspect: float = 1.5
    """Boards up to this length, in breadths of the picture, lie whole in some part."""
    glance_px: int = 1_500_000
    """Parts are looked at in this size: that takes about 0.3 s each."""
    part_grids: int = 3
    most_spots: int = 4
    """Grids of a part that are judged by their looks, and places that are read."""

    # Tiles that lie turned

    plain_levels: float = 0.5
    faint_levels: float = 12.0
    faint_slack: float = 0.06
    """Levels by which the px of a page differ at most where it is plain, and those of
    plain tiles on it, which may hardly be seen; and what is left out at their sides."""
    turned_px: int = 16
    turned_close_px: int = 32
    """The side in which tiles are compared in each turn: to choose, and to be sure."""
    same_turned: float = 0.25
    """Grids that differ by less, in tiles, are one."""
    most_upright: int = 3
    """Grids whose tiles are set upright and read: for time."""
    fewest_turned: int = 12
    turned_margin: float = 0.1
    """So many points that look like some of the picture say where the board may be:
    where they lie densest, with this share of it around."""


TUNING = Tuning()
