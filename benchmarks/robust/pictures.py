"""Damaged pictures of every format that is read, given to the command line."""

from __future__ import annotations

import contextlib
import io
import random
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.robust.attack import Outcome
from benchmarks.robust.command import call
from benchmarks.robust.mutation import mutated_bytes

__all__ = ["Pictures", "attack"]

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
SIDE_PX = 180
"""Pictures are this small so that those that can still be read are soon read."""

BOARD = "1 2 3 / 4 0 5 / 7 8 6"
PLACE = ("--grid", "3x3", "--region", "8,22,104,104")
"""Where its board is, about."""

_PNG = b"\x89PNG\r\n\x1a\n"


class Pictures:
    """A screenshot in all formats and modes, and what can go wrong with it."""

    def __init__(self) -> None:
        self.whole = dict(_encodings())
        self._names = sorted(self.whole)
        self._others = list(self.whole.values())

    def mutated(self, dice: random.Random) -> tuple[str, bytes]:
        """A damaged picture, and the name of what it was."""
        name = dice.choice(self._names)
        data = self.whole[name]
        if data.startswith(_PNG) and dice.random() < 0.5:
            # With right checksums: otherwise nothing behind them is ever reached.
            return name, _mutated_png(dice, data)
        return name, mutated_bytes(dice, data, self._others)


@contextlib.contextmanager
def attack(folder: Path) -> Iterator[Any]:
    """``imgpuzzle render``, ``read`` or ``solve`` with a damaged picture."""
    pictures = Pictures()
    place = folder / "here"
    place.mkdir()
    with contextlib.chdir(place):
        Path("shot.png").write_bytes(pictures.whole["rgb.png"])

        def one(seed: int) -> Outcome:
            dice = random.Random(f"pictures {seed}")
            name, data = pictures.mutated(dice)
            suffix = name.partition(".")[2]
            path = Path(f"damaged.{suffix}")
            path.write_bytes(data)
            try:
                way = dice.random()
                if way < 0.7:
                    # What can still be decoded is drawn, which is soon done.
                    return call("render", BOARD, "--image", str(path), "-o", "out.png")
                if way < 0.8:
                    return call("read", "shot.png", "-r", str(path), *PLACE)
                if way < 0.85:
                    return call("solve", str(path), "--no-files", *PLACE)
                # Looking for place and grid as well takes far longer.
                return call("read", str(path), *(PLACE if way < 0.99 else ["--json"]))
            finally:
                path.unlink()
                Path("out.png").unlink(missing_ok=True)

        yield one


def _encodings() -> Iterator[tuple[str, bytes]]:
    """The sample in every format and mode that can be written and is read."""
    from PIL import Image

    with Image.open(SAMPLES / "emblem_screenshot.png") as file:
        file.thumbnail((SIDE_PX, SIDE_PX))
        picture = file.convert("RGB")
    grey, alpha = picture.convert("L"), picture.convert("RGBA")
    exif = Image.Exif()
    exif[0x0112] = 6
    second = picture.transpose(Image.Transpose.ROTATE_180)
    several = {"save_all": True}
    wide = grey.convert("I").point(lambda value: value * 257).convert("I;16")
    made: list[tuple[str, Any, str, dict[str, Any]]] = [
        ("rgb.png", picture, "PNG", {}),
        ("grey.png", grey, "PNG", {}),
        ("alpha.png", alpha, "PNG", {}),
        ("palette.png", picture.quantize(200), "PNG", {}),
        ("bits.png", grey.convert("1"), "PNG", {}),
        ("wide.png", wide, "PNG", {}),
        ("animated.png", picture, "PNG", several),
        ("plain.jpg", picture, "JPEG", {}),
        ("progressive.jpg", picture, "JPEG", {"progressive": True}),
        ("turned.jpg", picture, "JPEG", {"exif": exif}),
        ("cmyk.jpg", picture.convert("CMYK"), "JPEG", {}),
        ("grey.jpg", grey, "JPEG", {}),
        ("plain.gif", picture.quantize(200), "GIF", {}),
        ("animated.gif", picture, "GIF", several),
        ("lossy.webp", picture, "WEBP", {}),
        ("lossless.webp", alpha, "WEBP", {"lossless": True}),
        ("animated.webp", picture, "WEBP", several),
        ("plain.avif", picture, "AVIF", {}),
        ("animated.avif", picture, "AVIF", several),
        ("plain.bmp", picture, "BMP", {}),
        ("palette.bmp", picture.quantize(16), "BMP", {}),
        ("plain.dib", picture, "DIB", {}),
        ("plain.ico", alpha, "ICO", {"sizes": [(128, 128)]}),
        ("plain.jp2", picture, "JPEG2000", {}),
        ("stream.j2k", picture, "JPEG2000", {"no_jp2": True}),
        ("several.mpo", picture, "MPO", several),
        ("plain.ppm", picture, "PPM", {}),
        ("grey.pgm", grey, "PPM", {}),
        ("plain.qoi", picture, "QOI", {}),
    ]
    for name, image, kind, options in made:
        out = io.BytesIO()
        # Not every build of Pillow can write all of them.
        with contextlib.suppress(KeyError, OSError, ValueError):
            # Copies: writers leave their settings with the picture.
            more = {"append_images": [second.copy()]} if options is several else {}
            image.copy().save(out, kind, **options, **more)
            yield name, out.getvalue()


def _mutated_png(dice: random.Random, data: bytes) -> bytes:
    chunks = _chunks(data)
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(chunks))
        kind, content = chunks[place]
        way = dice.random()
        if kind == b"IDAT" and way < 0.5:
            with contextlib.suppress(zlib.error):
                rows = zlib.decompress(content)
                content = zlib.compress(mutated_bytes(dice, rows, (bytes(99_999),)))
            chunks[place] = kind, content
        elif way < 0.7:
            chunks[place] = kind, mutated_bytes(dice, content, (b"\xff" * 40,))
        elif way < 0.8:
            chunks[place] = kind, b""
        elif way < 0.9:
            chunks.insert(place, chunks[dice.randrange(len(chunks))])
        else:
            names = [b"IDAT", b"PLTE", b"tRNS", b"iTXt", b"zTXt", b"iCCP", b"eXIf"]
            names += [b"acTL", b"fcTL", b"fdAT", b"IEND", b"zzzz"]
            chunks[place] = dice.choice(names), content
    return _PNG + b"".join(
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, place = [], len(_PNG)
    while place + 12 <= len(data):
        (size,) = struct.unpack_from(">I", data, place)
        found.append((data[place + 4 : place + 8], data[place + 8 : place + 8 + size]))
        place += 12 + size
    return found
