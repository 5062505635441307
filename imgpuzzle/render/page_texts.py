"""The sentences of the HTML guide, in the language of its reader."""

from __future__ import annotations

from collections.abc import Callable

from imgpuzzle.core.language import words
from imgpuzzle.core.solution import Solution
from imgpuzzle.render.sheets.text import slide_words

__all__ = ["claim_more", "labels", "script_words"]


def claim_more(solution: Solution, language: str) -> str:
    """How many slides the moves make, when that is fewer; else nothing.

    Where slides are what counts: that the page goes by single moves all the same.
    """
    if solution.slide_count == solution.move_count:
        return ""
    if solution.metric == "slide":
        message = words(language).gettext("This page goes by single moves: {moves}.")
        return message.format(moves=solution.move_count)
    message = words(language).gettext("{slides} when tiles in a line move at once")
    return message.format(slides=slide_words(solution, language))


def script_words(solution: Solution, language: str) -> dict[str, object]:
    """The messages that the page's script fills in while it runs."""
    catalogue = words(language)
    _ = catalogue.gettext
    count = solution.move_count
    after = catalogue.ngettext(
        "Solved after {count} move", "Solved after {count} moves", count
    )
    return {
        "step": _("Single move {number} of {count}")
        if solution.metric == "slide"
        else _("Step {number} of {count}"),
        "slide": _("Slide {number} of {count}"),
        "solved": _("Solved"),
        "reached": _("Goal reached"),
        "solved_after": after.format(count=count)
        if count
        else _("Nothing is left to do"),
        "play": _("Play"),
        "pause": _("Pause"),
        "empty": _("empty"),
        "board": _("The board, row by row: {rows}"),
        "homes": _("The board, row by row, by where each tile belongs: {rows}"),
        "cell": _("Row {row}, column {column}"),
        "shown": _("{shown} of {total} positions"),
    }


def labels(language: str, ahead: int) -> dict[str, str]:
    """What stands on the page itself, by the names of the template."""
    _: Callable[[str], str] = words(language).gettext
    next_moves = words(language).ngettext(
        "Show the move after it", "Show the next {count} moves", ahead
    )
    return {
        "t_board": _("Board"),
        "t_controls": _("What to do"),
        "t_back": _("Back"),
        "t_next": _("Next"),
        "t_play": _("Play"),
        "t_first": _("To the start"),
        "t_last": _("To the solved board"),
        "t_progress": _("Progress"),
        "t_jump": _("Jump to the position I have"),
        "t_numbers": _("Show the tiles' numbers"),
        "t_coordinates": _("Show rows and columns"),
        "t_ahead": next_moves.format(count=ahead),
        "t_speed": _("Speed"),
        "t_slow": _("Slow"),
        "t_normal": _("Normal"),
        "t_fast": _("Fast"),
        "t_moves": _("All moves"),
        "t_noscript": _(
            "The board above shows the start. Stepping through needs JavaScript; "
            "these are all moves in words."
        ),
        "t_help": _("Keys and gestures"),
        "t_help_next": _("Next step"),
        "t_help_back": _("One step back"),
        "t_help_play": _("Play or pause"),
        "t_help_ends": _("Start, solved board"),
        "t_help_swipe": _("Left for the next step, right for one step back"),
        "t_help_hash": _("At the end of the page's address: open at this step"),
        "t_key_space": _("Space"),
        "t_gesture_swipe": _("Swipe the board"),
        "t_gesture_click": _("Click the marked tile"),
        "t_finder": _("Which position do you have?"),
        "t_close": _("Close"),
        "t_where": _("Click where the empty cell is on your board"),
        "t_everywhere": _("Anywhere: show all positions"),
    }
