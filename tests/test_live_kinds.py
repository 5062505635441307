"""Games without an empty cell: what is pressed for a move, and what is seen then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_live_watch import Script, said_of
from vision_scenes import photo, resized

from benchmarks.scenes.played import Frame
from imgpuzzle.core.board import Board, FullBoard, Shape
from imgpuzzle.core.moves import Move, Press, Way
from imgpuzzle.core.reading import (
    BoardNotFoundError,
    Reading,
    Region,
    UncertainReadingError,
)
from imgpuzzle.files.image import Image
from imgpuzzle.live.follower import Follower, SeenKind
from imgpuzzle.live.overlay import move_marks
from imgpuzzle.live.planning import Planner
from imgpuzzle.live.playing import spot_in
from imgpuzzle.live.sight.signs import sign_beside
from imgpuzzle.live.tracking import Tracker
from imgpuzzle.live.tuning import TUNING
from imgpuzzle.puzzles.kind import KINDS, kind_of

SIDE, PAD = 60, 80
SHAPE = Shape(3, 3)
PLACE = Region(PAD, PAD, 3 * SIDE, 3 * SIDE)
GOAL = FullBoard(SHAPE, tuple(range(1, 10)))
UPRIGHT = [
    name for name in KINDS if name != "slide" and kind_of(name).board is FullBoard
]
PICTURE = resized(photo(), 3 * SIDE, 3 * SIDE)


def drawn(board: Board, step: Move | None = None) -> Image:
    """A screen with the board, or one on which half of a move is made."""
    frame = np.full((3 * SIDE + 2 * PAD, 3 * SIDE + 2 * PAD, 3), 230, np.uint8)
    motions = {motion.origin: motion for motion in step.motions} if step else {}
    # Those that move lie on top.
    for cell in sorted(range(9), key=lambda cell: cell in motions):
        places = (motions[cell].at(SHAPE, 0.5) if cell in motions else None) or (
            SHAPE.row_col(cell),
        )
        top, left = (SIDE * at for at in SHAPE.row_col(board.cells[cell] - 1))
        for row, col in places:
            y, x = round(PAD + row * SIDE), round(PAD + col * SIDE)
            frame[y : y + SIDE, x : x + SIDE] = PICTURE[
                top : top + SIDE, left : left + SIDE
            ]
    return frame


def reading(board: Board) -> Reading:
    frame = drawn(board)
    tiles = tuple(
        frame[y : y + SIDE, x : x + SIDE]
        for y in range(PAD, PAD + 3 * SIDE, SIDE)
        for x in range(PAD, PAD + 3 * SIDE, SIDE)
    )
    return Reading(board, GOAL, PLACE, "reference", 9.0, True, tiles=tiles)


@pytest.mark.parametrize("name", UPRIGHT)
def test_every_move_of_a_game_is_seen_and_none_while_it_is_made(name: str) -> None:
    kind = kind_of(name)
    board = kind.scrambled(GOAL, walks=None, seed=4)
    follower = Follower(reading(board), drawn(board), kind)
    now = 0.0
    assert follower.look(drawn(board), now).board == board
    for number, (code, after) in enumerate([*kind.moves(board)][::2]):
        step = kind.move(1, board, code)
        seen = follower.look(drawn(board, step), now := now + 0.05)
        assert not seen.is_position, number
        seen = follower.look(drawn(after), now := now + 0.05)
        assert (seen.kind, seen.board) == (SeenKind.POSITION, after)
        assert step.after == after
        follower.look(drawn(board), now := now + 0.05)


@pytest.mark.parametrize("name", UPRIGHT)
def test_the_first_move_that_is_seen_tells_what_is_played(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(TUNING), "again_seconds", 0.0)
    kind = kind_of(name)
    board = kind.scrambled(GOAL, walks=None, seed=4)
    for _code, after in [*kind.moves(board)][::5]:
        shown = (board, board, after, after)
        frames = (Frame(drawn(one), one, None, 0.0, True, PLACE) for one in shown)
        tracker = Tracker(Script(frames), read=lambda frame, **place: reading(board))
        events = [one for one in said_of(tracker) if one.board is not None]
        asked, told = events
        assert (asked.board, asked.asks_move, asked.plan) == (board, True, None)
        assert (told.board, told.asks_move) == (after, False)
        # Where a move says too little, one that is right whichever it is.
        assert {*tracker.route.kind.near(after)} <= {*kind.near(after)}
        told.plan.solution.verify()
        motions = [step.to_dict()["motions"] for step in told.plan.next_steps()]
        record = told.to_dict()
        assert (record["next"], record["motions"]) == ([], motions)
    assert isinstance(tracker.refused, UncertainReadingError)
    # Kinds whose tiles turn are not followed, and not offered.
    assert "shift, twiddle;" in str(tracker.refused)


def test_a_piece_that_fades_away_is_no_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    """What shows no empty cell is stated once it has stayed so."""
    monkeypatch.setattr(type(TUNING), "again_seconds", 0.0)
    board = kind_of("swap").scrambled(GOAL, walks=None, seed=4)
    other = kind_of("swap").scrambled(GOAL, walks=None, seed=5)
    frames = (Frame(drawn(one), one, None, 0.0, True, PLACE) for one in (board, other))
    said = iter([reading(board)])

    def read(_frame: object, **_place: object) -> Reading:
        for one in said:
            return one
        raise BoardNotFoundError.said("expected a board, found none")

    tracker = Tracker(Script(frames), read=read)
    events = [one for one in said_of(tracker) if one.board is not None]
    assert not events


@pytest.mark.parametrize("name", UPRIGHT)
def test_what_is_pressed_lies_where_the_tiles_are_that_move(name: str) -> None:
    kind = kind_of(name)
    for code, _after in kind.moves(GOAL):
        step = kind.move(1, GOAL, code)
        moved = {SHAPE.row_col(motion.origin) for motion in step.motions}
        assert step.presses
        for presses in step.presses.values():
            for press in presses:
                assert isinstance(press, Press)
                for row, col in (press.at, press.to or press.at):
                    # At most one cell from the next tile that moves.
                    assert min(abs(row - y) + abs(col - x) for y, x in moved) <= 1
        ways = [*step.presses.values()]
        assert len({*ways}) == len(ways)


def test_two_moves_are_never_made_by_the_same_presses() -> None:
    for name in UPRIGHT:
        kind = kind_of(name)
        steps = [kind.move(1, GOAL, code) for code, _after in kind.moves(GOAL)]
        for way in steps[0].presses:
            made = [step.presses[way] for step in steps]
            assert len({*made}) == len(made), (name, way)


@pytest.mark.parametrize("name", UPRIGHT)
def test_after_a_move_of_ones_own_the_way_goes_on_from_there(name: str) -> None:
    kind = kind_of(name)
    board = kind.scrambled(GOAL, walks=6, seed=3)
    planner = Planner(board, GOAL, kind)
    left = planner.plan(board).moves_left
    for _code, other in [*kind.moves(board)][:6]:
        plan = planner.plan(other)
        plan.solution.verify()
        assert plan.solution.start == other
        assert plan.moves_left <= left + 1
        planner.plan(board)


def test_a_click_beside_the_board_needs_a_sign_beside_most_lines() -> None:
    frame = drawn(GOAL)
    beside = (1, -1)
    assert sign_beside(frame, PLACE, SHAPE, beside) is None
    sign = PICTURE[:30, :30]
    others = [(np.indices((30, 30)).sum(0) // step % 2 * 255) for step in (3, 9)]

    def put(row: int, picture: Image) -> None:
        y, x = PAD + row * SIDE + 15, PAD - SIDE + 15
        frame[y : y + 30, x : x + 30] = picture

    put(1, sign)  # a button
    assert sign_beside(frame, PLACE, SHAPE, beside) is None
    put(0, others[0][..., None])
    put(2, others[1][..., None])
    assert sign_beside(frame, PLACE, SHAPE, beside) is None
    put(2, sign)
    put(0, np.minimum(sign, 235) + 20)  # lit up
    assert sign_beside(frame, PLACE, SHAPE, beside) == (1.0, -1.0)
    assert sign_beside(frame, PLACE, SHAPE, (1, 3)) is None
    cut = frame[:, PAD - SIDE // 2 :]
    place = replace(PLACE, left=SIDE // 2)
    assert sign_beside(cut, place, SHAPE, beside) is None
    # A small one close to the tiles, with no room for a cell beside them.
    cut[:, : SIDE // 2] = 230
    for row in range(3):
        y = PAD + row * SIDE + 20
        cut[y : y + 20, 8:28] = sign[5:25, 5:25]
    middle = sign_beside(cut, place, SHAPE, beside)
    assert middle is not None
    assert spot_in(place, SHAPE, middle) == (18, PAD + SIDE + 30)


def test_the_other_button_is_the_other_way_about() -> None:
    kind = kind_of("twiddle")
    (_, one), (_, other) = [*kind.moves(GOAL)][:2]
    steps = [kind.move(1, GOAL, code) for code, _after in [*kind.moves(GOAL)][:2]]
    assert steps[0].presses[Way.CLICK] == steps[1].presses[Way.OTHER_CLICK]
    assert steps[1].presses[Way.CLICK] == steps[0].presses[Way.OTHER_CLICK]
    assert one != other


@pytest.mark.parametrize("name", UPRIGHT)
def test_the_overlay_marks_all_tiles_that_move(name: str) -> None:
    kind = kind_of(name)
    code, _after = next(iter(kind.moves(GOAL)))
    step = kind.move(1, GOAL, code)
    _picture, mask = move_marks(PLACE, [step])
    for cell in range(9):
        y, x = (SIDE * at for at in SHAPE.row_col(cell))
        edge = mask[y, x + 2 : x + SIDE - 2]
        assert edge.all() == (cell in {m.origin for m in step.motions}), cell
