"""``Seen``: what a follower says of one frame."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Region


class SeenKind(Enum):
    """What a frame shows of a board that is known."""

    POSITION = "position"
    """The board stands where it was, and every tile is known."""
    MOVING = "moving"
    """A tile is on its way, or a second frame has to confirm what was seen."""
    COVERED = "covered"
    """Something lies over the board and hides what would decide."""
    MOVED_TO = "moved_to"
    """A position as well, but the board lies elsewhere."""
    GONE = "gone"
    """No board is there. The follower goes on looking for it in later frames."""
    CHANGED = "changed"
    """Where the board was lies another puzzle: read it anew."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frame shows.

    Attributes:
        kind: What was seen.
        board: The position now, in the labels of the reading, for ``POSITION`` and
            ``MOVED_TO``. For the other kinds the last position that was seen: it may
            have changed since.
        cells: The cells in question, counted from 0, for ``MOVING`` and ``COVERED``;
            may be empty where all are. For ``POSITION`` and ``MOVED_TO``: cells over
            which something lies that hides nothing that matters.
        region: Where the board lies in this frame, in px; the last known place for
            ``COVERED`` and ``MOVING``, ``None`` for ``GONE`` and ``CHANGED``.
        is_passed: For ``MOVING``: whether ``board`` is the position that a tile leaves
            just now, though no frame has shown it at rest.
    """

    kind: SeenKind
    board: Board
    cells: tuple[int, ...] = ()
    region: Region | None = None
    is_passed: bool = False

    @property
    def is_position(self) -> bool:
        """Whether ``board`` is what the frame shows."""
        return self.kind in (SeenKind.POSITION, SeenKind.MOVED_TO)
