"""Boards seen at an angle: views of a photograph in which their lines are straight.

A plane seen in perspective is set upright by a homography. Two sources: four
corners, given or found as an outline with four sides, and the two vanishing
points in which the many parallel lines of a board meet (R. Hartley and
A. Zisserman, 2004, chapter 8). In such a view the board is an ordinary one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.reading import Corners, Region
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import UsageFault
from imgpuzzle.vision.geometry.tuning import TUNING

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Upright:
    """A picture set upright; ``back`` (3 x 3) leads from its px to the original's."""

    picture: Image
    back: FloatArray
    region: Region | None = None

    @property
    def is_level(self) -> bool:
        """Whether rows and columns of the view run along those of the original."""
        height, width = self.picture.shape[:2]
        ends = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        sides = np.roll(_mapped(self.back, ends), -1, axis=0) - _mapped(self.back, ends)
        leans = np.abs(sides).min(axis=1) / np.abs(sides).max(axis=1)
        return bool(leans.max() < math.tan(math.radians(TUNING.exact_deg)))

    def corners(self, region: Region) -> Corners:
        """A rectangle of this view as four corners of the original."""
        box = [
            (region.left, region.top),
            (region.right, region.top),
            (region.right, region.bottom),
            (region.left, region.bottom),
        ]
        # Edges between pixels, so that integers name the corners of pixels.
        first, second, third, fourth = (
            (float(x), float(y)) for x, y in _mapped(self.back, np.array(box) - 0.5)
        )
        return first, second, third, fourth


def from_corners(image: Image, corners: Corners) -> Upright:
    """The view in which the named corners form a rectangle, with some margin.

    Raises ``UsageError`` for corners off the picture or not of a convex board.
    """
    check_corners(image, corners)
    return view_of_quad(image, np.array(corners, dtype=np.float64) - 0.5)


def check_corners(image: Image, corners: Corners) -> None:
    """Raise ``UsageError`` for corners off the picture or not of a convex board."""
    height, width = image.shape[:2]
    quad = np.array(corners, dtype=np.float64)
    slack = 0.02 * max(height, width)
    outside = (quad < -slack).any() or (quad > np.array([width, height]) + slack).any()
    if outside or not _is_proper(quad):
        raise UsageError.said(
            UsageFault.CORNERS_OUTSIDE,
            size=f"{width}x{height}",
            found=",".join(f"{value:g}" for value in quad.ravel()),
        )


def tilted_views(image: Image) -> Iterator[Upright]:
    """Likely views of boards that do not stand upright in ``image``, best first."""
    grey, scale = _small(image)
    if _runs_level(grey):
        return
    for quad in _quads(grey)[: TUNING.most_quads]:
        yield view_of_quad(image, quad / scale, most_px=TUNING.view_px)
    matrix = _from_vanishing_points(grey)
    if matrix is not None:
        to_small = np.diag([scale, scale, 1.0])
        yield _warped(image, matrix @ to_small)


def is_screen(image: Image) -> bool:
    """Whether the lines of a picture show that no camera took it."""
    return _runs_level(_small(image)[0])


def _small(image: Image) -> tuple[NDArray[np.uint8], float]:
    """A picture in grey, small enough to be searched, and its scale."""
    scale = min(1.0, TUNING.work_side_px / max(image.shape[:2]))
    small = image
    if scale < 1.0:
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), dtype=np.uint8), scale


def _runs_level(grey: NDArray[np.uint8]) -> bool:
    """Whether the lines of a picture run along its rows and columns exactly.

    A camera hardly ever does that, not even where it means to.
    """
    segments = _segments(grey)
    run = np.abs(segments[:, 2:] - segments[:, :2])
    for along, across in ((run[:, 0], run[:, 1]), (run[:, 1], run[:, 0])):
        family = across < math.tan(math.radians(TUNING.family_deg)) * along
        exact = family & (across < math.tan(math.radians(TUNING.exact_deg)) * along)
        if along[exact].sum() <= TUNING.exact_share * along[family].sum():
            return False
    return True


def _is_proper(quad: FloatArray) -> bool:
    """Whether four points go around clockwise (on a screen) and bulge nowhere."""
    sides = np.roll(quad, -1, axis=0) - quad
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 8.0 or turns.min() <= 0:
        return False
    cosines = np.abs((sides * after).sum(axis=1)) / (lengths * np.roll(lengths, -1))
    return bool(cosines.max() < TUNING.most_corner_cosine)


def view_of_quad(
    image: Image, quad: FloatArray, *, most_px: int | None = None
) -> Upright:
    """Draw the quad (px, centres of pixels) upright, with a margin around it.

    The view has ``most_px`` px at most, margin included, where that is given.
    """
    top, right, bottom, left = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    width, height = max(top, bottom), max(left, right)
    shrink = min(1.0, TUNING.most_side_px / max(width, height))
    if most_px is not None:
        edges = 2 * TUNING.margin * max(width, height)
        area = (width + edges) * (height + edges)
        shrink = min(shrink, math.sqrt(most_px / area))
    width, height = float(width * shrink), float(height * shrink)
    edge = TUNING.margin * max(width, height)
    box = np.array(
        [
            (edge, edge),
            (edge + width, edge),
            (edge + width, edge + height),
            (edge, edge + height),
        ]
    )
    size = (math.ceil(width + 2 * edge), math.ceil(height + 2 * edge))
    matrix = np.asarray(
        cv2.getPerspectiveTransform(
            quad.astype(np.float32), (box - 0.5).astype(np.float32)
        ),
        dtype=np.float64,
    )
    region = Region(round(edge), round(edge), round(width), round(height))
    return Upright(_draw(image, matrix, size), _inverse(matrix), region)


def _warped(image: Image, matrix: FloatArray) -> Upright:
    """The whole picture after a homography, moved to where it was.

    Things in the middle keep their size, where the view does not become too large.
    """
    height, width = image.shape[:2]
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    middle = np.array([[width / 2, height / 2]])
    step = 0.01 * max(width, height)
    around = middle + np.array([(0.0, 0.0), (step, 0.0), (0.0, step)])
    at = _mapped(matrix, around)
    areas = abs(float(np.cross(_lift(at[1] - at[0]), _lift(at[2] - at[0]))[2]))
    scale = step / math.sqrt(max(areas, 1e-12))
    moved = _mapped(matrix, frame) * scale
    low = np.maximum(moved.min(axis=0), at[0] * scale - 0.9 * max(width, height))
    high = np.minimum(moved.max(axis=0), at[0] * scale + 0.9 * max(width, height))
    shrink = min(1.0, math.sqrt(TUNING.view_px / float(np.prod(high - low))))
    low, high, scale = low * shrink, high * shrink, scale * shrink
    place = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]])
    size = (max(math.ceil(high[0] - low[0]), 8), max(math.ceil(high[1] - low[1]), 8))
    whole = place @ matrix
    return Upright(_draw(image, whole, size), _inverse(whole))


def _draw(image: Image, matrix: FloatArray, size: tuple[int, int]) -> Image:
    drawn = cv2.warpPerspective(
        image, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(drawn, dtype=np.uint8)


def _inverse(matrix: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def _lift(point: FloatArray) -> FloatArray:
    return np.array([point[0], point[1], 0.0])


def _mapped(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """n x 2 points after a homography."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], dtype=np.float64)


def _quads(grey: NDArray[np.uint8]) -> list[FloatArray]:
    """Outlines with four sides that are no upright rectangles, the largest first."""
    height, width = grey.shape
    found: list[tuple[float, FloatArray]] = []
    smooth = cv2.GaussianBlur(grey, (5, 5), 0)
    for low, high in ((20, 60), (60, 160)):
        edges = cv2.Canny(smooth, low, high)
        edges = cv2.dilate(edges, np.ones((3, 3), np.uint8))
        outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            hull = cv2.convexHull(outline)
            area = cv2.contourArea(hull)
            if area < TUNING.least_quad_share * height * width:
                continue
            quad = _four_sides(np.asarray(hull))
            if quad is not None and not _is_upright(quad):
                found.append((float(area), quad))
    found.sort(key=lambda pair: -pair[0])
    kept: list[FloatArray] = []
    for _, quad in found:
        if all(np.abs(quad - other).max() > 0.02 * max(grey.shape) for other in kept):
            kept.append(quad)
    return kept


def _four_sides(hull: NDArray[np.int32]) -> FloatArray | None:
    """The four corners that describe a hull, from the top left clockwise."""
    around = cv2.arcLength(hull, True)
    for slack in (0.01, 0.02, 0.03, 0.045):
        points = np.asarray(cv2.approxPolyDP(hull, slack * around, True), np.float64)
        if len(points) == 4:
            quad = points.reshape(4, 2)
            inside = cv2.contourArea(quad.astype(np.float32))
            if inside < 0.93 * cv2.contourArea(hull):
                return None
            quad = quad[np.argsort(np.arctan2(*(quad - quad.mean(axis=0)).T[::-1]))]
            start = int(np.argmin(quad.sum(axis=1)))
            quad = np.roll(quad, -start, axis=0)
            return quad if _is_proper(quad) else None
        if len(points) < 4:
            return None
    return None


def _is_upright(quad: FloatArray) -> bool:
    sides = np.roll(quad, -1, axis=0) - quad
    leans = np.degrees(np.arctan2(np.abs(sides).min(axis=1), np.abs(sides).max(axis=1)))
    return bool(leans.max() < TUNING.least_tilt_deg)


def _from_vanishing_points(grey: NDArray[np.uint8]) -> FloatArray | None:
    """The homography that makes a picture's two families of lines upright and level."""
    segments = _segments(grey)
    if len(segments) < 8:
        return None
    ends = segments.reshape(-1, 2, 2)
    run = ends[:, 1] - ends[:, 0]
    angles = np.degrees(np.arctan2(run[:, 1], run[:, 0])) % 180.0
    level = np.minimum(angles, 180.0 - angles)
    points = []
    for chosen in (level < TUNING.most_lean_deg, level > 90.0 - TUNING.most_lean_deg):
        point = _vanishing_point(ends[chosen], grey.shape)
        if point is None:
            return None
        points.append(point)
    matrix = _levelled(points[0], points[1], grey.shape)
    if matrix is None or not _is_tilted(matrix, grey.shape):
        return None
    return matrix


def _segments(grey: NDArray[np.uint8]) -> FloatArray:
    """The longest straight segments: n x 4 (x, y, x, y), in px."""
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    if found is None:
        return np.zeros((0, 4))
    segments = np.asarray(found, dtype=np.float64).reshape(-1, 4)
    lengths = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
    order = np.argsort(-lengths)
    long = segments[order[lengths[order] > TUNING.least_segment_px]]
    return np.asarray(long[: TUNING.most_segments], dtype=np.float64)


def _vanishing_point(ends: FloatArray, size: tuple[int, ...]) -> FloatArray | None:
    """The point (homogeneous) that most segments of a family point to.

    ``ends`` is n x 2 x 2; every pair of the longest segments proposes a point.
    """
    if len(ends) < 3:
        return None
    centre = np.array([size[1] / 2, size[0] / 2])
    reach = max(size)
    local = (ends - centre) / reach
    lifted = np.concatenate([local, np.ones((*local.shape[:2], 1))], axis=2)
    lines = np.cross(lifted[:, 0], lifted[:, 1])
    lines /= np.linalg.norm(lines[:, :2], axis=1, keepdims=True)
    middles = local.mean(axis=1)
    runs = local[:, 1] - local[:, 0]
    lengths = np.linalg.norm(runs, axis=1)
    runs /= lengths[:, None]
    best, chosen = 0.0, None
    limit = math.sin(math.radians(TUNING.segment_slack_deg))
    for one, other in itertools.combinations(range(min(len(lines), 40)), 2):
        point = np.cross(lines[one], lines[other])
        size_of = float(np.linalg.norm(point))
        if size_of < 1e-9:
            continue
        point = point / size_of
        off = _off(point, middles, runs)
        support = float((lengths * (off < limit)).sum())
        if support > best:
            best, chosen = support, point
    if chosen is None:
        return None
    for _ in range(3):
        near = _off(chosen, middles, runs) < limit
        if near.sum() < 3:
            return None
        _, _, axes = np.linalg.svd(lines[near] * lengths[near, None])
        chosen = axes[-1]
    back = np.array([[reach, 0.0, centre[0]], [0.0, reach, centre[1]], [0.0, 0.0, 1.0]])
    return np.asarray(back @ chosen, dtype=np.float64)


def _off(point: FloatArray, middles: FloatArray, runs: FloatArray) -> FloatArray:
    """The sine of the angle between segments and their way to a point."""
    way = point[:2] - point[2] * middles
    way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    sines = way[:, 0] * runs[:, 1] - way[:, 1] * runs[:, 0]
    return np.asarray(np.abs(sines), dtype=np.float64)


def _levelled(
    level: FloatArray, upright: FloatArray, size: tuple[int, ...]
) -> FloatArray | None:
    """The homography that sends two vanishing points to the axes' directions."""
    centre = np.array([[1, 0, -size[1] / 2], [0, 1, -size[0] / 2], [0, 0, 1.0]])
    first, second = centre @ level, centre @ upright
    horizon = np.cross(first, second)
    # The horizon must not cross the picture.
    if abs(horizon[2]) < 1e-12:
        return None
    horizon = horizon / horizon[2]
    frame = np.array(
        [(x * size[1] / 2, y * size[0] / 2) for x in (-1, 1) for y in (-1, 1)]
    )
    if (frame @ horizon[:2] + 1.0).min() < 0.25:
        return None
    project = np.array([[1, 0, 0], [0, 1, 0], horizon])
    right, down = (project @ first)[:2], (project @ second)[:2]
    right, down = right / np.linalg.norm(right), down / np.linalg.norm(down)
    right, down = right * np.sign(right[0] or 1.0), down * np.sign(down[1] or 1.0)
    basis = np.column_stack([right, down])
    if abs(np.linalg.det(basis)) < 0.5:
        return None
    affine = np.eye(3)
    affine[:2, :2] = np.linalg.inv(basis)
    return np.asarray(affine @ project @ centre, dtype=np.float64)


def _is_tilted(matrix: FloatArray, size: tuple[int, ...]) -> bool:
    """Whether a homography turns directions somewhere in the picture by enough."""
    spots = np.array(
        [(x * size[1], y * size[0]) for x in (0.1, 0.9) for y in (0.1, 0.9)]
    )
    at = _mapped(matrix, spots)
    for axis in (0, 1):
        step = np.zeros(2)
        step[axis] = 4.0
        run = np.abs(_mapped(matrix, spots + step) - at)
        lean = np.degrees(np.arctan2(run[:, 1 - axis], run[:, axis]))
        if lean.max() > TUNING.least_tilt_deg:
            return True
    return False
