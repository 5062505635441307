"""The numbers on which the judge's rules hang."""

from __future__ import annotations


class Tuning:
    """The numbers on which the rules hang.

    Nats are the witnesses' common scale; qualities and residues are shares, 0 to 1.
    All were chosen on tuning halves of made-up screens and on captured games.

    Attributes:
        clearly_more: How many times the evidence for numbers another grid must show.
        finer: How many times as many tiles of the same place must carry numbers, and
        nearly_as_well: with what share of the evidence, for the grid to be in doubt.
        most_pieced: Cells up to which tiles with numbers are laid by their seams, too.
        clear_quality: Joins from here on are those of a picture.
        clearer_nats: Nats a seam by which tiles must join better to be cut otherwise.
        promised_quality: The same where numbers on the tiles say otherwise.
        least_quality: Joins below this say nothing about where tiles belong.
        close_nats: Grids whose evidence differs by less are equally likely.
        as_good_quality: By how much a larger grid may join worse than its part.
        close_support: By how much a grid may look less likely than its part.
        unlikely_support: Grids of photographs have a support of up to 7; of 68 boards
            that were read right by their joins none had less than 12.
        likely_support: Those of boards have this and more: of 45 solved boards 29 have
            more, of 109 screens without a game none that is in order with a hole.
        large_cells: Cells from which on a second board is not looked for.
        sharp_residue: A match that leaves less unexplained can be nothing else.
        max_residue: What a match may leave of the colours, and
        max_detail: of the details, and
        max_misfits: of the tiles, to be called a board at all.
        few_misfits: The share of tiles that something may lie over.
        ambiguous: Two matches whose scores differ by less fit equally well.
        subdivision_slack: The same for a grid and one that cuts its tiles further.
        flat_hole: A hole with less of the tiles' spread is empty, and one with
        lively_hole: more of it is rare.
        same_spot: Shares of a tile within which grids lie in one place,
        same_match: within which two matches are one, and
        same_grid: within which two findings are about one.
        touching: Share of the smaller of two places from which on they have to do
            with each other, and
        mostly: the share from which on they are one.
        one_place: Shared over joint area of a board and another grid in its place that
            shows more clearly. With a reference much more: none of 149 true boards has
            one. Without it by ``close_support``: nor has one of 285.
        much_larger: How many times as large as the picture of a reference a board is of
            which that shows a part only.
        same_colour: Levels by which plain tiles and their parts of the reference differ
            at most.
        alike_homes: Share of the cells on which numbers and a reference must agree if
            the numbers follow the picture: those that do not agree by chance only.
    """

    __slots__ = ()

    clearly_more: float = 1.15
    finer: float = 1.5
    nearly_as_well: float = 0.6
    most_pieced: int = 49
    clear_quality: float = 0.35
    clearer_nats: float = 0.1
    promised_quality: float = 0.5
    least_quality: float = 0.2
    close_nats: float = 2.0
    as_good_quality: float = 0.15
    close_support: float = 1.0
    unlikely_support: float = 8.0
    likely_support: float = 12.0
    large_cells: int = 36
    sharp_residue: float = 0.05
    max_residue: float = 0.3
    max_detail: float = 0.7
    max_misfits: float = 0.2
    few_misfits: float = 0.1
    ambiguous: float = 0.01
    subdivision_slack: float = 0.06
    flat_hole: float = 0.05
    lively_hole: float = 0.7
    same_spot: float = 0.35
    same_match: float = 0.2
    same_grid: float = 0.15
    touching: float = 0.05
    mostly: float = 0.5
    one_place: float = 0.8
    much_larger: float = 3.0
    same_colour: float = 20.0
    alike_homes: float = 0.7


TUNING = Tuning()
