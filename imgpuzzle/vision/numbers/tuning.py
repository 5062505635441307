"""The numbers that decide in this room: what each trades, and how it was chosen."""

from __future__ import annotations


class Tuning:
    """Everything about numerals that is a choice.

    Nats count against each other and against the other witnesses. "Measured" means
    on tiles with numerals of the half of the fonts and photographs for tuning.
    """

    __slots__ = ()

    # Reading single tiles

    doubt: float = 2e-4
    """Share of tiles that show what the net was not trained on: no tile speaks for or
    against a number by more than about 13 nats. Estimate."""
    sharpness: float = 1.3
    """Factor on log probabilities, without unit, that makes them neither too bold nor
    too timid. Measured."""
    glances: int = 5
    """Tiles that are looked at first: more lose fewer boards with numbers, fewer cost
    less where there are none. Measured."""
    glance_nats: float = -2.0
    """Nats a tile for numbers, at most, below which none but these is looked at. Of 351
    grids with numbers one came to -0.7 and all others to more, of 3,400 without three
    quarters to less than -2."""
    unseen_share: float = 0.02
    """Probability of a number that is left to tiles that were not looked at."""
    further_glances: int = 4
    """Tiles that are looked at before all the others. Few: they only have to tell
    that there is no number on most of them."""
    hopeless: float = -0.5
    """Nats a tile for numbers, at most, below which the rest is not looked at, nor
    anything from closer. Of 192 captured boards the 84 with numbers had 1.5 and more,
    all but one without had less, and most -2."""
    sure_at_first_sight: float = 0.999
    """Probability of a tile's number below which it is looked at from closer. Trades
    time for certainty. Measured."""
    steady: float = 0.9
    """Probability of a tile's number from which on it tells where numerals sit: lower
    lets what is no numeral stretch the window. Chosen on real boards over drawings."""
    outermost: tuple[float, float] = (0.05, 0.95)
    """Shares of the digits' cells, over all steady tiles, between which the numerals
    lie: the rest may be errors. Measured."""
    room: float = 1.4
    """Side of the closer look in sizes of the numerals: less cuts digits, more shows
    more picture. Measured."""
    looks: tuple[tuple[float, float, float], ...] = (
        (1.0, -0.06, 0.0),
        (1.0, 0.06, 0.0),
        (0.8, 0.0, -0.06),
        (0.8, 0.0, 0.06),
    )
    """Size of each closer look in sizes of the window, and its shift in its own size,
    to the right and down. They err differently, so their mean errs less. Chosen on
    real boards over drawings."""
    window: tuple[float, float] = (0.3, 0.85)
    """Smallest and largest side of the closer look in sizes of the tile. Smaller ones
    only show blur, larger ones nothing new. Measured."""
    ink_px: int = 96
    """Longer side in px from which on tiles that seem to show nothing are looked at
    where their ink is: on smaller ones a numeral is never lost at the net's 64."""
    ink_rim: float = 0.15
    """Share of a tile at each side that is left out then: frames and neighbours."""
    least_ink: float = 2.0
    """Grey levels a px of that size by which ink differs from what all tiles show."""
    ink_window: tuple[float, float] = (0.15, 0.6)
    """Smallest and largest side of that place in sizes of the tile: what is drawn on
    more of it is seen at first sight, or is no numeral."""
    corner: float = 0.35
    """Side of the squares at a tile's corners in which small numbers are sought, in
    sizes of the tile's shorter side. Chosen on games that badge their tiles."""
    corner_glances: int = 9
    """About so many tiles are looked at in each of the four corners."""
    least_numbered: float = 0.5
    """Mean probability of a number from which on a corner is read on all tiles."""

    # Boards

    sure_of_numbers: float = 0.5
    """Nats a tile from which on tiles are said to carry numbers. Measured: photographs
    stay below -2, boards above 3."""
    clear_numbers: float = 8.0
    """The same below which tiles are looked at where their ink is, too, if that is a
    small part of them: legible numbers have 10 to 13, and some seen too small had 1."""
    other_series_nats: float = 6.0
    """How much likelier a series lacks its first or last number than another."""
    first_missing_nats: float = 1.0
    """How much likelier the last is the missing one; a choice, not evidence."""
    from_zero_nats: float = 4.0
    """How much likelier a series begins with 1 than with 0. From a look at games."""
    empty_nats: float = 4.0
    """Nats against a cell as the blank for each e-fold by which it holds more texture
    than the emptiest one (standard deviations in grey levels, plus one)."""
    most_empty_nats: float = 10.0
    """The most that texture says: some blanks show a picture."""
    misfit_nats: float = 16.0
    """Contradicting single tiles by so much halves what a margin is worth."""
    far_nats: float = 24.0
    """Boards so much costlier than the best are not looked for."""
    close_nats: float = 6.0
    """Boards nearer than this leave their cells in doubt. Of 1,000 made-up boards, half
    of them hard to read, no wrong one led by more than 1, of 48 strangers' screenshots
    none by more than 2.7; 28 right ones led by 1 to 8."""
    most_boards: int = 60
    """Boards of each kind of series that are compared."""
    most_alternatives: int = 8
    """Close boards that are handed on."""

    # Looks of tiles

    flat_spread: float = 3.0
    """Grey levels of standard deviation up to which a cell or a side counts as plain:
    above the noise of JPEG, below faint pictures."""
    rim: float = 0.08
    """Depth at which a tile's side is looked at, in its sizes: inside thin frames."""
    plain_share: float = 0.7
    """Share of sides of one colour or two that makes a table of tiles."""
    face_px: int = 24
    """Size to which faces are reduced before they are compared."""
    same_face: float = 2.5
    """Mean grey levels apart up to which two faces are the same."""
    seen_levels: float = 8.0
    alike_face: float = 0.25
    other_face: float = 0.35
    """Levels from which on a pixel of a face is another one; up to which share of such
    a face is alike, numbers of two digits included; and from which on it is not. In
    twiddle they are 0.22 at most, and 0.42 at least."""
    bare_nats: float = 3.0
    """By how much a tile shows no number rather than its own, so that it may be empty.
    Of 84 strangers' boards that are certain by their numbers alone one has a tile with
    2.1, and none another above 0; of a tile under a message 3.4 to 5.7 were stated."""
    surely_empty: float = 0.75
    least_ink_share: float = 0.6
    colour_bits: int = 5
    """Where the net is less sure of no number, or of a 0, a cell is a tile if it has
    this share of the usual contrast, and its colours, without so many bits, are as
    common on others as those of a tile. Of 75 boards with all their numbers, one of
    them turned, 53 were stated to lack that one; with this it is 11, and none of 165
    captured boards that are read right is in doubt for it."""
    times_apart: float = 2.0
    least_apart: float = 0.1
    """A smaller mark, too, tells a turn: so many times the share apart in its own turn,
    and so much more. Chosen on drawn arrows."""
    wedge_gaps: float = 0.2
    least_wedge: float = 0.5
    narrow_end: float = 0.4
    wedge_px: float = 1.0
    straight_px: float = 2.5
    """What a mark has to be that points up: with gaps of this share at most, at least
    so high a part of its face, its narrow end at most so wide as its broad one, even
    and alike on both sides but for so many px, its sides straight but for so many. In
    twiddle they are 0.11, 0.67, 0.22, 0.5 and 2.2."""
    few_faces: float = 0.75
    """Share of tiles with a twin from which on faces say nothing of places."""


TUNING = Tuning()
"""What is used."""
