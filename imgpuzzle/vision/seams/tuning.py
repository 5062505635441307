"""The numbers that decide in this room: what each trades, and how it was chosen."""

from __future__ import annotations


class Tuning:
    """Everything about seams that is a choice.

    Colours are luma and opponent colours in grey levels. "Measured" means
    on shuffled pictures of the tuning half; the weights of ``scripts/train_seams.py``
    hold for the features that these values make, so a change to those above the second
    heading needs new weights.
    """

    __slots__ = ()

    # What the network is shown

    lags: tuple[int, ...] = (1, 2, 3, 5, 8)
    """Distances in px that two visible borders of a seam may have."""
    noise: float = 0.35
    """Standard deviation of luma that even a flat picture may have (rounding, JPEG)."""
    largest_px: int = 72
    """Longer side to which large tiles are shrunk. Tried: 144 px gives the same loss
    on pairs, with these weights and mixed with 72, at twice the time."""
    deep_px: int = 12
    """Rows of a side that are kept: the largest lag and a little more."""

    # What comes out

    least_nats: float = -7.0
    """The least that one seam says. Measured: of 125,000 pairs below -5 nats 9 were
    neighbours, -6.5 nats."""
    most_nats: float = 9.0
    """The most that one seam says. Measured: of 3,050 pairs at it all were neighbours;
    12 makes no more boards certain."""
    trust: float = 0.5
    """Seams of one tile err together: their sum counts for this much of itself. With
    it leads in nats have the frequencies of errors that they say, on 3x3 as on 5x5:
    of 44 made-up boards with a lead of 4 to 5 nats one was wrong, so it cannot rise."""
    full_nats: float = 5.0
    """Nats a seam that make the quality 1: neighbours of clear pictures have more."""
    gain_nats: float = 12.0
    """Nats by which moving the tiles must gain for 63 % of the quality."""

    # Stripes

    striped_nats: float = 1.4
    line_nats: float = 2.4
    plain_sides: float = 0.4
    like_sides: float = 0.1
    """How many times better tiles join along stripes than across; the lead that an
    order of lines has to have there, nats a seam; and up to where sides are plain along
    themselves, and are alike where they join, beside how those of several lines differ
    (squared colours). Of 400 boards without an empty cell (both halves) all four that
    were stated wrong had whole lines in a wrong order: with 2.37 nats, and shares of
    0.37 and 0.15, at the limit, and a ratio of 1.59. One of 339 that were right is
    doubted by it, and two real ones."""

    # Frames that are cut off

    deepest_frame: float = 0.2
    """The widest frame, in sizes of the tile: more would leave no picture."""
    step: float = 1.2
    """Grey levels by which a row of frame differs from the next at least."""
    step_to_usual: float = 4.0
    """The same in units of the picture's own steps: guards against a common edge."""
    step_to_spread: float = 1.2
    """The same in units of how the step differs from tile to tile."""
    constant: float = 0.25
    """Spread over the tiles, against that of the inside, below which a row is frame."""
    corner_spread: float = 0.4
    """The same for the pixels of rounded corners."""
    recoverable: float = 0.4
    """Contrast that shaded rows must keep to be mended instead of cut."""
    unclipped: float = 125.0
    least_shaded: int = 8
    clearer: float = 0.7
    """Levels from the middle grey up to which no shade has clipped a colour; pixels
    from which a shade is measured; and what another contrast may leave, at most, of the
    differences that a shift alone leaves."""
    plain: float = 1.0
    """Standard deviation in grey levels up to which a tile says nothing of frames."""
    enough_tiles: int = 32
    enough_pixels: int = 30
    enough_rows: int = 12
    enough_arcs: int = 9
    """Tiles, pixels along a side and rows of the inside from which frames are measured,
    and tiles in whose corners arcs are sought: for time."""
    arc_tiles: float = 0.4
    arc_step: float = 3.0
    least_radius_px: int = 3
    """Round corners: the share of corners whose arc may be as dark as the page, and how
    strong its edge is, to those inside. Of 37 boards with round corners, half of them
    on pages of many colours, 33 had 3.2 to 97; of 30 with square ones none had 3."""

    # Other ways to see joins

    good_nats: float = 4.5
    """Nats a seam from which on no other way to trim the tiles is tried."""
    clear_nats: float = 5.5
    evened_nats: float = 0.3
    evening_rounds: int = 2
    """Nats a seam from which on no shade is looked for, by which tiles must join better
    without it, and how often it is measured."""
    least_pairs: int = 3
    least_shade: float = 1.0
    like_contrast: float = 0.15
    """Tiles that must join for a shade to be measured, the least of one in grey levels,
    and by how much the contrast of sides may differ by chance."""


TUNING = Tuning()
"""What is used."""
