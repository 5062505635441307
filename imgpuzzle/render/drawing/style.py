"""``Style``: how steps, sheets and animations look."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal, get_args

from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.options import OneOf
from imgpuzzle.errors import UsageError

__all__ = [
    "MOST_AHEAD",
    "MOST_TITLE",
    "Caption",
    "Coordinates",
    "Outline",
    "Style",
    "Theme",
]

Outline = Literal["auto", "always", "never"]
Caption = Literal["strip", "plate", "none"]
Coordinates = Literal["none", "letters", "numbers"]
Theme = Literal["auto", "light", "dark"]

MOST_AHEAD = 3
"""Of the moves that follow; each outline is fainter than the one before."""

MOST_TITLE = 200
"""Letters; three lines on a sheet hold no more."""


@dataclass(frozen=True, slots=True)
class Style:
    """How steps are shown. All marks combine, and grow with the tiles.

    Attributes:
        outline: Whether the tile that has to move gets a frame of dark, white and
            amber lines. ``"auto"`` draws none where the tile becomes so much brighter
            that it shows.
        arrow: Draw an arrow from that tile into the empty cell.
        brighten: How many levels (0 to 255) black is raised; brighter values rise
            less and white not at all, so that the tile can still be recognised. Of no
            effect beside ``bleach``.
        bleach: How many levels (0 to 255) are added to its values, even where the tile
            can then hardly be recognised.
        dim: All other tiles lose contrast.
        caption: ``"strip"`` adds a strip above the board with "12 of 20", the move in
            words where it fits, and a bar of progress. ``"plate"`` puts the number on
            the board's upper left corner instead, so that the picture keeps its size.
        coordinates: Names of rows and columns at the margin. ``"letters"`` calls the
            columns A, B, C ... and the rows 1, 2, 3 ..., ``"numbers"`` counts both.
        numbers: Every tile carries its number in a corner.
        ahead: How many of the moves that follow (0 to 3) are shown as fading outlines
            with the number of their step.
        theme: ``"light"`` or ``"dark"`` strips, margins and pages. ``"auto"`` is light
            on pictures, and what the reader's system prefers in the HTML guide.
        language: Of the words, ``"en"``, ``"de"`` or ``"ru"``.
        title: The heading of sheets, pages and the HTML guide, up to 200 letters.
        remark: A sentence that these show beside what is proven.
        doubtful: Strips say that the reading of the screenshot is doubtful.
        frame_ms: In animations: how long a tile is marked before it moves.
        slide_ms: How long its move takes.
        slide_frames: How many pictures a move has in between; with 0 the tile jumps.
        pause_ms: How long the start position and the solved board are shown.

    Raises:
        UsageError: For values out of range.
    """

    outline: Outline = "auto"
    arrow: bool = True
    brighten: int = 0
    bleach: int = 0
    dim: bool = False
    caption: Caption = "strip"
    coordinates: Coordinates = "none"
    numbers: bool = False
    ahead: int = 0
    theme: Theme = "auto"
    language: Annotated[str, OneOf(LANGUAGES)] = "en"
    title: str = ""
    remark: str = ""
    doubtful: bool = False
    frame_ms: int = 700
    slide_ms: int = 240
    slide_frames: int = 6
    pause_ms: int = 2000

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            default: object = item.default
            if type(value) is not type(default):
                wanted = type(default).__name__
                raise UsageError(f"expected {item.name} as {wanted}, found {value!r}")
        for name in ("brighten", "bleach"):
            if not 0 <= getattr(self, name) <= 255:
                found = getattr(self, name)
                raise UsageError(f"expected {name} from 0 to 255, found {found}")
        for name, kind in (
            ("outline", Outline),
            ("caption", Caption),
            ("coordinates", Coordinates),
            ("theme", Theme),
        ):
            value, known = getattr(self, name), get_args(kind)
            if value not in known:
                raise UsageError(
                    f"expected {name} of {', '.join(known)}, found {value!r}"
                )
        if not 0 <= self.ahead <= MOST_AHEAD:
            raise UsageError(
                f"expected ahead from 0 to {MOST_AHEAD}, found {self.ahead}"
            )
        if len(self.title) > MOST_TITLE:
            raise UsageError(
                f"expected a title of at most {MOST_TITLE} letters, "
                f"found {len(self.title):,}"
            )
        if any("\ud800" <= letter <= "\udfff" for letter in self.title):
            raise UsageError("expected a title of letters, found half a surrogate pair")
        if self.slide_frames < 0:
            raise UsageError(f"expected slide_frames from 0, found {self.slide_frames}")
        for name in ("frame_ms", "slide_ms", "pause_ms"):
            value = getattr(self, name)
            # A GIF counts hundredths of a second in 16 bits.
            if not 20 <= value <= 600_000:
                raise UsageError(f"expected {name} from 20 to 600000, found {value}")

    def __repr__(self) -> str:
        given = (
            f"{item.name}={value!r}"
            for item in fields(self)
            if (value := getattr(self, item.name)) != item.default
        )
        return f"Style({', '.join(given)})"

    def naming(self) -> Naming:
        """How sentences name tiles and cells."""
        return Naming(self.language, self.numbers, self.coordinates == "letters")

    def on_tiles(self, *, numbered: bool) -> Style:
        """The style for some tiles.

        Args:
            numbered: Whether the tiles show their numbers by themselves. Sentences then
                call tiles by number; no second number is drawn.
        """
        return replace(self, numbers=True) if numbered else self
