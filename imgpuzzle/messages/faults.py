"""What is wrong with pictures, files, boards and options."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _


class PictureFault(Kind):
    """Pictures, and files of any kind, that cannot be used."""

    TOO_MANY_PX = _("expected at most {most} million px, found {size} in {where}")
    FAR_TOO_MANY_PX = _(
        "expected at most {most} million px, found far more in {name!r}"
    )
    TOO_FEW_PX = _("expected a picture of at least {least} px, found {size} in {where}")
    EMPTY_FILE = _(
        "expected a picture (PNG, JPEG, WebP, GIF ...), found an empty file in {name!r}"
    )
    OTHER_FORMAT = _(
        "expected a picture (PNG, JPEG, WebP, GIF ...), found the unsupported "
        "format {format} in {name!r}"
    )
    NO_PICTURE = _(
        "expected a picture (PNG, JPEG, WebP, GIF ...), found no known picture "
        "format in {name!r}"
    )
    DAMAGED = _("expected a complete picture, could not read {name!r}: {why}")
    LONG_REFERENCE = _(
        "expected a reference at most {most} times as long as wide, found one "
        "{found} times as long"
    )
    LONG_SCREENSHOT = _(
        "expected a screenshot at most {most} times as long as wide, found {size} "
        "px; cut out the part with the board, or pass --region "
        "LEFT,TOP,WIDTH,HEIGHT"
    )
    NEITHER = _(
        "expected a screenshot or a board of numbers, found neither a picture nor "
        "a board in {name!r}"
    )
    FOLDER_AS_FILE = _("expected a file, found the folder {name!r}")
    NO_FILE = _("expected a file, found no {name!r}")
    UNREADABLE_FILE = _("could not read {name!r}: {why}")
    LARGE_FILE = _("expected at most {most} MB, found more in {name!r}")
    STDIN_CLOSED = _("expected a board or a picture on standard input, found it closed")
    STDIN_EMPTY = _("expected a board or a picture on standard input, found nothing")


class BoardFault(Kind):
    """Numbers that are no board, and goals that do not fit."""

    NO_NUMBER = _("expected numbers from 0, found {found!r}")
    TURNED_NUMBER = _(
        "expected numbers from 0, found {found!r}; r, d and l say that a tile lies "
        "turned: pass a --puzzle in which tiles turn"
    )
    OTHER_ID = _(
        "expected an id of fifteen or sixteen, such as 4x4:, or of twiddle, 3x3n2: or "
        "3x3n2o:, found {found!r}"
    )
    ONE_CELL = _("expected at least two cells, found {shape}")
    TOO_MANY_CELLS = _("expected at most {most:,} cells, such as 32x32, found {shape}")
    NO_SHAPE = _("expected ROWSxCOLUMNS such as 4x4, found {found!r}")
    CELL_OUTSIDE = _(
        "expected a cell of a {shape} board, rows and columns counted from 0 "
        "({last} is the last), found {found}"
    )
    NUMBER_COUNT = _("expected {wanted} numbers for a {shape} board, found {found}")
    NO_ZERO = _(
        "expected exactly one 0 (the blank), found 0 of them; the empty cell is "
        "typed as 0"
    )
    MANY_ZEROS = _("expected exactly one 0 (the blank), found {count} of them")
    UNEVEN_ROWS = _("expected rows of one length, found rows of {found} numbers")
    NO_NUMBERS = _("expected the numbers of a board, found none")
    MANY_PARTS = _(
        "expected a start and at most one goal, separated by an empty line, found "
        "{count} parts"
    )
    GOAL_ONLY = _("expected a start before the goal, found only a goal")
    TWO_GOALS = _("expected one goal, found two")
    NO_GOAL_BOARD = _("expected one board as the goal, found none")
    MANY_GOAL_BOARDS = _("expected one board as the goal, found {count} of them")
    IN_START = _("start: {fault}")
    IN_GOAL = _("goal: {fault}")
    NUMBERS_TOO_LARGE = _(
        "{missing:is|are} missing and {beyond:is|are} more than {most}: a slip? "
        "otherwise give the goal with --goal"
    )
    NUMBERS_REPEAT = _(
        "{repeated:occurs|occur} more than once and {missing:is|are} missing: a "
        "slip? otherwise give the goal with --goal"
    )
    OTHER_SHAPE = _("expected start and goal of one shape, found {one} and {other}")
    BLANK_PLACE = _(
        "expected ROW,COL or one of {names} as the blank's home on a {shape} "
        "board, found {found!r}"
    )
    NO_BOARD_FILE = _(
        'expected a board such as "1 2 3 / 4 0 5 / 7 8 6", or a file, found no file '
        "{name!r}"
    )
    NO_BOARD_IN_FILE = _("expected a board of numbers, found none in {name!r}")


class UsageFault(Kind):
    """Options and words of a command that do not fit."""

    REGION_OUTSIDE = _(
        "expected --region inside the screenshot of {size} px, found {found}"
    )
    CORNERS_OUTSIDE = _(
        "expected --corners inside the screenshot of {size} px, clockwise from the "
        "top left, found {found}"
    )
    BLANK_AND_HOME = _("expected one of --blank none and --goal-blank, found both")
    GRID_SIDES = _(
        "expected --grid from {least} to {most} for a screenshot, found {found}"
    )
    OTHER_GOAL_SHAPE = _("expected a --goal of {wanted}, as read, found {found}")
    NO_ZERO_OR_KIND = _(
        "expected exactly one 0 (the blank), found 0 of them; the empty cell is typed "
        "as 0; if no cell is empty, pass --puzzle with one of {names}"
    )
    GOAL_TWICE = _("expected one goal, found one in the board file and --goal")
    GOAL_AND_OPTION = _("expected either a goal or {option}, found both")
    STDIN_TWICE = _("expected '-' (standard input) once, found it twice")
    OF_SCREENSHOTS = _("--{name} belongs to a screenshot, found a board as text")
    REFERENCE_OF_SCREENSHOTS = _(
        "--reference belongs to a screenshot, found a board as text; --image gives "
        "the picture to draw with"
    )
    NEEDS_SCREENSHOT = _("expected a screenshot for {option}, found a board")
    NO_PUZZLE = _(
        "expected a screenshot, a board as text or file, or -, found none; "
        "imgpuzzle scramble makes a board: imgpuzzle scramble | imgpuzzle solve -"
    )
    NO_BOARD_GIVEN = _(
        'expected one board, found none; pass it as text, "1 2 3 / 4 0 5 / 7 8 6", '
        "as a file or as a screenshot"
    )
    TWO_PUZZLES = _("expected one board, found {found!r} and --board")
    NO_COMMAND = _("there is no command {name!r}; expected one of {names}")
    OTHER_COMMAND = _("there is no command {name!r}; did you mean {meant}?")
    NO_OPTION = _("there is no option {name}")
    OPTION_LIKE_FILE = _("there is no option {name}; the file is typed as ./{file}")
    OTHER_OPTION = _("there is no option {name}; did you mean {meant}?")
    PUZZLE_AND_MORE = _(
        "expected one puzzle, found {name!r} after it; the text of a board goes in "
        "quotes"
    )
    PUZZLE_AND_PICTURE = _(
        "expected one puzzle, found {name!r} after it; the text of a board goes in "
        "quotes, a picture of the goal with --reference"
    )
    EXTRA_WORDS = _("expected nothing more, found {names}")
    GRID_ALONE = _("expected --grid {found}, found {found} alone")
    ONLY_SLIDING = _(
        "{command} is for sliding puzzles, found --puzzle {puzzle}; solve, hint, "
        "check, scramble and batch take all kinds"
    )
    OPTION_TWICE = _("expected {name} once, found it again")
    LACKING = _("{name} is missing")
    VALUE_LACKING = _("a value is missing after {name}")
    NO_VALUE_WANTED = _("{name} takes no value")
    NO_REGION = _(
        "expected LEFT,TOP,WIDTH,HEIGHT in px such as 40,80,600,600, found {found!r}"
    )
    NO_CORNERS = _(
        "expected x,y of the board's four corners in px, clockwise from the top "
        "left, such as 90,40,610,70,600,590,80,570, found {found!r}"
    )
    NO_PLACE = _(
        "expected ROW,COL counted from 0 (0,0 is the top left) or one of {names}, "
        "found {found!r}"
    )
    NO_BLANK = _(
        "expected ROW,COL counted from 0, or none where every tile is there, "
        "found {found!r}"
    )
    NO_CELL = _(
        "expected ROW,COL counted from 0 (0,0 is the top left), found {found!r}"
    )
    NO_SECONDS = _("expected seconds from 0, found {found!r}")
    NO_SUCH_NAME = _("expected one of {names}, found {found!r}")
    NO_SUCH_NAMES = _("expected some of {names}, found {found!r}")
    NO_MOVES = _(
        "expected one move or more, such as 30, or the fewest and the most, such as "
        "30..40, found {found!r}"
    )
    NO_BYTES = _("expected bytes such as 500k or 8MB, found {found!r}")
    LONG_TITLE = _("expected a title of at most {most} letters, found {found:,}")
    EMPTY_PATH = _("expected a path, found an empty text")
    PATH_WITH_NUL = _("expected a path, found one with a NUL")
    SLASH_AFTER_FILE = _(
        "expected a file without a slash after it, or a folder that exists, found "
        "{found!r}"
    )
    NO_WHOLE = _("expected a whole number from {least} to {most}, found {found!r}")
    NO_WHOLE_FROM = _("expected a whole number from {least}, found {found!r}")
    NO_NUMBER_WITHIN = _("expected a number from {least} to {most}, found {found!r}")
    NO_NUMBER_FROM = _("expected a number from {least}, found {found!r}")
    NO_FLAG = _("expected true or false, found {found!r}")
    NO_TEXT = _("expected text, found {found!r}")
    NO_OBJECT = _("expected an object, found {found!r}")
    TWO_CELLS = _("expected two cells, found {found!r}")
    NO_MARKS = _("expected lists of four whole numbers, found {found!r}")
    NO_ROWS = _("expected rows of whole numbers, found {found!r}")
