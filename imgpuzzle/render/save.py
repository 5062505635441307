"""Saving pictures that follow one another; the suffix picks the writer."""

from __future__ import annotations

import itertools
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np

from imgpuzzle.errors import InvalidImageError, OutputError, PuzzleError, UsageError
from imgpuzzle.files.image import Image, check_image, decode_image
from imgpuzzle.files.temporary import replacing, why
from imgpuzzle.render.drawing.looks import lifted
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.surface import Palette
from imgpuzzle.render.files.formats import FORMATS, Format, Kind, suffixes
from imgpuzzle.render.files.frames import Frame
from imgpuzzle.render.files.gif import IndexedFrame, write_gif
from imgpuzzle.render.files.png import encode_step_png
from imgpuzzle.render.sheets.paper import POINT
from imgpuzzle.render.sheets.pdf_file import PdfFile

__all__ = ["save"]

FRAME_MS = 940
"""A step's time in our own animations, its slide included."""
QUALITY = 80
"""From 0 to 100, of animations in full colour."""
COLUMNS, GAP_PX = 5, 30
"""Of sheets, as in ``SaveOptions``."""
PDF_DPI = 150
"""A board of 900 px is 15 cm wide."""

_Writer: TypeAlias = Callable[[BinaryIO, Iterable[Frame], Format], None]


def save(
    frames: Iterable[Image | Frame],
    path: str | os.PathLike[str],
    *,
    frame_ms: int = FRAME_MS,
) -> Path:
    """Write pictures as an animation, a sheet, pages or an archive.

    Frames are taken one at a time, so those of a generator never all lie in memory;
    sheets are the exception.

    Args:
        frames: Pictures of one size, as ``render_steps`` and ``render_animation`` give
            them: arrays of height x width x 3, uint8, RGB, or frames.
        path: The file. ``.gif``, ``.webp``, ``.avif``, ``.apng`` and ``.mp4`` are
            animations, ``.png`` is a sheet of five a row on white, ``.pdf`` has a page
            for each picture and ``.zip`` a PNG file for each.
        frame_ms: How long a picture that is a plain array is shown, in milliseconds.

    Returns:
        The file that was written.

    Raises:
        UsageError: For another suffix, or no frame.
        InvalidImageError: For what is no picture, or of another size.
        MissingDependencyError: When the format needs a library that is not installed.
        OutputError: When the file cannot be written.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in suffixes(*_WRITERS):
        raise UsageError(
            f"expected a file of {', '.join(suffixes(*_WRITERS))}, found {suffix!r} "
            f"in {str(target)!r}"
        )
    form = FORMATS[suffix]
    form.check()
    checked = _checked(frames, frame_ms)
    first = next(checked, None)
    if first is None:
        raise UsageError("expected at least one picture to save, found none")
    pictures = itertools.chain([first], checked)
    try:
        with replacing(target) as file:
            _WRITERS[form.kind](file, pictures, form)
    except OSError as error:
        if isinstance(error, PuzzleError):
            raise
        raise OutputError.said(
            "could not write {target!r}: {why}", target=str(target), why=why(error)
        ) from None
    return target


def _checked(frames: Iterable[Image | Frame], frame_ms: int) -> Iterator[Frame]:
    size = None
    for frame in frames:
        found = frame if isinstance(frame, Frame) else Frame(frame, frame_ms)
        check_image(found.picture)
        if size not in (None, found.picture.shape):
            raise InvalidImageError(
                f"expected pictures of one size, found {size} and {found.picture.shape}"
            )
        size = found.picture.shape
        yield found


def _animation(out: BinaryIO, frames: Iterable[Frame], form: Format) -> None:
    if form.has_palette:
        write_gif(out, _indexed(frames))
        return
    unpacked, times = _counted(frames)
    form.load_encoder()(out, unpacked, times, QUALITY)


def _indexed(frames: Iterable[Frame]) -> Iterator[IndexedFrame]:
    """Frames in the colours of the first one, and of its brighter copy.

    Only what differs from the frame before is turned into palette colours again, so
    that what stays does not flicker.
    """
    palette: Palette | None = None
    before: Image | None = None
    for frame in frames:
        picture = frame.picture
        if palette is None or before is None:
            palette = Palette([picture, lifted(picture, Style(bleach=100))], [])
            pixels = palette.indices(picture, dither=True).copy()
        else:
            changed = (picture != before).any(axis=2)
            pixels = np.where(changed, palette.indices(picture, dither=True), pixels)
        before = picture.copy()
        yield IndexedFrame(pixels, frame.ms, palette)


def _counted(frames: Iterable[Frame]) -> tuple[Iterator[Frame], list[int]]:
    """The frames again, and the time of each: writers ask for all times first.

    Until then the pictures wait as PNG, which takes a tenth of their room.
    """
    packed = [(encode_step_png(frame.picture), frame.ms) for frame in frames]
    unpacked = (Frame(decode_image(data), ms) for data, ms in packed)
    return unpacked, [ms for _, ms in packed]


def _sheet(out: BinaryIO, frames: Iterable[Frame], form: Format) -> None:
    pictures = [frame.picture for frame in frames]
    high, wide = pictures[0].shape[:2]
    columns = min(COLUMNS, len(pictures))
    rows = -(-len(pictures) // columns)
    size = rows * (high + GAP_PX) + GAP_PX, columns * (wide + GAP_PX) + GAP_PX
    sheet = np.full((*size, 3), 255, np.uint8)
    for place, picture in enumerate(pictures):
        row, col = divmod(place, columns)
        top, left = GAP_PX + row * (high + GAP_PX), GAP_PX + col * (wide + GAP_PX)
        sheet[top : top + high, left : left + wide] = picture
    out.write(encode_step_png(sheet))


def _pdf(out: BinaryIO, frames: Iterable[Frame], form: Format) -> None:
    file = PdfFile()
    for frame in frames:
        high, wide = frame.picture.shape[:2]
        file.add_page((wide / PDF_DPI / POINT, high / PDF_DPI / POINT), frame.picture)
    file.finish(out)


def _zip(out: BinaryIO, frames: Iterable[Frame], form: Format) -> None:
    # PNG is compressed already.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for number, frame in enumerate(frames, start=1):
            archive.writestr(f"step_{number:03d}.png", encode_step_png(frame.picture))


_WRITERS: dict[Kind, _Writer] = {
    Kind.ANIMATION: _animation,
    Kind.SHEETS: _sheet,
    Kind.PAPER: _pdf,
    Kind.ARCHIVE: _zip,
}
