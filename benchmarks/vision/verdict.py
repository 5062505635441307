"""What a reading of a scene is worth: the words that all commands count in."""

from __future__ import annotations

from benchmarks.scenes.scene import Scene
from imgpuzzle.core.reading import Reading

VERDICTS = ("right", "doubted right", "doubted wrong", "refused", "SILENTLY WRONG")
"""Certain and right; in doubt, right or not; nothing read; certain and not right."""


def is_right(scene: Scene, reading: Reading) -> bool:
    """Whether a reading shows the scene's board, up to tiles that look the same."""
    if scene.board is None or scene.goal is None or reading.shape != scene.board.shape:
        return False
    looks = {cell: group[0] for group in reading.identical for cell in group}
    shown = []
    for board, goal in ((scene.board, scene.goal), (reading.board, reading.goal)):
        homes = [goal.cells.index(label) for label in board.cells]
        laid = {home: looks.get(cell, cell) for cell, home in enumerate(homes)}
        blanks = [one.blank if one.has_blank else None for one in (board, goal)]
        shown.append((*blanks, laid))
    return shown[0] == shown[1]


def verdict(reading: Reading, right: bool, *, must_doubt: bool = False) -> str:
    """One of ``VERDICTS``; what must be doubted is never right when it is certain."""
    if not reading.certain:
        return "doubted right" if right else "doubted wrong"
    return "right" if right and not must_doubt else "SILENTLY WRONG"
