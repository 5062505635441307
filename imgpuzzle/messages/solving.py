"""What is said of goals, searches, and files that have to be small."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext


class Reason(Kind):
    """Why a goal cannot be reached."""

    OTHER_HALF = _(
        "no sequence of moves leads from this position to that goal: half of all "
        "arrangements can never reach it, and this is one of them"
    )
    DIFFERENT_TILES = _(
        "start and goal have different tiles: only in the start {extra}, only in "
        "the goal {lacking}"
    )
    DIFFERENT_ORDER = _(
        "on a {shape} board the tiles keep their order, and start and goal have "
        "different orders"
    )
    NONE_MISSING = _(
        "every tile is there and no cell is empty, so this is no sliding puzzle; "
        "--puzzle says which other kind it is; if a cell is empty after all, pass "
        "--blank ROW,COL, counted from 0"
    )
    NO_EXCHANGE = _("{reason}; no exchange of two neighbouring tiles mends it")
    READ_CANNOT_BE_SOLVED = _("the board as it was read cannot be solved: {reason}")
    CANNOT_BE_SOLVED = _("the board cannot be solved: {reason}")
    WHICH_PUZZLE = _(
        "every tile is there and no cell is empty: which puzzle is it? pass --puzzle "
        "with one of {names}; if a cell is empty after all, pass --blank "
        "ROW,COL, counted from 0"
    )
    CELL_EMPTY = _(
        "a cell is empty at {cell} (counted from 1), so this is a sliding puzzle: "
        "leave --puzzle out, or pass --blank none if every tile is there"
    )


class Limit(Kind):
    """Why a search ended without what was asked for."""

    NONE_THAT_SHORT = _(
        "no solution of at most {most} exists: the shortest needs at least "
        "{least}; pass --max-moves with more"
    )
    NONE_FOUND_THAT_SHORT = _(
        "no solution of at most {most} found in the time and nodes allowed: the "
        "best one has {found}, the shortest needs at least {bound}; pass "
        "--max-moves or --time-limit with more"
    )
    INTERRUPTED = _(
        "no solution found before it was interrupted: the shortest needs at least "
        "{least}; allow more time"
    )
    OUT_OF_NODES = _(
        "no solution found within {nodes} nodes: the shortest needs at least "
        "{least}; allow more nodes"
    )
    OUT_OF_MEMORY = _(
        "no solution found within {megabytes} MB of memory: the shortest needs "
        "at least {least}; allow more memory"
    )
    OUT_OF_TIME = _(
        "no solution found within {seconds:g} s: the shortest needs at least "
        "{least}; pass --time-limit with more seconds"
    )
    NOT_PROVEN = _(
        "not proven within the limits: a solution of {found} moves is known, the "
        "shortest needs at least {bound} moves; allow more time"
    )
    NOT_PROVEN_YET = _(
        "not proven before it was interrupted: a solution of {found} moves is "
        "known, the shortest needs at least {bound} moves; allow more time"
    )
    NOT_COUNTED_YET = _(
        "the shortest solutions, of {bound} moves, were not counted before it was "
        "interrupted; allow more time"
    )
    NOT_COUNTED = _(
        "the shortest solutions, of {bound} moves, were not counted in the time, "
        "nodes and memory allowed; allow more of them"
    )


class Count(Kind):
    """Lengths of solutions."""

    MOVES = ngettext("{count} move", "{count} moves")
    SLIDES = ngettext("{count} slide", "{count} slides")
    STAGES = ngettext("{count} stage", "{count} stages")


class Title(Kind):
    """What puzzles are called; those of a kind with words of its own stand there."""

    SLIDING = _("Sliding puzzle {shape}")


class Chapter(Kind):
    """Solutions in stages: their names, what to do in each, and what all costs."""

    FIRST_ROW = _("First row")
    LAST_ROW = _("Last row")
    STAGE_ROW = _("Row {row}")
    FIRST_COLUMN = _("First column")
    LAST_COLUMN = _("Last column")
    STAGE_COLUMN = _("Column {column}")
    STAGE_REST = _("Last {shape}")
    STAGE_OF_ONE_MOVE = _("{name}: move {number}")
    STAGE_OF_MOVES = _("{name}: moves {first} to {last}")
    TILES_TO_ROW = _(
        "Bring {tiles} to row {row}; the last of them go in together. From then on "
        "row {row} is not touched any more."
    )
    FILL_ROW = _(
        "Bring the tiles of row {row} there; the last of them go in together. From "
        "then on row {row} is not touched any more."
    )
    TILES_TO_COLUMN = _(
        "Bring {tiles} to column {column}; the last of them go in together. From "
        "then on column {column} is not touched any more."
    )
    FILL_COLUMN = _(
        "Bring the tiles of column {column} there; the last of them go in "
        "together. From then on column {column} is not touched any more."
    )
    ORDER_TILES = _(
        "Put {tiles} in order, here in the fewest moves. All other tiles stay "
        "where they are."
    )
    ORDER_REST = _(
        "Put the last tiles in order, here in the fewest moves. All other tiles "
        "stay where they are."
    )
    PRICE = _("{moves} in {stages}; the shortest known solution has {shortest}")
    PRICE_PROVEN = _("{moves} in {stages}; the shortest solution has {shortest}")
    PRICE_UNKNOWN = _("{moves} in {stages}; no shorter solution is known")
    PRICE_NOTHING = _("{moves} in {stages}, which is proven shortest")


class StageFault(Kind):
    """Why there is no solution in stages."""

    SINGLE_LINE = _(
        "expected a board of two rows and columns or more for stages, found "
        "{shape}; leave --stages out"
    )
    STAGES_OF_SLIDES = _(
        "stages count single moves, found the metric {metric}: leave --metric or "
        "--stages out"
    )
    STAGES_OF_FEW_MOVES = _(
        "a solution in stages has as many moves as it takes: leave --stages or "
        "--max-moves out"
    )


class Work(Kind):
    """What is being done, told while it lasts."""

    BUILDING_TABLES = _("building tables once")
    READY = _("ready")
    SOLUTION_FOUND = _("{length}, at least {bound} needed")
    DRAWING_STEPS = _("steps")
    DRAWING_SHEETS = _("sheets")
    DRAWING_ANIMATION = _("animation")
    SO_FAR = _("{found} of {count}")
    BOARDS_RATED = _("{count}, {rate}/s")
    PARTS_MEASURED = _("{found} of {count} parts")
    POSITIONS_COUNTED = ngettext("{count} position", "{count} positions")


class Economy(Kind):
    """What was given up to make files small, and how small they can be."""

    FILE = _("{name}: {notes:, }")
    STEP_PICTURES = _("step pictures")
    SHEETS = _("sheets")
    SCALED_TO = _("scaled to {size} px")
    COLOURS = _("{count} colours")
    COARSER = _("coarser compression")
    PICTURES_OF = _("pictures of {size} px")
    FULL_SIZE_KEEPS = _("--full-size keeps them")
    PICTURES_IN_ROW = _(
        "{found} pictures in a row instead of {wanted}: fewer would make them too "
        "small to be read"
    )
    SHEETS_IN_ARCHIVE = _("{count} sheets in one archive")
    SMALLEST_ANIMATION = _(
        "expected an animation of at most {most:,} bytes, the smallest that can be "
        "followed takes {least:,}; pass a larger --max-bytes"
    )
    SMALLEST_GIF = _(
        "expected an animation of at most {most:,} bytes, the smallest that can be "
        "followed takes {least:,}; pass a larger --max-bytes or take .webp"
    )
    PICTURES_A_SLIDE = ngettext(
        "{count} picture a slide instead of {full}",
        "{count} pictures a slide instead of {full}",
    )


class GuideFault(Kind):
    """Why a guide cannot be drawn or written."""

    LARGE_SHEET = _(
        "expected a sheet of at most {most} px, found {panels} steps that need "
        "more; pass a larger max_px"
    )
    UNPRINTABLE = _("expected a board that can be printed, found {shape} cells")
    NOTHING_AROUND = _("expected a screenshot to draw around the board, found none")
    TILTED_BOARD = _(
        "expected a whole board that is seen straight on, found one at an angle "
        "or cut off; draw the guide without the screenshot around it"
    )
    OTHER_TILE_PICTURE = _(
        "expected the screenshot's own tiles, found another picture for them; draw "
        "the guide without the screenshot around it"
    )
    OTHER_TILE_SIZE = _(
        "expected a board of about {wanted} px, found tiles that make {found}; "
        "draw the guide without the screenshot around it"
    )
    NO_PYAV = _(
        "MP4 needs PyAV, which is not installed: pip install av in the same "
        "environment helps; .webp and .gif need nothing more"
    )
    POOR_PILLOW = _(
        "this Pillow was built without {format}: pip install --upgrade pillow, or "
        "take .gif"
    )
