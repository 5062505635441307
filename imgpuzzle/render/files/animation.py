"""Animations in every format, and made small enough for a place that sets a limit."""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias, TypeVar

from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Economy, Message
from imgpuzzle.render.budget import fitted
from imgpuzzle.render.drawing.painter import Moment, timeline
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS, Format
from imgpuzzle.render.files.frames import Drawing
from imgpuzzle.render.files.gif import MAX_FRAME_PX, palette_of

T = TypeVar("T")

OnProgress: TypeAlias = Callable[[float], None]

LEAST_FRAME_PX = 64
"""Smaller boards cannot be followed."""

SEEN_WELL_PX = 320
"""Only for a limit of bytes boards get smaller than this."""

GIVEN_UP, GIVEN_UP_BYTES = 2.0, 32_000_000
"""A try that has so many times the bytes that are allowed, and so many at least, is not
finished: what it would take is clear."""

MOST_FRAMES = 600
"""Of an animation; with more, slides get fewer pictures."""

LEAST_MS = 20
"""Viewers show frames of less time much longer."""

RUNGS, SHRINKING = 19, 0.87
"""How often a file may give way to a limit, and how much of its side is left each time
but the first: the last is a fourteenth."""


@dataclass(frozen=True, slots=True)
class _Quality:
    """How much a file may show: a share of its size, slides, and fineness 0 to 1."""

    scale: float
    slides: int
    fine: float

    def weight(self, full: int) -> float:
        """The expected size of the file, in parts of that in full."""
        pictures = (1 + self.slides) / (1 + full)
        area = float(self.scale**1.7)
        return area * (0.25 + 0.75 * pictures) * (0.3 + 0.7 * self.fine)


def _efforts(full: int) -> Iterator[_Quality]:
    """First all that is wanted, with ``full`` slides, then less and less.

    What goes first is what is missed least: pictures in between, then fine colours,
    then size.
    """
    yield _Quality(1.0, full, 1.0)
    for rung in range(RUNGS):
        scale = SHRINKING ** max(0, rung - 1)
        fine = max(0.0, 1 - rung / RUNGS * 1.25)
        yield _Quality(scale, min(full, round(4 * scale)), fine)


def write_animation(
    out: BinaryIO,
    drawing: Drawing,
    suffix: str,
    *,
    max_side_px: int = MAX_FRAME_PX,
    max_bytes: float = math.inf,
    is_strict: bool = True,
    moves: int | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[Message, ...]:
    """Write a drawing as an animation of the format that ``suffix`` names.

    The frames are those of ``render_animation``, scaled down when their longer side
    exceeds ``max_side_px``, with fewer pictures a slide when there would be more than
    600. With ``max_bytes`` the animation gets fewer pictures a slide, coarser colours
    and a smaller size until it fits; unless that ``is_strict``, as far as boards stay
    large enough to be seen well. ``moves`` asks for the first of them only.
    Returns what was given up for that. ``on_progress`` gets, from 0 to 1,
    how much of a try is drawn.

    ``out`` is an empty file, open for reading and writing; it may be written several
    times. Frames are drawn one after the other, so that few are held at a time.

    Raises ``UsageError`` for a ``max_bytes`` that cannot be met, and
    ``MissingDependencyError``.
    """
    form = FORMATS[suffix]
    form.check()
    style, runs = drawing.style, max(1, drawing.solution.run_count)
    # No more than viewers and a long solution allow.
    affordable = max(0, (MOST_FRAMES - 2) // runs - 1)
    slides = min(style.slide_frames, affordable, style.slide_ms // LEAST_MS)
    style = dataclasses.replace(style, slide_frames=slides)
    drawing = dataclasses.replace(drawing, style=style).within(max_side_px)
    made = _Animation(out, drawing, form, on_progress, moves)
    if max_bytes < math.inf:
        return _fitted(made, int(max_bytes), is_strict=is_strict)
    made.write(_Quality(1.0, slides, 1.0))
    return ()


def timed(style: Style, *, fps: float | None = None, speed: float = 1.0) -> Style:
    """The style ``speed`` times as fast, with ``fps`` pictures a second in slides."""

    def faster(ms: int) -> int:
        return min(600_000, max(20, round(ms / speed)))

    slide_ms = faster(style.slide_ms)
    frames = style.slide_frames
    if fps is not None:
        frames = max(0, round(slide_ms * fps / 1000) - 1)
    return dataclasses.replace(
        style,
        frame_ms=faster(style.frame_ms),
        slide_ms=slide_ms,
        pause_ms=faster(style.pause_ms),
        slide_frames=frames,
    )


@dataclass(frozen=True, slots=True)
class _Animation:
    out: BinaryIO
    drawing: Drawing
    form: Format
    on_progress: OnProgress | None
    moves: int | None

    def scaled(self, effort: _Quality) -> Drawing:
        """The drawing in the size of an effort."""
        if effort.scale == 1:
            return self.drawing
        return self.drawing.within(max(1, round(max(self.drawing.size) * effort.scale)))

    def moments(self, style: Style) -> Iterator[Moment]:
        """What is shown: all of it, or the beginning."""
        count = None
        if self.moves is not None:
            count = (1 + style.slide_frames) * self.moves + 1
        return itertools.islice(timeline(self.drawing.solution, style), count)

    def write(self, effort: _Quality, *, limit: float = math.inf) -> int:
        """Write the file anew; returns its bytes.

        What would exceed ``limit`` by far is given up half-way, and the bytes are
        those that it would have had.
        """
        out, drawing = self.out, self.scaled(effort)
        style = dataclasses.replace(drawing.style, slide_frames=effort.slides)
        if self.form.fps is not None and style.slide_frames:
            # A slide gets a picture for each of the video's.
            style = timed(style, fps=self.form.fps)
        times = [moment.ms for moment in self.moments(style)]
        most = max(GIVEN_UP * limit, GIVEN_UP_BYTES)
        out.seek(0)
        out.truncate()

        def checked(frames: Iterable[T]) -> Iterator[T]:
            first = 0
            for number, frame in enumerate(frames):
                if self.on_progress is not None:
                    self.on_progress(number / len(times))
                found = out.tell()
                if number == 1:
                    first = found  # the whole of a picture, others are what changes
                if found > most:
                    each = (found - first) / max(1, number - 1)
                    foreseen = round(first + each * (len(times) - 1))
                    raise _TooLargeError(max(found, foreseen))
                yield frame

        try:
            moments, encode = self.moments(style), self.form.load()
            if self.form.has_palette:
                palette = palette_of(drawing, colours=_colours(effort))
                encode(out, checked(drawing.painted(moments, palette)), palette)
            else:
                from imgpuzzle.files.threads import made_ahead

                quality = round(20 + (self.form.best_quality - 20) * effort.fine)
                ahead = made_ahead(drawing.painted(moments))
                encode(out, checked(ahead), times, quality)
        except _TooLargeError as error:
            return error.size
        return out.seek(0, os.SEEK_END)


class _TooLargeError(Exception):
    """A file far larger than allowed; ``size`` is what it would take."""

    def __init__(self, size: int) -> None:
        self.size = size


def _colours(effort: _Quality) -> int:
    return round(32 * float(8**effort.fine))


def _fitted(made: _Animation, limit: int, *, is_strict: bool) -> tuple[Message, ...]:
    full, side = made.drawing.style.slide_frames, max(made.drawing.size)
    least = LEAST_FRAME_PX if is_strict else SEEN_WELL_PX
    first, *less = _efforts(full)
    ladder = [first, *(effort for effort in less if side * effort.scale >= least)]

    def measure(effort: _Quality) -> int:
        # What has to do as it is must not be given up.
        endless = effort is ladder[-1] and not is_strict
        return made.write(effort, limit=math.inf if endless else limit)

    effort, found = fitted(ladder, lambda e: e.weight(full), measure, limit)
    if found > limit and is_strict:
        large = made.form.is_large
        kind = Economy.SMALLEST_GIF if large else Economy.SMALLEST_ANIMATION
        raise UsageError(Message(kind, most=limit, least=int(found)))
    return () if effort is first else _told(made, effort, full)


def _told(made: _Animation, effort: _Quality, full: int) -> tuple[Message, ...]:
    notes: list[Message] = []
    if effort.scale < 1:
        size = "x".join(map(str, made.scaled(effort).size))
        notes.append(Message(Economy.SCALED_TO, size=size))
    # A video has its own number of pictures a second.
    if effort.slides < full and made.form.fps is None:
        count = effort.slides
        notes.append(Message(Economy.PICTURES_A_SLIDE, count=count, full=full))
    if effort.fine < 1 and made.form.has_palette:
        notes.append(Message(Economy.COLOURS, count=_colours(effort)))
    elif effort.fine < 1 and made.form.is_lossy:
        notes.append(Message(Economy.COARSER))
    return tuple(notes)
