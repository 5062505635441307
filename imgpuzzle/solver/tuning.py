"""The numbers that decide which search a board gets, and for how long.

Those of a single search stand at the head of its module. What has to end a call within
less than a tenth of a second, so that Ctrl-C is answered, is counted in nodes, rows or
positions there.
"""

from __future__ import annotations

from typing import NamedTuple

from imgpuzzle.files import IN_BROWSER

MAX_CELLS = 16
"""Up to this many cells tables prove which solutions are shortest: as many as a word of
64 bits has room for, four bits each."""


class Parts(NamedTuple):
    """How the time of boards of up to ``most_cells`` cells is shared.

    First there are beams from the start to the goal, narrow ones in the midst of a
    proof. Windows have the rest, if it is ``least_seconds``: their tables of other
    homes take time to build.
    """

    most_cells: int
    narrow_seconds: float
    """How long narrow beams may take. On large boards a layer takes half a millisecond
    however narrow it is: cut off after 0.2 s they find nothing on 10x10."""
    beams_until: float
    """The share of the time after which beams end."""
    least_seconds: float


class Tuning(NamedTuple):
    """Everything about the choice of a search that is a choice.

    Where nothing else is said a number was chosen by hand, on random boards of each
    size; ``python -m benchmarks solving`` shows what it does.
    """

    # Up to so many cells

    small_cells: int = 12
    """A shortest solution is proven without tables, on 3x4 in 3 ms in the mean, 8 ms at
    most: less than it takes to import NumPy and to read tables."""
    small_nodes: int = 8_000_000
    """What all boards of one goal may take there, 0.4 s: tables of 12 cells are built
    in 0.4 to 0.8 s, and then a board takes 0.3 ms. Single boards of 2x6 take up to 5 s
    without them."""
    quick_cells: int = 64
    """A first solution is there before anybody can ask to stop: 10 ms on 7x7."""
    one_pass_cells: int = 400
    """On more there is no end to the first pass of windows in plain Python."""

    # Searches without tables, before these are loaded

    light_nodes: int = 125_000
    """What boards of up to 16 cells may take, some 9 ms. On 4x4 it solves 34 of 100
    boards after 60 walks of the blank and 7 of 100 drawn from all; four times as many
    nodes solve 59 and 25, and cost all others 26 ms before tables, which are read in
    some 60."""
    large_light_nodes: int = 200_000
    """And larger ones, whose time is limited: some 20 ms."""
    equal_nodes: int = 30_000
    """The same in plain Python, for boards with equal tiles."""
    last_nodes: int = 200_000
    """The same where no compiled search proves anything: large boards with twins."""
    light_work: int = 500_000
    """And for fewer nodes where each takes long, because many tiles are equal: half a
    second or so, as what comes afterwards needs its time."""
    goal_nodes: int = 500_000
    """For the moves to one of the usual goals, 0.05 s. Nearly all goals need less; a
    hard one far away must not delay those that a player would rather choose."""

    # Slides

    large_slides: tuple[int, int] = (12, 20)
    """Cells of the boards for which larger tables for slides are worth building: three
    times as quick, and 20 s once."""

    # Boards of more than 16 cells

    large_seconds: float = 5.0
    """For boards that could be improved for ever, unless a limit says otherwise."""
    parts: tuple[Parts, ...] = (
        Parts(36, 0.2, 1.0, 10.0),
        Parts(49, 0.2, 0.5, 0.3),
        Parts(64, 0.2, 0.75, 0.3),
        Parts(400, 2.0, 0.75, 0.3),
    )
    """Up to 36 cells beams alone are better until they are as wide as memory allows."""
    most_beam_seconds: float = 120.0
    """However long a search may take: then beams are as wide as memory allows."""
    proof_share: float = 0.05
    most_proof_seconds: float = 0.5
    first_proof_share: float = 0.1
    first_proof_seconds: float = 0.05
    """How much of the time is for a proof before there are beams: boards that a game
    deals take a few milliseconds. The first part comes before all beams, of which a
    narrow one needs nearly all of a very short time."""
    proof_nodes_a_second: int = 4_000_000
    """What a proof gets through on an idle machine, and so at least on a busy one."""
    proof_nodes_a_turn: int = 40_000
    """Some 10 ms, after which the clock is asked."""
    narrow_width: int = 1800
    """Of beams in the midst of a long proof: the second of a search, the first being
    done in 10 ms on 5x5."""
    labellings: int = 8
    """Ways to tell equal tiles apart for which a first solution is put together."""
    equal_parts: Parts = Parts(400, 0.0, 0.5, 0.1)
    """With equal tiles, for which windows choose other homes."""

    # Boards with so many equal tiles that all positions can be marked

    marked_cells: int = 256
    """As many as a byte can number."""
    most_marked: int = 1 << 28
    """Positions: 134 MB of marks; half a minute if a quarter of them is seen."""
    marked_share: float = 0.6
    """Of the time, after which beams are tried instead."""

    # Plain Python, after everything else

    shorten_seconds: float = 0.2
    """For the last moment's work on a solution that no search has made shorter, by 28 %
    on 4x4, 14 on 5x5, 7 on 6x6 and 7x7 and 2 on 10x10 (six boards of each)."""
    most_shorten_seconds: float = 3.0
    """Tries without tables double until one of so many seconds finds nothing."""

    # What the machine has to give

    threads: int = 1 if IN_BROWSER else 2
    """Threads of one compiled search: beams gain less by a third."""
    memory_share: float = 0.5
    """Of the memory that is free when a search begins, unless a limit says otherwise:
    the rest is for the caller, and for what else begins to run."""
    unknown_megabytes: int = 1000 if IN_BROWSER else 2000
    """What is taken for free where nobody says: as much as any machine of today has,
    and as much as telephones leave to a page."""
    beam_megabytes: int = 600
    """More makes beams so wide that their layers take longer than people wait."""
    least_megabytes: int = 2
    """Beams of some thousand positions; less would not find a way at all."""
    building: float = 3.0
    """Memory that building a table takes for a moment, in sizes of the table."""

    # The fewest slides

    small_single_share: float = 0.15
    """How much of less than half a second goes to a way of few single moves, on boards
    of at most 16 cells: 4x4 boards have 33 slides after 0.1 s then, and had 51."""
    single_share: float = 0.03
    most_single_seconds: float = 10.0
    """How much of the time goes to a way of few single moves, to begin with: with 0.4
    random 5x5 boards had 1.5 slides more after 0.2 s and 0.5 after 1 s (20 boards)."""


TUNING = Tuning()
