"""Reading, correcting and following through the HTTP interface."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image as PillowImage
from web_support import (
    QUIET,
    SAMPLES,
    ok,
    read_sample,
    refused,
    replay,
    serving,
    solved,
    truth,
)

from imgpuzzle.board import Board
from imgpuzzle.image import load_image
from imgpuzzle.pipeline import read_image
from imgpuzzle.solvability import is_solvable

REFERENCE = SAMPLES / "emblem_reference.png"
GRID, REGION = "3x3", "27,79,360,360"


def small_shot() -> np.ndarray:
    """The emblem's screenshot at half its size, its tiles of whole 120 px a side."""
    with PillowImage.open(SAMPLES / "emblem_screenshot.png") as file:
        whole = file.convert("RGB")
    board = whole.crop((54, 158, 54 + 741, 158 + 741)).resize((360, 360))
    page = whole.resize((640, 480))
    page.paste(board, (27, 79))
    return np.asarray(page)


def png(picture: np.ndarray) -> bytes:
    out = io.BytesIO()
    PillowImage.fromarray(picture).save(out, "PNG", compress_level=1)
    return out.getvalue()


PIXELS = small_shot()
SHOT = png(PIXELS)


def picture(web: Any, address: str) -> np.ndarray:
    """A picture of the server, decoded by Pillow."""
    answer = web.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    with PillowImage.open(io.BytesIO(answer.content)) as file:
        return np.asarray(file.convert("RGB"))


def upload(web: Any, path: str = "/api/read", **fields: Any) -> Any:
    return web.post(
        path,
        files={
            name: (None, value) if isinstance(value, str) else (f"{name}.png", value)
            for name, value in fields.items()
        },
    )


@pytest.fixture(scope="module")
def emblem(web: Any) -> Any:
    """The emblem with its reference, uploaded and read once; nobody changes it."""
    files = {"screenshot": SHOT, "reference": REFERENCE.read_bytes()}
    return ok(upload(web, **files))


@pytest.fixture(scope="module")
def marred(web: Any) -> Any:
    """Another reading of it, for tests that correct; each begins with ``restored``."""
    return placed(web)


def placed(web: Any) -> Any:
    """The emblem, read with its reference and where it is told to be."""
    helps = {"grid": GRID, "region": REGION}
    given = {"screenshot": SHOT, "reference": REFERENCE.read_bytes(), **helps}
    return ok(upload(web, **given))


def restored(web: Any, marred: Any) -> str:
    """The address of the reading, with its board and goal as they were read."""
    place = f"/api/read/{marred['id']}"
    both = {"board": marred["start"], "goal": marred["goal"]}
    assert ok(web.post(place, json=both))["start"] == marred["start"]
    return place


def test_samples_are_read_as_their_truth_says(web: Any) -> None:
    other = "1 2 3 / 4 5 6 / 0 8 7"
    answer = read_sample(web, "game_cat_3x3", goal=other, grid="3x3")
    assert answer["start"] == answer["reading"]["board"] == truth("game_cat_3x3")
    assert answer["goal"] == [[1, 2, 3], [4, 5, 6], [0, 8, 7]]
    assert answer["has_reference"]


def test_the_answer_is_that_of_the_library(emblem: Any) -> None:
    reading = read_image(PIXELS, reference=load_image(REFERENCE))
    assert emblem["reading"] == reading.to_dict()
    assert emblem["start"] == truth("emblem")
    assert (emblem["width"], emblem["height"]) == (640, 480)
    assert emblem["version"] == 1
    assert emblem["certain"]
    assert emblem["solvable"]


def test_all_samples_are_listed_with_pictures(web: Any) -> None:
    listed = ok(web.get("/api/samples"))
    assert {one["name"] for one in listed} == {
        path.name.removesuffix("_screenshot.png")
        for path in SAMPLES.glob("*_screenshot.png")
    }
    for one in listed:
        for address in (one["screenshot"], one["reference"]):
            assert web.get(address).headers["content-type"].startswith("image/")


def test_the_pictures_show_the_screenshot_and_its_tiles(web: Any, emblem: Any) -> None:
    shot = PIXELS
    assert np.array_equal(picture(web, emblem["screenshot"]), shot)
    sheet = picture(web, emblem["tiles"])
    wide, high = emblem["tile_width"], emblem["tile_height"]
    assert sheet.shape == (3 * high, 3 * wide, 3)
    region = emblem["reading"]["region"]
    row, col = 1, 2
    left = region["left"] + round(col * region["width"] / 3)
    top = region["top"] + round(row * region["height"] / 3)
    tile = sheet[row * high : (row + 1) * high, col * wide : (col + 1) * wide]
    assert np.array_equal(tile, shot[top : top + high, left : left + wide])
    assert picture(web, emblem["assembled"]).shape == sheet.shape


def test_a_reading_can_be_asked_for_again(web: Any, marred: Any) -> None:
    place = restored(web, marred)
    swapped = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    assert ok(web.get(place)) == swapped
    assert ok(web.get(place)) == swapped
    # A refused change is none.
    refused(web.post(place, json={"blank": [0, -1]}), 400)
    assert ok(web.get(place)) == swapped


def test_reading_anew_keeps_the_id_and_what_still_holds(web: Any) -> None:
    first = placed(web)
    place = f"/api/read/{first['id']}"
    swapped = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    assert (swapped["id"], swapped["version"]) == (first["id"], 2)
    assert swapped["tiles"] != first["tiles"]
    assert np.array_equal(picture(web, first["tiles"]), picture(web, swapped["tiles"]))
    # Helps add up: the exchange holds, because the reader sees what it saw.
    again = ok(web.post(place, json={"goal_blank": [2, 2]}))
    assert again["start"] == swapped["start"]
    # A place makes all exchanges void.
    anew = ok(web.post(place, json={"region": [27, 79, 360, 360]}))
    assert anew["start"] == first["start"]
    assert anew["version"] == 4


def test_an_exchange_is_taken_at_its_word(web: Any, marred: Any) -> None:
    place = restored(web, marred)
    swapped = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    expected = [list(row) for row in marred["start"]]
    expected[0][0], expected[0][1] = expected[0][1], expected[0][0]
    assert swapped["start"] == expected
    assert swapped["certain"]
    assert swapped["confidence"] == 1
    # What a person says is checked all the same.
    assert not swapped["solvable"]
    assert "parity" in swapped["reason"]
    # What was done by hand last is what is likeliest to be wrong.
    assert swapped["suggestion"] == {"swap": [[0, 0], [0, 1]], "own": True}
    refused(web.post("/api/solve", json={"reading": swapped["id"]}), 422)
    mended = ok(web.post(place, json={"swap": swapped["suggestion"]["swap"]}))
    assert mended["solvable"]
    assert mended["suggestion"] is None


def test_the_blank_and_whole_boards_can_be_corrected(web: Any, marred: Any) -> None:
    place = restored(web, marred)
    moved = ok(web.post(place, json={"blank": [0, 0]}))
    assert moved["start"][0][0] == 0
    assert moved["start"][2][2] == marred["start"][0][0]
    rows = [[1, 2, 3], [4, 5, 6], [7, 0, 8]]
    given = ok(web.post(place, json={"board": rows}))
    assert given["start"] == rows
    goal = [[8, 7, 6], [5, 4, 3], [2, 1, 0]]
    assert ok(web.post(place, json={"goal": goal}))["goal"] == goal
    # Numbers that the reader did not use bring their own goal.
    other = [[2, 3, 4], [5, 6, 7], [8, 0, 9]]
    assert ok(web.post(place, json={"board": other}))["goal"][0] == [0, 2, 3]


WRONG: list[tuple[Any, int]] = [
    ({}, 400),
    ({"colour": 1}, 400),
    ({"grid": "x"}, 400),
    ({"grid": "12x12"}, 400),
    ({"region": [0, 0, 9000, 9000]}, 400),
    ({"swap": [[0, 0]]}, 400),
    ({"swap": [[0, 0], [0, 0]]}, 400),
    ({"swap": [[0, 0], [3, 0]]}, 422),
    ({"blank": [0]}, 400),
    ({"blank": [0, -1]}, 400),
    ({"board": [[1, 0], [2, 3]]}, 400),
    ({"board": [[1, 1, 1], [1, 1, 1], [1, 1, 1]]}, 422),
    ({"goal": [[1, 2, 3], [4, 5, 6], [7, 9, 0]]}, 400),
    ({"corners": [1, 2, 3]}, 400),
    ({"distinct": "yes"}, 400),
]


def test_wrong_corrections_change_nothing(web: Any, marred: Any) -> None:
    place = restored(web, marred)
    for value, status in WRONG:
        refused(web.post(place, json=value), status)
    # One that reads anew shows that nothing of them was kept.
    again = ok(web.post(place, json={"distinct": True}))
    assert (again["start"], again["goal"]) == (marred["start"], marred["goal"])
    assert again["reading"]["region"] == marred["reading"]["region"]


def test_who_leaves_in_the_middle_changes_nothing(web: Any, marred: Any) -> None:
    place = restored(web, marred)
    service = web.app.state.service
    record = service.store.record(marred["id"])
    before = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    kept = record.base, list(record.corrections), dict(record.helps)

    async def leave() -> None:
        work = asyncio.ensure_future(service.read(record))
        await asyncio.sleep(0.05)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    web.portal.call(leave)
    assert (record.base, record.corrections, record.helps) == kept
    assert record.answer == before
    after = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    assert after["start"] == marred["start"]
    assert after["version"] > before["version"] + 1


def test_without_a_reference_and_with_one_that_comes_later(web: Any) -> None:
    fields = {"grid": GRID, "region": REGION}
    first = ok(upload(web, screenshot=SHOT, **fields))
    assert not first["has_reference"]
    assert first["reading"]["method"] != "reference"
    # The goal as it was pieced together serves as the reference of what follows.
    later = moved(first["reading"]["board"])
    shot = screenshot(first, later)
    answer = ok(upload(web, "/api/continue", screenshot=shot, reading=first["id"]))
    assert answer["reading"]["board"] == later
    assert answer["reading"]["goal"] == first["reading"]["goal"]
    assert answer["on_path"] is None
    assert not answer["has_reference"]
    # Doubts about the goal are not forgotten.
    assert answer["certain"] <= first["certain"]
    place = f"/api/read/{first['id']}"
    better = ok(upload(web, place, reference=REFERENCE.read_bytes()))
    assert better["id"] == first["id"]
    assert better["has_reference"]
    assert better["reading"]["method"] == "reference"
    assert better["start"] == truth("emblem")
    # A bad one leaves the good one where it is.
    refused(upload(web, place, reference=b"\x89PNG\r\n\x1a\nnothing"), 422)
    again = ok(web.post(place, json={"grid": "3x3"}))
    assert again["reading"]["method"] == "reference"


def test_a_later_screenshot_is_found_on_the_path_or_beside_it(
    web: Any, emblem: Any
) -> None:
    state = solved(web, emblem["id"])
    result = state["result"]
    given = {"reading": emblem["id"], "job": state["id"]}
    rows = replay({**result, "moves": result["moves"][:7]})
    shot = screenshot(emblem, rows)
    answer = ok(upload(web, "/api/continue", screenshot=shot, **given))
    assert answer["start"] == rows
    assert answer["on_path"] == 7
    assert answer["certain"]
    assert answer["id"] != emblem["id"]
    counts = range(len(result["moves"]) + 1)
    on_it = [replay({**result, "moves": result["moves"][:n]}) for n in counts]
    board = Board.from_rows(emblem["start"])
    others = (board.slide(cell).rows() for cell in board.movable())
    other = next(rows for rows in others if rows not in on_it)
    shot = screenshot(emblem, other)
    answer = ok(upload(web, "/api/continue", screenshot=shot, **given))
    assert answer["start"] == other
    assert answer["on_path"] is None


def moved(rows: list[list[int]]) -> list[list[int]]:
    """The board after one move."""
    board = Board.from_rows(rows)
    return board.slide(board.movable()[0]).rows()


def screenshot(answer: Any, rows: list[list[int]]) -> bytes:
    """The emblem's screenshot with its tiles moved, by slicing alone."""
    shot = PIXELS.copy()
    region = answer["reading"]["region"]
    side, high = region["width"] // 3, region["height"] // 3

    def spots(board: list[list[int]]) -> dict[int, tuple[slice, slice]]:
        return {
            label: (
                slice(region["top"] + row * high, region["top"] + (row + 1) * high),
                slice(region["left"] + col * side, region["left"] + (col + 1) * side),
            )
            for row, line in enumerate(board)
            for col, label in enumerate(line)
        }

    before = spots(answer["reading"]["board"])
    tiles = {label: shot[spot].copy() for label, spot in before.items()}
    for label, spot in spots(rows).items():
        shot[spot] = tiles[label]
    return png(shot)


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


def test_unknown_ids_are_told(web: Any) -> None:
    refused(web.post("/api/read/nobody", json={"grid": "3x3"}), 404)
    refused(web.get("/api/read/nobody"), 404)
    refused(web.get("/api/read/nobody/1/tiles.png"), 404)
    given = {"screenshot": SHOT, "reading": "nobody"}
    refused(upload(web, "/api/continue", **given), 404)


def test_pictures_that_are_none_are_refused(web: Any) -> None:
    assert refused(upload(web, screenshot=b"text"), 415)["code"] == 3
    cut = SHOT[:5000]
    assert refused(upload(web, screenshot=cut), 422)["kind"] == "InvalidImageError"
    out = io.BytesIO()
    PillowImage.new("RGB", (300, 200), "white").save(out, "PNG")
    error = refused(upload(web, screenshot=out.getvalue()), 422)
    assert error["kind"] == "BoardNotFoundError"
    assert error["code"] == 4


def test_the_oldest_readings_are_forgotten() -> None:
    with serving(replace(QUIET, max_readings=3)) as client:
        ids = [
            ok(client.post("/api/board", json={"board": "1 2 / 3 0"}))["id"]
            for _ in range(5)
        ]
        known = [
            client.post(f"/api/read/{name}", json={"blank": [0, 0]}).status_code
            for name in ids
        ]
        assert known == [404, 404, 200, 200, 200]
        again = [client.get(f"/api/read/{name}").status_code for name in ids]
        assert again == known
        folder = client.app.state.service.store.root
        assert len(list(folder.iterdir())) == 3
    assert not folder.exists()


def test_large_files_are_refused_and_leave_nothing() -> None:
    with serving(replace(QUIET, max_file_bytes=100_000)) as client:
        refused(upload(client, screenshot=SHOT), 413)
        assert not list(client.app.state.service.store.root.iterdir())


def test_much_data_is_forgotten_too() -> None:
    with serving(replace(QUIET, max_stored_bytes=1)) as client:
        given = {"board": "1 2 / 3 0"}
        first = ok(client.post("/api/board", json=given))
        assert client.get(first["tiles"]).status_code == 200
        last = ok(client.post("/api/board", json=given))
        refused(client.get(first["tiles"]), 404)
        # The newest one stays, whatever it weighs.
        assert client.get(last["tiles"]).status_code == 200
