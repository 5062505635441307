"""Small drawings of what a move of each kind of puzzle does, for the page.

``python scripts/kind_drawings.py`` writes them into the package: the server shows them
without the libraries that draw.
"""

from __future__ import annotations

import json
from pathlib import Path

from imgpuzzle.core.board import Shape
from imgpuzzle.core.moves import Move
from imgpuzzle.puzzles.kind import KINDS, Kind, kind_of
from imgpuzzle.render.shown import Sizes, look_of

KEPT = Path(__file__).parents[1] / "imgpuzzle" / "data" / "kinds.json"

MOST_DRAWN = 2
"""Moves that a small picture of a kind shows: more are on each other's tiles."""


def drawings() -> dict[str, str]:
    """As SVG, by the names of the kinds."""
    return {name: drawing(kind_of(name)) for name in KINDS}


def drawing(kind: Kind) -> str:
    """A small picture of what moves of a kind do, as SVG, on 3x3 tiles.

    One move of a sign, two at most, and of those what reaches farthest: of exchanges
    that of two corners.
    """
    board, pitch, edge = Shape(3, 3), 112, 16
    start = kind.layout(board, "row", None)
    moves = [kind.move(1, start, code) for code, _after in kind.moves(start)]
    moves.sort(key=lambda move: (move.cost, -_reach(move)))
    arrows: dict[str, str] = {}
    marked, tilted = set[int](), set[int]()
    for move in moves:
        cells = {motion.origin for motion in move.motions}
        if move.cost == 1 and move.sign not in arrows and not cells & marked:
            arrow = look_of(move, Sizes(board, 100, 100, pitch - 100))
            row, col = board.row_col(arrow.cell)
            where = f"translate({pitch * col} {pitch * row}) rotate({arrow.turn} 50 50)"
            arrows[move.sign] = f'<path d="{arrow.path}" transform="{where}"/>'
            marked |= cells
            if len(cells) > 1:
                tilted |= {one.origin for one in move.motions if one.turn}
            if len(arrows) == MOST_DRAWN:
                break
    tiles = []
    for cell in range(board.size):
        row, col = board.row_col(cell)
        fill = "#ffb000" if cell in marked else "currentColor"
        at = f'x="{pitch * col}" y="{pitch * row}" fill="{fill}"'
        tiles.append(f'<rect {at} width="100" height="100" rx="12"/>')
        if cell in tilted:
            # The side that was the upper one goes along.
            x, y = pitch * col, pitch * row
            tiles.append(f'<path d="M{x + 30} {y + 28}h40l-20 -20z" fill="{fill}"/>')
    box = f"{-edge} {-edge} {pitch * 3 + edge} {pitch * 3 + edge}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" aria-hidden="true">'
        f'<g fill-opacity="0.25">{"".join(tiles)}</g>'
        '<g fill="#ffb000" stroke="#101014" stroke-width="6" stroke-linejoin="round" '
        'paint-order="stroke">'
        f"{''.join(arrows.values())}</g></svg>"
    )


def _reach(move: Move) -> int:
    """How far the tile goes that goes farthest."""
    pairs = (map(move.shape.row_col, motion[1:3]) for motion in move.motions)
    return max(abs(low - top) + abs(to - at) for (top, at), (low, to) in pairs)


if __name__ == "__main__":
    KEPT.write_text(json.dumps(drawings(), indent=1) + "\n")
