"""``imgpuzzle solve``: from a screenshot or a board to the guide."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imgpuzzle.cli import options, report, source, speech, values
from imgpuzzle.cli.searching import limits_options, metric_option, reachable, searching
from imgpuzzle.cli.terminal import say_json
from imgpuzzle.cli.writing import check_outputs, guide_options, write_guide
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.options import SaveOptions, SearchOptions
from imgpuzzle.errors import LimitReachedError, UnsolvableError, UsageError
from imgpuzzle.messages import UsageFault

if TYPE_CHECKING:
    from imgpuzzle.core.board import Board
    from imgpuzzle.core.reading import Reading
    from imgpuzzle.files.image import Image
    from imgpuzzle.guide import Guide


def _algorithms() -> tuple[str, ...]:
    from imgpuzzle.solver.search import ALGORITHMS

    return "auto", *ALGORITHMS


def _heuristics() -> tuple[str, ...]:
    from imgpuzzle.solver.classic.heuristics import HEURISTICS

    return "auto", *HEURISTICS


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is to be solved, from wherever it came."""

    start: Board
    goal: Board
    reading: Reading | None = None
    screenshot: Image | None = None


@click.command("solve", cls=options.PuzzleCommand)
@options.puzzle_options
@options.path_option(
    "--image", "PICTURE", "Draw the guide with this picture, cut up along the goal."
)
@click.option(
    "--algorithm",
    type=values.NamesType(_algorithms),
    default="auto",
    show_default=False,
    help="How to search; the default chooses.",
)
@click.option(
    "--heuristic",
    type=values.NamesType(_heuristics, joined="+"),
    default="auto",
    show_default=False,
    help="What guides the search; several are joined with +. The default chooses.",
)
@metric_option
@options.kind_option
@options.flag_option(
    "--stages",
    "A solution to follow and to learn from: line after line, each stage "
    "explained, and how many moves the shortest one has.",
)
@limits_options
@click.option(
    "--tables",
    type=values.NamesType(["default", "large"]),
    default="default",
    help="Tables that speed up the search: large ones take 200 to 400 MB, are built "
    "once in some ten seconds, and help with the hardest 4x4 boards.",
)
@guide_options
@options.json_option
def command(given: options.Given) -> None:
    """Solve PUZZLE: a screenshot, a board, or - for standard input.

    A board is text such as "1 2 3 / 4 0 5 / 7 8 6", or a file that holds such
    numbers, row by row, 0 for the blank; after an empty line or a line "goal:" it
    may hold the goal. Without a goal it is the ascending order, with the blank
    where a number is missing, or last.
    """
    from imgpuzzle.solver.search import check_names

    check_names(given.of(SearchOptions))
    opened, text = source.opened_puzzle(given, given.image, none=UsageFault.NO_PUZZLE)
    folder = Path(opened.folder) / "solution"
    inputs = given.puzzle, given.reference, given.image, given.goal
    check_outputs(given, folder, *inputs, given.annotate, given.assembled)
    if text is not None:
        task = _task_from_text(given, text)
    else:
        task = _task_from_screenshot(given, opened)
    guide = _search(given, task)
    if not given.as_json:
        naming = Naming(
            speech.language(),
            numbers=given.numbers or guide.numbered,
            letters=given.coordinates == "letters",
        )
        report.say_solution(guide.solution, naming)
    files = write_guide(guide, given, folder, quiet=given.as_json)
    if given.as_json:
        _say_record(task, guide.to_dict(files))


def _task_from_text(given: options.Given, text: str) -> _Problem:
    if given.of(SaveOptions).shows_screenshot:
        option = "--in-screenshot" if given.in_screenshot else "--crop"
        raise UsageError.said(UsageFault.NEEDS_SCREENSHOT, option=option)
    task = _Problem(*source.boards_from_text(given, text, has_image=True))
    if not given.as_json and task.start.shape == task.goal.shape:
        report.say_grid(task.start.shape)
        report.say_boards(task.start, task.goal)
    return task


def _task_from_screenshot(given: options.Given, opened: source.Opened) -> _Problem:
    from imgpuzzle.core.reading import UncertainReadingError
    from imgpuzzle.pipeline import require_usable

    reading = source.read_screenshot(given, opened)
    start, goal = reading.interchangeable()
    if not given.as_json:
        report.line(speech.gettext("screenshot"), opened.name)
        report.say_reading(reading)
        report.say_boards(start, goal)
    try:
        require_usable(reading, given.kind, trust=given.trust)
    except UncertainReadingError:
        if given.as_json:
            _say_unsolved(given, _Problem(start, goal, reading))
        else:
            report.say_alternatives(reading)
        raise
    # Decoded once more only for those who want to see all of it.
    shot = opened.picture() if given.of(SaveOptions).shows_screenshot else None
    return _Problem(start, goal, reading, shot)


def _search(given: options.Given, task: _Problem) -> Guide:
    from imgpuzzle.pipeline import solve_board, solve_reading

    began = time.perf_counter()
    try:
        with searching(given, task.start, task.reading) as how:
            how = replace(how, large_tables=given.tables == "large")
            if task.reading is None:
                return solve_board(task.start, task.goal, how, picture=given.image)
            return solve_reading(
                task.reading,
                options=how,
                picture=given.image,
                screenshot=task.screenshot,
            )
    except UnsolvableError:
        _say_unsolved(given, task, is_counted=True)
        raise
    except LimitReachedError as error:
        if given.as_json:
            _say_unsolved(
                given,
                task,
                nodes=error.nodes,
                seconds=time.perf_counter() - began,
                lower_bound=error.lower_bound,
            )
        raise


def _say_unsolved(
    given: options.Given, task: _Problem, *, is_counted: bool = False, **found: Any
) -> None:
    """The object of a task without a solution, and what was found all the same."""
    from imgpuzzle.guide import result_dict

    known = {"reading": task.reading, "metric": given.metric, **found}
    record = result_dict(task.start, task.goal, **known)
    _say_record(task, record, is_counted=is_counted)


def _say_record(
    task: _Problem, record: dict[str, Any], *, is_counted: bool = False
) -> None:
    goals = reachable(task.start, task.reading, is_counted=is_counted)
    say_json({**record, "reachable_goals": [one.to_dict() for one in goals]})
