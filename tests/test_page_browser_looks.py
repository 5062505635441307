"""The HTML guide in a real browser: its looks, on screens and paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser_support import SMALL, at
from page_browser_support import (
    AFTER,
    BRIGHT,
    CASE,
    COUNT,
    LONG,
    PICTURE,
    gapped,
    resized,
    screen,
    shown_at,
)
from render_oracles import CASE_START

from imgpuzzle.render.drawing.colours import AMBER, DARK
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import render_position
from imgpuzzle.render.files.frames import render_steps


def test_the_solved_board_looks_like_the_goal(open_guide: Callable[..., Any]) -> None:
    page = open_guide("gaps", viewport={"width": 700, "height": 900})
    page.keyboard.press("End")
    shown_at(page, COUNT)
    tiles = gapped()
    board = screen(page.locator("#board"))
    goal = resized(render_position(AFTER[-1], tiles), board)
    start = resized(render_position(AFTER[0], tiles), board)
    assert np.abs(board - goal).mean() < 4
    assert np.abs(board - start).mean() > 20


def test_the_marks_are_those_of_the_step_pictures(
    open_guide: Callable[..., Any],
) -> None:
    page = open_guide("picture", viewport={"width": 700, "height": 900})
    board = screen(page.locator("#board"))
    high, wide = (side // 3 for side in board.shape[:2])
    tiles = PICTURE.resized(wide, high, 0)
    step = next(render_steps(CASE, tiles, Style(caption="none"))).astype(int)
    board = board[: step.shape[0], : step.shape[1]]
    # The tile's picture is as it was, and frame and arrow lie where they lie there.
    apart = np.abs(board - step).max(axis=2)
    assert np.quantile(apart, 0.97) < 30
    for colour in (AMBER, DARK):
        one, other = (np.abs(p - colour).max(axis=2) < 40 for p in (board, step))
        assert other.sum() > 500
        assert (one & other).sum() > 0.75 * max(one.sum(), other.sum())


def test_brightening_is_that_of_the_step_pictures(
    open_guide: Callable[..., Any],
) -> None:
    page = open_guide("bright", viewport={"width": 700, "height": 900})
    board = screen(page.locator("#board"))
    high, wide = (side // 3 for side in board.shape[:2])
    tiles = PICTURE.resized(wide, high, 0)
    style = Style(caption="none", **BRIGHT)
    step = next(render_steps(CASE, tiles, style)).astype(int)
    board = board[: step.shape[0], : step.shape[1]]
    for cell in range(9):
        place = tiles.region(cell)
        top, left = place.top + high // 4, place.left + wide // 4
        middle = np.s_[top : top + high // 2, left : left + wide // 2]
        assert np.abs(board[middle] - step[middle]).mean() < 4, cell
    # The solved board is shown as it is.
    page.keyboard.press("End")
    last = list(render_steps(CASE, tiles, style))[-1].astype(int)
    shown = screen(page.locator("#board"))[: last.shape[0], : last.shape[1]]
    assert np.abs(shown - last).mean() < 6


def test_a_page_is_printed_as_a_list(
    open_guide: Callable[..., Any],
) -> None:
    page = open_guide("long", color_scheme="dark")
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    assert page.locator("#board").is_visible()
    items = page.locator("#list button:visible")
    assert items.count() == LONG.move_count
    low = page.evaluate("document.body.getBoundingClientRect().bottom")
    assert items.last.bounding_box()["y"] < low  # not cut off


def test_board_and_controls_fit_on_one_screen(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture")
    for width, height in ((390, 844), (844, 390), (768, 1024), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        board = page.locator("#board").bounding_box()
        assert min(board["width"], board["height"]) > 0.6 * min(width, height)
        for name in ("board", "now", "back", "play", "next", "progress"):
            box = page.locator(f"#{name}").bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, name
            assert box["x"] + box["width"] <= width, name


@pytest.mark.parametrize("name", ["russian", "large", "line", "solved"])
def test_a_narrow_phone_is_wide_enough(
    open_guide: Callable[..., Any], name: str
) -> None:
    page = open_guide(name, viewport=SMALL, has_touch=True, is_mobile=True)
    # Not innerWidth: a phone zooms out until a page that is too wide fits.
    inside = "document.documentElement.scrollWidth <= 320"
    small = """() => [...document.querySelectorAll(
            "button, select, summary, label, input[type=range]")]
        .filter((element) => element.checkVisibility())
        .map((element) => [element.id || element.textContent.trim(),
            element.getBoundingClientRect()])
        .filter(([, box]) => box.width < 44 || box.height < 44)
        .map(([name, box]) => `${name}: ${box.width}x${box.height}`)"""
    assert page.evaluate(inside)
    assert page.evaluate(small) == []
    if name == "solved":
        assert page.locator("#next").is_visible() is False
        assert page.locator("#words").inner_text() == "Nothing is left to do"
        return
    page.locator("summary").click()
    assert page.evaluate(inside)
    page.locator("#jump").click()
    page.locator(".thumb").first.wait_for()
    assert page.evaluate(inside)
    assert page.evaluate(small) == []


@pytest.mark.parametrize("name", ["russian", "line"])
def test_nothing_jumps_between_steps_or_slides_where_motion_is_reduced(
    open_guide: Callable[..., Any], name: str
) -> None:
    page = open_guide(name, viewport=SMALL, reduced_motion="reduce")
    moving = page.evaluate(
        """() => {
            document.getElementById("next").click();
            return [document.getAnimations().length,
                document.querySelectorAll(".moving").length];
        }"""
    )
    assert moving == [0, 0]
    assert at(page) == 1
    page.keyboard.press("ArrowLeft")
    boxes = """() => ["board", "now", "next", "progress", "jump", "list"].map(
        (id) => JSON.stringify(document.getElementById(id).getBoundingClientRect()))"""
    before = page.evaluate(boxes)
    for _ in range(COUNT if name != "line" else 3):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(boxes) == before
    assert page.locator("body.solved").count() == 1


def test_options(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture")
    number = page.locator(".tile.next b")
    assert not number.is_visible()
    page.get_by_role("switch", name="Show the tiles' numbers").check()
    assert number.is_visible()
    label = CASE_START.cells[CASE.moves[0]]
    assert number.inner_text() == str(label)
    assert page.locator("#words").inner_text().startswith(f"Move tile {label} at row")
    assert not page.locator(".margin.rows").is_visible()
    page.get_by_role("switch", name="Show rows and columns").check()
    assert page.locator(".margin.rows").inner_text().split() == ["1", "2", "3"]
    page.get_by_role("switch", name="Show the next 3 moves").check()
    page.keyboard.press("ArrowRight")
    assert at(page) == 1
    box = page.locator("#board").bounding_box()
    marks = page.locator(".ahead:visible")
    assert marks.count() == 3
    for place, mark in enumerate(marks.all(), start=2):
        assert mark.inner_text() == str(place)
        found = mark.bounding_box()
        cell = CASE_START.shape.cell(
            int((found["y"] + found["height"] / 2 - box["y"]) / box["height"] * 3),
            int((found["x"] + found["width"] / 2 - box["x"]) / box["width"] * 3),
        )
        assert cell == CASE.moves[place]
    page.keyboard.press("End")
    assert at(page) == COUNT
    assert marks.count() == 0


def test_the_order_of_the_focus_and_the_names(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture", "#5")
    order = []
    for _ in range(11):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.id"))
        ring = page.evaluate(
            "(({outlineStyle: style, outlineWidth: width}) => `${width} ${style}`)"
            "(getComputedStyle(document.activeElement))"
        )
        assert ring == "3px solid"
    assert order == [
        *("back", "play", "next", "first", "progress", "last", "jump"),
        *("numbers", "coordinates", "ahead", "speed"),
    ]
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, summary")]
            .filter((element) => !(element.ariaLabel || element.innerText ||
                element.labels?.[0]?.innerText || "").trim())
            .map((element) => element.outerHTML)"""
    )
    assert nameless == []
    live = page.locator("[aria-live=polite]")
    assert live.inner_text().startswith("Step 5 of 20")
    board = page.get_by_role("img", name=re.compile("The board, row by row, by where "))
    rows = ["empty" if tile == CASE_START.blank else "" for tile in AFTER[4]]
    label = board.get_attribute("aria-label")
    assert re.findall(r"[\w]+", label.split(": ")[1]) == [
        row or str(CASE_START.cells[tile])
        for row, tile in zip(rows, AFTER[4], strict=True)
    ]


def test_without_scripts_the_moves_are_there(open_guide: Callable[..., Any]) -> None:
    page = open_guide("picture", java_script_enabled=False)
    assert page.locator("ol.plain li").count() == COUNT
    assert page.locator("ol.plain").is_visible()
    assert not page.locator("#next").is_visible()
    assert page.locator(".tile.next").is_visible()
