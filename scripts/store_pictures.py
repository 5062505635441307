"""Draw the pictures that stores of extensions show: 1280x800, beside a game of ours.

    python scripts/store_pictures.py EXTENSION

``EXTENSION`` is the folder for Chrome that ``static_site --extension`` has made. Needs
playwright and Debian's Chromium. The pictures go to ``.github/store``; the emblem in
them was drawn for this project (``sample_images/README.md``).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from game_page import MIXED, full_page, game_page  # noqa: E402

from benchmarks.web.extension import Panel, extended, press_button, site  # noqa: E402

OUT = ROOT / ".github" / "store"
SIZE = (1280, 800)
REFERENCE = ROOT / "sample_images" / "emblem_reference.png"
MOVES = (5, 4, 1, 0, 3, 6, 7, 4, 5, 2, 1, 4, 3, 6, 7, 8)
LOOK = """
html { height: 100%; background: linear-gradient(160deg, #16324f, #2a628f); }
body { margin: 0; padding: 36px 0 0 90px; background: none; color: #f4f1de; }
h1 { margin: 0; font-size: 34px; }
#game { zoom: 1.25; margin: 20px 0 0; border: 8px solid #0b1d2e; border-radius: 6px; }
</style>"""
PATIENCE = 600
"""Looks at what is said, five a second."""


class Shop:
    """A browser with the extension, beside a game at its address."""

    def __init__(self, context: Any, address: str, folder: Path) -> None:
        self.context, self.address, self.folder = context, address, folder

    def play(self, name: str, page: str, presses: list[tuple[str, str]]) -> None:
        """Press the extension's button beside a game; then, after words, its buttons.

        The last words are waited for, and what is shown then is kept.
        """
        html = page.replace("</style>", LOOK, 1)
        (self.folder / "index.html").write_text(html, "utf-8")
        game = self.context.new_page()
        game.set_viewport_size(dict(zip(("width", "height"), SIZE, strict=True)))
        game.goto(self.address)
        press_button(self.context, self.address)
        game.bring_to_front()
        panel = Panel(game)
        for words, press in presses:
            for _ in range(PATIENCE):
                game.wait_for_timeout(200)
                panel.look()
                if words in panel.words:
                    break
            else:
                raise SystemExit(f"it never said {words!r}, but {panel.words!r}")
            if press == "Solved picture …":
                with game.expect_file_chooser() as asked:
                    panel.press(press)
                asked.value.set_files(REFERENCE)
            elif press:
                panel.press(press)
        game.wait_for_timeout(600)
        game.screenshot(path=OUT / f"{name}.png")
        game.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("extension", type=Path)
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    sliding = game_page("The picture safe", MOVES).replace("A game", "The picture safe")
    full = full_page("Mixed tiles", MIXED).replace("A game", "Mixed tiles")
    right = ("right?", "They are right")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "site"
        folder.mkdir()
        with site(folder) as address, extended(given.extension, Path(name)) as context:
            shop = Shop(context, address, folder)
            shop.play("numbers", sliding, [("right?", "")])
            shop.play("next-move", sliding, [right, ("Moves to go", "")])
            kinds = "How do the tiles move?"
            asked = [(kinds, "Solved picture …"), ("Reading", ""), (kinds, "")]
            shop.play("kinds", full, asked)


if __name__ == "__main__":
    main()
