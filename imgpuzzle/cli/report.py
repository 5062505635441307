"""The answers in words, for people: rows and columns are counted from 1 here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from imgpuzzle.cli.terminal import note, say
from imgpuzzle.naming import Naming

if TYPE_CHECKING:
    from imgpuzzle.board import Board, Shape
    from imgpuzzle.folder import Written
    from imgpuzzle.reading import Reading
    from imgpuzzle.solution import Solution

__all__ = [
    "counted",
    "length_words",
    "line",
    "place",
    "proof_words",
    "replaced_note",
    "say_alternatives",
    "say_boards",
    "say_files",
    "say_grid",
    "say_reading",
    "say_solution",
    "why_unsolvable",
]

LONG = 40
"""Above this many moves the list is set in columns."""

MANY_CHANGES = 6
"""More cells than these are counted, not listed."""

WIDE = 90
_PER_LINE = 5


def place(shape: Shape, cell: int) -> str:
    """``row 2, column 3``, counted from 1."""
    row, col = shape.row_col(cell)
    return f"row {row + 1}, column {col + 1}"


def line(label: str, text: str) -> None:
    """One line of the answer: a label and what it is."""
    say(f"{label:<10} {text}")


def why_unsolvable(reading: Reading) -> str | None:
    """Why the board that was read cannot be solved, or ``None``."""
    from imgpuzzle.solvability import why_unsolvable as why

    return why(*reading.interchangeable())


def say_grid(shape: Shape) -> None:
    """Rows and columns."""
    line("grid", f"{shape} ({shape.rows} rows, {shape.cols} columns)")


def say_boards(start: Board, goal: Board) -> None:
    """Start and goal beside each other, or one after the other when that is wide."""
    say()
    left = str(start).splitlines()
    right = str(goal).splitlines()
    width = max(len("start"), len(left[0])) + 4
    if width + len(right[0]) > WIDE:
        say("\n".join(["start", *left, "", "goal", *right, ""]))
        return
    say(f"  {'start':<{width}}goal")
    for one, other in zip(left, right, strict=True):
        say(f"  {one:<{width}}{other}")
    say()


def say_reading(reading: Reading) -> None:
    """What was found in the screenshot, and how sure that is."""
    shape, region = reading.shape, reading.region
    say_grid(shape)
    line(
        "region",
        f"left {region.left}, top {region.top}, "
        f"{region.width} x {region.height} px ({region})",
    )
    sure = "certain" if reading.certain else "DOUBTFUL"
    line("method", _HOW[reading.method])
    line("reading", f"{sure}, confidence {reading.confidence:.0%}")
    line(
        "blank",
        f"{place(shape, reading.board.blank)}; at home in "
        f"{place(shape, reading.goal.blank)} (counted from 1)",
    )
    if len(reading.doubtful) > MANY_CHANGES:
        line("doubtful", f"{len(reading.doubtful)} of {shape.size} cells")
    else:
        for cell in reading.doubtful:
            line("doubtful", place(shape, cell))
    for cells in reading.identical:
        places = "; ".join(place(shape, cell) for cell in cells)
        line("identical", f"{places}: taken as interchangeable (--distinct: not)")
    for remark in reading.notes:
        line("note", remark)


_HOW = {
    "reference": "compared with the reference",
    "thumbnail": "compared with a picture of the goal in the screenshot",
    "digits": "the numbers on the tiles",
    "reassembly": "pieced together by the tiles' edges",
}


def say_alternatives(reading: Reading) -> None:
    """What else the tiles may be, the likeliest first."""
    for number, other in enumerate(reading.alternatives, start=1):
        changes = [
            f"{place(reading.shape, cell)} ({theirs or 'blank'}, not {mine or 'blank'})"
            for cell, (mine, theirs) in enumerate(
                zip(reading.board.cells, other.board.cells, strict=True)
            )
            if mine != theirs
        ]
        told = "; ".join(changes)
        if len(changes) > MANY_CHANGES:
            told = f"{len(changes)} of {reading.shape.size} cells"
        words = f"differs at {told}" if changes else "another home of the blank"
        line(f"or {number}.", f"confidence {other.confidence:.0%}; {words}")


def length_words(solution: Solution) -> str:
    """``20 moves (16 slides)``, what counts in the solution's metric first.

    Only one of them when both are the same number.
    """
    moves = counted(solution.move_count, "move")
    slides = counted(solution.slide_count, "slide")
    if solution.metric == "slide":
        first, second = slides, counted(solution.move_count, "single move")
    else:
        first, second = moves, slides
    if solution.slide_count == solution.move_count:
        return first
    return f"{first} ({second})"


def proof_words(solution: Solution) -> str:
    """``proven shortest``, or how much is proven."""
    if solution.is_optimal:
        return "proven shortest"
    return f"not proven shortest: at least {solution.lower_bound} are needed"


def say_solution(solution: Solution, naming: Naming) -> None:
    """The number of moves, what is proven of it, and the moves."""
    count = solution.move_count
    if count == 0:
        line("solution", "0 moves: the board is already solved")
        return
    line("solution", f"{length_words(solution)}, {proof_words(solution)}")
    method = f"{solution.method}, " if solution.method else ""
    line(
        "search",
        f"{method}{solution.nodes:,} positions, {solution.seconds:.2f} s",
    )
    if not solution.is_searched:
        note(
            "no time was left to search: this solution was put together tile by tile; "
            "pass --time-limit with more seconds for a much shorter one"
        )
    letters = solution.letters
    for start in range(0, len(letters), 60):
        group = " ".join(
            letters[place : place + 10]
            for place in range(start, min(start + 60, len(letters)), 10)
        )
        line("letters" if start == 0 else "", group)
    say()
    if solution.metric == "slide" and solution.length <= LONG:
        digits = len(str(solution.length))
        for number, steps in enumerate(solution.slides(), start=1):
            say(f"  {number:{digits}}. {naming.slide(steps)}")
        return
    digits = len(str(count))
    if count <= LONG:
        for step in solution.steps():
            say(f"  {step.number:{digits}}. {naming.move(step)}")
        return
    say("  step, tile and its direction:")
    width = digits + len(str(max(solution.start.cells))) + len(".  right") + 3
    cells = [
        f"{step.number:{digits}}. {step.tile} {step.direction.word}"
        for step in solution.steps()
    ]
    for start in range(0, len(cells), _PER_LINE):
        row = "".join(f"{cell:<{width}}" for cell in cells[start : start + _PER_LINE])
        say(f"  {row.rstrip()}")


def say_files(written: Written) -> None:
    """Where the files are."""
    steps = [file.name for file in written.files if file.name.startswith("step_")]
    others = [file.name for file in written.files if file.name not in steps]
    say()
    line("files", f"{written.folder}/")
    line("", f"{steps[0]} ... {steps[-1]}" if len(steps) > 1 else steps[0])
    line("", ", ".join(others))


def replaced_note(written: Written, asked: Path, *, default: bool) -> str | None:
    """What has to be said of files that were there before, or ``None``."""
    if default:
        if written.folder == asked:
            return None
        return f"{asked} exists already: wrote to {written.folder} instead"
    told = []
    if written.replaced:
        told.append(f"replaced {_files(written.replaced)}")
    if written.removed:
        told.append(f"removed {_files(written.removed)} of an earlier run")
    return f"{' and '.join(told)} in {written.folder}" if told else None


def counted(count: int, unit: str) -> str:
    """``1 move``, ``1,200 moves``."""
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def _files(count: int) -> str:
    return counted(count, "file")
