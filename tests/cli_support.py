"""What the tests of the command line and the pipeline share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner, Result

from imgpuzzle import goals
from imgpuzzle.cli import main, speech
from imgpuzzle.core.board import Board
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.files.image import save_image
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.spec import fields_of

TWO_MOVES = "1 2 3 / 4 0 5 / 7 8 6"
UNSOLVABLE = "1 2 3 / 4 5 6 / 8 7 0"
SAMPLES = Path(__file__).parents[1] / "sample_images"

READ_KEYS = [
    *("grid", "region", "corners", "board", "goal", "method"),
    *("certain", "confidence", "margin", "cell_confidence", "doubtful", "doubts"),
    *("doubt_codes", "alternatives", "identical", "notes", "note_codes", "solvable"),
    "blank",
]
SOLVE_KEYS = [
    *(
        "reading",
        "start",
        "goal",
        "moves",
        "slides",
        "move_count",
        "slide_count",
        "metric",
    ),
    "lower_bound",
    *("optimal", "searched", "nodes", "seconds", "files", "reachable_goals"),
]
STEPS = ["step_01.png", "step_02.png", "step_03.png"]
FILES = [
    *("guide.html", "guide.md", "moves.txt", "overview.png", "solution.gif"),
    "solution.json",
]


def run(*args: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run the command in this process; unexpected exceptions fail the test."""
    result = CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)
    # The language is that of the process, and other tests are of it, too.
    speech.speak("en")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    return result


def solve_json(*args: str | Path, stdin: str | None = None) -> dict[str, Any]:
    """The object of a solve without files that ends well and says nothing else."""
    result = run("solve", *args, "--json", "--no-files", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return one_object(result)


def error_line(result: Result, code: int) -> str:
    """The one line of an error, after checking that it is one and the status."""
    assert result.exit_code == code, result.output
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("imgpuzzle: "), lines[0]
    return lines[0]


def one_object(result: Result) -> dict[str, Any]:
    """The one JSON object that standard output holds."""
    record = json.loads(result.stdout)
    assert isinstance(record, dict)
    assert result.stdout.isascii()
    return record


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def write_picture(path: Path, side: int = 90) -> Path:
    """A colourful picture file."""
    down, across = np.mgrid[0:side, 0:side]
    image = np.dstack([down * 2, across * 2, (down + across) % 256]).astype(np.uint8)
    save_image(image, path)
    return path


def make_reading(
    board: str = TWO_MOVES, *, certain: bool = True, goal: str | None = None
) -> Reading:
    """A reading as vision returns it, of tiles that are 30 px squares."""
    start = Board.parse(board)
    home = goals.home_cells(start.shape, blank=start.shape.size - 1)
    tiles = tuple(
        np.full((30, 30, 3), 20 + 20 * label, np.uint8) for label in start.cells
    )
    return Reading(
        board=start,
        goal=home if goal is None else Board.parse(goal),
        region=Region(10, 20, 90, 90),
        method="reference",
        margin=0.8 if certain else 0.01,
        certain=certain,
        doubtful=() if certain else (1, 5),
        doubts=() if certain else (Message(Doubt.EQUAL_TILES),),
        tiles=tiles,
        confidence=1.0 if certain else 0.58,
    )


def fake_reader(outcome: Reading | Exception) -> Callable[..., Reading]:
    """A stand-in for ``read_puzzle``; ``.calls`` records all that it is told."""

    def read_puzzle(screenshot: Any, known: ReadOptions, **more: Any) -> Reading:
        told = {name: getattr(known, name) for name in fields_of(ReadOptions)}
        read_puzzle.calls.append({**told, **more})  # type: ignore[attr-defined]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    read_puzzle.calls = []  # type: ignore[attr-defined]
    return read_puzzle
