"""The page of ``imgpuzzle web`` in a real browser, against the real server.

Skipped where there is no playwright, no Chromium or no server library.
"""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as PillowImage

from imgpuzzle.board import Shape
from imgpuzzle.goals import row_major
from imgpuzzle.scramble import walk

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install playwright"
)
pytest.importorskip("starlette", reason="the page needs starlette")
pytest.importorskip("uvicorn", reason="the page needs uvicorn")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium found: apt-get install chromium"
)

SAMPLES = Path(__file__).parent.parent / "sample_images"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}

EMBLEM = SAMPLES / "emblem_screenshot.png"
TRUTH = json.loads((SAMPLES / "emblem_truth.json").read_text())
BLANK = TRUTH["tiles"].index(TRUTH["blank_goal_index"])
"""The cell of the emblem's screenshot that is empty."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server that runs as it does for a visitor."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "imgpuzzle", "web", "--no-browser"]
    server = subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if str(port) in line:
                break
        url = f"http://127.0.0.1:{port}/"
        with urllib.request.urlopen(f"{url}api/health", timeout=20) as answer:
            assert answer.status == 200
        yield url
    finally:
        server.terminate()
        server.communicate(timeout=20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def profile(browser: Any) -> Callable[..., Any]:
    """A browser's profile with these settings: the same one for the same settings."""
    made: dict[str, Any] = {}

    def profile(**settings: Any) -> Any:
        key = json.dumps(settings, sort_keys=True)
        if key not in made:
            made[key] = browser.new_context(**settings)
        return made[key]

    return profile


@pytest.fixture
def visit(profile: Callable[..., Any], address: str) -> Iterator[Callable[..., Any]]:
    """Open the page; in the end it must not have complained or asked elsewhere."""
    pages, said, asked = [], [], []

    def open_(**settings: Any) -> Any:
        settings.setdefault("viewport", DESKTOP)
        settings.setdefault("locale", "en-GB")
        # Sliding is looked at where it matters; drawing it costs a core of its own.
        settings.setdefault("reduced_motion", "reduce")
        # A profile of its own for each visit would take longer than most visits.
        page = profile(**settings).new_page()
        pages.append(page)
        page.set_default_timeout(15_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        return page

    yield open_
    for page in pages:
        # What was chosen stays for the next visit, which is of another test.
        page.evaluate("localStorage.clear()")
        page.close()
    # The browser itself reports answers such as "no board was found" as errors.
    assert [line for line in said if not re.search("status of 4(04|22)", line)] == []
    assert all(url.startswith((address, "data:", "blob:")) for url in asked), asked


def until(page: Any, condition: str) -> None:
    """Wait for a condition in JavaScript.

    Playwright's own way would need a policy that lets the page evaluate texts.
    """
    for _ in range(1000):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {condition}")


def view(page: Any, name: str) -> None:
    until(page, f"document.body.dataset.view === {name!r}")


def solved_up_to_here(page: Any) -> None:
    """Wait until the way is known and no better one is looked for."""
    view(page, "follow")
    ended = "document.querySelector('#search').classList.contains('running')"
    until(page, f"document.querySelector('.tile.next') !== null && !{ended}")


def idle(page: Any) -> None:
    """Wait until every change has been answered."""
    until(page, "!document.querySelector('#view-check').classList.contains('busy')")


def at(page: Any) -> int:
    """The position that is shown, once nothing moves any more."""
    until(page, "!document.querySelector('#board').dataset.sliding")
    return int(page.locator("#board").get_attribute("data-at"))


def seen(page: Any, rows: int, cols: int, blank: int) -> list[int]:
    """Which start cell's tile lies in each cell, as measured on the screen."""
    found = [blank] * (rows * cols)
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
        cell = int(y * rows) * cols + int(x * cols)
        assert found[cell] == blank
        found[cell] = tile
    return found


def encoded(picture: np.ndarray | Path) -> str:
    """A picture as PNG in base64, for the browser."""
    if isinstance(picture, Path):
        return base64.b64encode(picture.read_bytes()).decode()
    out = io.BytesIO()
    PillowImage.fromarray(picture).save(out, "PNG", compress_level=1)
    return base64.b64encode(out.getvalue()).decode()


GIVE = """([kind, files]) => {
    const data = new DataTransfer();
    for (const [name, text] of files) {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: "image/png" }));
    }
    const about = { bubbles: true, cancelable: true };
    if (kind === "paste") {
        const event = new ClipboardEvent("paste", { ...about, clipboardData: data });
        document.body.dispatchEvent(event);
        return;
    }
    const target = document.querySelector("#view-start:not([hidden]) #drop")
        ?? document.querySelector("#now-dialog[open]") ?? document.body;
    for (const name of ["dragenter", "dragover", "drop"]) {
        target.dispatchEvent(new DragEvent(name, { ...about, dataTransfer: data }));
    }
}"""


def give(page: Any, kind: str, **files: np.ndarray | Path) -> None:
    """Paste or drop pictures; the names are those of the files."""
    named = [[f"{name}.png", encoded(picture)] for name, picture in files.items()]
    page.evaluate(GIVE, [kind, named])


def smaller(path: Path, times: int) -> np.ndarray:
    """A picture at a fraction of its size: it is read as well, and sooner."""
    picture = PillowImage.open(path).convert("RGB")
    size = picture.width // times, picture.height // times
    return np.asarray(picture.resize(size, PillowImage.Resampling.LANCZOS))


def emblem_as(arrangement: list[int]) -> np.ndarray:
    """The emblem's screenshot with other tiles in its cells."""
    screenshot = np.asarray(PillowImage.open(EMBLEM).convert("RGB")).copy()
    left, top, width, height = TRUTH["board_box"]
    board = screenshot[top : top + height, left : left + width].copy()
    side = width // TRUTH["cols"]
    for cell, tile in enumerate(arrangement):
        (row, col), (y, x) = divmod(cell, 3), divmod(tile, 3)
        place = np.s_[top + row * side :, left + col * side :]
        screenshot[place][:side, :side] = board[y * side :, x * side :][:side, :side]
    return screenshot


def open_emblem(page: Any) -> None:
    page.click("[data-sample=emblem]")
    solved_up_to_here(page)


def text(page: Any, selector: str) -> str:
    """The words of an element, with plain spaces."""
    words: str = page.locator(selector).inner_text()
    return words.replace("\xa0", " ")


def assert_fits(page: Any) -> None:
    wide, shown = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= shown


def moves_of(page: Any) -> list[int]:
    """The cells of all moves, from the list in words."""
    page.evaluate("document.querySelector('#moves').open = true")
    until(page, "document.querySelectorAll('#list li').length > 0")
    texts = page.locator("#list li").all_inner_texts()
    cols = int(text(page, "#follow-title").split("×")[1])
    found = []
    for words in texts:
        row, col = map(int, re.findall(r"row (\d+), column (\d+)", words)[0])
        found.append((row - 1) * cols + col - 1)
    return found


def test_paste_solve_and_step_through(visit: Callable[..., Any]) -> None:
    page = visit()
    give(page, "paste", screenshot=smaller(EMBLEM, 2))
    # Pieced together from its edges, this one is doubtful, and that is said.
    view(page, "check")
    idle(page)
    assert text(page, "#verdict").startswith("Doubtful: please check it")
    assert page.locator("[data-view=follow]").is_disabled()
    page.set_input_files("#late-reference", SAMPLES / "emblem_reference.png")
    until(page, "document.querySelector('#solve').innerText.includes('20 moves')")
    page.click("#solve")
    solved_up_to_here(page)
    # The truth file's own shortest solution is known: 20 moves.
    assert text(page, "#claim") == "20 moves, proven shortest"
    arrangement = list(range(9))
    assert seen(page, 3, 3, BLANK) == arrangement
    blank = BLANK
    for number, cell in enumerate(moves_of(page), start=1):
        assert abs(cell // 3 - blank // 3) + abs(cell % 3 - blank % 3) == 1
        arrangement[blank], arrangement[cell] = arrangement[cell], arrangement[blank]
        blank = cell
        if number % 3 == 0:
            page.keyboard.press("ArrowRight")
        elif number % 3 == 1:
            page.click("#next")
        else:
            page.locator(".tile.next").click()
        assert at(page) == number
        assert seen(page, 3, 3, BLANK) == arrangement
    # Every tile is at home: by the truth file, not by the page's word.
    assert [TRUTH["tiles"][tile] for tile in arrangement] == list(range(9))
    assert text(page, "#words") == "Solved after 20 moves"
    page.keyboard.press("Home")
    assert at(page) == 0
    page.click("#options summary")
    page.select_option("#speed", "0.45")
    page.click("#play")
    until(page, "Number(document.querySelector('#board').dataset.at) >= 3")
    page.click("#play")
    page.wait_for_timeout(400)
    stopped = at(page)
    page.wait_for_timeout(600)
    assert at(page) == stopped


def test_drop_with_the_solved_picture(visit: Callable[..., Any]) -> None:
    page = visit()
    reference = smaller(SAMPLES / "emblem_reference.png", 2)
    give(page, "drop", screenshot=smaller(EMBLEM, 2), my_reference=reference)
    solved_up_to_here(page)
    assert text(page, "#claim") == "20 moves, proven shortest"
    page.click("[data-view=check]")
    assert "Read with certainty: 3 × 3" in text(page, "#verdict")
    assert "with the solved picture" in text(page, "#verdict")


def test_a_solved_picture_of_another_puzzle_is_left_out(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    wrong = smaller(SAMPLES / "photo_coffee.jpg", 2)
    cat = smaller(SAMPLES / "game_cat_3x3_screenshot.png", 2)
    give(page, "drop", screenshot=cat, my_reference=wrong)
    until(page, "document.querySelector('#toasts').innerText.includes('left out')")
    until(page, "document.querySelector('#claim').innerText.includes('proven')")


def corner(page: Any, name: str) -> tuple[int, int]:
    """Where a corner is, in px of the screenshot."""
    words = page.locator(f".handle.{name}").get_attribute("aria-valuetext")
    x, y = map(int, re.findall(r"\d+", words))
    return x, y


def centre(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


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
    assert page.locator("#loupe").is_visible()
    page.mouse.up()
    assert page.locator("#loupe").is_hidden()


def by_touch(page: Any) -> None:
    x, y = centre(page, ".handle.top_left")
    driver = page.context.new_cdp_session(page)
    for name, dx in (("touchStart", 0), ("touchMove", 9), ("touchMove", 20)):
        place = [{"x": x + dx, "y": y + 0.6 * dx}]
        driver.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": place})
    assert page.locator("#loupe").is_visible()
    driver.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def by_keys(page: Any) -> None:
    page.focus(".handle.top_left")
    before = corner(page, "top_left")
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert corner(page, "top_left") == (before[0] + 12, before[1] + 10)


def test_exchanged_tiles_and_the_way_back(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    page.click("[data-view=check]")
    cell = "#overlay .cell[data-cell='{}']"
    page.click(cell.format(0))
    assert page.locator(cell.format(0)).get_attribute("aria-pressed") == "true"
    page.click(cell.format(4))
    until(page, "document.querySelector('#verdict').innerText.includes('exchange')")
    assert page.locator("[data-view=follow]").is_disabled()
    assert page.locator("#solve").is_hidden()
    page.click("#take-suggestion")
    until(page, "document.querySelector('#solve').innerText.includes('20 moves')")
    # By keyboard, and in the picture of the goal: a second exchange mends the first.
    page.focus("#goal .mosaic-cell[tabindex='0']")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#verdict').innerText.includes('exchange')")
    page.click(cell.format(5))
    page.click(cell.format(7))
    until(page, "document.querySelector('#solve').innerText.includes('moves')")
    assert "As you corrected it" in text(page, "#verdict")
    page.click("#solve")
    solved_up_to_here(page)
    assert "proven shortest" in text(page, "#claim")


def test_changes_are_answered_in_order(visit: Callable[..., Any]) -> None:
    page = visit()
    with page.expect_response("**/api/read") as first:
        open_emblem(page)
    known = first.value.json()
    doubtful = {**known, "certain": False, "confidence": 0.7}
    doubtful["reading"] = {**known["reading"], "certain": False, "doubts": ["hm"]}
    page.click("[data-view=check]")
    running, most, grids = [0], [0], []

    def late(route: Any) -> None:
        """The first answer is slow, and would undo what the second one says."""
        running[0] += 1
        most[0] = max(most[0], running[0])
        grids.append(route.request.post_data_json["grid"])
        if len(grids) == 1:
            page.wait_for_timeout(400)
        running[0] -= 1
        route.fulfill(json=doubtful if len(grids) == 1 else known)

    page.route("**/api/read/*", late)
    # At once: a slow machine would have the first answer between two clicks.
    page.evaluate(
        "for (const id of ['rows-more', 'cols-more', 'rows-less', 'cols-less'])"
        " document.getElementById(id).click()"
    )
    idle(page)
    # One at a time; what came meanwhile was put together.
    assert most == [1]
    assert grids == ["4x3", "3x3"]
    assert page.locator("#rows-count").inner_text() == "3"
    assert text(page, "#verdict").startswith("Read with certainty: 3 × 3")


def test_a_gif_of_all_steps(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    page.click("[data-view=save]")
    page.select_option("#option-size", "480")
    with page.expect_download() as started:
        page.click("#make")
    assert started.value.suggested_filename == "emblem-solution.gif"
    picture: Any = PillowImage.open(io.BytesIO(started.value.path().read_bytes()))
    assert picture.format == "GIF"
    assert max(picture.size) <= 480
    # A start, a goal, and at least a frame for each of 20 moves.
    assert picture.n_frames >= 22
    first = np.asarray(picture.convert("RGB")).astype(int)
    picture.seek(picture.n_frames - 1)
    last = np.asarray(picture.convert("RGB")).astype(int)
    assert np.abs(first - last).mean() > 10
    assert page.locator("#made img").is_visible()


def test_go_on_from_a_later_screenshot(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    moves = moves_of(page)
    arrangement, blank = list(range(9)), BLANK
    for cell in moves[:7]:
        arrangement[blank], arrangement[cell] = arrangement[cell], arrangement[blank]
        blank = cell
    # In the window that asks for it: the position lies on the known way.
    page.click("#elsewhere")
    give(page, "paste", later=emblem_as(arrangement))
    until(page, "document.querySelector('#board').dataset.at === '7'")
    assert page.locator("#now-dialog").is_hidden()
    assert seen(page, 3, 3, BLANK) == arrangement
    assert "13 moves left" in text(page, "#count")
    # Dropped on the page, and off the way: solved from there.
    away = next(
        cell
        for cell in range(9)
        if abs(cell // 3 - blank // 3) + abs(cell % 3 - blank % 3) == 1
        and cell not in (moves[6 - 1], moves[7])
    )
    arrangement[blank], arrangement[away] = arrangement[away], arrangement[blank]
    give(page, "drop", later=emblem_as(arrangement))
    until(page, "!document.querySelector('#claim').innerText.startsWith('20 moves')")
    solved_up_to_here(page)
    assert at(page) == 0
    # One move off a proven shortest way of 13: 12 or 14, by parity.
    assert text(page, "#claim") in (
        "12 moves, proven shortest",
        "14 moves, proven shortest",
    )


def test_a_picture_of_something_else_costs_nothing(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    page.click("#next")
    page.click("#next")
    page.click("#elsewhere")
    give(page, "paste", later=smaller(SAMPLES / "photo_coffee.jpg", 4))
    until(page, "!document.querySelector('#now-error').hidden")
    assert text(page, "#now-error")
    page.click("#now-close")
    assert at(page) == 2
    assert text(page, "#claim") == "20 moves, proven shortest"


def test_playing_along(visit: Callable[..., Any]) -> None:
    page = visit(reduced_motion="no-preference")
    open_emblem(page)
    moves = moves_of(page)
    page.check("input[value=along]")
    assert page.locator(".tile.next").count() == 0
    tiles = seen(page, 3, 3, BLANK)
    page.locator(f".tile[data-tile='{tiles[moves[0]]}']").click()
    assert at(page) == 1
    words = page.locator("#along-words")
    assert words.inner_text() == "On the shortest way: 19 moves to go."
    # Another tile than the way's: nobody scolds, and the number is right.
    blank = moves[0]
    away = next(
        cell
        for cell in range(9)
        if abs(cell // 3 - blank // 3) + abs(cell % 3 - blank % 3) == 1
        and cell not in (BLANK, moves[1])
    )
    tiles = seen(page, 3, 3, BLANK)
    page.locator(f".tile[data-tile='{tiles[away]}']").click()
    until(page, "/to go/.test(document.querySelector('#along-words').innerText)")
    left = int(re.findall(r"(\d+) moves to go", words.inner_text())[0])
    assert left in (18, 20)
    assert ("Just as short" in words.inner_text()) == (left == 18)
    assert f"2 made, {left} to go" in text(page, "#count")
    page.keyboard.press("Control+z")
    assert at(page) == 1
    assert "19 moves to go" in words.inner_text()
    page.click("#hint")
    page.locator(".tile.next").click()
    assert words.inner_text() == "On the shortest way: 18 moves to go."
    # Arrow keys slide tiles, and nothing else.
    ways = {-3: "ArrowDown", 3: "ArrowUp", -1: "ArrowRight", 1: "ArrowLeft"}
    blank = moves[1]
    for cell in moves[2:]:
        page.keyboard.press(ways[cell - blank])
        blank = cell
    assert at(page) == 20
    assert words.inner_text() == "Solved, in 20 moves: fewer are not possible."


def test_four_by_four_sample(visit: Callable[..., Any]) -> None:
    page = visit(reduced_motion="no-preference")
    page.click("[data-sample=game_opera_4x4]")
    solved_up_to_here(page)
    assert "proven shortest" in text(page, "#claim")
    page.keyboard.press("End")
    truth = json.loads((SAMPLES / "game_opera_4x4_truth.json").read_text())
    blank = truth["tiles"].index(truth["blank_goal_index"])
    at(page)
    places = seen(page, 4, 4, blank)
    assert [truth["tiles"][tile] for tile in places] == list(range(16))


def test_five_by_five_in_numbers(visit: Callable[..., Any]) -> None:
    page = visit()
    goal = row_major(Shape(5, 5))
    start = walk(goal, walks=3, seed=3)
    page.click("#typed summary")
    page.fill("#typed-board", str(start).replace(" / ", "\n"))
    page.click("#typed-form button")
    solved_up_to_here(page)
    count = int(page.locator("#progress").get_attribute("max"))
    assert 0 < count <= 24  # three walks of at most eight steps
    page.keyboard.press("End")
    at(page)
    places = seen(page, 5, 5, start.cells.index(0))
    assert [start.cells[tile] for tile in places] == list(goal.cells)


def test_a_reload_keeps_the_work(visit: Callable[..., Any], address: str) -> None:
    page = visit()
    open_emblem(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    before = seen(page, 3, 3, BLANK)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    page.reload()
    view(page, "follow")
    until(page, "document.querySelector('#board').dataset.at === '3'")
    assert seen(page, 3, 3, BLANK) == before
    assert text(page, "#claim") == "20 moves, proven shortest"
    # Nothing was read or solved anew, and nothing of it stands in the address.
    assert set(asked) == {"GET"}
    assert page.url == address
    # One's own way is kept, too, and corrections are.
    page.check("input[value=along]")
    blank = next(cell for cell, tile in enumerate(before) if tile == BLANK)
    away = next(
        cell
        for cell in range(9)
        if abs(cell // 3 - blank // 3) + abs(cell % 3 - blank % 3) == 1
        and cell != moves_of(page)[3]
    )
    page.locator(f".tile[data-tile='{before[away]}']").click()
    until(page, "/to go/.test(document.querySelector('#along-words').innerText)")
    before = seen(page, 3, 3, BLANK)
    page.reload()
    until(page, "document.querySelector('#board').dataset.at === '4'")
    assert page.is_checked("input[value=along]")
    assert seen(page, 3, 3, BLANK) == before
    page.click("[data-view=check]")
    page.click("#overlay .cell[data-cell='0']")
    page.click("#overlay .cell[data-cell='4']")
    page.locator("#take-suggestion").wait_for()
    said = text(page, "#check-actions")
    assert "Take it back" in said
    page.reload()
    view(page, "check")
    page.locator("#take-suggestion").wait_for()
    assert text(page, "#check-actions") == said
    assert page.locator("#overlay image").get_attribute("href").endswith(".png")
    # The server has forgotten it: one line, and the page begins anew.
    page.evaluate(
        "for (const [name, value] of Object.entries(sessionStorage))"
        ' sessionStorage.setItem(name, value.replace(/"reading":"/, \'$&x\'))'
    )
    page.reload()
    page.locator("#alerts .toast").wait_for()
    assert text(page, "#alerts").startswith("The program has forgotten this puzzle")
    view(page, "start")
    page.reload()
    page.locator("[data-sample=emblem]").wait_for()
    assert page.locator(".toast").count() == 0


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


RUSSIAN_DOUBT = "Другая расстановка объясняет картинку почти так же хорошо."


def test_an_unlikely_reading_is_to_be_corrected(visit: Callable[..., Any]) -> None:
    page = visit(locale="ru-RU", viewport=SMALL)

    def answer(route: Any) -> None:
        known = route.fetch().json()
        doubts = ["another arrangement explains the picture nearly as well", "hm"]
        unlikely = {"certain": False, "confidence": 0.31, "doubtful": [[0, 1], [2, 2]]}
        known["reading"] |= {"certain": False, "confidence": 0.31, "doubts": doubts}
        route.fulfill(json=known | unlikely)

    page.route("**/api/read", answer)
    page.click("[data-sample=emblem]")
    view(page, "check")
    idle(page)
    lines = page.locator("#verdict li")
    said = [line.replace("\xa0", " ") for line in lines.all_inner_texts()]
    assert said[0] == RUSSIAN_DOUBT
    assert said[2].startswith("Под сомнением 2 места из 9: строка 1, столбец 2")
    # What nobody has words for stays English, and says so.
    assert page.locator("#verdict [lang=en]").all_inner_texts() == ["hm"]
    primary = page.locator("#check-actions .primary:visible")
    assert primary.all_inner_texts() == ["Исправить то, что под сомнением"]
    primary.click()
    assert page.evaluate("document.activeElement.dataset.cell") == "1"
    page.click("#solve")
    view(page, "follow")


def test_errors_hide_nothing_and_go_when_something_succeeds(
    visit: Callable[..., Any],
) -> None:
    page = visit(viewport=SMALL, locale="ru-RU")
    page.click("#typed summary")
    page.fill("#typed-board", "1 2 3\n4 5 6\n7 7 8")
    page.click("#typed-form button")
    alert = page.locator("#alerts .toast")
    alert.wait_for()
    assert page.locator("#alerts").get_attribute("role") == "alert"
    told = "Эти числа — не поле. Найдено 0 нулей, а нужен ровно один: пустое место."
    assert text(page, "#alerts") == told
    assert_fits(page)
    # At the top of the page it has a place of its own, and nothing lies below it.
    page.evaluate("scrollTo(0, 0)")
    box, main = alert.bounding_box(), page.locator("main").bounding_box()
    head = page.locator("header").bounding_box()
    assert head["y"] + head["height"] <= box["y"]
    assert box["y"] + box["height"] <= main["y"]
    alert.locator("button").click()
    assert alert.count() == 0
    page.click("#typed-form button")
    alert.wait_for()
    page.fill("#typed-board", "1 2 3\n4 5 6\n7 0 8")
    page.click("#typed-form button")
    view(page, "follow")
    assert alert.count() == 0


def test_nothing_old_is_solved_or_saved_while_it_is_read_anew(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    page.click("#typed summary")
    page.fill("#typed-board", "1 2 3\n4 5 6\n0 7 8")
    page.click("#typed-form button")
    solved_up_to_here(page)
    held: list[Any] = []
    page.route("**/api/read/*", lambda route: held.append(route))
    page.click("[data-view=check]")
    page.click(".typed-picture .mosaic-cell[data-cell='0']")
    page.click(".typed-picture .mosaic-cell[data-cell='1']")
    until(page, "document.querySelector('#view-check').ariaBusy === 'true'")
    for name in ("follow", "save"):
        assert page.locator(f"[data-view={name}]").is_disabled()
    assert page.locator("#make").get_attribute("aria-disabled") == "true"
    assert page.locator("#elsewhere").get_attribute("aria-disabled") == "true"
    assert page.locator("#solve").get_attribute("aria-disabled") == "true"
    page.evaluate("document.querySelector('#solve').click()")
    assert page.evaluate("document.body.dataset.view") == "check"
    held[0].continue_()
    idle(page)
    assert "exchange" in text(page, "#verdict")
    page.unroute("**/api/read/*")
    page.click("#take-suggestion")
    until(page, "document.querySelector('#solve').innerText.includes('2 moves')")
    assert page.locator("#solve").get_attribute("aria-disabled") == "false"


def test_what_was_given_up_for_a_small_file_is_told(visit: Callable[..., Any]) -> None:
    page = visit(locale="ru-RU")
    page.click("#typed summary")
    page.fill("#typed-board", "1 2 3\n4 5 6\n0 7 8")
    page.click("#typed-form button")
    solved_up_to_here(page)
    notes = ["GIF: scaled to 480x480 px, 2 pictures a slide instead of 6, hm"]
    file = {"url": "/static/icon.svg", "name": "x.svg", "bytes": 9, "notes": notes}
    job = {"id": "x", "kind": "render", "state": "done", "version": 1, "result": file}
    page.route("**/api/render", lambda route: route.fulfill(json={"job": "x"}))
    page.route("**/api/jobs/x?*", lambda route: route.fulfill(json=job))
    page.click("[data-view=save]")
    page.click("#make")
    page.locator(".file-about").wait_for()
    told = page.locator(".file-about .small").all_inner_texts()[1:]
    assert told == ["Уменьшено до 480 × 480 пикс.", "2 кадра на ход вместо 6", "hm"]
    assert page.locator(".file-about [lang=en]").inner_text() == "hm"


def test_what_is_no_board_can_be_helped(visit: Callable[..., Any]) -> None:
    page = visit()
    shade = np.linspace(60, 200, 240).astype(np.uint8)
    give(page, "paste", wall=np.tile(shade[None, :, None], (180, 1, 3)))
    view(page, "check")
    idle(page)
    assert "No board was found" in text(page, "#verdict")
    assert page.locator(".handle").count() == 4
    assert text(page, "#solve") == "Read with this grid"
    page.click("#fresh")
    view(page, "start")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["hello"], "notes.txt", { type: "text/plain" }));
            const about = { bubbles: true, cancelable: true, dataTransfer: data };
            document.body.dispatchEvent(new DragEvent("drop", about));
        }"""
    )
    assert "notes.txt is not a picture" in page.locator(".toast").inner_text()


OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"

SMALL_TARGETS = """() => [...document.querySelectorAll("button, select, summary")]
    .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5)
    .map((one) => one.outerHTML.slice(0, 80))"""


def test_russian_fits_every_screen(visit: Callable[..., Any]) -> None:
    page = visit(viewport=SMALL, locale="ru-RU", color_scheme="dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert text(page, "#start-title").startswith("Снимок")
    page.evaluate(OPEN_ALL)
    for viewport in (SMALL, PHONE, DESKTOP):
        page.set_viewport_size(viewport)
        assert_fits(page)
    page.click("[data-sample=emblem]")
    solved_up_to_here(page)
    assert text(page, "#claim") == "20 ходов, доказано: короче нельзя"
    page.evaluate(OPEN_ALL)
    for name in ("follow", "check", "save"):
        page.click(f"[data-view={name}]")
        for viewport in (SMALL, PHONE, DESKTOP):
            page.set_viewport_size(viewport)
            assert_fits(page)
            assert page.evaluate(SMALL_TARGETS) == []
    page.select_option("#language", "en")
    assert text(page, "#save-title") == "Save the guide"
    page.click("#theme")
    assert page.locator("html").get_attribute("data-theme") == "light"
    page.reload()
    assert text(page, "#start-title") == "Screenshot in, solution out"
    assert page.locator("html").get_attribute("data-theme") == "light"
