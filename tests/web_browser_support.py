"""What the tests of the page of ``imgpuzzle web`` in a real browser share.

The page is that of the real server. Without its libraries they are skipped.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from browser_support import CHROMIUM, DESKTOP, Heard, until
from cli_support import SAMPLES
from PIL import Image as PillowImage
from web_reading_support import png

EMBLEM = SAMPLES / "emblem_screenshot.png"
TRUTH = json.loads((SAMPLES / "emblem_truth.json").read_text())
BLANK = TRUTH["tiles"].index(TRUTH["blank_goal_index"])
"""The cell of the emblem's screenshot that is empty."""

NOTES_STAY = """{
    const later = window.setTimeout;
    window.setTimeout = (run, ms, ...given) =>
        ms >= 6000 ? 0 : later(run, ms, ...given);
}"""
"""For a visit: on a busy machine a note would be gone before it is looked at."""


@contextmanager
def visits(address: str) -> Iterator[Callable[..., Any]]:
    """Open the page; in the end it must not have complained or asked elsewhere."""
    heard = Heard()

    def visit(**settings: Any) -> Any:
        settings.setdefault("viewport", DESKTOP)
        settings.setdefault("locale", "en-GB")
        # Sliding is looked at where it matters; drawing it costs a core of its own.
        settings.setdefault("reduced_motion", "reduce")
        # A profile of its own for each visit would take longer than most visits.
        return heard.opened(CHROMIUM.profile(**settings), address, NOTES_STAY)

    yield visit
    for page in heard.pages:
        # What was chosen stays for the next visit, which is of another test.
        page.evaluate("localStorage.clear()")
        page.close()
    # The browser itself reports answers such as "no board was found" as errors.
    said = [line for line in heard.said if not re.search("status of 4(04|22)", line)]
    assert said == []
    heard.assert_asked_only(address, "data:", "blob:")


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


def encoded(picture: np.ndarray | Path) -> str:
    """A picture as PNG in base64, for the browser."""
    data = picture.read_bytes() if isinstance(picture, Path) else png(picture)
    return base64.b64encode(data).decode()


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


def open_typed(page: Any, board: str = "2 1 7\n5 3 6\n4 8 0") -> None:
    """Solve numbers, by default those of the emblem: where nothing has to be read."""
    if not page.locator("#typed-board").is_visible():
        page.click("#typed summary")
    page.fill("#typed-board", board)
    page.click("#typed-form button")
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


def corner(page: Any, name: str) -> tuple[int, int]:
    """Where a corner is, in px of the screenshot."""
    words = page.locator(f".handle.{name}").get_attribute("aria-valuetext")
    x, y = map(int, re.findall(r"\d+", words))
    return x, y


def centre(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
