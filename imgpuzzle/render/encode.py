"""Files in memory: the animated GIF, and PNG for single pictures.

A GIF has one palette of 256 colours. Turning every frame into palette colours
would take a second a frame and make the picture flicker, so all is done once:
the palette is made from the board and from its brightened copy, both are
dithered, and from then on frames are composed of palette indices. Only the
rectangle that changes is stored.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from PIL import GifImagePlugin
from PIL import Image as PillowImage

from imgpuzzle.errors import UsageError
from imgpuzzle.image import Image
from imgpuzzle.reading import Region
from imgpuzzle.render.frames import (
    OUTLINE_DARK,
    OUTLINE_LIGHT,
    Style,
    brightened,
    check_fit,
    needs_outline,
    outline_masks,
)
from imgpuzzle.render.tiles import TileSet, render_position
from imgpuzzle.solution import Solution

__all__ = ["encode_gif", "encode_step_png"]

_BACKGROUND, _DARK, _LIGHT = 0, 1, 2
_RESERVED = 3  # palette slots of the three colours above


def encode_gif(
    solution: Solution,
    tileset: TileSet,
    *,
    style: Style | None = None,
    max_side_px: int = 800,
    max_frames: int = 600,
) -> bytes:
    """The solution as an animation that repeats for ever.

    It shows the start position, then for each move the board with the tile that
    has to move brightened and that tile sliding, then the solved board. Times
    are those of ``style``, rounded to hundredths of a second.

    Boards whose longer side exceeds ``max_side_px`` are scaled down. When the
    slides would need more than ``max_frames`` frames in all, each gets fewer of
    them; the time of a move stays. Raises ``UsageError`` for a limit below 1 and
    ``InvalidImageError`` when the tiles do not fit the board.
    """
    check_fit(solution, tileset)
    if max_side_px < 1 or max_frames < 1:
        raise UsageError(
            "expected limits of at least 1 px and 1 frame, "
            f"found {max_side_px} and {max_frames}"
        )
    style = style or Style()
    moves = max(1, solution.move_count)
    affordable = max(0, (max_frames - 2) // moves - 1)
    # Viewers show frames of less than 20 ms much longer.
    slides = min(style.slide_frames, affordable, style.slide_ms // 20)
    style = replace(style, slide_frames=slides)
    small = tileset.scaled(max_side_px / max(tileset.height, tileset.width))
    indexed = _index_tiles(small, style)

    out = io.BytesIO()
    for number, frame in enumerate(_frames(solution, small, indexed, style)):
        picture = PillowImage.fromarray(frame.pixels)  # mode L: indices as they are
        if number == 0:
            picture.putpalette(indexed.palette)
            out.writelines(_header(picture))
        out.writelines(
            GifImagePlugin.getdata(
                picture, (frame.left, frame.top), duration=frame.centiseconds * 10
            )
        )
    out.write(b";")
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class _Indexed:
    """Tiles as palette indices: plain and highlighted, H x W, uint8 each."""

    palette: bytes
    plain: tuple[Image, ...]
    bright: tuple[Image, ...]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The part of the board that changes, H x W uint8 indices, and its time."""

    pixels: Image
    left: int
    top: int
    centiseconds: int


def _index_tiles(tileset: TileSet, style: Style) -> _Indexed:
    """Reduce the tiles and their brightened copies to one palette."""
    start = render_position(range(tileset.shape.size), tileset)
    both = np.concatenate([start, brightened(start, style.brighten)])
    picture = PillowImage.fromarray(both)
    colours = picture.quantize(
        256 - _RESERVED,
        method=PillowImage.Quantize.FASTOCTREE,
        dither=PillowImage.Dither.NONE,
    ).getpalette()
    found = (colours or [])[: 3 * (256 - _RESERVED)]
    # A picture of few colours gets a short palette; the rest repeats its first.
    found += found[:3] * (256 - _RESERVED - len(found) // 3)
    reserved = [*tileset.background, *OUTLINE_DARK, *OUTLINE_LIGHT]
    palette = bytes(reserved + found)
    carrier = PillowImage.new("P", (1, 1))
    carrier.putpalette(palette)
    dithered = np.asarray(
        picture.quantize(palette=carrier, dither=PillowImage.Dither.FLOYDSTEINBERG)
    )
    height = tileset.height
    dark, light = outline_masks(tileset.tile_height, tileset.tile_width)
    plain, bright = [], []
    for cell, tile in enumerate(tileset.tiles):
        place = tileset.region(cell)
        plain.append(_crop(dithered[:height], place))
        lit = _crop(dithered[height:], place).copy()
        if needs_outline(tile, style, tileset.background):
            lit[dark] = _DARK
            lit[light] = _LIGHT
        bright.append(lit)
    return _Indexed(palette, tuple(plain), tuple(bright))


def _frames(
    solution: Solution, tileset: TileSet, indexed: _Indexed, style: Style
) -> Iterator[_Frame]:
    board = np.full((tileset.height, tileset.width), _BACKGROUND, np.uint8)
    places = list(range(tileset.shape.size))
    for cell, tile in enumerate(indexed.plain):
        _crop(board, tileset.region(cell))[...] = tile
    yield _Frame(board.copy(), 0, 0, style.pause_ms // 10)

    count = style.slide_frames
    times = _shares(style.slide_ms // 10, count)
    arrival: Region | None = None  # what the last move left to be shown
    for step in solution.steps():
        origin, target = tileset.region(step.origin), tileset.region(step.target)
        lit = indexed.bright[places[step.origin]]
        hollow = indexed.plain[places[step.target]]
        _crop(board, origin)[...] = lit
        changed = _union(arrival, origin) if arrival else origin
        yield _part(board, changed, style.frame_ms // 10)

        before = origin
        for number, time in enumerate(times, start=1):
            now = _between(origin, target, _eased(number / (count + 1)))
            changed = _union(before, now)
            _crop(board, changed)[...] = _BACKGROUND
            # A board without gaps shows the hollow on both sides of the tile.
            _crop(board, origin)[...] = hollow
            _crop(board, target)[...] = hollow
            _crop(board, now)[...] = lit
            yield _part(board, changed, time)
            before = now
        _crop(board, _union(origin, target))[...] = _BACKGROUND
        _crop(board, origin)[...] = hollow
        _crop(board, target)[...] = indexed.plain[places[step.origin]]
        places[step.origin], places[step.target] = (
            places[step.target],
            places[step.origin],
        )
        arrival = _union(before, target)
    if arrival:
        yield _part(board, arrival, style.pause_ms // 10)


def _part(board: Image, region: Region, centiseconds: int) -> _Frame:
    return _Frame(_crop(board, region).copy(), region.left, region.top, centiseconds)


def _crop(pixels: Image, region: Region) -> Image:
    return pixels[region.top : region.bottom, region.left : region.right]


def _union(one: Region, two: Region) -> Region:
    left, top = min(one.left, two.left), min(one.top, two.top)
    right, bottom = max(one.right, two.right), max(one.bottom, two.bottom)
    return Region(left, top, right - left, bottom - top)


def _between(origin: Region, target: Region, share: float) -> Region:
    return replace(
        origin,
        left=round(origin.left + (target.left - origin.left) * share),
        top=round(origin.top + (target.top - origin.top) * share),
    )


def _eased(share: float) -> float:
    """Slow at both ends, as hands move things."""
    return share * share * (3 - 2 * share)


def _shares(total: int, count: int) -> list[int]:
    """``total`` as ``count`` whole numbers that differ by at most one."""
    return [total * (i + 1) // count - total * i // count for i in range(count)]


def _header(picture: PillowImage.Image) -> list[bytes]:
    """The start of a GIF file for a picture with a palette, to be repeated."""
    blocks, _ = GifImagePlugin.getheader(picture, info={"loop": 0, "optimize": False})
    return blocks


def encode_step_png(image: Image) -> bytes:
    """A PNG of an H x W x 3 picture, without loss and quickly written.

    Pictures of at most 256 colours are stored with a palette, others in full
    colour.
    """
    picture = PillowImage.fromarray(image)
    # Counting stops at the 257th colour, so photographs cost nothing here.
    if picture.getcolors(256) is None:
        return _full_colour_png(image)
    out = io.BytesIO()
    _with_palette(image).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _full_colour_png(image: Image) -> bytes:
    import cv2

    # Predicting by Paeth and packing runs only: of all combinations the one that
    # is both quick and small; benchmarks/render.py has the figures.
    options = [cv2.IMWRITE_PNG_COMPRESSION, 1]
    options += [cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE]
    if hasattr(cv2, "IMWRITE_PNG_FILTER"):
        options += [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_PAETH]
    _, data = cv2.imencode(".png", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), options)
    return bytes(data)


def _with_palette(image: Image) -> PillowImage.Image:
    """The same picture in mode P, exactly."""
    wide = image.astype(np.uint32)
    codes = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    table, indices = np.unique(codes, return_inverse=True)
    picture = PillowImage.fromarray(indices.reshape(codes.shape).astype(np.uint8))
    channels = np.stack([table >> 16, table >> 8 & 255, table & 255], axis=1)
    picture.putpalette(channels.astype(np.uint8).tobytes())
    return picture
