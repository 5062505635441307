"""How the page words what the library says, for players: ``say_<kind>`` for a ``Kind``.

They are part of ``messages.page.PAGE``.
"""

from __future__ import annotations

from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext

__all__ = ["SAYINGS"]

SAYINGS: dict[str, str | tuple[str, str]] = {
    "say_arrangement": _("Another arrangement explains the picture nearly as well."),
    "say_goal": _("The numbers do not say which goal the game has."),
    "say_blank_home": _("The picture speaks against this place of the empty cell."),
    "say_sliding_tile": _(
        "A tile is half way through its slide. Take the screenshot again when nothing "
        "moves."
    ),
    "say_blank_like_piece": _("The empty cell looks like a piece of the picture, too."),
    "say_tile_missing": _(
        "A cell may be empty, or every tile may be there: then this is no sliding "
        "puzzle."
    ),
    "say_solved_or_no_board": _(
        "All tiles seem to be at home already, or this is no board: the grid is a "
        "guess. If your board is solved, put the corners onto it and set rows and "
        "columns, or add the solved picture."
    ),
    "say_solved_grid": _(
        "All tiles seem to be at home, so the grid is a guess. If the board is "
        "solved, set rows and columns."
    ),
    "say_solved_without_corner": _(
        "All tiles seem to be at home, but the empty cell is in no corner."
    ),
    "say_cut_off": _("The board is cut off by the edge of the screenshot."),
    "say_strange_tiles": _(
        "Some tiles do not look like any part of the solved picture."
    ),
    "say_poor_match": _("The tiles match the solved picture poorly."),
    "say_blank_partly_shown": _("The empty cell partly shows what belongs there."),
    "say_picture_in_other_order": _(
        "The picture under the numbers joins better in another order than theirs."
    ),
    "say_part_of_larger": _(
        "The picture goes on beyond these tiles, so the board may be larger. Check "
        "rows and columns."
    ),
    "say_tiles_beside": _(
        "More tiles of the same size lie beside these, so the board may be larger. "
        "Put the corners onto all of it, and set rows and columns."
    ),
    "say_poor_joins": _(
        "The tiles do not join well, whichever way they are put together."
    ),
    "say_unlikely_grid": _(
        "Hardly anything shows this grid, so there may be no board. Check the corners, "
        "rows and columns."
    ),
    "say_stray_tiles": _(
        "Some tiles join with none of those beside them, so the board may be larger. "
        "Check that the screenshot shows all of it."
    ),
    "say_equal_tiles": _("Some tiles look the same, so their places are a guess."),
    "say_changed_tiles": _(
        "Some tiles look different from before, or something covers them."
    ),
    "say_other_tiles": _("These are not the tiles of your puzzle."),
    "say_numbers_against_picture": _(
        "The numbers on the tiles do not follow the picture."
    ),
    "say_reference_left_out": _(
        "The numbers on the tiles were read; the solved picture was left out."
    ),
    "say_without_reference": _(
        "The solved picture does not seem to fit (the game may show only a part of "
        "it), so the board was read without it."
    ),
    "say_corrected": _("Corrected by hand."),
    "say_other_half": _(
        "No moves lead from here to that goal: half of all arrangements can never "
        "reach it, and this is one of them."
    ),
    "say_none_missing": _(
        "Every tile is there and no cell is empty, so this is no sliding puzzle. If a "
        "cell is empty after all, set it below."
    ),
    "say_different_tiles": _("Board and goal have different tiles."),
    "say_different_order": _(
        "In a single line the tiles keep their order, and here it is the wrong one."
    ),
    "say_bound": ngettext(
        "At least {count} move is needed.",
        "At least {count} moves are needed.",
    ),
    "say_no_board": _("Nothing in it looks like a board that is cut into tiles."),
    "say_no_pieces": _(
        "Nothing in it shows pieces of the solved picture. Perhaps an edge of the "
        "screenshot cuts the board off, or the picture belongs to "
        "another puzzle."
    ),
    "say_complete_picture": _(
        "The solved picture is there as a whole: the board is solved already, or this "
        "only shows the goal. If the board lies elsewhere, put the corners onto it."
    ),
    "say_two_grids": _("{one} and {other} fit equally well."),
    "say_too_many_px": _(
        "{what} has {size} px; at most {most} million px can be read."
    ),
    "say_far_too_many_px": _(
        "It has far too many px; at most {most} million can be read."
    ),
    "say_too_few_px": _("It has only {size} px; at least {least} px are needed."),
    "say_large_file": _("A file may have at most {most} MB."),
    "say_empty_file": _("{what} is an empty file."),
    "say_other_format": _(
        "{what} is a {format} file, and that kind cannot be read. PNG, JPEG, WebP or "
        "GIF can."
    ),
    "say_no_picture": _(
        "{what} is no picture of a known kind. PNG, JPEG, WebP or GIF can be read."
    ),
    "say_damaged": _("{what} is damaged or incomplete."),
    "say_unreadable_file": _("The file cannot be read."),
    "say_long_reference": _("The solved picture is far too long for its width."),
    "say_long_screenshot": _(
        "The screenshot is more than {most} times as long as wide; cut out the part "
        "with the board."
    ),
    "say_died": _("Reading it took more than this computer could give."),
    "say_memory_full": _(
        "It needs more memory than there is. A smaller picture or board may help."
    ),
    "say_region_outside": _("The grid reaches beyond the picture."),
    "say_corners_outside": _(
        "The corners must lie within the picture and go around the board."
    ),
    "say_grid_sides": _("Boards from {least} to {most} can be read from a screenshot."),
    "say_typed_reading": _("These numbers were typed: there is no screenshot."),
    "say_no_number": _("“{found}” is not a number."),
    "say_one_cell": _("A board has at least two cells."),
    "say_no_zero": _("The empty cell is missing: it is typed as 0."),
    "say_many_zeros": ngettext(
        "There is {count} zero, and exactly one is needed: the empty cell.",
        "There are {count} zeros, and exactly one is needed: the empty cell.",
    ),
    "say_uneven_rows": _("All rows must have the same length."),
    "say_long_board": _("This is far more text than a board has."),
    "say_no_numbers": _("There are no numbers."),
    "say_one_goal": _("Exactly one goal is needed."),
    "say_goal_only": _("There is only a goal, and no board."),
    "say_other_goal": _("The goal must be {wanted}, like the board."),
    "say_numbers_repeat": _(
        "More than once: {repeated}; missing: {missing}. A slip? Otherwise the goal "
        "is needed, too."
    ),
    "say_numbers_too_large": _(
        "Missing: {missing}; more than {most}: {beyond}. A slip? Otherwise the goal "
        "is needed, too."
    ),
    "say_number_count": _("A {shape} board has {wanted} numbers, here are {found}."),
    "say_large_board": _("Boards of at most {most} can be solved here."),
    "say_smallest_animation": _(
        "The smallest file that can be followed takes {least} bytes. Choose a larger "
        "limit."
    ),
    "say_large_sheet": _(
        "It would be far too large. Choose other steps in a row, or another kind of "
        "file."
    ),
    "say_tilted_board": _(
        "The board is seen at an angle or cut off, so it cannot be drawn within the "
        "screenshot."
    ),
    "say_other_tile_picture": _(
        "It can be drawn within the screenshot with its own tiles only."
    ),
    "say_no_pyav": _(
        "It needs one more library: pip install 'imgpuzzle[video]'. GIF and WebP need "
        "nothing more."
    ),
    "say_poor_pillow": _(
        "Its picture library (Pillow) was built without it. GIF always works."
    ),
    "say_scaled_to": _("Scaled down to {size} px"),
    "say_pictures_a_slide": ngettext(
        "{count} picture a slide instead of {full}",
        "{count} pictures a slide instead of {full}",
    ),
    "say_colours": ngettext("{count} colour", "{count} colours"),
    "say_coarser": _("Compressed more coarsely"),
    "say_sheets_in_archive": ngettext(
        "{count} sheet in an archive",
        "{count} sheets in one archive",
    ),
}
