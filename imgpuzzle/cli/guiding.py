"""What the guide looks like and where it goes: options of ``imgpuzzle solve``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgpuzzle.cli.options import (
    BytesType,
    ChoiceType,
    NumberRange,
    OutputType,
    SubsetType,
    TitleType,
    WholeRange,
    language,
    option_section,
    stack,
)

if TYPE_CHECKING:
    from imgpuzzle.render.style import Style

__all__ = ["GuideOptions", "guide_options", "style_of"]

MARKS = ("outline", "arrow", "brighten", "bleach", "dim")

BRIGHTER, BLEACHED = 128, 100
"""The levels of ``brighten``, half-way to white, and those of ``bleach``."""


_files = option_section("Files")
_look = option_section("Look of steps, sheets and animations")
_motion = option_section("Animations")

guide_options = stack(
    _files(
        "-o",
        "--output",
        type=OutputType(),
        multiple=True,
        metavar="PATH",
        help="Where the guide goes: a folder for all files, by default solution/ "
        "beside the input, or solution-2/ ... when that holds files; or a file, whose "
        "suffix says as what: .gif .webp .avif .apng .mp4 .png .pdf .html .txt .md "
        ".zip .json. A folder and a .zip hold the step pictures, and guide.md that "
        "shows them in a wiki. May be given several times.",
    ),
    _files("--no-files", is_flag=True, help="Write no files."),
    _files(
        "--columns",
        type=WholeRange(1, 1000),
        help="Pictures in a row of a sheet.  [default: 5]",
    ),
    _files(
        "--gap",
        type=WholeRange(0, 1000),
        default=30,
        show_default=True,
        metavar="PX",
        help="Between the pictures of the sheet.",
    ),
    _files(
        "--per-page",
        type=WholeRange(1, 10_000),
        metavar="N",
        help="Pictures a sheet, or a page of a PDF, which they fill. By default a "
        "sheet has 12 to 30, by the size of the board; more make several, "
        "sheet_1.png and so on.",
    ),
    _files(
        "--compact",
        is_flag=True,
        help="One picture on sheets for each run of moves in a straight line.",
    ),
    _files(
        "--paper",
        type=ChoiceType(["a4", "letter"]),
        default="a4",
        show_default=True,
        help="Of a PDF.",
    ),
    _files(
        "--few-colours",
        is_flag=True,
        help="Step pictures of 256 colours: a third of the bytes. Those of more than "
        "40 moves, and of folders that would be too large, have no more anyway.",
    ),
    _files(
        "--full-size",
        is_flag=True,
        help="All pictures as large and fine as the board, however many bytes they "
        "take. Without it a folder stays below 8 MB for 30 moves and below 20 MB up to "
        "300, and any other file below 100 MB.",
    ),
    _look(
        "--highlight",
        type=SubsetType(MARKS),
        default="outline,arrow",
        show_default=True,
        metavar="MARKS",
        help="How the tile to move is shown: outline, arrow, brighten (tiles that are "
        "nearly white get an outline instead), bleach (much brighter, even if little "
        "is left to see), dim (the others); several with commas.",
    ),
    _look(
        "--caption",
        type=ChoiceType(["strip", "plate", "none"]),
        default="strip",
        show_default=True,
        help="Where steps are numbered: above the board, on it, nowhere. Sheets "
        "always number them above.",
    ),
    _look(
        "--coordinates",
        type=ChoiceType(["none", "letters", "numbers"]),
        default="none",
        show_default=True,
        help="Names of columns and rows at the margin: A B C and 1 2 3, or numbers.",
    ),
    _look("--numbers", is_flag=True, help="Every tile shows its number."),
    _look(
        "--ahead",
        type=WholeRange(0, 3),
        default=0,
        show_default=True,
        metavar="N",
        help="Outline the tiles of the N moves that follow.",
    ),
    _look(
        "--theme",
        type=ChoiceType(["auto", "light", "dark"]),
        default="auto",
        show_default=True,
        help="Of captions, margins, sheets and the page for the browser; auto is "
        "light, and in a browser what the reader's system prefers.",
    ),
    _look(
        "--title",
        type=TitleType(),
        default="",
        metavar="TEXT",
        help="A heading for sheets and pages, of at most 200 letters.",
    ),
    _look(
        "--language",
        help="Of the guide and the answer; by default the system's, if it is one of "
        "these.",
        **language,
    ),
    _motion(
        "--speed",
        type=NumberRange(0.05, 100),
        default=1.0,
        show_default=True,
        metavar="X",
        help="2 is twice as fast.",
    ),
    _motion(
        "--fps",
        type=NumberRange(1, 100),
        metavar="N",
        help="Pictures a second while a tile slides; by default about 25.",
    ),
    _motion(
        "--size",
        type=WholeRange(48, 8000),
        metavar="PX",
        help="The longer side; by default that of the board, at most 900.",
    ),
    _motion(
        "--max-bytes",
        type=BytesType(),
        metavar="BYTES",
        help="Make animations small enough: 500k, 8MB.",
    ),
    _motion(
        "--in-screenshot",
        is_flag=True,
        help="Steps and animations show the whole screenshot.",
    ),
    _motion(
        "--crop",
        type=WholeRange(0, 10_000),
        metavar="PX",
        help="Like --in-screenshot, but with no more than PX around the board, "
        "so without your address bar.",
    ),
)


@dataclass(frozen=True)  # without slots, to be combined with other options
class GuideOptions:
    """What ``guide_options`` gave."""

    output: tuple[Path, ...]
    no_files: bool
    columns: int | None
    gap: int
    per_page: int | None
    compact: bool
    paper: str
    few_colours: bool
    full_size: bool
    highlight: str
    caption: Any
    coordinates: Any
    numbers: bool
    ahead: int
    theme: Any
    title: str
    language: str | None
    speed: float
    fps: float | None
    size: int | None
    max_bytes: int | None
    in_screenshot: bool
    crop: int | None

    @property
    def shows_screenshot(self) -> bool:
        """Whether the board is drawn where it is in the screenshot."""
        return self.in_screenshot or self.crop is not None


def style_of(given: GuideOptions) -> Style:
    """The look that the options describe."""
    from imgpuzzle.language import choose_language
    from imgpuzzle.render.animation import timed
    from imgpuzzle.render.style import Style

    marks = given.highlight.split(",")
    bleached = "bleach" in marks
    # Tiles that are too bright for it get an outline by themselves.
    outline: Any = "auto" if "brighten" in marks and not bleached else "never"
    if "outline" in marks:
        outline = "always"
    style = Style(
        outline=outline,
        arrow="arrow" in marks,
        brighten=BRIGHTER if "brighten" in marks else 0,
        bleach=BLEACHED if bleached else 0,
        dim="dim" in marks,
        caption=given.caption,
        coordinates=given.coordinates,
        numbers=given.numbers,
        ahead=given.ahead,
        theme=given.theme,
        language=choose_language(given.language),
        title=given.title,
    )
    return timed(style, fps=given.fps, speed=given.speed)
