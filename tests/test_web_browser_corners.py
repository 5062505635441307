"""The page in a real browser: the board's corners are moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from browser_support import until
from web_browser_support import (
    EMBLEM,
    TRUTH,
    centre,
    corner,
    give,
    idle,
    open_emblem,
    text,
    view,
)
from web_reading_support import REFERENCE


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


def test_the_board_is_shown_by_hand_before_it_is_found(
    visit: Callable[..., Any],
) -> None:
    """As where the engine is not there yet: the first reading is never answered."""
    page = visit()
    sent: list[Any] = []

    def answer(route: Any) -> None:
        sent.append(route.request.post_data_buffer)
        if len(sent) > 1:
            route.continue_()

    page.route("**/api/read", answer)
    page.set_input_files("#reference-file", str(REFERENCE))
    give(page, "paste", screenshot=EMBLEM)
    page.locator("#start-place").click()
    view(page, "check")
    assert text(page, "#verdict").startswith("Where is the board?")
    page.click("#rows-less")
    page.click("#cols-less")
    left, top, width, height = TRUTH["board_box"]
    drag(page, "top_left", left, top)
    drag(page, "bottom_right", left + width, top + height)
    page.click("#solve")
    until(page, "document.querySelector('#verdict').innerText.includes('certainty')")
    _, asked = sent
    assert b"3x3" in asked
    assert f"{left},{top},{width},{height}".encode() in asked


def drag(page: Any, name: str, x: int, y: int) -> None:
    """Move a corner to a place in the screenshot, the last pixels by keys."""
    seen = page.evaluate(
        """() => {
            const svg = document.querySelector("#overlay");
            const { left, top, width } = svg.getBoundingClientRect();
            const { x, y, width: wide } = svg.viewBox.baseVal;
            return [left, top, x, y, width / wide];
        }"""
    )
    page.mouse.move(*centre(page, f".handle.{name}"))
    page.mouse.down()
    at = [seen[n] + (value - seen[2 + n]) * seen[4] for n, value in enumerate((x, y))]
    page.mouse.move(*at, steps=4)
    page.mouse.up()
    for to, axis, keys in ((x, 0, "ArrowRight ArrowLeft"), (y, 1, "ArrowDown ArrowUp")):
        while (now := corner(page, name)[axis]) != to:
            page.keyboard.press(keys.split()[now > to])
