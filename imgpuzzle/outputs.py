"""Guides as files: a writer for each kind of ``render.files.formats``, and a folder."""

from __future__ import annotations

import functools
import io
import itertools
import json
import math
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from imgpuzzle.core.language import words
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.errors import UsageError
from imgpuzzle.files import folder
from imgpuzzle.files.temporary import Content
from imgpuzzle.messages import Economy, GuideFault, Message, Work
from imgpuzzle.render.files.formats import FILE_BYTES, FORMATS, Format, Sort

if TYPE_CHECKING:
    from imgpuzzle.core.reading import Reading
    from imgpuzzle.core.solution import Solution
    from imgpuzzle.files.image import Image
    from imgpuzzle.render.drawing.style import Style
    from imgpuzzle.render.drawing.tiles import TileSet
    from imgpuzzle.render.files.frames import Drawing, Setting

MANY_MOVES = 40
"""Step pictures of longer solutions have a palette: a third of the bytes."""

STEPS_BYTES, SHEETS_BYTES, ANIMATION_BYTES = 10e6, 4e6, 5e6
"""What steps, sheets and the animation of a folder may take, so that it can be passed
on: together less than 20 MB."""

PREVIEW_PX, PREVIEW_MOVES = 480, 3
"""The longer side of a moving picture's preview, and how far it goes."""

FOLDER_SIDE_PX = 640
"""The longer side of a board's animation in a folder, which is one of many files."""


class Drawable(Protocol):
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


def _format(suffix: str) -> Format:
    if suffix not in FORMATS:
        raise UsageError.said(
            "expected a folder or one of the suffixes {names}, found {suffix!r}",
            names=", ".join(FORMATS),
            suffix=suffix,
        )
    return FORMATS[suffix]


class Making:
    """What is made of a guide in one style, with the same options for all of it."""

    def __init__(
        self, guide: Drawable, style: Style | None, options: SaveOptions
    ) -> None:
        from imgpuzzle.render.drawing.style import Style

        self.guide, self.options = guide, options
        self.style, self.solution = _honest(guide, style or Style()), guide.solution

    def files(
        self, suffix: str, *, in_folder: bool = False
    ) -> Iterator[tuple[str, Content]]:
        """The files of one format: what to add to the name, and the content.

        Most formats are one file, to which nothing is added. Long ones are not held in
        memory: their content is a function that writes them into an open file. One
        ``in_folder`` is among many and has less room. Raises ``UsageError`` for a
        suffix without a writer and options that do not go together.
        """
        form = _format(suffix)
        content: Content
        match form.kind:
            case Sort.SHEETS:
                return self._sheets(in_folder=in_folder)
            case Sort.ANIMATION:
                content = self._animation(form, in_folder=in_folder)
            case Sort.WORDS:
                content = self._words(form, self._step_names() if in_folder else ())
            case Sort.PAPER:
                content = functools.partial(self._write_paper, form)
            case Sort.PAGE:
                page: str = form.load()(self.solution, self.guide.tileset, self.style)
                content = page.encode()
            case Sort.ARCHIVE:
                content = self._write_archive
            case Sort.RECORD:
                content = _json_bytes(self.guide.to_dict())
        return iter([("", content)])

    def folder(self) -> Iterator[tuple[str, Content]]:
        """Yield name and content of all files of a folder, the record last."""
        names = []
        for name, data in itertools.chain(self._steps(STEPS_BYTES), self._others()):
            names.append(name)
            yield name, data
        # Names, not paths: the folder may be moved.
        record = self.guide.to_dict([*names, folder.RECORD_NAME])
        yield folder.RECORD_NAME, _json_bytes(record)

    def _others(self) -> Iterator[tuple[str, Content]]:
        """What lies beside the steps in a folder."""
        reading = self.guide.reading
        if reading is not None and reading.method == "reassembly":
            from imgpuzzle.render.files.png import encode_step_png
            from imgpuzzle.vision.annotate import assemble

            # Nobody but the reader has seen this goal: show it.
            yield folder.ASSEMBLED_NAME, encode_step_png(assemble(reading))
        if self.solution.is_shown_at_once and self.solution.moves:
            from imgpuzzle.render.files.frames import render_at_once
            from imgpuzzle.render.files.png import encode_step_png

            picture = render_at_once(self._drawing())
            yield folder.AT_ONCE_NAME, encode_step_png(picture)
        for name in folder.MADE_NAMES:
            stem, suffix = os.path.splitext(name)
            for addition, data in self.files(suffix, in_folder=True):
                yield f"{stem}{addition}{suffix}", data

    def beginning(self, suffix: str) -> tuple[str, bytes]:
        """The beginning of what ``files`` gives, and the suffix of its kind.

        It is the first sheet or page of those formats that have some, the first moves
        of moving pictures, the first step of the browser's guide, and UTF-8 text of
        words. Raises as ``files``.
        """
        form = _format(suffix)
        if form.kind.is_text or form.kind is Sort.SHEETS:
            _, data = next(self.files(suffix))
            assert isinstance(data, bytes)
            return ".txt" if form.kind.is_text else ".png", data
        if form.kind is Sort.ANIMATION:
            from imgpuzzle.render.files.animation import write_animation

            # Browsers show a WebP as a picture, and look at few colours as at a GIF.
            shown, out = ".gif" if form.has_palette else ".webp", io.BytesIO()
            write_animation(
                out,
                self._drawing(),
                shown,
                max_side_px=min(self.options.size or PREVIEW_PX, PREVIEW_PX),
                moves=PREVIEW_MOVES,
            )
            return shown, out.getvalue()
        from imgpuzzle.render.files.frames import render_steps
        from imgpuzzle.render.files.png import encode_step_png
        from imgpuzzle.render.sheets.pdf import first_page

        if form.kind is Sort.PAPER:
            picture = first_page(self._board(), self.options)
        else:
            scene = self.solution, self.guide.tileset, self.style
            picture = next(render_steps(*scene, setting=self._setting()))
        return ".png", encode_step_png(picture)

    def _board(self) -> Drawing:
        """What sheets and pages are drawn of."""
        from imgpuzzle.render.files.frames import Drawing

        return Drawing(self.solution, self.guide.tileset, self.style)

    def _drawing(self) -> Drawing:
        """What steps and animations are drawn of."""
        return replace(self._board(), setting=self._setting())

    def _setting(self) -> Setting | None:
        """The screenshot around the board, as far as it is to be shown."""
        if not self.options.shows_screenshot:
            return None
        reading, screenshot = self.guide.reading, self.guide.screenshot
        if reading is None or screenshot is None:
            raise UsageError.said(GuideFault.NOTHING_AROUND)
        if reading.corners is not None:
            raise UsageError.said(GuideFault.TILTED_BOARD)
        if self.guide.picture is not None:
            raise UsageError.said(GuideFault.OTHER_TILE_PICTURE)
        from imgpuzzle.core.reading import Region
        from imgpuzzle.render.files.frames import Setting

        region, margin = reading.region, self.options.crop_px
        if margin is None:
            return Setting(screenshot, region)
        left, top = max(0, region.left - margin), max(0, region.top - margin)
        part = screenshot[top : region.bottom + margin, left : region.right + margin]
        place = region.left - left, region.top - top
        return Setting(part, Region(*place, region.width, region.height))

    def _allowed(self, most: float) -> float:
        """How many bytes something may take: ``most``, unless all is in full size."""
        return math.inf if self.options.full_size else most

    def _progress(self, what: Work) -> Callable[[float], None]:
        """What to call with the share that is done of one file."""
        tell = self.options.on_progress or (lambda what, share: None)
        return functools.partial(tell, Message(what))

    def _note(self, what: str | Message, *notes: Message) -> None:
        """Say what was given up for a file, or for files of one kind."""
        if notes and self.options.note is not None:
            self.options.note(Message(Economy.FILE, name=what, notes=notes))

    def _step_names(self) -> list[str]:
        count = self.solution.run_count + 1
        digits = max(2, len(str(count)))
        return [f"step_{number:0{digits}d}.png" for number in range(1, count + 1)]

    def _steps(self, most: float) -> Iterator[tuple[str, bytes]]:
        """Name and PNG of every step picture, in order, in about ``most`` bytes."""
        from imgpuzzle.files.threads import in_threads
        from imgpuzzle.render.within import plan_steps, step_tasks

        solution, options = self.solution, self.options
        many = solution.run_count > MANY_MOVES and not options.full_size
        drawing = self._drawing()
        plan = plan_steps(drawing, self._allowed(most), indexed=many)
        if plan.drawing is not drawing:
            size = "x".join(map(str, plan.drawing.size))
            scaled = Message(Economy.SCALED_TO, size=size)
            name = Message(Economy.STEP_PICTURES)
            self._note(name, scaled, Message(Economy.FULL_SIZE_KEEPS))
        count = solution.run_count + 1
        tasks = step_tasks(plan)
        on_progress = self._progress(Work.DRAWING_STEPS)
        pictures = zip(self._step_names(), in_threads(tasks), strict=True)
        for number, picture in enumerate(pictures):
            on_progress(number / count)
            yield picture

    def _sheets(self, *, in_folder: bool) -> Iterator[tuple[str, Content]]:
        from imgpuzzle.render.within import sheets_within

        self._progress(Work.DRAWING_SHEETS)(0.0)
        count, sheets = sheets_within(
            self._board(),
            self._allowed(SHEETS_BYTES if in_folder else FILE_BYTES),
            self.options,
            is_scaling_noted=not in_folder,
        )
        digits = len(str(count))
        for number, data in enumerate(sheets, start=1):
            yield ("" if count == 1 else f"_{number:0{digits}d}"), data

    def _animation(self, form: Format, *, in_folder: bool) -> Content:
        from imgpuzzle.render.files.gif import MAX_FRAME_PX

        options = self.options
        side = options.size or MAX_FRAME_PX
        aim = self._allowed(ANIMATION_BYTES if in_folder else FILE_BYTES)
        if in_folder and options.size is not None:
            aim = math.inf  # what the user asks for counts more than a small folder
        elif in_folder and aim < math.inf and options.max_bytes is None:
            side = side if options.shows_screenshot else FOLDER_SIDE_PX
        name = form.name.upper()

        def write(out: BinaryIO) -> None:
            from imgpuzzle.render.files.animation import write_animation

            notes = write_animation(
                out,
                self._drawing(),
                form.suffix,
                max_side_px=side,
                max_bytes=aim if options.max_bytes is None else options.max_bytes,
                is_strict=options.max_bytes is not None,
                on_progress=self._progress(Work.DRAWING_ANIMATION),
            )
            if notes and options.max_bytes is None:
                notes += (Message(Economy.FULL_SIZE_KEEPS),)
            if options.max_bytes is not None or not in_folder:
                self._note(name, *notes)

        return write

    def _write_paper(self, form: Format, out: BinaryIO) -> None:
        form.load()(out, self._board(), self.options)

    def _words(self, form: Format, pictures: Sequence[str] = ()) -> bytes:
        """The moves in words, with the ``pictures`` of these names where it has any."""
        style = self.style.on_tiles(numbered=self.guide.numbered)
        said = {"title": style.title, "remark": style.remark, "pictures": pictures}
        text: str = form.load()(self.solution, style.naming(), **said)
        return (text.rstrip("\n") + "\n").encode()

    def _write_archive(self, out: BinaryIO) -> None:
        text = self._words(FORMATS[".md"], self._step_names())
        # PNG is compressed already.
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(folder.MARKDOWN_NAME, text)
            for name, data in self._steps(FILE_BYTES):
                archive.writestr(name, data)


def _honest(guide: Drawable, style: Style) -> Style:
    """The style, with a remark where the screenshot was doubtful reading."""
    reading = guide.reading
    if reading is None or reading.certain:
        return style
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


def _json_bytes(record: object) -> bytes:
    return (json.dumps(record) + "\n").encode()
