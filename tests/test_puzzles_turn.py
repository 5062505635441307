"""Tiles that turn: lengths against a full search, texts, and what pictures show."""

from __future__ import annotations

import dataclasses
import pickle
import random
from pathlib import Path

import naive
import numpy as np
import pytest
from cli_support import SAMPLES, error_line, run
from hypothesis import given
from hypothesis import strategies as st

import imgpuzzle
from imgpuzzle import FullBoard, Guide, InvalidBoardError, Shape
from imgpuzzle.core.board import TurnedBoard
from imgpuzzle.core.moves import Turn, Way
from imgpuzzle.core.naming import Naming
from imgpuzzle.puzzles.kind import KINDS, kind_of
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import (
    Drawing,
    render_animation,
    render_at_once,
    render_steps,
)
from imgpuzzle.render.sheets.text import moves_markdown

Lies = tuple[tuple[int, int], ...]
"""Of each cell the tile, and its quarter turns."""


def distances(goal: Lies, kind: str) -> dict[Lies, int]:
    """How many clicks and swaps all positions are from a goal."""
    # Backwards: a click turns clockwise.
    ways = (-1, 1) if kind == "turn-both" else (-1,)

    def moved(lies: Lies) -> list[Lies]:
        turned = [
            (*lies[:cell], (tile, (turn + way) % 4), *lies[cell + 1 :])
            for cell, (tile, turn) in enumerate(lies)
            for way in ways
        ]
        return [*turned, *(naive.exchanged(lies) if kind == "turn-swap" else ())]

    return naive.reached(goal, moved)


def board_of(lies: Lies) -> TurnedBoard:
    cells, turns = zip(*lies, strict=True)
    return TurnedBoard(Shape(1, len(lies)), cells, turns)


@pytest.mark.parametrize("kind", ["turn", "turn-both", "turn-swap"])
@pytest.mark.parametrize(
    "goal",
    [
        ((1, 0), (2, 0), (3, 0)),
        ((1, 0), (1, 0), (2, 0)),
        ((1, 1), (2, 3), (3, 0)),
        ((1, 1), (1, 0), (2, 0)),
    ],
)
def test_lengths_are_those_of_a_full_search(kind: str, goal: Lies) -> None:
    found = distances(goal, kind)
    proven = 0
    for lies, length in found.items():
        solution = imgpuzzle.solve(board_of(lies), board_of(goal), puzzle=kind)
        assert solution.lower_bound <= length <= solution.length
        proven += solution.is_optimal
    is_plain = len({turn for _tile, turn in goal}) == 1 or len(dict(goal)) == 3
    assert proven == len(found) or not is_plain


@pytest.mark.parametrize("kind", ["turn", "turn-both", "turn-swap"])
def test_all_positions_are_counted_as_a_full_search_counts_them(kind: str) -> None:
    goal = ((1, 0), (2, 0), (3, 0))
    found = list(distances(goal, kind).values())
    counts = [(far, found.count(far)) for far in range(max(found) + 1)]
    assert list(kind_of(kind).depths(Shape(1, 3)) or ()) == counts


@given(st.data())
def test_solutions_are_replayed_and_texts_read_back(data: st.DataObject) -> None:
    shape = Shape(*data.draw(st.sampled_from([(2, 2), (3, 4), (1, 9), (6, 6)])))
    kind = kind_of("turn-swap")
    goal = kind.layout(shape, "row", None)
    start = kind.scrambled(goal, walks=None, seed=data.draw(st.integers(0, 99)))
    assert isinstance(start, TurnedBoard)
    assert TurnedBoard.parse(start.one_line(), shape=shape) == start
    assert TurnedBoard.parse(str(start), shape=shape) == start
    solution = imgpuzzle.solve(start, puzzle="turn-swap")
    cells, turns = list(start.cells), list(start.turns)
    count = 0
    for step in solution.steps():
        one, *others = step.motions
        if others:
            assert (one.origin, one.target) == (others[0].target, others[0].origin)
            for row in (cells, turns):
                row[one.origin], row[one.target] = row[one.target], row[one.origin]
            count += 1
        else:
            assert one.origin == one.target
            turns[one.origin] = (turns[one.origin] + one.turn) % 4
            count += one.turn
    assert (tuple(cells), set(turns)) == (goal.cells, {0})
    assert count == solution.length == solution.lower_bound
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_walks_and_seeds_make_boards_that_can_be_solved() -> None:
    for kind in ("turn", "turn-both", "turn-swap"):
        shown = run("scramble", "--puzzle", kind, "--grid", "3x3", "--seed", "3").stdout
        assert run("check", "--puzzle", kind, shown).exit_code == 0
        words = ("scramble", "--puzzle", kind, "--grid", "3x3", "--seed", "3")
        walked = run(*words, "--method", "walk", "--walks", "4").stdout
        board = TurnedBoard.parse(walked)
        assert 0 < imgpuzzle.solve(board, puzzle=kind).length <= 12


def test_turned_tiles_are_told_where_no_tile_turns() -> None:
    said = error_line(run("solve", "2r 1 / 3 4"), 2)
    names = [name for name in KINDS if kind_of(name).board is TurnedBoard]
    assert said.endswith(f"one of {', '.join(names)}")
    with pytest.raises(InvalidBoardError, match="upright"):
        FullBoard.of(TurnedBoard.parse("1 2l"))
    assert FullBoard.of(TurnedBoard.parse("1 2")) == FullBoard.parse("1 2")
    for wrong in ("1rr 2", "1x 2", "r 2", "0r 1", "1.5r 2"):
        with pytest.raises(InvalidBoardError):
            TurnedBoard.parse(wrong)
    with pytest.raises(InvalidBoardError):
        TurnedBoard(Shape(1, 2), (1, 2), (0, 4))


def test_a_click_of_the_other_button_turns_back() -> None:
    solution = imgpuzzle.solve("1r 2d 3l 4", puzzle="turn-both")
    assert (solution.length, solution.move_count, solution.is_optimal) == (4, 4, True)
    back, twice, once = solution.steps()
    assert "anticlockwise once" in back.words()
    assert "clockwise twice" in twice.words()
    assert "anticlockwise" not in once.words()
    for step, clicks in ((back, 1), (twice, 2), (once, 1)):
        assert [len(presses) for presses in step.presses.values()] == [clicks, clicks]
    (left,), (right,) = (step.presses[Way.CLICK] for step in (once, back))
    assert (left.is_right, right.is_right) == (False, True)
    assert [*solution.steps()][-1].after == solution.goal


def test_pictures_show_each_position_and_end_at_the_picture() -> None:
    rng = random.Random(2)
    picture = np.array(
        [
            [[rng.randrange(256) for _ in range(3)] for _ in range(90)]
            for _ in range(90)
        ],
        np.uint8,
    )
    solution = imgpuzzle.solve("2r 1 3d / 4 5l 6 / 7 8 9", puzzle="turn-swap")
    guide = Guide(solution, picture=picture)
    style = Style(caption="none", outline="never", arrow=False)
    shown = list(render_steps(solution, guide.tileset, style))
    boards = [solution.start, *(step.after for step in solution.steps())]
    assert len(shown) == len(boards) == solution.run_count + 1
    for drawn, board in zip(shown, boards, strict=True):
        assert isinstance(board, TurnedBoard)
        for cell, (label, turn) in enumerate(
            zip(board.cells, board.turns, strict=True)
        ):
            (top, left), (row, col) = (divmod(one, 3) for one in (cell, label - 1))
            part = drawn[30 * top : 30 * top + 30, 30 * left : 30 * left + 30]
            own = picture[30 * row : 30 * row + 30, 30 * col : 30 * col + 30]
            np.testing.assert_array_equal(part, np.rot90(own, -turn))
    *_, last = render_animation(solution, guide.tileset, style)
    np.testing.assert_array_equal(last.picture, picture)


def test_a_tile_on_its_way_leaves_bare_ground_and_is_seen_aslant() -> None:
    solution = imgpuzzle.solve("1d 2 / 3 4", puzzle="turn")
    tiles = TileSet.numbered(solution.start, tile_px=60)
    style = dataclasses.replace(Style(), caption="none", slide_frames=3)
    shown = render_animation(solution, tiles, style)
    frames = [frame.picture.copy() for frame in shown]
    corner = frames[-1][0, 0]
    assert any((frame[0, 0] != corner).any() for frame in frames[2:-1])
    (step,) = solution.steps()
    assert step.marks[1] == Turn(0, 0, 1, times=2)


def test_oblong_pictures_are_cut_square_where_tiles_turn_by_quarters() -> None:
    picture = np.zeros((60, 120, 3), np.uint8)
    turned = imgpuzzle.solve_board("1r 2 / 3 4", puzzle="turn", picture=picture)
    assert turned.tileset.tile_width == turned.tileset.tile_height
    halves = imgpuzzle.solve_board("1d 2 / 3 4", puzzle="turn", picture=picture)
    assert (halves.tileset.tile_width, halves.tileset.tile_height) == (60, 30)


def test_a_folder_has_all_moves_in_one_picture(tmp_path: Path) -> None:
    board = TurnedBoard.parse("1r 2 3d / 4 5l 6 / 7 8 9")
    guide = imgpuzzle.solve_board(board, puzzle="turn")
    folder = tmp_path / "turn"
    names = {path.name for path in guide.save(folder)}
    assert "all_moves.png" in names
    style = Style(caption="none")
    drawn = render_at_once(Drawing(guide.solution, guide.tileset, style))
    start = next(
        render_steps(
            guide.solution,
            guide.tileset,
            Style(caption="none", arrow=False, outline="never", brighten=0),
        )
    )
    for cell, turn in enumerate(board.turns):
        place = guide.tileset.region(cell)
        part = np.s_[place.top : place.bottom, place.left : place.right]
        assert np.array_equal(drawn[part], start[part]) == (turn == 0), cell
    for kind in ("turn-swap", "twiddle"):
        shown = imgpuzzle.solve("2 1 3 / 4 5 6 / 7 8 9", puzzle=kind)
        assert not shown.is_shown_at_once


@pytest.mark.slow
def test_a_drawn_board_of_turned_tiles_is_read(tmp_path: Path) -> None:
    """Also where the picture has lines of its own, and its tiles are large."""
    picture, drawn = str(SAMPLES / "emblem_reference.png"), str(tmp_path / "drawn.png")
    kind = ("--puzzle", "turn")
    given = ("--grid", "3x3", "--image", picture, "--seed", "5", "--output", drawn)
    made = run("scramble", *kind, *given)
    found = run("read", drawn, *kind)
    assert (found.exit_code, found.stderr) == (0, "")
    assert all(f"  {line}  " in found.stdout for line in made.stdout.splitlines())


def test_an_id_of_tiles_with_a_way_up_is_read_wherever_a_board_is() -> None:
    words = ("--puzzle", "twiddle-turn")
    made = run(
        "scramble", *words, "--grid", "2x3", "--seed", "1", "--id"
    ).stdout.strip()
    assert made.startswith("3x2n2o:")
    told = [
        run("hint", made, *words),
        run("hint", "--board", made, *words),
        run("hint", "-", *words, stdin=made),
    ]
    assert [one.exit_code for one in told] == [0, 0, 0], told[0].stderr
    assert len({one.stdout for one in told}) == 1
    done = run("check", made, *words, "--goal", made)
    assert (done.exit_code, "solvable   yes" in done.stdout) == (0, True)


def test_blocks_that_tilt_their_tiles_are_solved_and_have_ids() -> None:
    kind = kind_of("twiddle-turn")
    for shape in (Shape(2, 3), Shape(3, 3), Shape(4, 2), Shape(4, 4)):
        goal = kind.layout(shape, "row", None)
        for seed in range(3):
            start = kind.scrambled(goal, walks=None, seed=seed)
            assert kind.why_not(start, goal) is None
            solution = imgpuzzle.solve(start, goal, puzzle="twiddle-turn")
            solution.verify()
            assert solution.lower_bound <= solution.length
    # From the words of the game: the tops of these four point to the right.
    goal = kind.layout(Shape(2, 2), "row", None)
    step = kind.move(1, goal, 0)
    assert kind.game_id(step.after) == "2x2n2o:3r1r4r2r"
    # The cell says whether a turn is odd, and all turns together are whole ones.
    for text in ("1r 2 3 / 4 5 6 / 7 8 9", "1r 2r 3r / 4r 5 6 / 7 8 9"):
        start = TurnedBoard.parse(text)
        assert kind.why_not(start, kind.layout(start.shape, "row", None)) is not None
    assert (
        kind.why_not(
            TurnedBoard.parse("1d 2d 3 / 4 5 6 / 7 8 9"),
            kind.layout(Shape(3, 3), "row", None),
        )
        is None
    )


@pytest.mark.parametrize("name", ["slide", "shift", "twiddle", "twiddle-turn"])
def test_ids_of_a_thousand_boards_are_read_back(name: str) -> None:
    kind = kind_of(name)
    for seed in range(1_000):
        shape = Shape(2 + seed % 7, 2 + seed // 7 % 7)
        goal = kind.layout(shape, "row", None)
        board = kind.scrambled(goal, walks=5, seed=seed)
        told = kind.game_id(board)
        assert told.startswith(f"{shape.cols}x{shape.rows}")
        assert kind.board.parse(told) == board


def test_tables_of_boards_say_how_tiles_lie() -> None:
    solution = imgpuzzle.solve("1 2r / 3d 4l", puzzle="turn")
    lines = moves_markdown(solution, Naming()).splitlines()
    assert "| **1** |     1 |    2r |" in lines
    assert "| **2** |    3d |    4l |" in lines
