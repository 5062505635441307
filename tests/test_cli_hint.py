"""``imgpuzzle hint``, and solutions in words."""

from __future__ import annotations

from typing import Any

import naive
import pytest
from cli_support import (
    TWO_MOVES,
    one_object,
    run,
)
from render_oracles import wandering

from imgpuzzle import goals
from imgpuzzle.cli import report
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import LimitReachedError

KEYS = [
    *("step", "tile", "from", "to", "direction"),
    *("moves_left", "optimal", "lower_bound"),
]


def test_following_the_hints_solves_the_board() -> None:
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    board = Board.parse("4 1 3 / 7 2 6 / 5 8 0")
    left = naive.distances(3, 3, goal)[board.cells]
    while left:
        record = one_object(run("hint", "--board", board.one_line(), "--json"))
        assert list(record) == KEYS
        assert (record["moves_left"], record["lower_bound"]) == (left, left)
        assert record["optimal"] is True
        assert record["step"] == 1
        cell = board.shape.cell(*record["from"])
        assert board.cells[cell] == record["tile"]
        assert board.shape.cell(*record["to"]) == board.blank
        step = {"U": -3, "D": 3, "L": -1, "R": 1}[record["direction"]]
        assert board.blank == cell + step
        board = board.slide(cell)
        left -= 1
    assert board.cells == goal


def test_when_the_number_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def tired(*_: Any, **__: Any) -> None:
        raise LimitReachedError("no", lower_bound=2, nodes=0)

    monkeypatch.setattr("imgpuzzle.solver.counting.count_shortest", tired)
    result = run("hint", "--board", TWO_MOVES, "--count")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].endswith("not be counted in this time")
    record = one_object(run("hint", "--board", TWO_MOVES, "--count", "--json"))
    assert record["shortest_count"] is None


def test_an_unproven_solution_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Board.parse(TWO_MOVES)
    unproven = Solution(start, goals.row_major(start.shape), (5, 8), lower_bound=0)
    monkeypatch.setattr("imgpuzzle.solver.search.solve", lambda *_, **__: unproven)
    result = run("hint", "--board", TWO_MOVES, "--count")
    first, second = result.stdout.splitlines()
    assert first.endswith("; to go: 2 moves, not proven shortest")
    assert second.endswith("not be counted in this time")
    record = one_object(run("hint", "--board", TWO_MOVES, "--json"))
    assert (record["moves_left"], record["optimal"]) == (2, False)


def test_of_a_long_solution_the_beginning_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    long = wandering(goals.row_major(Shape(4, 4)), 4000, 1)
    report.say_solution(long, Naming())
    letters, tiles = capsys.readouterr().out.split("\n\n")[1:]
    for told in (letters, tiles):
        lines = told.splitlines()
        assert len(lines) == report.MOST_LINES + 1
        more = "  and more: -o moves.txt writes all, --json prints all"
        assert lines[-1] == more
    beginning = "".join(letters.split("\n", 1)[1].split(" and ")[0].split())
    assert long.letters.startswith(beginning)
    whole = wandering(goals.row_major(Shape(4, 4)), report.MOST_TOLD, 1)
    report.say_solution(whole, Naming())
    told = capsys.readouterr().out
    assert "and more:" not in told
    assert f"  {report.MOST_TOLD}. " in told
