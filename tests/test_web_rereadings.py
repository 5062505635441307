"""Correcting a reading, and reading anew, through the HTTP interface."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest
from web_reading_support import GRID, REFERENCE, REGION, SHOT, picture, upload
from web_support import ok, refused


@pytest.fixture(scope="module")
def marred(web: Any) -> Any:
    """Another reading of it, for tests that correct; each begins with ``restored``."""
    return placed(web)


def placed(web: Any) -> Any:
    """The emblem, read with its reference and in the place that is given."""
    helps = {"grid": GRID, "region": REGION}
    given = {"screenshot": SHOT, "reference": REFERENCE.read_bytes(), **helps}
    return ok(upload(web, **given))


def restored(web: Any, marred: Any) -> str:
    """The address of the reading, with its board and goal as they were read."""
    place = f"/api/read/{marred['id']}"
    both = {"board": marred["start"], "goal": marred["goal"]}
    assert ok(web.post(place, json=both))["start"] == marred["start"]
    return place


def test_a_reading_can_be_asked_for_again(web: Any, marred: Any) -> None:
    place = restored(web, marred)
    swapped = ok(web.post(place, json={"swap": [[0, 0], [0, 1]]}))
    assert ok(web.get(place)) == swapped
    assert ok(web.get(place)) == swapped
    # A refused change is none.
    refused(web.post(place, json={"blank": [0, -1]}), 400)
    assert ok(web.get(place)) == swapped


@pytest.mark.slow
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


def test_the_corners_can_be_put_right(web: Any) -> None:
    known = placed(web)
    region = known["reading"]["region"]
    left, top = region["left"], region["top"]
    right, bottom = left + region["width"], top + region["height"]
    corners = [left, top, right, top, right, bottom, left, bottom]
    given = {"grid": "3x3", "corners": corners}
    again = ok(web.post(f"/api/read/{known['id']}", json=given))
    found = [value for corner in again["reading"]["corners"] for value in corner]
    assert found == pytest.approx(corners, abs=6)


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
    assert "half of all" in swapped["reason"]
    refused(web.post("/api/solve", json={"reading": swapped["id"]}), 422)
    mended = ok(web.post(place, json={"swap": [[0, 1], [0, 0]]}))
    assert mended["solvable"]
    assert (swapped["one_more"], mended["one_more"]) == (True, False)


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
    ({"goal": [[1, 2], [3, 0]]}, 400),
    ({"goal": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}, 422),
    ({"blank": [3, 0]}, 422),
    ({"swap": [[0, 0], [0, 3]]}, 422),
    ({"corners": [1, 2, 3]}, 400),
]


def test_wrong_corrections_change_nothing(web: Any, marred: Any) -> None:
    place = restored(web, marred)
    for value, status in WRONG:
        refused(web.post(place, json=value), status)
    # One that reads anew shows that nothing of them was kept.
    again = ok(web.post(place, json={"grid": "3x3"}))
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
