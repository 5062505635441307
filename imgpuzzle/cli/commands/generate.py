"""``imgpuzzle generate``: levels of a wanted length."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, speech, values
from imgpuzzle.cli.searching import ending_in_one_line, fleet_options, make_fleet
from imgpuzzle.cli.terminal import note, progress_bar, say, seeded
from imgpuzzle.cli.writing import check_file, save, written_words
from imgpuzzle.errors import OutputError, UsageError
from imgpuzzle.files.folder import check_folder, is_empty_folder, write_folder
from imgpuzzle.files.image import load_image
from imgpuzzle.messages import Message, UsageFault

if TYPE_CHECKING:
    from imgpuzzle.files.image import Image
    from imgpuzzle.fleet.rating import Rating

MOST_LEVELS = 100_000
"""More than any book has; they are held in memory until all are made."""
MOST_DRAWN = 1000
"""Levels that are drawn; pages and pictures are held in memory until all are made."""
_TEXTS = {".txt": "text", ".jsonl": "jsonl", ".csv": "csv"}


def _range(text: str) -> tuple[int, int] | Message:
    """``30`` or ``30..40``."""
    match = re.fullmatch(r"\s*([0-9]{1,4})\s*(?:(?:\.\.|-)\s*([0-9]{1,4})\s*)?", text)
    first, last = match.groups() if match else (0, 0)
    fewest, most = int(first), int(last or first)
    if not 1 <= fewest <= most:
        return Message(UsageFault.NO_MOVES, found=text)
    return fewest, most


@click.command("generate", cls=options.PlainCommand)
@click.option(
    "--count",
    type=values.WholeRange(1, MOST_LEVELS),
    default=10,
    help="How many levels.",
)
@options.grid_option("Rows and columns, of at most 16 cells.", default="3x3")
@click.option(
    "--moves",
    type=values.ReadType("N or N..M", _range),
    required=True,
    help="Moves of the shortest solution; those between are equally likely.",
)
@click.option(
    "--difficulty",
    type=values.NamesType(["easy", "medium", "hard"]),
    help="A third of all levels of a length, by what people find hard.",
)
@options.flag_option("--unique", "With one shortest solution only.")
@options.path_option(
    "--image",
    "PICTURE",
    "Draw the levels with this picture; for a PDF or a folder of pictures.",
)
@options.flag_option("--solutions", "Print the solutions, too; a PDF always has them.")
@options.seed_option("levels")
@options.path_option(
    "--output",
    "FILE",
    "A file that ends in .txt, .jsonl, .csv or .pdf, or a folder for pictures."
    "  [default: text on standard output]",
    type=values.OutputType(),
)
@fleet_options
@options.slide_option
def command(given: options.Given) -> None:
    """Make levels whose shortest solution has a wanted length, proven.

    They are all different and as good as unbiased: every board of a length is equally
    likely. The goal is ascending numbers with the empty cell last.
    """
    from imgpuzzle.fleet.levels import Wish, make_levels

    image, count = given.image, given.count
    output = None if given.output == Path("-") else given.output
    kind = _kind(output)
    if image is not None and kind not in ("pdf", "folder"):
        raise UsageError.said("expected --output FILE.pdf or a folder with --image")
    if kind in ("pdf", "folder") and count > MOST_DRAWN:
        raise UsageError.said(
            "expected at most {most} levels to draw, found {found}",
            most=MOST_DRAWN,
            found=count,
        )
    fewest, most = given.moves
    wish = Wish(given.grid, fewest, most, given.difficulty, given.unique)
    if output is not None and kind != "folder":
        check_file(output, image)
    elif output is not None:
        check_folder(output)
        # Pictures of earlier levels would lie beside a table that does not have them.
        if output.is_dir() and not is_empty_folder(output):
            raise OutputError.said(
                "expected a new or an empty folder, found files in {folder!r}; pass "
                "another --output",
                folder=str(output),
            )
    picture = None if image is None else load_image(image)
    with (
        seeded(given.seed) as seed,
        ending_in_one_line(speech.gettext("interrupted")),
        make_fleet(given) as fleet,
        progress_bar(speech.gettext("levels")) as tell,
    ):
        levels = make_levels(wish, count, seed=seed, fleet=fleet, tell=tell)
    _write(levels, output, kind, picture, with_solutions=given.solutions)


def _kind(output: Path | None) -> str:
    if output is None:
        return "text"
    ending = output.suffix.lower()
    if ending in _TEXTS:
        return _TEXTS[ending]
    if ending == ".pdf":
        return "pdf"
    if ending and not output.is_dir():
        raise UsageError.said(
            "expected a name that ends in {names} or .pdf, or a folder, found "
            "{output!r}",
            names=", ".join(_TEXTS),
            output=str(output),
        )
    return "folder"


def _write(
    levels: list[Rating],
    output: Path | None,
    kind: str,
    picture: Image | None,
    *,
    with_solutions: bool,
) -> None:
    from imgpuzzle.fleet import level_pages

    if output is not None and kind == "pdf":
        save(level_pages.level_pdf(levels, picture), output)
        return
    is_folder = kind == "folder"
    form, with_solutions = ("csv", True) if is_folder else (kind, with_solutions)
    lines = level_pages.level_lines(levels, form, with_solutions=with_solutions)
    data = ("\n".join(lines) + "\n").encode()
    if output is None:
        say("\n".join(lines))
    elif is_folder:
        files = level_pages.level_files(levels, picture)
        written = write_folder(output, [*files, ("levels.csv", data)], numbered=True)
        note(written_words(written.folder, replaced=False))
    else:
        save(data, output)
