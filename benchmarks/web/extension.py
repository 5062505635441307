"""Games in a tab that the extension helps with, played to the end as it marks.

    python -m benchmarks extension --pictures DIR --extension FOLDER [--split tune]
        [--count 1] [--designs NAME ...] [--keep FOLDER]

Needs playwright and Debian's Chromium. Each design of ``scenes/browser`` is a game on a
site of its own, and the button of the extension is pressed in its tab. A player clicks
the tile that is marked, now and then another one; no mark may lie on a tile that cannot
be moved. Now and then the numbers are asked for and compared with the game's own. What
is asked about is taken as it was read where it is right; else, and where no board is
found, the solved picture is given.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shutil
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import command
from benchmarks.scenes.browser import designs
from benchmarks.scenes.browser.play import Browser, PlayedScene, make_scene
from benchmarks.scenes.browser.playable import WON, game_html
from benchmarks.scenes.pictures import Pictures
from imgpuzzle.core.board import Shape
from imgpuzzle.files.image import save_image

OWN_MOVE, NUMBERS = 0.1, 0.1
"""How often the player makes another move, and asks for the numbers."""
BEGIN_SECONDS, MOVE_SECONDS, GAME_SECONDS = 120.0, 60.0, 900.0
POLL_MS = 40


class Panel:
    """What the extension shows in a tab, where no script of the page can look."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._devtools = page.context.new_cdp_session(page)
        self._nodes: list[dict[str, Any]] = []

    def look(self) -> None:
        """Take what is shown now for the questions that follow."""
        self._nodes = []
        # Only the children of the root: what the page holds may be large.
        root = self._devtools.send("DOM.getDocument", {"depth": 2})["root"]
        html = next(one for one in root["children"] if one["nodeName"] == "HTML")
        for child in html.get("children", ()):
            if child["nodeName"] == "DIV":
                asked = {"nodeId": child["nodeId"], "depth": -1, "pierce": True}
                self._keep(self._devtools.send("DOM.describeNode", asked)["node"])

    def _keep(self, node: dict[str, Any]) -> None:
        self._nodes.append(node)
        for child in (*node.get("children", ()), *node.get("shadowRoots", ())):
            self._keep(child)

    @property
    def words(self) -> str:
        """The line of the panel."""
        for node in self._nodes:
            if node["nodeName"] == "P":
                return "".join(one["nodeValue"] for one in node.get("children", ()))
        return ""

    @property
    def numbers(self) -> list[tuple[float, float, int]]:
        """The numbers over the board with their places, CSS px."""
        found = []
        for node in self._nodes:
            if node["nodeName"] == "text":
                kept = _attributes(node)
                value = node["children"][0]["nodeValue"]
                if value.isdigit():  # else how often a tile is turned
                    found.append((float(kept["x"]), float(kept["y"]), int(value)))
        return found

    @property
    def mark(self) -> tuple[float, float] | None:
        """The middle of the tile that is marked, CSS px: of several the last."""
        return next(iter(self.marks[::-1]), None)

    @property
    def marks(self) -> list[tuple[float, float]]:
        """The middles of all tiles that are marked."""
        outlines = [
            {name: float(kept[name]) for name in ("x", "y", "width", "height")}
            for node in self._nodes
            if node["nodeName"] == "rect"
            for kept in [_attributes(node)]
            if kept.get("opacity") == "1"
        ]
        middles = (
            (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            for box in outlines
        )
        return [*dict.fromkeys(middles)]

    def press(self, text: str) -> bool:
        """Click a button, if it is there."""
        for node in self._nodes:
            children = node.get("children", ())
            is_button = node["nodeName"] == "BUTTON"
            if is_button and text in (children[0]["nodeValue"], _title(node)):
                asked = {"backendNodeId": node["backendNodeId"]}
                try:
                    model = self._devtools.send("DOM.getBoxModel", asked)["model"]
                except Exception:  # playwright's own: a button that is not drawn
                    return False
                box = model["content"]
                middle = (box[0] + box[4]) / 2, (box[1] + box[5]) / 2
                self._page.mouse.click(*middle)
                return True
        return False


def _title(node: dict[str, Any]) -> str:
    return _attributes(node).get("title", "")


def _attributes(node: dict[str, Any]) -> dict[str, str]:
    given = node["attributes"]
    return dict(zip(given[::2], given[1::2], strict=True))


def play_helped(
    context: Any, site: tuple[str, Path], scene: PlayedScene, rng: Any
) -> dict[str, Any]:
    """Open the game, press the extension's button, and play to the end."""
    address, folder = site
    folder.joinpath("index.html").write_text(game_html(scene, "A game"), "utf-8")
    game = context.new_page()
    game.goto(address)
    game.wait_for_function("document.documentElement.dataset.ready === 'yes'")
    _fit(game, scene)
    press_button(context, address)
    game.bring_to_front()
    kept: dict[str, Any] = {"name": scene.name, "moves": 0, "own": 0, "wrong": 0}
    try:
        return {**kept, **_Helped(game, scene, folder, rng, kept).play()}
    finally:
        if KEEP:
            game.screenshot(path=KEEP[0] / f"{scene.name}.png")
        game.close()


def _fit(page: Any, scene: PlayedScene) -> None:
    """Give the browser's window the size in which the page has the scene's."""
    height, width = scene.screenshot.shape[:2]
    devtools = page.context.new_cdp_session(page)
    window = devtools.send("Browser.getWindowForTarget")["windowId"]
    bounds = {"width": width, "height": height}
    for _ in range(2):
        asked = {"windowId": window, "bounds": bounds}
        devtools.send("Browser.setWindowBounds", asked)
        page.wait_for_timeout(300)
        inner = page.evaluate("[innerWidth, innerHeight]")
        bounds = {
            "width": bounds["width"] + width - inner[0],
            "height": bounds["height"] + height - inner[1],
        }


KEEP: list[Path] = []


class _Helped:
    """One game, and what was seen of the extension in it."""

    def __init__(
        self,
        game: Any,
        scene: PlayedScene,
        folder: Path,
        rng: Any,
        kept: dict[str, Any],
    ) -> None:
        assert scene.board is not None
        self._game, self._rng, self._kept = game, rng, kept
        self._shape: Shape = scene.board.shape
        self._box = scene.box or (0, 0, 1, 1)
        self._panel = Panel(game)
        self._picture: Path | None = None
        if scene.reference is not None and scene.kind not in designs.NUMBERS_ONLY:
            self._picture = folder / "picture.png"
            save_image(scene.reference, self._picture)
        self._waits: list[float] = []

    def play(self) -> dict[str, Any]:
        """What came of it."""
        outcome = self._begin() or self._moves()
        if self._waits:
            self._kept["seconds"] = statistics.median(self._waits)
        return {**self._kept, "outcome": outcome}

    def _cells(self) -> tuple[int, ...]:
        return tuple(self._game.evaluate("cells"))

    def _cell(self, x: float, y: float) -> int:
        left, top, width, height = self._box
        col = int((x - left) * self._shape.cols / width)
        row = int((y - top) * self._shape.rows / height)
        return row * self._shape.cols + col

    def _shown(self) -> tuple[int, ...]:
        """The board that the numbers over it say."""
        found = [0] * self._shape.size
        for x, y, label in self._panel.numbers:
            cell = self._cell(x, y)
            if 0 <= cell < self._shape.size:
                found[cell] = label
        return tuple(found)

    def _is_right(self) -> bool:
        """Whether they are the game's own; tiles that look the same may share one."""
        shown = self._shown()
        pairs = zip(shown, self._cells(), strict=True)
        return all(
            one == true or (one and true and shown.count(one) > 1)
            for one, true in pairs
        )

    def _begin(self) -> str:
        """Until the first tile is marked; why it never is."""
        ends = time.monotonic() + BEGIN_SECONDS
        while time.monotonic() < ends:
            self._game.wait_for_timeout(POLL_MS)
            self._panel.look()
            words = self._panel.words
            if self._panel.mark is not None:
                return ""
            if words.endswith("Are these numbers right?"):
                if self._is_right():
                    self._kept["doubted"] = words
                    self._panel.press("They are right")
                elif not self._give_picture():
                    return "read wrong, and doubted"
            elif (
                words.startswith(("No sliding", "As it was", "The engine"))
                and not self._give_picture()
            ):
                return words
        return f"never began: {words}"

    def _give_picture(self) -> bool:
        """Give the solved picture, where there is one that was not given yet."""
        if self._picture is None or "given" in self._kept:
            return False
        with self._game.expect_file_chooser() as asked:
            assert self._panel.press("Solved picture …")
        asked.value.set_files(self._picture)
        self._kept["given"] = True
        before = self._panel.words
        while self._panel.words == before:
            self._game.wait_for_timeout(POLL_MS)
            self._panel.look()
        return True

    def _moves(self) -> str:
        ends = time.monotonic() + GAME_SECONDS
        before: int | None = None
        while not self._game.evaluate(WON):
            if time.monotonic() > ends:
                return "not in time"
            asked = time.monotonic()
            cell = self._marked(before)
            if cell is None:
                return f"no move was shown: {self._panel.words}"
            if before is not None:
                self._waits.append(time.monotonic() - asked)
            if self._rng.random() < NUMBERS and not self._are_numbers_right():
                return f"other numbers: {self._shown()} for {self._cells()}"
            before = cell
            if self._rng.random() < OWN_MOVE:
                cell = int(self._rng.choice(self._game.evaluate("movable()")))
                self._kept["own"] += 1
            self._kept["moves"] += 1
            self._game.mouse.click(*self._game.evaluate("middle", cell))
        return "won"

    def _marked(self, before: int | None) -> int | None:
        """The tile that is marked now, once that is another mark than before."""
        ends = time.monotonic() + MOVE_SECONDS
        last: int | None = None
        while time.monotonic() < ends:
            self._panel.look()
            mark = self._panel.mark
            cell = None if mark is None else self._cell(*mark)
            is_settled = re.match(r"Moves to go", self._panel.words)
            if cell is not None and is_settled and cell != before:
                if cell in self._game.evaluate("movable()"):
                    return cell
                self._kept["wrong"] += cell != last
                last = cell
            self._game.wait_for_timeout(POLL_MS)
        # After a move of the player's own the same tile may be next again.
        return before if cell in self._game.evaluate("movable()") else None

    def _are_numbers_right(self) -> bool:
        """Ask for the numbers, compare them, and go back."""
        self._kept["compared"] = self._kept.get("compared", 0) + 1
        self._panel.press("Numbers only")
        for _ in range(50):
            self._game.wait_for_timeout(POLL_MS)
            self._panel.look()
            if self._is_right():
                break
        else:
            return False
        self._panel.press("Show the next move")
        self._panel.look()
        return True


PRESS = """
chrome.runtime.onMessage.addListener(({ press }) => {
  if (press) chrome.tabs.query({ url: `${press}*` }).then(([tab]) => pressed(tab));
});
"""


def trial_copy(made: Path, folder: Path) -> Path:
    """A copy of an extension for a browser that nobody sits before.

    Whoever clicks its button lets it look at the tab. Nobody can click there from here,
    so this copy may look at all tabs, and has its button pressed by a message.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["host_permissions"] = ["<all_urls>"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with (folder / "background.js").open("a") as background:
        background.write(PRESS)
    return folder


def own_page(context: Any) -> Any:
    """A page of the extension that asks for nothing by itself."""
    if not context.service_workers:
        context.wait_for_event("serviceworker")
    own = context.service_workers[0].url.rpartition("/")[0]
    page = context.new_page()
    page.goto(f"{own}/manifest.json")
    return page


def press_button(context: Any, address: str) -> None:
    """Have the extension's button pressed in the tab with that address."""
    page = own_page(context)
    page.evaluate("(press) => { chrome.runtime.sendMessage({ press }); }", address)
    page.close()


@contextlib.contextmanager
def site(folder: Path, asked: list[str] | None = None) -> Iterator[str]:
    """The address of a site of its own that shows a folder.

    What it is asked for is added to ``asked``.
    """
    heard = [] if asked is None else asked

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *about: object) -> None:
            heard.append(self.path)

    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def extended(made: Path, folder: Path) -> Iterator[Any]:
    """Chromium with the extension that was made for it."""
    from playwright.sync_api import sync_playwright

    copy = trial_copy(made, folder / "extension")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    options = ("disable-extensions-except", "load-extension")
    with sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=program,
            ignore_default_args=["--disable-extensions"],
            args=["--no-sandbox", *(f"--{name}={copy}" for name in options)],
            locale="en-GB",
            # Of an emulated one the extension is given a part of the window.
            no_viewport=True,
        )
        yield context
        context.close()


def asked_for(
    given: argparse.Namespace, pictures: Pictures, shots: Browser
) -> list[PlayedScene]:
    """The games of a command line, in order."""
    return [
        make_scene(design, number, pictures, shots, None)
        for design in given.designs or designs.DESIGNS
        for number in range(given.first, given.first + given.count)
    ]


def main() -> None:
    parser = command.parser(__doc__)
    command.add_scenes(parser, count=1)
    parser.add_argument(
        "--extension", type=Path, required=True, help="as made for Chrome, unpacked"
    )
    parser.add_argument("--designs", nargs="+", choices=tuple(designs.DESIGNS))
    parser.add_argument("--keep", type=Path, help="folder for screenshots of the end")
    given = parser.parse_args()
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
        KEEP.append(given.keep)
    pictures = Pictures(given.pictures, given.split)
    shots, rng = Browser(), np.random.default_rng(0)
    scenes = asked_for(given, pictures, shots)
    shots.close()
    kept = []
    with contextlib.ExitStack() as used:
        folder = Path(used.enter_context(tempfile.TemporaryDirectory()))
        games = folder / "site"
        games.mkdir()
        address = used.enter_context(site(games))
        context = used.enter_context(extended(given.extension, folder))
        for scene in scenes:
            record = play_helped(context, (address, games), scene, rng)
            kept.append(record)
            print(json.dumps(record), flush=True)
    counts = Counter(record["outcome"] for record in kept)
    moves, wrong, own = (
        sum(record[name] for record in kept) for name in ("moves", "wrong", "own")
    )
    compared = sum(record.get("compared", 0) for record in kept)
    given_to = sum("given" in record for record in kept)
    print(f"{len(kept)} games: {dict(counts)}; {given_to} with the solved picture")
    print(
        f"{moves} moves, {own} of them the player's own, {wrong} marks on tiles that "
        f"cannot be moved; numbers compared {compared} times"
    )
    seconds = [record["seconds"] for record in kept if "seconds" in record]
    if seconds:
        print(f"median until the next mark: {statistics.median(seconds):.2f} s")
    command.save(given.json, kept)
