"""From a screenshot, or a board, to the guide that leads through its solution.

``solve_image("shot.png", reference="picture.png").save("solution.gif")`` is the
short way; the functions below are its parts. Vision, solver and render are
imported when they are needed, because a board given as text needs no vision and
an answer on the terminal no pictures.
"""

from __future__ import annotations

import functools
import html
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from imgpuzzle import folder, outputs
from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import UncertainReadingError
from imgpuzzle.image import Image, check_image, load_image, write_atomically
from imgpuzzle.outputs import SaveOptions
from imgpuzzle.reading import Corners, Reading, Region
from imgpuzzle.solution import Solution

if TYPE_CHECKING:
    from imgpuzzle.render.style import Style
    from imgpuzzle.render.tiles import TileSet
    from imgpuzzle.solver.search import SearchOptions

__all__ = [
    "Guide",
    "Picture",
    "read_image",
    "require_certain",
    "result_dict",
    "solve_board",
    "solve_image",
    "solve_reading",
]

Picture: TypeAlias = "str | os.PathLike[str] | Image"
"""A picture file or an RGB array, H x W x 3, uint8."""

MANY_PLACES = 6
"""More cells in doubt than these are counted in a message, not listed."""


@dataclass(frozen=True)
class Guide:
    """A solution together with what is needed to draw it.

    ``reading`` is the reading of the screenshot, or ``None`` when the board was
    given as text. ``picture``, when given, is cut up along the goal to draw the
    tiles; otherwise they are the screenshot's own or, without one, numbered.
    ``screenshot`` is what ``reading`` was read from.
    """

    solution: Solution
    reading: Reading | None = None
    picture: Image | None = field(default=None, repr=False, compare=False)
    screenshot: Image | None = field(default=None, repr=False, compare=False)

    @functools.cached_property
    def tileset(self) -> TileSet:
        """The tiles that the pictures are drawn with."""
        from imgpuzzle.render.tiles import TileSet, final_cells

        solution = self.solution
        if self.picture is not None:
            # Of equal tiles each shows the part of the place where it ends.
            homes = final_cells(solution)
            return TileSet.cut(self.picture, solution.start, solution.goal, homes=homes)
        if self.reading is not None:
            return TileSet.from_reading(self.reading)
        return TileSet.numbered(solution.start)

    def to_dict(self, files: Sequence[str] = ()) -> dict[str, Any]:
        """What the machine interface prints; ``files`` fills its last entry."""
        solution = self.solution
        return result_dict(
            solution.start, solution.goal, solution, reading=self.reading, files=files
        )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        style: Style | None = None,
        **how: Unpack[SaveOptions],
    ) -> list[Path]:
        """Write the guide; the suffix of ``path`` says as what.

        ``.gif``, ``.webp``, ``.avif``, ``.apng`` and ``.mp4`` are animations,
        ``.png`` is the sheet of all steps, ``.pdf`` the same for a printer,
        ``.html`` a page to click through, ``.txt`` and ``.md`` the moves in words,
        ``.zip`` the step pictures and ``.json`` the machine interface's object. A
        path without suffix, or a folder that exists, gets the usual ones. ``how``
        are the fields of :class:`imgpuzzle.outputs.SaveOptions`. Returns the files.
        Raises ``UsageError`` for other suffixes, ``MissingDependencyError`` and
        ``OutputError``.
        """
        target = Path(path)
        suffix = target.suffix.lower()
        if target.is_dir() or not suffix:
            return self.save_all(target, style=style, **how)
        # All of them are made before the first is written.
        files = self.draw(target, style=style, **how)
        for file, data in files:
            write_atomically(file, data)
        return [file for file, _ in files]

    def draw(
        self,
        path: str | os.PathLike[str],
        *,
        style: Style | None = None,
        **how: Unpack[SaveOptions],
    ) -> list[tuple[Path, bytes]]:
        """What ``save`` would write to a file with a suffix, without writing it.

        Usually that is one file; with ``per_page`` there are several sheets.
        """
        target = Path(path)
        made = outputs.make(
            self, target.suffix.lower(), _styled(style), outputs.Making(**how)
        )
        return [
            (target.with_name(f"{target.stem}{addition}{target.suffix}"), data)
            for addition, data in made
        ]

    def save_all(
        self,
        directory: str | os.PathLike[str],
        *,
        style: Style | None = None,
        **how: Unpack[SaveOptions],
    ) -> list[Path]:
        """Write the usual files into ``directory`` and return them.

        They appear all together, or none of them does: see ``write_folder``.
        """
        return list(self.write_folder(directory, style=style, **how).files)

    def write_folder(
        self,
        directory: str | os.PathLike[str],
        *,
        style: Style | None = None,
        numbered: bool = False,
        **how: Unpack[SaveOptions],
    ) -> folder.Written:
        """Like ``save_all``, and tell what became of the files that were there.

        ``numbered`` leaves a folder that holds anything alone and writes to the
        next free name, ``solution-2`` after ``solution``.
        """
        contents = outputs.folder_contents(self, _styled(style), outputs.Making(**how))
        return folder.write_folder(Path(directory), contents, numbered=numbered)

    def _repr_html_(self) -> str:
        """The page to click through, in a frame, for notebooks."""
        ((_, data),) = self.draw("guide.html")
        page = html.escape(data.decode(), quote=True)
        return (
            f'<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0" '
            'title="imgpuzzle"></iframe>'
        )

    def _repr_png_(self) -> bytes:
        """The sheet, for notebooks that show no pages."""
        ((_, data),) = self.draw("overview.png")
        return data


def _styled(style: Style | None) -> Style:
    from imgpuzzle.render.style import Style

    return Style() if style is None else style


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
            "move_count": None,
            "slide_count": None,
            "metric": metric,
            "lower_bound": lower_bound,
            "optimal": False,
            "nodes": nodes,
            "seconds": round(seconds, 6),
        }
    return {
        "reading": None if reading is None else reading.to_dict(),
        **outcome,
        "files": list(files),
    }


def read_image(
    screenshot: Picture,
    *,
    reference: Picture | None = None,
    shape: Shape | None = None,
    region: Region | None = None,
    goal_blank: tuple[int, int] | None = None,
    corners: Corners | None = None,
    distinct: bool = False,
) -> Reading:
    """Read the board in a screenshot; see ``imgpuzzle.vision.read.read_puzzle``.

    A doubtful reading is returned with ``certain`` false.
    """
    # The pictures first: a missing file is told before a heavy import.
    screen = _load(screenshot)
    original = None if reference is None else _load(reference)
    from imgpuzzle.vision.read import read_puzzle

    return read_puzzle(
        screen,
        reference=original,
        shape=shape,
        region=region,
        goal_blank=goal_blank,
        corners=corners,
        distinct=distinct,
    )


def require_certain(reading: Reading) -> None:
    """Raise ``UncertainReadingError`` unless the reading is certain."""
    if reading.certain:
        return
    places = [
        "row {}, column {}".format(*(n + 1 for n in reading.shape.row_col(cell)))
        for cell in reading.doubtful
    ]
    where = f" at {'; '.join(places)} (counted from 1)" if places else ""
    if len(places) > MANY_PLACES:
        where = f" in {len(places)} of {reading.shape.size} cells"
    why = f": {'; '.join(reading.doubts)}" if reading.doubts else ""
    if reading.method == "reassembly":
        help_ = (
            "a --reference, --grid or --region may help; --assembled FILE.png shows "
            "the goal as it was pieced together, --goal corrects it, --trust takes it"
        )
    else:
        help_ = (
            "a sharper --reference, --grid, --region or --goal-blank may help, "
            "solve --trust takes it as it is"
        )
    raise UncertainReadingError(
        f"the reading is doubtful{where}{why}; {help_}", reading
    )


def solve_board(
    start: Board,
    goal: Board | None = None,
    *,
    picture: Picture | None = None,
    **how: Unpack[SearchOptions],
) -> Guide:
    """Solve a board; without ``goal``, its numbers imply one.

    ``picture`` is what the solved board shows, for the tiles of the guide;
    ``how`` are the keyword arguments of :func:`imgpuzzle.solver.search.solve`.
    """
    image = None if picture is None else _load(picture)
    from imgpuzzle.solver.search import solve

    return Guide(solve(start, goal, **how), picture=image)


def solve_reading(
    reading: Reading,
    goal: Board | None = None,
    *,
    picture: Picture | None = None,
    screenshot: Picture | None = None,
    **how: Unpack[SearchOptions],
) -> Guide:
    """Solve what was read, certain or not; ``goal`` replaces the reading's own.

    Tiles that look the same are interchangeable, unless the reading says
    otherwise. ``screenshot`` is kept for guides that show all of it.
    """
    if goal is not None:
        reading = reading.with_goal(goal)
    guide = solve_board(*reading.interchangeable(), picture=picture, **how)
    shot = None if screenshot is None else _load(screenshot)
    return Guide(guide.solution, reading, guide.picture, shot)


def solve_image(
    screenshot: Picture,
    *,
    reference: Picture | None = None,
    shape: Shape | None = None,
    region: Region | None = None,
    goal_blank: tuple[int, int] | None = None,
    corners: Corners | None = None,
    distinct: bool = False,
    trust: bool = False,
    **how: Unpack[SearchOptions],
) -> Guide:
    """Read a screenshot and solve its board.

    Raises ``UncertainReadingError`` when the reading is doubtful, unless
    ``trust`` says to take it as it is.
    """
    screenshot = _load(screenshot)
    reading = read_image(
        screenshot,
        reference=reference,
        shape=shape,
        region=region,
        goal_blank=goal_blank,
        corners=corners,
        distinct=distinct,
    )
    if not trust:
        require_certain(reading)
    return solve_reading(reading, screenshot=screenshot, **how)


def _load(picture: Picture) -> Image:
    if isinstance(picture, (str, os.PathLike)):
        return load_image(picture)
    return check_image(picture)
