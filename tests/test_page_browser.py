"""The HTML guide in a real browser: Debian's Chromium, driven by playwright.

Skipped where there is no playwright or no Chromium.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_support import smooth_picture
from PIL import Image as PillowImage
from render_oracles import CASE_GOAL, CASE_START, places, shortest, wandering

from imgpuzzle.board import Board, Shape
from imgpuzzle.goals import row_major
from imgpuzzle.render.page import render_page
from imgpuzzle.render.tiles import TileSet, render_position
from imgpuzzle.solution import Solution

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install playwright"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium found: apt-get install chromium"
)

CASE = shortest(CASE_START, CASE_GOAL)
PICTURE = TileSet.cut(smooth_picture(300), CASE_START, CASE_GOAL)
COUNT = CASE.move_count
AFTER = list(places(CASE))
"""Which start cell's tile lies where, after each number of moves."""

QUICK = {"frame_ms": 20, "slide_ms": 30}
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}

LARGE = wandering(row_major(Shape(10, 10)), 300, 7)
LONG = wandering(row_major(Shape(2, 3)), 1300, 3)
TWINS = wandering(Board.parse("1 1 2 / 2 2 3 / 3 3 0"), 9, 5)
LINE = Solution(
    Board.parse("1 2 0 3 4 5"), Board.parse("1 2 3 4 5 0"), (3, 4, 5), 1, metric="slide"
)

PAGES: dict[str, Callable[[], str]] = {
    "picture": lambda: render_page(CASE, PICTURE),
    "quick": lambda: render_page(CASE, PICTURE, **QUICK),
    "russian": lambda: render_page(
        CASE, PICTURE, language="ru", coordinates="letters", numbers=True, ahead=3
    ),
    "large": lambda: render_page(LARGE, TileSet.numbered(LARGE.start, tile_px=40)),
    "long": lambda: render_page(LONG, TileSet.numbered(LONG.start, tile_px=24)),
    "twins": lambda: render_page(TWINS, TileSet.numbered(TWINS.start)),
    "gaps": lambda: render_page(CASE, gapped()),
    "line": lambda: render_page(LINE, TileSet.numbered(LINE.start)),
    "solved": lambda: render_page(Solution(CASE_GOAL, CASE_GOAL, (), 0), PICTURE),
}


def gapped() -> TileSet:
    """Oblong tiles with gaps of a colour of their own."""
    wide = np.repeat(smooth_picture(240), 2, axis=1)
    tiles = TileSet.cut(wide, CASE_START, CASE_GOAL)
    return TileSet(tiles.shape, tiles.tiles, 9, (200, 30, 120))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def visit(browser: Any, folder: Path) -> Iterator[Callable[..., Any]]:
    """Open a page; in the end it must not have complained or asked for anything."""
    contexts, said, asked = [], [], []

    def open_(name: str, part: str = "", **settings: Any) -> Any:
        file = folder / f"{name}.html"
        if not file.exists():
            file.write_text(PAGES[name](), encoding="utf-8")
        settings.setdefault("viewport", PHONE)
        settings.setdefault("reduced_motion", "no-preference")
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{file.as_uri()}{part}")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert said == []
    assert all(url.startswith(("file:", "data:")) for url in asked), asked


def until(page: Any, condition: str) -> None:
    """Wait for a condition in JavaScript.

    Playwright's own way would need a policy that lets the page evaluate texts.
    """
    for _ in range(250):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {condition}")


def at(page: Any) -> int:
    """The position that is shown, once nothing moves any more."""
    until(page, "!document.getElementById('board').dataset.sliding")
    return int(page.locator("#board").get_attribute("data-at"))


def seen(page: Any, shape: Shape) -> list[int]:
    """Which start cell's tile lies where, as measured on the screen; -1: none."""
    found = [-1] * shape.size
    boxes = page.evaluate(
        """() => {
            const board = document.getElementById("board").getBoundingClientRect();
            return [...document.querySelectorAll(".tile")].map((tile) => {
                const box = tile.getBoundingClientRect();
                return [Number(tile.dataset.tile),
                    (box.x + box.width / 2 - board.x) / board.width,
                    (box.y + box.height / 2 - board.y) / board.height];
            });
        }"""
    )
    for tile, x, y in boxes:
        cell = shape.cell(int(y * shape.rows), int(x * shape.cols))
        assert found[cell] == -1
        found[cell] = tile
    return found


def without_blank(arrangement: list[int], blank: int) -> list[int]:
    return [-1 if tile == blank else tile for tile in arrangement]


def shown_at(page: Any, number: int) -> None:
    """Assert that the page shows this position of the case, in every way."""
    assert at(page) == number
    wanted = without_blank(AFTER[number], CASE_START.blank)
    assert seen(page, CASE_START.shape) == wanted
    marked = page.locator(".tile.next")
    if number == COUNT:
        assert marked.count() == 0
        assert page.locator("#words").inner_text() == f"Solved after {COUNT} moves"
    else:
        tile = AFTER[number][CASE.moves[number]]
        assert marked.get_attribute("data-tile") == str(tile)
        assert page.locator("#count").inner_text() == f"Step {number + 1} of {COUNT}"


def screen(locator: Any) -> np.ndarray:
    picture = PillowImage.open(io.BytesIO(locator.screenshot()))
    return np.asarray(picture.convert("RGB")).astype(int)


def resized(picture: np.ndarray, like: np.ndarray) -> np.ndarray:
    size = (like.shape[1], like.shape[0])
    return np.asarray(PillowImage.fromarray(picture).resize(size)).astype(int)


def test_next_and_back(visit: Callable[..., Any]) -> None:
    page = visit("picture")
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


def test_a_tile_slides_between_its_cells(visit: Callable[..., Any]) -> None:
    page = visit("picture")
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


def test_playing_to_the_end(visit: Callable[..., Any]) -> None:
    page = visit("quick")
    page.get_by_role("combobox", name="Speed").select_option("Fast")
    page.get_by_role("button", name="Play").click()
    assert page.get_by_role("button", name="Pause").count() == 1
    until(page, f"document.getElementById('board').dataset.at === '{COUNT}'")
    shown_at(page, COUNT)
    assert page.get_by_role("button", name="Pause").count() == 0
    # From the end it plays from the start again, and can be stopped.
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    number = at(page)
    assert number < COUNT
    page.wait_for_timeout(150)
    shown_at(page, number)


@pytest.mark.parametrize("name", ["picture", "gaps"])
def test_the_solved_board_looks_like_the_goal(
    visit: Callable[..., Any], name: str
) -> None:
    page = visit(name, viewport={"width": 700, "height": 900})
    page.keyboard.press("End")
    shown_at(page, COUNT)
    tiles = PICTURE if name == "picture" else gapped()
    board = screen(page.locator("#board"))
    goal = resized(render_position(AFTER[-1], tiles), board)
    start = resized(render_position(AFTER[0], tiles), board)
    assert np.abs(board - goal).mean() < 4
    assert np.abs(board - start).mean() > 20


def test_the_tile_to_move_is_brightened_and_outlined(
    visit: Callable[..., Any],
) -> None:
    page = visit("picture", viewport={"width": 700, "height": 900})
    marked = page.locator(".tile.next")
    lit = screen(marked)
    plain = resized(PICTURE.tiles[CASE.moves[0]], lit)
    high, wide = lit.shape[:2]
    for part in (  # right or left of the arrow, which goes down from this tile
        np.s_[high // 5 : high // 2, wide // 6 : wide // 3],
        np.s_[high // 5 : high // 2, -wide // 3 : -wide // 6],
    ):
        assert np.abs(lit[part] - np.minimum(plain[part] + 100, 255)).mean() < 3
    edge = lit[high // 4, : wide // 10]
    amber = np.abs(edge - (255, 176, 0)).sum(axis=1) < 12
    dark = edge.max(axis=1) < 50
    first = int(amber.argmax())
    assert amber.any()
    assert dark[:first].any()  # both beside each other, so one of them is seen
    assert dark[first:].any()


def test_the_keyboard(visit: Callable[..., Any]) -> None:
    page = visit("picture")
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


def test_swipes(visit: Callable[..., Any]) -> None:
    page = visit("picture", viewport=SMALL, has_touch=True, is_mobile=True)
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


def test_finding_the_position_on_the_table(visit: Callable[..., Any]) -> None:
    page = visit("picture")
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


def test_the_address_opens_a_step(visit: Callable[..., Any]) -> None:
    page = visit("picture")
    file = page.url
    for part, number in {
        "#12": 11,
        "#1": 0,
        "#0": 0,
        "#x": 0,
        "#20": COUNT - 1,
        "#21": COUNT,
        "#999": COUNT,
        "#solved": COUNT,
    }.items():
        page.goto(f"{file}?{part[1:]}{part}")  # loads the file again
        shown_at(page, number)


def test_the_address_follows_and_leads(visit: Callable[..., Any]) -> None:
    page = visit("picture")
    page.keyboard.press("ArrowRight")
    until(page, "location.hash === '#2'")
    page.evaluate("location.hash = '#7'")
    until(page, "document.getElementById('board').dataset.at === '6'")
    shown_at(page, 6)
    page.keyboard.press("End")
    until(page, "location.hash === '#solved'")


def test_the_list_of_moves(visit: Callable[..., Any]) -> None:
    page = visit("picture")
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


def test_printing_shows_every_step(visit: Callable[..., Any]) -> None:
    page = visit(
        "picture", color_scheme="dark", viewport={"width": 1280, "height": 800}
    )
    page.keyboard.press("ArrowRight")
    document = page.pdf(format="A4")
    assert document.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", document)) <= 3
    page.emulate_media(media="print")
    boards = page.locator(".sheet figure:visible")
    assert boards.count() == COUNT + 1
    captions = [text.split("\n")[0] for text in boards.all_inner_texts()]
    assert captions == [*(str(number + 1) for number in range(COUNT)), "✓"]
    assert page.locator("button:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    for number in (0, COUNT):
        picture = screen(boards.nth(number).locator("canvas"))
        wanted = resized(render_position(AFTER[number], PICTURE), picture)
        changed = np.abs(picture - wanted).max(axis=2) > 60
        if number == COUNT:
            assert changed.mean() < 0.01
            continue
        # The mark lies on the tile and the blank, and nowhere else.
        assert 0.01 < changed.mean() < 0.12
        for cell in set(range(9)) - {CASE.moves[0], CASE_START.blank}:
            high, wide = (size // 3 for size in changed.shape)
            top, left = cell // 3 * high, cell % 3 * wide
            inside = changed[top + 3 : top + high - 3, left + 3 : left + wide - 3]
            assert inside.mean() < 0.01
    page.emulate_media(media="screen")
    page.keyboard.press("ArrowRight")
    assert page.locator(".sheet figure").count() == 0
    shown_at(page, 2)


def test_a_very_long_solution_is_printed_as_a_list(visit: Callable[..., Any]) -> None:
    page = visit("long")
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="print")
    assert page.locator(".sheet figure").count() == 0
    assert page.locator("#board").is_visible()
    items = page.locator("#list button:visible")
    assert items.count() == LONG.move_count
    low = page.evaluate("document.body.getBoundingClientRect().bottom")
    assert items.last.bounding_box()["y"] < low  # not cut off


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (768, 1024), (1280, 800)])
def test_board_and_controls_fit_on_one_screen(
    visit: Callable[..., Any], size: tuple[int, int]
) -> None:
    width, height = size
    page = visit("picture", viewport={"width": width, "height": height})
    board = page.locator("#board").bounding_box()
    assert min(board["width"], board["height"]) > 0.6 * min(size)
    for name in ("board", "now", "back", "play", "next", "progress"):
        box = page.locator(f"#{name}").bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height, name
        assert box["x"] + box["width"] <= width, name


@pytest.mark.parametrize(
    "name", ["picture", "russian", "large", "gaps", "line", "solved"]
)
def test_a_narrow_phone_is_wide_enough(visit: Callable[..., Any], name: str) -> None:
    page = visit(name, viewport=SMALL, has_touch=True, is_mobile=True)
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


@pytest.mark.parametrize("name", ["picture", "russian", "line"])
def test_nothing_jumps_between_steps(visit: Callable[..., Any], name: str) -> None:
    page = visit(name, viewport=SMALL, reduced_motion="reduce")
    boxes = """() => ["board", "now", "next", "progress", "jump", "list"].map(
        (id) => JSON.stringify(document.getElementById(id).getBoundingClientRect()))"""
    before = page.evaluate(boxes)
    for _ in range(COUNT if name != "line" else 3):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(boxes) == before
    assert page.locator("body.solved").count() == 1


def test_reduced_motion_has_no_slides(visit: Callable[..., Any]) -> None:
    page = visit("picture", reduced_motion="reduce")
    moving = page.evaluate(
        """() => {
            document.getElementById("next").click();
            return [document.getAnimations().length,
                document.querySelectorAll(".moving").length];
        }"""
    )
    assert moving == [0, 0]
    shown_at(page, 1)


def test_options(visit: Callable[..., Any]) -> None:
    page = visit("picture")
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


def test_the_order_of_the_focus_and_the_names(visit: Callable[..., Any]) -> None:
    page = visit("picture", "#5")
    order = []
    for _ in range(13):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.id"))
        ring = page.evaluate(
            "(({outlineStyle: style, outlineWidth: width}) => `${width} ${style}`)"
            "(getComputedStyle(document.activeElement))"
        )
        assert ring == "3px solid"
    assert order[:11] == [
        *("back", "play", "next", "first", "progress", "last", "jump"),
        *("numbers", "coordinates", "ahead", "speed"),
    ]
    assert order[11] == "print"
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, summary")]
            .filter((element) => !(element.ariaLabel || element.innerText ||
                element.labels?.[0]?.innerText || "").trim())
            .map((element) => element.outerHTML)"""
    )
    assert nameless == []
    live = page.locator("[aria-live=polite]")
    assert live.inner_text().startswith("Step 5 of 20")
    board = page.get_by_role("img", name=re.compile("The board, row by row: "))
    rows = ["empty" if tile == CASE_START.blank else "" for tile in AFTER[4]]
    label = board.get_attribute("aria-label")
    assert re.findall(r"[\w]+", label.split(": ")[1]) == [
        row or str(CASE_START.cells[tile])
        for row, tile in zip(rows, AFTER[4], strict=True)
    ]


def test_hundreds_of_steps_on_a_large_board(visit: Callable[..., Any]) -> None:
    page = visit("large", "#250", viewport={"width": 1280, "height": 800})
    final = list(places(LARGE))
    assert at(page) == 249
    assert seen(page, Shape(10, 10)) == without_blank(final[249], LARGE.start.blank)
    page.locator("#jump").click()
    drawn = "[...document.querySelectorAll('.thumb canvas')].filter((c) => c.width > 0)"
    until(page, "document.querySelector(\".thumb[data-at='249'] canvas\").width > 0")
    assert page.locator(".thumb").count() == 301
    until(page, f"{drawn}.length < 100")  # those far away are not drawn
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    assert at(page) == 300
    assert seen(page, Shape(10, 10)) == without_blank(final[300], LARGE.start.blank)


def test_equal_tiles_stay_apart(visit: Callable[..., Any]) -> None:
    page = visit("twins")
    page.keyboard.press("End")
    assert at(page) == TWINS.move_count
    wanted = list(places(TWINS))[-1]
    assert seen(page, TWINS.start.shape) == without_blank(wanted, TWINS.start.blank)


def test_slides_are_told_where_they_count(visit: Callable[..., Any]) -> None:
    page = visit("line")
    assert page.locator("#count").inner_text() == "Step 1 of 3 · Slide 1 of 1"
    assert page.locator(".claim").inner_text() == (
        "1 slide (3 single moves), proven shortest"
    )
    assert page.locator("#list .run").all_inner_texts() == ["Slide 1 of 1"]


def test_without_scripts_the_moves_are_there(visit: Callable[..., Any]) -> None:
    page = visit("picture", java_script_enabled=False)
    assert page.locator("ol.plain li").count() == COUNT
    assert page.locator("ol.plain").is_visible()
    assert not page.locator("#next").is_visible()
    assert page.locator(".tile.next").is_visible()
