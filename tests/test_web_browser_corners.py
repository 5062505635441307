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
        # Only the last way is read: the others get what was known before.
        sent.append(route.request.post_data_json)
        if len(sent) == 3:
            route.continue_()
        else:
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


def test_corners_that_cross_are_put_in_order(visit: Callable[..., Any]) -> None:
    page = visit()
    with page.expect_response("**/api/read") as first:
        open_emblem(page)
    known = first.value.json()
    sent: list[Any] = []

    def answer(route: Any) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(json=known)

    page.route("**/api/read/*", answer)
    page.click("[data-view=check]")
    left, top, width, _ = TRUTH["board_box"]
    # Past the corner beside it, and then past the one below as well.
    for name, to in (("top_left", "top_right"), ("top_left", "bottom_right")):
        x, y = centre(page, f".handle.{name}")
        to_x, to_y = centre(page, f".handle.{to}")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x + 25, to_y + 15, steps=6)
        page.mouse.up()
        idle(page)
        region = list(map(int, sent[-1]["region"].split(",")))
        assert min(region) > 20
        assert region[0] + 2 >= left + width
        assert corner(page, "top_left") == (left, top)
    # Each on its own, and by the keys.
    page.evaluate("document.querySelector('#tilted').click()")
    page.focus(".handle.top_left")
    with page.expect_response("**/api/read/*"):
        usable = page.evaluate(
            """(count) => {
                const about = { key: "ArrowRight", shiftKey: true, bubbles: true };
                const press = () => new KeyboardEvent("keydown", about);
                const corner = document.activeElement;
                while (count--) corner.dispatchEvent(press());
                return document.getElementById("solve").ariaDisabled;
            }""",
            width // 10 + 3,
        )
    # Nothing is solved while a corner is still on its way.
    assert usable == "true"
    idle(page)
    assert len(sent) == 3
    flat = sent[-1]["corners"]
    corners = np.array(flat).reshape(4, 2)
    sides = np.roll(corners, -1, axis=0) - corners
    turns = np.cross(np.c_[sides, np.zeros(4)], np.c_[np.roll(sides, -1, 0), [0] * 4])
    assert (turns[:, 2] > 0).all(), "clockwise, without a dent"
    # What was the top right one is now the top left one.
    assert np.allclose(corners[0], (left + width, top), atol=2)
    assert corners[1][0] > left + width + 5
