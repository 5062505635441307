"""The page in a real browser: the board's corners are moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from web_browser_support import TRUTH, centre, corner, idle, open_emblem, text


def test_corners_move_and_the_board_is_read_again(visit: Callable[..., Any]) -> None:
    page = visit(has_touch=True)
    with page.expect_response("**/api/read") as first:
        open_emblem(page)
    known = first.value.json()
    page.click("[data-view=check]")
    left, top, width, height = TRUTH["board_box"]
    sent: list[Any] = []

    def answer(route: Any) -> None:
        # What a reading makes of them is not the page's: it gets what was known.
        sent.append(route.request.post_data_json)
        route.fulfill(json=known)

    page.route("**/api/read/*", answer)
    for count, way in enumerate((by_keys, by_touch, by_mouse), start=1):
        assert np.allclose(corner(page, "top_left"), (left, top), atol=2)
        with page.expect_response("**/api/read/*"):
            way(page)
        idle(page)
        assert len(sent) == count
        place = list(map(int, sent[-1]["region"].split(",")))
        assert place[0] > left + 5
        assert place[1] > top + 5
        # The other sides stay where they are.
        assert abs(place[0] + place[2] - left - width) <= 2
        assert abs(place[1] + place[3] - top - height) <= 2
        assert text(page, "#verdict") not in ("", "Reading the board …")


def by_mouse(page: Any) -> None:
    x, y = centre(page, ".handle.top_left")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 12, steps=4)
    page.locator("#loupe").wait_for()
    page.mouse.up()
    page.locator("#loupe").wait_for(state="hidden")


def by_touch(page: Any) -> None:
    x, y = centre(page, ".handle.top_left")
    driver = page.context.new_cdp_session(page)
    for name, dx in (("touchStart", 0), ("touchMove", 9), ("touchMove", 20)):
        place = [{"x": x + dx, "y": y + 0.6 * dx}]
        driver.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": place})
    page.locator("#loupe").wait_for()
    driver.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def by_keys(page: Any) -> None:
    page.focus(".handle.top_left")
    before = corner(page, "top_left")
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert corner(page, "top_left") == (before[0] + 12, before[1] + 10)
