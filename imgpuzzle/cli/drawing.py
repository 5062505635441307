"""Single pictures that commands write: checked early, saved whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from imgpuzzle.cli import speech
from imgpuzzle.cli.terminal import note
from imgpuzzle.errors import OutputError, UsageError
from imgpuzzle.image import check_picture_suffix, load_image, save_image
from imgpuzzle.temporary import landing

if TYPE_CHECKING:
    from imgpuzzle.board import Board
    from imgpuzzle.image import Image

__all__ = [
    "check_parent",
    "check_target",
    "draw_position",
    "save_picture",
    "written_words",
]


def check_target(target: Path, *inputs: str | os.PathLike[str] | None) -> None:
    """Refuse, before the work, a picture file that plainly cannot be written.

    ``inputs`` are the files that the command reads: none of them may be lost.
    """
    check_picture_suffix(target)
    if target.is_dir():
        raise OutputError(f"expected a picture file, found the folder {str(target)!r}")
    check_parent(target)
    for name in inputs:
        if name is None or not os.path.exists(name) or not target.exists():
            continue
        if os.path.samefile(name, target):
            raise UsageError(
                f"expected another file than the input {str(target)!r} to write to"
            )


def check_parent(target: Path) -> None:
    """Refuse a file that would lie in no folder, or in the place of a pipe."""
    parent = landing(target).parent
    if parent.is_dir():
        return
    blocking = next((one for one in (parent, *parent.parents) if one.exists()), Path())
    if blocking.is_dir():
        raise OutputError(f"expected a folder to write into, found no {parent}")
    raise OutputError(
        f"expected a folder to write into, found the file {str(blocking)!r}"
    )


def save_picture(image: Image, target: Path) -> None:
    """Write a picture; say so when it takes the place of an older one."""
    existed = target.exists()
    save_image(image, target)
    note(written_words(target, replaced=existed))


def written_words(target: Path, *, replaced: bool) -> str:
    """That a file was written, or took the place of an older one."""
    if replaced:
        return speech.gettext("replaced {file}").format(file=target)
    return speech.gettext("wrote {file}").format(file=target)


def draw_position(start: Board, goal: Board, picture: Path | None) -> Image:
    """Draw ``start`` with the tiles of ``picture``, or with numbered ones."""
    from imgpuzzle.render.tiles import TileSet, render_position

    if picture is None:
        tileset = TileSet.numbered(start)
    else:
        tileset = TileSet.cut(load_image(picture), start, goal)
    return render_position(tuple(range(start.shape.size)), tileset)
