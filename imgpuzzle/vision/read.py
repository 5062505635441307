"""``read_puzzle``: from a screenshot to a ``Reading``.

Views of the screenshot are made: the whole, a named place, a photograph set upright,
a large picture reduced, a long one in parts. Each is searched; the judge says which of
what was found it is; and only here an error is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Unpack

from imgpuzzle.core.options import ReadKeywords, ReadOptions, changed
from imgpuzzle.core.reading import Corners, Reading, Region
from imgpuzzle.errors import PuzzleError, UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt
from imgpuzzle.vision import decide
from imgpuzzle.vision.candidate import View
from imgpuzzle.vision.geometry import perspective
from imgpuzzle.vision.options import (
    check_reference,
    make_request,
    possible_shapes,
)
from imgpuzzle.vision.report import Finding, Outcome, Refused
from imgpuzzle.vision.search.alone import find_alone, find_numbers, find_turned
from imgpuzzle.vision.search.guided import GuidedSearch
from imgpuzzle.vision.search.large import (
    enlargement,
    is_large,
    read_enlarged,
    read_large,
    reduced,
)
from imgpuzzle.vision.search.long import is_long, read_long
from imgpuzzle.vision.search.tuning import TUNING as SEARCH
from imgpuzzle.vision.search.turned import TurnedSearch
from imgpuzzle.vision.trail import Trail
from imgpuzzle.vision.tuning import TUNING


def read_puzzle(
    screenshot: Image,
    options: ReadOptions | None = None,
    *,
    reference: Image | None = None,
    trail: Trail | None = None,
    **how: Unpack[ReadKeywords],
) -> Reading:
    """Find the board in a screenshot: ``imgpuzzle.read_image`` for arrays."""
    known = changed(ReadOptions, options, how)
    region, corners, shapes = known.region, known.corners, possible_shapes(known)
    original: Image | None = None
    if reference is not None:
        check_reference(reference)
        original = reduced(reference)

    def name_of(picture: Image) -> str:
        if picture is screenshot:
            return "the screenshot"
        return f"a part or a reduced picture: {_size(picture)}"

    def read(picture: Image, region: Region | None, corners: Corners | None) -> Outcome:
        if corners is None:
            request = make_request(picture, known, region=region)
            return _whole(View(request, trail, name_of(picture)), original)
        if region is not None:
            raise UsageError.said("expected either --region or --corners, found both")
        upright = perspective.from_corners(picture, corners)
        # The corners of an upright board on a screen: no camera, no uneven light.
        is_lit = not (upright.is_level and perspective.is_screen(upright.picture))
        request = make_request(
            upright.picture, known, region=upright.region, is_lit=is_lit
        )
        view = View(request, trail, f"between the corners: {_size(upright.picture)}")
        return _at_corners(picture, upright, view, original)

    if is_long(screenshot) and region is None and corners is None:
        found = read_long(screenshot, read, shapes)
    elif (times := enlargement(screenshot)) > 1:
        found = read_enlarged(screenshot, times, read, region, corners)
    elif is_large(screenshot):
        found = read_large(screenshot, read, region, corners)
    else:
        found = read(screenshot, region, corners)
    _check_cells(known, partial(read_puzzle, screenshot, reference=reference))
    if isinstance(found, Refused):
        raise found.error()
    return found.reading()


def _check_cells(known: ReadOptions, read: Callable[[ReadOptions], Reading]) -> None:
    """Raise ``UsageError`` for a cell that the board has not got.

    It leads to no board, or to another one, as to halves of its tiles; without it the
    board is read.
    """
    unnamed = replace(known, blank=None, goal_blank=None)
    if known.shape is not None or possible_shapes(known) == possible_shapes(unnamed):
        return  # every board that it may be has that cell
    try:
        reading = read(unnamed)
    except PuzzleError:
        return
    if reading.certain:
        possible_shapes(replace(known, shape=reading.shape))


def _size(picture: Image) -> str:
    height, width = picture.shape[:2]
    return f"{width} x {height} px"


def _whole(view: View, reference: Image | None) -> Outcome:
    """What a picture shows, upright or at an angle."""
    if view.request.known.turned:
        return _turned(view, reference)
    if reference is None:
        return _alone(view)
    alone = cache(lambda: _alone(view))

    def numbers() -> Finding | None:
        # Where it was read surely without the reference, they were asked already.
        known = alone() if alone.cache_info().currsize else None
        if isinstance(known, Finding) and known.is_certain:
            return known if known.method == "digits" else None
        return find_numbers(view)

    guided = decide.with_numbers(_guided(view, reference, alone), numbers, reference)
    view.note("the reference or numbers (decide.with_numbers)", guided)
    found = decide.with_or_without(guided, alone)
    view.note("with or without the reference (decide.with_or_without)", found)
    return found


def _turned(view: View, reference: Image | None) -> Outcome:
    """What a picture shows whose tiles may lie turned."""
    if reference is not None:
        found = TurnedSearch(view, reference).finding()
        view.note("tiles in all turns", found)
        if found is not None:
            return found
    # A reference that no turn brings onto the tiles says nothing of them upright.
    return find_turned(view, is_quick=reference is not None)


def _at_corners(
    screenshot: Image,
    upright: perspective.Upright,
    view: View,
    reference: Image | None,
) -> Outcome:
    """What lies between named corners."""
    if reference is None:
        found = find_alone(view)
    else:
        found = decide.with_or_without(
            _search(view, reference, None), lambda: find_alone(view)
        )
    if isinstance(found, Refused):
        return found
    if view.request.is_lit:
        found = _well_lit(found)
    return _placed(screenshot, upright, found)


def _alone(view: View) -> Outcome:
    found = find_alone(view)
    if isinstance(found, Refused):
        if found.regions:
            return found
    elif not decide.may_be_tilted(found):
        return found
    likelier = decide.likelier_view(found, _tilted(view, None))
    view.note("upright or at an angle (decide.likelier_view)", likelier)
    return likelier


def _guided(view: View, reference: Image, alone: Callable[[], Outcome]) -> Outcome:
    search = GuidedSearch(view, reference)
    search.look(SEARCH.quick_sources)
    ended = search.ended_by(alone)
    if ended is not None:
        return ended
    # On a photograph the many slower ways would be in vain.
    # A camera would not have set the complete picture so upright and exact.
    may_slope = not search.is_decided and not search.shows_goal
    sloping = may_slope and not perspective.is_screen(view.request.view)
    tilted = _tilted(view, reference) if sloping else None
    if tilted is not None and tilted.is_certain:
        return tilted
    search.look(None if tilted is None else SEARCH.quick_sources)
    upright = search.outcome()
    if isinstance(upright, Refused):
        # The reference fits, in several grids: the board stands upright.
        if upright.shapes and tilted is None:
            return upright
    elif upright.is_certain:
        return upright
    is_doubted = isinstance(upright, Refused) or decide.may_be_tilted(upright)
    if not sloping and is_doubted and not search.shows_goal:
        tilted = _tilted(view, reference)
    return decide.likelier_view(upright, tilted)


def _search(view: View, reference: Image, most: int | None) -> Outcome:
    search = GuidedSearch(view, reference)
    search.look(most)
    return search.outcome()


def _tilted(whole: View, reference: Image | None) -> Finding | None:
    """The board that was photographed at an angle, if any.

    Of doubtful ones the best is returned where nothing but the arrangement is in
    doubt: the board is the right one.
    """
    request = whole.request
    best: Finding | None = None
    for upright in whole.tilted:
        view = View(
            replace(
                request,
                screenshot=upright.picture,
                view=upright.picture,
                left=0,
                top=0,
                inner=None,
                is_lit=True,
            ),
            whole.trail,
            f"set upright: {_size(upright.picture)}",
        )
        if reference is None:
            found = find_alone(view, is_quick=True)
        else:
            found = _search(view, reference, SEARCH.quick_sources)
        if isinstance(found, Refused):
            continue
        found = _placed(request.screenshot, upright, found, request.left, request.top)
        if found.is_certain:
            lit = _well_lit(found)
            if lit.is_certain or reference is None:
                return lit
        fits = found.kinds <= {Doubt.ARRANGEMENT}
        if fits and (best is None or found.verdict.nats > best.verdict.nats):
            best = found
    return None if best is None else _well_lit(best)


def _well_lit(found: Finding) -> Finding:
    """What a photograph shows, doubted where light or slant leave it open."""
    least = TUNING.lit_nats if found.method == "reference" else TUNING.slanting_nats
    is_told = found.method in ("reference", "reassembly")
    if not is_told or not found.is_certain or found.verdict.nats > least:
        return found
    everything = tuple(range(found.shape.size))
    return replace(found, misfits=everything).doubted(Doubt.ARRANGEMENT)


def _placed(
    screenshot: Image,
    upright: perspective.Upright,
    found: Finding,
    left: int = 0,
    top: int = 0,
) -> Finding:
    """What was found in a view, with its place in the screenshot."""
    height, width = screenshot.shape[:2]
    first, second, third, fourth = (
        (x + left, y + top) for x, y in upright.corners(found.region)
    )
    corners = first, second, third, fourth
    xs = [min(max(round(x), 0), width) for x, _ in corners]
    ys = [min(max(round(y), 0), height) for _, y in corners]
    box = Region(min(xs), min(ys), max(max(xs) - min(xs), 2), max(max(ys) - min(ys), 2))
    return replace(found, cut=replace(found.cut, region=box), corners=corners)
