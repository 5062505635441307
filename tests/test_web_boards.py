"""Boards as text through the HTTP interface."""

from __future__ import annotations

from typing import Any

import pytest
from web_reading_support import REFERENCE, SHOT, picture, upload
from web_support import ok, refused, solved

from imgpuzzle.core.board import Board
from imgpuzzle.core.solvability import is_solvable


class TestBoards:
    def test_text_and_rows(self, web: Any) -> None:
        text = "1 2 3 / 4 0 5 / 7 8 6"
        rows = [[1, 2, 3], [4, 0, 5], [7, 8, 6]]
        one = ok(web.post("/api/board", json={"board": text}))
        other = ok(web.post("/api/board", json={"board": rows}))
        assert one["start"] == other["start"] == rows
        assert one["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
        assert one["reading"] is one["screenshot"] is None
        assert one["numbered"]
        assert picture(web, one["tiles"]).shape[1] == 3 * one["tile_width"]

    def test_a_goal_of_its_own(self, web: Any) -> None:
        goal = [[0, 1], [2, 3]]
        given = {"board": [[1, 0], [2, 3]], "goal": goal}
        assert ok(web.post("/api/board", json=given))["goal"] == goal
        given["goal"] = "0 1 / 2 3"  # type: ignore[assignment]
        assert ok(web.post("/api/board", json=given))["goal"] == goal

    @pytest.mark.parametrize(
        ("text", "kinds", "moves"), [("2 1 / 3 4", 8, 1), ("2 1r / 3 4", 4, 4)]
    )
    def test_one_without_an_empty_cell(
        self, web: Any, text: str, kinds: int, moves: int
    ) -> None:
        answer = ok(web.post("/api/board", json={"board": text}))
        assert answer["texts"] == [text, "1 2 / 3 4"]
        assert answer["reason_code"]["kind"] == "none_missing"
        assert len(answer["puzzles"]) == kinds
        place = f"/api/read/{answer['id']}"
        assert ok(web.post(place, json={"puzzle": "turn-swap"}))["solvable"]
        assert solved(web, answer["id"])["result"]["move_count"] == moves

    @pytest.mark.slow
    def test_an_unsolvable_one_gets_goals_that_can_be_reached(self, web: Any) -> None:
        rows = [[1, 2, 3], [4, 5, 6], [8, 7, 0]]
        answer = ok(web.post("/api/board", json={"board": rows}))
        assert not answer["solvable"]
        # What was typed is meant: nobody exchanges any of it.
        assert answer["suggestion"] is None
        goals = answer["reachable_goals"]
        counts = [one["move_count"] for one in goals]
        assert counts == sorted(counts)
        start = Board.from_rows(rows)
        assert all(is_solvable(start, Board.from_rows(one["goal"])) for one in goals)
        error = refused(web.post("/api/solve", json={"reading": answer["id"]}), 422)
        assert error["reachable_goals"] == goals
        chosen = goals[0]
        names = {f"goal_{name}": chosen[name] for name in ("layout", "blank")}
        place = f"/api/read/{answer['id']}"
        assert ok(web.post(place, json=names))["goal"] == chosen["goal"]
        result = solved(web, answer["id"])["result"]
        assert result["goal"] == chosen["goal"]
        assert result["move_count"] == chosen["move_count"]
        # The reading keeps the choice.
        assert ok(web.get(place))["goal"] == chosen["goal"]

    @pytest.mark.parametrize(
        "choice",
        [
            {"goal_layout": "zigzag"},
            {"goal_layout": ["row"]},
            {"goal_layout": {}},
            {"goal_blank": "nowhere"},
            {"goal_layout": "row", "goal_blank": [0]},
            {"goal_layout": "row", "goal_blank": "middle"},
        ],
    )
    def test_goals_that_do_not_exist(self, web: Any, choice: Any) -> None:
        answer = ok(web.post("/api/board", json={"board": "1 2 / 3 0"}))
        refused(web.post(f"/api/read/{answer['id']}", json=choice), 400)
        assert ok(web.get(f"/api/read/{answer['id']}")) == answer

    def test_the_home_of_the_blank_can_be_said(self, web: Any) -> None:
        answer = ok(web.post("/api/board", json={"board": "1 2 3 / 4 0 5 / 7 8 6"}))
        place = f"/api/read/{answer['id']}"
        moved = ok(web.post(place, json={"goal_blank": [0, 0]}))
        assert moved["goal"] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
        back = ok(web.post(place, json={"goal_blank": None}))
        assert back["goal"] == answer["goal"]

    @pytest.mark.parametrize("name", ["board", "goal"])
    def test_texts_that_take_long_to_read_are_not_read(
        self, web: Any, name: str
    ) -> None:
        # The server does nothing else meanwhile: a megabyte of slashes took 1.6 s.
        given = {"board": "1 2 / 3 0", name: "/" * 20_001}
        assert "letters" in refused(web.post("/api/board", json=given), 422)["message"]
        given[name] = "/" * 70_000
        refused(web.post("/api/board", json=given), 413)
        long = "1 2 / 3 0" + " " * 19_000
        assert ok(web.post("/api/board", json={"board": long, "goal": long}))[
            "solvable"
        ]

    def test_what_needs_a_screenshot_is_refused(self, web: Any) -> None:
        answer = ok(web.post("/api/board", json={"board": "1 2 / 3 0"}))
        place = f"/api/read/{answer['id']}"
        refused(web.post(place, json={"grid": "2x2"}), 409)
        refused(upload(web, place, reference=REFERENCE.read_bytes()), 409)
        follow = {"reading": answer["id"], "screenshot": SHOT}
        refused(upload(web, "/api/continue", **follow), 409)
        version = answer["version"]
        assembled = f"/api/read/{answer['id']}/{version}/assembled.png"
        refused(web.get(assembled), 404)
