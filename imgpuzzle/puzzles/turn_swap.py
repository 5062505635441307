"""Puzzles in which tiles turn, and any two of them change places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from imgpuzzle.core.board import Board, Shape, TurnedBoard
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import SearchOptions
from imgpuzzle.core.solution import Solution
from imgpuzzle.messages import Message, Plain
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext
from imgpuzzle.puzzles.full import Full
from imgpuzzle.puzzles.swap import KIND as SWAP
from imgpuzzle.puzzles.swap import swaps_of
from imgpuzzle.puzzles.turn import Turns, turns_of


@dataclass(frozen=True, slots=True)
class TurnsAndSwaps(Turns):
    """The rules: any two tiles, and each alone. A tile keeps its turn in a swap."""

    name = "turn-swap"
    is_shown_at_once = False
    titled = Plain(_("Turn and swap puzzle {shape}"))
    several = Plain(*ngettext("{count} click or swap", "{count} clicks and swaps"))
    legend = Plain(
        _(
            "Two marked tiles change places; one alone turns clockwise by a quarter a "
            "click."
        )
    )

    def scrambled(self, goal: Board, *, walks: int | None, seed: int) -> Board:
        """Any position, or half of so many moves swaps, the others clicks."""
        assert isinstance(goal, TurnedBoard)
        swaps = None if walks is None else walks // 2
        clicks = None if walks is None else walks - walks // 2
        mixed = SWAP.scrambled(goal, walks=swaps, seed=seed)
        return Turns.scrambled(
            self, replace(goal, cells=mixed.cells), walks=clicks, seed=seed
        )

    def why_not(self, start: Board, goal: Board) -> Message | None:
        """Other tiles only."""
        return Full.why_not(self, start, goal)

    def depths(self, shape: Shape) -> Iterator[tuple[int, int]]:
        """Swaps and clicks hang on nothing of each other."""
        swaps, clicks = list(SWAP.depths(shape)), list(Turns.depths(self, shape))
        counts: Counter[int] = Counter()
        for far, count in swaps:
            for more, others in clicks:
                counts[far + more] += count * others
        return iter(sorted(counts.items()))

    def moves(self, board: Board) -> Iterator[tuple[int, Board]]:
        """Each swap, and each tile by one to three quarters."""
        swaps = board.shape.size**2
        for one, other in SWAP.cycles(board.shape):
            yield one * board.shape.size + other, board.exchanged(one, other)
        for code, after in Turns.moves(self, board):
            yield swaps + code, after

    def move(self, number: int, before: Board, code: int) -> Move:
        """Codes of swaps, then those of turns."""
        swaps = before.shape.size**2
        if code < swaps:
            return SWAP.move(number, before, code)
        return Turns.move(self, number, before, code - swaps)

    def solve(self, start: Board, goal: Board, options: SearchOptions) -> Solution:
        """Each tile the rest of its way round, then the fewest swaps.

        Of tiles with equal numbers those are taken that save swaps. Where they are to
        lie differently, others may save clicks: less is proven there.
        """
        assert isinstance(start, TurnedBoard)
        assert isinstance(goal, TurnedBoard)
        swaps, bound = swaps_of(start, goal)
        wanted = list(goal.turns)
        for code in reversed(swaps):
            one, other = divmod(code, start.shape.size)
            wanted[one], wanted[other] = wanted[other], wanted[one]
        # First the turns: so each tile is turned where it lies in the beginning.
        clicks = turns_of(start.turns, wanted)
        if not start.has_repeats or len(set(goal.turns)) == 1:
            bound += sum(code % 4 for code in clicks)
        moves = *(start.shape.size**2 + code for code in clicks), *swaps
        return self.found(start, goal, moves, bound, options, method=_("cycles"))


KIND = TurnsAndSwaps()
