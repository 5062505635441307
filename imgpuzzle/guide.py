"""What comes of solving: a guide to look at and to save, or a hint.

Both hold a ``Solution``; a guide has besides what its pictures are drawn from.
``outputs`` makes the files and knows neither.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

from imgpuzzle.core.board import Board
from imgpuzzle.core.moves import Move
from imgpuzzle.core.options import SaveKeywords, SaveOptions, changed
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import UsageFault

if TYPE_CHECKING:
    from pathlib import Path

    from imgpuzzle.core.reading import Reading
    from imgpuzzle.files import folder
    from imgpuzzle.files.image import Image
    from imgpuzzle.files.temporary import Content
    from imgpuzzle.render.drawing.style import Style
    from imgpuzzle.render.drawing.tiles import TileSet

ONE_SHEET = 10_000
"""So many panels that there is no second sheet."""


@dataclass(frozen=True)
class Guide:
    """A solution together with what is needed to draw it.

    Attributes:
        solution: The moves, and what is proven of them.
        reading: What was read from the screenshot, or ``None`` when the board was given
            as text.
        picture: A picture of the goal, height x width x 3, uint8, RGB, which is cut up
            to draw the tiles. Without it they are the screenshot's own or, without a
            screenshot, numbered.
        screenshot: The picture that was read.
    """

    solution: Solution
    reading: Reading | None = None
    picture: Image | None = field(default=None, repr=False, compare=False)
    screenshot: Image | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        read = "" if self.reading is None else f", read by {self.reading.method}"
        solution = repr(self.solution).removeprefix("<Solution").removesuffix(">")
        return f"<Guide{solution}{read}>"

    @functools.cached_property
    def tileset(self) -> TileSet:
        """The tiles that the pictures are drawn with."""
        from imgpuzzle.render.drawing.tiles import TileSet, final_cells

        solution = self.solution
        if self.picture is not None:
            # Of equal tiles each shows the part of the place where it ends.
            homes = final_cells(solution)
            return TileSet.cut(self.picture, solution.start, solution.goal, homes=homes)
        if self.reading is not None:
            return TileSet.from_reading(self.reading)
        return TileSet.numbered(solution.start)

    @property
    def numbered(self) -> bool:
        """Whether the tiles that the guide is drawn with show their labels."""
        if self.picture is not None:
            return False
        return self.reading is None or self.reading.numbered

    def to_dict(self, files: Sequence[str] = ()) -> dict[str, Any]:
        """The guide as ``imgpuzzle solve --json`` prints it.

        Args:
            files: The files that were written, for the last entry.
        """
        solution = self.solution
        return result_dict(
            solution.start, solution.goal, solution, reading=self.reading, files=files
        )

    def save(
        self,
        path: str | os.PathLike[str],
        options: SaveOptions | None = None,
        *,
        style: Style | None = None,
        **how: Unpack[SaveKeywords],
    ) -> list[Path]:
        """Write the guide to a file, or the usual files into a folder.

        Args:
            path: Its suffix says what is written, such as ``.gif``, ``.html`` or
                ``.pdf``; ``imgpuzzle solve --help`` lists all. A path without suffix,
                or a folder that exists, gets the usual files.
            options: How it is written.
            style: How steps, sheets and animations look.
            **how: Fields of ``SaveOptions`` that replace those of ``options``.

        Returns:
            The files that were written.

        Raises:
            UsageError: For another suffix, an empty path, or options that do not go
                together.
            MissingDependencyError: When the format needs a library that is not
                installed.
            OutputError: When a file cannot be written.
        """
        from imgpuzzle.files.folder import Delivery

        with Delivery() as delivery:
            self.add(delivery, path, changed(SaveOptions, options, how), style=style)
            return [file for one in delivery.finish() for file in one.files]

    def add(
        self,
        delivery: folder.Delivery,
        path: str | os.PathLike[str],
        options: SaveOptions | None = None,
        *,
        style: Style | None = None,
        is_folder: bool | None = None,
        numbered: bool = False,
    ) -> int:
        """Make what ``save`` writes, among other things.

        Args:
            delivery: What all is made for, and which puts all in place at its end.
            path: The file or the folder.
            options: How it is written.
            style: How steps, sheets and animations look.
            is_folder: Whether the usual files of a folder are made; by default as
                ``save`` decides.
            numbered: Leave a folder that holds anything alone, and write to the next
                free name: ``solution-2`` after ``solution``.

        Returns:
            How many things ``delivery.finish`` will tell of: one folder or file, but
            several with more than one sheet.
        """
        from pathlib import Path

        from imgpuzzle import outputs
        from imgpuzzle.files.temporary import writing

        if not os.fspath(path):
            raise UsageError.said(UsageFault.EMPTY_PATH)
        target, options = Path(path), options or SaveOptions()
        if is_folder is None:
            with writing(target):
                is_folder = target.is_dir() or not target.suffix
        if is_folder:
            made = outputs.Making(self, style, options)
            delivery.add_folder(target, made.folder(), numbered=numbered)
            return 1
        count = 0
        for file, content in self._made(target, style, options):
            delivery.add_file(file, content)
            count += 1
        return count

    def draw(
        self,
        path: str | os.PathLike[str],
        options: SaveOptions | None = None,
        *,
        style: Style | None = None,
        **how: Unpack[SaveKeywords],
    ) -> list[tuple[Path, bytes]]:
        """What ``save`` would write to a file with a suffix, without writing it.

        Args:
            path: Its suffix says what is made.
            options: How it is written.
            style: How steps, sheets and animations look.
            **how: Fields of ``SaveOptions`` that replace those of ``options``.

        Returns:
            The names and contents: usually of one file, but of several sheets with
            ``per_page``.
        """
        from pathlib import Path

        from imgpuzzle.files.temporary import in_memory

        made = self._made(Path(path), style, changed(SaveOptions, options, how))
        return [(file, in_memory(content)) for file, content in made]

    def _made(
        self, target: Path, style: Style | None, options: SaveOptions
    ) -> Iterator[tuple[Path, Content]]:
        from imgpuzzle import outputs

        made = outputs.Making(self, style, options)
        for addition, content in made.files(target.suffix.lower()):
            yield target.with_name(f"{target.stem}{addition}{target.suffix}"), content

    def _repr_html_(self) -> str:
        """The page to click through, in a frame, for notebooks."""
        import html

        ((_, data),) = self.draw("guide.html")
        page = html.escape(data.decode(), quote=True)
        return (
            f'<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0" '
            'title="imgpuzzle"></iframe>'
        )

    def _repr_png_(self) -> bytes:
        """The sheet, for notebooks that show no pages."""
        ((_, data),) = self.draw("overview.png", per_page=ONE_SHEET)
        return data


@dataclass(frozen=True, slots=True)
class Hint:
    """The next move of a puzzle, and how many are left.

    Attributes:
        solution: The whole solution, of which this is the first move.
    """

    solution: Solution

    def __repr__(self) -> str:
        solution = repr(self.solution).removeprefix("<Solution").removesuffix(">")
        return f"<Hint{solution}; next: {self.step!r}>"

    @property
    def step(self) -> Move | None:
        """The next move; ``None`` when the board is solved."""
        return next(self.solution.steps(), None)

    @property
    def moves_left(self) -> int:
        """How many moves the solution has, this one included."""
        return self.solution.move_count

    def to_dict(self) -> dict[str, Any]:
        """The hint as ``imgpuzzle hint --json`` prints it."""
        solution = self.solution
        slides = solution.start.has_blank
        return hint_dict(solution, lower_bound=solution.lower_bound, slides=slides)


def hint_dict(
    solution: Solution | None = None,
    *,
    lower_bound: int | None = None,
    slides: bool = True,
) -> dict[str, Any]:
    """The object that ``imgpuzzle hint --json`` prints; empty without a solution.

    ``slides`` is whether the puzzle has an empty cell: moves of others are ``motions``.
    """
    keys = ("step", "tile", "from", "to", "direction", "motions")
    record: dict[str, Any] = dict.fromkeys(keys[: 5 if slides else 6])
    for step in itertools.islice(solution.steps(), 1) if solution is not None else ():
        record = step.to_dict()
    return {
        **record,
        "moves_left": None if solution is None else solution.move_count,
        "optimal": solution is not None and solution.is_optimal,
        "lower_bound": lower_bound,
    }


def result_dict(
    start: Board,
    goal: Board,
    solution: Solution | None = None,
    *,
    reading: Reading | None = None,
    nodes: int = 0,
    seconds: float = 0.0,
    lower_bound: int | None = None,
    metric: str = "single",
    files: Sequence[str] = (),
) -> dict[str, Any]:
    """The object that ``imgpuzzle solve --json`` prints.

    Without a ``solution`` the moves are empty and their number is ``None``.
    """
    outcome: dict[str, Any]
    if solution is not None:
        outcome = solution.to_dict()
    else:
        outcome = {
            "start": start.rows(),
            "goal": goal.rows(),
            "moves": [],
            "slides": [],
            "move_count": None,
            "slide_count": None,
            "metric": metric,
            "lower_bound": lower_bound,
            "optimal": False,
            "searched": False,
            "nodes": nodes,
            "seconds": round(seconds, 6),
        }
    return {
        "reading": None if reading is None else reading.to_dict(),
        **outcome,
        "files": list(files),
    }
