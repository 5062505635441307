"""What is wrong with pictures, files, boards and options."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _

__all__ = ["BoardFault", "PictureFault", "UsageFault"]


class PictureFault(Kind):
    """Pictures, and files of any kind, that cannot be used."""

    TOO_MANY_PX = (
        "too_many_px",
        _("expected at most {most} million px, found {size} in {where}"),
    )
    FAR_TOO_MANY_PX = (
        "far_too_many_px",
        _("expected at most {most} million px, found far more in {name!r}"),
    )
    TOO_FEW_PX = (
        "too_few_px",
        _("expected a picture of at least {least} px, found {size} in {where}"),
    )
    EMPTY_FILE = (
        "empty_file",
        _(
            "expected a picture (PNG, JPEG, WebP, GIF ...), found an empty file in "
            "{name!r}"
        ),
    )
    OTHER_FORMAT = (
        "other_format",
        _(
            "expected a picture (PNG, JPEG, WebP, GIF ...), found the unsupported "
            "format {format} in {name!r}"
        ),
    )
    NO_PICTURE = (
        "no_picture",
        _(
            "expected a picture (PNG, JPEG, WebP, GIF ...), found no known picture "
            "format in {name!r}"
        ),
    )
    DAMAGED = (
        "damaged",
        _("expected a complete picture, could not read {name!r}: {why}"),
    )
    LONG_REFERENCE = (
        "long_reference",
        _(
            "expected a reference at most {most} times as long as wide, found one "
            "{found} times as long"
        ),
    )
    LONG_SCREENSHOT = (
        "long_screenshot",
        _(
            "expected a screenshot at most {most} times as long as wide, found {size} "
            "px; cut out the part with the board, or pass --region "
            "LEFT,TOP,WIDTH,HEIGHT"
        ),
    )
    NEITHER = (
        "neither",
        _(
            "expected a screenshot or a board of numbers, found neither a picture nor "
            "a board in {name!r}"
        ),
    )
    FOLDER_AS_FILE = ("folder_as_file", _("expected a file, found the folder {name!r}"))
    NO_FILE = ("no_file", _("expected a file, found no {name!r}"))
    UNREADABLE_FILE = ("unreadable_file", _("could not read {name!r}: {why}"))
    LARGE_FILE = ("large_file", _("expected at most {most} MB, found more in {name!r}"))
    STDIN_CLOSED = (
        "stdin_closed",
        _("expected a board or a picture on standard input, found it closed"),
    )
    STDIN_EMPTY = (
        "stdin_empty",
        _("expected a board or a picture on standard input, found nothing"),
    )


class BoardFault(Kind):
    """Numbers that are no board, and goals that do not fit."""

    NO_NUMBER = ("no_number", _("expected numbers from 0, found {found!r}"))
    ONE_CELL = ("one_cell", _("expected at least two cells, found {shape}"))
    TOO_MANY_CELLS = (
        "too_many_cells",
        _("expected at most {most:,} cells, such as 32x32, found {shape}"),
    )
    NO_SHAPE = ("no_shape", _("expected ROWSxCOLUMNS such as 4x4, found {found!r}"))
    CELL_OUTSIDE = (
        "cell_outside",
        _(
            "expected a cell of a {shape} board, rows and columns counted from 0 "
            "({last} is the last), found {found}"
        ),
    )
    NUMBER_COUNT = (
        "number_count",
        _("expected {wanted} numbers for a {shape} board, found {found}"),
    )
    NO_ZERO = (
        "no_zero",
        _(
            "expected exactly one 0 (the blank), found 0 of them; the empty cell is "
            "typed as 0"
        ),
    )
    MANY_ZEROS = (
        "many_zeros",
        _("expected exactly one 0 (the blank), found {count} of them"),
    )
    UNEVEN_ROWS = (
        "uneven_rows",
        _("expected rows of one length, found rows of {found} numbers"),
    )
    NO_NUMBERS = ("no_numbers", _("expected the numbers of a board, found none"))
    MANY_PARTS = (
        "many_parts",
        _(
            "expected a start and at most one goal, separated by an empty line, found "
            "{count} parts"
        ),
    )
    GOAL_ONLY = ("goal_only", _("expected a start before the goal, found only a goal"))
    TWO_GOALS = ("two_goals", _("expected one goal, found two"))
    NO_GOAL_BOARD = ("no_goal_board", _("expected one board as the goal, found none"))
    MANY_GOAL_BOARDS = (
        "many_goal_boards",
        _("expected one board as the goal, found {count} of them"),
    )
    IN_START = ("in_start", _("start: {fault}"))
    IN_GOAL = ("in_goal", _("goal: {fault}"))
    NUMBERS_TOO_LARGE = (
        "numbers_too_large",
        _(
            "{missing:is|are} missing and {beyond:is|are} more than {most}: a slip? "
            "otherwise give the goal with --goal"
        ),
    )
    NUMBERS_REPEAT = (
        "numbers_repeat",
        _(
            "{repeated:occurs|occur} more than once and {missing:is|are} missing: a "
            "slip? otherwise give the goal with --goal"
        ),
    )
    OTHER_SHAPE = (
        "other_shape",
        _("expected start and goal of one shape, found {one} and {other}"),
    )
    BLANK_PLACE = (
        "blank_place",
        _(
            "expected ROW,COL or one of {names} as the blank's home on a {shape} "
            "board, found {found!r}"
        ),
    )
    NO_BOARD_FILE = (
        "no_board_file",
        _("expected a board or a file, found no file {name!r}"),
    )
    NO_BOARD_IN_FILE = (
        "no_board_in_file",
        _("expected a board of numbers, found none in {name!r}"),
    )


class UsageFault(Kind):
    """Options and words of a command that do not fit."""

    REGION_OUTSIDE = (
        "region_outside",
        _("expected --region inside the screenshot of {size} px, found {found}"),
    )
    CORNERS_OUTSIDE = (
        "corners_outside",
        _(
            "expected --corners inside the screenshot of {size} px, clockwise from the "
            "top left, found {found}"
        ),
    )
    BLANK_AND_HOME = (
        "blank_and_home",
        _("expected one of --blank none and --goal-blank, found both"),
    )
    GRID_SIDES = (
        "grid_sides",
        _("expected --grid from {least} to {most} for a screenshot, found {found}"),
    )
    OTHER_GOAL_SHAPE = (
        "other_goal_shape",
        _("expected a --goal of {wanted}, as read, found {found}"),
    )
    GOAL_TWICE = (
        "goal_twice",
        _("expected one goal, found one in the board file and --goal"),
    )
    GOAL_AND_OPTION = (
        "goal_and_option",
        _("expected either a goal or {option}, found both"),
    )
    STDIN_TWICE = (
        "stdin_twice",
        _("expected '-' (standard input) once, found it twice"),
    )
    OF_SCREENSHOTS = (
        "of_screenshots",
        _("--{name} belongs to a screenshot, found a board as text"),
    )
    REFERENCE_OF_SCREENSHOTS = (
        "reference_of_screenshots",
        _(
            "--reference belongs to a screenshot, found a board as text; --image gives "
            "the picture to draw with"
        ),
    )
    NEEDS_SCREENSHOT = (
        "needs_screenshot",
        _("expected a screenshot for {option}, found a board"),
    )
    NO_PUZZLE = (
        "no_puzzle",
        _(
            "expected a screenshot, a board as text or file, or -, found none; "
            "imgpuzzle scramble makes a board: imgpuzzle scramble | imgpuzzle solve -"
        ),
    )
    NO_BOARD_GIVEN = (
        "no_board_given",
        _(
            'expected one board, found none; pass it as text, "1 2 3 / 4 0 5 / 7 8 6", '
            "as a file or as a screenshot"
        ),
    )
    TWO_PUZZLES = ("two_puzzles", _("expected one board, found {found!r} and --board"))
    NO_COMMAND = (
        "no_command",
        _("there is no command {name!r}; expected one of {names}"),
    )
    OTHER_COMMAND = (
        "other_command",
        _("there is no command {name!r}; did you mean {meant}?"),
    )
    NO_OPTION = ("no_option", _("there is no option {name}"))
    OTHER_OPTION = (
        "other_option",
        _("there is no option {name}; did you mean {meant}?"),
    )
    PUZZLE_AND_MORE = (
        "puzzle_and_more",
        _(
            "expected one puzzle, found {name!r} after it; the text of a board goes in "
            "quotes"
        ),
    )
    PUZZLE_AND_PICTURE = (
        "puzzle_and_picture",
        _(
            "expected one puzzle, found {name!r} after it; the text of a board goes in "
            "quotes, a picture of the goal with --reference"
        ),
    )
    EXTRA_WORDS = ("extra_words", _("expected nothing more, found {names}"))
    LACKING = ("lacking", _("{name} is missing"))
    VALUE_LACKING = ("value_lacking", _("a value is missing after {name}"))
    NO_VALUE_WANTED = ("no_value_wanted", _("{name} takes no value"))
    NO_REGION = (
        "no_region",
        _(
            "expected LEFT,TOP,WIDTH,HEIGHT in px such as 40,80,600,600, found "
            "{found!r}"
        ),
    )
    NO_CORNERS = (
        "no_corners",
        _(
            "expected x,y of the board's four corners in px, clockwise from the top "
            "left, such as 90,40,610,70,600,590,80,570, found {found!r}"
        ),
    )
    NO_PLACE = (
        "no_place",
        _(
            "expected ROW,COL counted from 0 (0,0 is the top left) or one of {names}, "
            "found {found!r}"
        ),
    )
    NO_BLANK = (
        "no_blank",
        _(
            "expected ROW,COL counted from 0, or none where every tile is there, "
            "found {found!r}"
        ),
    )
    NO_CELL = (
        "no_cell",
        _("expected ROW,COL counted from 0 (0,0 is the top left), found {found!r}"),
    )
    NO_SECONDS = ("no_seconds", _("expected seconds from 0, found {found!r}"))
    NO_SUCH_NAME = ("no_such_name", _("expected one of {names}, found {found!r}"))
    NO_SUCH_NAMES = ("no_such_names", _("expected some of {names}, found {found!r}"))
    NO_BYTES = ("no_bytes", _("expected bytes such as 500k or 8MB, found {found!r}"))
    LONG_TITLE = (
        "long_title",
        _("expected a title of at most {most} letters, found {found:,}"),
    )
    EMPTY_PATH = ("empty_path", _("expected a path, found an empty text"))
    PATH_WITH_NUL = ("path_with_nul", _("expected a path, found one with a NUL"))
    SLASH_AFTER_FILE = (
        "slash_after_file",
        _(
            "expected a file without a slash after it, or a folder that exists, found "
            "{found!r}"
        ),
    )
    NO_WHOLE = (
        "no_whole",
        _("expected a whole number from {least:,} to {most:,}, found {found!r}"),
    )
    NO_WHOLE_FROM = (
        "no_whole_from",
        _("expected a whole number from {least:,}, found {found!r}"),
    )
    NO_NUMBER_WITHIN = (
        "no_number_within",
        _("expected a number from {least:,} to {most:,}, found {found!r}"),
    )
    NO_NUMBER_FROM = (
        "no_number_from",
        _("expected a number from {least:,}, found {found!r}"),
    )
    NO_FLAG = ("no_flag", _("expected true or false, found {found!r}"))
    NO_TEXT = ("no_text", _("expected text, found {found!r}"))
    NO_OBJECT = ("no_object", _("expected an object, found {found!r}"))
    TWO_CELLS = ("two_cells", _("expected two cells, found {found!r}"))
    NO_ROWS = ("no_rows", _("expected rows of whole numbers, found {found!r}"))
