"""The files that a solution can be saved as: one row for each suffix.

Everybody who has to know suffixes asks here: ``save`` and ``Guide.save``, options and
help of the command line, batches, the interface of the server and the downloads of the
page. A new format of a kind that is there is one more row; a new ``Kind`` has its
writers in ``save``, for plain pictures, and in ``outputs``, for guides.

Nothing heavy is imported before a file is written.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, BinaryIO, Protocol

from imgpuzzle.errors import MissingDependencyError
from imgpuzzle.messages import GuideFault, Message
from imgpuzzle.messages.message import sentence as _

if TYPE_CHECKING:
    from imgpuzzle.render.files.frames import Frame

__all__ = ["FILE_BYTES", "FORMATS", "Encoder", "Format", "Kind", "suffixes"]


FILE_BYTES = 100_000_000
"""What a single file, or all sheets of one, may take unless it is to be in full size:
no more than usual places for files take. Of larger ones the user hears before."""


class Kind(StrEnum):
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
        stems = {Kind.SHEETS: "overview", Kind.WORDS: "moves", Kind.ARCHIVE: "steps"}
        stems |= {Kind.PAPER: "guide", Kind.PAGE: "guide"}
        return stems.get(self, "solution")

    @property
    def is_text(self) -> bool:
        """Whether it consists of words and numbers."""
        return self in (Kind.WORDS, Kind.RECORD)


class Encoder(Protocol):
    """Writes frames in full colour as an animation."""

    def __call__(
        self,
        out: BinaryIO,
        frames: Iterable[Frame],
        times: Sequence[int],
        quality: int,
        /,
    ) -> None:
        """Write the frames, whose milliseconds are ``times``; quality is 0 to 100."""


@dataclass(frozen=True, slots=True)
class Format:
    """How the files of one suffix are made.

    Attributes:
        suffix: With the dot, in lower case.
        kind: What the file is.
        media_type: What it is called in HTTP.
        about: What it is good for, in a few words of English.
        needs: What may be missing here: ``"av"``, or a part of Pillow.
        encoder: Of animations in full colour, ``module:function`` in this package.
        best_quality: The most that an encoder is asked for.
        is_lossy: Whether less quality makes it smaller.
        is_large: Whether another format of its kind is much smaller.
        has_own_rate: Whether it has its own number of pictures a second.
    """

    suffix: str
    kind: Kind
    media_type: str
    about: str
    needs: str = ""
    encoder: str = ""
    best_quality: int = 80
    is_lossy: bool = True
    is_large: bool = False
    has_own_rate: bool = False

    @property
    def name(self) -> str:
        """Without the dot, as the server's interface calls it."""
        return self.suffix[1:]

    @property
    def has_palette(self) -> bool:
        """Whether its pictures have 256 colours: these animations are no Encoder's."""
        return self.kind is Kind.ANIMATION and not self.encoder

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
                raise MissingDependencyError(Message(GuideFault.NO_PYAV)) from None
        elif self.needs:
            from PIL import features

            if not features.check(self.needs):
                raise MissingDependencyError(
                    Message(GuideFault.POOR_PILLOW, format=self.name.upper())
                )

    def load_encoder(self) -> Encoder:
        """Its encoder, imported now."""
        module, _, function = self.encoder.partition(":")
        found: Encoder = getattr(
            importlib.import_module(f"imgpuzzle.render.files.{module}"), function
        )
        return found


_ROWS = (
    Format(".gif", Kind.ANIMATION, "image/gif", _("Plays everywhere"), is_large=True),
    Format(
        ".webp",
        Kind.ANIMATION,
        "image/webp",
        _("Smaller, more colours"),
        needs="webp",
        encoder="webp:write_webp",
    ),
    Format(
        ".avif",
        Kind.ANIMATION,
        "image/avif",
        _("Smallest, for new browsers"),
        needs="avif",
        encoder="movie:write_avif",
        best_quality=70,  # it looks as WebP does at 80, the usual best
    ),
    Format(
        ".mp4",
        Kind.ANIMATION,
        "video/mp4",
        _("Video"),
        needs="av",
        encoder="movie:write_mp4",
        has_own_rate=True,
    ),
    Format(
        ".apng",
        Kind.ANIMATION,
        "image/apng",
        _("All colours, large"),
        encoder="movie:write_apng",
        is_lossy=False,
        is_large=True,
    ),
    Format(".pdf", Kind.PAPER, "application/pdf", _("All steps, for the printer")),
    Format(".png", Kind.SHEETS, "image/png", _("All steps on sheets")),
    Format(
        ".html",
        Kind.PAGE,
        "text/html; charset=utf-8",
        _("A page to click through, offline"),
    ),
    Format(".zip", Kind.ARCHIVE, "application/zip", _("A picture of each step")),
    Format(".json", Kind.RECORD, "application/json", _("For programs")),
    Format(".md", Kind.WORDS, "text/markdown; charset=utf-8", _("The moves as a list")),
    Format(
        ".txt", Kind.WORDS, "text/plain; charset=utf-8", _("The moves as plain text")
    ),
)

FORMATS = {row.suffix: row for row in _ROWS}
"""The rows by their suffixes, in the order in which they are offered."""


def suffixes(*kinds: Kind) -> tuple[str, ...]:
    """The suffixes of these kinds, or all of them."""
    return tuple(s for s, row in FORMATS.items() if not kinds or row.kind in kinds)
