"""The numbers that decide in this room: what each trades, and how it was chosen."""

from __future__ import annotations


class Tuning:
    """Everything about comparing tiles with a reference that is a choice.

    Residue and detail are shares of the colours and of what varies inside the tiles
    that stay unexplained; colours are opponent colours, of which luma runs from 0 to
    100. All were chosen by hand on the tuning half of ``benchmarks/scenes.py``; how
    much hangs on each is in ``benchmarks/README.md``.
    """

    __slots__ = ()

    # What a match is worth

    cell_price: float = 0.0005
    """Residue that every cell costs: more prefers coarse grids. Without it a grid twice
    as fine explains a board as well."""
    misfit_price: float = 0.3
    """Residue that it costs if all tiles look unlike their homes."""
    agreeing: float = 0.15
    agreeing_floor: float = 5.0
    """Share of the board's variance, and colour units besides, by which pixels that
    agree may differ."""
    agreeing_pixels: float = 0.55
    """Share of agreeing pixels below which a tile does not look like its home: numerals
    and pointers cover the rest."""
    alike: float = 0.85
    alike_texture: float = 2.0
    """Correlation from which on a tile shows what its home does in a light of its own,
    and colour units of texture without which that says nothing."""
    clear_residue: float = 0.15
    clear_detail: float = 0.4
    """What a match may leave to be clear; of the details half as much on a board of up
    to"""
    few_cells: int = 6
    """this many cells, whose tiles fit somewhere by chance."""

    # What only looks like a board

    flat: float = 0.7
    rich: float = 1.4
    """Standard deviations in colour units below which a tile is flat, and above which
    its home is not."""
    vacant_share: float = 0.34
    """Share of such tiles from which on a place is a plain page."""
    textured: float = 0.05
    """Share of the tiles' spread that a tile needs to tell where it was moved from."""
    shifted_share: float = 0.5
    """Share of the tiles, all moved by one step, that make a picture beside its grid.
    """
    half_empty: float = 0.3
    half_empty_solved: float = 0.12
    """Share of the hole that may show what belongs there, on a board nearly in order
    and on one in order, whose hole nothing else confirms."""
    full: float = 0.9
    """The share from which on it shows all of it, as a tile does."""
    complete_residue: float = 0.01
    complete_detail: float = 0.03
    rich_variance: float = 50.0
    """What the complete picture leaves at most, and its variance in colour units that
    nothing else can be taken for."""
    least_gain: float = 0.1
    """Gain over chance below which a match is given up: right boards gain 0.2 and more
    before they are settled, most of them 2."""

    # How tiles are compared

    inset: float = 0.08
    """The share of a tile that is left out on each side: frames, rounded corners."""
    most_assessed: int = 256
    """Assessments that are kept: for time."""
    same_start: float = 0.02
    """In tiles: settling leads from places this close to one place."""
    quick_px: int = 12
    """Up to this size tiles are compared by squares, beyond it with heavy tails."""
    rough_sigma: float = 5.0
    """The noise in colour units before anything is known about it."""

    # Light

    texture_share: float = 0.1
    """Share of its nats with which detail speaks for a tile: a hole may show anything.
    """
    shade_patches: int = 24
    """A tile's mean colour counts like so many of its ``patches``."""
    least_shade: float = 1.0
    """Mean colours err by so many colour units at least: JPEG rounds them."""
    far_shade: float = 4.0
    """How many times the usual error is no error of the shade any more."""
    own_light_nats: float = 10.0
    own_light_contrast: tuple[float, float] = (0.6, 1.8)
    """What it costs that one tile has a light of its own, and its contrast, then: a
    blank that shows the missing piece has less."""
    shown_nats: float = 4.0
    """What it costs that a hole shows the missing piece like a tile."""
    starts: int = 10
    start_share: float = 0.5
    fewest_pairs: int = 4
    """How often the light is learnt from a part of the tiles, from which share of them,
    and from how many at least: more starts find the right light more often, and take
    time."""
    stride: int = 2
    """Every so manyth pixel of a tile shows the light: for time."""
    rounds: int = 3
    """Fits, each with weights from the last."""
    most_pixels: int = 4000
    """Pixels from which a light is fitted at most: for time."""
    curve_pull: float = 0.003
    light_pull: float = 0.01
    """How strongly a curve of the colours and a light are pulled towards none, in
    shares of what the pixels weigh."""
    light_range: tuple[float, float] = (0.4, 2.5)
    """The least and the greatest factor that a light may be."""
    least_span: float = 4.0
    """Half the range of colours, in colour units, that a curve is fitted over at least.
    """
    least_error: float = 0.3
    """Colour units that errors have at least."""


TUNING = Tuning()
