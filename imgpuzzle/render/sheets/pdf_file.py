"""A small writer of PDF files: pages of one picture with type laid over it.

Pillow writes PDF too, but keeps every page uncompressed until the last one is
there, and type only as a part of the JPEG. Here pages go out one by one, and type
is a stencil of its own, in a finer raster and without loss (ISO 32000-1:2008,
8.9.6.2).
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.tiles import Colour

__all__ = ["PdfFile"]

JPEG_QUALITY = 82
"""From 0 to 100; it carries no type, so colours may be sampled more coarsely."""


class PdfFile:
    """Writes pages into an open file one by one; ``finish`` writes what is left."""

    def __init__(self, out: BinaryIO, *, title: str = "", language: str = "en") -> None:
        self._out, self._place = out, 0
        self._add(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        self._offsets: list[int] = []
        self._catalogue, self._tree = self._reserve(), self._reserve()
        self._title, self._language = title, language
        self._pages: list[int] = []
        self._bookmarks: list[tuple[str, int]] = []

    def add_page(
        self,
        size: tuple[float, float],
        picture: Image | None,
        stencil: NDArray[np.bool_] | None,
        ink: Colour,
        bookmark: str = "",
    ) -> None:
        """Add a page of ``size`` (width, height) in points.

        ``picture`` (H x W x 3, uint8) and ``stencil`` (H x W, true where there is
        ``ink``) are stretched over the whole page; either may be left out. A
        ``bookmark`` is the page's entry in the outline beside the pages.
        """
        wide, high = (_number(value) for value in size)
        content, resources = [], []
        place = f"{wide} 0 0 {high} 0 0 cm"
        if picture is not None:
            number = self._picture(picture)
            resources.append(f"/P {number} 0 R")
            content.append(f"q {place} /P Do Q")
        if stencil is not None:
            number = self._stencil(stencil)
            resources.append(f"/T {number} 0 R")
            colour = " ".join(_number(value / 255) for value in ink)
            content.append(f"q {colour} rg {place} /T Do Q")
        drawn = self._stream("", "\n".join(content).encode())
        page = self._reserve()
        self._put(
            page,
            f"<< /Type /Page /Parent {self._tree} 0 R "
            f"/MediaBox [0 0 {wide} {high}] /Contents {drawn} 0 R "
            f"/Resources << /XObject << {' '.join(resources)} >> >> >>",
        )
        self._pages.append(page)
        if bookmark:
            self._bookmarks.append((bookmark, page))

    def finish(self) -> None:
        """Write what tells where everything is."""
        kids = " ".join(f"{page} 0 R" for page in self._pages)
        self._put(
            self._tree, f"<< /Type /Pages /Count {len(self._pages)} /Kids [{kids}] >>"
        )
        self._put(
            self._catalogue,
            f"<< /Type /Catalog /Pages {self._tree} 0 R /Lang ({self._language})"
            f"{self._outline()} /ViewerPreferences << /DisplayDocTitle true >> >>",
        )
        info = self._reserve()
        self._put(
            info, f"<< /Producer (imgpuzzle) /Title <{_utf16(self._title).hex()}> >>"
        )
        start = self._place
        count = len(self._offsets) + 1
        lines = [f"xref\n0 {count}\n0000000000 65535 f \n"]
        lines += [f"{offset:010d} 00000 n \n" for offset in self._offsets]
        lines.append(
            f"trailer\n<< /Size {count} /Root {self._catalogue} 0 R "
            f"/Info {info} 0 R >>\nstartxref\n{start}\n%%EOF\n"
        )
        self._add("".join(lines).encode("ascii"))

    def _outline(self) -> str:
        """Write the bookmarks (12.3.3); returns the catalogue's entry for them."""
        if not self._bookmarks:
            return ""
        root = self._reserve()
        numbers = [self._reserve() for _ in self._bookmarks]
        for place, (title, page) in enumerate(self._bookmarks):
            beside = ""
            if place:
                beside += f" /Prev {numbers[place - 1]} 0 R"
            if place + 1 < len(numbers):
                beside += f" /Next {numbers[place + 1]} 0 R"
            self._put(
                numbers[place],
                f"<< /Title <{_utf16(title).hex()}> /Parent {root} 0 R{beside} "
                f"/Dest [{page} 0 R /Fit] >>",
            )
        self._put(
            root,
            f"<< /Type /Outlines /First {numbers[0]} 0 R /Last {numbers[-1]} 0 R "
            f"/Count {len(numbers)} >>",
        )
        return f" /Outlines {root} 0 R"

    def _picture(self, picture: Image) -> int:
        from PIL import Image as PillowImage

        high, wide = picture.shape[:2]
        out = io.BytesIO()
        PillowImage.fromarray(picture).save(
            out, "JPEG", quality=JPEG_QUALITY, subsampling=2, optimize=True
        )
        return self._write_stream(
            f"/Type /XObject /Subtype /Image /Width {wide} /Height {high} "
            "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
            [out.getvalue()],
        )

    def _stencil(self, stencil: NDArray[np.bool_]) -> int:
        high, wide = stencil.shape
        bits = np.packbits(stencil, axis=1)
        return self._stream(
            f"/Type /XObject /Subtype /Image /Width {wide} /Height {high} "
            "/ImageMask true /BitsPerComponent 1 /Decode [1 0]",
            bits.tobytes(),
        )

    def _stream(self, entries: str, data: bytes) -> int:
        return self._write_stream(
            f"{entries} /Filter /FlateDecode", [zlib.compress(data, 9)]
        )

    def _write_stream(self, entries: str, parts: Iterable[bytes]) -> int:
        data = b"".join(parts)
        number = self._reserve()
        self._begin(number)
        self._add(f"<< {entries} /Length {len(data)} >>\nstream\n".encode("ascii"))
        self._add(data)
        self._add(b"\nendstream\nendobj\n")
        return number

    def _reserve(self) -> int:
        self._offsets.append(0)
        return len(self._offsets)

    def _begin(self, number: int) -> None:
        self._offsets[number - 1] = self._place
        self._add(f"{number} 0 obj\n".encode("ascii"))

    def _put(self, number: int, body: str) -> None:
        self._begin(number)
        self._add(f"{body}\nendobj\n".encode("ascii"))

    def _add(self, data: bytes) -> None:
        self._out.write(data)
        self._place += len(data)


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _utf16(text: str) -> bytes:
    """Text as PDF wants what is not plain ASCII, with its mark of byte order."""
    return b"\xfe\xff" + text.encode("utf-16-be")
