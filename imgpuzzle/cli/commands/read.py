"""``imgpuzzle read``: the board in a screenshot."""

from __future__ import annotations

import click

from imgpuzzle.cli import options, report, source, values
from imgpuzzle.cli.searching import reachable
from imgpuzzle.cli.terminal import say, say_json
from imgpuzzle.errors import InvalidImageError, PuzzleError
from imgpuzzle.puzzles.kind import kind_of
from imgpuzzle.vision.trail import Trail


@click.command("read", cls=options.PuzzleCommand)
@click.argument("screenshot", type=values.PathType())
@options.goal_options
@options.reading_options
@options.trust
@options.kind_option
@options.flag_option(
    "--explain",
    "Say which grids were looked at, what spoke for each, and which rule decided.",
)
@options.language_option
@options.json_option
def command(given: options.Given) -> None:
    """Read the board in SCREENSHOT (a picture file, or - for standard input).

    Without --reference the numbers on the tiles say where they belong, or a
    small picture of the goal in the screenshot, or the tiles' edges.

    A tile's number is its home cell counted from 1, row by row; 0 is the blank.
    A doubtful reading is printed all the same and ends with status 5, or with
    --trust as a certain one.
    """
    from imgpuzzle.pipeline import require_certain

    source.check_one_stdin(given.screenshot, given.goal)
    source.check_targets(given, given.screenshot, given.reference, given.goal)
    opened = source.open_source(given.screenshot)
    if opened.board() is not None:
        raise InvalidImageError.said(
            "expected a screenshot, found a board as text in {name!r}; imgpuzzle "
            "solve and imgpuzzle check take boards",
            name=opened.name,
        )
    trail = Trail() if given.explain else None
    try:
        reading = source.read_screenshot(given, opened, trail)
    except PuzzleError:
        if trail is not None:
            _explain(given, trail)
        raise
    if trail is not None and not given.as_json:
        _explain(given, trail)
    goals = reachable(reading.board, reading, is_counted=not reading.solvable)
    if given.as_json:
        record = reading.to_dict()
        if trail is not None:
            record["explain"] = trail.to_dict()
        say_json({**record, "reachable_goals": [one.to_dict() for one in goals]})
    else:
        report.say_reading(reading)
        reason = kind_of(given.kind).why_not(*reading.interchangeable())
        is_solvable = report.say_solvable(reason)
        report.say_boards(reading.board, reading.goal)
        report.say_alternatives(reading)
        if not is_solvable:
            report.say_unreachable(reading.board, reason, goals, reading)
    if not given.trust:
        require_certain(reading)


def _explain(given: options.Given, trail: Trail) -> None:
    """Say what was looked at, also in a screenshot that is refused."""
    if given.as_json:
        say_json({"explain": trail.to_dict()})
        return
    for line in trail.lines():
        say(line)
