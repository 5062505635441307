"""``imgpuzzle hint``: the next move only, for those who want to go on themselves."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, speech
from imgpuzzle.cli.searching import limits_options, searching
from imgpuzzle.cli.source import read_boards
from imgpuzzle.cli.terminal import say, say_json
from imgpuzzle.core.board import Board
from imgpuzzle.core.naming import Naming
from imgpuzzle.errors import LimitReachedError, PuzzleError
from imgpuzzle.puzzles.kind import kind_of, only_sliding
from imgpuzzle.render.sheets.text import claim_words

if TYPE_CHECKING:
    from imgpuzzle.core.solution import Limits, Solution
    from imgpuzzle.guide import Hint

_COUNT_MB = 1000
"""How much memory the counting may take before it gives up."""

_MOST_COUNTED = 10**100
"""More than any board has: all are counted."""

_TOLD_STATUSES = (5, 6, 7)
"""Of the errors for which --json prints an object all the same, as solve does."""


@click.command("hint", cls=options.PuzzleCommand)
@options.puzzle_options
@options.kind_option
@limits_options
@options.flag_option("--count", "Also say how many shortest solutions there are.")
@options.language_option
@options.json_option
def command(given: options.Given) -> None:
    """Say the next move of PUZZLE only, and how many are left.

    PUZZLE is a screenshot, a board as text or file, or - for standard input, as
    for imgpuzzle solve. Rows and columns count from 1 here, and from 0 with --json.
    """
    from imgpuzzle.guide import hint_dict
    from imgpuzzle.pipeline import hint, require_usable

    if given.count and given.kind != "slide":
        raise only_sliding("--count", given.kind)
    began = time.monotonic()
    try:
        start, goal, reading = read_boards(given)
        if reading is not None:
            require_usable(reading, given.kind, trust=given.trust)
        with searching(given, start, reading) as how:
            found = hint(start, goal, how)
    except PuzzleError as error:
        if given.as_json and error.exit_code in _TOLD_STATUSES:
            bound = error.lower_bound if isinstance(error, LimitReachedError) else None
            slides = kind_of(given.kind).board is Board
            say_json(hint_dict(lower_bound=bound, slides=slides))
        raise
    solution, record = found.solution, found.to_dict()
    if not given.as_json:
        # At once, because counting may take long.
        numbered = reading is None or reading.numbered
        say(_sentence(found, Naming(speech.language(), numbered)))
    if given.count:
        used = time.monotonic() - began
        is_known = solution.is_optimal
        count = _count(solution, how.limits, used) if is_known else None
        record["shortest_count"] = count
        if not given.as_json:
            say(_count_sentence(count))
    if given.as_json:
        say_json(record)


def _count(solution: Solution, within: Limits, used: float) -> int | None:
    """How many shortest solutions there are, if that is known in the time left."""
    from imgpuzzle.solver.counting import count_shortest

    seconds = (within.seconds or 0.0) - used
    if seconds <= 0:
        return None
    left = dataclasses.replace(within, seconds=seconds, memory_mb=_COUNT_MB)
    try:
        return count_shortest(
            solution.start, solution.goal, limits=left, cap=_MOST_COUNTED
        ).count
    except LimitReachedError:
        return None


def _sentence(hint: Hint, naming: Naming) -> str:
    if hint.step is None:
        return speech.gettext("the board is already solved")
    return speech.gettext("{move}; to go: {claim}").format(
        move=hint.step.told(naming),
        claim=claim_words(hint.solution, naming.language),
    )


def _count_sentence(count: int | None) -> str:
    if count is None:
        return speech.gettext(
            "the shortest solutions could not be counted in this time"
        )
    words = speech.ngettext(
        "{count} shortest solution", "{count} shortest solutions", count
    )
    return words.format(count=speech.number(count))
