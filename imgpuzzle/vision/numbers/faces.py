"""The faces of tiles: what is painted around their numbers.

Games paint it alike on all tiles. Where it lies in different turns, and the numbers do
not, it tells how the tiles are turned: as the triangles of oriented twiddle.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.colours import median, medians
from imgpuzzle.vision.numbers.tuning import TUNING

Bytes = NDArray[np.uint8]
FloatArray = NDArray[np.float64]


class TurnedFaces(NamedTuple):
    """How the faces of tiles lie.

    Attributes:
        turns: By how many quarters each tile is turned clockwise.
        is_open: Of each tile whether another turn would do as well.
        is_upright: Whether a mark that points up tells all of them; else one of them
            was taken for upright.
    """

    turns: tuple[int, ...]
    is_open: tuple[bool, ...]
    is_upright: bool


def has_few_faces(tiles: Bytes) -> bool:
    """Whether most tiles look like another one, but for what stands in the middle.

    Games paint their numbers on tiles of one or a few colours, which join better
    with their like than in the order of the numbers. ``tiles`` is n x h x w x 3.
    """
    faces = _faces(_reduced(tiles))
    apart = np.abs(faces[:, None] - faces[None]).mean(axis=(2, 3))
    np.fill_diagonal(apart, np.inf)
    twins = int((apart.min(axis=1) < TUNING.same_face).sum())
    return twins >= TUNING.few_faces * (len(tiles) - 1)


def is_like_others(tiles: Bytes, textures: FloatArray, cell: int) -> bool:
    """Whether a cell shows as much as the other tiles do, in the same colours.

    Then it is a tile, though no number was read on it: it may lie turned, as the last
    of a puzzle whose tiles turn. ``tiles`` is n x h x w x 3, and ``textures`` says how
    much there is to see in each, in levels.
    """
    others = np.arange(len(tiles)) != cell
    if textures[cell] < TUNING.least_ink_share * median(textures[others]):
        return False
    high, wide = (round(TUNING.rim * side) for side in tiles.shape[1:3])
    inner = tiles[:, high : -high or None, wide : -wide or None] >> TUNING.colour_bits
    levels = 256 >> TUNING.colour_bits
    colours = inner.reshape(len(tiles), -1, 3) @ np.array([levels**2, levels, 1])
    shares = np.stack([np.bincount(one, minlength=levels**3) for one in colours])
    shares = shares / colours.shape[1]
    usual = (shares[others].sum(axis=0) - shares * others[:, None]) / (
        others.sum() - others
    )[:, None]
    common = np.minimum(shares, usual).sum(axis=1)
    return bool(common[cell] >= common[others].min())


def turned_faces(tiles: Bytes) -> TurnedFaces | None:
    """How tiles lie most of which look like one of them, but some only once turned.

    Their numbers stand upright all the same. ``tiles`` is n x h x w x 3.
    """
    small = _reduced(tiles)
    turned = np.stack([np.rot90(small, way, axes=(1, 2)) for way in range(4)])
    apart = np.stack([_apart(small[:, None], one[None]) for one in turned])
    alike = apart.min(axis=0) < TUNING.alike_face
    like = int(alike.sum(axis=1).argmax())
    others = alike[like] & _is_other(apart[:, like].min(axis=0), apart[0, like])
    if alike[like].mean() < TUNING.few_faces or not others.any():
        return None
    cells = np.arange(len(tiles))
    # What all have in common shows the face without their numbers.
    common = medians(turned[apart[:, like].argmin(axis=0), cells])
    apart = np.stack([_apart(common[None], one) for one in turned])
    nearest = np.sort(apart, axis=0)
    is_sure = nearest[0] < TUNING.alike_face
    is_sure &= _is_other(nearest[0], nearest[1])
    up = _pointed(common)
    turns = (apart.argmin(axis=0) + (up or 0)) % 4
    return TurnedFaces(
        tuple(turns.tolist()), tuple((~is_sure).tolist()), up is not None
    )


def _apart(one: NDArray[np.generic], other: NDArray[np.generic]) -> FloatArray:
    """Which share of two faces, or of many, is clearly not the same."""
    levels = np.abs(_faces(one) - _faces(other)).max(axis=-1)
    return np.asarray((levels > TUNING.seen_levels).mean(axis=-1), np.float64)


def _is_other(own: FloatArray, other: FloatArray) -> NDArray[np.bool_]:
    """Whether a face is another one in another turn, by how far it is apart in both."""
    is_clear = other > TUNING.times_apart * own + TUNING.least_apart
    return is_clear | (other > TUNING.other_face)


def _pointed(face: FloatArray) -> int | None:
    """The quarters by which a face is turned, told by a large wedge that points up.

    Only where it is nothing but that: full, and as wide to the left as to the right of
    its middle, from its broad end to the narrow one.
    """
    ring = _ring()
    ground = medians(face[ring])
    mark = ring & (np.abs(face - ground).max(axis=2) > TUNING.seen_levels)
    if not mark.any():
        return None
    hull = cv2.convexHull(np.argwhere(mark)[:, ::-1].astype(np.int32))
    filled = np.zeros(mark.shape, np.uint8)
    cv2.fillConvexPoly(filled, hull, 1)
    full = filled.astype(bool)
    if (full & ring & ~mark).sum() > TUNING.wedge_gaps * mark.sum():
        return None
    ways = [way for way in range(4) if _points_up(np.rot90(full, way))]
    return ways[0] if len(ways) == 1 else None


def _points_up(shape: NDArray[np.bool_]) -> bool:
    """Whether a filled shape narrows along two straight sides towards the top."""
    rows = np.flatnonzero(shape.any(axis=1))
    if len(rows) < TUNING.least_wedge * len(shape):
        return False
    widths = shape[rows].sum(axis=1)
    middles = shape[rows].argmax(axis=1) + (widths - 1) / 2
    # Where it is as wide as the ring it may be cut off.
    sides = widths[widths < widths.max()]
    if len(sides) < len(rows) // 2:
        return False
    line = np.linspace(sides[0], sides[-1], len(sides))
    return bool(
        np.ptp(middles) <= TUNING.wedge_px
        and abs(sides - line).max() <= TUNING.straight_px
        and (np.maximum.accumulate(widths) - widths).max() <= TUNING.wedge_px
        and widths[0] < TUNING.narrow_end * widths[-1]
    )


def _reduced(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Tiles in the size in which their faces are compared."""
    size = TUNING.face_px, TUNING.face_px
    small = [cv2.resize(tile, size, interpolation=cv2.INTER_AREA) for tile in tiles]
    return np.asarray(np.stack(small), np.uint8)


def _faces(small: NDArray[np.generic]) -> NDArray[np.float32]:
    """What lies around the middles of ``_reduced`` tiles, ... x px x 3."""
    return np.asarray(small[..., _ring(), :], np.float32)


def _ring() -> NDArray[np.bool_]:
    """The pixels of a reduced tile that are neither its rim nor its middle."""
    side, first, inner = TUNING.face_px, TUNING.face_px // 8, TUNING.face_px // 4
    ring = np.zeros((side, side), bool)
    ring[first : side - first, first : side - first] = True
    ring[inner : side - inner, inner : side - inner] = False
    return ring
