"""The words of the page of ``imgpuzzle web``, by the names that its scripts use.

They stand in ``page.toml``, a row each, and are translated with all others, in
``imgpuzzle/locale``; what the guides say, too, is translated once. ``error_<kind>`` and
``say_<kind>`` are how the page words a ``Kind``, for players instead of for those who
type options.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from imgpuzzle.messages.solving import Chapter, Count

__all__ = ["PAGE", "PAGE_TABLE"]

PAGE_TABLE = Path(__file__).with_name("page.toml")

_STAGES = {
    "stages_price": Chapter.PRICE,
    "stages_price_proven": Chapter.PRICE_PROVEN,
    "stages_price_unknown": Chapter.PRICE_UNKNOWN,
    "stages_price_nothing": Chapter.PRICE_NOTHING,
    "stage_first_row": Chapter.FIRST_ROW,
    "stage_last_row": Chapter.LAST_ROW,
    "stage_row": Chapter.STAGE_ROW,
    "stage_first_column": Chapter.FIRST_COLUMN,
    "stage_last_column": Chapter.LAST_COLUMN,
    "stage_column": Chapter.STAGE_COLUMN,
    "stage_rest": Chapter.STAGE_REST,
    "stage_one_move": Chapter.STAGE_OF_ONE_MOVE,
    "stage_moves": Chapter.STAGE_OF_MOVES,
    "stage_tiles_to_row": Chapter.TILES_TO_ROW,
    "stage_fill_row": Chapter.FILL_ROW,
    "stage_tiles_to_column": Chapter.TILES_TO_COLUMN,
    "stage_fill_column": Chapter.FILL_COLUMN,
    "stage_order_tiles": Chapter.ORDER_TILES,
    "stage_order_rest": Chapter.ORDER_REST,
}
"""What guides say in the same words."""

_NUMBERS = {
    "ahead": (1, 2, 3),
    "columns": (3, 4, 5, 6, 8),
    "per_page": (6, 12, 20, 30),
}
"""Choices of options that need no words."""

PAGE: dict[str, str | tuple[str, str]] = {
    **{
        name: text if isinstance(text, str) else (text[0], text[1])
        for name, text in tomllib.loads(PAGE_TABLE.read_text("utf-8")).items()
    },
    **{name: chapter.text for name, chapter in _STAGES.items()},
    "stages": (Count.STAGES.text, Count.STAGES.several),
    **{
        f"option_{name}_{number}": str(number)
        for name, numbers in _NUMBERS.items()
        for number in numbers
    },
    "option_coordinates_numbers": "1 1, 2 2",
    "grid_size": "{rows}\xa0×\xa0{cols}",
}
