"""Solutions as cubing.js plays them: a KPuzzle, a pattern and an algorithm, as JSON.

https://js.cubing.net has the format. Only the moves of the solution are defined: of
exchanges there are many.
"""

from __future__ import annotations

from typing import Any

from imgpuzzle.core.board import Board, TurnedBoard
from imgpuzzle.core.naming import column_name
from imgpuzzle.core.solution import Solution

ORBIT = "TILES"
TURNS = 4


def kpuzzle(solution: Solution) -> dict[str, Any]:
    """A solution of a puzzle without an empty cell.

    Args:
        solution: Its moves become ``MOVE_A``, ``MOVE_B`` ... in the order in which they
            come first. Equal tiles are one piece.

    Returns:
        The ``definition``, whose pattern is the goal; the ``pattern`` to start from;
        and the moves, ``alg``.
    """
    pieces: dict[int, int] = {}
    for cell, label in enumerate(solution.goal.cells):
        pieces.setdefault(label, cell)

    def pattern(board: Board) -> dict[str, Any]:
        cells = [pieces[label] for label in board.cells]
        turns = board.turns if isinstance(board, TurnedBoard) else [0] * len(cells)
        return {ORBIT: {"pieces": cells, "orientation": [*turns]}}

    turned = isinstance(solution.start, TurnedBoard)
    size, most = solution.start.shape.size, TURNS if turned else 1
    names: dict[int, str] = {}
    moves = {}
    for code, step in zip(solution.moves, solution.steps(), strict=True):
        name = names.setdefault(code, f"MOVE_{column_name(len(names) + 1)}")
        # For each cell from which one its tile comes, and how far that turns.
        permutation, delta = [*range(size)], [0] * size
        for motion in step.motions:
            permutation[motion.target] = motion.origin
            delta[motion.target] = motion.turn % TURNS
        moved = {"permutation": permutation, "orientationDelta": delta}
        moves[name] = {ORBIT: moved}
    orbit = {"orbitName": ORBIT, "numPieces": size, "numOrientations": most}
    return {
        "definition": {
            "name": f"{solution.metric}-{solution.start.shape}",
            "orbits": [orbit],
            "defaultPattern": pattern(solution.goal),
            "moves": moves,
        },
        "pattern": pattern(solution.start),
        "alg": " ".join(names[code] for code in solution.moves),
    }
