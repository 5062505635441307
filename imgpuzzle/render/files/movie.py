"""Animations in full colour: AVIF, APNG and MP4, painted frame by frame.

No writer holds more than a few frames, however long the solution.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, BinaryIO

import numpy as np
from PIL import Image as PillowImage
from PIL.PngImagePlugin import getchunks, putchunk

from imgpuzzle.files.image import Image
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.render.files.frames import Frame
from imgpuzzle.render.files.gif import difference

AVIF_SPEED = 10
"""From 0 to 10; with the settings below as near to the frames as 8 without them."""

AVIF_ADVANCED = {
    # Tiles come back pixel by pixel, as windows do on a screen.
    "tune-content": "screen",
    # Neither shows at this quality, and each takes a tenth of the time.
    "enable-cdef": "0",
    "enable-palette": "0",
    # What signs cost is not reckoned anew in each block: a quarter of the time, and
    # files are no larger.
    "coeff-cost-upd-freq": "3",
    "mode-cost-upd-freq": "3",
    "mv-cost-upd-freq": "3",
    "sb-size": "64",
    # A frame is like the one before, or the ones before that.
    "enable-intrabc": "0",
    "max-reference-frames": "3",
    "enable-order-hint": "0",
}

APNG_LEVEL = 4
"""Of zlib, from 1 to 9."""

MP4_THREADS = 2
"""More make pictures this small no sooner done."""

MILLISECOND = Fraction(1, 1000)
"""Time is counted in these."""


def write_avif(
    out: BinaryIO, frames: Iterable[Frame], times: Sequence[int], quality: int
) -> None:
    """Write the animation as AVIF, lossy, ``quality`` from 0 to 100.

    ``times`` has the milliseconds of each frame, because the writer asks for all of
    them at the beginning.
    """
    stream = iter(frames)
    first = PillowImage.fromarray(next(stream).picture)
    how: dict[str, Any] = {"speed": AVIF_SPEED, "advanced": AVIF_ADVANCED}
    if len(times) > 1:
        how |= {
            "save_all": True,
            "append_images": [FrameStream(stream, len(times) - 1)],
            "duration": list(times),
        }
    first.save(out, "AVIF", quality=quality, **how)


class FrameStream:
    """Frames after the first one, for Pillow's writer of AVIF.

    It asks a picture of several frames for one after the other; this one has each
    painted when it is asked for, so that never all are there at once, and hands its
    pixels over as they are.
    """

    mode = "RGB"

    def __init__(self, frames: Iterator[Frame], count: int) -> None:
        self._frames = frames
        self._place = -1
        self.n_frames = count

    def seek(self, place: int) -> None:
        """Go to the next frame; there is no other way."""
        if place >= self.n_frames:
            raise EOFError
        while self._place < place:
            self._place += 1
            self._picture = next(self._frames).picture

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frame."""
        high, wide = self._picture.shape[:2]
        return wide, high

    def tobytes(self, *_how: str) -> bytes:
        """Its pixels."""
        return self._picture.tobytes()


def write_apng(
    out: BinaryIO, frames: Iterable[Frame], times: Sequence[int], quality: int
) -> None:
    """Write the animation as an animated PNG, without loss whatever the quality.

    The first frame is a whole PNG; of each later one the rectangle that changes
    is put in as chunks of its own (W3C, Portable Network Graphics, third edition).
    """
    shown: Image | None = None
    number = 0
    for frame in frames:
        part, (left, top) = frame.picture, (0, 0)
        if shown is not None:
            part, (left, top) = difference(shown, frame.picture)
        chunks = getchunks(PillowImage.fromarray(part), compress_level=APNG_LEVEL)
        if shown is None:
            out.write(b"\x89PNG\r\n\x1a\n")
            putchunk(out, b"IHDR", chunks[0][1])
            putchunk(out, b"acTL", struct.pack(">II", len(times), 0))
        high, wide = part.shape[:2]
        fields = number, wide, high, left, top, frame.ms, 1000, 0, 0
        putchunk(out, b"fcTL", struct.pack(">IIIIIHHBB", *fields))
        number += 1
        for kind, data, _ in chunks:
            if kind == b"IDAT" and shown is None:
                putchunk(out, kind, data)
            elif kind == b"IDAT":
                putchunk(out, b"fdAT", struct.pack(">I", number), data)
                number += 1
        shown = frame.picture
    putchunk(out, b"IEND")


def write_mp4(
    out: BinaryIO, frames: Iterable[Frame], times: Sequence[int], quality: int
) -> None:
    """Write the animation as H.264 in MP4, ``quality`` from 0 to 100.

    Each frame is stored once and lasts as long as it is shown. Raises
    ``MissingDependencyError`` without PyAV.
    """
    FORMATS[".mp4"].check()
    import av

    try:
        with av.open(out, "w", format="mp4") as file:
            _write_frames(file, frames, quality)
    except av.FFmpegError as error:
        if isinstance(error.__context__, OSError):
            # It stands for the file's own: a full disk, for one.
            raise error.__context__ from None
        raise


def _write_frames(file: Any, frames: Iterable[Frame], quality: int) -> None:
    import av

    lasting: dict[int, int] = {}
    stream: Any = file.add_stream("libx264", rate=FORMATS[".mp4"].fps)
    stream.pix_fmt = "yuv420p"
    stream.time_base = stream.codec_context.time_base = MILLISECOND
    # "crf" runs from the best (0) to the worst (51); 23 is the encoder's own.
    stream.options = {
        "crf": str(round(43 - 0.25 * quality)),
        "preset": "veryfast",
        "threads": str(min(MP4_THREADS, os.cpu_count() or 1)),
    }
    at = 0
    for frame in frames:
        pixels = frame.picture
        high, wide = pixels.shape[:2]
        # The colour format asks for sides of an even number of px.
        if high % 2 or wide % 2:
            rim = ((0, high % 2), (0, wide % 2), (0, 0))
            pixels = np.pad(pixels, rim, mode="edge")
        picture = av.VideoFrame.from_ndarray(pixels, format="rgb24")
        if not at:
            stream.width, stream.height = picture.width, picture.height
        picture.pts, picture.time_base = at, MILLISECOND
        lasting[at] = frame.ms
        at += frame.ms
        _write(file, stream.encode(picture), lasting)
    _write(file, stream.encode(None), lasting)


def _write(file: Any, packets: Iterable[Any], lasting: dict[int, int]) -> None:
    """Write packets with the times of their frames: the last one's is not implied."""
    for packet in packets:
        packet.duration = lasting.pop(packet.pts)
        file.mux(packet)
