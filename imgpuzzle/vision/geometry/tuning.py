"""The numbers that decide in this room: what each trades, and how it was chosen."""

from __future__ import annotations


class Tuning:
    """Everything about places, pictures at an angle and colours that is a choice.

    All were chosen by hand on the tuning half of ``benchmarks/scenes.py``; how much
    hangs on each is in ``benchmarks/README.md``. Tiles are the unit of lengths where
    none is said.
    """

    __slots__ = ()

    # Places

    same_place: float = 0.15
    """By which lines may be off that continue a lattice."""
    oblong: float = 0.06
    """Tiles whose sides differ by more, as a logarithm, are turned by halves only."""
    sliver: float = 0.1
    """That two boards may share and still lie side by side."""
    room_slack: float = 0.15
    """So much of a tile may lie beyond the edge of either picture."""
    least_shown: float = 0.3
    """Of the outer tiles of a board that the edge of the screen cuts off: of all tiles
    that much is compared with a reference."""
    most_extensions: int = 48
    """Larger boards that are tried: for time."""
    reach_px: int = 3
    """How near to the edge of the screenshot a board reaches it."""
    snap_px: int = 1
    dominance: float = 1.6
    """How far a sharper line is looked for when tiles are cut, and how many times as
    strong as all others it must be. Lattices lie on lines already: edges farther away
    are those of what the outer tiles show."""
    oversampling: int = 6
    sparse: float = 1.5
    """Samples for each pixel of a reduced tile, along each axis, at most, and the px
    between samples up to which one is enough."""
    most_kept_bytes: int = 1 << 25
    """Of resampled tiles of one picture."""
    gapless_px: int = 32
    """Up to this size tiles that touch are resampled together."""

    # Alignment

    sizes_px: tuple[int, ...] = (10, 20, 36)
    """Sizes of tiles at which two pictures are aligned, one after the other."""
    rounds: int = 6
    """Steps at each size."""
    most_motion: float = 0.25
    """That a lattice may move."""
    likely_motion_px: float = 1.0
    """What tiles move that say nothing: more trusts them more."""

    # Colours

    gains: tuple[float, float] = (0.35, 2.8)
    """The least and the greatest contrast of a tint."""
    bend_unit: float = 50.0
    """Colour units from the mean at which a bend of 1 adds as much again."""
    bend_ridge: float = 0.02
    mix_ridge: float = 0.02
    """How strongly a bend and a mix of channels are pulled towards none."""
    most_mix: float = 0.5
    """Share of one channel that a tint may add to another."""
    fit_pixels: int = 2500
    """Pixels that a tint is fitted to at most: for time."""

    # Gaps

    other_colour: float = 40.0
    covered_share: float = 0.1
    covered_px: int = 3
    plain_share: float = 0.02
    """Something lies over a gap where this share of its length is by so many levels of
    another colour, which the tiles have so many px beside it, and of most gaps hardly
    anything is."""

    # Pictures at an angle

    work_side_px: int = 900
    most_side_px: int = 2400
    """Longer sides of the picture in which corners are looked for, and of what is set
    upright."""
    view_px: int = 2_000_000
    """Views at an angle in which a board is looked for are of so many px at most: all
    that the reader makes of one takes 40 bytes a px and more. Of a photograph of 12
    million px views of 1 and 2 million were read with a larger lead than one of 4."""
    margin: float = 0.1
    """Of the picture set upright, that is kept around the board, in its longer side."""
    least_quad_share: float = 0.02
    """Share of the picture that a board at an angle covers."""
    least_tilt_deg: float = 1.2
    """Below this a picture is as upright as screenshots are."""
    most_lean_deg: float = 44.0
    """By which lines may lean and still be level or upright: below a diagonal."""
    least_segment_px: float = 22.0
    segment_slack_deg: float = 1.5
    most_segments: int = 260
    """Length of the line segments that are used, the error of their direction, and how
    many of them."""
    most_quads: int = 2
    """Quadrangles that are tried: for time."""
    family_deg: float = 30.0
    exact_deg: float = 0.5
    exact_share: float = 0.65
    """Lines within so many degrees of an axis belong to it; those within the second are
    on it, and this share of their length makes a screenshot."""
    most_corner_cosine: float = 0.75
    """Sharper corners are no board's."""


TUNING = Tuning()
