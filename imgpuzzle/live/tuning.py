"""The numbers that decide what is seen of a running game, and when it is looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Chosen on boards that the tests draw.

    Costs are shares: 0 where a cell shows exactly the known tile, 1 where no px of it
    does.
    """

    rows_a_tile: int = 24
    """Of each tile about so many rows of px are compared with the last frame, each of
    them whole: strokes of a numeral cross some, and it takes 0.3 ms of 1080p."""
    lattice_share: float = 0.1
    """The lattice of a reading is off by no more than this share of a cell."""
    lattice_gain: float = 1.4
    """Another pitch than the one that was read is believed where so much more of the
    tiles' lines comes again in the next cell; nearer ones are the same."""
    least_lines: float = 40.0
    """Levels of all lines of a cell together."""
    line_share: float = 0.6
    """So much of a line has to be there: one cell of three may be empty."""
    most_line_rows: int = 200
    """More rows of px tell nothing more."""
    noise_levels: float = 3.0
    """Px that differ by no more have not changed: what dithering does."""
    side_px: int = 32
    least_side_px: int = 16
    """Tiles are compared reduced to half their side, within these limits: a cursor is
    still small, the noise of a JPEG and half a px of the lattice average out, and two
    numerals of one width still differ."""
    edge_share: float = 0.06
    """So much of a tile's side at each edge is not looked at: outlines on hovering,
    shadows of neighbours, and a lattice that is a px off."""
    far_levels: float = 40.0
    """A px that is farther from the known one (root mean square of R, G, B) is simply
    wrong: how far does not matter. Brightening on hovering is about half of it."""
    least_far_levels: float = 12.0
    """In a picture of little contrast less is far: what usually lies between tiles, but
    more than the noise of a JPEG."""
    most_apart: float = 0.35
    """A tile of which more is wrong is not recognised: a cursor covers a tenth of a
    small tile, a menu half of one."""
    own_share: float = 0.5
    """Nor is one of which so much is wrong, as a share of what lies between it and the
    tile most like it: it may as well be that one, or a third, a few px off."""
    lead_share: float = 0.5
    """A label is ruled out where another fits better by this share of what lies between
    the two tiles: 1 would be the other tile without any noise, 0 the midst."""
    lead_cost: float = 0.008
    """And at least by so much, eight px of a thousand, as JPEG moves costs by less."""
    clean: float = 0.05
    """A cell that costs no more is beyond doubt as it was: nothing is on it, and the
    tile has not begun to slide."""
    unlit_share: float = 0.3
    """A tile with less contrast (standard deviation) than this share of what is far has
    no figure to be known by: it could be any plain area."""
    same_figure: float = 0.95
    figure_share: float = 0.3
    """In other colours a tile is known by its figure, the strongest contrast: by this
    correlation, of which less is missing than this share of what lies between it and
    the figure most like it. On opaque tiles of four games the right one has 0.99 to
    1.00 and any other 0.90 at most."""
    most_looks: int = 4
    """A tile has so many looks at most: at rest, at home, under the pointer, in the
    end."""
    most_nudge_px: int = 3
    least_nudge: float = 0.02
    nudge_gain: float = 0.8
    """A tile is looked for so many px aside, too, if each px lowers the cost to this
    share: lattices are rarely whole px wide. Not where so many px are a smaller share
    of a tile than this, and do not matter."""
    lit_slide: float = 0.075
    """A sliding tile of which more is wrong is looked for in other light as well: the
    mouse that clicked it may light it."""
    most_shade: float = 60.0
    """It may be brighter or darker by so many levels."""
    free_levels: float = 15.0
    """What lies behind it then may be anything, for the price of so many levels on each
    of its px."""
    slide_px: int = 24
    """A slide is looked for in steps of a tile's side over this number."""
    least_slide: float = 0.06
    """Tiles nearer to their cell, as a share of the way, have arrived (or not left)."""
    slide_gain: float = 0.75
    """A tile between two cells has to explain them at this share of the cost that it
    has in either of them."""
    slide_lead: float = 0.006
    """And so much better, as JPEG noise makes some place between a little better."""
    still_seconds: float = 0.25
    """What has not changed for so long is not on its way: three looks at a game, and
    longer than a game, or a recording of it, stutters."""
    still_share: float = 0.15
    """A cell whose px differ (root mean square) by no more than this share of what is
    far shows what it showed before."""
    still_slide: float = 0.12
    """A tile that stands still this near to its cell lies there, askew."""
    most_unknown: float = 0.5
    """Where more cells show nothing known the board is looked for elsewhere."""
    most_depth: int = 3
    """Positions so many slides away are thought of: between two frames a quick player
    makes two."""
    most_steps: int = 4000
    """More positions than these are not compared: with lines of 19 tiles three slides
    lead to too many."""
    seek_px: int = 100
    """The board's longer side at most when it is looked for in a whole frame."""
    own_likeness: float = 0.4
    most_places: int = 3
    """So many places are looked at closer, each as long as it has this correlation with
    the board as last seen: two tiles of nine may have changed, and of tiles as grey as
    each other an empty cell that has moved on costs half of it."""
    found_share: float = 0.6
    found_apart: float = 0.12
    """So many cells have to be recognised where the board is found again, and half of
    all cells at this cost: a lattice that is off by a few px costs more."""
    covered_share: float = 0.2
    """So many tiles in their place are enough to say that the board is still there."""
    ring_px: int = 8
    """How wide the surroundings are that tell another puzzle from another window."""
    same_ring: float = 0.8
    """Share of the surroundings that have to be as they were."""
    least_sign_levels: float = 8.0
    same_sign: float = 0.9
    sign_slack: float = 0.08
    """What stands beside a line of tiles is a sign, such as an arrow, where it has this
    contrast (standard deviation), and is as like what stands beside most other lines
    (correlation), this share of a cell aside at most."""
    first_seconds: float = 2.0
    """How long the first solution of a board without a proof is searched for: so long
    the player waits for the first mark. A 4x4 board takes some milliseconds."""
    first_full_seconds: float = 8.0
    """The same of a board without an empty cell: less than three where nothing else is
    done."""
    anew_cells: int = 16
    anew_full_cells: int = 9
    anew_seconds: float = 0.02
    anew_large_seconds: float = 0.2
    anew_moves: int = 8
    """After a move that was not the planned one the rest is searched for so long, on
    boards of at most so many cells and on larger ones, there after every eighth such
    move, before the known solution is joined again. Where no cell is empty, boards of
    more than nine are large, and ``first_seconds`` are taken: searches for a way of
    them find nothing earlier."""
    most_rejoined: int = 1000
    """Positions that are looked at for the way back to the known solution, some 15 ms
    at most: after one slide a dozen are enough."""
    idle_share: float = 0.025
    moving_share: float = 0.15
    """The share of a core that looking may take while nothing changes, and while tiles
    move: how long the watcher waits follows from what a look costs. Less than is
    promised, as planning is not counted."""
    moving_pause: float = 0.03
    idle_pause: float = 0.25
    """Seconds between two looks at least, and while nothing changes: a move is noticed
    within the latter."""
    restless_seconds: float = 1.5
    """So long after a change looks come quickly, as another may follow."""
    reread_seconds: float = 0.4
    """A board of which no px changes for so long, and which is not understood, is read
    again."""
    first_tries: int = 3
    again_seconds: float = 0.7
    """Who asks for a puzzle that is there now gets so many readings, so long after one
    another: a board that is being laid out, or has a tile on its way, is ready then."""
    patient_seconds: float = 1.5
    """And after so long where something moves all the time: slides are shorter."""
    reading_share: float = 0.1
    """The share of the time that readings may take which settle nothing: one takes a
    second or more."""
    least_pause: float = 0.5
    most_pause: float = 10.0
    """Seconds of a recording between two such readings: each pause is three times as
    long as the one before. A reading takes as long as some tens of looks. Of the same
    position it may be doubtful at first and certain a second later, as compression
    changes what a frame shows."""
    most_vain: int = 2
    """Nor is it looked back any farther once so many frames do not show the board, nor
    looked for in each frame."""
    past_bytes: int = 64_000_000
    """So much of what was not understood in a recording is kept, to look back at it."""
    sample_px: int = 12
    """Of the whole screen every px of this step is kept to notice changes."""


TUNING = Tuning()
