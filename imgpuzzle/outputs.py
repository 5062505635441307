"""Guides as files: a writer for each kind of ``render.files.formats``, and a folder."""

from __future__ import annotations

import functools
import io
import json
import math
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias

from imgpuzzle.core.options import SaveOptions
from imgpuzzle.errors import UsageError
from imgpuzzle.files import folder
from imgpuzzle.files.temporary import Content, in_memory
from imgpuzzle.messages import Economy, GuideFault, Message
from imgpuzzle.render.files.formats import FILE_BYTES, FORMATS, Kind

if TYPE_CHECKING:
    from imgpuzzle.core.reading import Reading, Region
    from imgpuzzle.core.solution import Solution
    from imgpuzzle.files.image import Image
    from imgpuzzle.render.drawing.style import Style
    from imgpuzzle.render.drawing.tiles import TileSet
    from imgpuzzle.render.files.frames import Setting

__all__ = [
    "Drawn",
    "folder_contents",
    "make",
    "preview",
]

MANY_MOVES = 40
"""Step pictures of longer solutions have a palette: a third of the bytes."""

SHEETS_SHARE, ANIMATION_SHARE = 0.2, 0.33
"""Of what a folder may take; step pictures get the rest."""

PREVIEW_PX, PREVIEW_MOVES = 480, 3
"""The longer side of a moving picture's preview, and how far it goes."""

FOLDER_SIDE_PX = 640
"""The longer side of a board's animation in a folder, which is one of many files."""


def folder_bytes(moves: int) -> float:
    """What a folder may take, aimed at, for a guide of so many moves.

    Less than 8 MB of a 3x3 and never 20 MB, so that folders can be passed on; long
    solutions get fewer bytes a picture, as long as those are not too small.
    """
    pictures = moves + 1
    return max(7.6e6, min(174e3 * pictures, 1.82e6 * math.sqrt(pictures), 19.4e6))


class Drawn(Protocol):
    """What files are made of: ``imgpuzzle.Guide``, which explains each."""

    @property
    def solution(self) -> Solution: ...
    @property
    def reading(self) -> Reading | None: ...
    @property
    def picture(self) -> Image | None: ...
    @property
    def screenshot(self) -> Image | None: ...
    @property
    def tileset(self) -> TileSet: ...
    @property
    def numbered(self) -> bool: ...
    def to_dict(self, files: Sequence[str] = ()) -> dict[str, Any]: ...


def make(
    guide: Drawn, suffix: str, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    """Yield the files of one format: what to add to the name, and the content.

    Most formats are one file, to which nothing is added. Long ones are not held in
    memory: their content is a function that writes them into an open file. Raises
    ``UsageError`` for a suffix without a writer and options that do not go together.
    """
    write = _WRITERS[_kind(suffix)]
    return write(guide, suffix, _honest(guide, style), options)


def _kind(suffix: str) -> Kind:
    if suffix not in FORMATS:
        raise UsageError.said(
            "expected a folder or one of the suffixes {names}, found {suffix!r}",
            names=", ".join(FORMATS),
            suffix=suffix,
        )
    return FORMATS[suffix].kind


def preview(
    guide: Drawn, suffix: str, style: Style, options: SaveOptions
) -> tuple[str, bytes]:
    """The beginning of what ``make`` would write, and the suffix of its kind.

    It is the first sheet or page of those formats that have some, the first moves of
    moving pictures, the first step of the browser's guide, and UTF-8 text of words.
    Raises as ``make``.
    """
    kind = _kind(suffix)
    if kind.is_text or kind is Kind.SHEETS:
        _, data = next(make(guide, suffix, style, options))
        assert isinstance(data, bytes)
        return ".txt" if kind.is_text else ".png", data
    fitted = _honest(guide, style)
    if kind is Kind.ANIMATION:
        from imgpuzzle.render.files.animation import write_beginning

        out = io.BytesIO()
        shown = write_beginning(
            out,
            guide.solution,
            guide.tileset,
            suffix,
            style=fitted,
            setting=_setting(guide, options),
            max_side_px=min(options.size or PREVIEW_PX, PREVIEW_PX),
            moves=PREVIEW_MOVES,
        )
        return shown, out.getvalue()
    from imgpuzzle.render.files.png import encode_step_png

    if kind is Kind.PAPER:
        from imgpuzzle.render.sheets.pdf import first_page

        return ".png", encode_step_png(
            first_page(
                guide.solution,
                guide.tileset,
                paper=options.paper,
                style=fitted,
                compact=options.compact,
                per_page=options.per_page,
            )
        )
    from imgpuzzle.render.files.frames import render_steps

    setting = _setting(guide, options)
    steps = render_steps(guide.solution, guide.tileset, fitted, setting=setting)
    return ".png", encode_step_png(next(iter(steps)))


def folder_contents(
    guide: Drawn, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    """Yield name and content of all files of a folder, the record last."""
    names = []
    for name, data in _contents(guide, _honest(guide, style), options):
        names.append(name)
        yield name, data
    # Names, not paths: the folder may be moved.
    record = guide.to_dict([*names, folder.RECORD_NAME])
    yield folder.RECORD_NAME, _json_bytes(record)


def _contents(
    guide: Drawn, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    if options.full_size:
        yield from _steps(guide, style, options)
        yield from _beside_steps(guide, style, options, math.inf)
        return
    allowed = folder_bytes(guide.solution.length)
    others = [
        (name, in_memory(content))
        for name, content in _beside_steps(guide, style, options, allowed)
    ]
    # Step pictures come first, but take what room the others leave.
    left = allowed - sum(len(data) for _, data in others)
    yield from _steps(guide, style, options, max(left, allowed / 3))
    yield from others


def _beside_steps(
    guide: Drawn, style: Style, options: SaveOptions, allowed: float
) -> Iterator[tuple[str, Content]]:
    if guide.reading is not None and guide.reading.method == "reassembly":
        from imgpuzzle.render.files.png import encode_step_png
        from imgpuzzle.vision.annotate import assemble

        # Nobody but the reader has seen this goal: show it.
        yield folder.ASSEMBLED_NAME, encode_step_png(assemble(guide.reading))
    for name in folder.MADE_NAMES:
        stem, suffix = os.path.splitext(name)
        made: Iterator[tuple[str, Content]]
        if suffix == ".png":
            made = _sheets(guide, suffix, style, options, SHEETS_SHARE * allowed)
        elif suffix == ".gif":
            share = ANIMATION_SHARE * allowed
            made = _animation(guide, suffix, style, options, share, in_folder=True)
        elif suffix == ".md":
            made = iter([("", _markdown_text(guide, style, _step_names(guide)))])
        else:
            made = _WRITERS[FORMATS[suffix].kind](guide, suffix, style, options)
        for addition, data in made:
            yield f"{stem}{addition}{suffix}", data


def _honest(guide: Drawn, style: Style) -> Style:
    """The style, with a remark where the screenshot was doubtful reading."""
    reading = guide.reading
    if reading is None or reading.certain:
        return style
    from imgpuzzle.core.language import words

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


def _setting(guide: Drawn, options: SaveOptions) -> Setting | None:
    if not options.shows_screenshot:
        return None
    reading, screenshot = guide.reading, guide.screenshot
    if reading is None or screenshot is None:
        raise UsageError(Message(GuideFault.NOTHING_AROUND))
    if reading.corners is not None:
        raise UsageError(Message(GuideFault.TILTED_BOARD))
    if guide.picture is not None:
        raise UsageError(Message(GuideFault.OTHER_TILE_PICTURE))
    return _cropped(screenshot, reading.region, options.crop_px)


def _cropped(screenshot: Image, region: Region, margin: int | None) -> Setting:
    """The board with so many px around it, as far as the screenshot goes."""
    from imgpuzzle.core.reading import Region
    from imgpuzzle.render.files.frames import Setting

    if margin is None:
        return Setting(screenshot, region)
    if margin < 0:
        raise UsageError(f"expected a margin from 0 px, found {margin}")
    left, top = max(0, region.left - margin), max(0, region.top - margin)
    part = screenshot[top : region.bottom + margin, left : region.right + margin]
    moved = Region(region.left - left, region.top - top, region.width, region.height)
    return Setting(part, moved)


def _progress_of(options: SaveOptions, what: str) -> Callable[[float], None] | None:
    """What to call with the share that is done of one file."""
    tell = options.on_progress
    return None if tell is None else functools.partial(tell, what)


def _file_bytes(options: SaveOptions) -> float:
    """What a file, or the sheets of one, may take."""
    return math.inf if options.full_size else FILE_BYTES


def _steps(
    guide: Drawn, style: Style, options: SaveOptions, allowed: float = math.inf
) -> Iterator[tuple[str, bytes]]:
    """Name and PNG of every step picture, in order, in about ``allowed`` bytes."""
    from imgpuzzle.render.files.threads import in_threads
    from imgpuzzle.render.within import first_step_bytes, plan_steps, step_tasks

    solution = guide.solution
    many = solution.length > MANY_MOVES and not options.full_size
    plan = plan_steps(
        solution,
        guide.tileset,
        allowed,
        style=style,
        setting=_setting(guide, options),
        indexed=options.few_colours or many,
    )
    if plan.size is not None and options.note is not None:
        size = "x".join(map(str, plan.size))
        notes = Message(Economy.SCALED_TO, size=size), Message(Economy.FULL_SIZE_KEEPS)
        options.note(_of_file(Message(Economy.STEP_PICTURES), notes))
    count = solution.length + 1
    if allowed == math.inf:
        _note_large(
            options,
            Message(Economy.STEP_PICTURES),
            count * first_step_bytes(solution, plan, style),
        )
    tasks = step_tasks(solution, plan, style)
    on_progress = _progress_of(options, "steps")
    pictures = zip(_step_names(guide), in_threads(tasks), strict=True)
    for number, (name, data) in enumerate(pictures):
        if on_progress is not None:
            on_progress(number / count)
        yield name, data


def _of_file(what: str | Message, notes: tuple[Message, ...]) -> Message:
    """What was given up for a file, or for files of one kind."""
    return Message(Economy.FILE, name=what, notes=notes)


def _note_large(options: SaveOptions, what: str | Message, size: float) -> None:
    """Say that a file without a limit will be large, before it is made."""
    if options.full_size and size > FILE_BYTES and options.note is not None:
        about = Message(Economy.ABOUT_MB, size=f"{size / 1e6:.0f}")
        notes = about, Message(Economy.LESS_WITHOUT_FULL_SIZE)
        options.note(_of_file(what, notes))


def _step_names(guide: Drawn) -> list[str]:
    count = guide.solution.length + 1
    digits = max(2, len(str(count)))
    return [f"step_{number:0{digits}d}.png" for number in range(1, count + 1)]


def _sheets(
    guide: Drawn,
    suffix: str,
    style: Style,
    options: SaveOptions,
    aimed: float | None = None,
) -> Iterator[tuple[str, Content]]:
    from imgpuzzle.render.sheets.pages import sheet_count
    from imgpuzzle.render.within import sheets_within

    on_progress = _progress_of(options, "sheet")
    if on_progress is not None:
        on_progress(0.0)
    sheets = sheets_within(
        guide.solution,
        guide.tileset,
        _file_bytes(options) if aimed is None else aimed,
        columns=options.columns,
        per_page=options.per_page,
        gap_px=options.gap_px,
        style=style,
        compact=options.compact,
        note=options.note,
        is_scaling_noted=aimed is None,
    )
    count = sheet_count(
        guide.solution,
        columns=options.columns,
        per_page=options.per_page,
        compact=options.compact,
    )
    digits = len(str(count))
    for number, data in enumerate(sheets, start=1):
        if number == 1:
            _note_large(options, "sheets", count * len(data))
        yield ("" if count == 1 else f"_{number:0{digits}d}"), data


def _pdf(
    guide: Drawn, suffix: str, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    def write(out: BinaryIO) -> None:
        from imgpuzzle.render.sheets.pdf import write_pdf

        write_pdf(
            out,
            guide.solution,
            guide.tileset,
            paper=options.paper,
            style=style,
            compact=options.compact,
            per_page=options.per_page,
        )

    yield "", write


def _animation(
    guide: Drawn,
    suffix: str,
    style: Style,
    options: SaveOptions,
    aimed: float | None = None,
    *,
    in_folder: bool = False,
) -> Iterator[tuple[str, Content]]:
    """An animation; ``aimed`` bytes in a folder, where it is one of many files."""
    from imgpuzzle.render.files.gif import MAX_FRAME_PX

    side = options.size or MAX_FRAME_PX
    aim = _file_bytes(options) if aimed is None else aimed
    if in_folder and options.size is not None:
        aim = math.inf  # what the user asks for counts more than a small folder
    elif in_folder and aim < math.inf and options.max_bytes is None:
        side = side if options.shows_screenshot else FOLDER_SIDE_PX
    name = suffix[1:].upper()

    def write(out: BinaryIO) -> None:
        from imgpuzzle.render.files.animation import write_animation

        notes = write_animation(
            out,
            guide.solution,
            guide.tileset,
            suffix,
            style=style,
            setting=_setting(guide, options),
            max_side_px=side,
            max_bytes=options.max_bytes,
            aimed_bytes=None if aim == math.inf else int(aim),
            on_progress=_progress_of(options, "animation"),
            on_large=functools.partial(_note_large, options, name),
        )
        is_told = options.max_bytes is not None or not in_folder
        if notes and is_told and options.note is not None:
            if options.max_bytes is None:
                notes += (Message(Economy.FULL_SIZE_KEEPS),)
            options.note(_of_file(name, notes))

    yield "", write


def _page(
    guide: Drawn, suffix: str, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    from imgpuzzle.render.page import render_page

    yield "", render_page(guide.solution, guide.tileset, style).encode()


def _words(
    guide: Drawn, suffix: str, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    if suffix == ".md":
        yield "", _markdown_text(guide, style)
        return
    from imgpuzzle.render.sheets.text import moves_text

    text = moves_text(
        guide.solution,
        style.language,
        remark=style.remark,
        numbers=style.numbers or guide.numbered,
        letters=style.coordinates == "letters",
    )
    yield "", (text.rstrip("\n") + "\n").encode()


def _markdown_text(guide: Drawn, style: Style, pictures: Sequence[str] = ()) -> bytes:
    from imgpuzzle.render.sheets.text import moves_markdown

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
    guide: Drawn, suffix: str, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    yield "", _json_bytes(guide.to_dict())


def _archive(
    guide: Drawn, suffix: str, style: Style, options: SaveOptions
) -> Iterator[tuple[str, Content]]:
    def write(out: BinaryIO) -> None:
        text = _markdown_text(guide, style, _step_names(guide))
        # PNG is compressed already.
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(folder.MARKDOWN_NAME, text)
            for name, data in _steps(guide, style, options, _file_bytes(options)):
                archive.writestr(name, data)

    yield "", write


def _json_bytes(record: object) -> bytes:
    return (json.dumps(record) + "\n").encode()


_Writer: TypeAlias = Callable[
    ["Drawn", str, "Style", SaveOptions], Iterator[tuple[str, Content]]
]

_WRITERS: dict[Kind, _Writer] = {
    Kind.ANIMATION: _animation,
    Kind.SHEETS: _sheets,
    Kind.PAPER: _pdf,
    Kind.PAGE: _page,
    Kind.WORDS: _words,
    Kind.ARCHIVE: _archive,
    Kind.RECORD: _record,
}
