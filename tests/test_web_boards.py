"""Boards as text through the HTTP interface."""

from __future__ import annotations

from typing import Any

from web_reading_support import REFERENCE, SHOT, picture, upload
from web_support import ok, refused

from imgpuzzle.board import Board
from imgpuzzle.solvability import is_solvable


class TestBoards:
    def test_text_and_rows(self, web: Any) -> None:
        text = "1 2 3 / 4 0 5 / 7 8 6"
        rows = [[1, 2, 3], [4, 0, 5], [7, 8, 6]]
        one = ok(web.post("/api/board", json={"board": text}))
        other = ok(web.post("/api/board", json={"board": rows}))
        assert one["start"] == other["start"] == rows
        assert one["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
        assert one["reading"] is one["screenshot"] is one["assembled"] is None
        assert one["numbered"]
        assert picture(web, one["tiles"]).shape[1] == 3 * one["tile_width"]

    def test_a_goal_of_its_own(self, web: Any) -> None:
        goal = [[0, 1], [2, 3]]
        given = {"board": [[1, 0], [2, 3]], "goal": goal}
        assert ok(web.post("/api/board", json=given))["goal"] == goal
        given["goal"] = "0 1 / 2 3"  # type: ignore[assignment]
        assert ok(web.post("/api/board", json=given))["goal"] == goal

    def test_an_unsolvable_one_gets_a_suggestion_that_mends_it(self, web: Any) -> None:
        rows = [[1, 2, 3], [4, 5, 6], [8, 7, 0]]
        answer = ok(web.post("/api/board", json={"board": rows}))
        assert not answer["solvable"]
        (row, col), (other_row, other_col) = answer["suggestion"]["swap"]
        rows[row][col], rows[other_row][other_col] = (
            rows[other_row][other_col],
            rows[row][col],
        )
        assert is_solvable(Board.from_rows(rows), Board.from_rows(answer["goal"]))
        place = f"/api/read/{answer['id']}"
        swap = answer["suggestion"]["swap"]
        assert ok(web.post(place, json={"swap": swap}))["start"] == rows

    def test_other_tiles_get_no_suggestion(self, web: Any) -> None:
        given = {"board": [[1, 0], [2, 3]], "goal": [[1, 0], [2, 4]]}
        answer = ok(web.post("/api/board", json=given))
        assert answer["reason"].startswith("start and goal have different tiles")
        assert answer["suggestion"] is None

    def test_the_home_of_the_blank_can_be_said(self, web: Any) -> None:
        answer = ok(web.post("/api/board", json={"board": "1 2 3 / 4 0 5 / 7 8 6"}))
        place = f"/api/read/{answer['id']}"
        moved = ok(web.post(place, json={"goal_blank": [0, 0]}))
        assert moved["goal"] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
        back = ok(web.post(place, json={"goal_blank": None}))
        assert back["goal"] == answer["goal"]

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
