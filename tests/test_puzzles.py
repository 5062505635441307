"""Kinds of puzzles: lengths against a full search, and what all files make of moves."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import naive
import numpy as np
import pytest
from cli_support import error_line, run
from hypothesis import given
from hypothesis import strategies as st
from test_vision_whole import complete

import imgpuzzle
from imgpuzzle import (
    Board,
    FullBoard,
    Guide,
    Shape,
    UncertainReadingError,
    UnsolvableError,
    UsageError,
)
from imgpuzzle.core.moves import Arrow, Frame, carried
from imgpuzzle.core.naming import Naming
from imgpuzzle.files.image import save_image
from imgpuzzle.puzzles.cycles import most_cycles
from imgpuzzle.puzzles.kind import KINDS, kind_of
from imgpuzzle.render.drawing.painter import keyframes, timeline
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.frames import render_steps

BOARD = "2 1 3 / 4 5 6 / 8 7 9"
PACKAGE = Path(imgpuzzle.__file__).parent


def swaps(cells: tuple[int, ...], goal: tuple[int, ...]) -> tuple[int, int]:
    """How many swaps are found, and how many are proven to be needed."""
    shape = Shape(1, len(cells))
    cycles, most = most_cycles(FullBoard(shape, cells), FullBoard(shape, goal))
    wrong = sum(map(len, cycles))
    return wrong - len(cycles), wrong - most


@pytest.mark.parametrize(
    "goal",
    [
        *((1, 2, 3, 4, 5, 6), (1, 1, 1, 2), (1, 1, 2, 2, 3, 3)),
        *((1, 2, 2, 3, 3, 3), (1, 1, 2, 2, 3, 3, 4)),
    ],
)
def test_swaps_are_as_few_as_a_full_search_says(goal: tuple[int, ...]) -> None:
    found = naive.reached(goal, naive.exchanged)
    for cells, length in found.items():
        assert swaps(cells, goal) == (length, length)


@given(st.data())
def test_a_solution_is_replayed_and_claims_no_more_than_is_so(
    data: st.DataObject,
) -> None:
    shape = Shape(*data.draw(st.sampled_from([(2, 2), (3, 4), (5, 8), (1, 7)])))
    most = data.draw(st.integers(2, shape.size))
    labels = st.lists(st.integers(1, most), min_size=shape.size, max_size=shape.size)
    goal = FullBoard(shape, tuple(data.draw(labels)))
    start = FullBoard(shape, tuple(data.draw(st.permutations(goal.cells))))
    solution = imgpuzzle.solve(start, goal, puzzle="swap")
    cells = list(start.cells)
    for step in solution.steps():
        one, other = step.motions
        assert (one.origin, one.target) == (other.target, other.origin)
        assert (one.tile, other.tile) == (cells[one.origin], cells[other.origin])
        cells[one.origin], cells[other.origin] = other.tile, one.tile
    assert tuple(cells) == goal.cells
    assert solution.length >= solution.lower_bound
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_motions_carry_what_nothing_leaves_to_where_nothing_comes() -> None:
    (step, *_), solution = imgpuzzle.solve("1 2 / 0 3").steps(), "abcd"
    assert carried(solution, step.motions) == ["a", "b", "d", "c"]


@pytest.mark.slow
def test_the_proof_is_said_with_the_swaps_and_files_of_every_sort(
    tmp_path: Path,
) -> None:
    names = [f"a.{one}" for one in ("gif", "png", "pdf", "html", "json", "txt", "md")]
    words = [part for name in names for part in ("-o", str(tmp_path / name))]
    done = run("solve", "--puzzle", "swap", BOARD, *words)
    assert done.exit_code == 0
    assert "2 swaps, proven shortest" in done.stdout
    told = "swap tile 2 at row 1, column 1 with tile 1 at row 1, column 2"
    assert told in done.stdout
    assert told in (tmp_path / "a.txt").read_text("utf-8")
    assert "# Swap puzzle 3\u00a0×\u00a03" in (tmp_path / "a.md").read_text("utf-8")
    record = json.loads((tmp_path / "a.json").read_text("utf-8"))
    moved = [[one["tile"] for one in step["motions"]] for step in record["moves"]]
    assert (record["puzzle"], record["optimal"], moved) == (
        "swap",
        True,
        [[2, 1], [8, 7]],
    )
    assert all((tmp_path / name).stat().st_size for name in names)


@pytest.mark.slow
def test_steps_show_each_position_with_both_tiles_marked() -> None:
    solution = imgpuzzle.solve(BOARD, puzzle="swap")
    tiles = TileSet.numbered(solution.start)
    style = Style(caption="none")
    pictures = list(render_steps(solution, tiles, style))
    plain = [solution.start, *(step.after for step in solution.steps())]
    assert len(pictures) == len(plain) == 3
    for picture, board, step in zip(
        pictures, plain, [*solution.steps(), None], strict=True
    ):
        shown = TileSet.numbered(board)
        for cell in range(9):
            place = shown.region(cell)
            part = picture[place.top : place.bottom, place.left : place.right]
            is_marked = not np.array_equal(part, shown.tiles[cell])
            frames = step.marks if step else ()
            assert is_marked == (Frame(cell) in frames), (board, cell)
    assert [
        mark.both for mark in next(solution.steps()).marks if isinstance(mark, Arrow)
    ]


def test_tiles_under_way_leave_bare_ground_and_come_to_lie_where_they_belong() -> None:
    solution = imgpuzzle.solve(BOARD, puzzle="swap")
    moments = list(timeline(solution, Style()))
    assert moments[0].places == tuple(range(9))
    assert moments[-1].places == (1, 0, 2, 3, 4, 5, 7, 6, 8)
    assert [one.number for one in keyframes(solution, Style())] == [0, 1, 2]


@pytest.mark.parametrize(
    ("how", "option"),
    [
        ({"metric": "slide"}, "--metric"),
        ({"stages": True}, "--stages"),
        ({"algorithm": "bfs"}, "--algorithm"),
        ({"heuristic": "manhattan"}, "--heuristic"),
        ({"large_tables": True}, "--tables"),
    ],
)
def test_what_is_for_sliding_puzzles_is_refused_in_one_line(
    how: dict[str, object], option: str
) -> None:
    with pytest.raises(UsageError, match=f"{option} is for sliding puzzles"):
        imgpuzzle.solve("2 1 3 / 4 5 6", puzzle="swap", **how)  # type: ignore[call-overload]


def test_wrong_boards_goals_and_names_are_refused() -> None:
    with pytest.raises(UsageError, match="expected a puzzle of slide, swap"):
        kind_of("sweep")
    with pytest.raises(UnsolvableError):
        imgpuzzle.solve("1 2 / 3 4", "1 2 / 3 5", puzzle="swap")


@pytest.mark.parametrize("command", ["solve", "hint", "check"])
def test_a_board_without_a_zero_names_the_kinds_that_have_none(command: str) -> None:
    asked = [command, "2 1 3 / 4 5 6 / 8 7 9"]
    asked += ["--no-files"] if command == "solve" else []
    said = error_line(run(*asked), 2)
    assert "expected exactly one 0 (the blank), found 0 of them" in said
    named = said.partition("--puzzle with one of ")[2].split(", ")
    assert named == [name for name in KINDS if name != "slide"]
    for kind in named:
        done = run(*asked, "--puzzle", kind)
        assert "0 (the blank)" not in done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_legends_name_no_mark_that_may_be_left_out(kind: str) -> None:
    start = kind_of(kind).layout(Shape(2, 3), "row", None)
    legend = imgpuzzle.solve(start, puzzle=kind).legend
    assert legend is None or "framed" not in str(legend)


def test_hints_and_words_of_other_languages() -> None:
    hint = imgpuzzle.hint(BOARD, puzzle="swap")
    assert hint.step.words("de").startswith("tausche Kachel 2 in Zeile 1, Spalte 1")
    assert hint.step.told(Naming("en", False, True)) == (
        "swap the tile at A1 with the tile at B1"
    )


def test_a_guide_is_drawn_with_a_picture_too() -> None:
    solution = imgpuzzle.solve(BOARD, puzzle="swap")
    picture = (
        np.arange(90 * 90 * 3, dtype=np.uint32).astype(np.uint8).reshape(90, 90, 3)
    )
    guide = Guide(solution, picture=picture)
    *_, last = render_steps(solution, guide.tileset, Style(caption="none"))
    assert np.array_equal(last, picture)


def test_only_its_own_file_and_the_table_know_a_kind_by_name() -> None:
    for name in KINDS:
        own = PACKAGE / "puzzles" / f"{name.replace('-', '_')}.py"
        assert kind_of(name).name == name
        others = (path for path in PACKAGE.rglob("*.py") if path.parent != own.parent)
        for path in others:
            assert f"puzzles.{own.stem}" not in path.read_text("utf-8"), path


def test_a_board_of_a_sliding_puzzle_is_none_of_another() -> None:
    with pytest.raises(imgpuzzle.PuzzleError):
        imgpuzzle.solve(Board.parse("2 1 / 3 0"), puzzle="swap")


@pytest.mark.slow
def test_a_screenshot_of_a_full_board_is_solved_once_the_kind_is_said() -> None:
    drawn = complete(Shape(3, 3), 3)
    with pytest.raises(UncertainReadingError, match="--puzzle") as asked:
        imgpuzzle.solve_image(drawn.screenshot, reference=drawn.reference)
    assert asked.value.reading.certain
    with pytest.raises(UncertainReadingError, match="--puzzle"):
        imgpuzzle.hint(asked.value.reading)
    guide = imgpuzzle.solve_image(
        drawn.screenshot, reference=drawn.reference, puzzle="swap"
    )
    *_, last = guide.solution.steps()
    assert last.after == drawn.goal
    assert imgpuzzle.hint(asked.value.reading, puzzle="swap").solution.length == (
        guide.solution.length
    )
    with pytest.raises(UsageError, match="--blank is for sliding puzzles"):
        imgpuzzle.solve_image(drawn.screenshot, blank=(0, 0), puzzle="swap")


@pytest.mark.slow
def test_a_folder_of_full_boards_is_solved_once_the_kind_is_said(
    tmp_path: Path,
) -> None:
    shots, drawn = tmp_path / "shots", complete(Shape(3, 3), 3)
    shots.mkdir()
    save_image(drawn.screenshot, shots / "shot.png")
    save_image(drawn.reference, shots / "shot_reference.png")
    moves = imgpuzzle.solve(drawn.board, drawn.goal, puzzle="swap").length
    for kind, status, wanted, count in (
        ("slide", 5, "doubtful", None),
        ("swap", 0, "solved", moves),
    ):
        out = tmp_path / kind
        words = ("batch", str(shots), "-o", str(out), "-j", "1", "--puzzle", kind)
        assert run(*words).exit_code == status
        line = json.loads((out / "report.jsonl").read_text("utf-8"))
        assert (line["status"], line["moves"]) == (wanted, count)


@given(st.permutations(range(1, 13)))
def test_swaps_follow_one_another_each_bringing_a_tile_home(cells: list[int]) -> None:
    start = FullBoard(Shape(3, 4), tuple(cells))
    touched: list[int] = []
    for step in imgpuzzle.solve(start, puzzle="swap").steps():
        assert step.before.cells[step.origin] == step.target + 1
        touched += [step.origin, step.target]
    assert all(touched.count(cell) <= 2 for cell in set(touched))


@pytest.mark.parametrize("command", ["generate", "rate", "review"])
def test_commands_for_sliding_puzzles_say_so(command: str) -> None:
    words = {"generate": ["--moves", "5"], "rate": ["x.txt"], "review": ["x.gif"]}
    for kind in KINDS:
        if kind != "slide":
            done = run(command, *words.get(command, ()), "--puzzle", kind)
            said = error_line(done, 2)
            assert f"{command} is for sliding puzzles" in said


def test_a_typed_board_that_cannot_be_solved_may_hold_a_slip() -> None:
    for command in ("check", "solve"):
        done = run(command, "--puzzle", "shift", "1 2 3 / 4 5 6 / 7 9 8")
        assert done.exit_code == 6
        assert "check --repair" in done.stdout
        assert "usual goals" not in done.stdout
