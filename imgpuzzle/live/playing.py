"""``Player``: makes the moves of a solution in a running game, looking after each.

It knows nothing of the game. How a tile is moved is found out by trying one move and
looking; every later move starts from what the newest frame shows, so moves that were
lost, doubled or made by somebody else only change what is left to do.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.moves import Key, Move, Press, Presses, Way, differing
from imgpuzzle.core.reading import Region
from imgpuzzle.errors import NoEffectError, SourceLostError, TakenOverError, UsageError
from imgpuzzle.live.follower import Seen, SeenKind
from imgpuzzle.live.hands import LEFT, RIGHT, Hands, Spot, Under
from imgpuzzle.live.sight.signs import sign_beside
from imgpuzzle.live.tracking import Tracker
from imgpuzzle.messages import Happening, LiveFault, Message

CAPTCHAS = "captcha", "not a robot", "you are human", "you are a human"
"""What titles of pages say that tell people from programs: those are left alone."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The numbers that decide while a game is played.

    Attributes:
        patience_seconds: So long nothing happens after a move until it counts as having
            had no effect. Longer than any animation that was seen. A game that was
            slower once gets four times what it took, and twice as much each time that
            a way of moving turns out to be another's.
        most_patience_seconds: But no more than that.
        patience_looks: So many frames are looked at before that, so that a busy machine
            is not taken for a game that does nothing.
        vain_moves: After so many moves in a row without effect, all ways of moving are
            tried once more, and when none of them moves a tile, it stops. One is enough
            while the way is not proven: what moved the first tile may have been an
            earlier action that came late.
        tries: So often each way of moving is tried in the beginning, and a click on a
            far tile, because one click may be lost.
        gone_seconds: So long a board may be gone, or another one, until it stops:
            windows fade and are restored.
        covered_seconds: The same for a board that is covered.
        surprise_looks: So many frames in a row have to show a position that no move of
            ours leads to.
        drawn_seconds: So long after its window was moved, or made larger or smaller, a
            game may show what it had drawn before: nothing is clicked.
        marked_seconds: So long a tile on which something seems to lie is not
            clicked. What looks so for longer is a light or a mark of the game.
        last_looks: After the last move, so many frames without a position let it look
            whether the goal is there and the game has laid something over it.
        pause_seconds: Between two looks when nothing has changed.
        press_seconds: Between two presses of one move.
    """

    patience_seconds: float = 1.5
    most_patience_seconds: float = 12.0
    patience_looks: int = 12
    vain_moves: int = 3
    tries: int = 2
    gone_seconds: float = 10.0
    covered_seconds: float = 120.0
    last_looks: int = 3
    surprise_looks: int = 4
    drawn_seconds: float = 0.3
    marked_seconds: float = 0.5
    pause_seconds: float = 0.01
    press_seconds: float = 0.15


TUNING = Tuning()


@dataclass(slots=True)
class PlayRecord:
    """What was done, for reports and tests.

    Attributes:
        way: How tiles are moved; ``None`` until one seems to be.
        lines: Whether one click moves several tiles; ``None`` until it was tried.
        actions: Clicks, drags and keys that were made.
        moves: Tiles that were moved by them, one by one.
        lost: Actions without effect.
        surprises: Positions that were seen and not expected.
        plans: How often the rest was planned anew.
        looks: Frames that were looked at.
        rereads: Frames that were read anew, because tiles were not recognised.
        moves_left: Of the present plan.
        closed: Whether the game closed its board after the last move, so that the goal
            was not seen.
    """

    way: Way | None = None
    lines: bool | None = None
    actions: int = 0
    moves: int = 0
    lost: int = 0
    surprises: int = 0
    plans: int = 0
    looks: int = 0
    rereads: int = 0
    moves_left: int = 0
    closed: bool = False


def spot_in(region: Region, shape: Shape, place: tuple[float, float]) -> Spot:
    """A place by its row and column, as x and y in px of the frame."""
    row, col = place
    x = region.left + math.floor((2 * col + 1) * region.width / (2 * shape.cols))
    y = region.top + math.floor((2 * row + 1) * region.height / (2 * shape.rows))
    return x, y


class Player:
    """Plays one board to its goal.

    ``speed`` is how many actions a second at most; 0 for as many as the game shows.
    ``tell`` is called with what happens, and the record until then.
    """

    def __init__(
        self,
        tracker: Tracker,
        hands: Hands,
        *,
        speed: float = 0.0,
        tell: Callable[[Happening, PlayRecord], None] = lambda what, record: None,
        tuning: Tuning = TUNING,
    ) -> None:
        self.record = PlayRecord()
        self._tracker = tracker
        self._hands = hands
        self._tuning = tuning
        self._tell = tell
        self._between = 1.0 / speed if speed else 0.0
        self._acted = 0.0
        self._slowest = 0.0
        self._goal = tracker.route.goal
        self._shape = tracker.reading.shape
        self._here: Board = self._goal
        self._steps: tuple[Move, ...] = ()
        # The window that was clicked first, where it is now, and since when.
        self._window: int | None = None
        self._under: Under | None = None
        self._under_since = -math.inf
        self._far_tries = 0
        self._vain = 0
        self._patience = tuning.patience_seconds
        # How the last tile was moved, and the last two in a row.
        self._believed: Way | None = None
        self._proven: Way | None = None
        self._is_second_search = False
        # The ways that are left to try where none is known.
        self._untried: list[Way] | None = None
        self._refused = 0.0
        self._is_complete = False

    def play(self) -> PlayRecord:
        """Make moves until the goal is on the screen.

        Raises:
            TakenOverError: When somebody else moved the pointer or pressed a key.
            NoEffectError: When the game does not do what the moves should do.
            SourceLostError: When window or board are gone.
            UnsolvableError: When a position was seen that leads to no goal.
        """
        self._hands.settle()
        seen = self._steady()
        while not self._is_complete and self._board(seen) != self._goal:
            if self._wait_for_turn():
                seen = self._steady()
                continue
            self._plan(self._board(seen))
            seen = self._go_on(seen, self._way_to_try())
        self.record.moves_left = 0
        is_seen = not self.record.closed
        self._tell(Happening.SOLVED if is_seen else Happening.CLOSED, self.record)
        return self.record

    def move_count(self) -> int:
        """How many moves are left from what was seen last.

        Raises:
            UnsolvableError: When no way leads to the goal.
        """
        self._plan(self._board(self._tracker.seen))
        return self.record.moves_left

    # What is seen

    def _board(self, seen: Seen) -> Board:
        """The position, with one label for tiles that look the same."""
        return self._tracker.route.plain(seen.board)

    def _look(self) -> Seen:
        """The newest frame; ends the game when somebody else uses the mouse."""
        if self._hands.is_disturbed():
            raise TakenOverError.said(LiveFault.TAKEN_OVER)
        seen = self._tracker.look()
        self.record.looks += 1
        self.record.rereads = self._tracker.rereads
        return seen

    def _steady(self) -> Seen:
        """The next frame that shows a position."""
        began = time.monotonic()
        is_told = False
        while True:
            seen = self._look()
            if seen.is_position:
                if is_told:
                    self._tell(Happening.BACK, self.record)
                return seen
            waited = time.monotonic() - began
            self._check_waiting(seen, waited)
            if not is_told and waited > self._tuning.patience_seconds:
                is_told = True
                self._tell(Happening.COVERED, self.record)
            time.sleep(self._tuning.pause_seconds)

    def _check_waiting(
        self, seen: Seen, waited: float, *, is_last: bool = False
    ) -> None:
        if self._tracker.is_reading:
            # What is being read just now may tell where it is.
            return
        fault = {
            SeenKind.GONE: LiveFault.BOARD_GONE,
            SeenKind.CHANGED: LiveFault.OTHER_PUZZLE,
        }.get(seen.kind)
        fault = LiveFault.GONE_IN_THE_END if is_last else fault
        if fault is not None and waited > self._tuning.gone_seconds:
            raise SourceLostError(Message(fault))
        most = self._tuning.covered_seconds
        if waited > most:
            raise SourceLostError.said(LiveFault.STAYS_COVERED, seconds=int(most))

    # What is to be done

    def _plan(self, board: Board) -> None:
        """Know the next move on the way to the goal, and those of one slide with it."""
        plan = self._tracker.route.plan(board)
        self.record.plans += plan.is_deviation
        self._here, self._steps = board, next(plan.solution.slides(), ())
        self.record.moves_left = plan.moves_left

    # How it is done

    def _way_to_try(self) -> Way:
        """The way that is known, or else each in turn until one works."""
        presses, way = self._steps[0].presses, self.record.way
        if way is not None and way in presses:
            return way
        if self._untried is None:
            tries = 1 if self._is_second_search else self._tuning.tries
            self._untried = tries * [*presses]
        if self._untried:
            return self._untried.pop(0)
        if self._is_second_search:
            raise NoEffectError.said(LiveFault.NO_EFFECT, count=self._vain)
        raise NoEffectError.said(LiveFault.NO_WAY)

    def _go_on(self, seen: Seen, way: Way) -> Seen:
        """One action in a way, and what the game shows then."""
        before, is_known = self._here, way is self.record.way
        count = len(self._steps)
        if way is not Way.CLICK or not is_known or self.record.lines is False:
            count = 1
        step = self._steps[count - 1]
        wanted, presses = step.after, step.presses[way]
        if not is_known and not self._is_allowed(seen, presses):
            return seen
        is_done = self._act(seen, step, presses)
        seen = self._after(before, wanted) if is_done else self._steady()
        found = wanted if self._is_complete else self._board(seen)
        # What comes although nothing was done is no way's: an earlier click's, say.
        if found == wanted and (is_done or is_known):
            self.record.way = way
            if count > 1:
                self.record.lines = True
            self._moved(count)
        elif found != before:
            if is_known:
                self._vain = 0
            elif is_done:
                # A key for the tile that moved the blank instead, or somebody else's
                # move: then the next one shows it.
                self.record.way = self._way_of(before, found, presses)
            self.record.surprises += 1
            self._untried = None
            self._tell(Happening.OTHER, self.record)
        elif is_done:
            self.record.lost += 1
            if is_known:
                self._count_vain(count)
        return seen

    def _way_of(self, before: Board, found: Board, made: Presses) -> Way | None:
        """The way in which what was made is the move that was found, if any is."""
        kind = self._tracker.route.kind
        for code, after in kind.moves(before):
            if after == found:
                presses = kind.move(1, before, code).presses
                return next((way for way in presses if presses[way] == made), None)
        return None

    def _moved(self, count: int) -> None:
        """The way that is believed has moved so many tiles, and is proven if twice."""
        way = self.record.way
        self.record.moves += count
        self.record.moves_left -= count
        if self._proven is not way and self._believed is way:
            self._proven = way
            self._tell(Happening.WAY, self.record)
        self._believed = way
        self._vain, self._untried = 0, None
        self._is_second_search = False
        self._tell(Happening.MOVED, self.record)

    def _count_vain(self, count: int) -> None:
        """An action for ``count`` tiles, in the way that is known, had no effect."""
        if count > 1 and self.record.lines is None:
            self._far_tries += 1
            if self._far_tries >= self._tuning.tries:
                self.record.lines = False
            return
        self._vain += 1
        self._tell(Happening.LOST, self.record)
        is_proven = self._proven is self.record.way
        if self._vain >= (self._tuning.vain_moves if is_proven else 1):
            # What moved the first tile may have been another way's, and come late.
            self.record.way = self._believed = None
            self._patience = min(2 * self._patience, self._tuning.most_patience_seconds)
            self._is_second_search = is_proven or self._is_second_search

    def _wait_for_turn(self) -> bool:
        """Sleep as the speed asks for; whether the newest frame is old after that."""
        wait = self._acted + self._between - time.monotonic()
        if wait <= 0:
            return False
        time.sleep(wait)
        return True

    def _act(self, seen: Seen, step: Move, presses: Presses) -> bool:
        """Make a move; false when nothing could be done safely.

        What is under its places is asked before a frame is had that shows it there, and
        again in the moment of the click: so the frame shows what is clicked.
        """
        board, places = seen.board, list(_places(step, presses))
        cells = {cell for place in places for cell in _cells_at(self._shape, place)}
        while seen.board == board:
            spots = self._on_screen(seen, places)
            unders = [self._hands.under(spot) for spot in spots]
            is_drawn = self._is_drawn(unders[0])
            seen = self._steady()
            is_there = seen.board == board and self._on_screen(seen, places) == spots
            if not is_drawn or not is_there:
                continue
            if self._window is None:
                self._check_title(spots[0])
            has_keys = any(isinstance(press, Key) for press in presses)
            is_heard = not has_keys or self._hands.is_heard(spots[0])
            is_free = is_heard and all(map(self._is_free, unders))
            is_free = is_free and self._is_allowed(seen, presses)
            if not is_free or (cells & {*seen.cells} and not self._is_a_mark()):
                # Something lies over it that would get the click, or the key. A cell
                # that only looks so for long has another look: a light, a mark.
                self._refuse()
                return False
            self._refused = 0.0
            if self._hands.is_disturbed():
                raise TakenOverError.said(LiveFault.TAKEN_OVER)
            self._acted = time.monotonic()
            if self._is_made(presses, dict(zip(places, spots, strict=True)), unders):
                self.record.actions += 1
                return True
        return False

    def _is_made(
        self,
        presses: Presses,
        spots: dict[tuple[float, float], Spot],
        unders: list[Under | None],
    ) -> bool:
        """Make one press after the other; whether the first of them was made."""
        for number, (press, under) in enumerate(zip(presses, unders, strict=False)):
            if number:
                time.sleep(self._tuning.press_seconds)
                if self._hands.is_disturbed():
                    raise TakenOverError.said(LiveFault.TAKEN_OVER)
            if isinstance(press, Key):
                self._hands.press(press.arrow)
                continue
            at, button = spots[press.at], RIGHT if press.is_right else LEFT
            if press.to is None:
                is_made = self._hands.click(at, under, button)
            else:
                is_made = self._hands.drag(at, spots[press.to], under)
            if not is_made:
                return number > 0
        return True

    def _is_allowed(self, seen: Seen, presses: Presses) -> bool:
        """Whether all is pressed on the board, or on a sign that belongs to it.

        Beside the board lie buttons of all sorts; a sign stands beside each line.
        """
        frame, shape = self._tracker.frame, self._shape
        outer = (
            press.at
            for press in presses
            if isinstance(press, Press) and not _cells_at(shape, press.at)
        )
        region = seen.region
        return region is not None and all(
            sign_beside(frame, region, shape, place) for place in outer
        )

    def _is_drawn(self, under: Under | None) -> bool:
        """Whether a window has been where it is for long enough to be drawn there."""
        now = time.monotonic()
        if under != self._under:
            self._under_since = -math.inf if self._under is None else now
            self._under = under
        return now - self._under_since >= self._tuning.drawn_seconds

    def _refuse(self) -> None:
        """Wait until another window is gone, but not for ever."""
        now = time.monotonic()
        self._refused = self._refused or now
        most = self._tuning.covered_seconds
        if self.record.way is not None and now - self._refused > most:
            raise SourceLostError.said(LiveFault.STAYS_COVERED, seconds=int(most))
        time.sleep(self._tuning.pause_seconds)

    def _is_a_mark(self) -> bool:
        """Whether what seems to lie on a tile has been there for long."""
        waited = time.monotonic() - self._refused if self._refused else 0.0
        return waited > self._tuning.marked_seconds

    def _on_screen(self, seen: Seen, places: list[tuple[float, float]]) -> list[Spot]:
        """Where places of the board are, as hands count."""
        frame, region, shape = self._tracker.frame, seen.region, self._shape
        assert region is not None
        source = self._tracker.source
        (left, top), scale = source.origin, source.scale
        spots = []
        for place in places:
            if not _cells_at(shape, place):
                place = sign_beside(frame, region, shape, place) or place
            x, y = spot_in(region, shape, place)
            spots.append((left + int(x / scale), top + int(y / scale)))
        return spots

    def _check_title(self, spot: Spot) -> None:
        """Raise where the page about to be clicked says that people are told by it."""
        title = self._hands.title(spot)
        if any(word in title.casefold() for word in CAPTCHAS):
            raise UsageError.said(LiveFault.CAPTCHA, title=title)

    def _is_free(self, under: Under | None) -> bool:
        """Whether the window there is the one that was clicked first."""
        window = None if under is None else under.window
        if self._window is None:
            self._window = window
        return window == self._window

    def _after(self, before: Board, wanted: Board) -> Seen:
        """What the game shows once an action has had its effect, or had time for it."""
        began = time.monotonic()
        most = self._tuning.most_patience_seconds
        patience = min(max(self._patience, 4 * self._slowest), most)
        looks = others = others_seen = 0
        other: Board | None = None
        while True:
            try:
                seen = self._look()
                waited = time.monotonic() - began
                if not seen.is_position:
                    is_last = wanted == self._goal
                    self._check_waiting(seen, waited, is_last=is_last)
            except SourceLostError:
                if not self._is_last(before, wanted):
                    raise
                self._is_complete = self.record.closed = True
                return self._tracker.seen
            if seen.is_position:
                looks += 1
                found = self._board(seen)
                if found not in (before, wanted):
                    # Nothing that was done leads there: it has to stay for a while.
                    others_seen = others_seen + 1 if found == other else 1
                    other = found
                    if others_seen >= self._tuning.surprise_looks:
                        return seen
                elif found == wanted:
                    self._slowest = max(self._slowest, waited)
                    return seen
                if waited > patience and looks >= self._tuning.patience_looks:
                    return seen
            else:
                others += 1
                is_late = others >= self._tuning.last_looks
                if is_late and wanted == self._goal and self._shows_goal(before):
                    self._is_complete = True
                    return seen
            time.sleep(self._tuning.pause_seconds)

    def _is_last(self, before: Board, wanted: Board) -> bool:
        """Whether the move that was made is known to solve the board.

        Games close their board then. The way to move is proven, and so is that several
        tiles go with one click where that was one.
        """
        is_right = self._proven is self.record.way is not None
        is_one = bool(self._steps) and wanted == self._steps[0].after
        is_sure = is_one or self.record.lines is True
        return wanted == self._goal and is_right and is_sure

    def _shows_goal(self, before: Board) -> bool:
        """Whether the tiles that were to move last lie at home now.

        Many games then show the missing piece, too, or lay words over the board, which
        a follower takes for another board. No cell may show another cell's tile.
        """
        shown = self._tracker.follower.tiles_in(self._tracker.frame)
        at_home = set()
        for cell, label in enumerate(self._goal.cells):
            found = {self._tracker.route.labels[one] for one in shown.get(cell, ())}
            if label and found and label not in found:
                return False
            if label and found:
                at_home.add(cell)
        moved = {one for one in differing(before, self._goal) if self._goal.cells[one]}
        return moved <= at_home and 2 * len(at_home) >= self._shape.size - 1


def _places(step: Move, presses: Presses) -> Iterator[tuple[float, float]]:
    """Where each press is made, and then where drags end; of keys where the tile is."""
    for press in presses:
        yield press.at if isinstance(press, Press) else step.shape.row_col(step.origin)
    for press in presses:
        if isinstance(press, Press) and press.to is not None:
            yield press.to


def _cells_at(shape: Shape, place: tuple[float, float]) -> set[int]:
    """The cells at a place; several where it lies between them, none beside all."""
    (top, low), (left, right) = ((math.floor(at), math.ceil(at)) for at in place)
    if top < 0 or left < 0 or low >= shape.rows or right >= shape.cols:
        return set()
    return {shape.cell(row, col) for row in (top, low) for col in (left, right)}
