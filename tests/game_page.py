"""A small sliding puzzle as a page, for what watches games in a browser."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from web_reading_support import REFERENCE

MOVES = (5, 4, 1, 0, 3)
"""Cells whose tiles were moved from the solved board on, one after the other.

The game is read, and asked about, without the solved picture, too.
"""

MIXED = (4, 0, 2, 3, 8, 1, 7, 6, 5)
"""All nine tiles, five exchanges from their places."""

SIDE_PX = 120

IN_ORDER = "places.every((tile, cell) => tile === cell)"
"""Whether the game is solved, in its own words."""


def cells_at(
    points: Iterable[tuple[float, float]], left: float, top: float
) -> list[int]:
    """The cell in which each point of a page lies; the game begins at ``left, top``."""
    return [
        3 * int((y - top) // SIDE_PX) + int((x - left) // SIDE_PX) for x, y in points
    ]


def game_page(title: str, moves: tuple[int, ...] = MOVES) -> str:
    """A picture of 3x3 tiles; ``move(cell)`` and ``movable()`` are its functions."""
    picture = base64.b64encode(REFERENCE.read_bytes()).decode()
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ background: #dfe7ee; font: 20px sans-serif; }}
#game {{ position: relative; width: {3 * SIDE_PX}px; height: {3 * SIDE_PX}px;
  margin: 40px; background: #333; }}
.piece {{ position: absolute; width: {SIDE_PX}px; height: {SIDE_PX}px;
  background: url(data:image/png;base64,{picture}) 0 0 / {3 * SIDE_PX}px; }}
</style>
<h1>A game</h1><div id="game"></div>
<script>
const places = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const pieces = places.slice(0, 8).map((tile) => {{
  const piece = document.createElement("div");
  piece.className = "piece";
  piece.style.backgroundPosition =
    `-${{tile % 3 * {SIDE_PX}}}px -${{Math.floor(tile / 3) * {SIDE_PX}}}px`;
  piece.onclick = () => move(places.indexOf(tile));
  document.getElementById("game").append(piece);
  return piece;
}});
function movable() {{
  const [row, col] = [Math.floor(places.indexOf(8) / 3), places.indexOf(8) % 3];
  return places.map((_, cell) => cell).filter(
    (cell) => Math.abs(Math.floor(cell / 3) - row) + Math.abs(cell % 3 - col) === 1);
}}
function move(cell) {{
  if (!movable().includes(cell)) return;
  const blank = places.indexOf(8);
  [places[blank], places[cell]] = [places[cell], 8];
  draw();
}}
function draw() {{
  places.forEach((tile, cell) => {{
    if (tile === 8) return;
    pieces[tile].style.left = `${{cell % 3 * {SIDE_PX}}}px`;
    pieces[tile].style.top = `${{Math.floor(cell / 3) * {SIDE_PX}}}px`;
  }});
}}
for (const cell of {list(moves)}) move(cell);
draw();
</script></html>
"""


def full_page(title: str, places: tuple[int, ...]) -> str:
    """The same with all nine tiles, as they lie; ``swap(one, other)`` exchanges two."""
    html = game_page(title, ()).replace("places.slice(0, 8)", "places")
    html = html.replace("if (tile === 8) return;", "")
    begun = f"""
places.splice(0, 9, {", ".join(map(str, places))});
function swap(one, other) {{
  [places[one], places[other]] = [places[other], places[one]];
  draw();
}}
draw();"""
    return html.replace("\ndraw();", begun)


def columns_page(title: str) -> str:
    """Numbers, which have to run down the columns: the usual goal cannot be reached."""
    html = game_page(title)
    look = "background: #2b4c9b; color: #fff; font: bold "
    look += f"{SIDE_PX // 2}px/{SIDE_PX}px sans-serif;"
    look += " text-align: center; outline: 2px solid #111; outline-offset: -2px;"
    begin = html.index("  background: url(")
    html = html[:begin] + look + html[html.index(" }", begin) :]
    named = "piece.textContent = tile % 3 * 3 + Math.floor(tile / 3) + 1;"
    return html.replace(
        'piece.className = "piece";', f'piece.className = "piece"; {named}'
    )


TURNED = (1, 0, 2, 3, 1, 0, 0, 2, 3)
"""By how many quarters each tile of such a game lies turned."""

UPRIGHT = "turns.every((turn) => turn % 4 === 0)"
"""Whether that game is solved, in its own words."""


def turned_page(title: str) -> str:
    """The same in order but for the turns; a click turns a tile clockwise."""
    html = full_page(title, tuple(range(9)))
    turning = f"""
const turns = {list(TURNED)};
function turn(tile, quarters) {{
  turns[tile] += quarters;
  pieces[tile].style.rotate = turns[tile] * 90 + "deg";
}}
pieces.forEach((piece, tile) => {{
  piece.onclick = () => turn(tile, 1);
  turn(tile, 0);
}});
</script></html>"""
    return html.replace("\n</script></html>", turning)


def next_cell(page: Any) -> int:
    """The cell of the tile that the page of ``imgpuzzle web`` marks."""
    cell: int = page.evaluate(
        """() => {
            const board = document.getElementById("board").getBoundingClientRect();
            const box = document.querySelector(".tile.next").getBoundingClientRect();
            const at = (from, side) => Math.floor((3 * from) / side);
            return at(box.x + box.width / 2 - board.x, board.width)
                + 3 * at(box.y + box.height / 2 - board.y, board.height);
        }"""
    )
    return cell
