"""The HTML guide in a real browser: from step to step, by button, key and finger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from browser_support import SMALL, at, seen, until
from page_browser_support import (
    AFTER,
    CASE,
    COUNT,
    LARGE,
    PICTURE,
    TWINS,
    resized,
    screen,
    shown_at,
)
from render_oracles import CASE_START, places

from imgpuzzle.core.board import Shape
from imgpuzzle.render.drawing.tiles import render_position


def test_buttons_the_address_and_the_list(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture")
    shown_at(page, 0)
    button = page.get_by_role("button", name="Next", exact=True)
    for number in range(1, 4):
        button.click()
        shown_at(page, number)
    words = page.locator("#words").inner_text()
    row, col = CASE_START.shape.row_col(CASE.moves[3])
    assert words.startswith(f"Move the tile at row {row + 1}, column {col + 1} ")
    page.get_by_role("button", name="Back", exact=True).click()
    shown_at(page, 2)
    page.get_by_role("button", name="To the solved board").click()
    shown_at(page, COUNT)
    button.click(force=True)  # nothing to do there
    shown_at(page, COUNT)
    page.get_by_role("button", name="To the start").click()
    shown_at(page, 0)
    # The address follows, and leads.
    page.keyboard.press("ArrowRight")
    until(page, "location.hash === '#2'")
    page.evaluate("location.hash = '#7'")
    until(page, "document.getElementById('board').dataset.at === '6'")
    shown_at(page, 6)
    # So does the list of moves.
    items = page.locator("#list button")
    assert items.count() == COUNT
    items.nth(14).click()
    shown_at(page, 14)
    current = page.locator("#list [aria-current=step]")
    assert current.inner_text().split(maxsplit=1) == [
        "15",
        page.locator("#words").inner_text(),
    ]
    page.keyboard.press("End")
    assert current.count() == 0
    until(page, "location.hash === '#solved'")


def test_a_tile_slides_between_its_cells(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture")
    tile = page.locator(".tile.next")
    before = tile.bounding_box()
    number = tile.get_attribute("data-tile")
    half = page.evaluate(
        """() => {
            document.getElementById("next").click();
            const tile = document.querySelector(".tile.moving");
            const slide = tile.getAnimations()[0];
            slide.pause();
            slide.currentTime = slide.effect.getTiming().duration / 2;
            const box = tile.getBoundingClientRect();
            slide.play();
            return [box.x, box.y];
        }"""
    )
    assert at(page) == 1
    after = page.locator(f".tile[data-tile='{number}']").bounding_box()
    for axis, place in zip("xy", half, strict=True):
        low, high = sorted((before[axis], after[axis]))
        assert low - 0.1 <= place <= high + 0.1
    assert (half[0] - before["x"]) ** 2 + (half[1] - before["y"]) ** 2 > 25
    assert (half[0] - after["x"]) ** 2 + (half[1] - after["y"]) ** 2 > 25


def test_playing_to_the_end(open_guide: Callable[..., Any]) -> None:
    page = open_guide("quick")
    page.get_by_role("combobox", name="Speed").select_option("Fast")
    page.get_by_role("button", name="Play").click()
    assert page.get_by_role("button", name="Pause").count() == 1
    until(page, f"document.getElementById('board').dataset.at === '{COUNT}'")
    shown_at(page, COUNT)
    assert page.get_by_role("button", name="Pause").count() == 0
    # From the end it plays from the start again, and can be stopped.
    # Both at once: on a busy machine it would be at the end before the second click.
    names = page.evaluate(
        """() => [1, 2].map(() => {
            document.getElementById("play").click();
            return document.getElementById("play-label").textContent;
        })"""
    )
    assert names == ["Pause", "Play"]
    number = at(page)
    assert number < COUNT
    page.wait_for_timeout(150)
    shown_at(page, number)


def test_the_keyboard(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture")
    keys = page.keyboard
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    shown_at(page, 2)
    keys.press("ArrowLeft")
    shown_at(page, 1)
    keys.press("End")
    shown_at(page, COUNT)
    keys.press("Home")
    shown_at(page, 0)
    keys.press("Control+ArrowRight")
    shown_at(page, 0)
    keys.press("Space")
    assert page.get_by_role("button", name="Pause").count() == 1
    keys.press("Space")
    assert page.get_by_role("button", name="Play").count() == 1
    assert page.evaluate("scrollY") == 0
    shown_at(page, 0)
    # A control that has the focus keeps its own keys, and each counts once.
    page.get_by_role("slider", name="Progress").focus()
    keys.press("ArrowRight")
    shown_at(page, 1)
    assert page.locator("#progress").get_attribute("aria-valuetext") == "Step 2 of 20"
    page.get_by_role("button", name="Next", exact=True).focus()
    keys.press("Space")
    shown_at(page, 2)
    keys.press("ArrowRight")
    shown_at(page, 3)


def test_swipes(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture", viewport=SMALL, has_touch=True, is_mobile=True)
    fingers = page.context.new_cdp_session(page)

    def swipe(dx: int, dy: int) -> None:
        box = page.locator("#board").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch = "Input.dispatchTouchEvent"
        fingers.send(touch, {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for part in range(1, 6):
            point = {"x": x + dx * part / 5, "y": y + dy * part / 5}
            fingers.send(touch, {"type": "touchMove", "touchPoints": [point]})
            page.wait_for_timeout(16)
        fingers.send(touch, {"type": "touchEnd", "touchPoints": []})

    swipe(-120, 10)
    shown_at(page, 1)
    swipe(-120, -10)
    shown_at(page, 2)
    swipe(120, 10)
    shown_at(page, 1)
    swipe(-25, 0)  # a finger that trembles
    shown_at(page, 1)
    assert page.evaluate("scrollY") == 0
    swipe(-30, -140)
    until(page, "scrollY > 60")
    shown_at(page, 1)
    # A tap on the tile moves it, one elsewhere does not.
    page.evaluate("scrollTo(0, 0)")
    page.locator(".tile.next").tap()
    shown_at(page, 2)
    page.locator(".tile:not(.next)").first.tap()
    shown_at(page, 2)


def test_finding_the_position_on_the_table(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture")
    page.get_by_role("button", name="Jump to the position I have").click()
    thumbs = page.locator(".thumb:visible")
    assert thumbs.count() == COUNT + 1
    blanks = [now.index(CASE_START.blank) for now in AFTER]
    cell = blanks[-1]
    row, col = CASE_START.shape.row_col(cell)
    page.get_by_role("radio", name=f"Row {row + 1}, column {col + 1}").check()
    wanted = [number for number, blank in enumerate(blanks) if blank == cell]
    assert page.locator("#shown").inner_text().startswith(f"{len(wanted)} of 21")
    names = [thumb.get_attribute("aria-label") for thumb in thumbs.all()]
    assert names == [
        "Solved" if number == COUNT else f"Step {number + 1} of {COUNT}"
        for number in wanted
    ]
    # The picture of the last one is the goal.
    picture = screen(thumbs.last.locator("canvas"))
    goal = resized(render_position(AFTER[-1], PICTURE), picture)
    assert np.abs(picture - goal)[4:-4, 4:-4].mean() < 8
    thumbs.first.click()
    assert not page.locator("#finder").is_visible()
    shown_at(page, wanted[0])
    page.get_by_role("button", name="Jump to the position I have").click()
    assert page.locator(f".thumb[data-at='{wanted[0]}'][aria-current]").count() == 1
    page.keyboard.press("Escape")
    assert not page.locator("#finder").is_visible()


def test_the_address_opens_a_step(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture")
    file = page.url
    for part, number in {
        "#12": 11,
        "#x": 0,
        "#20": COUNT - 1,
        "#999": COUNT,
        "#solved": COUNT,
    }.items():
        page.goto(f"{file}?{part[1:]}{part}")  # loads the file again
        shown_at(page, number)


def test_hundreds_of_steps_on_a_large_board(open_guide: Callable[..., Any]) -> None:
    page = open_guide("large", "#250", viewport={"width": 1280, "height": 800})
    final = list(places(LARGE))
    assert at(page) == 249
    assert seen(page, Shape(10, 10), LARGE.start.blank) == final[249]
    page.locator("#jump").click()
    drawn = "[...document.querySelectorAll('.thumb canvas')].filter((c) => c.width > 0)"
    until(page, "document.querySelector(\".thumb[data-at='249'] canvas\").width > 0")
    assert page.locator(".thumb").count() == 301
    until(page, f"{drawn}.length < 100")  # those far away are not drawn
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    assert at(page) == 300
    assert seen(page, Shape(10, 10), LARGE.start.blank) == final[300]


def test_equal_tiles_stay_apart(open_guide: Callable[..., Any]) -> None:
    page = open_guide("twins")
    page.keyboard.press("End")
    assert at(page) == TWINS.move_count
    wanted = list(places(TWINS))[-1]
    assert seen(page, TWINS.start.shape, TWINS.start.blank) == wanted


def test_slides_are_told_where_they_count(open_guide: Callable[..., Any]) -> None:
    page = open_guide("line")
    assert page.locator("#count").inner_text() == "Single move 1 of 3 · Slide 1 of 1"
    assert page.locator(".claim").inner_text() == (
        "1 slide (3 single moves), proven shortest"
    )
    assert page.locator("#list .run").all_inner_texts() == ["Slide 1 of 1"]
