"""From moves to moments, and from moments to painted frames.

A *moment* says which tile lies where, which one is highlighted and how far it
has slid. The painter turns one after the other into pixels and repaints only
what differs from the moment before, so that long solutions of large boards are
painted in the time that their moves need.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from imgpuzzle.core.board import Shape
from imgpuzzle.core.language import words
from imgpuzzle.core.moves import Arrow, Motion, Move, Turn, carried, is_closed, turned
from imgpuzzle.core.reading import Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.stages import stage_at
from imgpuzzle.errors import InvalidImageError
from imgpuzzle.render.drawing.backdrop import Backdrop, strip_stamp
from imgpuzzle.render.drawing.colours import AMBER, NIGHT, SKY, Colour
from imgpuzzle.render.drawing.looks import Look, Looks
from imgpuzzle.render.drawing.marks import arrow, dot, frame, later, link, turn
from imgpuzzle.render.drawing.stamps import CHECK, Stamp, badge, plate, spun
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.surface import Surface
from imgpuzzle.render.drawing.tiles import TileSet

FADING = (0.95, 0.7, 0.45)
"""How strong the outlines of the next moves are."""

LEAST_MARKED_PX = 8
"""Outlines would hide smaller tiles."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of the board that is shown for ``ms`` milliseconds.

    ``places`` has, for each cell, the start cell of the tile that lies there, and
    ``turns`` by how many quarters it has been turned clockwise since the start.
    ``run`` has the move that is asked for or under way, or all moves of a slide,
    ``share`` how much of it is done, and ``number`` how many are complete. Without
    moves the board stands still, at the start or at the end.
    """

    places: tuple[int, ...]
    turns: tuple[int, ...]
    number: int
    run: tuple[Move, ...] = ()
    share: float = 0.0
    ms: int = 0
    ahead: tuple[tuple[int, int], ...] = ()
    """Cells of tiles that move later, and the number of their step."""


def runs_of(solution: Solution) -> Iterator[tuple[Move, ...]]:
    """What one picture each stands for: moves, or slides where these are counted."""
    if solution.in_slides:
        return solution.slides()
    return ((step,) for step in solution.steps())


def keyframes(solution: Solution, style: Style) -> Iterator[Moment]:
    """The board before each move, or slide, then the solved one: ``length + 1``.

    Raises ``InvalidBoardError`` at the first move that is not legal.
    """
    places = list(range(solution.start.shape.size))
    turns = [0] * len(places)
    runs = runs_of(solution)
    # Only as many moves as are shown ahead: long solutions stay cheap.
    window = deque(itertools.islice(runs, style.ahead + 1))
    number = 0
    while window:
        ahead = _ahead(window, number + 1)
        run = window.popleft()
        now = tuple(places), tuple(turns)
        yield Moment(*now, number, run, ms=style.frame_ms, ahead=ahead)
        for step in run:
            places = carried(places, step.motions)
            turns = turned(turns, step.motions)
        number += 1
        window.extend(itertools.islice(runs, 1))
    yield Moment(tuple(places), tuple(turns), number, ms=style.pause_ms)


def timeline(solution: Solution, style: Style) -> Iterator[Moment]:
    """All moments of an animation: the start, each move with its slide, the end.

    A solved board has one moment.
    """
    count, total = style.slide_frames, style.slide_ms
    # Whole numbers that differ by at most one.
    times = [total * (i + 1) // count - total * i // count for i in range(count)]
    for key in keyframes(solution, style):
        if key.number == 0 and key.run:
            yield Moment(key.places, key.turns, 0, ms=style.pause_ms)
        yield key
        if not key.run:
            return
        for number, ms in enumerate(times, start=1):
            share = number / (count + 1)
            # Slow at both ends, as hands move things.
            yield replace(key, share=share * share * (3 - 2 * share), ms=ms)


class Painter:
    """Paints moments onto a surface that shows the backdrop's ground."""

    def __init__(
        self,
        solution: Solution,
        tileset: TileSet,
        style: Style,
        backdrop: Backdrop,
        surface: Surface,
    ) -> None:
        check_fit(solution, tileset)
        style = style.on_tiles(numbered=tileset.has_numbers)
        self._tileset, self._style, self._backdrop = tileset, style, backdrop
        self._surface = surface
        self._looks = Looks(tileset, style, solution.start.cells)
        self._count, self._counted = solution.run_count, solution.counted
        self._pushes = solution.in_slides
        self._stages = solution.stages
        self._shape = tileset.shape
        self._regions = backdrop.cells
        self._board = Region.around(backdrop.cells)
        self._shown: Sequence[tuple[int, Look, int] | None] = [
            None
        ] * tileset.shape.size
        self._over: tuple[Stamp, ...] = ()
        self._moving: Region | None = None
        self._overlaid: tuple[object, ...] | None = None
        self._captions: tuple[Stamp, ...] = ()

    def paint(self, moment: Moment) -> None:
        """Let the surface show a moment."""
        run = moment.run
        sliding = run if moment.share > 0 else ()
        # What moves together has one frame.
        lit: Look = "joined" if _is_joined(self._shape, run) else "lit"
        wanted = self._wanted(moment, lit)
        dirty = [
            self._regions[cell]
            for cell, look in enumerate(wanted)
            if look != self._shown[cell]
        ]
        self._shown = wanted
        over = self._overlays(moment, sliding)
        dirty += [stamp.region for stamp in set(self._over) ^ set(over)]
        self._over = over
        movers = [
            mover
            for step in sliding
            for motion in step.motions
            for mover in self._movers(moment, motion, lit)
        ]
        places = [] if self._moving is None else [self._moving]
        self._moving = None
        if movers:
            self._moving = Region.around([mover.region for mover in movers])
            places.append(self._moving)
        if places:
            dirty.append(Region.around(places))
        for region in dirty:
            self._repaint(region, movers)

    def _wanted(self, moment: Moment, lit: Look) -> list[tuple[int, Look, int]]:
        lying = list(zip(moment.places, moment.turns, strict=True))
        wanted: list[tuple[int, Look, int]] = [
            (tile, "plain", turn) for tile, turn in lying
        ]
        for step in moment.run:
            motions = step.motions
            for motion in motions:
                tile, turn = lying[motion.origin]
                if moment.share == 0:
                    wanted[motion.origin] = tile, lit, turn
                elif is_closed(motions):
                    wanted[motion.origin] = tile, "gone", 0
                else:
                    # A board without gaps shows the hollow on both sides of the tile.
                    wanted[motion.origin] = wanted[motion.target]
        return wanted

    def _movers(self, moment: Moment, motion: Motion, look: Look) -> Iterator[Stamp]:
        """The tile under way: twice where it leaves at one side and comes in again."""
        tile, turn = moment.places[motion.origin], moment.turns[motion.origin]
        lit = self._looks.stamp(tile, look, turn)
        if motion.turn:
            lit = spun(lit, 90 * moment.share * motion.turn)
        for row, col in motion.at(self._shape, moment.share):
            left, top = self._spot(row, col)
            drawn: Stamp | None = lit.at(left + lit.left, top + lit.top)
            if drawn is not None and motion.over != (0, 0):
                # What goes over the rim is seen on the board alone.
                drawn = drawn.within(self._board)
            if drawn is not None:
                yield drawn

    def _spot(self, row: float, col: float) -> tuple[int, int]:
        """The left and top px of a place between cells, or beside the board."""
        (rows, cols), places = (self._shape.rows, self._shape.cols), self._regions
        top, left = (
            max(0, min(int(at), count - 2)) for at, count in ((row, rows), (col, cols))
        )
        here = places[top * cols + left]
        right, low = (
            places[top * cols + min(left + 1, cols - 1)],
            places[min(top + 1, rows - 1) * cols + left],
        )
        return (
            round(here.left + (right.left - here.left) * (col - left)),
            round(here.top + (low.top - here.top) * (row - top)),
        )

    def _repaint(self, region: Region, movers: Sequence[Stamp]) -> None:
        # Marks may reach beyond small boards.
        clip = region.common(self._backdrop.whole)
        if clip is None:
            return
        region, surface = clip, self._surface
        surface.restore(region)
        for place, look in zip(self._regions, self._shown, strict=True):
            if place.common(region) is None:
                continue
            assert look is not None
            surface.put(self._looks.stamp(*look).at(place.left, place.top), region)
        for mover in movers:
            surface.put(mover, region)
        for stamp in self._over:
            surface.put(stamp, region)

    def _overlays(self, moment: Moment, sliding: Sequence[Move]) -> tuple[Stamp, ...]:
        """What is to be drawn over the tiles; the same stamps while nothing changes."""
        overlaid = (moment.number, not moment.run, not sliding)
        if overlaid == self._overlaid:
            return self._over
        before, self._overlaid = self._overlaid, overlaid
        # The words stay while a tile slides.
        if before is None or before[:2] != overlaid[:2]:
            self._captions = self._caption(moment)
        stamps: list[Stamp] = []
        if moment.run and not sliding:
            for cell, number in moment.ahead:
                strength = FADING[number - moment.number - 2]
                stamps += self._mark(cell, number, strength)
            stamps += self._marks(moment)
        return (*stamps, *self._captions)

    def _marks(self, moment: Moment) -> Iterator[Stamp]:
        """What lies on the tiles that move: a frame around several, arrow and dot."""
        run, cells = moment.run, self._regions
        moved = [motion.origin for step in run for motion in step.motions]
        if _is_joined(self._shape, run) and any(
            self._looks.outlined(moment.places[cell]) for cell in moved
        ):
            side = min(self._tileset.tile_height, self._tileset.tile_width)
            yield from frame(Region.around([cells[cell] for cell in moved]), side)
        pushed = cells[run[-1].origin]
        origin = pushed if self._pushes else None
        signs = [*signs_of(run[0], cells, origin)] if self._style.arrow else []
        if self._pushes:
            signs.append(dot(pushed))
        yield from signs
        # A long arrow lies on tiles that stay where they are, too.
        for cell in range(len(cells)) if is_closed(run[0].motions) else moved:
            place = cells[cell]
            plate = self._looks.number(moment.places[cell], place)
            # Nothing lies on a number.
            if plate is not None and any(plate.region.common(s.region) for s in signs):
                yield plate

    def _mark(self, cell: int, number: int, strength: float) -> list[Stamp]:
        """The outline of a tile that moves later, with its step's number."""
        place = self._regions[cell]
        side = min(place.width, place.height)
        if side < LEAST_MARKED_PX:
            return []
        stamps = list(later(place, max(2, round(side / 22)), strength))
        return [*stamps, *_cornered(str(number), place, SKY, 0.55 + 0.45 * strength)]

    def _caption(self, moment: Moment) -> tuple[Stamp, ...]:
        style, count = self._style, self._count
        solved = not moment.run and moment.number == count
        if style.caption == "plate":
            if not moment.run and not solved:
                return ()
            text, tiles = CHECK if solved else str(moment.number + 1), self._tileset
            # It must not hide a tile.
            tile = min(tiles.tile_height, tiles.tile_width)
            most = min(0.125 * min(tiles.height, tiles.width), 0.38 * tile)
            found = plate(text, int(most), good=solved)
            if found is None:
                return ()
            return (found.at(self._board.left, self._board.top),)
        if style.caption == "none" or self._backdrop.strip is None:
            return ()
        _ = words(style.language)
        moves = self._counted.worded(_)
        if solved:
            lead, detail = _.gettext("Solved"), moves
        elif not moment.run:
            lead, detail = _.gettext("Start"), moves
        else:
            lead = _.gettext("{number} of {count}").format(
                number=moment.number + 1, count=count
            )
            stage = stage_at(self._stages, moment.number + 1)
            if stage is not None:
                name = stage.name(self._shape, style.naming())
                lead = f"{lead} \N{MIDDLE DOT} {name}"
            detail = moment.run[-1].placed(style.naming())
        if style.doubtful:
            lead = f"{lead} \N{MIDDLE DOT} {_.gettext('doubtful reading')}"
        done = moment.number / count if count else 1.0
        return (
            strip_stamp(
                self._backdrop.strip,
                style,
                lead=lead,
                detail=detail,
                done=done,
                solved=solved,
            ),
        )


def signs_of(
    step: Move, cells: Sequence[Region], pushed: Region | None = None
) -> Iterator[Stamp]:
    """The arrows of a move; ``pushed`` is where one begins that is of several tiles."""
    for mark in step.marks:
        if isinstance(mark, Turn):
            yield from _turn(mark, cells)
        elif isinstance(mark, Arrow):
            origin, target = pushed or cells[mark.origin], cells[mark.target]
            if is_closed(step.motions):
                yield link(origin, target, both=mark.both)
            else:
                yield arrow(origin, target)


def marks_at_once(solution: Solution, cells: Sequence[Region]) -> Iterator[Stamp]:
    """All moves as marks on the start: numbered arrows between places, and turns."""
    above: list[Stamp] = []
    for step in solution.steps():
        for mark in step.marks:
            if isinstance(mark, Turn):
                above += _turn(mark, cells)
            elif isinstance(mark, Arrow):
                one, other = cells[mark.origin], cells[mark.target]
                yield link(one, other, both=mark.both)
                above.append(_numbered(step.number, one, other, above))
    yield from above


def _numbered(number: int, one: Region, other: Region, taken: Sequence[Stamp]) -> Stamp:
    """A plate on an arrow between two cells, beside those that lie there already."""
    height = max(LEAST_MARKED_PX, round(0.24 * min(one.width, one.height)))
    plate = badge(str(number), height, fill=SKY, ink=NIGHT)
    left, top = (plate.region.width - one.width) / 2, (height - one.height) / 2
    spots = [
        plate.at(
            round(one.left + share * (other.left - one.left) - left),
            round(one.top + share * (other.top - one.top) - top),
        )
        for share in (0.5, 0.4, 0.6, 0.3, 0.7)
    ]
    free = (
        spot
        for spot in spots
        if not any(spot.region.common(known.region) for known in taken)
    )
    return next(free, spots[0])


def _turn(mark: Turn, cells: Sequence[Region]) -> Iterator[Stamp]:
    """The arrow round a block or a tile, and how often."""
    yield turn(cells[mark.first], cells[mark.last], mark.quarters)
    if mark.times > 1:
        text = f"\N{MULTIPLICATION SIGN}{mark.times}"
        yield from _cornered(text, cells[mark.first], AMBER, is_low=False)


def check_fit(solution: Solution, tileset: TileSet) -> None:
    """Raise ``InvalidImageError`` unless board and tiles have one shape."""
    if solution.start.shape != tileset.shape:
        raise InvalidImageError(
            f"expected tiles for a {solution.start.shape} board, "
            f"found tiles for {tileset.shape}"
        )


def _ahead(
    window: Sequence[tuple[Move, ...]], first: int
) -> tuple[tuple[int, int], ...]:
    """Where the tiles of the moves after the ``first`` lie now, and their numbers.

    A tile that moves now, or twice, is shown with the first of its moves only. Of a
    slide the tile to push is shown.
    """
    # Trace each later mover back to the cell in which it lies now.
    now: dict[int, int] = {}
    seen = set()
    found = []
    for place, run in enumerate(window):
        for step in run:
            lies = [now.get(one.origin, one.origin) for one in step.motions]
            for cell, motion in zip(lies, step.motions, strict=True):
                if place and step is run[-1] and cell not in seen:
                    found.append((cell, first + place))
                seen.add(cell)
                now[motion.target] = cell
    return tuple(found)


def _cornered(
    text: str,
    place: Region,
    fill: Colour,
    strength: float = 1.0,
    *,
    is_low: bool = True,
) -> list[Stamp]:
    """A plate in the lower, or the upper, left corner of a tile, if there is room."""
    side = min(place.width, place.height)
    if side < 2.5 * LEAST_MARKED_PX:
        return []
    height, inset = max(LEAST_MARKED_PX, round(0.24 * side)), max(1, side // 22)
    plate = badge(text, height, fill=fill, ink=NIGHT, strength=strength)
    top = place.bottom - inset - height if is_low else place.top + inset
    return [plate.at(place.left + inset, top)]


def _is_joined(shape: Shape, run: Sequence[Move]) -> bool:
    """Whether the tiles of a slide, or three and more of a move, fill a box of cells.

    One frame is around them then; around others it would hold tiles that stay.
    """
    moved = {motion.origin for step in run for motion in step.motions}
    if len(run) < 2 and len(moved) < 3:
        return False
    rows, cols = zip(*map(shape.row_col, moved), strict=True)
    box: int = (1 + max(rows) - min(rows)) * (1 + max(cols) - min(cols))
    return len(moved) == box
