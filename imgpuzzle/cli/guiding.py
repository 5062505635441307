"""What the guide looks like and where it goes: options of ``imgpuzzle solve``."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from imgpuzzle.cli import report
from imgpuzzle.cli.options import (
    AboveZeroType,
    BytesType,
    PathType,
    SubsetType,
    option_section,
    stack,
)
from imgpuzzle.cli.terminal import note, progress_bar, unwinding_when_terminated
from imgpuzzle.errors import OutputError, UsageError

if TYPE_CHECKING:
    from imgpuzzle.outputs import SaveOptions
    from imgpuzzle.pipeline import Guide
    from imgpuzzle.render.style import Style

__all__ = ["GuideOptions", "check_outputs", "guide_options", "write_guide"]

MARKS = ("brighten", "outline", "dim", "arrow")
_OTHER_FILES = {
    *(
        ".avi",
        ".bmp",
        ".csv",
        ".doc",
        ".docx",
        ".heic",
        ".htm",
        ".ico",
        ".jpeg",
        ".jpg",
    ),
    *(".mkv", ".mov", ".odt", ".ps", ".rtf", ".svg", ".tif", ".tiff", ".webm"),
}
"""Nobody calls a folder that."""

SHOWN_AFTER = 0.7
"""Seconds after which drawing is long work that wants a bar."""


_files = option_section("Files")
_look = option_section("Look of steps, sheets and animations")
_motion = option_section("Animations")

guide_options = stack(
    _files(
        "--output",
        type=PathType(),
        multiple=True,
        metavar="PATH",
        help="Where the guide goes: a folder for all files, by default solution/ "
        "beside the input, or solution-2/ ... when that holds files; or a file, whose "
        "suffix says as what: .gif .webp .avif .apng .mp4 .png .pdf .html .txt .md "
        ".zip .json. May be given several times.",
    ),
    _files("--no-files", is_flag=True, help="Write no files."),
    _files(
        "--columns",
        type=click.IntRange(1, 1000),
        default=5,
        show_default=True,
        help="Pictures in a row of the sheet.",
    ),
    _files(
        "--gap",
        type=click.IntRange(0, 1000),
        default=30,
        show_default=True,
        metavar="PX",
        help="Between the pictures of the sheet.",
    ),
    _files(
        "--per-page",
        type=click.IntRange(1, 10_000),
        metavar="N",
        help="Pictures a sheet; more make several sheets.",
    ),
    _files(
        "--compact",
        is_flag=True,
        help="One picture on sheets for each run of moves in a straight line.",
    ),
    _files(
        "--paper",
        type=click.Choice(["a4", "letter"]),
        default="a4",
        show_default=True,
        help="Of a PDF.",
    ),
    _files(
        "--few-colours",
        is_flag=True,
        help="Step pictures of 256 colours: a third of the bytes.",
    ),
    _look(
        "--highlight",
        type=SubsetType(MARKS),
        default="brighten",
        show_default=True,
        metavar="MARKS",
        help="How the tile to move is shown: brighten, outline, dim (the others), "
        "arrow; several with commas.",
    ),
    _look(
        "--caption",
        type=click.Choice(["strip", "plate", "none"]),
        default="strip",
        show_default=True,
        help="Where steps are numbered: above the board, on it, nowhere.",
    ),
    _look(
        "--coordinates",
        type=click.Choice(["none", "letters", "numbers"]),
        default="none",
        show_default=True,
        help="Names of columns and rows at the margin: A B C and 1 2 3, or numbers.",
    ),
    _look("--numbers", is_flag=True, help="Every tile shows its number."),
    _look(
        "--ahead",
        type=click.IntRange(0, 3),
        default=0,
        show_default=True,
        metavar="N",
        help="Outline the tiles of the N moves that follow.",
    ),
    _look(
        "--theme",
        type=click.Choice(["light", "dark"]),
        default="light",
        show_default=True,
        help="Of captions and margins.",
    ),
    _look("--title", default="", metavar="TEXT", help="Heads sheets and pages."),
    _look(
        "--language",
        type=click.Choice(["en", "ru"]),
        help="Of the guide; by default the system's, if it is one of these.",
    ),
    _motion(
        "--speed",
        type=AboveZeroType(),
        default=1.0,
        show_default=True,
        metavar="X",
        help="2 is twice as fast.",
    ),
    _motion(
        "--fps",
        type=AboveZeroType(),
        metavar="N",
        help="Pictures a second while a tile slides; by default about 25.",
    ),
    _motion(
        "--size",
        type=click.IntRange(16, 8000),
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
)


@dataclass(frozen=True)  # without slots, to be combined with other options
class GuideOptions:
    """What ``guide_options`` gave."""

    output: tuple[Path, ...]
    no_files: bool
    columns: int
    gap: int
    per_page: int | None
    compact: bool
    paper: str
    few_colours: bool
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


def check_outputs(
    given: GuideOptions, default: Path, *inputs: str | Path | None
) -> None:
    """Refuse, before the work, what plainly cannot be written.

    ``default`` is the folder for when no place is given; ``inputs`` are the files
    that the command reads: none of them may be lost.
    """
    if given.no_files:
        if given.output:
            raise UsageError("expected either --output or --no-files, found both")
        return
    from imgpuzzle.folder import check_folder, free_folder, is_own_name

    if not given.output:
        check_folder(free_folder(default))
    for target in given.output:
        if _is_file(target):
            _check_file(target, *inputs)
            continue
        check_folder(target)
        for name in inputs:
            place = target / Path(name).name if name is not None else None
            if place is None or not is_own_name(place.name) or name is None:
                continue
            if _same_file(name, place):
                raise UsageError(
                    f"expected another --output than the folder of {str(name)!r}: "
                    "a file of the guide would take its place"
                )


def write_guide(
    guide: Guide, given: GuideOptions, default: Path, *, quiet: bool
) -> list[str]:
    """Write all that was asked for, and return the files.

    Unless ``quiet``, what was written is told on standard output.
    """
    if given.no_files:
        return []
    style, files = _style(given), []
    with unwinding_when_terminated(), _bar() as tell:
        how: SaveOptions = {
            "columns": given.columns,
            "gap_px": given.gap,
            "per_page": given.per_page,
            "compact": given.compact,
            "paper": given.paper,
            "size": given.size,
            "max_bytes": given.max_bytes,
            "in_screenshot": given.in_screenshot,
            "few_colours": given.few_colours,
            "tell": tell,
            "note": note,
        }
        written: list[Callable[[], None]] = []
        for target in given.output or (default,):
            if given.output and _is_file(target):
                existed = target.exists()
                made = guide.save(target, style=style, **how)
                files += [str(file) for file in made]
                words = "replaced" if existed else "wrote"
                written += [partial(note, f"{words} {file}") for file in made]
                continue
            folder = guide.write_folder(
                target, style=style, numbered=not given.output, **how
            )
            files += [str(file) for file in folder.files]
            told = report.replaced_note(folder, target, default=not given.output)
            if told:
                written.append(partial(note, told))
            if not quiet:
                written.append(partial(report.say_files, folder))
    # When the bar is gone.
    for say in written:
        say()
    return files


def _style(given: GuideOptions) -> Style:
    from imgpuzzle.language import choose_language
    from imgpuzzle.render.animation import timed
    from imgpuzzle.render.style import Style

    marks = given.highlight.split(",")
    brighten = 100 if "brighten" in marks else 0
    # Tiles on which brightening hardly shows get an outline by themselves.
    outline: Any = "always" if "outline" in marks else "auto" if brighten else "never"
    style = Style(
        brighten=brighten,
        outline=outline,
        arrow="arrow" in marks,
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


@contextlib.contextmanager
def _bar() -> Iterator[Callable[[str, float], None]]:
    """A bar for drawing that takes long, and nothing else."""
    began = time.monotonic()
    with progress_bar("drawing") as show:

        def tell(what: str, share: float) -> None:
            if time.monotonic() - began > SHOWN_AFTER:
                show(what, share)

        yield tell


def _is_file(target: Path) -> bool:
    """Whether one file is meant; a folder's name may have a dot in it."""
    from imgpuzzle.outputs import suffixes

    suffix = target.suffix.lower()
    if target.is_dir():
        return False
    if suffix in _OTHER_FILES:
        raise UsageError(
            f"expected a folder or a file of {', '.join(suffixes())} as --output, "
            f"found {str(target)!r}"
        )
    return suffix in suffixes()


def _check_file(target: Path, *inputs: str | Path | None) -> None:
    from imgpuzzle.outputs import check_suffix

    check_suffix(target.suffix.lower())
    if not target.parent.is_dir():
        raise OutputError(f"expected a folder to write into, found no {target.parent}")
    for name in inputs:
        if name is not None and _same_file(name, target):
            raise UsageError(
                f"expected another --output than the input {str(target)!r}"
            )


def _same_file(name: str | Path, target: Path) -> bool:
    return target.exists() and os.path.exists(name) and os.path.samefile(name, target)
