"""What a reading of a scene is worth: the words that all commands count in."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.scenes.scene import Image, Scene
from imgpuzzle.core.reading import Reading
from imgpuzzle.errors import PuzzleError
from imgpuzzle.vision.read import read_puzzle

VERDICTS = ("right", "doubted right", "doubted wrong", "refused", "SILENTLY WRONG")
"""Certain and right; in doubt, right or not; nothing read; certain and not right."""


def is_right(scene: Scene, reading: Reading) -> bool:
    """Whether a reading shows the scene's board, up to tiles that look the same."""
    if scene.board is None or scene.goal is None or reading.shape != scene.board.shape:
        return False
    if reading.board.has_blank != scene.board.has_blank:
        return False
    looks = {cell: group[0] for group in reading.identical for cell in group}
    shown = []
    for board, goal in ((scene.board, scene.goal), (reading.board, reading.goal)):
        homes = [goal.cells.index(label) for label in board.cells]
        laid = {home: looks.get(cell, cell) for cell, home in enumerate(homes)}
        empty = (board.blank, goal.blank) if board.has_blank else None
        shown.append((empty, laid))
    return shown[0] == shown[1]


def verdict(reading: Reading, right: bool, *, must_doubt: bool = False) -> str:
    """One of ``VERDICTS``; what must be doubted is never right when it is certain."""
    if not reading.certain:
        return "doubted right" if right else "doubted wrong"
    return "right" if right and not must_doubt else "SILENTLY WRONG"


def attempt(
    scene: Scene,
    reference: Image | None = None,
    judge: Callable[[Scene, Reading], bool] = is_right,
) -> tuple[dict[str, Any], Reading | None]:
    """Read a scene: name, kind, verdict, CPU seconds and a remark; and the reading."""
    record: dict[str, Any] = {"name": scene.name, "kind": scene.kind}
    began = time.process_time()
    try:
        reading = read_puzzle(scene.screenshot, reference=reference)
    except PuzzleError as error:
        seconds = time.process_time() - began
        note = f"{type(error).__name__}: {error}"[:150]
        return record | {"verdict": "refused", "seconds": seconds, "note": note}, None
    seconds = time.process_time() - began
    right = judge(scene, reading)
    doubts = "; ".join(map(str, reading.doubts))
    return record | {
        "verdict": verdict(reading, right, must_doubt=scene.must_doubt),
        "seconds": seconds,
        "right": right,
        "note": f"{reading.method} {reading.shape} at {reading.region}; {doubts}",
    }, reading
