"""What a guide can be saved as: one writer for each suffix, and a folder of files."""

from __future__ import annotations

import functools
import json
import math
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, TypedDict

from imgpuzzle import folder
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Economy, GuideFault, Message
from imgpuzzle.temporary import Content, in_memory

if TYPE_CHECKING:
    from imgpuzzle.image import Image
    from imgpuzzle.pipeline import Guide
    from imgpuzzle.reading import Region
    from imgpuzzle.render.frames import Setting
    from imgpuzzle.render.style import Style

__all__ = [
    "Making",
    "SaveOptions",
    "check_suffix",
    "folder_contents",
    "is_animation",
    "make",
    "preview",
    "suffixes",
]

MANY_MOVES = 40
"""Step pictures of longer solutions have a palette: a third of the bytes."""

SHEETS_SHARE, ANIMATION_SHARE = 0.2, 0.33
"""Of what a folder may take; step pictures get the rest."""

FOLDER_SIDE_PX = 640
"""The longer side of a board's animation in a folder, which is one of many files."""


def folder_bytes(moves: int) -> float:
    """What a folder may take, aimed at, for a guide of so many moves.

    Less than 8 MB of a 3x3 and never 20 MB, so that folders can be passed on; long
    solutions get fewer bytes a picture, as long as those are not too small.
    """
    pictures = moves + 1
    return max(7.6e6, min(174e3 * pictures, 1.82e6 * math.sqrt(pictures), 19.4e6))


FILE_BYTES = 100_000_000
"""What a single file, or all sheets of one, may take unless it is to be in full size:
no more than usual places for files take."""


TEXTS = (".txt", ".md", ".json")
"""Suffixes of what is words."""

OnProgress: TypeAlias = Callable[[str, float], None]
"""Called with what is being made, and what share of it is done, from 0 to 1."""


class SaveOptions(TypedDict, total=False):
    """How guides are written; each has a default.

    Attributes:
        columns: Panels in a row of a sheet.
        gap_px: Px between the panels of a sheet.
        per_page: Panels a sheet; more make several files. ``None`` for 12 to 30, by the
            number of cells, and as many as fit well on the paper of a PDF.
        compact: One panel for each straight run of tiles.
        paper: Of a PDF, ``"a4"`` or ``"letter"``.
        size: The longer side of an animation in px; ``None`` for at most 900.
        max_bytes: The most an animation may take; it gets smaller until it fits.
        in_screenshot: Steps and animations show the whole screenshot.
        crop_px: They show so many px of it around the board, and no more.
        few_colours: Step pictures have 256 colours and a third of the bytes; those of
            more than 40 moves do anyway, and of a folder that would be too large.
        full_size: Step pictures, sheets and animations in full size and colour, however
            many bytes they take. Otherwise those of a folder stay together below 8 MB
            for 30 moves and below 20 MB up to 300, and any other file below 100 MB, but
            pictures stay about 200 px large.
        on_progress: Called with what is being made, and what share of it is done.
        note: Called with what was given up, for ``max_bytes`` or for want of room, and
            with what will be large.
    """

    columns: int
    gap_px: int
    per_page: int | None
    compact: bool
    paper: str
    size: int | None
    max_bytes: int | None
    in_screenshot: bool
    crop_px: int | None
    few_colours: bool
    full_size: bool
    on_progress: OnProgress | None
    note: Callable[[Message], None] | None


@dataclass(frozen=True, slots=True)
class Making:
    """``SaveOptions`` with their defaults."""

    columns: int = 5
    gap_px: int = 30
    per_page: int | None = None
    compact: bool = False
    paper: str = "a4"
    size: int | None = None
    max_bytes: int | None = None
    in_screenshot: bool = False
    crop_px: int | None = None
    few_colours: bool = False
    full_size: bool = False
    on_progress: OnProgress | None = field(default=None, compare=False)
    note: Callable[[Message], None] | None = field(default=None, compare=False)

    def progress_of(self, what: str) -> Callable[[float], None] | None:
        """What to call with the share that is done of one file."""
        return (
            None
            if self.on_progress is None
            else functools.partial(self.on_progress, what)
        )


def suffixes() -> tuple[str, ...]:
    """All suffixes that guides can be saved with."""
    return tuple(_WRITERS)


def is_animation(suffix: str) -> bool:
    """Whether files of that suffix move."""
    return _WRITERS.get(suffix) is _animation


def check_suffix(suffix: str) -> None:
    """Raise ``MissingDependencyError`` when this machine cannot write the format.

    Cheap for formats that every machine can write.
    """
    if suffix in (".mp4", ".webp", ".avif"):
        from imgpuzzle.render.movie import check_writer

        check_writer(suffix)


def make(
    guide: Guide, suffix: str, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    """Yield the files of one format: what to add to the name, and the content.

    Most formats are one file, to which nothing is added. Long ones are not held in
    memory: their content is a function that writes them into an open file. Raises
    ``UsageError`` for a suffix without a writer and options that do not go together.
    """
    if suffix not in _WRITERS:
        raise UsageError(
            f"expected a folder or one of the suffixes {', '.join(_WRITERS)}, "
            f"found {suffix!r}"
        )
    return _WRITERS[suffix](guide, suffix, _honest(guide, style), making)


def preview(guide: Guide, suffix: str, style: Style, making: Making) -> bytes:
    """The beginning of what ``make`` would write: a PNG, or UTF-8 text of words.

    It is the first sheet or page of those formats that have some, the first step of
    moving pictures and of the browser's guide. Raises as ``make``.
    """
    if suffix not in _WRITERS:
        raise UsageError(
            f"expected a suffix of {', '.join(_WRITERS)}, found {suffix!r}"
        )
    if suffix in TEXTS or suffix == ".png":
        _, data = next(make(guide, suffix, style, making))
        assert isinstance(data, bytes)
        return data
    from imgpuzzle.render.png import encode_step_png

    fitted = _honest(guide, style)
    if suffix == ".pdf":
        from imgpuzzle.render.pdf import first_page

        return encode_step_png(
            first_page(
                guide.solution,
                guide.tileset,
                paper=making.paper,
                style=fitted,
                compact=making.compact,
                per_page=making.per_page,
            )
        )
    from imgpuzzle.render.frames import render_steps

    setting = _setting(guide, making)
    steps = render_steps(guide.solution, guide.tileset, fitted, setting=setting)
    return encode_step_png(next(iter(steps)))


def folder_contents(
    guide: Guide, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    """Yield name and content of all files of a folder, the record last."""
    names = []
    for name, data in _contents(guide, _honest(guide, style), making):
        names.append(name)
        yield name, data
    # Names, not paths: the folder may be moved.
    record = guide.to_dict([*names, folder.RECORD_NAME])
    yield folder.RECORD_NAME, _json_bytes(record)


def _contents(
    guide: Guide, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    if making.full_size:
        yield from _steps(guide, style, making)
        yield from _beside_steps(guide, style, making, math.inf)
        return
    allowed = folder_bytes(guide.solution.length)
    others = [
        (name, in_memory(content))
        for name, content in _beside_steps(guide, style, making, allowed)
    ]
    # Step pictures come first, but take what room the others leave.
    left = allowed - sum(len(data) for _, data in others)
    yield from _steps(guide, style, making, max(left, allowed / 3))
    yield from others


def _beside_steps(
    guide: Guide, style: Style, making: Making, allowed: float
) -> Iterator[tuple[str, Content]]:
    if guide.reading is not None and guide.reading.method == "reassembly":
        from imgpuzzle.render.png import encode_step_png
        from imgpuzzle.vision.annotate import assemble

        # Nobody but the reader has seen this goal: show it.
        yield folder.ASSEMBLED_NAME, encode_step_png(assemble(guide.reading))
    for name in folder.MADE_NAMES:
        stem, suffix = os.path.splitext(name)
        made: Iterator[tuple[str, Content]]
        if suffix == ".png":
            made = _sheets(guide, suffix, style, making, SHEETS_SHARE * allowed)
        elif suffix == ".gif":
            share = ANIMATION_SHARE * allowed
            made = _animation(guide, suffix, style, making, share, in_folder=True)
        elif suffix == ".md":
            made = iter([("", _markdown_text(guide, style, _step_names(guide)))])
        else:
            made = _WRITERS[suffix](guide, suffix, style, making)
        for addition, data in made:
            yield f"{stem}{addition}{suffix}", data


def _honest(guide: Guide, style: Style) -> Style:
    """The style, with a remark where the screenshot was doubtful reading."""
    reading = guide.reading
    if reading is None or reading.certain:
        return style
    from imgpuzzle.language import words

    _ = words(style.language).gettext
    naming = style.naming()
    where = "; ".join(naming.cell(reading.shape, cell) for cell in reading.doubtful)
    doubt = _("The reading of the screenshot is doubtful.")
    if where and len(reading.doubtful) < reading.shape.size:
        doubt = _("The reading of the screenshot is doubtful at {places}.").format(
            places=where
        )
    check = _("Make sure that start and goal are those of your game.")
    remark = f"{style.remark} {doubt} {check}".strip()
    return replace(style, remark=remark, doubtful=True)


def _setting(guide: Guide, making: Making) -> Setting | None:
    if not making.in_screenshot and making.crop_px is None:
        return None
    reading, screenshot = guide.reading, guide.screenshot
    if reading is None or screenshot is None:
        raise UsageError(Message(GuideFault.NOTHING_AROUND))
    if reading.corners is not None:
        raise UsageError(Message(GuideFault.TILTED_BOARD))
    if guide.picture is not None:
        raise UsageError(Message(GuideFault.OTHER_TILE_PICTURE))
    return _cropped(screenshot, reading.region, making.crop_px)


def _cropped(screenshot: Image, region: Region, margin: int | None) -> Setting:
    """The board with so many px around it, as far as the screenshot goes."""
    from imgpuzzle.reading import Region
    from imgpuzzle.render.frames import Setting

    if margin is None:
        return Setting(screenshot, region)
    if margin < 0:
        raise UsageError(f"expected a margin from 0 px, found {margin}")
    left, top = max(0, region.left - margin), max(0, region.top - margin)
    part = screenshot[top : region.bottom + margin, left : region.right + margin]
    moved = Region(region.left - left, region.top - top, region.width, region.height)
    return Setting(part, moved)


def _file_bytes(making: Making) -> float:
    """What a file, or the sheets of one, may take."""
    return math.inf if making.full_size else FILE_BYTES


def _steps(
    guide: Guide, style: Style, making: Making, allowed: float = math.inf
) -> Iterator[tuple[str, bytes]]:
    """Name and PNG of every step picture, in order, in about ``allowed`` bytes."""
    from imgpuzzle.render.threads import in_threads
    from imgpuzzle.render.within import first_step_bytes, plan_steps, step_tasks

    solution = guide.solution
    many = solution.length > MANY_MOVES and not making.full_size
    plan = plan_steps(
        solution,
        guide.tileset,
        allowed,
        style=style,
        setting=_setting(guide, making),
        indexed=making.few_colours or many,
    )
    if plan.size is not None and making.note is not None:
        size = "x".join(map(str, plan.size))
        notes = Message(Economy.SCALED_TO, size=size), Message(Economy.FULL_SIZE_KEEPS)
        making.note(_of_file(Message(Economy.STEP_PICTURES), notes))
    count = solution.length + 1
    if allowed == math.inf:
        _note_large(
            making,
            Message(Economy.STEP_PICTURES),
            count * first_step_bytes(solution, plan, style),
        )
    tasks = step_tasks(solution, plan, style)
    on_progress = making.progress_of("steps")
    pictures = zip(_step_names(guide), in_threads(tasks), strict=True)
    for number, (name, data) in enumerate(pictures):
        if on_progress is not None:
            on_progress(number / count)
        yield name, data


def _of_file(what: str | Message, notes: tuple[Message, ...]) -> Message:
    """What was given up for a file, or for files of one kind."""
    return Message(Economy.FILE, name=what, notes=notes)


def _note_large(making: Making, what: str | Message, size: float) -> None:
    """Say that a file without a limit will be large, before it is made."""
    if making.full_size and size > FILE_BYTES and making.note is not None:
        about = Message(Economy.ABOUT_MB, size=f"{size / 1e6:.0f}")
        notes = about, Message(Economy.LESS_WITHOUT_FULL_SIZE)
        making.note(_of_file(what, notes))


def _step_names(guide: Guide) -> list[str]:
    count = guide.solution.length + 1
    digits = max(2, len(str(count)))
    return [f"step_{number:0{digits}d}.png" for number in range(1, count + 1)]


def _sheets(
    guide: Guide,
    suffix: str,
    style: Style,
    making: Making,
    aimed: float | None = None,
) -> Iterator[tuple[str, Content]]:
    from imgpuzzle.render.pages import sheet_count
    from imgpuzzle.render.within import sheets_within

    on_progress = making.progress_of("sheet")
    if on_progress is not None:
        on_progress(0.0)
    sheets = sheets_within(
        guide.solution,
        guide.tileset,
        _file_bytes(making) if aimed is None else aimed,
        columns=making.columns,
        per_page=making.per_page,
        gap_px=making.gap_px,
        style=style,
        compact=making.compact,
        note=making.note,
        is_scaling_noted=aimed is None,
    )
    count = sheet_count(
        guide.solution,
        columns=making.columns,
        per_page=making.per_page,
        compact=making.compact,
    )
    digits = len(str(count))
    for number, data in enumerate(sheets, start=1):
        if number == 1:
            _note_large(making, "sheets", count * len(data))
        yield ("" if count == 1 else f"_{number:0{digits}d}"), data


def _pdf(
    guide: Guide, suffix: str, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    def write(out: BinaryIO) -> None:
        from imgpuzzle.render.pdf import write_pdf

        write_pdf(
            out,
            guide.solution,
            guide.tileset,
            paper=making.paper,
            style=style,
            compact=making.compact,
            per_page=making.per_page,
        )

    yield "", write


def _animation(
    guide: Guide,
    suffix: str,
    style: Style,
    making: Making,
    aimed: float | None = None,
    *,
    in_folder: bool = False,
) -> Iterator[tuple[str, Content]]:
    """An animation; ``aimed`` bytes in a folder, where it is one of many files."""
    from imgpuzzle.render.gif import MAX_SIDE_PX

    side = making.size or MAX_SIDE_PX
    aim = _file_bytes(making) if aimed is None else aimed
    if in_folder and making.size is not None:
        aim = math.inf  # what the user asks for counts more than a small folder
    elif in_folder and aim < math.inf and making.max_bytes is None:
        around = making.in_screenshot or making.crop_px is not None
        side = side if around else FOLDER_SIDE_PX
    name = suffix[1:].upper()

    def write(out: BinaryIO) -> None:
        from imgpuzzle.render.animation import write_animation

        notes = write_animation(
            out,
            guide.solution,
            guide.tileset,
            suffix,
            style=style,
            setting=_setting(guide, making),
            max_side_px=side,
            max_bytes=making.max_bytes,
            aimed_bytes=None if aim == math.inf else int(aim),
            on_progress=making.progress_of("animation"),
            on_large=functools.partial(_note_large, making, name),
        )
        is_told = making.max_bytes is not None or not in_folder
        if notes and is_told and making.note is not None:
            if making.max_bytes is None:
                notes += (Message(Economy.FULL_SIZE_KEEPS),)
            making.note(_of_file(name, notes))

    yield "", write


def _page(
    guide: Guide, suffix: str, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    from imgpuzzle.render.page import render_page

    page = render_page(
        guide.solution,
        guide.tileset,
        title=style.title,
        remark=style.remark,
        language=style.language,
        coordinates=style.coordinates,
        numbers=style.numbers,
        ahead=style.ahead,
        outline=style.outline,
        arrow=style.arrow,
        brighten=style.brighten,
        bleach=style.bleach,
        dim=style.dim,
        theme=style.theme,
        frame_ms=style.frame_ms,
        slide_ms=style.slide_ms,
    )
    yield "", page.encode()


def _text(
    guide: Guide, suffix: str, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    from imgpuzzle.render.text import moves_text

    text = moves_text(
        guide.solution,
        style.language,
        remark=style.remark,
        numbers=style.numbers or guide.numbered,
        letters=style.coordinates == "letters",
    )
    yield "", (text.rstrip("\n") + "\n").encode()


def _markdown(
    guide: Guide, suffix: str, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    yield "", _markdown_text(guide, style)


def _markdown_text(guide: Guide, style: Style, pictures: Sequence[str] = ()) -> bytes:
    from imgpuzzle.render.text import moves_markdown

    text = moves_markdown(
        guide.solution,
        style.language,
        title=style.title,
        remark=style.remark,
        numbers=style.numbers or guide.numbered,
        letters=style.coordinates == "letters",
        pictures=pictures,
    )
    return (text.rstrip("\n") + "\n").encode()


def _record(
    guide: Guide, suffix: str, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    yield "", _json_bytes(guide.to_dict())


def _archive(
    guide: Guide, suffix: str, style: Style, making: Making
) -> Iterator[tuple[str, Content]]:
    def write(out: BinaryIO) -> None:
        text = _markdown_text(guide, style, _step_names(guide))
        # PNG is compressed already.
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(folder.MARKDOWN_NAME, text)
            for name, data in _steps(guide, style, making, _file_bytes(making)):
                archive.writestr(name, data)

    yield "", write


def _json_bytes(record: object) -> bytes:
    return (json.dumps(record) + "\n").encode()


_Writer: TypeAlias = Callable[
    ["Guide", str, "Style", Making], Iterator[tuple[str, Content]]
]

_WRITERS: dict[str, _Writer] = {
    ".gif": _animation,
    ".webp": _animation,
    ".avif": _animation,
    ".apng": _animation,
    ".mp4": _animation,
    ".png": _sheets,
    ".pdf": _pdf,
    ".html": _page,
    ".txt": _text,
    ".md": _markdown,
    ".zip": _archive,
    ".json": _record,
}
