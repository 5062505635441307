"""A sliding puzzle in an X window, the stand-in for games of all manners.

    live_game.py --board "1 2 3 / 4 0 5 / 7 8 6" --by click

Each line on standard output is one thing that happened: ``board 1 2 3 / ...`` after a
move, ``drawn`` when that is on the screen,
``press X Y`` for a click and ``key NAME``, also where they do nothing, ``lost``
for a click that it passed over, ``won``. Standard input takes the same moves from a
test: ``slide CELL``, ``move LEFT TOP``, ``lose SHARE``, ``quit``.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import sys
import time

from PIL import Image, ImageDraw, ImageFont
from Xlib import XK, X, display

PAD, GAP = 24, 2


DARK, LIT = "#333333", "#365869"
"""The ground of tiles in a game that lights some of them."""


def tile_picture(label: int, side: int, ground: str | None = None) -> Image.Image:
    """A tile with a number, on a colour of its own or on a dark one."""
    shade = (90 + 37 * label) % 120
    plain = 90 + shade, 150, 230 - shade
    tile = Image.new("RGB", (side, side), plain if ground is None else ground)
    draw = ImageDraw.Draw(tile)
    draw.rectangle((0, 0, side - 1, side - 1), outline=(40, 60, 90), width=2)
    font = ImageFont.load_default(side * 0.5)
    ink = (10, 10, 20) if ground is None else (230, 230, 230)
    draw.text((side / 2, side / 2), str(label), ink, font, anchor="mm")
    return tile


class Game:
    """The window and the position."""

    def __init__(self, given: argparse.Namespace) -> None:
        rows = [[int(one) for one in row.split()] for row in given.board.split("/")]
        self.rows, self.cols = len(rows), len(rows[0])
        self.cells = [label for row in rows for label in row]
        self.given = given
        self.side = given.tile
        self.chance = random.Random(given.seed)
        self.display = display.Display()
        screen = self.display.screen()
        self.width = 2 * PAD + self.cols * (self.side + GAP) - GAP
        self.height = 2 * PAD + self.rows * (self.side + GAP) - GAP + given.shift
        self.down = 0
        self.window = screen.root.create_window(
            given.left,
            given.top,
            self.width,
            self.height,
            0,
            screen.root_depth,
            event_mask=X.ExposureMask
            | X.ButtonPressMask
            | X.ButtonReleaseMask
            | (X.PointerMotionMask if given.lit == "hovered" else 0)
            | X.KeyPressMask,
            background_pixel=0xE8E8E8,
        )
        self.window.set_wm_name(given.title)
        self.window.set_wm_normal_hints(
            flags=1 << 2, min_width=0, min_height=0, x=given.left, y=given.top
        )
        self.context = self.window.create_gc()
        self.tiles, self.lit_tiles = (
            {
                label: tile_picture(label, self.side, ground if given.lit else None)
                for label in self.cells
                if label
            }
            for ground in (DARK, LIT)
        )
        self.clicked = self.hovered = 0
        self.held: int | None = None
        self.window.map()
        self.display.flush()
        self.tell()

    def tell(self) -> None:
        rows = [
            " ".join(map(str, self.cells[at : at + self.cols]))
            for at in range(0, len(self.cells), self.cols)
        ]
        print("board", " / ".join(rows), flush=True)
        if self.cells == [*range(1, len(self.cells)), 0]:
            print("won", flush=True)

    def corner(self, cell: int) -> tuple[int, int]:
        row, col = divmod(cell, self.cols)
        left, top = PAD + col * (self.side + GAP), PAD + row * (self.side + GAP)
        return left, top + self.down

    def lit(self) -> set[int]:
        """The tiles that are lit."""
        blank, lit = self.cells.index(0), {self.clicked, self.hovered}
        if self.given.lit == "movable":
            for cell, label in enumerate(self.cells):
                (row, col), (y, x) = divmod(cell, self.cols), divmod(blank, self.cols)
                if abs(row - y) + abs(col - x) == 1:
                    lit.add(label)
        return lit

    def draw(self) -> None:
        picture = Image.new("RGB", (self.width, self.height), (232, 232, 232))
        lit = self.lit()
        for cell, label in enumerate(self.cells):
            if label:
                tiles = self.lit_tiles if label in lit else self.tiles
                picture.paste(tiles[label], self.corner(cell))
        self.window.put_pil_image(self.context, 0, 0, picture)
        self.display.sync()
        print("drawn", flush=True)

    def at(self, x: int, y: int) -> int | None:
        for cell in range(len(self.cells)):
            left, top = self.corner(cell)
            if left <= x < left + self.side and top <= y < top + self.side:
                return cell
        return None

    def slide(self, cell: int | None, *, far: bool = False) -> None:
        """Slide the tile of a cell; with ``far`` all between it and the blank, too."""
        blank = self.cells.index(0)
        if cell is None or cell == blank:
            return
        row, col = divmod(cell, self.cols)
        to_row, to_col = divmod(blank, self.cols)
        if row != to_row and col != to_col:
            return
        if abs(row - to_row) + abs(col - to_col) > 1 and not far:
            return
        step = self.cols if row != to_row else 1
        step = step if cell > blank else -step
        while blank != cell:
            self.cells[blank] = self.cells[blank + step]
            blank += step
        self.cells[cell] = 0
        # A page that shows something above its board once a game has begun.
        self.down = self.given.shift
        if self.given.closes and self.cells == [*range(1, len(self.cells)), 0]:
            # The board is not shown again, once it is won.
            self.window.destroy()
            self.display.sync()
            self.tell()
            sys.exit()
        self.draw()
        self.tell()

    def key(self, name: str) -> None:
        moves = {"Left": (0, -1), "Right": (0, 1), "Up": (-1, 0), "Down": (1, 0)}
        print("key", name, flush=True)
        if name not in moves or self.given.by not in ("keys", "blank-keys"):
            return
        down, right = moves[name]
        sign = -1 if self.given.by == "keys" else 1
        row, col = divmod(self.cells.index(0), self.cols)
        row, col = row + sign * down, col + sign * right
        if 0 <= row < self.rows and 0 <= col < self.cols:
            self.slide(row * self.cols + col)

    def happened(self, event: object) -> None:
        kind = event.type
        if kind == X.Expose:
            self.draw()
        elif kind == X.KeyPress:
            symbol = self.display.keycode_to_keysym(event.detail, 0)
            self.key(
                XK.keysym_to_string(symbol)
                or {
                    XK.XK_Left: "Left",
                    XK.XK_Right: "Right",
                    XK.XK_Up: "Up",
                    XK.XK_Down: "Down",
                }.get(symbol, str(symbol))
            )
        elif kind == X.MotionNotify:
            self.hover(self.at(event.event_x, event.event_y))
        elif kind == X.ButtonPress:
            print("press", event.event_x, event.event_y - self.down, flush=True)
            self.held = self.at(event.event_x, event.event_y)
            if self.given.lit == "clicked" and self.held is not None:
                self.clicked = self.cells[self.held]
            if self.chance.random() < self.given.lost:
                print("lost", flush=True)
                self.held = None
            elif self.given.by in ("click", "line"):
                self.slide(self.held, far=self.given.by == "line")
        elif kind == X.ButtonRelease and self.given.by in ("drag", "tap"):
            onto = self.at(event.event_x, event.event_y)
            if self.given.by == "tap" and onto is not None and onto == self.held:
                # A game that is still being set up hears its first click late.
                late, self.given.late = self.given.late, 0.0
                time.sleep(late)
                self.slide(self.held)
            elif onto is not None and self.cells[onto] == 0:
                self.slide(self.held if self.given.by == "drag" else None)

    def hover(self, cell: int | None) -> None:
        before, self.hovered = self.hovered, 0 if cell is None else self.cells[cell]
        if self.hovered != before:
            self.draw()

    def told(self, line: str) -> bool:
        word, *rest = line.split()
        if word == "slide":
            self.slide(int(rest[0]), far=True)
        elif word == "lose":
            self.given.lost = float(rest[0])
        elif word == "move":
            self.window.configure(x=int(rest[0]), y=int(rest[1]))
            self.display.flush()
        return word != "quit"

    def run(self) -> None:
        waiting = ""
        while True:
            while self.display.pending_events():
                self.happened(self.display.next_event())
            ready, _, _ = select.select([self.display, sys.stdin], [], [])
            if sys.stdin in ready:
                data = os.read(sys.stdin.fileno(), 4096).decode()
                if not data:
                    return
                waiting += data
                while "\n" in waiting:
                    line, _, waiting = waiting.partition("\n")
                    if line.strip() and not self.told(line):
                        return


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--board", default="1 2 3 / 4 0 5 / 7 8 6")
    parser.add_argument(
        "--by",
        default="click",
        choices=["click", "tap", "line", "drag", "keys", "blank-keys", "nothing"],
    )
    parser.add_argument("--title", default="Sliding Game")
    parser.add_argument("--tile", type=int, default=90)
    parser.add_argument("--left", type=int, default=120)
    parser.add_argument("--top", type=int, default=80)
    parser.add_argument("--lost", type=float, default=0.0)
    parser.add_argument("--late", type=float, default=0.0)
    parser.add_argument("--lit", choices=["clicked", "hovered", "movable"])
    parser.add_argument("--closes", action="store_true")
    parser.add_argument("--shift", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    Game(parser.parse_args()).run()


if __name__ == "__main__":
    main()
