"""Make the small faces that pictures are lettered with: Inter, Latin and Cyrillic.

    python scripts/subset_fonts.py FOLDER

FOLDER holds ``Inter-Regular.otf`` and ``Inter-SemiBold.otf``, as in Debian's package
fonts-inter. Needs fontTools.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset

TARGET = Path(__file__).resolve().parent.parent / "imgpuzzle" / "render" / "fonts"

RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x400, 0x45F),
    (0x490, 0x491),
    (0x2010, 0x2026),
    (0x2039, 0x203A),
    (0x2190, 0x2193),
)
SINGLE = (0x20AC, 0x2116, 0x2212, 0x2713)


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
        target = TARGET / f"Inter-{weight}.otf"
        subset.save_font(font, str(target), options)
        print(target, target.stat().st_size)


if __name__ == "__main__":
    main()
