"""Films, painted frame by frame: few of them are held, however long the solution."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, BinaryIO

import numpy as np

from imgpuzzle.files.image import Image
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.render.files.frames import Frame

MP4_FPS = 30
"""Pictures a second while tiles slide."""

MP4_THREADS = 2
"""More make pictures this small no sooner done."""

MILLISECOND = Fraction(1, 1000)
"""Time is counted in these."""


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
    stream: Any = file.add_stream("libx264", rate=MP4_FPS)
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
        picture = av.VideoFrame.from_ndarray(_even(frame.picture), format="rgb24")
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


def _even(picture: Image) -> Image:
    """With sides of an even number of px, which the colour format asks for."""
    high, wide = picture.shape[:2]
    pad = ((0, high % 2), (0, wide % 2), (0, 0))
    return np.pad(picture, pad, mode="edge") if high % 2 or wide % 2 else picture
