"""Make the small faces that pictures are lettered with: Inter, Latin and Cyrillic.

    python scripts/subset_fonts.py FOLDER

FOLDER holds ``Inter-Regular.otf`` and ``Inter-SemiBold.otf``, as in Debian's package
fonts-inter. Needs fontTools. The ``.ttf`` files have the same letters in quadratic
curves: fpdf2 puts those into PDF files, and no others that every reader shows.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

TARGET = Path(__file__).resolve().parent.parent / "imgpuzzle" / "render" / "fonts"

RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x400, 0x45F),
    (0x490, 0x491),
    (0x2010, 0x2026),
    (0x2039, 0x203A),
    (0x2190, 0x2194),
)
SINGLE = (0x20AC, 0x2116, 0x21BA, 0x21BB, 0x2212, 0x2713)

FARTHEST = 1.0
"""From a cubic curve to the quadratic one for it; an em has 2,816 such units."""

MOST = (
    *("Points", "Contours", "CompositePoints", "CompositeContours", "ComponentDepth"),
    *("TwilightPoints", "Storage", "FunctionDefs", "InstructionDefs"),
    *("StackElements", "SizeOfInstructions", "ComponentElements"),
)
"""What a TrueType face says of itself: counted when it is written, or none."""


def main() -> None:
    """Write one small file for each weight."""
    wanted = [code for low, high in RANGES for code in range(low, high + 1)]
    for weight in ("Regular", "SemiBold"):
        source = Path(sys.argv[1]) / f"Inter-{weight}.otf"
        options = subset.Options(layout_features=["kern", "mark"], hinting=False)
        options.name_IDs = [0, 1, 2, 4, 6, 13, 14]
        font = subset.load_font(str(source), options)
        tool = subset.Subsetter(options)
        tool.populate(unicodes=[*wanted, *SINGLE])
        tool.subset(font)
        for suffix, change in (("otf", lambda font: None), ("ttf", to_quadratic)):
            change(font)
            target = TARGET / f"Inter-{weight}.{suffix}"
            subset.save_font(font, str(target), options)
            print(target, target.stat().st_size)


def to_quadratic(font: TTFont) -> None:
    """Turn the cubic outlines of a font into the quadratic ones of TrueType."""
    shapes = font.getGlyphSet()
    glyphs = {}
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(shapes)
        shapes[name].draw(Cu2QuPen(pen, FARTHEST, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = font.getGlyphOrder(), glyphs
    for glyph in glyphs.values():
        glyph.recalcBounds(font["glyf"])
    del font["CFF "]
    most = font["maxp"]
    most.tableVersion = 0x00010000
    for name in MOST:
        setattr(most, f"max{name}", 0)
    most.maxZones = 1
    names = font["post"]
    names.formatType, names.extraNames, names.mapping = 2.0, [], {}
    font.sfntVersion = "\0\1\0\0"


if __name__ == "__main__":
    main()
