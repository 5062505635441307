"""Games in a browser that are shared with the page, played to the end as it says.

    python -m benchmarks sharing --pictures DIR [--split test] [--count 1]
        [--designs NAME ...] [--alone]

Needs playwright and Debian's Chromium. Each design of ``scenes/browser`` is a game in
a tab, which is shared with the page of ``imgpuzzle web``; the page has the solved
picture, too, but for ``--alone``. A player clicks the tile that is marked, now and then
another one; every position that is shown is compared with the game's own. A board that
is doubted is taken as it was read where it is right.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks import command
from benchmarks.scenes.browser import designs
from benchmarks.scenes.browser.play import Browser, PlayedScene, make_scene
from benchmarks.scenes.browser.playable import WON, game_html
from benchmarks.scenes.pictures import Pictures
from benchmarks.web.server import running
from imgpuzzle.files.image import Image, save_image

TITLE = "A shared game"
BAR_PX = 100
"""More than the browser's own bars take of a window."""
OWN_MOVE = 0.1
"""How often the player makes another move than the one that is shown."""
READ_SECONDS, MOVE_SECONDS, GAME_SECONDS = 120.0, 60.0, 900.0

NEXT = """() => {
  const tile = document.querySelector(".tile.next");
  if (!tile) return null;
  const board = document.getElementById("board").getBoundingClientRect();
  const box = tile.getBoundingClientRect();
  return [(box.x + box.width / 2 - board.x) / board.width,
          (box.y + box.height / 2 - board.y) / board.height];
}"""
SHOWN = """() => {
  const words = document.getElementById("board").getAttribute("aria-label") ?? "";
  return words.split(":").pop().split(";").map((row) => row.trim().split(" "));
}"""


def _browser(driver: Any, scene: PlayedScene) -> Any:
    """Chromium with a window for the scene: what is shared has the window's size."""
    height, width = scene.screenshot.shape[:2]
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    options = {
        "window-size": f"{max(width, 1000)},{max(height, 700) + BAR_PX}",
        "auto-select-tab-capture-source-by-title": TITLE,
    }
    given = [f"--{name}={value}" for name, value in options.items()]
    return driver.chromium.launch(
        executable_path=program, args=["--no-sandbox", *given]
    )


def labels(page: Any) -> tuple[int, ...]:
    """The board that the page shows, row by row."""
    return tuple(
        int(one) if one.isdigit() else 0 for row in page.evaluate(SHOWN) for one in row
    )


def play_shared(
    context: Any,
    address: str,
    scene: PlayedScene,
    reference: Image | None,
    folder: Path,
    rng: Any,
) -> dict[str, Any]:
    """Share the game with the page, and play it to its end."""
    file = folder / "game.html"
    file.write_text(game_html(scene, TITLE), encoding="utf-8")
    game = context.new_page()
    game.goto(file.as_uri())
    game.wait_for_function("document.documentElement.dataset.ready === 'yes'")
    page = context.new_page()
    page.goto(address)
    try:
        return _played(game, page, scene, reference, folder, rng)
    finally:
        page.evaluate("document.getElementById('sharing-stop').click()")
        page.close()
        game.close()


def _played(
    game: Any,
    page: Any,
    scene: PlayedScene,
    reference: Image | None,
    folder: Path,
    rng: Any,
) -> dict[str, Any]:
    kept: dict[str, Any] = {"name": scene.name, "moves": 0, "own": 0, "wrong": 0}
    if reference is not None:
        picture = folder / "picture.png"
        save_image(reference, picture)
        page.set_input_files("#reference-file", str(picture))
    page.locator("#share").click()
    begun = time.monotonic()
    state = "document.getElementById('sharing').dataset.state"
    while page.evaluate(state) != "watching":
        if page.evaluate("document.body.dataset.view") == "check":
            assert scene.board is not None
            if labels_read(page) != scene.board.cells:
                return {**kept, "outcome": "read wrong, and doubted"}
            kept["doubted"] = True
            if page.locator("#solve").is_hidden():
                return {**kept, "outcome": "the page asks for more than a yes"}
            page.locator("#solve").click()
        if time.monotonic() - begun > READ_SECONDS:
            return {**kept, "outcome": f"not read: {page.evaluate(state)}"}
        page.wait_for_timeout(100)
    assert scene.board is not None
    shape = scene.board.shape
    waits: list[float] = []
    begun = time.monotonic()
    while not game.evaluate(WON):
        if time.monotonic() - begun > GAME_SECONDS:
            return {**kept, "outcome": "not in time"}
        true = tuple(game.evaluate("cells"))
        if labels(page) != true:
            return {**kept, "outcome": "showed another position"}
        found = page.evaluate(NEXT)
        if found is None:
            page.wait_for_timeout(30)
            continue
        cell = int(found[1] * shape.rows) * shape.cols + int(found[0] * shape.cols)
        if rng.random() < OWN_MOVE:
            cell = int(rng.choice(game.evaluate("movable()")))
            kept["own"] += 1
        kept["moves"] += 1
        asked = time.monotonic()
        game.mouse.click(*game.evaluate("middle", cell))
        now = tuple(game.evaluate("cells"))
        while labels(page) != now:
            shown = labels(page)
            if shown not in (true, now):
                kept["wrong"] += 1
                kept.setdefault("shown", []).append((true, now, shown))
            if time.monotonic() - asked > MOVE_SECONDS:
                return {**kept, "outcome": f"lost: {page.evaluate(state)}"}
            page.wait_for_timeout(15)
        waits.append(time.monotonic() - asked)
    kept["seconds"] = statistics.median(waits) if waits else 0.0
    return {**kept, "outcome": "won"}


def labels_read(page: Any) -> tuple[int, ...]:
    """The board that waits to be checked, as the server has it."""
    puzzle = page.evaluate(
        "(async () => (await import('/static/session.js')).session.puzzle.start)()"
    )
    return tuple(label for row in puzzle for label in row)


def asked_for(
    given: argparse.Namespace, pictures: Pictures, shots: Browser
) -> list[PlayedScene]:
    """The games of a command line, in order."""
    return [
        make_scene(design, number, pictures, shots, None)
        for design in given.designs or getattr(designs, given.split.upper())
        for number in range(given.first, given.first + given.count)
    ]


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = command.parser(__doc__)
    command.add_scenes(parser, count=1)
    parser.add_argument("--designs", nargs="+", choices=tuple(designs.DESIGNS))
    parser.add_argument("--alone", action="store_true", help="no solved picture")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    pictures = Pictures(given.pictures, given.split)
    shots, rng = Browser(), np.random.default_rng(0)
    scenes = asked_for(given, pictures, shots)
    shots.close()
    kept = []
    with tempfile.TemporaryDirectory() as made, sync_playwright() as driver:
        folder = Path(made)
        with running(folder) as server:
            address = f"http://127.0.0.1:{server.port}/"
            for scene in scenes:
                is_alone = given.alone or scene.kind in designs.NUMBERS_ONLY
                reference = None if is_alone else scene.reference
                browser = _browser(driver, scene)
                context = browser.new_context(
                    locale="en-GB", reduced_motion="reduce", no_viewport=True
                )
                record = play_shared(context, address, scene, reference, folder, rng)
                browser.close()
                kept.append(record)
                print(json.dumps(record), flush=True)
    counts = Counter(record["outcome"] for record in kept)
    moves = sum(record["moves"] for record in kept)
    wrong = sum(record["wrong"] for record in kept)
    seconds = [record["seconds"] for record in kept if "seconds" in record]
    print(f"{len(kept)} games: {dict(counts)}")
    print(f"{moves} moves, {wrong} looks at which another position was shown")
    if seconds:
        print(f"median from click to page: {statistics.median(seconds):.2f} s")
    command.save(given.json, kept)


if __name__ == "__main__":
    main()
