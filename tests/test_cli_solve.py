"""``imgpuzzle solve``: boards as text, readings, the machine interface, the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_support import (
    FILES,
    READ_KEYS,
    SOLVE_KEYS,
    TWO_MOVES,
    UNSOLVABLE,
    error_line,
    everything,
    make_reading,
    names,
    one_object,
    run,
    write_picture,
)

from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import BoardNotFoundError, GridAmbiguousError
from imgpuzzle.reading import Region

STEPS = ["step_01.png", "step_02.png", "step_03.png"]


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    (tmp_path / "shots").mkdir()
    return write_picture(tmp_path / "shots" / "shot.png")


def solve_json(*args: str | Path, stdin: str | None = None) -> dict[str, Any]:
    result = run("solve", *args, "--json", "--no-files", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return one_object(result)


# -- boards as text ---------------------------------------------------------------


def test_the_answer_in_words(tmp_path: Path) -> None:
    result = run("solve", "--board", TWO_MOVES)
    assert result.exit_code == 0
    for text in (
        "2 moves, proven shortest",
        "LU",
        "1. move tile 5 at row 2, column 3 left",
        "2. move tile 6 at row 3, column 3 up",
        "solution/",
        "step_01.png ... step_03.png",
    ):
        assert text in result.stdout
    assert result.stderr == ""
    assert names(tmp_path / "solution") == sorted([*STEPS, *FILES])


def test_the_json_object(tmp_path: Path) -> None:
    result = run("solve", "--board", TWO_MOVES, "--json")
    assert result.exit_code == 0
    record = one_object(result)
    assert list(record) == SOLVE_KEYS
    assert record["reading"] is None
    assert record["start"] == [[1, 2, 3], [4, 0, 5], [7, 8, 6]]
    assert record["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    assert record["moves"] == [
        {"step": 1, "tile": 5, "from": [1, 2], "to": [1, 1], "direction": "L"},
        {"step": 2, "tile": 6, "from": [2, 2], "to": [1, 2], "direction": "U"},
    ]
    assert (record["move_count"], record["lower_bound"]) == (2, 2)
    assert record["optimal"] is True
    assert isinstance(record["nodes"], int)
    assert isinstance(record["seconds"], int | float)
    assert [Path(file).name for file in record["files"]] == [
        *STEPS,
        *("overview.png", "solution.gif", "guide.html", "moves.txt", "solution.json"),
    ]
    assert all((tmp_path / file).is_file() for file in record["files"])


def test_no_files(tmp_path: Path) -> None:
    assert solve_json("--board", TWO_MOVES)["files"] == []
    assert run("solve", "--board", TWO_MOVES, "--no-files").exit_code == 0
    assert everything(tmp_path) == []


@pytest.mark.parametrize("how", ["file", "stdin", "board", "board stdin", "odd name"])
def test_where_a_board_comes_from(tmp_path: Path, how: str) -> None:
    text = TWO_MOVES.replace(" / ", "\n")
    name = "board \N{SNOWMAN}\udce4.txt" if how == "odd name" else "board.txt"
    (tmp_path / name).write_text(text)
    args, stdin = {
        "file": (["board.txt"], None),
        "odd name": ([str(tmp_path / name)], None),
        "stdin": (["-"], text),
        "board": (["--board", TWO_MOVES], None),
        "board stdin": (["--board", "-"], text),
    }[how]
    assert solve_json(*args, stdin=stdin)["move_count"] == 2


def test_the_goal_implied_by_a_missing_tile() -> None:
    record = solve_json("--board", "2 0 3 / 4 5 6 / 7 8 9")
    assert record["goal"] == [[0, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert record["move_count"] == 1
    record = solve_json("--board", "10 20 / 0 30")
    assert record["goal"] == [[10, 20], [30, 0]]


@pytest.mark.parametrize("how", ["text", "file", "stdin", "same file", "goal-blank"])
def test_where_a_goal_comes_from(tmp_path: Path, how: str) -> None:
    start, goal = "1 2 3 / 0 4 5 / 6 7 8", "0 1 2 / 3 4 5 / 6 7 8"
    if how == "text":
        record = solve_json("--board", start, "--goal", goal, "--max-moves", "31")
    elif how == "file":
        (tmp_path / "goal.txt").write_text(goal.replace("/", "\n"))
        record = solve_json("--board", start, "--goal", "goal.txt")
    elif how == "stdin":
        record = solve_json("--board", start, "--goal", "-", stdin=goal)
    elif how == "same file":
        (tmp_path / "both.txt").write_text(f"{start}\n\ngoal:\n{goal}\n")
        record = solve_json("both.txt")
    else:
        record = solve_json("--board", start, "--goal-blank", "0,0")
    assert record["goal"] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert record["optimal"] is True


def test_repeated_tiles_need_a_goal() -> None:
    line = error_line(run("solve", "--board", "1 1 2 / 2 0 3", "--no-files"), 2)
    assert "--goal" in line
    record = solve_json("--board", "1 1 2 / 2 0 3", "--goal", "1 1 2 / 2 3 0")
    assert record["move_count"] == 1


def test_boards_of_one_row() -> None:
    record = solve_json("--board", "1 0 2 3", "--grid", "1x4")
    assert record["start"] == [[1, 0, 2, 3]]
    assert "".join(move["direction"] for move in record["moves"]) == "LL"
    result = run("solve", "--board", "2 0 1 3", "--grid", "1x4", "--no-files")
    assert "order" in error_line(result, 6)
    record = solve_json("--board", "1 / 0 / 2")
    assert record["moves"][0]["direction"] == "U"


def test_a_board_that_is_solved_already(tmp_path: Path) -> None:
    result = run("solve", "--board", "1 2 / 3 0")
    assert result.exit_code == 0
    assert "already solved" in result.stdout
    assert names(tmp_path / "solution") == sorted(["step_01.png", *FILES])


def test_many_moves_are_set_in_columns() -> None:
    # The longest 3x2 solutions have 21 moves, so the order of a 1x50 board serves.
    row = " ".join(["0", *map(str, range(1, 50))])
    result = run("solve", "--board", row, "--grid", "1x50", "--no-files")
    assert result.exit_code == 0
    assert "49 moves" in result.stdout
    assert "49. 49 left" in result.stdout
    moves = [line for line in result.stdout.splitlines() if "left" in line]
    assert len(moves) == 10
    assert max(map(len, moves)) <= 100


@pytest.mark.parametrize("as_json", [False, True])
def test_unsolvable(tmp_path: Path, as_json: bool) -> None:
    result = run("solve", "--board", UNSOLVABLE, *["--json"] * as_json)
    assert "parity" in error_line(result, 6)
    if as_json:
        record = one_object(result)
        assert list(record) == SOLVE_KEYS
        assert record["start"] == [[1, 2, 3], [4, 5, 6], [8, 7, 0]]
        assert record["move_count"] is None
        assert record["lower_bound"] is None
        assert (record["moves"], record["files"]) == ([], [])
        assert (record["optimal"], record["nodes"], record["seconds"]) == (False, 0, 0)
    else:
        assert "moves" not in result.stdout
    assert everything(tmp_path) == []


def test_a_limit_reached(tmp_path: Path) -> None:
    hard = "8 6 7 / 2 5 4 / 3 0 1"
    result = run("solve", "--board", hard, "--max-moves", "10", "--json")
    error_line(result, 7)
    record = one_object(result)
    assert record["move_count"] is None
    assert record["lower_bound"] >= 10
    assert everything(tmp_path) == []


def test_algorithm_and_heuristic_by_name() -> None:
    from imgpuzzle.solver.search import ALGORITHMS, HEURISTICS

    for name in ALGORITHMS:
        assert solve_json("--board", TWO_MOVES, "--algorithm", name)["optimal"]
    for name in HEURISTICS:
        assert solve_json("--board", TWO_MOVES, "--heuristic", name)["move_count"] == 2
    both = "manhattan+last-moves"
    assert solve_json("--board", TWO_MOVES, "--heuristic", both)["move_count"] == 2
    line = error_line(run("solve", "--board", TWO_MOVES, "--heuristic", "magic"), 2)
    assert "expected one of" in line


def test_a_picture_for_a_text_board(tmp_path: Path) -> None:
    picture = write_picture(tmp_path / "p.png")
    result = run("solve", "--board", TWO_MOVES, "--image", picture, "--output", "o")
    assert result.exit_code == 0, result.stderr
    assert names(tmp_path / "o") == sorted([*STEPS, *FILES])


# -- wrong usage ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "imgpuzzle scramble"),
        (["x.png", "--board", TWO_MOVES], "expected one board"),
        (["--board", "1 2 3 / 4 5 6 / 7 8 9"], "exactly one 0"),
        (["--board", "1 2 / 3"], "one length"),
        (["--board", "hello"], "no file 'hello'"),
        (["--board", TWO_MOVES, "--grid", "2x2"], "expected 4 numbers"),
        (["--board", TWO_MOVES, "--grid", "3"], "ROWSxCOLUMNS"),
        (["--board", TWO_MOVES, "--goal", "absent.txt"], "no file 'absent.txt'"),
        (["--board", TWO_MOVES, "--goal", "1 2 / 3 0"], "one shape"),
        (["--board", TWO_MOVES, "--goal-blank", "-1,0"], "counted from 0"),
        (["--board", TWO_MOVES, "--goal-blank", "3,0"], "counted from 0"),
        (["--board", TWO_MOVES, "--goal-blank", "1"], "counted from 0"),
        (["--board", TWO_MOVES, "--region", "0,0,9,9"], "--region belongs to"),
        (["--board", TWO_MOVES, "--region", "0,0,9"], "LEFT,TOP,WIDTH,HEIGHT"),
        (["--board", TWO_MOVES, "--reference", "p.png"], "--image"),
        (["--board", TWO_MOVES, "--annotate", "a.png"], "--annotate belongs to"),
        (["--board", TWO_MOVES, "--time-limit", "nan"], "seconds"),
        (["--board", TWO_MOVES, "--time-limit", "-1"], "seconds"),
        (["--board", TWO_MOVES, "--max-moves", "-1"], "max-moves"),
        (["--board", TWO_MOVES, "--columns", "0"], "columns"),
        (["--board", TWO_MOVES, "--no-files", "--output", "o"], "--no-files"),
        (["--board", "-", "--goal", "-"], "standard input"),
        (["--nonsense"], "see imgpuzzle solve --help"),
        (["a", "b"], "see imgpuzzle solve --help"),
    ],
)
def test_wrong_usage(tmp_path: Path, args: list[str], message: str) -> None:
    result = run("solve", *args)
    assert message in error_line(result, 2)
    assert result.stdout == ""
    assert everything(tmp_path) == []


def test_goal_blank_beside_a_goal() -> None:
    result = run(
        *("solve", "--board", TWO_MOVES, "--goal-blank", "0,0"),
        *("--goal", "1 2 3 / 4 5 6 / 7 8 0"),
    )
    assert "--goal-blank" in error_line(result, 2)


# -- the output folder ------------------------------------------------------------


def test_the_default_folder_is_beside_the_board_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "board.txt").write_text(TWO_MOVES)
    assert run("solve", "deep/board.txt").exit_code == 0
    assert names(tmp_path / "deep") == ["board.txt", "solution"]
    assert names(tmp_path) == ["deep"]


def test_the_default_folder_is_never_overwritten(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        result = run("solve", "--board", TWO_MOVES)
        assert result.exit_code == 0
        if number == 1:
            assert result.stderr == ""
        else:
            assert f"wrote to solution-{number} instead" in result.stderr
            assert f"solution-{number}/" in result.stdout
    assert names(tmp_path) == ["solution", "solution-2", "solution-3"]


def test_an_explicit_folder_is_reused_and_says_so(tmp_path: Path) -> None:
    longer = "1 2 3 / 0 4 5 / 7 8 6"
    assert run("solve", "--board", longer, "--output", "out").stderr == ""
    (tmp_path / "out" / "mine.txt").write_text("mine")
    assert (tmp_path / "out" / "step_04.png").exists()
    result = run("solve", "--board", TWO_MOVES, "--output", "out", "--json")
    assert result.exit_code == 0
    one_object(result)
    assert "replaced 8 files and removed 1 file" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert names(tmp_path / "out") == sorted(["mine.txt", *STEPS, *FILES])


def test_a_file_as_output(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    result = run("solve", "--board", TWO_MOVES, "--output", "file")
    assert "found the file 'file'" in error_line(result, 2)
    assert result.stdout == ""
    assert (tmp_path / "file").read_text() == "x"


def test_a_full_disk_ends_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("imgpuzzle.render.animation.encode_animation", fail)
    result = run("solve", "--board", TWO_MOVES)
    assert "No space left" in error_line(result, 2)
    assert everything(tmp_path) == []


def test_an_interrupt_ends_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any, **__: Any) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("imgpuzzle.render.animation.encode_animation", interrupt)
    result = run("solve", "--board", TWO_MOVES)
    assert error_line(result, 130) == "imgpuzzle: interrupted"
    assert everything(tmp_path) == []


# -- screenshots ------------------------------------------------------------------


def test_a_screenshot(reader: Any, shot: Path, tmp_path: Path) -> None:
    fake = reader(make_reading())
    reference = write_picture(tmp_path / "reference.png", 60)
    result = run(
        *("solve", shot, "--reference", reference, "--grid", "3x3"),
        *("--region", "1,2,90,90", "--goal-blank", "2,2"),
    )
    assert result.exit_code == 0, result.stderr
    for text in (
        "3x3",
        "left 10, top 20",
        "the reference",
        "certain, confidence",
        "2 moves, proven",
    ):
        assert text in result.stdout
    assert names(shot.parent) == ["shot.png", "solution"]
    (options,) = fake.calls
    assert options["reference"].shape == (60, 60, 3)
    assert options["shape"] == Shape(3, 3)
    assert options["region"] == Region(1, 2, 90, 90)
    assert options["goal_blank"] == (2, 2)


def test_a_screenshot_on_standard_input(
    reader: Any, shot: Path, tmp_path: Path
) -> None:
    reader(make_reading())
    result = run("solve", "-", "--json", stdin=shot.read_bytes())
    record = one_object(result)
    assert list(record["reading"]) == READ_KEYS
    assert record["move_count"] == 2
    assert (tmp_path / "solution" / "step_01.png").exists()


@pytest.mark.parametrize("as_json", [False, True])
def test_a_doubtful_reading(
    reader: Any, shot: Path, tmp_path: Path, as_json: bool
) -> None:
    reader(make_reading(certain=False))
    before = everything(tmp_path)
    result = run("solve", shot, *["--json"] * as_json)
    line = error_line(result, 5)
    for text in ("row 1, column 2", "row 2, column 3", "--grid", "--trust"):
        assert text in line
    if as_json:
        record = one_object(result)
        assert list(record) == SOLVE_KEYS
        assert record["reading"]["certain"] is False
        assert record["reading"]["doubtful"] == [[0, 1], [1, 2]]
        assert record["start"] == [[1, 2, 3], [4, 0, 5], [7, 8, 6]]
        assert record["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
        assert record["move_count"] is None
        assert record["files"] == []
    else:
        assert "DOUBTFUL" in result.stdout
    assert everything(tmp_path) == before


def test_trust(reader: Any, shot: Path) -> None:
    reader(make_reading(certain=False))
    result = run("solve", shot, "--trust", "--json", "--no-files")
    record = one_object(result)
    assert (result.exit_code, record["move_count"]) == (0, 2)
    assert record["reading"]["certain"] is False


def test_a_dealt_board_that_cannot_be_solved(reader: Any, shot: Path) -> None:
    reader(make_reading(UNSOLVABLE))
    result = run("solve", shot, "--json")
    assert "as it was read cannot be solved" in error_line(result, 6)
    record = one_object(result)
    assert record["reading"]["solvable"] is False
    assert record["moves"] == []
    assert names(shot.parent) == ["shot.png"]


def test_another_goal_for_a_screenshot(reader: Any, shot: Path) -> None:
    reader(make_reading())
    record = solve_json(shot, "--goal", "1 2 3 / 4 5 0 / 7 8 6")
    assert record["move_count"] == 1
    assert record["reading"]["goal"] == [[1, 2, 3], [4, 5, 0], [7, 8, 6]]
    assert record["goal"] == [[1, 2, 3], [4, 5, 0], [7, 8, 6]]


@pytest.mark.parametrize(
    "error",
    [
        BoardNotFoundError("expected a board, found none; pass --region"),
        GridAmbiguousError("found 3x3 and 4x4; pass --grid", (Shape(3, 3),)),
    ],
)
def test_no_board_and_ambiguous_grid(reader: Any, shot: Path, error: Exception) -> None:
    reader(error)
    result = run("solve", shot, "--json")
    assert str(error) in error_line(result, 4)
    assert result.stdout == ""
    assert names(shot.parent) == ["shot.png"]


def test_annotate(reader: Any, shot: Path, tmp_path: Path) -> None:
    reader(make_reading())
    result = run("solve", shot, "--annotate", "a.png", "--no-files", "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "wrote a.png\n"
    one_object(result)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    line = error_line(run("solve", shot, "--annotate", shot, "--no-files"), 2)
    assert "another file than the input" in line


def test_the_record_equals_the_answer(tmp_path: Path) -> None:
    answer = one_object(run("solve", "--board", TWO_MOVES, "--json"))
    record = json.loads((tmp_path / "solution" / "solution.json").read_text())
    assert record.pop("files") == [Path(file).name for file in answer.pop("files")]
    assert record == answer
    assert Board.from_rows(record["start"]).one_line() == TWO_MOVES


def test_inputs_are_never_written_over(tmp_path: Path) -> None:
    board = tmp_path / "moves.txt"
    board.write_text("1 2 3 / 4 0 5 / 7 8 6")
    line = error_line(run("solve", str(board), "--output", str(tmp_path)), 2)
    assert "--output" in line
    assert board.read_text() == "1 2 3 / 4 0 5 / 7 8 6"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moves.txt"]


def test_a_limit_tells_the_time_that_was_used() -> None:
    board = "5 12 11 14 / 13 4 7 1 / 2 0 15 6 / 3 9 10 8"
    limit = ("--time-limit", "0.3", "--algorithm", "idastar")
    done = run("solve", "--board", board, "--no-files", "--json", *limit)
    assert done.exit_code == 7
    assert json.loads(done.stdout)["seconds"] >= 0.25


def test_the_time_is_up_and_a_solution_is_there() -> None:
    board = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1"  # 80 moves
    limit = ("--time-limit", "0.05")
    done = run("solve", "--board", board, "--no-files", "--json", *limit)
    assert done.exit_code == 0
    record = json.loads(done.stdout)
    assert record["optimal"] is False
    assert record["lower_bound"] < record["move_count"]
    told = run("solve", "--board", board, "--no-files", *limit).stdout
    assert "not proven shortest: at least" in told


def test_slides_are_counted_on_request() -> None:
    board = ("solve", "--board", "1 2 3 / 0 4 5 / 7 8 6", "--no-files")
    single = json.loads(run(*board, "--json").stdout)
    slide = json.loads(run(*board, "--json", "--metric", "slide").stdout)
    assert (single["move_count"], single["slide_count"], single["metric"]) == (
        *(3, 2),
        "single",
    )
    assert (slide["move_count"], slide["slide_count"], slide["metric"]) == (
        *(3, 2),
        "slide",
    )
    assert slide["lower_bound"] == 2
    assert slide["optimal"] is True
    assert "2 slides (3 single moves)" in run(*board, "--metric", "slide").stdout
    wrong = run(*board, "--metric", "slide", "--algorithm", "bfs")
    assert "slides" in error_line(wrong, 2)
    few = run(*board, "--metric", "slide", "--max-moves", "1")
    assert "at least 2 slides" in error_line(few, 7)
