"""The page in a real browser: a game that is shared with it, and is followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser_support import CHROMIUM, SHARED_TITLE, until
from game_page import IN_ORDER, MOVES, game_page, next_cell, turned_page
from web_browser_support import view
from web_reading_support import REFERENCE

pytestmark = pytest.mark.slow


REFUSE = """(name) => {
    navigator.mediaDevices.getDisplayMedia = async () => {
        throw new DOMException("no", name);
    };
}"""


@contextmanager
def playing(folder: Path, game: Callable[[str], str] = game_page) -> Iterator[Any]:
    """A game in a tab of its own, which the browser shares when it is asked."""
    file = folder / "game.html"
    file.write_text(game(SHARED_TITLE), encoding="utf-8")
    page = CHROMIUM.profile(shares=True).new_page()
    page.goto(file.as_uri())
    yield page
    page.close()


FRAMES = """[...document.querySelectorAll('#board .tile')].filter((tile) =>
    getComputedStyle(tile).boxShadow !== 'none'
    || getComputedStyle(tile, '::after').opacity === '1').length"""


def words(page: Any) -> str:
    return str(page.locator("#sharing-words").inner_text())


def watching(page: Any) -> None:
    until(page, "document.querySelector('#sharing').dataset.state === 'watching'")


def share(page: Any) -> None:
    """Give the solved picture, then share the game: the board is read for certain."""
    page.set_input_files("#reference-file", str(REFERENCE))
    page.locator("#share").click()
    view(page, "follow")
    watching(page)


def reached(page: Any, made: int) -> None:
    until(page, f"document.querySelector('#board').dataset.at === '{made}'")


def test_a_game_is_led_to_its_end(visit: Callable[..., Any], tmp_path: Path) -> None:
    with playing(tmp_path) as game:
        page = visit(shares=True)
        share(page)
        assert f"{len(MOVES)} moves to go" in page.locator("#count").inner_text()
        mini = small_window(page)
        another_way(page, game)
        hidden(page, game)
        while not game.evaluate(IN_ORDER):
            page.wait_for_selector(".tile.next")
            before = page.locator("#board").get_attribute("data-at")
            game.evaluate("move", next_cell(page))
            until(page, f"document.querySelector('#board').dataset.at !== '{before}'")
        until(page, "document.querySelector('#sharing').dataset.state === 'solved'")
        assert words(page) == "Solved!"
        page.locator("#sharing-stop").click()
        until(page, "document.querySelector('#sharing').hidden")
        assert page.locator("#share-now").is_visible()
        # The page is as it was: clicks lead through the steps again.
        assert page.locator("#player").is_visible()
        assert mini.is_closed()


def small_window(page: Any) -> Any:
    """It shows the next move, or the numbers; it goes when sharing ends."""
    with page.context.expect_page() as opened:
        page.locator("#sharing-mini").click()
    mini = opened.value
    said = "document.querySelector('.mini-words').textContent"
    until(mini, f"{said}.startsWith('Move the tile')")
    marks = "document.querySelectorAll('.tile.next').length"
    assert mini.evaluate(marks) == 1
    mini.locator("button").click()
    until(mini, f"{said} === ''")
    assert mini.evaluate(marks) == 0
    assert mini.locator(".tile b").first.is_visible()
    # The whole board is to be seen, at the size that the window has.
    box = mini.locator(".frame").bounding_box()
    assert box["width"] > 100
    assert box["y"] + box["height"] <= mini.evaluate("innerHeight")
    return mini


def another_way(page: Any, game: Any) -> None:
    """A move that was not the one shown, and several between two looks."""
    wanted = next_cell(page)
    blank = game.evaluate("places.indexOf(8)")
    other = next(
        cell for cell in game.evaluate("movable()") if cell not in (wanted, blank)
    )
    game.evaluate("move", other)
    reached(page, 1)
    # The detour is told, and the next move is one from here; nothing of the game's
    # can be undone in the page.
    told = "document.querySelector('#along-words').textContent"
    until(page, f"{told}.includes('more than')")
    assert "Undo" not in page.evaluate(told)
    assert page.locator("#undo").is_hidden()
    page.wait_for_selector(".tile.next")
    assert next_cell(page) in game.evaluate("movable()")
    # One frame only, also on a tile under the pointer.
    for tile in page.locator(".tile:not(.hollow)").all():
        tile.hover(force=True)
        assert page.evaluate(FRAMES) == 1
    game.evaluate("cell => { move(cell); }", blank)
    until(page, f"{told}.includes('back')")


def hidden(page: Any, game: Any) -> None:
    """A picture without the board says nothing about the tiles."""
    game.evaluate("document.body.style.visibility = 'hidden'")
    seen = "document.querySelector('#sharing').dataset.state"
    until(page, f"['gone', 'covered', 'changed', 'looking'].includes({seen})")
    game.evaluate("document.body.style.visibility = 'visible'")
    watching(page)


def test_a_game_whose_tiles_turn_is_stepped_through(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    with playing(tmp_path, turned_page):
        page = visit(shares=True)
        page.set_input_files("#reference-file", str(REFERENCE))
        page.locator("#share").click()
        page.locator("[data-kind=turn]").click()
        view(page, "follow")
        until(page, "document.querySelector('#sharing').dataset.state === 'turning'")
        assert "cannot be watched" in words(page)
        page.locator("#next").click()
        reached(page, 1)
        assert page.locator(".tile.next").count() == 1
        page.locator("#last").click()
        until(page, "document.querySelector('#sharing').dataset.state === 'solved'")


def test_who_thinks_better_of_it_loses_nothing(visit: Callable[..., Any]) -> None:
    page = visit()
    page.evaluate(REFUSE, "NotAllowedError")
    page.locator("#share").click()
    assert page.locator("#sharing").is_hidden()
    assert page.locator("#toasts").inner_text() == ""
    page.evaluate(REFUSE, "NotReadableError")
    page.locator("#share").click()
    until(page, "document.querySelector('#alerts').textContent.length > 0")
