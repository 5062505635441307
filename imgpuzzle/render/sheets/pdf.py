"""Guides on paper, as PDF files through fpdf2: pages of a picture and of words."""

from __future__ import annotations

import datetime
import io
import itertools
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from PIL import Image as PillowImage

from imgpuzzle.core.options import SaveOptions
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing import lettering
from imgpuzzle.render.drawing.colours import FAINT, INK
from imgpuzzle.render.files.frames import Drawing
from imgpuzzle.render.sheets.notes import TypeLine
from imgpuzzle.render.sheets.pages import DPI, PAPERS, Sheets
from imgpuzzle.render.sheets.text import page_name

if TYPE_CHECKING:
    from fpdf import FPDF

POINT = 1 / 72
"""In inches."""

JPEG_QUALITY = 82
"""From 0 to 100; it carries no type, so colours may be sampled more coarsely."""

FINER = 3
"""Signs of other faces are pictures, in a raster so many times finer than the page."""


def write_pdf(out: BinaryIO, drawing: Drawing, options: SaveOptions) -> None:
    """Write all steps on the pages of a paper, numbered, with bookmarks.

    Pictures have 200 dots an inch and are packed as JPEG; words are words, which can be
    searched and copied. Pages are painted one after the other, so that only packed
    pictures are held. Raises ``UsageError`` for another paper, more than 60 panels a
    page, and boards of very many cells.
    """
    sheets = Sheets(drawing, options, on_paper=True)
    language, slides = drawing.style.language, drawing.solution.in_slides
    pdf = new_pdf(sheets.style.title, language)
    # The paper's own size, not that of a whole number of px.
    upright = PAPERS[options.paper]
    for page in sheets:
        sides = upright if page.height > page.width else upright[::-1]
        size = sides[0] / 25.4 / POINT, sides[1] / 25.4 / POINT
        pdf.add_page(format=size)
        pdf.set_xy(0, 0)
        pdf.start_section(page_name(page.numbers, language, slides=slides))
        pdf.image(as_jpeg(sheets.paint(page, worded=False)), 0, 0, *size)
        for line in page.notes.lines:
            _write(pdf, line, 1 / (POINT * DPI))
    pdf.output(out)


def first_page(drawing: Drawing, options: SaveOptions) -> Image:
    """What the first page that ``write_pdf`` makes looks like, at 200 dots an inch.

    The words are drawn into the picture (H x W x 3, uint8). Raises as ``write_pdf``.
    """
    sheets = Sheets(drawing, options, on_paper=True)
    return sheets.paint(next(iter(sheets)))


def _write(pdf: FPDF, line: TypeLine, scale: float) -> None:
    """A line of type, whose places and sizes are in px of ``scale`` points."""
    ink = (FAINT if line.faint else INK)["light"]
    left, top, size = line.left, line.top * scale, line.size * scale
    shown = lettering.with_shapes(line.text)
    for is_known, signs in itertools.groupby(shown, lettering.has_signs):
        part = "".join(signs)
        if is_known:
            ascent = lettering.face(1000, bold=line.bold).getmetrics()[0] / 1000
            use_face(pdf, size, bold=line.bold)
            pdf.set_text_color(*ink)
            pdf.text(left * scale, top + ascent * size, part)
        else:
            cover = lettering.draw_text(part, line.size * FINER, bold=line.bold)
            pixels = np.empty((*cover.shape, 4), np.uint8)
            pixels[..., :3], pixels[..., 3] = ink, cover
            high, wide = (side * scale / FINER for side in cover.shape)
            stencil = PillowImage.fromarray(pixels)
            pdf.image(stencil, left * scale, top, wide, high)
        left += lettering.text_width(part, line.size, bold=line.bold)


def new_pdf(title: str, language: str = "en") -> FPDF:
    """A file without pages; places and sizes are in points.

    The same content gives the same file, whenever it is made.
    """
    from fpdf import FPDF
    from fpdf.prefs import ViewerPreferences

    pdf = FPDF(unit="pt")
    pdf.set_auto_page_break(False)
    pdf.set_title(title)
    pdf.set_lang(language)
    pdf.set_producer("imgpuzzle")
    pdf.set_creation_date(datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC))
    pdf.viewer_preferences = ViewerPreferences(display_doc_title=True)
    return pdf


def use_face(pdf: FPDF, size: float, *, bold: bool = False) -> None:
    """Write in a weight of the bundled face from now on."""
    family = "semibold" if bold else "regular"
    if family not in pdf.fonts:
        with lettering.face_file(bold=bold, suffix="ttf") as path:
            pdf.add_font(family, fname=path)
    pdf.set_font(family, size=size)


def as_jpeg(picture: Image) -> io.BytesIO:
    """A picture as files of PDF hold it, H x W x 3, uint8."""
    out = io.BytesIO()
    PillowImage.fromarray(picture).save(
        out, "JPEG", quality=JPEG_QUALITY, subsampling=2, optimize=True
    )
    return out
