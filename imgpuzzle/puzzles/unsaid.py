"""What is played where nobody has said it and no cell is empty: the moves that are seen
tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from imgpuzzle.core.board import Board, FullBoard
from imgpuzzle.messages import Message
from imgpuzzle.puzzles.kind import Kind, full_kinds, kind_of


class Unsaid:
    """One of several ``kinds``, whose tiles stay upright; which one, is learned.

    Once it is a single one, this is that kind.
    """

    def __init__(self, board: Board) -> None:
        kinds = map(kind_of, full_kinds(board))
        self.kinds: Sequence[Kind] = [one for one in kinds if one.board is FullBoard]

    @property
    def is_known(self) -> bool:
        """Whether it is a single kind."""
        return len(self.kinds) == 1

    def learn(self, before: Board, after: Board) -> None:
        """See a move; what no kind has, says nothing.

        A kind all of whose moves the others have as well is safe whichever it is: what
        two neighbours do is a move where any two tiles change places, too.
        """
        near = [(kind, {*kind.near(before)}) for kind in self.kinds]
        left = [(kind, reach) for kind, reach in near if after in reach]
        safe = [
            kind for kind, reach in left if all(reach <= other for _kind, other in left)
        ]
        self.kinds = safe[:1] or [kind for kind, _reach in left] or self.kinds

    def near(self, board: Board) -> Iterator[Board]:
        """Where a move of any of them leads."""
        return iter({after for kind in self.kinds for after in kind.near(board)})

    def why_not(self, start: Board, goal: Board) -> Message | None:
        """Why none of them leads to a goal."""
        reasons = [kind.why_not(start, goal) for kind in self.kinds]
        return None if None in reasons else reasons[0]

    def __getattr__(self, name: str) -> Any:
        """What else a kind has: that of the first."""
        return getattr(self.kinds[0], name)
