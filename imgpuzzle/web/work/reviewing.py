"""The task of a recording: how the game in it was played."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imgpuzzle.live.watch.review as played
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.errors import InvalidImageError, SourceLostError, UsageError
from imgpuzzle.files.image import Image, reduced
from imgpuzzle.live.sources import Recording
from imgpuzzle.live.tracking import Tracker
from imgpuzzle.live.watch import report as telling
from imgpuzzle.live.watch.watching import Watcher
from imgpuzzle.messages import LiveFault
from imgpuzzle.render.drawing.tiles import TileSet, render_position
from imgpuzzle.render.files.png import encode_step_png
from imgpuzzle.render.templates import data_uri

TOLD_SECONDS = 0.5
"""Between two reports of how far it is."""


class _Heard(Recording):
    """A recording that says up to where it was looked at."""

    def __init__(self, path: str, report: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(path)
        self._report, self._told_at = report, 0.0

    def grab(self) -> Image:
        frame = super().grab()
        if time.monotonic() - self._told_at > TOLD_SECONDS:
            self._told_at = time.monotonic()
            self._report({"progress": 0.0, "text": f"{self.seconds:.0f}"})
        return frame


PICTURE_PX = 280
"""Of the longer side of a first position."""
MOST_PICTURES = 8
"""Parts that have one; recordings of hundreds of games are told in words."""


def review(
    request: dict[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Look at a recording from its beginning to its end, and write the page.

    When it is not wanted any more the process is ended: nothing is kept here.
    """
    path = Path(request["recording"])
    try:
        source = _Heard(str(path), report)
        tracker = Tracker(source)
        watcher = Watcher(tracker, is_planned=False)
        parts = played.games_of(watcher.events())
        if not parts:
            lost = SourceLostError.said(LiveFault.NEVER_SEEN)
            raise tracker.refused or lost
    except InvalidImageError as error:
        if error.message is None:
            raise
        # Errors name what was sent, not where it lies.
        named = error.message.replaced({str(path): "the recording"})
        raise InvalidImageError(named) from None
    finally:
        path.unlink()
    for number, part in enumerate(parts):
        report({"progress": (number + 0.5) / (len(parts) + 1), "text": ""})
        part.judge()
    told = {
        language: [telling.told(parts, at, language) for at in range(len(parts))]
        for language in LANGUAGES
    }
    longest = max(parts, key=lambda part: len(part.boards))
    language = request["language"]
    page = b""
    with contextlib.suppress(UsageError):  # nothing was moved
        guide, style = telling.guide_of(longest, language)
        ((_, page),) = guide.draw("review.html", style=style)
    Path(request["file"]).write_bytes(page)
    return {
        "name": "review.html",
        "bytes": len(page),
        "parts": [
            {
                "moves": len(part.boards) - 1,
                "solved": part.is_solved,
                "picture": _picture(part) if number < MOST_PICTURES else None,
                "told": {
                    language: dataclasses.asdict(those[number])
                    for language, those in told.items()
                },
            }
            for number, part in enumerate(parts)
        ],
    }


def _picture(part: played.Game) -> str:
    """The first position."""
    reading = part.reading
    where = {label: cell for cell, label in enumerate(reading.board.cells)}
    tiles = [where[label] for label in part.boards[0].cells]
    sheet = render_position(tiles, TileSet.from_reading(reading))
    return data_uri("image/png", encode_step_png(reduced(sheet, PICTURE_PX)))
