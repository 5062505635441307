"""``imgpuzzle hint``: the next move only, for those who want to go on themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, speech
from imgpuzzle.cli.searching import limits_options, searching
from imgpuzzle.cli.source import read_boards
from imgpuzzle.cli.terminal import say, say_json
from imgpuzzle.core.board import Board
from imgpuzzle.core.naming import Naming
from imgpuzzle.errors import LimitReachedError, PuzzleError
from imgpuzzle.puzzles.kind import kind_of
from imgpuzzle.render.sheets.text import claim_words

if TYPE_CHECKING:
    from imgpuzzle.guide import Hint

_TOLD_STATUSES = (5, 6, 7)
"""Of the errors for which --json prints an object all the same, as solve does."""


@click.command("hint", cls=options.PuzzleCommand)
@options.puzzle_options
@options.kind_option
@limits_options
@options.language_option
@options.json_option
def command(given: options.Given) -> None:
    """Say the next move of PUZZLE only, and how many are left.

    PUZZLE is a screenshot, a board as text or file, or - for standard input, as
    for imgpuzzle solve. Rows and columns count from 1 here, and from 0 with --json.
    """
    from imgpuzzle.guide import hint_dict
    from imgpuzzle.pipeline import hint, require_usable

    bound: int | None = None
    try:
        start, goal, reading = read_boards(given)
        if reading is not None:
            require_usable(reading, given.kind, trust=given.trust)
        try:
            with searching(given, start, reading) as how:
                found = hint(start, goal, how)
        except LimitReachedError as error:
            bound = error.lower_bound
            raise
    except PuzzleError as error:
        if given.as_json and error.exit_code in _TOLD_STATUSES:
            slides = kind_of(given.kind).board is Board
            say_json(hint_dict(lower_bound=bound, slides=slides))
        raise
    if given.as_json:
        say_json(found.to_dict())
        return
    numbered = reading is None or reading.numbered
    say(_sentence(found, Naming(speech.language(), numbered)))


def _sentence(hint: Hint, naming: Naming) -> str:
    if hint.step is None:
        return speech.gettext("the board is already solved")
    return speech.gettext("{move}; to go: {claim}").format(
        move=hint.step.told(naming),
        claim=claim_words(hint.solution, naming.language),
    )
