"""What the tests of the HTML guide in a real browser share: guides, and their steps."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from browser_support import CHROMIUM, PHONE, Heard, at, seen, until
from page_support import smooth_picture
from PIL import Image as PillowImage
from render_oracles import CASE, CASE_GOAL, CASE_START, places, wandering

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.solution import Solution
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.page import render_page

PICTURE = TileSet.cut(smooth_picture(300), CASE_START, CASE_GOAL)
COUNT = CASE.move_count
AFTER = list(places(CASE))
"""Which start cell's tile lies where, after each number of moves."""

BRIGHT: dict[str, Any] = {
    "brighten": 60,
    "outline": "never",
    "arrow": False,
}
QUICK = {"frame_ms": 20, "slide_ms": 30}
LARGE = wandering(row_major(Shape(10, 10)), 300, 7)
LONG = wandering(row_major(Shape(2, 3)), 1300, 3)
TWINS = wandering(Board.parse("1 1 2 / 2 2 3 / 3 3 0"), 9, 5)

LINE = Solution(
    Board.parse("1 2 0 3 4 5"), Board.parse("1 2 3 4 5 0"), (3, 4, 5), 1, metric="slide"
)

PAGES: dict[str, Callable[[], str]] = {
    "picture": lambda: render_page(CASE, PICTURE),
    "quick": lambda: render_page(CASE, PICTURE, Style(**QUICK)),
    "bright": lambda: render_page(CASE, PICTURE, Style(**BRIGHT)),
    "russian": lambda: render_page(
        CASE,
        PICTURE,
        Style(language="ru", coordinates="letters", numbers=True, ahead=3),
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


@contextmanager
def guides(folder: Path) -> Iterator[Callable[..., Any]]:
    """Open one of ``PAGES``; it must not have complained or asked for anything.

    The files lie in ``folder``, and are written when they are first opened.
    """
    heard = Heard()

    def open_guide(name: str, part: str = "", **settings: Any) -> Any:
        file = folder / f"{name}.html"
        if not file.exists():
            file.write_text(PAGES[name](), encoding="utf-8")
        settings.setdefault("viewport", PHONE)
        settings.setdefault("reduced_motion", "no-preference")
        return heard.opened(CHROMIUM.profile(**settings), f"{file.as_uri()}{part}")

    yield open_guide
    for page in heard.pages:
        page.close()
    assert heard.said == []
    heard.assert_asked_only("file:", "data:")


def shown_at(page: Any, number: int) -> None:
    """Wait until the page shows this position of the case, then look at all of it."""
    # A tap and a swipe come to the page when it has time for them.
    until(page, f"document.querySelector('#board').dataset.at === '{number}'")
    assert at(page) == number
    assert seen(page, CASE_START.shape, CASE_START.blank) == AFTER[number]
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
