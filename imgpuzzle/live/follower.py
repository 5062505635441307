"""``Follower``: says of each frame which position it shows, and never guesses.

A frame is compared with the one before it; of the cells that changed it is asked which
known tiles may lie there (``sight.looks``). A position is believed when it is the one
before or one slide away, when all that is seen agrees with it and with no other such
position, and when no tile stands between two cells. Any other position is believed at
once where every cell but one shows one tile only; otherwise, or where no moves lead to
it, it has to be seen twice. What covers a cell matters only where it hides which
position it is.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import permutations

import cv2
import numpy as np

from imgpuzzle.core.board import Board
from imgpuzzle.core.moves import differing, on_their_way
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.files.image import Image
from imgpuzzle.live.planning import SLIDE
from imgpuzzle.live.sight.looks import CellSeen, Floats, KnownTiles, TileGrid, edges
from imgpuzzle.live.sight.seeking import find_again, ring
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.puzzles.kind import Kind


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


@dataclass(frozen=True, slots=True)
class _Conclusion:
    """What all cells say together: a position, or which of them are in question."""

    board: Board | None
    cells: tuple[int, ...] = ()
    is_far: bool = False
    """More than one slide away: to be seen twice."""
    nearest: Board | None = None
    """Where several agree: that of the fewest tiles, which the others go through."""


class Follower:
    """Follows the tiles of a board that was read once, from ``screenshot``.

    The labels and the goal of the ``reading``, which has its ``tiles``, are those of
    every ``Seen``.
    """

    def __init__(self, reading: Reading, screenshot: Image, kind: Kind = SLIDE) -> None:
        self._reading, self._kind = reading, kind
        self._board = reading.board
        self._size = reading.shape.size
        self._looks = KnownTiles(reading, screenshot)
        self._spot = self._looks.spot
        self._around = ring(screenshot, self._spot)
        self._one = reading.labels
        self._evidence: list[CellSeen | None] = [None] * self._size
        self._changed_at = [-math.inf] * self._size
        self._last: Image | None = None
        self._seen: Seen | None = None
        self._pending: Board | None = None
        self._now = self._stirred = self._known_at = -math.inf
        self._was_still = False
        self._strange: dict[int, Floats] = {}
        self._sample = screenshot[::8].copy()
        self._vain = 0

    @property
    def board(self) -> Board:
        """The position that was seen last."""
        return self._board

    def renewed(self, reading: Reading, frame: Image) -> Follower:
        """One for the same puzzle, read anew from ``frame``, with the same labels.

        Where most of that agrees with what is known it is this one. What stands half
        drawn, or in another light, is then one more look of a tile, and not the only
        one.
        """
        cells, spot = reading.board.cells, self._spot
        there = TileGrid.of(reading, frame)
        is_same_grid = (spot.pitch_x, spot.pitch_y) == (there.pitch_x, there.pitch_y)
        known = self.tiles_in(frame)
        strange = [c for c, label in enumerate(cells) if label not in known.get(c, ())]
        is_blank_known = all(cells[cell] for cell in strange)
        is_known = is_same_grid and is_blank_known and 2 * len(strange) <= self._size
        if not is_known:
            return Follower(reading, frame, self._kind)
        for cell in strange:
            self._looks.add(frame, spot, cell, cells[cell])
        self._reading, self._board = reading, reading.board
        self._forget()
        return self

    def tiles_in(self, frame: Image) -> dict[int, frozenset[int]]:
        """The labels that each cell may have where the board was seen last.

        Cells that show nothing known are missing, also where all of the board is none.
        """
        if not self._spot.is_inside(frame):
            return {}
        found = {
            cell: self._looks.at(frame, self._spot, cell).labels
            for cell in range(self._size)
        }
        return {cell: labels for cell, labels in found.items() if labels}

    def look(self, frame: Image, now: float | None = None) -> Seen:
        """What a later frame of the same source shows.

        It was shown at ``now``, in seconds; ``None`` is right now.
        """
        self._now = time.monotonic() if now is None else now
        self._seen = self._looked(frame)
        if self._seen.kind is SeenKind.GONE:
            self._forget()
        return self._seen

    def _looked(self, frame: Image) -> Seen:
        changed = list(range(self._size))
        if not self._spot.is_inside(frame):
            return self._seek(frame)
        part = frame[self._spot.region.inside]
        if self._last is not None and self._last.shape == part.shape:
            rows = max(self._spot.height // TUNING.rows_a_tile, 1)
            is_same = are_same(part[::rows], self._last[::rows])
            # Something may blink between the cells.
            changed = [] if is_same else list(self._changed(part, rows))
            if not changed:
                seen = self._seen
                if seen is None or not self._is_settled(seen):
                    return self._decided(frame)
                is_there = seen.kind is SeenKind.MOVED_TO
                kind = SeenKind.POSITION if is_there else seen.kind
                return dataclasses.replace(seen, kind=kind)
        self._stirred = self._now
        for cell in changed:
            self._changed_at[cell] = self._now
            self._evidence[cell] = self._looks.at(frame, self._spot, cell)
        self._last = part.copy()
        return self._decided(frame)

    def _is_settled(self, seen: Seen) -> bool:
        """Whether another look at the same px cannot say anything else."""
        if seen.is_position and not seen.cells:
            return True
        return self._was_still and seen.kind not in (SeenKind.GONE, SeenKind.CHANGED)

    @property
    def _is_still(self) -> bool:
        """Whether nothing has changed for so long that nothing is on its way."""
        return self._now - self._stirred >= TUNING.still_seconds

    def _forget(self) -> None:
        self._last, self._pending, self._stirred = None, None, self._now
        self._evidence = [None] * self._size

    def _changed(self, part: Image, rows: int) -> Iterator[int]:
        """The cells of which px have changed since they were looked at."""
        assert self._last is not None
        region, spot = self._spot.region, self._spot
        for cell in range(spot.shape.size):
            left, top = spot.corner(cell)
            left, top = left - region.left, top - region.top
            # What is at their edges is not looked at either.
            down, across = edges(spot.width, spot.height)
            at = np.s_[
                max(top + down, 0) : top + spot.height - down : rows,
                max(left + across, 0) : left + spot.width - across,
            ]
            if not are_same(part[at], self._last[at]):
                yield cell

    # What the evidence says.

    def _possible(self, cell: int) -> frozenset[int]:
        found = self._evidence[cell]
        return frozenset() if found is None else found.labels

    def _shown(self, cell: int) -> set[int]:
        return {*self._plain(self._possible(cell))}

    def _decided(self, frame: Image) -> Seen:
        self._was_still = self._is_still
        shape = self._reading.shape
        unknown = [cell for cell in range(shape.size) if not self._possible(cell)]
        if len(unknown) + self._claimed_twice() > TUNING.most_unknown * shape.size:
            return self._seek(frame)
        return self._concluded(frame, unknown, SeenKind.POSITION)

    def _claimed_twice(self) -> int:
        """How many cells show a tile that others show as well: plain ground, mostly."""
        only = [
            possible for possible in map(self._possible, range(self._size)) if possible
        ]
        return len(only) - len(frozenset().union(*only))

    def _concluded(self, frame: Image, unknown: list[int], kind: SeenKind) -> Seen:
        verdict, region = self._verdict(unknown), self._spot.region
        found, cells = verdict.board, verdict.cells
        pending, self._pending = self._pending, None
        # Of two tiles in a line the first may have arrived before the other.
        near = verdict.nearest if found is None else found
        sliding = () if near is None else self._sliding(frame, near)
        if near is not None and sliding:
            passed = self._passed(near, sliding, unknown)
            if passed is not None:
                self._board, self._known_at = passed, self._now
                return Seen(SeenKind.MOVING, passed, sliding, region, is_passed=True)
        if found is None:
            return Seen(self._why_open(cells), self._board, cells, region)
        is_plain = self._is_plain(unknown)
        if sliding or (not is_plain and self._stirs(found, unknown)):
            astir = sliding or tuple(unknown)
            return Seen(SeenKind.MOVING, self._board, astir, region)
        if verdict.is_far and not self._is_believed(found, pending, is_plain):
            self._pending = found
            return Seen(SeenKind.MOVING, self._board, cells, region)
        self._board, self._known_at = found, self._now
        self._looks.keep()
        self._learn(frame, found, unknown)
        covered = (cell for cell in unknown if not self._is_likely(cell, found))
        return Seen(kind, found, tuple(covered), region)

    def _is_believed(self, found: Board, pending: Board | None, is_plain: bool) -> bool:
        """Whether a position that no slide leads to was seen often enough.

        No moves lead to one of the other parity: two tiles that look alike may have
        been taken for each other, or several be on their way, so two frames have to
        show such. The same frame twice is only one, until nothing is on its way: games
        stutter in the middle of a slide.
        """
        if self._is_reached(found):
            return is_plain or pending == found
        is_same_frame = self._now > self._stirred and not self._is_still
        if pending is None or is_same_frame:
            return False
        if is_plain:
            return self._is_solvable(pending) == self._is_solvable(found)
        return pending == found

    def _is_solvable(self, board: Board) -> bool:
        return self._kind.why_not(board, self._reading.goal) is None

    def _is_reached(self, board: Board) -> bool:
        """Whether moves may lead there: from both a goal is reached, or from none.

        Where tiles look the same, two of them may have changed places unseen.
        """
        is_same_half = self._is_solvable(board) == self._is_solvable(self._board)
        return is_same_half or len({*self._one.values()}) < self._size

    def _is_plain(self, unknown: list[int]) -> bool:
        """Whether nothing is left to guess: all cells but one show one tile only.

        Of a cell that could show several, those that others show for sure do not count:
        of two numerals one stroke may be all that differs.
        """
        return len(unknown) <= 1 and not self._open(unknown)

    def _open(self, hidden: Sequence[int]) -> list[int]:
        """The cells beside ``hidden`` that leave open which tile they show."""
        shown = [self._possible(cell) for cell in range(self._size)]
        sure = frozenset().union(*(one for one in shown if self._is_one(one)))
        return [
            cell
            for cell, possible in enumerate(shown)
            if cell not in hidden
            and not self._is_one(possible)
            and not self._is_one(possible - sure)
        ]

    def _passed(
        self, near: Board, sliding: tuple[int, ...], unknown: list[int]
    ) -> Board | None:
        """The position that the next tile leaves just now, where another one was known.

        ``near`` is what most agrees with: the tile has left there, or is to arrive.
        ``sliding`` is from where to where it goes, and ``unknown`` are the cells that
        show nothing known.
        """
        origin, target = sliding
        passed = near.slide(target) if near.blank == origin else near
        beside = [cell for cell in unknown if cell not in sliding]
        is_sure = (
            passed != self._board
            and passed.blank == target
            and all(self._is_likely(cell, passed) for cell in beside)
            and not self._open((*sliding, *beside))
            and self._is_reached(passed)
        )
        return passed if is_sure else None

    def _is_likely(self, cell: int, board: Board) -> bool:
        """Whether a cell looks most like the tile that ``board`` has there."""
        found = self._evidence[cell]
        return found is not None and board.cells[cell] in found.likely

    def _learn(self, frame: Image, board: Board, unknown: list[int]) -> None:
        """Know tiles by what they show in a position that is believed.

        That is another look of theirs where it is their figure in other colours, or
        stays where all others are known; what lies over a tile looks like none.
        """
        is_left, since = self._is_plain(unknown), self._now - TUNING.still_seconds
        for cell, label in enumerate(board.cells):
            one = self._evidence[cell]
            if one is None or not label:
                continue
            is_figure = one.is_new and one.labels == {label}
            stays = is_left and not one.labels and self._changed_at[cell] <= since
            stays = stays and self._looks.is_like_a_tile(one.seen)
            if is_figure or stays:
                self._looks.add(frame, self._spot, cell, label)
                labels = frozenset({label})
                known = dataclasses.replace(
                    one, labels=labels, likely=labels, is_new=False
                )
                self._evidence[cell] = known

    def _why_open(self, cells: tuple[int, ...]) -> SeenKind:
        """Tiles move along a line; what covers cells does so anyhow."""
        if self._is_still or not cells:
            return SeenKind.COVERED
        lines = self._kind.aligned(self._board)
        in_line = any(line.issuperset(cells) for line in lines)
        return SeenKind.MOVING if in_line else SeenKind.COVERED

    def _verdict(self, unknown: list[int]) -> _Conclusion:
        """The position that all cells agree with."""
        hidden, anything = set(unknown), set(self._one.values())
        allowed = [self._shown(cell) for cell in range(self._size)]
        for cell in hidden:
            own = {self._one[self._board.cells[cell]]}
            allowed[cell] = own if self._stays(cell) else anything

        def agrees(board: Board) -> bool:
            cells = zip(board.cells, allowed, strict=True)
            return all(self._one[label] in shown for label, shown in cells)

        if agrees(self._board):
            # Where nothing is hidden, an even tile looks like the empty cell: then
            # nothing has moved as far as anyone can see.
            others = [one for one in self._kind.near(self._board) if agrees(one)]
            told = hidden.intersection(differing(self._board, *others))
            return _Conclusion(None if told else self._board, tuple(sorted(told)))
        near, seen = [self._board], {self._board}
        for depth in range(1, min(TUNING.most_depth, self._kind.foresight) + 1):
            nexts = (after for board in near for after in self._kind.near(board))
            near = [one for one in dict.fromkeys(nexts) if one not in seen]
            seen.update(near)
            found = [one for one in near if agrees(one)]
            if found:
                if len({(*self._plain(one.cells),) for one in found}) == 1:
                    far = depth > 1
                    cells = differing(self._board, found[0])
                    return _Conclusion(found[0], cells if far else (), is_far=far)
                nearest = min(found, key=lambda one: len(differing(self._board, one)))
                cells = tuple(unknown) or differing(*found)
                return _Conclusion(None, cells, nearest=nearest)
            if len(near) > TUNING.most_steps:
                break
        return self._far_away(unknown, agrees)

    def _stays(self, cell: int) -> bool:
        """Whether a cell of which something is wrong shows what it did, still.

        No px of it has changed since the last position, and what lies over it would not
        hide that the tile below has gone.
        """
        found, is_same = self._evidence[cell], self._changed_at[cell] <= self._known_at
        return found is not None and found.cost <= TUNING.most_apart and is_same

    def _far_away(
        self, unknown: list[int], agrees: Callable[[Board], bool]
    ) -> _Conclusion:
        """The only position that agrees, however far it is; the fewest changes of equal
        tiles."""
        placed: dict[int, int] = {}
        left = list(self._board.cells)
        # Cells that can be one tile only come first, then those that stayed.
        order = sorted(range(self._size), key=lambda cell: len(self._possible(cell)))
        for cell in order:
            possible = [one for one in left if self._one[one] in self._shown(cell)]
            if cell in unknown or len({*self._plain(possible)}) != 1:
                # It is not for sure which: only if the others leave one.
                continue
            own = self._board.cells[cell]
            placed[cell] = own if own in possible else possible[0]
            left.remove(placed[cell])
        open_cells = tuple(cell for cell in range(self._size) if cell not in placed)
        if len(open_cells) > 2:
            return _Conclusion(None, open_cells)
        fits = set()
        for labels in permutations(left):
            filled = placed | dict(zip(open_cells, labels, strict=True))
            cells = tuple(filled[cell] for cell in range(self._size))
            fits.add(dataclasses.replace(self._board, cells=cells))
        fits = {board for board in fits if agrees(board)}
        if len(fits) > 1:
            fits = {one for one in fits if self._is_reached(one)}
        if len(fits) != 1:
            return _Conclusion(None, open_cells)
        (found,) = fits
        return _Conclusion(found, differing(self._board, found), is_far=True)

    def _plain(self, labels: Iterable[int]) -> list[int]:
        """The labels, with one for all tiles that look the same."""
        return [self._one[label] for label in labels]

    def _sliding(self, frame: Image, board: Board) -> tuple[int, ...]:
        """Two cells between which a tile stands, where ``board`` is nearly the case.

        It is the empty cell that shows how far a tile has come.
        """
        for label, origin, target in on_their_way(self._board, board):
            way = self._looks.way(frame, self._spot, label, origin, target)
            if way in (0.0, 1.0):
                continue
            near = min(way, 1.0 - way)
            if self._is_still and near <= TUNING.still_slide:
                continue
            return origin, target
        return ()

    def _stirs(self, board: Board, unknown: list[int]) -> bool:
        """Whether something where tiles move has not been seen before.

        It may be a tile that begins to slide, or has not quite arrived, or a cursor:
        once it stands still, it is nothing that matters.
        """
        strange = {}
        for cell in self._kind.astir(board).intersection(unknown):
            found = self._evidence[cell]
            if found is not None and not self._is_likely(cell, board):
                strange[cell] = found.seen
        before, self._strange = self._strange, strange
        least = TUNING.still_share * self._looks.far_levels
        return any(
            cell not in before
            or float(np.sqrt(np.square(seen - before[cell]).mean())) > least
            for cell, seen in strange.items()
        )

    # Where the board is.

    def _seek(self, frame: Image) -> Seen:
        """Look for the board elsewhere; if it is nowhere, say what became of it."""
        before, sample = self._seen, frame[::8]
        if before is None or before.is_position:
            self._vain = 0
        elif self._vain and self._is_in_vain(before, sample):
            self._vain += 1
            return before
        self._vain, self._sample = self._vain + 1, sample.copy()
        is_inside = self._spot.is_inside(frame)
        is_here = is_inside and self._is_covered()
        for spot in find_again(self._looks, self._board, frame):
            found = self._settle(frame, spot)
            if found is not None:
                return found
        if not is_here and not (is_inside and self._same_surroundings(frame)):
            return Seen(SeenKind.GONE, self._board)
        if not is_here and self._now > self._stirred:
            return Seen(SeenKind.CHANGED, self._board)
        # Where enough lies as it lay the rest of it is covered, or else all.
        cells = [c for c in range(self._size) if not (is_here and self._possible(c))]
        return Seen(SeenKind.COVERED, self._board, tuple(cells), self._spot.region)

    def _is_in_vain(self, before: Seen, sample: Image) -> bool:
        """Whether to look for the board once more is likely of no use.

        Each time costs as much as ten looks: where some frames were of no use, and all
        changes, every eighth is enough.
        """
        is_due = self._vain <= TUNING.most_vain or not self._vain % 8
        is_gone = before.kind is SeenKind.GONE
        return not is_due or (is_gone and are_same(sample, self._sample))

    def _is_covered(self) -> bool:
        """Whether enough tiles lie where they lay, and the rest is not known."""
        own = [
            cell
            for cell, label in enumerate(self._board.cells)
            if label
            and not self._looks.is_plain(label)
            and self._possible(cell) == {label}
        ]
        return len(own) >= max(2, TUNING.covered_share * self._size)

    def _settle(self, frame: Image, spot: TileGrid) -> Seen | None:
        """Follow the board at another place, if it is there."""
        size = self._size
        if not spot.is_inside(frame) or spot == self._spot:
            return None
        evidence: list[CellSeen] = []
        known = right = 0
        need = TUNING.found_share * size
        for cell, label in enumerate(self._board.cells):
            one = self._looks.at(frame, spot, cell)
            evidence.append(one)
            # Plain ground may be any tile, and says nothing of the place.
            is_told = self._is_one(one.labels)
            known += is_told
            right += is_told and label in one.labels
            # As soon as too few are left this is not the place.
            if min(known, right + 3) + size - 1 - cell < need:
                return None
        if float(np.median([one.cost for one in evidence])) > TUNING.found_apart:
            return None
        self._spot, self._evidence = spot, [*evidence]
        self._around = ring(frame, spot)
        self._last = frame[spot.region.inside].copy()
        self._stirred, self._pending = self._now, None
        unknown = [cell for cell in range(size) if not evidence[cell].labels]
        return self._concluded(frame, unknown, SeenKind.MOVED_TO)

    def _is_one(self, labels: frozenset[int]) -> bool:
        """Whether labels are of one tile, or of tiles that look the same."""
        return len({*self._plain(labels)}) == 1

    def _same_surroundings(self, frame: Image) -> bool:
        now = ring(frame, self._spot)
        if not now.size or now.shape != self._around.shape:
            return False
        apart = np.abs(now.astype(np.int16) - self._around).max(axis=1)
        return bool((apart <= self._looks.far_levels).mean() >= TUNING.same_ring)


def are_same(one: Image, other: Image) -> bool:
    """Whether no px has changed, but for noise."""
    if one.shape != other.shape:
        return False
    return bool(cv2.norm(one, other, cv2.NORM_INF) <= TUNING.noise_levels)
