"""The animated WebP: what changes of each frame, encoded in threads.

libwebp's own writer of animations compares all frames one after the other. Here it is
known what was painted: of each frame only the rectangle that changes is encoded, as a
picture of its own, with what stays transparent where that is much of it. The file is
put together from these (WebP Container Specification).
"""

from __future__ import annotations

import dataclasses
import functools
import io
import itertools
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage

from imgpuzzle.files.image import Image
from imgpuzzle.files.threads import in_threads
from imgpuzzle.render.files.frames import Frame
from imgpuzzle.render.files.gif import difference

METHOD = 2
"""From 0 to 6, of libwebp: 4 takes twice as long for 2 % of the bytes."""

BLOCK = 8
"""What stays is left out in squares of so many px: ragged edges cost more."""

STILL = 0.4
"""Left out if it is at least this much of the rectangle."""


@dataclasses.dataclass(slots=True)
class _Patch:
    """A rectangle that changes, where it lies and for how long it is shown."""

    picture: PillowImage.Image
    left: int
    top: int
    ms: int


def write_webp(
    out: BinaryIO, frames: Iterable[Frame], times: Sequence[int], quality: int
) -> None:
    """Write frames of one size as an animated WebP that repeats for ever.

    ``quality`` is from 0 to 100. One frame makes a still picture.
    """
    parts = (functools.partial(_encoded, one, quality) for one in _parts(frames))
    encoded = in_threads(parts)
    first, still = next(encoded)
    second = next(encoded, None)
    if second is None:
        out.write(still)
        return
    begin = out.tell()
    canvas = _three(first.picture.width - 1) + _three(first.picture.height - 1)
    # There is an animation, and transparency in some of its frames.
    flags = struct.pack("<I", 0x12)
    out.write(b"RIFF\0\0\0\0WEBP" + _chunk(b"VP8X", flags + canvas))
    out.write(_chunk(b"ANIM", struct.pack("<IH", 0, 0)))
    for part, data in itertools.chain([(first, still), second], encoded):
        out.write(_animation_frame(part, data))
    end = out.tell()
    out.seek(begin + 4)
    out.write(struct.pack("<I", end - begin - 8))
    out.seek(end)


def _encoded(part: _Patch, quality: int) -> tuple[_Patch, bytes]:
    out = io.BytesIO()
    part.picture.save(out, "WEBP", quality=quality, method=METHOD)
    return part, out.getvalue()


def _parts(frames: Iterable[Frame]) -> Iterator[_Patch]:
    """What changes from frame to frame; equal ones are shown as one for longer."""
    shown: Image | None = None
    part: _Patch | None = None
    new: _Patch | None
    for frame in frames:
        if shown is None:
            new = _Patch(PillowImage.fromarray(frame.picture), 0, 0, frame.ms)
        else:
            new = _changed(shown, frame)
        if part is not None and new is None:
            part.ms += frame.ms
            continue
        if part is not None:
            yield part
        part, shown = new, frame.picture
    if part is not None:
        yield part


def _changed(before: Image, frame: Frame) -> _Patch | None:
    now = frame.picture
    part, (left, top) = difference(before, now)
    high, wide = part.shape[:2]
    # Places are stored in units of two px.
    left, wide = left - left % 2, wide + left % 2
    top, high = top - top % 2, high + top % 2
    part = now[top : top + high, left : left + wide]
    apart = part != before[top : top + high, left : left + wide]
    mask = apart[..., 0] | apart[..., 1] | apart[..., 2]
    if not mask.any():
        return None
    mask = _squares(mask)
    if mask.mean() > 1 - STILL:
        return _Patch(PillowImage.fromarray(part), left, top, frame.ms)
    clear = np.zeros((high, wide, 4), np.uint8)
    clear[mask, :3] = part[mask]
    clear[mask, 3] = 255
    return _Patch(PillowImage.fromarray(clear), left, top, frame.ms)


def _squares(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """All of each square of which any px is set."""
    high, wide = mask.shape
    rows, cols = -(-high // BLOCK), -(-wide // BLOCK)
    whole = np.zeros((rows * BLOCK, cols * BLOCK), np.bool_)
    whole[:high, :wide] = mask
    some = whole.reshape(rows, BLOCK, cols, BLOCK).any(axis=(1, 3))
    return some.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:high, :wide]


def _animation_frame(part: _Patch, still: bytes) -> bytes:
    """The chunk of a frame with the pixels of a still picture's file."""
    pixels = b"".join(
        _chunk(kind, data)
        for kind, data in _chunks(still)
        if kind in (b"ALPH", b"VP8 ", b"VP8L")
    )
    # Laid over what is there, or in its place; never taken away again.
    flags = 0 if part.picture.mode == "RGBA" else 2
    fields = part.left // 2, part.top // 2, part.picture.width - 1
    head = b"".join(map(_three, (*fields, part.picture.height - 1, part.ms)))
    return _chunk(b"ANMF", head + bytes([flags]) + pixels)


def _chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 12
    while place < len(file):
        kind = file[place : place + 4]
        (length,) = struct.unpack_from("<I", file, place + 4)
        yield kind, file[place + 8 : place + 8 + length]
        place += 8 + length + length % 2


def _chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _three(number: int) -> bytes:
    """A number as three bytes, the lowest first."""
    return number.to_bytes(3, "little")
