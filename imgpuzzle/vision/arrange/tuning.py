"""The numbers that decide in this room: what each trades, and how it was chosen."""

from __future__ import annotations


class Tuning:
    """Everything about laying and weighing arrangements that is a choice.

    Nats are the witnesses' common scale. Where nothing else is said a number was chosen
    by hand on made-up boards of the tuning half (``benchmarks/scenes.py``); how much
    hangs on it is in ``benchmarks/README.md``.
    """

    __slots__ = ()

    # How sure an arrangement is

    certain_nats: float = 8.0
    """The lead from which on a reading is called certain, and the unit of all margins.
    Eight nats are odds of 3,000 to 1 if the witnesses' nats were exact; they are not,
    so what is told as confidence is fitted (``report.CURVES``)."""
    unreachable_nats: float = 4.0
    """How much likelier a board is one that can be solved. Of 64 programs of other
    makers 11 deal at random, so that half of their boards cannot be: 2.4 nats; a lead
    never counts it, so what looks nearly alike is doubted and not settled by it."""
    misfit_factor: float = 10.0
    """Evidence counts less the worse the tiles match: 0.1 of detail lost halves it."""
    far_nats: float = 48.0
    """Arrangements so much costlier than the best are not looked for: six times what
    makes one certain."""
    most_weighed: int = 300
    """Arrangements that are weighed at most: for time."""
    most_rivals: int = 12
    """Rivals of a verdict that are handed on."""

    # Whether a tile is missing

    mixed_share: float = 1 / 3
    shown_blank_share: float = 1 / 30
    """Share of the other tiles at home up to which it says something that the last one
    is, too. That share of games without an empty cell is taken for one that shows the
    last piece in its place (it is the one that slides): with so few at home that is
    one chance in ten, or more."""
    whole_nats: float = 3.0
    holed_nats: float = 2.0
    """The leads from which on it is certain that every tile is there, and that one is
    missing. Of 120 drawn boards that nothing was fitted to (hidden rims, JPEG, blanks
    of every kind) 98 % of those with all tiles are told right by seams and looks, none
    wrong, and 90 % of the others; one is told wrong, whose blank shows the missing
    piece, dimmed, with 4 px of its rim hidden."""
    filled_bias: float = 1.4
    filled_gain: float = 0.47
    filled_beside: float = 0.67
    filled_flat: float = 1.9
    """What is said for a board without a hole: a constant, and for each nat by which it
    costs less than the best with one; for each nat a seam by which what lies in the
    empty cell joins better than most others do; and against it where that cell is of
    one colour. A logistic fit (``python -m benchmarks missing --fit``) to 400 boards of
    the tuning half and 44 of other makers."""
    filled_brighter: float = 1.5
    """What is said against it for each nat a side by which what lies in that cell joins
    better once a dimming is undone. Of 250 made-up boards with all tiles it gains at
    most 1.0 nats, of 129 with the missing piece, dimmed, 8.7 in the median and less
    than 1.4 in one of twenty; a tile that a game darkened gained 2.1."""
    filled_toned: float = 10.0
    usual_tone: float = 0.15
    black: float = 3.0
    """And what is said against it for each unit of a logarithm, beyond this one, by
    which that cell is darker (or farther from white) than each tile beside it; so many
    levels of luma are added. Of 600 boards of the tuning half and the other one (small
    tiles, hidden rims, JPEG) with all tiles none is told less for it; of as many with
    an empty cell, half of them dimmed, 12 more are told right and 3 fewer wrong."""
    usual_seam: float = 0.2
    """Quantile of the other seams with which that cell's are compared: the tiles of
    a picture join at least so well."""
    least_beside: float = 8.0
    most_beside: float = 3.0
    """Nats a seam that count in that comparison at most."""
    flat_spread: float = 0.5
    """Levels by which the colours of an empty cell of a screen differ at most, about:
    JPEG and the noise of photographs make it more."""
    plain_spread: float = 3.0
    """The same up to which a cell may be empty although another fits worse: with the
    noise of a GIF's few colours."""
    most_matched: float = 8.0
    least_matched: float = 24.0
    """What a reference says at most for a board without a hole, and against it."""
    matched_share: float = 0.35
    least_apart: float = 20.0
    """How far a cell is on the way from what a tile costs at its home to what this one
    costs at any (nats, at least so many), where a reference says nothing of it: nearer
    it speaks for a tile, farther against it."""
    shown_spread: float = 8.0
    """Levels by which colours differ in a cell that shows a piece of a picture."""
    numbered_nats: float = 4.0
    maybe_numbered_nats: float = 1.0
    """By how much all numbers must explain the cells better than all but one to be
    certainly there, and from where on it is asked. On 51 boards with an empty cell it
    was 0.7 at most, on two without one 10 and more."""
    fewest_whole: int = 5
    """Boards of fewer cells have too few seams to say that no cell of them is empty."""

    # Costs of tiles at homes

    nearly_solved: float = 0.4
    """Share of tiles at home from which on other grids explain a board, too."""
    least_sigma: float = 1.0
    """Colour units of noise that even a drawn tile has: rounding."""
    patches: int = 64
    """Neighbouring pixels err together, so a tile counts as so many of them: more makes
    what a picture says bolder against all other witnesses."""
    usual_share: float = 0.7
    """Quantile of the distances of pixels that belong together which is their noise:
    the rest may be numerals and marks."""

    # Layouts by seams

    most_layouts: int = 300
    """Layouts that are ranked at most: for time."""
    equal_mean: float = 0.8
    equal_most: int = 4
    """Grey levels, in the mean and in any pixel, up to which tiles look the same: noise
    of JPEG stays below, a numeral's stroke does not."""
    shows_nats: float = 2.5
    """Evidence against being empty from which on a cell shows something, so that it may
    be the missing piece, dimmed."""
    blur_nats: float = 0.5
    """Standard deviation of the noise that makes repeated growth differ."""
    kernels: int = 4
    """Pairs of tiles that fit best, from each of which a layout is grown."""
    patience: int = 8
    dogged: int = 100
    """Tries without success after which a search ends: of a layout without misfits, and
    of one with some."""
    most_tries: int = 1000
    few_tries: int = 4
    """Tries at most, and where the tiles make no picture."""
    most_work: int = 1_000_000
    """Cells squared times tries: about the time that a search takes, half a second for
    10x10. Of 48 such pictures (JPEG 75 or 85, 2 or 6 px hidden) 12 were laid dearer
    than they are, by 12.6 nats on average, where with an eighth of that it were 16 and
    21; ten times as much would leave some."""
    lit_above: float = 0.4
    """How often a picture is upright in the turn in which its upper half is the
    lightest: 64 of 150 of the tuning half were."""
    turned_beam: int = 600
    """Beginnings that are kept where tiles are at home, each in one of four turns."""
    misfit_nats: float = 0.5
    """What a seam costs from which on it is a misfit."""
    poor_nats: float = 0.5
    hopeless_nats: float = 0.15
    """Nats a seam below which the tiles are hardly a picture, or none, whichever way
    they lie."""

    # A missing piece that is shown, dimmed

    dimmed_sides: int = 2
    dimmed_blanks: int = 2
    dimmed_nats: float = 2.0
    dimmed_points: int = 32
    """Sides that must go on, cells that are tried, nats that its two best sides bring,
    and points of a side that are compared."""


TUNING = Tuning()
