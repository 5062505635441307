"""Animations in full colour: WebP, AVIF, APNG and MP4, painted frame by frame.

No writer holds more than a few frames, however long the solution.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import features

from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.image import Image
from imgpuzzle.render.frames import Frame
from imgpuzzle.render.gif import difference

__all__ = [
    "MP4_FPS",
    "FrameStream",
    "check_writer",
    "encode_apng",
    "encode_mp4",
    "encode_pillow",
]

AVIF_SPEED = 8
"""From 0 to 10; 6 takes six times as long for two thirds of the size."""

MP4_FPS = 30


def check_writer(suffix: str) -> None:
    """Raise ``MissingDependencyError`` unless this machine can write the format."""
    if suffix == ".mp4":
        try:
            import av  # noqa: F401
        except ImportError:
            raise MissingDependencyError(
                "MP4 needs PyAV, which is not installed: "
                "pip install 'imgpuzzle[video]'; .webp and .gif need nothing more"
            ) from None
    name = {".webp": "webp", ".avif": "avif"}.get(suffix)
    if name is not None and not features.check(name):
        raise MissingDependencyError(
            f"this Pillow was built without {name.upper()}: "
            "pip install --upgrade pillow, or take .gif"
        )


def encode_pillow(
    kind: str, frames: Iterable[Frame], times: Sequence[int], quality: int
) -> bytes:
    """The animation as ``"WEBP"`` or ``"AVIF"``, lossy, ``quality`` from 0 to 100.

    ``times`` has the milliseconds of each frame, because the writers ask for all of
    them at the beginning.
    """
    stream = iter(frames)
    first = PillowImage.fromarray(next(stream).picture)
    # A whole animation without key frames: it is not to be sought in.
    how: dict[str, Any] = {"method": 2, "kmin": 0, "kmax": 1_000_000}
    if kind == "AVIF":
        how = {"speed": AVIF_SPEED}
    if len(times) > 1:
        how |= {
            "save_all": True,
            "append_images": [FrameStream(stream, len(times) - 1)],
            "duration": list(times),
            "loop": 0,
        }
    out = io.BytesIO()
    first.save(out, kind, quality=quality, **how)
    return out.getvalue()


class FrameStream:
    """Frames after the first one, for Pillow's writers.

    They ask a picture of several frames for one after the other; this one has
    each painted when it is asked for, so that never all are there at once.
    """

    def __init__(self, frames: Iterator[Frame], count: int) -> None:
        self._frames = frames
        self._place = -1
        self._now = PillowImage.new("RGB", (1, 1))
        self.n_frames = count

    def seek(self, place: int) -> None:
        """Go to the next frame; there is no other way."""
        if place >= self.n_frames:
            raise EOFError
        while self._place < place:
            self._place += 1
            self._now = PillowImage.fromarray(next(self._frames).picture)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._now, name)


def encode_apng(frames: Iterable[Frame], count: int) -> bytes:
    """The animation of ``count`` frames as an animated PNG, without loss.

    The first frame is a whole PNG; of each later one the rectangle that changes
    is put in as chunks of its own (W3C, Portable Network Graphics, third edition).
    """
    out = io.BytesIO()
    shown: Image | None = None
    number = 0
    for frame in frames:
        if shown is None:
            part, left, top = frame.picture, 0, 0
        else:
            part, (left, top) = difference(shown, frame.picture)
        chunks = _chunks(_png(part))
        if shown is None:
            out.write(b"\x89PNG\r\n\x1a\n")
            out.write(_chunk(b"IHDR", chunks[0][1]))
            out.write(_chunk(b"acTL", struct.pack(">II", count, 0)))
        high, wide = part.shape[:2]
        control = struct.pack(
            ">IIIIIHHBB", number, wide, high, left, top, frame.ms, 1000, 0, 0
        )
        out.write(_chunk(b"fcTL", control))
        number += 1
        for kind, data in chunks:
            if kind != b"IDAT":
                continue
            if shown is None:
                out.write(_chunk(b"IDAT", data))
            else:
                out.write(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
        shown = frame.picture
    out.write(_chunk(b"IEND", b""))
    return out.getvalue()


def _png(picture: Image) -> bytes:
    options = [cv2.IMWRITE_PNG_COMPRESSION, 4]
    _, data = cv2.imencode(
        ".png", cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2BGR), options
    )
    return bytes(data)


def _chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    found, place = [], 8
    while place < len(png):
        (length,) = struct.unpack_from(">I", png, place)
        kind = png[place + 4 : place + 8]
        found.append((kind, png[place + 8 : place + 8 + length]))
        place += 12 + length
    return found


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def encode_mp4(frames: Iterable[Frame], quality: int) -> bytes:
    """The animation as H.264 in MP4, ``quality`` from 0 to 100.

    It has ``MP4_FPS`` pictures a second; each frame is repeated as often as its
    time asks. Raises ``MissingDependencyError`` without PyAV.
    """
    check_writer(".mp4")
    import imageio.v3 as iio

    out = io.BytesIO()
    with iio.imopen(out, "w", plugin="pyav", extension=".mp4") as file:
        file.init_video_stream("libx264", fps=MP4_FPS, pixel_format="yuv420p")
        # "crf" runs from the best (0) to the worst (51); 23 is the encoder's own.
        stream: Any = file._video_stream
        # Pictures this small are sooner done, and smaller, without more threads.
        stream.options = {
            "crf": str(round(43 - 0.25 * quality)),
            "preset": "veryfast",
            "threads": "1",
        }
        owed = 0.0
        for frame in frames:
            owed += frame.ms * MP4_FPS / 1000
            picture = _even(frame.picture)
            for _ in range(round(owed)):
                file.write_frame(picture)
            owed -= round(owed)
    return out.getvalue()


def _even(picture: Image) -> Image:
    """With sides of an even number of px, which the colour format asks for."""
    high, wide = picture.shape[:2]
    pad = ((0, high % 2), (0, wide % 2), (0, 0))
    return np.pad(picture, pad, mode="edge") if high % 2 or wide % 2 else picture
