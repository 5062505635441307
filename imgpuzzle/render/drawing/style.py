"""``Style``: how steps, sheets and animations look."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Literal
from unicodedata import category

from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.options import LOOK
from imgpuzzle.messages import Message, UsageFault
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.spec import OneOf, Option, Within, Written, check

Outline = Literal["auto", "always", "never"]
Caption = Literal["strip", "plate", "none"]
Coordinates = Literal["none", "letters", "numbers"]
Theme = Literal["auto", "light", "dark"]

MOST_AHEAD = 3
"""Of the moves that follow; each outline is fainter than the one before."""

_MS = Within(20, 600_000)
"""A GIF counts hundredths of a second in 16 bits."""

MOST_TITLE = 200
"""Letters; three lines on a sheet hold no more."""


def _title(text: Any) -> str | Message:
    """One line of text, as long as a heading may be."""
    if not isinstance(text, str):
        return Message(UsageFault.NO_TEXT, found=str(text)[:60])
    # Control characters, and bytes that are no text, show nowhere; a space that does
    # not break stays one.
    shown = (" " if category(one) in ("Cc", "Cs", "Zl", "Zp") else one for one in text)
    line = " ".join(filter(None, "".join(shown).split(" "))).strip()
    if len(line) > MOST_TITLE:
        return Message(UsageFault.LONG_TITLE, most=MOST_TITLE, found=len(line))
    return line


@dataclass(frozen=True, slots=True)
class Style:
    """How steps are shown. All marks combine, and grow with the tiles.

    Attributes:
        outline: Whether the tile that has to move gets a frame of dark, white and
            amber lines. ``"auto"`` draws none where the tile becomes so much brighter
            that it shows.
        arrow: Draw an arrow from that tile into the empty cell.
        brighten: How many levels (0 to 255) are added to its values, even where the
            tile can then hardly be recognised.
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
        title: The heading of sheets, pages and texts, up to 200 letters.
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
    brighten: Annotated[int, Within(0, 255)] = 0
    caption: Annotated[
        Caption,
        Option(
            "--caption",
            "Where steps are numbered: above the board, on it, nowhere. Sheets always "
            "number them above.",
            LOOK,
            "moving steps",
            labels=(_("Step number"), _("Strip above"), _("On the board"), _("None")),
        ),
    ] = "strip"
    coordinates: Annotated[
        Coordinates,
        Option(
            "--coordinates",
            "Names of columns and rows at the margin: A B C and 1 2 3, or numbers.",
            LOOK,
            labels=(_("Rows and columns"), _("No names"), _("A 1, B 2"), "1 1, 2 2"),
        ),
    ] = "none"
    numbers: Annotated[
        bool,
        Option(
            "--numbers",
            "Every tile shows its number.",
            LOOK,
            labels=(_("Numbers on the tiles"),),
        ),
    ] = False
    ahead: Annotated[
        int,
        Within(0, MOST_AHEAD),
        Option(
            "--ahead",
            "Outline the tiles of the N moves that follow.",
            LOOK,
            "marked",
            labels=(_("Moves shown ahead"), _("None")),
            offered=(0, 1, 2, 3),
        ),
    ] = 0
    theme: Annotated[
        Theme,
        Option(
            "--theme",
            "Of captions, margins, sheets and the page for the browser; auto is light, "
            "and in a browser what the reader's system prefers.",
            LOOK,
            # A PDF is for paper, which is light.
            "moving steps sheets page",
            labels=(_("Colours"), _("Automatic"), _("Light"), _("Dark")),
        ),
    ] = "auto"
    language: Annotated[str, OneOf(LANGUAGES)] = "en"
    title: Annotated[
        str,
        Written(_title),
        Option(
            "--title",
            f"A heading for sheets, pages and texts, of at most {MOST_TITLE} letters.",
            LOOK,
            "sheets paper page steps text",
            "TEXT",
            labels=(_("Title"),),
        ),
    ] = ""
    remark: str = ""
    doubtful: bool = False
    frame_ms: Annotated[int, _MS] = 700
    slide_ms: Annotated[int, _MS] = 240
    slide_frames: Annotated[int, Within(0)] = 6
    pause_ms: Annotated[int, _MS] = 2000

    def __post_init__(self) -> None:
        check(self)

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
