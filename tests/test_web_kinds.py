"""Boards without an empty cell on the server: which puzzle it is, and its solution."""

from __future__ import annotations

import json
from typing import Any

from test_vision_turned import turned
from test_vision_whole import complete
from web_reading_support import png, upload
from web_support import ended, ok, refused, solved

from imgpuzzle.core.board import Shape, TurnedBoard
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.puzzles.kind import KINDS
from scripts.kind_drawings import KEPT, drawings


def test_the_drawings_that_the_page_has_are_those_of_the_moves() -> None:
    assert json.loads(KEPT.read_bytes()) == drawings()


def test_turned_tiles_are_read_and_asked_about(web: Any) -> None:
    board = TurnedBoard.parse("3r 7 1d / 9l 5r 2 / 4 6d 8l")
    drawn = turned(board, tile=(90, 90))
    answer = ok(
        upload(web, screenshot=png(drawn.screenshot), reference=png(drawn.reference))
    )
    assert answer["certain"]
    assert answer["reading"]["turns"] == board.turn_rows()
    assert answer["puzzles"] == ["twiddle-turn", "turn", "turn-both", "turn-swap"]
    address = f"/api/read/{answer['id']}"
    named = ok(web.post(address, json={"puzzle": "turn-swap"}))
    assert (named["puzzle"], named["solvable"]) == ("turn-swap", True)
    way = solved(web, answer["id"])["result"]
    assert way["shown"]["moves"]
    # From the same cells the tiles lie turned as they were read: not solved at once.
    again = solved(web, answer["id"], board=named["start"])["result"]
    assert again["shown"]["moves"] == way["shown"]["moves"]
    # How they lie turned elsewhere is not known.
    wanted = {"reading": answer["id"], "board": named["start"][::-1]}
    refused(web.post("/api/solve", json=wanted), 422)


def test_a_board_without_an_empty_cell_is_solved_as_the_puzzle_that_is_named(
    web: Any,
) -> None:
    drawn = complete(Shape(3, 3), 3)
    pictures = {"screenshot": drawn.screenshot, "reference": drawn.reference}
    form = {name: png(picture) for name, picture in pictures.items()}
    answer = ok(upload(web, **form))
    assert answer["puzzles"] == [*KINDS][1:]
    assert (answer["puzzle"], answer["solvable"]) == ("slide", False)
    address = f"/api/read/{answer['id']}"
    refused(web.post(address, json={"puzzle": "chess"}), 400)
    for name in ("twiddle", "swap", "turn-swap"):
        answer = ok(web.post(address, json={"puzzle": name}))
        assert (answer["puzzle"], answer["solvable"]) == (name, True)
        assert answer["turned"] is (name == "turn-swap")
        solve = solved(web, answer["id"])
        shown = solve["result"]["shown"]
        now = [one for row in answer["start"] for one in row]
        for _look, _cell, *cells in shown["moves"]:
            before = list(now)
            for origin, target in zip(cells[::2], cells[1::2], strict=True):
                now[target] = before[origin]
        assert now == [one for row in answer["goal"] for one in row]
        assert shown["told"].keys() == {*LANGUAGES}
        for words in shown["told"].values():
            assert [len(one) for one in words] == [len(shown["moves"])] * 2
    # Tiles that only turn cannot change places; the way out is a file as ever.
    stuck = ok(web.post(address, json={"puzzle": "turn"}))
    assert not stuck["solvable"]
    assert "turn-swap" in stuck["reason"]
    wanted = {"reading": answer["id"], "job": solve["id"], "format": "txt"}
    made = ok(web.post("/api/render", json=wanted), 202)["job"]
    told = web.get(ended(web, made)["result"]["url"]).text
    assert "swap the tile" in told
    # The empty cell that is there after all makes it a sliding puzzle again.
    again = ok(web.post(address, json={"blank": [0, 0]}))
    assert (again["puzzle"], again["puzzles"]) == ("slide", [])
