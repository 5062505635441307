"""What is said of goals, searches, and files that have to be small."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.messages.message import sentences as ngettext

__all__ = [
    "Chapter",
    "Count",
    "Economy",
    "GuideFault",
    "Limit",
    "Reason",
    "StageFault",
    "Work",
]


class Reason(Kind):
    """Why a goal cannot be reached."""

    OTHER_HALF = (
        "other_half",
        _(
            "no sequence of moves leads from this position to that goal: half of all "
            "arrangements can never reach it, and this is one of them"
        ),
    )
    DIFFERENT_TILES = (
        "different_tiles",
        _(
            "start and goal have different tiles: only in the start {extra}, only in "
            "the goal {lacking}"
        ),
    )
    DIFFERENT_ORDER = (
        "different_order",
        _(
            "on a {shape} board the tiles keep their order, and start and goal have "
            "different orders"
        ),
    )
    NONE_MISSING = (
        "none_missing",
        _(
            "every tile is there and no cell is empty, so this is no sliding puzzle; "
            "if a cell is empty after all, pass --blank ROW,COL"
        ),
    )
    NO_EXCHANGE = (
        "no_exchange",
        _("{reason}; no exchange of two neighbouring tiles mends it"),
    )
    READ_CANNOT_BE_SOLVED = (
        "read_cannot_be_solved",
        _("the board as it was read cannot be solved: {reason}"),
    )
    CANNOT_BE_SOLVED = ("cannot_be_solved", _("the board cannot be solved: {reason}"))


class Limit(Kind):
    """Why a search ended without what was asked for."""

    NONE_THAT_SHORT = (
        "none_that_short",
        _(
            "no solution of at most {most} exists: the shortest needs at least "
            "{least}; pass --max-moves with more"
        ),
    )
    NONE_FOUND_THAT_SHORT = (
        "none_found_that_short",
        _(
            "no solution of at most {most} found in the time and nodes allowed: the "
            "best one has {found}, the shortest needs at least {bound}; pass "
            "--max-moves or --time-limit with more"
        ),
    )
    INTERRUPTED = (
        "interrupted",
        _(
            "no solution found before it was interrupted: the shortest needs at least "
            "{least}; allow more time"
        ),
    )
    OUT_OF_NODES = (
        "out_of_nodes",
        _(
            "no solution found within {nodes} nodes: the shortest needs at least "
            "{least}; allow more nodes"
        ),
    )
    OUT_OF_MEMORY = (
        "out_of_memory",
        _(
            "no solution found within {megabytes} MB of memory: the shortest needs "
            "at least {least}; allow more memory"
        ),
    )
    OUT_OF_TIME = (
        "out_of_time",
        _(
            "no solution found within {seconds:g} s: the shortest needs at least "
            "{least}; pass --time-limit with more seconds"
        ),
    )
    OUT_OF_SLIDES = (
        "out_of_slides",
        _(
            "no solution found of so few slides: the shortest needs at least {least}; "
            "allow more"
        ),
    )
    NOT_PROVEN = (
        "not_proven",
        _(
            "not proven within the limits: a solution of {found} moves is known, the "
            "shortest needs at least {bound} moves; allow more time"
        ),
    )
    NOT_PROVEN_YET = (
        "not_proven_yet",
        _(
            "not proven before it was interrupted: a solution of {found} moves is "
            "known, the shortest needs at least {bound} moves; allow more time"
        ),
    )
    NOT_COUNTED_YET = (
        "not_counted_yet",
        _(
            "the shortest solutions, of {bound} moves, were not counted before it was "
            "interrupted; allow more time"
        ),
    )
    NOT_COUNTED = (
        "not_counted",
        _(
            "the shortest solutions, of {bound} moves, were not counted in the time, "
            "nodes and memory allowed; allow more of them"
        ),
    )


class Count(Kind):
    """Lengths of solutions."""

    MOVES = ("moves", *ngettext("{count} move", "{count} moves"))
    SLIDES = ("slides", *ngettext("{count} slide", "{count} slides"))
    STAGES = ("stages", *ngettext("{count} stage", "{count} stages"))


class Chapter(Kind):
    """Solutions in stages: their names, what to do in each, and what all costs."""

    FIRST_ROW = ("first_row", _("First row"))
    LAST_ROW = ("last_row", _("Last row"))
    STAGE_ROW = ("stage_row", _("Row {row}"))
    FIRST_COLUMN = ("first_column", _("First column"))
    LAST_COLUMN = ("last_column", _("Last column"))
    STAGE_COLUMN = ("stage_column", _("Column {column}"))
    STAGE_REST = ("stage_rest", _("Last {shape}"))
    STAGE_OF_ONE_MOVE = ("stage_of_one_move", _("{name}: move {number}"))
    STAGE_OF_MOVES = ("stage_of_moves", _("{name}: moves {first} to {last}"))
    TILES_TO_ROW = (
        "tiles_to_row",
        _(
            "Bring {tiles} to row {row}; the last of them go in together. From then on "
            "row {row} is not touched any more."
        ),
    )
    FILL_ROW = (
        "fill_row",
        _(
            "Bring the tiles of row {row} there; the last of them go in together. From "
            "then on row {row} is not touched any more."
        ),
    )
    TILES_TO_COLUMN = (
        "tiles_to_column",
        _(
            "Bring {tiles} to column {column}; the last of them go in together. From "
            "then on column {column} is not touched any more."
        ),
    )
    FILL_COLUMN = (
        "fill_column",
        _(
            "Bring the tiles of column {column} there; the last of them go in "
            "together. From then on column {column} is not touched any more."
        ),
    )
    ORDER_TILES = (
        "order_tiles",
        _(
            "Put {tiles} in order, here in the fewest moves. All other tiles stay "
            "where they are."
        ),
    )
    ORDER_REST = (
        "order_rest",
        _(
            "Put the last tiles in order, here in the fewest moves. All other tiles "
            "stay where they are."
        ),
    )
    PRICE = (
        "price",
        _("{moves} in {stages}; the shortest known solution has {shortest}"),
    )
    PRICE_PROVEN = (
        "price_proven",
        _("{moves} in {stages}; the shortest solution has {shortest}"),
    )
    PRICE_UNKNOWN = (
        "price_unknown",
        _("{moves} in {stages}; no shorter solution is known"),
    )
    PRICE_NOTHING = (
        "price_nothing",
        _("{moves} in {stages}, which is proven shortest"),
    )


class StageFault(Kind):
    """Why there is no solution in stages."""

    SINGLE_LINE = (
        "single_line",
        _(
            "expected a board of two rows and columns or more for stages, found "
            "{shape}; leave --stages out"
        ),
    )
    STAGES_OF_SLIDES = (
        "stages_of_slides",
        _(
            "stages count single moves, found the metric {metric}: leave --metric or "
            "--stages out"
        ),
    )
    STAGES_OF_FEW_MOVES = (
        "stages_of_few_moves",
        _(
            "a solution in stages has as many moves as it takes: leave --stages or "
            "--max-moves out"
        ),
    )


class Work(Kind):
    """What is done before a search begins."""

    BUILDING_TABLES = ("building_tables", _("building tables once"))
    READY = ("ready", _("ready"))


class Economy(Kind):
    """What was given up to make files small, and how small they can be."""

    FILE = ("file", _("{name}: {notes:, }"))
    STEP_PICTURES = ("step_pictures", _("step pictures"))
    SHEETS = ("sheets", _("sheets"))
    SCALED_TO = ("scaled_to", _("scaled to {size} px"))
    COLOURS = ("colours", _("{count} colours"))
    COARSER = ("coarser", _("coarser compression"))
    PICTURES_OF = ("pictures_of", _("pictures of {size} px"))
    ABOUT_MB = ("about_mb", _("about {size} MB"))
    LESS_WITHOUT_FULL_SIZE = ("less_without_full_size", _("less without --full-size"))
    FULL_SIZE_KEEPS = ("full_size_keeps", _("--full-size keeps them"))
    PICTURES_IN_ROW = (
        "pictures_in_row",
        _(
            "{found} pictures in a row instead of {wanted}: fewer would make them too "
            "small to be read"
        ),
    )
    SHEETS_IN_ARCHIVE = ("sheets_in_archive", _("{count} sheets in one archive"))
    SMALLEST_ANIMATION = (
        "smallest_animation",
        _(
            "expected an animation of at most {most:,} bytes, the smallest that can be "
            "followed takes {least:,}; pass a larger --max-bytes"
        ),
    )
    SMALLEST_GIF = (
        "smallest_gif",
        _(
            "expected an animation of at most {most:,} bytes, the smallest that can be "
            "followed takes {least:,}; pass a larger --max-bytes or take .webp"
        ),
    )
    PICTURES_A_SLIDE = (
        "pictures_a_slide",
        *ngettext(
            "{count} picture a slide instead of {full}",
            "{count} pictures a slide instead of {full}",
        ),
    )


class GuideFault(Kind):
    """Why a guide cannot be drawn or written."""

    LARGE_SHEET = (
        "large_sheet",
        _(
            "expected a sheet of at most {most} px, found {panels} steps that need "
            "more; pass a larger max_px"
        ),
    )
    UNPRINTABLE = (
        "unprintable",
        _("expected a board that can be printed, found {shape} cells"),
    )
    NOTHING_AROUND = (
        "nothing_around",
        _("expected a screenshot to draw around the board, found none"),
    )
    TILTED_BOARD = (
        "tilted_board",
        _(
            "expected a whole board that is seen straight on, found one at an angle "
            "or cut off; draw the guide without the screenshot around it"
        ),
    )
    OTHER_TILE_PICTURE = (
        "other_tile_picture",
        _(
            "expected the screenshot's own tiles, found another picture for them; draw "
            "the guide without the screenshot around it"
        ),
    )
    OTHER_TILE_SIZE = (
        "other_tile_size",
        _(
            "expected a board of about {wanted} px, found tiles that make {found}; "
            "draw the guide without the screenshot around it"
        ),
    )
    NO_PYAV = (
        "no_pyav",
        _(
            "MP4 needs PyAV, which is not installed: pip install av in the same "
            "environment helps; .webp and .gif need nothing more"
        ),
    )
    POOR_PILLOW = (
        "poor_pillow",
        _(
            "this Pillow was built without {format}: pip install --upgrade pillow, or "
            "take .gif"
        ),
    )
