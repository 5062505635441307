"""Reading and following through the HTTP interface."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_vision_beside import a_board, pasted
from vision_scenes import is_near
from web_reading_support import (
    ASKED,
    GRID,
    PIXELS,
    REFERENCE,
    REGION,
    SHOT,
    asking_shot,
    moved,
    picture,
    png,
    upload,
)
from web_support import (
    QUIET,
    SAMPLES,
    ok,
    read_sample,
    refused,
    serving,
    truth,
)

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import load_image
from imgpuzzle.pipeline import read_image
from imgpuzzle.render.drawing.tiles import TileSet, render_position


@pytest.fixture(scope="module")
def emblem(web: Any) -> Any:
    """The emblem with its reference, uploaded and read once; nobody changes it."""
    files = {"screenshot": SHOT, "reference": REFERENCE.read_bytes()}
    return ok(upload(web, **files))


def test_of_two_boards_the_places_are_told(web: Any) -> None:
    first, second = a_board(3), a_board(7, at=(360, 50))
    error = refused(upload(web, screenshot=png(pasted(first, second))), 422)
    assert error["kind"] == "GridAmbiguousError"
    assert error["candidates"] == ["3x3", "3x3"]
    found = [Region(**place) for place in error["regions"]]
    for place, drawn in zip(found, (first, second), strict=True):
        assert is_near(place, drawn.box, 3)


def test_samples_are_read_as_their_truth_says(web: Any) -> None:
    answer = read_sample(web, "coffee", grid="4x4")
    assert answer["start"] == answer["reading"]["board"] == truth("coffee")
    assert answer["has_reference"]


@pytest.mark.slow
def test_the_answer_is_that_of_the_library(emblem: Any) -> None:
    reading = read_image(PIXELS, reference=load_image(REFERENCE))
    assert emblem["reading"] == reading.to_dict()
    assert emblem["start"] == truth("emblem")
    assert (emblem["width"], emblem["height"]) == (640, 480)
    assert emblem["version"] == 1
    assert emblem["certain"]
    assert emblem["solvable"]


def test_all_samples_are_listed_with_pictures(web: Any) -> None:
    module = web.get("/static/samples.js").text
    listed = json.loads(module.removeprefix("export default ").rstrip(";\n"))
    assert sorted(listed) == sorted(
        path.name.removesuffix("_screenshot.png")
        for path in SAMPLES.glob("*_screenshot.png")
    )
    for name, files in listed.items():
        assert len(files) == (1 if name == "numbers" else 2)
        for one in files:
            answer = web.get(f"/static/samples/{one}")
            assert answer.headers["content-type"].startswith("image/")
            assert answer.content == (SAMPLES / one).read_bytes()


def test_the_pictures_show_the_screenshot_and_its_tiles(web: Any, emblem: Any) -> None:
    shot = PIXELS
    assert np.array_equal(picture(web, emblem["screenshot"]), shot)
    sheet = picture(web, emblem["tiles"])
    wide, high = emblem["tile_width"], emblem["tile_height"]
    assert sheet.shape == (4 * high, 3 * wide, 3)
    region = emblem["reading"]["region"]
    row, col = 1, 2
    left = region["left"] + round(col * region["width"] / 3)
    top = region["top"] + round(row * region["height"] / 3)
    tile = sheet[row * high : (row + 1) * high, col * wide : (col + 1) * wide]
    assert np.array_equal(tile, shot[top : top + high, left : left + wide])
    # A white empty cell would not be seen on the page, a dark one not on a dark one:
    # they are there hatched as well.
    assert emblem["hatched"] == ["dark"]
    region, (row, col) = emblem["reading"]["region"], emblem["reading"]["blank"]
    left, top = region["left"] + col * wide, region["top"] + row * high
    white = shot.copy()
    white[top : top + high, left : left + wide] = 255
    given = {"screenshot": png(white), "reference": REFERENCE.read_bytes()}
    answer = ok(upload(web, **given))
    assert answer["hatched"] == ["light"]
    sheet = picture(web, answer["tiles"])
    wide, high = answer["tile_width"], answer["tile_height"]
    assert len(np.unique(sheet[3 * high :, :wide].reshape(-1, 3), axis=0)) == 3


@pytest.mark.slow
def test_which_goal_it_is_is_asked_and_answered(web: Any) -> None:
    first = ok(upload(web, screenshot=png(asking_shot())))
    asked = first["question"]
    assert not first["certain"]
    assert asked["answered"] is None
    boards = [one["board"] for one in asked["answers"]]
    assert boards[0] == first["reading"]["board"]
    truth = np.array([tile + 1 if tile else 0 for tile in ASKED])
    right = boards.index(truth.reshape(3, 3).tolist()) + 1
    assert right == 1
    place = f"/api/read/{first['id']}"
    # Every answer leads to its own board and goal; the last one counts.
    for number in (2, right):
        answer = ok(web.post(place, json={"answer": number}))
        one = asked["answers"][number - 1]
        assert answer["certain"]
        assert answer["reading"]["board"] == answer["start"] == one["board"]
        assert answer["reading"]["goal"] == answer["goal"] == one["goal"]
        assert answer["question"]["answered"] == number
        assert answer["question"]["answers"] == asked["answers"]
        assert answer["suggestion"] is None
    # A later screenshot of the same puzzle is not asked about again.
    blank = divmod(ASKED.index(0), 3)
    beside = (1 - blank[0] if blank[0] == 0 else blank[0] - 1, blank[1])
    later = asking_shot()
    tiles = [
        later[50 + 80 * row :, 100 + 80 * col :][:80, :80]
        for row, col in (blank, beside)
    ]
    tiles[0][:], tiles[1][:] = tiles[1].copy(), tiles[0].copy()
    now = ok(upload(web, "/api/continue", screenshot=png(later), reading=first["id"]))
    assert now["certain"]
    assert now["question"] is None
    expected = Board.from_rows(asked["answers"][right - 1]["board"])
    moved_board = expected.slide(3 * beside[0] + beside[1])
    assert now["reading"]["board"] == moved_board.rows()
    # Something else that is said ends the question.
    swapped = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    assert swapped["question"] is None
    refused(web.post(place, json={"answer": 1, "swap": [[0, 0], [0, 1]]}), 400)
    for wrong in (0, 4, "1", 1.5, True):
        refused(web.post(place, json={"answer": wrong}), 400)


@pytest.mark.slow
def test_numbers_whose_goal_is_asked_about_are_not_certain(web: Any) -> None:
    start = Board.parse("8 1 2 / 3 0 4 / 6 5 7")
    shot = render_position(tuple(range(9)), TileSet.numbered(start))
    first = ok(upload(web, screenshot=png(shot)))
    assert (first["certain"], first["reading"]["certain"]) == (False, True)
    assert first["start"] == start.rows()
    goals = [one["goal"] for one in first["question"]["answers"]]
    assert goals == [
        [[1, 2, 3], [4, 5, 6], [7, 8, 0]],
        [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
    ]
    for number, goal in enumerate(goals, 1):
        answer = ok(web.post(f"/api/read/{first['id']}", json={"answer": number}))
        assert answer["certain"]
        assert answer["goal"] == goal


def test_nothing_is_asked_of_what_is_certain(web: Any, emblem: Any) -> None:
    assert emblem["question"] is None
    refused(web.post(f"/api/read/{emblem['id']}", json={"answer": 1}), 400)


@pytest.mark.slow
def test_without_a_reference_and_with_one_that_comes_later(web: Any) -> None:
    fields = {"grid": GRID, "region": REGION}
    first = ok(upload(web, screenshot=SHOT, **fields))
    assert not first["has_reference"]
    assert first["reading"]["method"] != "reference"
    # The goal as it was pieced together serves as the reference of what follows.
    later = Board.from_rows(first["reading"]["board"]).slide(5).rows()
    shot = png(moved(5))
    answer = ok(upload(web, "/api/continue", screenshot=shot, reading=first["id"]))
    assert answer["reading"]["board"] == later
    assert answer["reading"]["goal"] == first["reading"]["goal"]
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


def test_a_later_screenshot_is_a_reading_of_its_own(web: Any, emblem: Any) -> None:
    rows = Board.from_rows(emblem["start"]).slide(5).rows()
    shot = png(moved(5))
    answer = ok(upload(web, "/api/continue", screenshot=shot, reading=emblem["id"]))
    # With the labels of the earlier one: so the page finds it on the way it has.
    assert answer["start"] == rows
    assert answer["certain"]
    assert answer["id"] != emblem["id"]


def test_unknown_ids_are_told(web: Any) -> None:
    refused(web.post("/api/read/nobody", json={"grid": "3x3"}), 404)
    refused(web.get("/api/read/nobody"), 404)
    refused(web.get("/api/read/nobody/1/tiles.png"), 404)
    given = {"screenshot": SHOT, "reading": "nobody"}
    refused(upload(web, "/api/continue", **given), 404)


def test_pictures_that_are_none_are_refused(web: Any) -> None:
    assert refused(upload(web, screenshot=b"text"), 422)["code"] == 3
    cut = SHOT[:5000]
    assert refused(upload(web, screenshot=cut), 422)["kind"] == "InvalidImageError"
    white = np.full((200, 300, 3), 255, np.uint8)
    error = refused(upload(web, screenshot=png(white)), 422)
    assert error["kind"] == "BoardNotFoundError"
    assert error["code"] == 4


@pytest.mark.slow
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
