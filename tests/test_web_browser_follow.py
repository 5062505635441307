"""The page in a real browser: a solution is followed."""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import numpy as np
import zxingcpp
from browser_support import at, seen, until
from PIL import Image as PillowImage
from web_browser_support import (
    BLANK,
    EMBLEM,
    SAMPLES,
    TRUTH,
    emblem_as,
    give,
    idle,
    moves_of,
    open_emblem,
    open_typed,
    smaller,
    solved_up_to_here,
    text,
    view,
)

from imgpuzzle.core.board import Shape

SHAPE = Shape(3, 3)


def test_paste_solve_and_step_through(visit: Callable[..., Any]) -> None:
    page = visit()
    give(page, "paste", screenshot=smaller(EMBLEM, 1))
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
    assert seen(page, SHAPE, BLANK) == arrangement
    blank = BLANK
    for number, cell in enumerate(moves_of(page), start=1):
        assert cell in SHAPE.neighbours(blank)
        arrangement[blank], arrangement[cell] = arrangement[cell], arrangement[blank]
        blank = cell
        if number % 3 == 0:
            page.keyboard.press("ArrowRight")
        elif number % 3 == 1:
            page.click("#next")
        else:
            page.locator(".tile.next").click()
        assert at(page) == number
        assert seen(page, SHAPE, BLANK) == arrangement
    # Every tile is at home: by the truth file, not by the page's word.
    assert [TRUTH["tiles"][tile] for tile in arrangement] == list(range(9))
    assert text(page, "#words") == "Solved after 20 moves"
    page.keyboard.press("Home")
    assert at(page) == 0
    # It plays by the clock of guides, which is stopped in their tests.
    page.click("#options summary")
    page.select_option("#speed", "0.45")
    page.click("#play")
    until(page, "document.querySelector('#board').dataset.at === '1'")


def test_go_on_from_a_later_screenshot(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    moves = moves_of(page)
    arrangement, blank = list(range(9)), BLANK
    for cell in moves[:7]:
        before = arrangement.copy()
        arrangement[blank], arrangement[cell] = arrangement[cell], arrangement[blank]
        blank = cell
    # A picture of something else costs nothing.
    page.click("#next")
    page.click("#elsewhere")
    give(page, "paste", later=smaller(SAMPLES / "photo_coffee.jpg", 12))
    until(page, "!document.querySelector('#now-error').hidden")
    assert text(page, "#now-error")
    page.click("#now-close")
    assert at(page) == 1
    assert text(page, "#claim") == "20 moves, proven shortest"
    # In the window that asks for it: the position lies on the known way.
    page.click("#elsewhere")
    give(page, "paste", later=emblem_as(arrangement))
    until(page, "document.querySelector('#board').dataset.at === '7'")
    page.locator("#now-dialog").wait_for(state="hidden")
    assert seen(page, SHAPE, BLANK) == arrangement
    assert "13 moves left" in text(page, "#count")
    # Of two in quick succession one note is left, the last.
    give(page, "paste", later=emblem_as(before))
    page.click("#ask-choices .primary")
    until(page, "document.querySelector('#board').dataset.at === '6'")
    assert text(page, "#toasts") == "Found it on the way: 14 moves to go."
    # Dropped on the page, and off the way: solved from there.
    away = next(
        one for one in SHAPE.neighbours(blank) if one not in (moves[5], moves[7])
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


def test_playing_along(visit: Callable[..., Any]) -> None:
    page = visit(reduced_motion="no-preference")
    open_typed(page)
    moves = moves_of(page)
    page.check("input[value=along]")
    assert page.locator(".tile.next").count() == 0
    tiles = seen(page, SHAPE, BLANK)
    page.locator(f".tile[data-tile='{tiles[moves[0]]}']").click()
    assert at(page) == 1
    words = page.locator("#along-words")
    assert words.inner_text() == "On the shortest way: 19 moves to go."
    # Another tile than the way's: nobody scolds, and the number is right.
    blank = moves[0]
    away = next(one for one in SHAPE.neighbours(blank) if one not in (BLANK, moves[1]))
    tiles = seen(page, SHAPE, BLANK)
    page.locator(f".tile[data-tile='{tiles[away]}']").click()
    until(page, "/to go/.test(document.querySelector('#along-words').innerText)")
    left = int(re.findall(r"(\d+) moves to go", words.inner_text())[0])
    assert left in (18, 20)
    assert ("Just as short" in words.inner_text()) == (left == 18)
    assert f"2 made, {left} moves to go" in text(page, "#count")
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


def test_a_reload_keeps_the_work(visit: Callable[..., Any], address: str) -> None:
    page = visit()
    open_emblem(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    before = seen(page, SHAPE, BLANK)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    page.reload()
    view(page, "follow")
    until(page, "document.querySelector('#board').dataset.at === '3'")
    assert seen(page, SHAPE, BLANK) == before
    assert text(page, "#claim") == "20 moves, proven shortest"
    # Nothing was read or solved anew, and nothing of it stands in the address.
    assert set(asked) == {"GET"}
    assert page.url == address
    # One's own way is kept, too, and corrections are.
    page.check("input[value=along]")
    blank, ahead = before.index(BLANK), moves_of(page)[3]
    away = next(one for one in SHAPE.neighbours(blank) if one != ahead)
    page.locator(f".tile[data-tile='{before[away]}']").click()
    until(page, "/to go/.test(document.querySelector('#along-words').innerText)")
    before = seen(page, SHAPE, BLANK)
    page.reload()
    until(page, "document.querySelector('#board').dataset.at === '4'")
    assert page.is_checked("input[value=along]")
    assert seen(page, SHAPE, BLANK) == before
    page.click("[data-view=check]")
    page.click("#overlay .cell[data-cell='0']")
    page.click("#overlay .cell[data-cell='4']")
    more = "document.querySelector('#verdict').innerText.includes('One more exchange')"
    until(page, more)
    page.reload()
    view(page, "check")
    until(page, more)
    assert page.locator("#overlay image").get_attribute("href").endswith(".png")
    # The server has forgotten it: one line, and the page begins anew.
    page.evaluate(
        "for (const [name, value] of Object.entries(sessionStorage))"
        " sessionStorage.setItem("
        ' name, value.replace(/"(reading|current)":"/g, \'$&x\'))'
    )
    page.reload()
    page.locator("#alerts .toast").wait_for()
    assert text(page, "#alerts").startswith("The program has forgotten this puzzle")
    view(page, "start")
    page.reload()
    page.locator("[data-sample=emblem]").wait_for()
    assert page.locator(".toast").count() == 0


def test_a_way_in_stages(visit: Callable[..., Any]) -> None:
    page = visit()
    open_typed(page)
    assert page.locator("#chapter").is_hidden()
    page.click("#next")
    page.check("#stages")
    until(page, "document.querySelector('#claim').innerText.includes('stages')")
    words = text(page, "#claim")
    price = r"\d+ moves in 2 stages(; the shortest solution has 20|, which is .*)"
    assert re.fullmatch(price, words)
    assert at(page) == 0
    assert "touched any more" in text(page, "#chapter")
    page.click("#moves summary")
    headings = page.locator("#list .run").all_inner_texts()
    assert [heading.split(":")[0] for heading in headings][1][:4] == "Last"
    # The stage goes with the step, and is over at its end.
    page.click("#last")
    assert page.locator("#chapter").is_hidden()
    page.click("#back")
    assert "All other tiles stay where they are" in text(page, "#chapter")
    assert "\u00b7 Last " in text(page, "#count")
    page.uncheck("#stages")
    until(page, "document.querySelector('#claim').innerText.startsWith('20 moves, pr')")
    assert page.locator("#chapter").is_hidden()
    assert page.locator("#list .run").count() == 0


def several_tiles_with_one_click(page: Any, count: int) -> None:
    """To the end, by clicks on the tile that is framed as the one to push."""
    assert count <= 18
    lengths = []
    before = seen(page, SHAPE, BLANK)
    for _ in range(count):
        length = page.locator(".tile.next, .tile.with").count()
        # A click on the tile that is framed as the one to push is the next step, too.
        page.locator(".tile.next").click()
        after = seen(page, SHAPE, BLANK)
        moved = [cell for cell in range(9) if before[cell] != after[cell]]
        # They lie in one row or column, and the empty cell is at one end.
        assert (
            len({cell // 3 for cell in moved}) == 1 or len({c % 3 for c in moved}) == 1
        )
        assert len(moved) == length + 1
        assert before.index(BLANK) in (moved[0], moved[-1])
        lengths.append(length)
        before = after
    assert max(lengths) == 2
    assert text(page, "#words") == f"Solved after {count} clicks"


def test_clicks_are_counted_everywhere(visit: Callable[..., Any]) -> None:
    page = visit()
    open_typed(page)
    page.click("#next")
    page.check("#slides")
    until(page, "document.querySelector('#claim').innerText.includes('clicks, proven')")
    page.click("#first")
    count = int(page.locator("#progress").get_attribute("max"))
    assert text(page, "#claim") == f"{count} clicks, proven shortest"
    several_tiles_with_one_click(page, count)
    page.click("#first")
    page.check("input[value=along]")
    assert text(page, "#count") == f"0 made, {count} clicks to go"
    # Off the way, with a tile that pushes another one if there is one.
    page.click("#hint")
    way = page.locator(".tile.next").get_attribute("data-tile")
    others = page.locator(f".tile.movable:not([data-tile='{way}'])")
    others.last.click()
    until(page, "/clicks to go/.test(document.querySelector('#along-words').innerText)")
    left = int(re.findall(r"(\d+) clicks to go", text(page, "#along-words"))[0])
    # One click more or less leads there: no nearer, and at most one further away.
    assert count - 1 <= left <= count + 1
    assert text(page, "#count") == f"1 made, {left} clicks to go"
    assert text(page, "#claim") == (
        f"Your own way: {1 + left} clicks in all. From the screenshot it was "
        f"{count} clicks."
    )
    page.check("input[value=follow]")
    assert f"{left} clicks left" in text(page, "#count")
    # In single moves the own way is searched again, too; parity says that it differs.
    page.uncheck("#slides")
    until(page, "document.querySelector('#claim').innerText.includes('moves in all')")
    page.click("[data-view=save]")
    assert text(page, "#save-words").startswith("The solution with 20 moves, ")
    page.click("[data-view=follow]")
    page.check("#slides")
    page.click("[data-view=save]")
    words = f"The solution with {count} clicks, as a file that works without this page."
    until(page, f"document.querySelector('#save-words').innerText.includes({words!r})")
    # The game's own way of counting comes back with it, and not with another one.
    page.reload()
    view(page, "save")
    until(page, f"document.querySelector('#save-words').innerText.includes({words!r})")
    page.click("#fresh")
    assert f"{count} clicks" in text(page, ".recent-card")
    open_typed(page)
    assert text(page, "#claim") == "20 moves, proven shortest"
    assert not page.is_checked("#slides")
    # The board stays in sight as far as its column goes, and covers nothing below.
    page.mouse.wheel(0, 160)
    until(page, "scrollY > 0")
    edge = "document.querySelector('{}').getBoundingClientRect().{}"
    frame, moves = edge.format("#frame", "bottom"), edge.format("#moves", "top")
    assert page.evaluate(f"{frame} <= {moves}")


COPIED = "navigator.clipboard.writeText = async (text) => { window.copied = text; }"


def test_a_link_carries_the_board_and_its_way(visit: Callable[..., Any]) -> None:
    page = visit()
    open_typed(page)
    page.evaluate(COPIED)
    page.click("#link summary")
    page.click("#copy-link")
    until(page, "window.copied !== undefined")
    link = page.evaluate("window.copied")
    place, _, moves = link.rpartition("&moves=")
    assert len(moves) == 20
    assert set(moves) <= set("lrud")
    # The same for slidysim, whose letters have numbers for those that repeat.
    until(page, "document.querySelector('#replay').href !== ''")
    _, _, packed = page.get_attribute("#replay", "href").rpartition("?r=")
    played = json.loads(zlib.decompress(base64.b64decode(unquote(packed))))
    ways = re.sub(r"(.)(\d+)", lambda run: run[1] * int(run[2]), played[0])
    assert ways.lower() == moves
    assert played[2] == "2 1 7/5 3 6/4 8 0"
    assert len(played[3]) == 20
    # No other device finds this server, and so there is no code for a camera.
    assert page.locator("#code").is_hidden()
    assert _in_code(page, link) == link
    of_the_player(page, visit)
    # The way is there before a search has found one, and nothing is claimed of it.
    held: list[Any] = []
    other = visit()
    other.route("**/api/solve", lambda route: held.append(route))
    other.goto(link)
    until(other, "document.querySelector('.tile.next') !== null")
    assert "proven" not in text(other, "#claim")
    assert "#" not in other.url
    other.evaluate(COPIED)
    other.click("#link summary")
    other.click("#copy-link")
    until(other, f"window.copied === {link!r}")
    held.pop().continue_()
    solved_up_to_here(other)
    assert text(other, "#claim") == "20 moves, proven shortest"
    # Moves that do not lead to the goal are no way.
    other.evaluate(f"location.href = {place + '&moves=' + moves[:-1]!r}")
    until(other, "document.querySelector('.tile.next') === null")
    held.pop().continue_()
    solved_up_to_here(other)
    assert text(other, "#claim") == "20 moves, proven shortest"


def of_the_player(page: Any, visit: Callable[..., Any]) -> None:
    """A link leads along the way of the player, who has left the one that was found."""
    first = page.get_attribute("#replay", "href")
    cell = moves_of(page)[0]
    page.check("input[value=along]")
    away = next(one for one in SHAPE.neighbours(BLANK) if one != cell)
    page.locator(f".tile[data-tile='{away}']").click()
    until(page, "/to go/.test(document.querySelector('#along-words').innerText)")
    until(page, f"document.querySelector('#replay').href !== {first!r}")
    page.evaluate("window.copied = undefined")
    page.click("#copy-link")
    until(page, "window.copied !== undefined")
    link = page.evaluate("window.copied")
    moves = link.rpartition("&moves=")[2]
    left = int(re.findall(r"(\d+) moves to go", text(page, "#along-words"))[0])
    assert len(moves) == 1 + left
    assert moves[0] == {-3: "d", 3: "u", -1: "r", 1: "l"}[away - BLANK]
    other = visit()
    other.route("**/api/solve", lambda route: None)
    other.goto(link)
    until(other, "document.querySelector('.tile.next') !== null")
    assert moves_of(other)[0] == away


def _in_code(page: Any, link: str) -> str:
    """What a camera finds in the code of a link."""
    page.evaluate(
        """async (link) => {
            const { api } = await import("/static/api.js");
            const { picture } = await api.code(link);
            const shown = `<img width="400" src="${picture}">`;
            document.body.insertAdjacentHTML("afterbegin", shown);
        }""",
        link,
    )
    shot = page.locator("body > img").screenshot()
    with PillowImage.open(io.BytesIO(shot)) as file:
        (found,) = zxingcpp.read_barcodes(np.asarray(file.convert("L")))
    return str(found.text)
