"""What is to be said of a screenshot: doubts, remarks, and why there is no board."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _


class Doubt(Kind):
    """Why a reading is not certain.

    ``GOAL`` and ``WAY_UP`` alone leave how the tiles lie certain.
    """

    ARRANGEMENT = _("another arrangement explains the picture nearly as well")
    GOAL = _("the numbers do not say which goal the game has")
    WAY_UP = _("nothing says which way up the picture is")
    BLANK_HOME = _("the picture speaks against the given place of the blank")
    SLIDING_TILE = _(
        "a tile is half way through its slide; take the screenshot again when "
        "nothing moves"
    )
    BLANK_LIKE_PIECE = _("the empty cell looks like a piece of the picture, too")
    BLANK_PARTLY_SHOWN = _("the empty cell partly shows what belongs there")
    TILE_MISSING = _(
        "a cell may be empty, or every tile may be there, so that this is no "
        "sliding puzzle; --blank ROW,COL, counted from 0, or --blank none says which"
    )
    SOLVED_GRID = _(
        "all tiles are at home, so nothing but the hole shows the grid; if it is "
        "solved, --grid confirms it"
    )
    SOLVED_OR_NO_BOARD = _(
        "all tiles are at home already, or this is no board; if your board is "
        "solved, a --reference confirms it, or --grid ROWSxCOLUMNS together with "
        "--region LEFT,TOP,WIDTH,HEIGHT of the whole board"
    )
    SOLVED_WITHOUT_CORNER = _(
        "all tiles are at home, but the empty cell is in no corner"
    )
    CUT_OFF = _("the board is cut off by the edge of the screenshot")
    PART_OF_LARGER = _(
        "the picture goes on beyond these tiles, so the board may be larger; pass "
        "--grid"
    )
    TILES_BESIDE = _(
        "more tiles of this size lie beside these, so the board may be larger; "
        "pass --grid ROWSxCOLUMNS and --region LEFT,TOP,WIDTH,HEIGHT of all of it"
    )
    TURNS = _(
        "some tiles could lie turned another way; a reference, or a sharper one, helps"
    )
    STRANGE_TILES = _("some tiles do not look like any part of the reference")
    POOR_MATCH = _(
        "the tiles match the reference poorly ({colours:.0%} of the colours and "
        "{details:.0%} of the details unexplained)"
    )
    POOR_JOINS = _(
        "the tiles do not join well, whichever way they are put together; there may be "
        "another grid, or no board"
    )
    OTHER_GRID = _(
        "{one} and {other} explain the picture equally well; pass --grid {one} or "
        "--grid {other}"
    )
    UNLIKELY_GRID = _(
        "hardly anything shows this grid, so there may be no board; if there is "
        "one, pass --grid ROWSxCOLUMNS"
    )
    STRAY_TILES = _(
        "some tiles join with none of those beside them, so the board may be "
        "larger; take a screenshot of all of it, or pass --grid ROWSxCOLUMNS and "
        "--region LEFT,TOP,WIDTH,HEIGHT of all of it"
    )
    PICTURE_IN_OTHER_ORDER = _(
        "the picture under the numbers joins better in another order than theirs"
    )
    EQUAL_TILES = _("some tiles look the same, so their places are a guess")
    CHANGED_TILES = _(
        "some tiles look different from the earlier screenshot, or something "
        "covers them"
    )
    OTHER_TILES = _("these are not the tiles of the earlier screenshot")


class Note(Kind):
    """Remarks about a reading that cast no doubt."""

    REFERENCE_LEFT_OUT = _(
        "the numbers on the tiles were read; the reference was left out"
    )
    WITHOUT_REFERENCE = _(
        "the solved picture does not seem to fit (the game may show only a part of "
        "it), so the board was read without it; leave --reference out"
    )
    NUMBERS_AGAINST_PICTURE = _("the numbers on the tiles do not follow the picture")
    CORRECTED = _("corrected by hand")


class Refusal(Kind):
    """Why a screenshot gives no reading, or none to rely on."""

    NO_BOARD = _(
        "expected a board, found none; pass --region LEFT,TOP,WIDTH,HEIGHT and "
        "--grid ROWSxCOLUMNS, or a --reference PICTURE of the solved puzzle; "
        "imgpuzzle solve takes the numbers as text, too"
    )
    NO_PIECES = _(
        "expected a board that shows pieces of the reference, found none: perhaps "
        "an edge of the screenshot cuts it off, or the reference belongs to "
        "another puzzle; pass --region LEFT,TOP,WIDTH,HEIGHT and --grid "
        "ROWSxCOLUMNS, or another --reference"
    )
    COMPLETE_PICTURE = _(
        "expected a board in play, found the picture of the reference complete at "
        "{place}: it is solved already, or it only shows the goal; if the board "
        "lies elsewhere, pass --region LEFT,TOP,WIDTH,HEIGHT and --grid "
        "ROWSxCOLUMNS"
    )
    TWO_GRIDS = _(
        "found {one} and {other} equally likely; pass --grid {one} or --grid {other}"
    )
    TWO_BOARDS = _(
        "expected one board, found two, at {one} and at {other}; pass one of them "
        "as --region"
    )
    TWO_MATCHES = _(
        "expected one board, found two that fit the reference, at {one} and at "
        "{other}; pass one of them as --region"
    )
    UNCERTAIN = _("the reading is doubtful: {doubts}; {help}")
    GOAL_ASKED = _("the tiles are read, but not their goal: {doubts}; {help}")
    UNCERTAIN_AT = _(
        "the reading is doubtful at {cells} (counted from 1): {doubts}; {help}"
    )
    UNCERTAIN_IN_MANY = _(
        "the reading is doubtful in {count} of {size} cells: {doubts}; {help}"
    )


class Term(Kind):
    """Parts of other messages, and what is put around them."""

    OF_FIELD = _("{name}: {fault}")
    CELL = _("row {row}, column {column}")
    HELP_ASSEMBLED = _(
        "a --reference, --grid or --region may help; --assembled FILE.png shows "
        "the goal as it was pieced together, --goal corrects it, --trust takes it"
    )
    HELP_DRAWN = _(
        "a --reference, --grid or --region may help; --goal corrects the goal as it "
        "was pieced together, --trust takes it"
    )
    HELP_ANSWERS = _(
        "which one is the solved picture? --assembled FILE.png draws them side by "
        "side; then pass --answer and its number, 1 to {most}; if it is none of "
        "them, --reference or --goal helps"
    )
    HELP_GOALS = _(
        "which goal is it? --assembled FILE.png draws them side by side; then pass "
        "--answer and its number, 1 to {most}; for another one pass --goal-layout "
        "and --goal-blank"
    )
    HELP_WHOLE = _(
        "a sharp --reference, --grid or --region may help, --trust takes it as it is"
    )
    HELP_REFERENCE = _(
        "a --reference, --grid, --region or --goal-blank may help, --trust takes "
        "it as it is"
    )
    HELP_SHARPER_REFERENCE = _(
        "a sharper --reference, --grid, --region or --goal-blank may help, --trust "
        "takes it as it is"
    )
