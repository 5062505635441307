"""The files that a solution can be saved as: one row for each suffix.

Everybody who has to know suffixes asks here: ``Guide.save``, options and help of the
command line, batches, the interface of the server and the downloads of the page. A new
format of a kind that is there is one more row, with the function that writes it; a new
``Sort`` has its way to call such functions in ``outputs``.

Nothing heavy is imported before a file is written.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.messages import GuideFault, Message
from imgpuzzle.messages.message import sentence as _

FILE_BYTES = 100_000_000
"""What a single file, or all sheets of one, may take unless it is to be in full size:
no more than usual places for files take. Of larger ones the user hears before."""


class Sort(StrEnum):
    """What a file is; formats of one kind have the same options."""

    ANIMATION = "animation"
    SHEETS = "sheets"
    PAPER = "paper"
    PAGE = "page"
    WORDS = "words"
    ARCHIVE = "archive"
    RECORD = "record"

    @property
    def stem(self) -> str:
        """What a file of the kind is called among others of one board."""
        stems = {Sort.SHEETS: "overview", Sort.WORDS: "moves", Sort.ARCHIVE: "steps"}
        stems |= {Sort.PAPER: "guide", Sort.PAGE: "guide"}
        return stems.get(self, "solution")

    @property
    def is_text(self) -> bool:
        """Whether it consists of words and numbers."""
        return self in (Sort.WORDS, Sort.RECORD)


@dataclass(frozen=True, slots=True)
class Format:
    """How the files of one suffix are made.

    Attributes:
        suffix: With the dot, in lower case.
        kind: What the file is.
        media_type: What it is called in HTTP.
        about: What it is good for, in a few words of English.
        writer: What writes it: a function, or ``module:function`` in
            ``imgpuzzle.render``. It gets what the others of its kind get: animations
            an open file, the frames, their ms and the quality (with a palette, that
            in place of these two), words the solution, how it names things and what
            stands beside it.
        needs: What may be missing here: ``"av"``, or a part of Pillow.
        best_quality: The most that the writer of an animation is asked for.
        has_palette: Whether its pictures have 256 colours.
        is_lossy: Whether less quality makes it smaller.
        is_large: Whether another format of its kind is much smaller.
        fps: Pictures a second while tiles slide, where that is the format's to say.
    """

    suffix: str
    kind: Sort
    media_type: str
    about: str
    writer: str | Callable[..., Any] = ""
    needs: str = ""
    best_quality: int = 80
    has_palette: bool = False
    is_lossy: bool = True
    is_large: bool = False
    fps: int | None = None

    @property
    def name(self) -> str:
        """Without the dot, as the server's interface calls it."""
        return self.suffix[1:]

    @property
    def file_name(self) -> str:
        """What its file is called in a folder of several: ``guide.html``."""
        return f"{self.kind.stem}{self.suffix}"

    @property
    def lacks(self) -> Message | None:
        """What extra has to be installed for it; asked without importing anything."""
        is_there = self.needs != "av" or importlib.util.find_spec("av")
        return None if is_there else Message(GuideFault.NO_PYAV)

    def check(self) -> None:
        """Raise ``MissingDependencyError`` when this machine cannot write it.

        Cheap for formats that every machine can write.
        """
        if self.lacks is not None:
            raise MissingDependencyError(self.lacks)
        if self.needs == "av":
            try:
                import av  # noqa: F401
            except ImportError:
                raise MissingDependencyError.said(GuideFault.NO_PYAV) from None
        elif self.needs:
            from PIL import features

            if not features.check(self.needs):
                raise MissingDependencyError.said(
                    GuideFault.POOR_PILLOW, format=self.name.upper()
                )

    def load(self) -> Any:
        """The function that writes it, imported now."""
        if not isinstance(self.writer, str):
            return self.writer
        module, _, function = self.writer.partition(":")
        found = importlib.import_module(f"imgpuzzle.render.{module}")
        return getattr(found, function)


_MOVING = Sort.ANIMATION

_ROWS = (
    Format(
        ".gif",
        _MOVING,
        "image/gif",
        _("Plays everywhere"),
        "files.gif:write_gif",
        has_palette=True,
        is_large=True,
    ),
    Format(
        ".webp",
        _MOVING,
        "image/webp",
        _("Smaller, more colours"),
        "files.webp:write_webp",
        needs="webp",
    ),
    Format(
        ".avif",
        _MOVING,
        "image/avif",
        _("Smallest, for new browsers"),
        "files.movie:write_avif",
        needs="avif",
        best_quality=70,  # it looks as WebP does at 80, the usual best
    ),
    Format(
        ".mp4",
        _MOVING,
        "video/mp4",
        _("Video"),
        "files.movie:write_mp4",
        needs="av",
        fps=30,
    ),
    Format(
        ".apng",
        _MOVING,
        "image/apng",
        _("All colours, large"),
        "files.movie:write_apng",
        is_lossy=False,
        is_large=True,
    ),
    Format(
        ".pdf",
        Sort.PAPER,
        "application/pdf",
        _("All steps, for the printer"),
        "sheets.pdf:write_pdf",
    ),
    Format(".png", Sort.SHEETS, "image/png", _("All steps on sheets")),
    Format(
        ".html",
        Sort.PAGE,
        "text/html; charset=utf-8",
        _("A page to click through, offline"),
        "page:render_page",
    ),
    Format(".zip", Sort.ARCHIVE, "application/zip", _("A picture of each step")),
    Format(".json", Sort.RECORD, "application/json", _("For programs")),
    Format(
        ".md",
        Sort.WORDS,
        "text/markdown; charset=utf-8",
        _("The moves as a list"),
        "sheets.text:moves_markdown",
    ),
    Format(
        ".txt",
        Sort.WORDS,
        "text/plain; charset=utf-8",
        _("The moves as plain text"),
        "sheets.text:moves_text",
    ),
)

FORMATS = {row.suffix: row for row in _ROWS}
"""The rows by their suffixes, in the order in which they are offered."""


SERVED: dict[str, tuple[Sort, ...]] = {
    "moving": (Sort.ANIMATION,),
    "steps": (Sort.ARCHIVE,),
    "sheets": (Sort.SHEETS,),
    "paper": (Sort.PAPER,),
    "page": (Sort.PAGE,),
    "text": (Sort.WORDS,),
}
"""What the row of an option may say that it serves."""
SERVED["marked"] = SERVED["all"] = tuple(kind for kind in Sort if not kind.is_text)


def suffixes(*kinds: Sort) -> tuple[str, ...]:
    """The suffixes of these kinds, or all of them."""
    return tuple(s for s, row in FORMATS.items() if not kinds or row.kind in kinds)
