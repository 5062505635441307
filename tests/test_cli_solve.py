"""``imgpuzzle solve``: boards as text, the answer in words and as an object."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_support import (
    FILES,
    SOLVE_KEYS,
    STEPS,
    TWO_MOVES,
    UNSOLVABLE,
    error_line,
    everything,
    names,
    one_object,
    run,
    solve_json,
    write_picture,
)

from imgpuzzle.core.board import Board

pytestmark = pytest.mark.usefixtures("in_empty_folder")


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
        *("overview.png", "solution.gif", "guide.html", "guide.md", "moves.txt"),
        "solution.json",
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


def test_other_numbers_need_a_goal() -> None:
    board = "1 2 3 / 4 0 5 / 7 8 10"
    for options in ([], ["--goal-blank", "last"]):
        message = error_line(run("solve", board, "--no-files", *options), 2)
        assert "6 is missing and 10 is more than 8: a slip?" in message
    record = solve_json("--board", "10 20 / 0 30", "--goal", "10 20 / 30 0")
    assert record["move_count"] == 1


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


def test_many_moves_are_set_in_groups_of_five() -> None:
    # The longest 3x2 solutions have 21 moves, so the order of a 1x50 board serves.
    row = " ".join(["0", *map(str, range(1, 50))])
    result = run("solve", "--board", row, "--grid", "1x50", "--no-files")
    assert result.exit_code == 0
    assert "49 moves" in result.stdout
    assert "(the way each tile goes: U up, D down, L left, R right)" in result.stdout
    assert "LLLLL LLLLL" in result.stdout
    moves = [line for line in result.stdout.splitlines() if line.endswith(" left")]
    assert len(moves) == 10
    assert moves[0].split() == [
        "1-5",
        *(f"{n} left".split()[i] for n in range(1, 6) for i in (0, 1)),
    ]
    assert moves[-1].split() == [
        "46-49",
        "46",
        "left",
        "47",
        "left",
        "48",
        "left",
        "49",
        "left",
    ]
    assert max(map(len, moves)) <= 100


@pytest.mark.parametrize("as_json", [False, True])
def test_unsolvable(tmp_path: Path, as_json: bool) -> None:
    result = run("solve", "--board", UNSOLVABLE, *["--json"] * as_json)
    assert "half of all" in error_line(result, 6)
    if as_json:
        record = one_object(result)
        assert list(record) == SOLVE_KEYS
        assert record["start"] == [[1, 2, 3], [4, 5, 6], [8, 7, 0]]
        assert record["move_count"] is None
        assert record["lower_bound"] is None
        assert (record["moves"], record["files"]) == ([], [])
        assert (record["optimal"], record["nodes"], record["seconds"]) == (False, 0, 0)
        goals = record["reachable_goals"]
        assert goals[0]["goal"] == [[1, 2, 3], [8, 0, 4], [7, 6, 5]]
        assert goals[0]["move_count"] == 8
    else:
        assert "solution" not in result.stdout
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
    from imgpuzzle.solver.classic.heuristics import HEURISTICS
    from imgpuzzle.solver.search import ALGORITHMS

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


def test_the_record_equals_the_answer(tmp_path: Path) -> None:
    answer = one_object(run("solve", "--board", TWO_MOVES, "--json"))
    record = json.loads((tmp_path / "solution" / "solution.json").read_text())
    del answer["reachable_goals"]
    assert record.pop("files") == [Path(file).name for file in answer.pop("files")]
    assert record == answer
    assert Board.from_rows(record["start"]).one_line() == TWO_MOVES


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
    shown = run("solve", "--board", board, "--no-files", *limit).stdout
    assert "not proven shortest: at least" in shown


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


def test_stages_are_chapters_in_the_terminal() -> None:
    result = run("solve", "--board", "8 6 7 / 2 5 4 / 3 0 1", "--stages", "--no-files")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    price = next(line for line in lines if line.startswith("solution"))
    assert " moves in 2 stages" in price
    headings = [line for line in lines if re.fullmatch(r"  .+: moves \d+ to \d+", line)]
    assert len(headings) == 2
    assert headings[1].startswith("  Last ")
    assert lines[lines.index(headings[0]) + 1].startswith("  Bring ")
    numbers = [
        int(one[1]) for one in map(re.compile(r" +(\d+)\. ").match, lines) if one
    ]
    assert numbers == list(range(1, numbers[-1] + 1))


def test_stages_of_long_solutions_are_short() -> None:
    board = "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3"
    how = ("--goal-blank", "first", "--stages", "--no-files")
    result = run("solve", "--board", board, *how)
    assert result.exit_code == 0
    line = r"^ +(\d+)(?:-(\d+))? +\S+ (?:left|right|up|down)"
    found = re.findall(line, result.stdout, re.MULTILINE)
    ends = [int(last or first) for first, last in found]
    assert [int(first) for first, _ in found] == [1, *(end + 1 for end in ends[:-1])]
    assert f"{ends[-1]} moves in " in result.stdout
    assert "Bring 12, 13, 14 and 15 to row 4;" in result.stdout


def test_stages_in_json() -> None:
    record = solve_json("--board", "8 6 7 / 2 5 4 / 3 0 1", "--stages")
    keys = [*SOLVE_KEYS]
    keys.insert(keys.index("files"), "stages")
    assert list(record) == keys
    assert record["stages"]["shortest_known"] == 31
    assert [part["kind"] for part in record["stages"]["parts"]][-1] == "rest"
