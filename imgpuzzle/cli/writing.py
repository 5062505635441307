"""What commands write: guides and single pictures, and what they look like.

Whether a place can be written is checked early, before the work; files are made in
whole and then put in place.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgpuzzle.cli import report, speech, terminal
from imgpuzzle.cli.options import Given, language, made_of, option_section, stack
from imgpuzzle.cli.values import NamesType, NumberRange, OutputType
from imgpuzzle.core.options import FILES, LOOK, MOTION, SaveOptions
from imgpuzzle.errors import OutputError, UsageError
from imgpuzzle.files.folder import (
    Delivery,
    check_folder,
    check_place,
    free_folder,
    is_like_a_file,
    is_own_name,
)
from imgpuzzle.files.image import (
    check_picture_suffix,
    load_image,
    save_image,
    write_atomically,
)
from imgpuzzle.files.temporary import landing, writing
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS, SERVED, suffixes
from imgpuzzle.spec import rows_of

if TYPE_CHECKING:
    from imgpuzzle.core.board import Board
    from imgpuzzle.files.image import Image
    from imgpuzzle.guide import Guide

MARKS = ("outline", "arrow", "brighten")

BRIGHTER = 100
"""The levels of ``brighten``: a dark tile becomes a light one, and most show still."""


_files = option_section(FILES)
_look = option_section(LOOK)
_motion = option_section(MOTION)

guide_options = stack(
    _files(
        "-o",
        "--output",
        type=OutputType(),
        multiple=True,
        metavar="PATH",
        help="Where the guide goes: a folder for all files, by default solution/ "
        "beside the input, or solution-2/ ... when that holds files; or a file, whose "
        f"suffix says as what: {' '.join(suffixes())}. A folder and a .zip hold the "
        "step pictures, and guide.md that shows them in a wiki. May be given several "
        "times.",
    ),
    _files("--no-files", is_flag=True, help="Write no files."),
    *made_of(SaveOptions, FILES).values(),
    _look(
        "--highlight",
        type=NamesType(MARKS, joined=","),
        default="outline,arrow",
        metavar="MARKS",
        help="How the tile to move is shown: outline, arrow, brighten (tiles on which "
        "that hardly shows get an outline, too); several with commas.",
    ),
    *made_of(Style, LOOK).values(),
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
        help="2 is twice as fast.",
    ),
    _motion(
        "--fps",
        type=NumberRange(1, 100),
        help="Pictures a second while a tile slides; by default about 25.",
    ),
    *made_of(SaveOptions, MOTION).values(),
)


def style_of(given: Given) -> Style:
    """The look that the options describe."""
    from imgpuzzle.render.files.animation import timed

    marks = given.highlight.split(",")
    # Tiles that are too bright for it get an outline by themselves.
    outline: Any = "auto" if "brighten" in marks else "never"
    if "outline" in marks:
        outline = "always"
    style = replace(
        given.but(language=speech.language()).of(Style),
        outline=outline,
        arrow="arrow" in marks,
        brighten=BRIGHTER if "brighten" in marks else 0,
    )
    return timed(style, fps=given.fps, speed=given.speed)


SHOWN_AFTER = 0.7
"""Seconds after which drawing is long work that wants a bar."""


FOLDER = "folder"
"""The kind of a target that is no file; others are suffixes."""

_SERVED = {
    # A folder has no PDF, but a file of each other kind.
    name: {*suffixes(*kinds), *([] if name == "paper" else [FOLDER])}
    for name, kinds in SERVED.items()
}
"""The targets of each kind that an ``Option`` may name."""


_SERVES = {
    name: said.serves
    for name, said in (rows_of(SaveOptions) | rows_of(Style)).items()
    if said.serves != "all"
} | {"highlight": "marked", "speed": "moving page", "fps": "moving", "image": "marked"}
"""Which options do something for which kinds of files.

An option that a file has no use for is no error, since scripts pass the same ones for
everything, but it is not passed over in silence either. What serves all, such as
``--numbers``, shows in the terminal as well, and is not here.
"""


def check_outputs(given: Given, default: Path, *others: str | Path | None) -> None:
    """Refuse, before the work, what plainly cannot be written.

    ``default`` is the folder for when no place is given; ``others`` are the files
    that the command reads or writes besides: none of them may be lost.
    """
    if given.no_files:
        if given.output:
            raise UsageError.said("expected either --output or --no-files, found both")
        return
    if not given.output:
        check_folder(free_folder(default))
    seen: set[str] = set()
    for target in given.output:
        real = os.path.realpath(target)
        if real in seen:
            raise UsageError.said(
                "expected different --output, found {target} twice", target=target
            )
        seen.add(real)
        check_output(target, *others)


def check_output(target: Path, *others: str | os.PathLike[str] | None) -> None:
    """Refuse a place for a guide, a file or a folder, as ``check_outputs`` does."""
    if _is_file(target):
        FORMATS[target.suffix.lower()].check()
        check_file(target, *others)
        return
    real = os.path.realpath(target)
    if os.path.dirname(real) == real:
        raise UsageError.said(
            "expected a folder of its own as --output, found {real}", real=real
        )
    check_folder(target)
    for name in (Path(one) for one in others if one is not None):
        if is_own_name(name.name) and _is_same(name, target / name.name):
            raise UsageError.said(
                "expected another --output than the folder of {name!r}: a "
                "file of the guide would take its place",
                name=str(name),
            )


def write_guide(guide: Guide, given: Given, default: Path, *, quiet: bool) -> list[str]:
    """Write all that was asked for, or nothing, and return the files.

    Unless ``quiet``, what was written is printed.
    """
    _warn(given)
    if given.no_files:
        return []
    style = style_of(given)
    single = [target for target in given.output if _is_file(target)]
    folders = [target for target in given.output if target not in single]
    if not given.output:
        folders = [default]
    bar = terminal.progress_bar(speech.gettext("drawing"), SHOWN_AFTER)
    with terminal.unwinding_when_terminated(), bar as tell, Delivery() as delivery:
        how = replace(
            given.of(SaveOptions),
            on_progress=tell,
            note=lambda what: terminal.note(speech.worded(what)),
        )
        for target in (*single, *folders):
            guide.add(
                delivery,
                target,
                how,
                style=style,
                is_folder=target in folders,
                numbered=not given.output,
            )
        written = delivery.finish()
    # When the bar is gone. Of a file there may be several sheets.
    files = len(written) - len(folders)
    for one in written[:files]:
        terminal.note(written_words(one.files[0], replaced=one.replaced > 0))
    for target, folder in zip(folders, written[files:], strict=True):
        words = report.replaced_note(folder, target, default=not given.output)
        if words:
            terminal.note(words)
        if not quiet:
            report.say_files(folder)
    return [str(file) for one in written for file in one.files]


def _is_sheet(path: Path, target: Path) -> bool:
    """Whether ``sheet_1.png`` may be written where ``sheet.png`` is asked for."""
    if target.suffix.lower() != ".png":
        return False
    pattern = f"{re.escape(target.stem)}_[0-9]+{re.escape(target.suffix)}"
    return re.fullmatch(pattern, path.name) is not None


def _warn(given: Given) -> None:
    """Say what options will not do."""
    kinds = [t.suffix.lower() if _is_file(t) else FOLDER for t in given.output]
    if not kinds and not given.no_files:
        kinds = [FOLDER]
    names = [
        name
        for name, served in _SERVES.items()
        if not any(_SERVED[kind].intersection(kinds) for kind in served.split())
    ]
    if given.no_files:
        words = speech.gettext("no effect with --no-files: {options}")
    elif FOLDER in kinds:
        words = speech.gettext("no effect on the files of a folder: {options}")
    else:
        words = speech.gettext("no effect on {kinds}: {options}")
    terminal.say_idle(words, names, kinds=", ".join(dict.fromkeys(kinds)))
    if given.title and not given.no_files:
        from imgpuzzle.render.drawing.lettering import unwritable

        if missing := unwritable(given.title):
            words = speech.gettext(
                "pictures show ? for {missing}; the page and the texts have the whole "
                "title"
            )
            terminal.note(words.format(missing=missing))


def _is_file(target: Path) -> bool:
    """Whether one file is meant; a folder's name may have a dot in it."""
    suffix = target.suffix.lower()
    with writing(target):
        if target.is_dir():
            return False
    if suffix in suffixes():
        return True
    if target.name in suffixes() or is_like_a_file(target):
        raise UsageError.said(
            "expected a folder or a file of {names} as --output, found "
            "{target!r}; a folder with such a name has to exist before",
            names=", ".join(suffixes()),
            target=str(target),
        )
    return False


def _is_same(name: Path, target: Path) -> bool:
    if os.path.realpath(name) == os.path.realpath(target):
        return True
    # What is typed may be a board, and too long for a name: it is no file then.
    both = os.path.exists(name) and os.path.exists(target)
    return both and os.path.samefile(name, target)


def check_target(target: Path, *inputs: str | os.PathLike[str] | None) -> None:
    """Refuse, before the work, a picture file that plainly cannot be written.

    ``inputs`` are the files that the command reads: none of them may be lost.
    """
    check_picture_suffix(target)
    check_file(target, *inputs)


def check_file(target: Path, *inputs: str | os.PathLike[str] | None) -> None:
    """The same of a file of any kind."""
    if target.is_dir():
        raise OutputError.said(
            "expected a file to write, found the folder {target!r}",
            target=str(target),
        )
    # None can lie elsewhere, or in the place of one that has to stay.
    check_place(landing(target).parent)
    for name in (Path(one) for one in inputs if one is not None):
        beside = os.path.realpath(name.parent) == os.path.realpath(target.parent)
        # Of a sheet there may be several.
        if _is_same(name, target) or (beside and _is_sheet(name, target)):
            raise UsageError.said(
                "expected another file than {target!r} to write to: it would take the "
                "place of {name!r}, which this command reads or writes as well",
                target=str(target),
                name=str(name),
            )


def save(made: Image | bytes, target: Path) -> None:
    """Write a picture or a file; say so when it takes the place of an older one."""
    existed = target.exists()
    if isinstance(made, bytes):
        write_atomically(target, made)
    else:
        save_image(made, target)
    terminal.note(written_words(target, replaced=existed))


def written_words(target: Path, *, replaced: bool) -> str:
    """That a file was written, or took the place of an older one."""
    if replaced:
        return speech.gettext("replaced {file}").format(file=target)
    return speech.gettext("wrote {file}").format(file=target)


def save_position(start: Board, goal: Board, shown: Path | None, target: Path) -> None:
    """Draw ``start`` with the tiles of a picture that is ``shown``, or with numbers."""
    from imgpuzzle.render.drawing.tiles import draw_position

    picture = None if shown is None else load_image(shown)
    save(draw_position(start, goal, picture), target)
