"""The words of the page of ``imgpuzzle web``, by the names that its scripts use.

They are translated with all others, in ``imgpuzzle/locale``; what the guides say, too,
is translated once. ``error_<kind>`` and ``say_<kind>`` (``page_sayings``) are how the
page words a ``Kind``, for players instead of for those who type options. Two
sentences are one that depends on ``{count}``; what stands in [brackets] is a key of the
keyboard.
"""

from __future__ import annotations

from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext
from imgpuzzle.messages.page_sayings import SAYINGS
from imgpuzzle.messages.solving import Chapter, Count

__all__ = ["PAGE"]

PAGE: dict[str, str | tuple[str, str]] = {
    "page_title": _("imgpuzzle: sliding puzzles from screenshots"),
    "skip": _("Skip to the content"),
    "home": _("imgpuzzle: to the start"),
    "tabs": _("Parts of the guide"),
    "tab_check": _("Board"),
    "tab_follow": _("Solution"),
    "tab_save": _("Save"),
    "new_puzzle": _("New puzzle"),
    "put_away": _("Your puzzle is kept below."),
    "put_away_picture": _("Your picture is kept."),
    "take_back": _("Back to it"),
    "language": _("Language"),
    "theme_dark": _("Dark colours"),
    "theme_light": _("Light colours"),
    "close": _("Close"),
    "cancel": _("Cancel"),
    "stop": _("Stop"),
    "remove": _("Remove"),
    "start_title": _("Screenshot in, solution out"),
    "start_text": _(
        "Give a screenshot of your sliding puzzle. The board is read, solved, and you "
        "are led through it move by move."
    ),
    "drop_here": _("Drop a screenshot here"),
    "drop_touch": _("Screenshot or photo of the puzzle"),
    "drop_or": _(
        "choose a file, or press [Ctrl]+[V]. Two files at once are fine: the "
        "screenshot and the picture of the solved puzzle."
    ),
    "choose": _("Choose a picture"),
    "paste": _("Paste"),
    "reference_add": _("Add the solved picture"),
    "reference_optional": _("Have the solved picture, too? It helps with the reading."),
    "reference_given": _("The solved picture is here. Now the screenshot."),
    "reading_now": _("Reading the board …"),
    "reading_time": _("{seconds} s."),
    "reading_long": _("A big picture takes longer. You can wait, or cancel."),
    "samples": _("Try a sample"),
    "recent": _("Your puzzles"),
    "recent_unsolved": _("not solved yet"),
    "sample_emblem": _("Emblem, 3 × 3"),
    "sample_coffee": _("Coffee, 4 × 4"),
    "sample_numbers": _("Numbers, 4 × 4"),
    "typed": _("Type the numbers instead"),
    "typed_board": _("The board, row by row; 0 is the empty cell"),
    "typed_goal": _("The goal (optional; otherwise in order, the empty cell last)"),
    "typed_solve": _("Solve these numbers"),
    "private": _(
        "Nothing goes to the internet: pictures stay with the program that you started."
    ),
    "not_a_picture": _("{name} is not a picture."),
    "too_many": ngettext(
        "{count} picture is too many at once. Give the screenshot and, if you like, "
        "the solved picture.",
        "{count} pictures are too many at once. Give the screenshot and, if you like, "
        "the solved picture.",
    ),
    "one_screenshot": _("To continue, give one picture: the new screenshot."),
    "pair_taken": _(
        "Both are used: {screenshot} as the screenshot, {reference} as the solved "
        "picture."
    ),
    "pair_screenshot": _("The screenshot"),
    "pair_swap": _("It is the other way round"),
    "clipboard_empty": _("There is no picture on the clipboard."),
    "clipboard_denied": _(
        "The browser does not let this page read the clipboard. Press Ctrl+V instead, "
        "or choose a file."
    ),
    "ask_title": _("What does this picture show?"),
    "role_now": _("My board as it is now: continue from there"),
    "role_screenshot": _("A new puzzle"),
    "role_reference": _("The solved picture of this puzzle"),
    "check_title": _("What was read"),
    "your_screenshot": _("Your screenshot"),
    "your_board": _("Your board"),
    "goal_picture": _("The solved picture"),
    "goal_board": _("The goal"),
    "goal_words": _(
        "This is what the solved board will show. It should be one whole picture, "
        "with the empty cell where it belongs."
    ),
    "goal_words_typed": _("This is where the tiles will end."),
    "goal_cell": _("{cell} of the solved picture: {what}"),
    "zoom": _("Part of the screenshot"),
    "zoom_board": _("Board"),
    "zoom_whole": _("Everything"),
    "tilted": _("The board is seen at an angle"),
    "corner_top_left": _("Top left corner"),
    "corner_top_right": _("Top right corner"),
    "corner_bottom_right": _("Bottom right corner"),
    "corner_bottom_left": _("Bottom left corner"),
    "corner_place": _("{x} px from the left, {y} px from the top"),
    "grid": _("Grid"),
    "goals_other": _("Choose another goal"),
    "goals_reachable": _("Goals that can be reached"),
    "goals_more": _("More goals"),
    "goal_row": _("Row by row"),
    "goal_column": _("Column by column"),
    "goal_snake": _("Snake"),
    "goal_spiral": _("Spiral"),
    "goal_bottom_up": _("Rows from the bottom up"),
    "goal_blank_last": _("empty cell last"),
    "goal_blank_first": _("empty cell first"),
    "goal_blank_top_left": _("empty cell at the top left"),
    "goal_blank_top_right": _("empty cell at the top right"),
    "goal_blank_bottom_left": _("empty cell at the bottom left"),
    "goal_blank_bottom_right": _("empty cell at the bottom right"),
    "goal_blank_middle": _("empty cell in the middle"),
    "goal_moves": ngettext("{count} move", "{count} moves"),
    "goal_moves_least": ngettext("at least {count} move", "at least {count} moves"),
    "rows": _("Rows"),
    "cols": _("Columns"),
    "rows_less": _("One row less"),
    "rows_more": _("One row more"),
    "cols_less": _("One column less"),
    "cols_more": _("One column more"),
    "grid_size": "{rows} × {cols}",
    "correct": _("Something wrong? Click it right"),
    "tool_swap": _("Exchange two tiles"),
    "tool_blank": _("Set the empty cell"),
    "tool_swap_words": _(
        "Click two tiles that were taken for each other, in either picture."
    ),
    "tool_swap_second": _("Chosen: {cell}. Now click the tile to exchange it with."),
    "tool_blank_words": _(
        "Click the empty cell in the screenshot. In the solved picture, click where "
        "it belongs at the end."
    ),
    "question": _("Which one is the solved picture?"),
    "answer": _("Picture {number}"),
    "answer_whole": _("no cell is empty"),
    "answer_home": _("Empty cell: {cell}"),
    "answer_none": _("None of these"),
    "question_words": _(
        "The tiles fit together in more than one way. Look which picture is whole."
    ),
    "verdict_chosen": _("As you chose it: {size}"),
    "picture_chosen": _("If another picture is the solved one, choose that."),
    "others": _("Or is it one of these?"),
    "other_two": _("{first} and {second} exchanged"),
    "other_many": ngettext("{count} cell differs", "{count} cells differ"),
    "other_home": _("The empty cell belongs to {cell}"),
    "other_goal": _("The same board with another goal"),
    "reference_have": _("Have the solved picture?"),
    "reference_why": _("It helps with the reading."),
    "reference_remove": _("Remove the solved picture"),
    "read_again": _("Read with this grid"),
    "solve_anyway": _("It is right as shown: solve it"),
    "mend": _("Correct what is in doubt"),
    "new_screenshot": _("New screenshot"),
    "to_solution": _("To the solution"),
    "to_solution_moves": _("Follow the solution: {moves}"),
    "suggestion": _("The likeliest slip: these two were taken for each other."),
    "suggestion_take": _("Exchange {first} and {second}"),
    "suggestion_own": _("That is what you exchanged last."),
    "suggestion_back": _("Take it back: exchange {first} and {second}"),
    "verdict_certain": _("Read with certainty: {size}"),
    "verdict_corrected": _("As you corrected it: {size}"),
    "verdict_typed": _("As you typed it: {size}"),
    "verdict_doubtful": _("Doubtful: please check it"),
    "verdict_whole": _("Every tile is there"),
    "verdict_unsolvable": _("This position cannot be solved"),
    "verdict_goal": _("The usual goal cannot be reached from here"),
    "reading_sure": _("Every tile was read for certain."),
    "numbers_right": _("If these numbers are right, your game has another goal."),
    "goal_choose": _("Choose your game’s goal: these can be reached."),
    "dealt_wrong": _("Or the game dealt a board that cannot be solved."),
    "verdict_one_more": _("One more exchange is needed"),
    "verdict_one_more_why": _(
        "After an odd number of exchanges a position cannot be solved. Exchange two "
        "more tiles, or take the last exchange back."
    ),
    "change_failed": _("That did not work out"),
    "method_reference": _("Found with the solved picture."),
    "method_thumbnail": _(
        "Found with the small solved picture that the screenshot shows."
    ),
    "method_digits": _("Found by the numbers on the tiles."),
    "method_reassembly": _("Pieced together by the edges of the tiles."),
    "doubtful_cells": ngettext(
        "{count} of {total} cells is in doubt: {cells}.",
        "{count} of {total} cells are in doubt: {cells}.",
    ),
    "doubtful_many": ngettext(
        "{count} of {total} cells is in doubt.",
        "{count} of {total} cells are in doubt.",
    ),
    "doubtful_compare": _(
        "Compare the board with your screenshot before you trust it."
    ),
    "doubtful_wrong": _("It is more likely wrong than right."),
    "doubtful_whole": _(
        "It is unsure how the tiles lie as a whole: compare the board with your "
        "screenshot."
    ),
    "in_doubt": _("in doubt"),
    "help_choose": _(
        "Choose the size, or put the corners onto those of the board and set rows and "
        "columns."
    ),
    "help_place": _(
        "Put the four corners onto those of the board, set rows and columns, and read "
        "again. Or give the solved picture."
    ),
    "help_two": _(
        "The corners lie on one of them: read it with this grid, or put them onto the "
        "other one."
    ),
    "help_corners": _(
        "Is the grid in the wrong place? Drag its corners onto those of the board, "
        "and set rows and columns."
    ),
    "what_screenshot": _("The screenshot"),
    "what_reference": _("The solved picture"),
    "cell": _("row {row}, column {column}"),
    "tile": _("tile {tile}"),
    "empty": _("empty"),
    "board_rows": _("The board, row by row: {rows}"),
    "grid_puzzle": _("Sliding puzzle {rows} × {cols}"),
    "moves": ngettext("{count} move", "{count} moves"),
    "clicks": ngettext("{count} click", "{count} clicks"),
    "claim_solved": _("Solved already: no move is needed."),
    "claim_first": _("A first way of {moves}; shorter ones are coming"),
    "claim_unsearched": _("{moves}; there was no time to look for a shorter way"),
    "claim_proven": _("{moves}, proven shortest"),
    "claim_so_far": _("{moves} so far; looking for shorter ones"),
    "claim_unproven": _("{moves}; a shorter way may exist"),
    "claim_bound": ngettext(
        "{moves}; at least {count} is needed",
        "{moves}; at least {count} are needed",
    ),
    "claim_bound_so_far": ngettext(
        "{moves}; at least {count} is needed; looking for shorter ones",
        "{moves}; at least {count} are needed; looking for shorter ones",
    ),
    "claim_own": _("Your own way: {total} in all. From the screenshot it was {moves}."),
    "stages_switch": _("In stages, to follow and to learn from"),
    "stages": (Count.STAGES.text, Count.STAGES.several),
    "stages_price": Chapter.PRICE.text,
    "stages_price_proven": Chapter.PRICE_PROVEN.text,
    "stages_price_unknown": Chapter.PRICE_UNKNOWN.text,
    "stages_price_nothing": Chapter.PRICE_NOTHING.text,
    "stage_first_row": Chapter.FIRST_ROW.text,
    "stage_last_row": Chapter.LAST_ROW.text,
    "stage_row": Chapter.STAGE_ROW.text,
    "stage_first_column": Chapter.FIRST_COLUMN.text,
    "stage_last_column": Chapter.LAST_COLUMN.text,
    "stage_column": Chapter.STAGE_COLUMN.text,
    "stage_rest": Chapter.STAGE_REST.text,
    "stage_one_move": Chapter.STAGE_OF_ONE_MOVE.text,
    "stage_moves": Chapter.STAGE_OF_MOVES.text,
    "stage_tiles_to_row": Chapter.TILES_TO_ROW.text,
    "stage_fill_row": Chapter.FILL_ROW.text,
    "stage_tiles_to_column": Chapter.TILES_TO_COLUMN.text,
    "stage_fill_column": Chapter.FILL_COLUMN.text,
    "stage_order_tiles": Chapter.ORDER_TILES.text,
    "stage_order_rest": Chapter.ORDER_REST.text,
    "listed_and": _("{listed} and {last}"),
    "slides_switch": _("My game moves several tiles with one click"),
    "slides_clicks": ngettext(
        "then at most {count} click in all",
        "then at most {count} clicks in all",
    ),
    "slides_moves": ngettext("{count} move tile by tile", "{count} moves tile by tile"),
    "searching": _("Looking for the solution …"),
    "searching_shorter": _("Shorter ones are on the way."),
    "search_setup": _("Getting ready for the search, once on this computer …"),
    "search_progress": _("Progress of the search"),
    "queued": ngettext(
        "Waiting: {count} search is before yours.",
        "Waiting: {count} searches are before yours.",
    ),
    "take_this": _("Take this one"),
    "search_stopped": _("The search was stopped before it found a way."),
    "search_again": _("Search again"),
    "search_longer": _("One more minute"),
    "not_proven": _("There may be a shorter way."),
    "shorter_now": ngettext(
        "A shorter way was found: {count} move to go.",
        "A shorter way was found: {count} moves to go.",
    ),
    "shorter_now_clicks": ngettext(
        "A shorter way was found: {count} click to go.",
        "A shorter way was found: {count} clicks to go.",
    ),
    "offer": ngettext(
        "A shorter way was found: {count} move. It differs from step {step} on.",
        "A shorter way was found: {count} moves. It differs from step {step} on.",
    ),
    "offer_clicks": ngettext(
        "A shorter way was found: {count} click. It differs from step {step} on.",
        "A shorter way was found: {count} clicks. It differs from step {step} on.",
    ),
    "offer_take": _("Use it, from step {step}"),
    "offer_keep": _("Keep this one"),
    "own_way": _(
        "You left the way from the screenshot. These steps go on from your board."
    ),
    "own_back": _("Start again from the screenshot"),
    "step": _("Step {number} of {total}"),
    "left": ngettext("{count} move left", "{count} moves left"),
    "left_clicks": ngettext("{count} click left", "{count} clicks left"),
    "to_go": ngettext("{count} move to go", "{count} moves to go"),
    "to_go_clicks": ngettext("{count} click to go", "{count} clicks to go"),
    "made_left": _("{made} made, {left}"),
    "reached": _("Goal reached"),
    "solved": _("Solved"),
    "solved_after": ngettext("Solved after {count} move", "Solved after {count} moves"),
    "solved_after_clicks": ngettext(
        "Solved after {count} click",
        "Solved after {count} clicks",
    ),
    "nothing_left": _("Nothing is left to do"),
    "move_up": _("Move the tile at row {row}, column {column} up"),
    "move_down": _("Move the tile at row {row}, column {column} down"),
    "move_left": _("Move the tile at row {row}, column {column} left"),
    "move_right": _("Move the tile at row {row}, column {column} right"),
    "move_number_up": _("Move tile {tile} at row {row}, column {column} up"),
    "move_number_down": _("Move tile {tile} at row {row}, column {column} down"),
    "move_number_left": _("Move tile {tile} at row {row}, column {column} left"),
    "move_number_right": _("Move tile {tile} at row {row}, column {column} right"),
    "push": ngettext(
        "{move}: {count} tile moves",
        "{move}: {count} tiles move at once",
    ),
    "then": _("Then"),
    "back": _("Back"),
    "next": _("Next"),
    "play": _("Play"),
    "pause": _("Pause"),
    "first": _("To the start"),
    "last": _("To the solved board"),
    "progress": _("Progress"),
    "mode_follow": _("Follow the steps"),
    "mode_along": _("Play along"),
    "share": _("Share the game"),
    "share_why": _(
        "The page watches the game's window or tab and says the next move while you "
        "play. Nothing is kept, and nothing leaves this computer."
    ),
    "share_failed": _("The browser did not share a window. Try another browser."),
    "sharing_looking": _("Looking for a puzzle in the shared picture …"),
    "sharing_check": _("Check the board below, then the game is watched."),
    "sharing_solving": _("The board is read. Looking for the way …"),
    "sharing_stopped": _("No way is known yet: the search has stopped."),
    "sharing_watching": _("Watching your game"),
    "sharing_moving": _("A tile is moving …"),
    "sharing_covered": _("Something lies over the board. Waiting …"),
    "sharing_gone": _("The board is out of sight. Waiting …"),
    "sharing_changed": _("Another puzzle: reading it …"),
    "sharing_solved": _("Solved!"),
    "sharing_offline": _("The program does not answer. Is it still running?"),
    "sharing_mini": _("Small window"),
    "sharing_stop": _("Stop watching"),
    "pairing": _("Use it inside the browser's games"),
    "pairing_why": _(
        "The browser extension draws the next move over a game in a tab. Load it from "
        "the folder extension of the project, click its button, and type this code "
        "into it:"
    ),
    "pairing_new": _("Show a code"),
    "mini_title": _("Next move"),
    "mini_moves": _("Show the next move"),
    "mini_numbers": _("Numbers only"),
    "elsewhere": _("My board looks different now"),
    "options": _("View and speed"),
    "show_numbers": _("Numbers on the tiles"),
    "show_coordinates": _("Rows and columns"),
    "show_ahead": _("Mark the next moves on the board"),
    "speed": _("Speed"),
    "slow": _("Slow"),
    "normal": _("Normal"),
    "fast": _("Fast"),
    "all_moves": _("All moves"),
    "help": _("Keys and gestures"),
    "help_touch": _("Gestures"),
    "help_step": _("Next step, one step back"),
    "help_play": _("Play or pause"),
    "help_ends": _("Start, solved board"),
    "help_swipe": _("Left for the next step, right for one step back"),
    "help_click": _("Next step"),
    "help_along": _("When playing along: slide a tile that way"),
    "help_undo": _("When playing along: undo"),
    "help_paste": _("Paste a new screenshot"),
    "key_space": _("Space"),
    "gesture_swipe": _("Swipe the board"),
    "gesture_click": _("Click the marked tile"),
    "undo": _("Undo"),
    "hint": _("Show me"),
    "along_start": _(
        "Click the tiles as you move them. The page says how many moves are left."
    ),
    "along_start_clicks": _(
        "Click the tiles as in your game: all tiles up to the empty cell move at "
        "once. The page says how many clicks are left."
    ),
    "along_on": _("On the shortest way: {left}."),
    "along_on_unproven": _("On the way: {left}."),
    "along_thinking": _("Another move than mine. One moment …"),
    "along_as_short": _("Just as short: {left}."),
    "along_as_good": _("That way is as good as any known: {left}."),
    "along_off": _(
        "A little detour: now {left}, {more} more than on the shortest way."
    ),
    "along_off_unproven": _(
        "Another way: now {left} as far as known, {more} more than before."
    ),
    "along_off_undo": _("Undo it, or go on from here."),
    "along_back": _("Taken back. On the shortest way: {left}."),
    "along_back_unproven": _("Taken back: {left}."),
    "along_solved": _("Solved, in {moves}."),
    "along_solved_best": _("Solved, in {moves}: fewer are not possible."),
    "now_title": _("Continue from your board"),
    "now_text": _(
        "Give a new screenshot of the same puzzle: the guide continues from exactly "
        "there."
    ),
    "now_drop": _("Drop it here, press [Ctrl]+[V], or"),
    "jumped": _("Found it on the way: {left}."),
    "save_title": _("Save the guide"),
    "save_words": _(
        "The solution with {moves}, as a file that works without this page."
    ),
    "save_words_clicks": _(
        "The solution with {clicks}. The guide shows single moves: {number}."
    ),
    "save_words_compact": _("The solution with {clicks}, in single moves {moves}."),
    "save_wait": _("As soon as there is a solution, it can be saved here."),
    "format": _("Kind of file"),
    "group_moving": _("Moving picture"),
    "group_printed": _("Pages to print"),
    "group_stepped": _("Step by step"),
    "group_written": _("In words and numbers"),
    "format_lacks": _("Needs one more library"),
    "look": _("Look"),
    "option_caption": _("Step number"),
    "option_caption_strip": _("Strip above"),
    "option_caption_plate": _("On the board"),
    "option_caption_none": _("None"),
    "option_coordinates": _("Rows and columns"),
    "option_coordinates_none": _("No names"),
    "option_coordinates_letters": _("A 1, B 2"),
    "option_coordinates_numbers": "1 1, 2 2",
    "option_numbers": _("Numbers on the tiles"),
    "option_highlight": _("The tile to move"),
    "option_highlight_both": _("Frame and arrow"),
    "option_highlight_outline": _("Frame"),
    "option_highlight_arrow": _("Arrow"),
    "option_highlight_brighten": _("Brighter"),
    "option_highlight_bleach": _("Very bright"),
    "option_dim": _("Darken the other tiles"),
    "option_ahead": _("Moves shown ahead"),
    "option_ahead_0": _("None"),
    "option_ahead_1": "1",
    "option_ahead_2": "2",
    "option_ahead_3": "3",
    "option_theme": _("Colours"),
    "option_theme_auto": _("Automatic"),
    "option_theme_light": _("Light"),
    "option_theme_dark": _("Dark"),
    "option_language": _("Language"),
    "option_title": _("Title"),
    "option_frame_ms": _("Speed"),
    "option_frame_ms_350": _("Fast"),
    "option_frame_ms_700": _("Normal"),
    "option_frame_ms_1200": _("Slow"),
    "option_size": _("Longer side"),
    "option_size_480": _("480 px"),
    "option_size_900": _("900 px"),
    "option_size_1440": _("1440 px"),
    "option_max_bytes": _("Largest size"),
    "option_max_bytes_0": _("No limit"),
    "option_max_bytes_1000000": _("1 MB"),
    "option_max_bytes_5000000": _("5 MB"),
    "option_max_bytes_10000000": _("10 MB"),
    "option_max_bytes_25000000": _("25 MB"),
    "option_around": _("Around the board"),
    "option_around_none": _("Nothing"),
    "option_around_margin": _("A margin of the screenshot"),
    "option_around_whole": _("The whole screenshot"),
    "option_compact": _("Runs of tiles as one step"),
    "option_columns": _("Steps in a row"),
    "option_columns_3": "3",
    "option_columns_4": "4",
    "option_columns_5": "5",
    "option_columns_6": "6",
    "option_columns_8": "8",
    "option_paper": _("Page size"),
    "option_paper_a4": _("A4"),
    "option_paper_letter": _("Letter"),
    "option_per_page": _("Pictures a page"),
    "option_per_page_0": _("As many as fit"),
    "option_per_page_6": "6",
    "option_per_page_12": "12",
    "option_per_page_20": "20",
    "option_per_page_30": "30",
    "option_few_colours": _("Fewer colours, smaller files"),
    "make": _("Create {format}"),
    "making": _("Drawing {format} …"),
    "download": _("Download"),
    "preview": _("Preview of {name}"),
    "preview_step": _("Preview: the first step"),
    "preview_loop": _("Preview: how it begins, again and again"),
    "preview_page": _("Preview: the first page"),
    "preview_text": _("Preview: how it begins"),
    "preview_alt": _("What the file will look like"),
    "format_missing": _("This computer cannot write {format} yet."),
    "size_b": _("{size} bytes"),
    "size_kb": _("{size} kB"),
    "size_mb": _("{size} MB"),
    "error": _("Something went wrong."),
    "error_offline": _("The program does not answer. Is imgpuzzle still running?"),
    "error_404": _("The program has forgotten this puzzle. Give the screenshot again."),
    "error_403": _("The program was started again. Open the address that it printed."),
    "error_408": _("Sending it took too long. Try again."),
    "error_file_forgotten": _("The program has forgotten this file. Create it again."),
    "error_late": _("It took too long and was stopped."),
    "error_no_worker": _(
        "The program could not start what it needs. Is there enough memory?"
    ),
    "error_409": _("The board was changed meanwhile. Try again."),
    "error_413": _("This file is too large."),
    "error_415": _("This is not a kind of picture that can be read."),
    "error_429": _("The program is busy with other puzzles. Try again in a moment."),
    "error_503": _("The program is shutting down."),
    "error_507": _(
        "The disk is full where the program runs. Make some room and try again."
    ),
    "error_InvalidImageError": _("This picture cannot be used."),
    "error_InvalidBoardError": _("These numbers are not a board."),
    "error_BoardNotFoundError": _("No board was found in this picture"),
    "error_GridAmbiguousError": _("The grid is not clear: several sizes fit"),
    "error_two_matches": _("Two places fit the solved picture"),
    "error_two_boards": _("There are two boards"),
    "error_UnsolvableError": _("This position cannot be solved."),
    "error_LimitReachedError": _("No way was found in the given time."),
    "error_UsageError": _("That does not fit together."),
    "error_OtherPuzzle": _(
        "This screenshot could not be read for certain, so your solution stays as it "
        "is."
    ),
    "reference_ignored": _(
        "The solved picture does not seem to fit (the game may show only a part of "
        "it), so the board was read without it."
    ),
    **SAYINGS,
}
