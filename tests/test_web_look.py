"""Frames of a game that is played: what the server says of them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from web_reading_support import (
    GRID,
    LEFT,
    PIXELS,
    REFERENCE,
    REGION,
    SHOT,
    TILE,
    TOP,
    moved,
    png,
    upload,
)
from web_support import ok, refused


@pytest.fixture(scope="module")
def known(web: Any) -> Any:
    reference = REFERENCE.read_bytes()
    form = {"screenshot": SHOT, "reference": reference, "grid": GRID, "region": REGION}
    return ok(upload(web, **form))


def look(web: Any, known: Any, frame: np.ndarray | bytes) -> Any:
    data = frame if isinstance(frame, bytes) else png(frame)
    path = f"/api/read/{known['id']}/{known['version']}/look"
    return upload(web, path, frame=data)


def after(known: Any, *cells: int) -> list[list[int]]:
    """The board after these moves, by the rules alone."""
    labels, blank = [label for row in known["start"] for label in row], 8
    for cell in cells:
        labels[blank], labels[cell], blank = labels[cell], 0, cell
    return [labels[at : at + 3] for at in (0, 3, 6)]


@pytest.mark.parametrize("cells", [(), (5,), (5, 4, 3), (7, 6)])
def test_positions_are_told_in_the_labels_of_the_puzzle(
    web: Any, known: Any, cells: tuple[int, ...]
) -> None:
    # What is far from the frame before has to be seen twice.
    seen = [ok(look(web, known, moved(*cells))) for _ in range(2)][-1]
    assert (seen["kind"], seen["board"]) == ("position", after(known, *cells))


def test_marks_over_the_game_are_looked_through(web: Any, known: Any) -> None:
    """A frame on the tile that moves and an arrow, as the extension draws them."""
    ok(look(web, known, moved()))
    left, top = LEFT + 2 * TILE, TOP + TILE
    frame = [[0, 0, 120, 12], [0, 108, 120, 12], [0, 0, 12, 120], [108, 0, 12, 120]]
    arrow = [[48, 84, 24, 50], [34, 120, 52, 38]]
    marks = [[left + x, top + y, wide, high] for x, y, wide, high in frame + arrow]
    path = f"/api/read/{known['id']}/{known['version']}/look"
    for cells in ((), (5,)):
        shown = moved(*cells)
        for left, top, width, height in marks:
            shown[top : top + height, left : left + width] = (255, 176, 0)
        given = {"frame": png(shown), "marks": json.dumps(marks)}
        seen = [ok(upload(web, path, **given)) for _ in range(2)][-1]
        assert (seen["kind"], seen["board"]) == ("position", after(known, *cells))
    for wrong in ("[", "{}", "[[1, 2, 3]]", '[[1, 2, 3, "4"]]', "[[0, 0, 1, 1e9]]"):
        refused(upload(web, path, frame=png(moved()), marks=wrong), 400)


def test_what_is_not_there_is_not_told(web: Any, known: Any) -> None:
    seen = ok(look(web, known, np.full_like(PIXELS, 200)))
    assert seen["kind"] in ("gone", "changed", "covered")
    assert seen["board"] is None


def test_equal_tiles_have_the_labels_of_the_puzzle(web: Any, known: Any) -> None:
    swapped = ok(web.post(f"/api/read/{known['id']}", json={"swap": [[0, 0], [0, 1]]}))
    try:
        seen = [ok(look(web, swapped, moved(5))) for _ in range(2)][-1]
        assert seen["board"] == after(swapped, 5)
    finally:
        back = {"swap": [[0, 0], [0, 1]]}
        known.update(ok(web.post(f"/api/read/{known['id']}", json=back)))


def test_frames_are_checked_like_other_pictures(web: Any, known: Any) -> None:
    path = f"/api/read/{known['id']}/{known['version']}/look"
    refused(look(web, known, b"no picture"), 422)
    refused(upload(web, path, screenshot=SHOT), 400)
    refused(web.post(path, json={}), 415)
    refused(upload(web, f"/api/read/unknown/{known['version']}/look", frame=SHOT), 404)
    refused(upload(web, f"/api/read/{known['id']}/99/look", frame=SHOT), 409)
    typed = ok(web.post("/api/board", json={"board": "1 2 3 / 4 5 6 / 7 0 8"}))
    assert "screenshot" in refused(look(web, typed, SHOT), 409)["message"]
