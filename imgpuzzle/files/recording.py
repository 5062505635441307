"""Recordings, frame by frame: animated pictures, folders of pictures, and films.

Only the newest frame is held. A recording that is damaged somewhere is told there: what
came before has been given by then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

from imgpuzzle.errors import InvalidImageError, UsageError, part
from imgpuzzle.files.image import Image, animated_frames, check_size, load_image
from imgpuzzle.files.temporary import why
from imgpuzzle.messages import LiveFault, Message, PictureFault

FILMS = frozenset({".avi", ".m4v", ".mkv", ".mov", ".mp4", ".webm"})
"""Suffixes of what PyAV reads; its library has decoders for much more than that."""

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".avif"})
"""The suffixes by which a folder's frames are told from what else lies there."""

USUAL_FPS = 10.0
"""Pictures that a folder is taken to have of each second."""

REST_SECONDS = 0.3
"""A frame that stays for so long is one at rest: no tile is on its way there."""

NOISE_LEVELS = 12
"""What a film's compression changes of a px that shows the same."""

LONGEST_SECONDS = 60.0
"""Nothing that rests is looked for beyond that."""

PARALLEL_PX = 2_200_000
"""Of films up to this size two frames are unpacked at once: a usual screen."""

_CONTAINERS = "avi,matroska,mov"
"""The formats that are tried: some others fetch what a file names."""


def frames_of(
    path: str | os.PathLike[str], fps: float = USUAL_FPS
) -> Generator[tuple[float, Image]]:
    """The frames of a recording, with the seconds from its beginning to each.

    Args:
        path: A GIF or another animated picture, a film, or a folder of pictures, which
            are taken in the order of their names, 2 before 10; what else lies there is
            passed over.
        fps: How many pictures of a folder were taken in a second.

    Raises:
        UsageError: For a folder without pictures, at once.
        InvalidImageError: For what is no recording, and where one is damaged.
        MissingDependencyError: For a film, where PyAV is not installed.
    """
    if not os.path.isdir(path):
        return _film(os.fspath(path)) if is_film(path) else animated_frames(path)
    try:
        inside = sorted(Path(path).iterdir(), key=_counted)
    except OSError as error:
        said = {"name": os.fspath(path), "why": why(error)}
        raise InvalidImageError.said(PictureFault.UNREADABLE_FILE, **said) from None
    # A pipe would be waited for.
    are_files = filter(os.path.isfile, inside)
    pictures = [one for one in are_files if one.suffix.lower() in PICTURES]
    if not pictures:
        raise UsageError.said(LiveFault.NO_FRAMES, name=os.fspath(path))
    return ((number / fps, load_image(one)) for number, one in enumerate(pictures))


def _counted(path: Path) -> list[str | int]:
    """Of a name text and whole numbers in turn, so that these count as such."""
    parts = re.split(r"(\d+)", path.name)
    return [int(one) if number % 2 else one for number, one in enumerate(parts)]


def is_film(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name is one of a film."""
    return os.path.splitext(os.fspath(path))[1].lower() in FILMS


def first_at_rest(path: str | os.PathLike[str]) -> Image:
    """The first frame of a film that rests; the first of all, where none does.

    Raises what ``frames_of`` does.
    """
    import cv2

    frames = frames_of(path)
    began, first = next(frames)
    shown = first
    for seconds, frame in frames:
        if cv2.norm(frame, shown, cv2.NORM_INF) > NOISE_LEVELS:
            began, shown = seconds, frame
        elif seconds - began >= REST_SECONDS:
            return shown
        if seconds > LONGEST_SECONDS:
            break
    return first


def _film(name: str) -> Generator[tuple[float, Image]]:
    av = part("av", "PyAV", "video")
    if not os.path.isfile(name):
        kind = PictureFault.FOLDER_AS_FILE if os.path.isdir(name) else None
        raise InvalidImageError(Message(kind or PictureFault.NO_FILE, name=name))
    count = 0
    try:
        with av.open(name, options={"format_whitelist": _CONTAINERS}) as film:
            stream: Any = film.streams.video[0]
            check_size(stream.width, stream.height, repr(name))
            # Whole frames that are unpacked at once take as much memory each.
            is_small = stream.width * stream.height <= PARALLEL_PX
            stream.thread_type = "AUTO" if is_small else "SLICE"
            stream.codec_context.thread_count = 2
            first: float | None = None
            for frame in film.decode(stream):
                seconds = float(frame.time or 0.0)
                first = seconds if first is None else first
                count += 1
                yield seconds - first, frame.to_ndarray(format="rgb24")
    except (av.FFmpegError, IndexError, ValueError, OSError, MemoryError) as error:
        reason = str(error) if isinstance(error, IndexError) else why(error)
        raise InvalidImageError.said(
            PictureFault.DAMAGED, name=name, why=reason
        ) from None
    if not count:
        raise InvalidImageError.said(PictureFault.EMPTY_FILE, name=name)
