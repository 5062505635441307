"""``imgpuzzle rate``: every line of a file, beside searches and plain counting."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from cli_support import error_line, run
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from imgpuzzle import goals
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.scramble import uniform
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.fleet import positions, results
from imgpuzzle.fleet.positions import BoardLine, as_board
from imgpuzzle.fleet.rating import ASTRAY_BITS, DEPARTURE_BITS, Rater, hardness
from imgpuzzle.solver.counting import count_shortest
from imgpuzzle.solver.search import solve


def rate(*arguments: str, given: str | bytes | None = None) -> Result:
    return run("rate", *arguments, stdin=given)


def rows_of(*texts: str) -> list[BoardLine]:
    return [BoardLine(number, text) for number, text in enumerate(texts, 1)]


def random_lines(shape: Shape, count: int, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    lines = []
    for _ in range(count):
        cells = list(range(shape.size))
        chance.shuffle(cells)
        lines.append(Board(shape, tuple(cells)).one_line())
    return lines


def test_small_boards_are_rated_as_they_are_solved() -> None:
    lines = random_lines(Shape(3, 3), 30) + random_lines(Shape(2, 4), 10)
    for line, found in zip(lines, Rater().rate(rows_of(*lines)), strict=True):
        board = Board.parse(line)
        goal = goals.from_numbers(board)
        if not found.solvable:
            assert found.error is not None
            assert found.moves is None
            continue
        solution = solve(board, goal)
        assert found.moves == found.lower_bound == solution.move_count
        assert found.optimal
        assert found.shortest == count_shortest(board, goal).count
        assert (found.board, found.shape) == (line, str(board.shape))


def test_boards_are_rated_as_their_lines_are() -> None:
    for name, count in (("3x3", 20), ("2x5", 4), ("4x4", 3)):
        goal = goals.LAYOUTS["row"](Shape.parse(name))
        boards = [uniform(goal, seed=seed) for seed in range(count)]
        rater = Rater(with_solutions=True)
        rows = rows_of(*(board.one_line() for board in boards))
        assert rater.rate_boards(boards, goal) == rater.rate(rows)


@given(st.integers(0, 10**6), st.sampled_from([(2, 3), (3, 3), (3, 2), (1, 5)]))
def test_solutions_replay_and_hardness_is_counted(
    seed: int, sides: tuple[int, int]
) -> None:
    shape = Shape(*sides)
    start = uniform(goals.LAYOUTS["row"](shape), seed=seed)
    (found,) = Rater(with_solutions=True).rate(rows_of(start.one_line()))
    assert found.moves == len(found.solution)
    moves = moves_of(start, found.solution)
    solution = Solution(start, goals.LAYOUTS["row"](shape), moves, lower_bound=0)
    solution.verify()
    home = {tile: cell for cell, tile in enumerate(solution.goal.cells)}

    def far(tile: int, cell: int) -> int:
        one, other = shape.row_col(home[tile]), shape.row_col(cell)
        return abs(one[0] - other[0]) + abs(one[1] - other[1])

    bits = 0.0
    astray = departures = 0
    for step in solution.steps():
        choices = len(shape.neighbours(step.target)) - (step.number > 1)
        bits += np.log2(max(choices, 1))
        astray += far(step.tile, step.target) > far(step.tile, step.origin)
        departures += far(step.tile, step.origin) == 0
    assert (found.astray, found.departures) == (astray, departures)
    assert found.slides == solution.slide_count
    expected = bits + ASTRAY_BITS * astray + DEPARTURE_BITS * departures
    assert found.difficulty == pytest.approx(expected, abs=0.01)


def moves_of(start: Board, letters: str) -> tuple[int, ...]:
    steps = {"U": start.shape.cols, "D": -start.shape.cols, "L": 1, "R": -1}
    moves, blank = [], start.blank
    for letter in letters:
        blank += steps[letter]
        moves.append(blank)
    return tuple(moves)


def test_equal_tiles_are_followed_not_read() -> None:
    start, goal = Board.parse("1 2 2 / 1 0 3"), Board.parse("1 1 2 / 2 3 0")
    row = BoardLine(7, start.one_line(), goal.one_line(), "twins")
    (found,) = Rater(with_solutions=True).rate([row])
    best = solve(start, goal)
    assert (found.line, found.id, found.moves) == (7, "twins", best.move_count)
    (hard,) = hardness(start.shape, np.array([start.blank]), np.array([best.moves]))
    assert (found.astray, found.slides) == (hard["astray"], best.slide_count)


def test_every_line_has_its_answer_and_shapes_may_mix() -> None:
    texts = (
        *("1 2 3 / 4 5 6 / 8 7 0", "1 2 / 3 0", "1 2 3 4", "nonsense", "0 0 1 2"),
        *("1 2 3 / 4 5", "5 1 2 3 / 6 10 7 4 / 9 0 11 8 / 13 14 15 12", "1 2 3 0"),
    )
    found = Rater().rate(rows_of(*texts))
    assert [one.line for one in found] == list(range(1, 9))
    assert [one.moves for one in found[:3]] == [None, 0, None]
    assert found[0].solvable is False
    assert "half of all" in (found[0].error or "")
    for one in found[2:6]:
        assert one.solvable is None
        assert one.error
        assert one.board
    assert found[6].moves == solve(Board.parse(texts[6])).move_count
    assert found[7].shape == "2x2"


def test_a_goal_for_all_and_a_goal_a_line(tmp_path: Path) -> None:
    table = tmp_path / "boards.csv"
    table.write_text(
        'id,goal,board\nown,3 2 / 1 0,"3 2 / 0 1"\ncommon,,1 2 / 0 3\n'
        "other,1 2 3 / 4 5 0,0 1 / 2 3\nwrong,1 2 / 4 0,1 2 / 3 0\n"
        "larger,,1 2 3 / 4 5 0\n"
    )
    shown = rate(str(table), "--goal", "1 2 / 3 0", "--workers", "1")
    found = list(csv.DictReader(shown.stdout.splitlines()))
    assert [one["moves"] for one in found] == ["1", "1", "", "", ""]
    assert [one["line"] for one in found] == ["2", "3", "4", "5", "6"]
    assert found[0]["id"] == "own"
    assert "expected 4 numbers for a 2x2 board, found 6" in found[2]["error"]
    # A goal that is no goal of a board says nothing of it.
    assert [one["solvable"] for one in found[2:]] == ["", "false", ""]
    assert "of one shape, found 2x3 and 2x2" in found[4]["error"]


@given(st.text(alphabet="0123456789 ,;|/_.-x#", max_size=30))
def test_quick_parsing_is_parsing(text: str) -> None:
    try:
        expected: object = Board.parse(text)
    except InvalidBoardError as error:
        expected = str(error)
    try:
        found: object = as_board(text)
    except InvalidBoardError as error:
        found = str(error)
    assert found == expected


LINES = random_lines(Shape(3, 3), 200, seed=3)


def journal_of(source: Path) -> str:
    """What a run of a file's boards leaves that is killed after the last one."""
    found = rate(str(source), "--format", "jsonl", "--workers", "1").stdout
    options = {"--grid": "", "--goal": "", "--solutions": ""}
    return json.dumps({"options": options}) + "\n" + found


@pytest.mark.parametrize("ending", ["txt", "csv", "jsonl"])
def test_every_format_of_input_and_output(ending: str, tmp_path: Path) -> None:
    source = tmp_path / f"boards.{ending}"
    if ending == "txt":
        source.write_text("\n".join(LINES))
    elif ending == "csv":
        source.write_text("board\n" + "\n".join(LINES))
    else:
        boards = [{"board": Board.parse(line).rows()} for line in LINES[:100]]
        boards += [{"board": line} for line in LINES[100:]]
        source.write_text("\n".join(map(json.dumps, boards)))
    expected = [
        (one.board, one.moves, one.solvable, one.difficulty, one.error)
        for one in Rater().rate(rows_of(*LINES))
    ]
    if ending in ("txt", "csv"):
        output = tmp_path / "rated.csv"
        assert rate(str(source), "-o", str(output), "--workers", "1").exit_code == 0
        found = [
            (
                one["board"],
                int(one["moves"]) if one["moves"] else None,
                one["solvable"] == "true",
                float(one["difficulty"]) if one["difficulty"] else None,
                one["error"] or None,
            )
            for one in csv.DictReader(output.read_text().splitlines())
        ]
    else:
        output = tmp_path / f"rated.{ending}"
        assert rate(str(source), "-o", str(output), "--workers", "1").exit_code == 0
        lines = map(json.loads, output.read_text().splitlines())
        names = ("board", "moves", "solvable", "difficulty", "error")
        found = [tuple(one.get(name) for name in names) for one in lines]  # type: ignore[misc]
    assert found == expected
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (
            "a,b\n1,2\n",
            "x.csv",
            "column 'board' (and if wanted 'goal' and 'id'), found",
        ),
        ('{"bord": 1}', "x.jsonl", "found 'bord' in line 1"),
        (b"\xff\xfe\x00\xd8", "x.txt", "expected text in UTF-8"),
        (None, "x.txt", "expected a file with a board a line, found none"),
    ],
)
def test_files_that_are_no_tables_are_one_line(
    content: str | bytes | None, name: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    shown = rate(str(path), "-o", str(tmp_path / "out.csv"), "--workers", "1")
    assert expected in error_line(shown, 2)
    assert not (tmp_path / "out.csv").exists()


def test_results_replace_neither_their_boards_nor_a_folder(tmp_path: Path) -> None:
    table, folder = tmp_path / "boards.csv", tmp_path / "rated.csv"
    table.write_text("board\n1 2 / 0 3\n")
    folder.mkdir()
    link = tmp_path / "link.csv"
    link.symlink_to(table)
    for output, expected in (
        (table, "another file than"),
        (link, "another file than"),
        (folder, "found the folder"),
    ):
        shown = rate(str(table), "-o", str(output), "--workers", "1")
        assert expected in error_line(shown, 2)
    assert table.read_text() == "board\n1 2 / 0 3\n"
    assert not list(tmp_path.glob("*.part"))


def test_no_boards_and_results_of_an_interrupted_run(tmp_path: Path) -> None:
    source, output = tmp_path / "boards.txt", tmp_path / "rated.csv"
    source.write_text("# nothing but a remark\n\n")
    shown = rate(str(source), "-o", str(output))
    assert (shown.exit_code, output.exists()) == (2, False)
    assert "expected a board a line in" in shown.stderr
    source.write_text("1 2 / 0 3\n1 2 / 3 0\n")
    asked = (str(source), "-o", str(output), "--workers", "1")
    assert rate(*asked).exit_code == 0
    whole = output.read_bytes()
    part = output.with_name("rated.csv.part")
    part.write_text(journal_of(source).rpartition("\n{")[0])
    shown = rate(*asked)
    assert (shown.exit_code, output.read_bytes()) == (2, whole)
    assert "--resume goes on with it" in shown.stderr
    output.unlink()
    assert rate(*asked, "--resume").exit_code == 0
    assert output.read_bytes() == whole


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes")
def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path: Path) -> None:
    source = tmp_path / "boards.txt"
    source.write_text("\n".join(random_lines(Shape(3, 3), 8_000)))
    command = [*(sys.executable, "-m", "imgpuzzle", "rate", str(source))]
    with subprocess.Popen(
        [*command, "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"line,id,board")
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


def test_a_table_holds_nothing_that_a_spreadsheet_would_run(tmp_path: Path) -> None:
    source = tmp_path / "boards.csv"
    hostile = ["=cmd()", "+1", "-1", "@sum", "\t=1", "plain"]
    lines = [f'"{name}",1 2 / 0 3' for name in hostile] + ["x,=HYPERLINK(1)"]
    source.write_text("\n".join(["id,board", *lines]) + "\n")
    shown = rate(str(source), "--workers", "1")
    assert shown.exit_code == 0
    found = list(csv.DictReader(io.StringIO(shown.stdout)))
    assert [one["id"] for one in found[:6]] == [
        *("'=cmd()", "'+1", "'-1", "'@sum", "'\t=1", "plain")
    ]
    assert found[6]["board"] == "'=HYPERLINK(1)"


def test_going_on_cuts_half_a_line_and_knows_its_file(tmp_path: Path) -> None:
    source, output = tmp_path / "boards.txt", tmp_path / "rated.csv"
    source.write_text("\n".join(LINES))
    rate(str(source), "-o", str(output), "--workers", "1")
    whole = output.read_bytes()
    journal = journal_of(source).encode()
    part = tmp_path / "rated.csv.part"
    chance = random.Random(2)
    ends = (chance.randrange(len(journal)) for _ in range(8))
    for end in (0, 5, 90, *ends, len(journal)):
        output.unlink(missing_ok=True)
        part.write_bytes(journal[:end])
        shown = rate(str(source), "-o", str(output), "--workers", "1", "--resume")
        assert shown.exit_code == 0, shown.stderr
        assert output.read_bytes() == whole
        assert not part.exists()
    shown = rate(str(source), "-o", str(output), "--resume")
    assert (shown.exit_code, output.read_bytes()) == (0, whole)
    assert "was finished before; boards that came later" in shown.stderr
    output.unlink()
    part.write_bytes(journal)
    source.write_text("\n".join(["# another file", *LINES]))
    shown = rate(str(source), "-o", str(output), "--resume")
    assert shown.exit_code == 2
    assert "expected the file and the options that the run was begun" in shown.stderr
    part.write_text("something else\n")
    with pytest.raises(UsageError, match="found something else"):
        results.begun(str(output), iter(()), {"--grid": ""})


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_run_goes_on_with_its_own_file_and_options_only(
    ending: str, tmp_path: Path
) -> None:
    source, output = tmp_path / "boards.txt", tmp_path / f"rated.{ending}"
    lines = ["no board", "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12", *LINES[:9]]
    others = ["1 2 / 3 0", *LINES[11:19]]
    asked = (str(source), "-o", str(output), "--workers", "1")
    source.write_text("\n".join([*lines, *others]))
    assert rate(*asked).exit_code == 0
    whole = output.read_bytes()
    done = journal_of(source).splitlines(keepends=True)[: 1 + len(lines)]
    output.with_name(f"{output.name}.part").write_text("".join(done))
    output.unlink()
    swapped = [*lines[:-1], others[1], *others]
    goal = "0 1 2 / 3 4 5 / 6 7 8"
    for texts, more, expected in (
        (swapped, [], "found line 11"),
        (lines[:-1], [], "found line 11 'none'"),
        ([*lines, *others], ["--solutions"], "found --solutions 'yes'"),
        ([*lines, *others], ["--goal", goal], "found --goal"),
        ([*lines, *others], ["--grid", "3x3"], "found --grid '3x3'"),
    ):
        source.write_text("\n".join(texts))
        shown = rate(*asked, "--resume", *more)
        assert expected in error_line(shown, 2)
        assert "that the run was begun with" in shown.stderr
    source.write_text("\n".join([*lines, *others]))
    assert rate(*asked, "--resume").exit_code == 0
    assert output.read_bytes() == whole


def test_files_as_editors_and_spreadsheets_leave_them(tmp_path: Path) -> None:
    plain = rate("-", "--workers", "1", given="1 2 / 0 3\n3 1 / 0 2\n").stdout
    for name, content in (
        ("mark.txt", b"\xef\xbb\xbf1 2 / 0 3\n3 1 / 0 2"),
        ("windows.txt", b"1 2 / 0 3\r\n3 1 / 0 2\r\n"),
        ("old.txt", b"1 2 / 0 3\r3 1 / 0 2\r"),
    ):
        (tmp_path / name).write_bytes(content)
        assert rate(str(tmp_path / name), "--workers", "1").stdout == plain
    given = "\ufeff1 2 / 0 3\r\n3 1 / 0 2"
    assert rate("-", "--workers", "1", given=given).stdout == plain
    table = tmp_path / "boards.csv"
    table.write_bytes(
        b'\xef\xbb\xbfid,board\r\n"two\r\nlines","1 2\r\n0 3"\r\n\r\nb,"x\ny"\r\n'
    )
    lines = rate(str(table), "--workers", "1").stdout.splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("4,two lines,1 2 / 0 3,2x2,true,1")
    assert lines[2].startswith("7,b,x y,,,")


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.jsonl"])
def test_an_endless_line_is_not_read_to_its_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "LONGEST_LINE", 100)
    path = tmp_path / name
    path.write_text(f"board\n{'1 ' * 60}\n" if name == "x.csv" else "[" * 101)
    with pytest.raises(UsageError, match="lines of at most 100 characters"):
        list(positions.read_rows(path))


def test_json_that_is_too_deep_or_no_text_costs_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "boards.jsonl"
    path.write_text("[" * 99_000 + '\n{"board": "1 0", "id": "\\ud800"}\n')
    for kind in ("csv", "jsonl"):
        output = tmp_path / f"rated.{kind}"
        shown = rate(str(path), "-o", str(output), "--workers", "1")
        assert (shown.exit_code, output.exists()) == (0, True), shown.stderr


def test_bytes_that_are_no_text_on_standard_input_are_one_line() -> None:
    shown = rate("-", "--workers", "1", given=b"1 2 / 0 3\n\xff\xfe\n")
    assert "expected text in UTF-8 in 'standard input'" in error_line(shown, 2)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.xdist_group("fleet")
def test_a_signal_to_end_is_one_line_and_can_be_gone_on_with(tmp_path: Path) -> None:
    output, lines = tmp_path / "rated.csv", random_lines(Shape(3, 3), 9_000)
    command = [
        *(sys.executable, "-m", "imgpuzzle", "rate", "-", "--resume"),
        *("-o", str(output), "--workers", "2"),
    ]
    # Its input stays open, so that it cannot be done before it is ended.
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write("\n".join(lines[:7_000]) + "\n")
        process.stdin.flush()
        part = tmp_path / "rated.csv.part"
        while process.poll() is None and not (
            part.exists() and part.stat().st_size > 0
        ):
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        status = process.wait(timeout=300)
        said = process.stderr.read()
    assert said == "interrupted; --resume goes on from here\n"
    assert status == 143
    assert rate(*command[4:], given="\n".join(lines)).exit_code == 0
    assert len(output.read_text().splitlines()) == len(lines) + 1
    numbers = [line.split(",", 1)[0] for line in output.read_text().splitlines()]
    assert numbers == ["line", *map(str, range(1, len(lines) + 1))]


SIGNALLED = """
import asyncio, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
begin, count = asyncio.create_subprocess_exec, 0
async def watched(*what, **how):
    global count
    process = await begin(*what, **how)
    count += 1
    if count == int(os.environ["AT"]):
        os.killpg(0, getattr(signal, os.environ["NAME"]))
    return process
asyncio.create_subprocess_exec = watched
from imgpuzzle.__main__ import main
main()
"""
"""Signals all of the command, as a terminal does, when a process has just begun."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("name", "status", "at"),
    [("SIGINT", 130, 1), ("SIGHUP", 129, 2)],
)
def test_a_signal_while_workers_begin_is_one_line(
    name: str, status: int, at: int, tmp_path: Path
) -> None:
    output, temporary = tmp_path / "rated.csv", tmp_path / "temporary"
    temporary.mkdir()
    source = tmp_path / "boards.txt"
    source.write_text("\n".join(random_lines(Shape(3, 3), 9_000)))
    command = [
        *(sys.executable, "-c", SIGNALLED, "rate", str(source)),
        *("-o", str(output), "--workers", "2"),
    ]
    own = {"NAME": name, "AT": str(at), "TMPDIR": str(temporary)}
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | own,
    ) as process:
        _, said = process.communicate(timeout=300)
    assert said == "interrupted; --resume goes on from here\n"
    assert process.returncode == status
    # Nor is there anything in the temporary folder, which a kill would leave.
    assert not list(temporary.iterdir())


@pytest.mark.slow
@pytest.mark.xdist_group("fleet")
def test_a_scheduler_that_is_killed_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    where, output = tmp_path / "scheduler.json", tmp_path / "rated.csv"
    said = ["--scheduler-file", str(where), "--no-dashboard"]
    dask = [sys.executable, "-m", "distributed.cli.dask_{}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begun: list[subprocess.Popen[bytes]] = []

    def begin(kind: str, *more: str) -> None:
        command = [one.format(kind) for one in dask]
        begun.append(subprocess.Popen([*command, *said, *more], **quiet))  # type: ignore[call-overload]

    try:
        begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")
        while not where.exists():
            assert begun[0].poll() is None
            time.sleep(0.05)
        begin("worker", "--no-nanny", "--nthreads", "1")
        command = [
            *(sys.executable, "-m", "imgpuzzle", "rate", "-", "-o", str(output)),
            *("--scheduler", json.loads(where.read_text())["address"]),
        ]
        pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
            lines = random_lines(Shape(3, 3), 20_000)
            process.stdin.write("\n".join(lines[:15_000]) + "\n")
            process.stdin.flush()
            part = tmp_path / "rated.csv.part"
            while process.poll() is None and not part.exists():
                time.sleep(0.02)
            begun[0].kill()
            _, told = process.communicate("\n".join(lines[15_000:]), timeout=300)
        assert process.returncode == 130
        assert re.fullmatch(
            r"the Dask scheduler at 'tcp://\S+' is gone: interrupted; "
            r"--resume goes on from here\n",
            told,
        )
    finally:
        for one in begun:
            one.kill()
            one.wait()
    again = rate(
        "-", *command[5:7], "--resume", "--workers", "1", given="\n".join(lines)
    )
    assert again.exit_code == 0
    assert len(output.read_text().splitlines()) == len(lines) + 1


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")
    source = tmp_path / "boards.txt"
    source.write_text("\n".join(LINES * 20))
    part = tmp_path / "rated.csv.part"
    part.symlink_to(full)
    shown = rate(str(source), "-o", str(tmp_path / "rated.csv"), "--workers", "1")
    assert "could not write" in error_line(shown, 2)


def test_lines_that_are_no_boards_are_not_counted_as_rated(tmp_path: Path) -> None:
    boards, output = tmp_path / "boards.txt", tmp_path / "rated.csv"
    boards.write_text("1 2 0 3\nerror\n3 2 1 0\n", encoding="utf-8")
    for told in ("wrote", "replaced"):
        shown = rate(str(boards), "-o", str(output), "--workers", "1")
        first, last = shown.stderr.splitlines()
        assert first == f"{told} {output}"
        assert last.startswith("lines rated: 1 of 3, in ")
        assert last.endswith('; what is wrong with 2 says the column "error"')


def test_few_lines_that_take_long_have_a_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text("1 2 0 3\n", encoding="utf-8")
    for step, told in ((20, "0.025"), (1e-4, "5,000")):
        clock = SimpleNamespace(monotonic=itertools.count(step=step).__next__)
        monkeypatch.setattr("imgpuzzle.cli.commands.rate.time", clock)
        shown = rate(str(boards), "--workers", "1")
        assert f"({told} a second)" in shown.stderr


def test_a_dash_is_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = rate("-", "-o", "-", "--format", "csv", "--workers", "1", given="1 2 0 3\n")
    assert shown.exit_code == 0
    assert "1 2 / 0 3,2x2,true,1,true" in shown.stdout
    assert not any(tmp_path.iterdir())


def test_a_file_without_any_board_is_refused_with_what_is_wrong(tmp_path: Path) -> None:
    boards, output = tmp_path / "boards.txt", tmp_path / "rated.csv"
    for text, status in (("2 1 / 3 4\n1r 2\nerror\n", 2), ("3 2 1 0\n", 0)):
        boards.write_text(text, encoding="utf-8")
        shown = rate(str(boards), "-o", str(output), "--workers", "1")
        count = text.count("\n")
        assert f"lines rated: 0 of {count}, in " in shown.stderr
        assert (shown.exit_code, shown.stderr.count("imgpuzzle:")) == (
            status,
            status // 2,
        )
        assert len(output.read_text("utf-8").splitlines()) == 1 + count
