"""Files are decoded again, by more than one decoder, and compared with the steps."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import cv2
import imageio.v3 as iio
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage
from render_oracles import (
    CASE_GOAL,
    CASE_START,
    encode_animation,
    flat_tiles,
    noise_tiles,
    places,
    shortest,
    step_pictures,
    wandering,
)

from imgpuzzle.core.board import Shape
from imgpuzzle.core.goals import row_major
from imgpuzzle.core.solution import Solution
from imgpuzzle.errors import InvalidImageError, UsageError
from imgpuzzle.files.image import Image, load_image
from imgpuzzle.render.drawing.stamps import AMBER, DARK
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.files.png import encode_step_png

BARE = Style(outline="never", arrow=False, bleach=100, caption="none")
MARKED = Style(caption="none")


def encode_gif(solution: Solution, tiles: TileSet, **how: Any) -> bytes:
    return encode_animation(solution, tiles, ".gif", **how).data


SAMPLES = Path(__file__).parent.parent / "sample_images"


def decoded(data: bytes) -> tuple[list[Image], list[int]]:
    """All frames and their durations in ms, read by Pillow."""
    frames, times = [], []
    with PillowImage.open(io.BytesIO(data)) as gif:
        for number in range(gif.n_frames):  # type: ignore[attr-defined]
            gif.seek(number)
            frames.append(np.asarray(gif.convert("RGB")))
            times.append(gif.info["duration"])
    return frames, times


def decoded_by_opencv(data: bytes) -> list[Image]:
    if not hasattr(cv2, "imdecodeanimation"):
        pytest.skip("this OpenCV reads no animations")
    _, animation = cv2.imdecodeanimation(np.frombuffer(data, np.uint8))
    return [np.ascontiguousarray(frame[..., 2::-1]) for frame in animation.frames]


def softened(picture: Image) -> Image:
    """Dithering trades levels for dots; the eye and this blur undo that."""
    return cv2.blur(picture, (9, 9)).astype(int)


def close(found: Image, wanted: Image) -> bool:
    difference = np.abs(softened(found) - softened(wanted))
    return bool(difference.mean() < 3 and np.quantile(difference, 0.99) < 22)


def test_every_keyframe_of_the_emblem_shows_its_step() -> None:
    solution = shortest(CASE_START, CASE_GOAL)
    emblem = load_image(SAMPLES / "emblem_reference.png")[::3, ::3]
    tiles = TileSet.cut(np.ascontiguousarray(emblem), CASE_START, CASE_GOAL)
    style = dataclasses.replace(BARE, slide_frames=2)
    data = encode_gif(solution, tiles, style=style)

    frames, times = decoded(data)
    assert len(frames) == 1 + 20 * 3 + 1
    assert times == [2000] + 20 * [700, 120, 120] + [2000]
    expected = step_pictures(solution, tiles, 100)
    plain = step_pictures(solution, tiles, 0)
    assert close(frames[0], plain[0])
    for number in range(20):
        assert close(frames[1 + 3 * number], expected[number]), number
        assert not close(frames[1 + 3 * number], plain[number]), number
    assert close(frames[-1], plain[-1])

    with PillowImage.open(io.BytesIO(data)) as gif:
        assert gif.info["loop"] == 0
        assert gif.info["version"] == b"GIF89a"
    assert b"NETSCAPE2.0\x03\x01\x00\x00\x00" in data


def test_three_decoders_agree_on_every_frame() -> None:
    solution = wandering(row_major(Shape(2, 3)), 7, 3)
    tiles = noise_tiles(Shape(2, 3), 30, 40, gap=3)
    data = encode_gif(solution, tiles, style=BARE)
    frames, _ = decoded(data)
    assert len(frames) == 1 + 7 * 7 + 1
    again = list(iio.imread(data, extension=".gif", index=None))
    others = decoded_by_opencv(data)
    assert len(again) == len(others) == len(frames)
    for one, two, three in zip(frames, again, others, strict=True):
        np.testing.assert_array_equal(one, two[..., :3])
        np.testing.assert_array_equal(one, three)


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 5), st.integers(0, 12))
@settings(max_examples=25, deadline=None)
def test_flat_tiles_slide_straight_and_leave_nothing_behind(
    rows: int, cols: int, gap: int, moves: int
) -> None:
    shape = Shape(rows, cols)
    solution = wandering(row_major(shape), moves, rows * cols + moves)
    tiles = flat_tiles(shape, 24, 24, gap=gap)
    frames, times = decoded(encode_gif(solution, tiles, style=BARE))
    slides = 6
    assert len(frames) == (1 + moves * (1 + slides) + 1 if moves else 1)
    assert sum(times) == (4000 + moves * 940 if moves else 2000)
    expected = step_pictures(solution, tiles, 100)
    plain = step_pictures(solution, tiles, 0)
    assert np.abs(frames[0].astype(int) - plain[0]).max() <= 12
    if not moves:
        return
    assert np.abs(frames[-1].astype(int) - plain[-1]).max() <= 12
    for number, cell in enumerate(solution.moves):
        at = 1 + number * (1 + slides)
        key = frames[at].astype(int)
        assert np.abs(key - expected[number]).max() <= 12
        hole = solution.start.blank if number == 0 else solution.moves[number - 1]
        begin, end = (np.array(divmod(c, cols)) * (24 + gap) for c in (cell, hole))
        row, col = (int(v) for v in begin)
        lit = expected[number][row, col].astype(int)
        travelled = 0
        for frame in frames[at + 1 : at + 1 + slides]:
            same = np.abs(frame.astype(int) - lit).max(axis=2) <= 12
            spots = np.argwhere(same)
            top, left = spots.min(axis=0)
            assert same[top : top + 24, left : left + 24].all()
            way = abs(int(top) - row) + abs(int(left) - col)
            assert travelled <= way < 24 + gap
            assert int(top) == row or begin[1] == end[1]
            travelled = way
        # What did not take part looks as before.
        still = np.ones(key.shape[:2], bool)
        for y, x in (begin, end):
            still[y : y + 24, x : x + 24] = False
        y, x = np.minimum(begin, end)
        if begin[0] == end[0]:
            still[y : y + 24, x : x + 48 + gap] = False
        else:
            still[y : y + 48 + gap, x : x + 24] = False
        np.testing.assert_array_equal(frames[at + slides][still], frames[at][still])


def test_without_slides_only_keyframes_remain() -> None:
    solution = wandering(row_major(Shape(3, 3)), 6, 2)
    tiles = flat_tiles(Shape(3, 3), 20, 20)
    frames, times = decoded(
        encode_gif(solution, tiles, style=dataclasses.replace(BARE, slide_frames=0))
    )
    assert times == [2000, *[700] * 6, 2000]
    for frame, wanted in zip(
        frames[1:], step_pictures(solution, tiles, 100), strict=True
    ):
        assert np.abs(frame.astype(int) - wanted).max() <= 12


def test_equal_frames_are_kept() -> None:
    # Without brightening the first two frames do not differ at all.
    solution = wandering(row_major(Shape(2, 2)), 3, 2)
    style = dataclasses.replace(BARE, bleach=0, slide_frames=1, frame_ms=500)
    frames, times = decoded(
        encode_gif(solution, flat_tiles(Shape(2, 2), 9, 9), style=style)
    )
    assert times == [2000, *[500, 240] * 3, 2000]
    np.testing.assert_array_equal(frames[0], frames[1])


def test_bright_tiles_keep_their_outline() -> None:
    solution = wandering(row_major(Shape(2, 2)), 2, 2)
    white = np.full((80, 80, 3), 245, np.uint8)
    tiles = TileSet.cut(white, solution.start, solution.goal)
    style = dataclasses.replace(MARKED, arrow=False)
    frames, _ = decoded(encode_gif(solution, tiles, style=style))
    ring = (frames[1] == AMBER).all(axis=2)
    # Tiles of 40 px: dark, white, two px of amber and dark again.
    assert ring.sum() == 4 * 35 + 4 * 33
    assert (frames[1] == DARK).all(axis=2).sum() >= 4 * 39 + 4 * 31
    assert not (frames[-1] == AMBER).all(axis=2).any()


@pytest.mark.parametrize(("side", "limit", "found"), [(90, 800, 270), (90, 150, 150)])
def test_large_boards_are_scaled_down(side: int, limit: int, found: int) -> None:
    solution = wandering(row_major(Shape(2, 3)), 2, 2)
    tiles = flat_tiles(Shape(2, 3), side, side)
    frames, _ = decoded(encode_gif(solution, tiles, style=BARE, max_side_px=limit))
    assert frames[0].shape == (found * 2 // 3, found, 3)


@pytest.mark.parametrize(("limit", "frames"), [(600, 282), (200, 162), (50, 42)])
def test_long_solutions_get_fewer_frames(limit: int, frames: int) -> None:
    solution = wandering(row_major(Shape(3, 3)), 40, 2)
    data = encode_gif(solution, flat_tiles(Shape(3, 3), 6, 6), max_frames=limit)
    assert len(decoded(data)[1]) == frames


def test_times_are_rounded_but_never_lost() -> None:
    solution = wandering(row_major(Shape(3, 3)), 5, 2)
    style = Style(frame_ms=333, slide_ms=250, slide_frames=7, pause_ms=1005)
    _, times = decoded(encode_gif(solution, flat_tiles(Shape(3, 3), 6, 6), style=style))
    shown = [1005, *[333, *[250 / 7] * 7] * 5, 1005]
    assert len(times) == len(shown)
    assert min(times) >= 30
    # No frame is off by more than a hundredth, and nor is any sum of them.
    for count in range(len(times)):
        assert abs(sum(times[: count + 1]) - sum(shown[: count + 1])) < 11


def test_wrong_options_are_refused() -> None:
    solution = wandering(row_major(Shape(3, 3)), 5, 2)
    with pytest.raises(UsageError, match="at least 1 px"):
        encode_gif(solution, flat_tiles(Shape(3, 3), 6, 6), max_side_px=0)
    with pytest.raises(InvalidImageError, match="tiles for a 3x3"):
        encode_gif(solution, flat_tiles(Shape(2, 3), 6, 6))


def test_the_hollow_follows_the_blank() -> None:
    solution = wandering(row_major(Shape(3, 3)), 9, 6)
    tiles = flat_tiles(Shape(3, 3), 12, 12)
    *_, last = places(solution)
    frames, _ = decoded(encode_gif(solution, tiles, style=BARE))
    hole = last.index(solution.start.blank)
    y, x = (12 * part + 6 for part in divmod(hole, 3))
    wanted = tiles.tiles[solution.start.blank][0, 0].astype(int)
    assert np.abs(frames[-1][y, x] - wanted).max() <= 12


@given(
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from([1, 2, 3, 5, 256]),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_pngs_lose_nothing(high: int, wide: int, top: int, data: st.DataObject) -> None:
    dice = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    picture = dice.integers(0, top, (high, wide, 3), np.uint8)
    png = encode_step_png(picture)
    with PillowImage.open(io.BytesIO(png)) as found:
        few = len(np.unique(picture.reshape(-1, 3), axis=0)) <= 256
        assert found.mode == ("P" if few else "RGB")
        np.testing.assert_array_equal(np.asarray(found.convert("RGB")), picture)
    other = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    np.testing.assert_array_equal(other[..., ::-1], picture)


def test_few_colours_make_a_small_file() -> None:
    picture = np.zeros((500, 500, 3), np.uint8)
    picture[100:300, 200:] = (250, 120, 3)
    assert len(encode_step_png(picture)) < 3000


def test_a_photograph_is_stored_in_full_colour() -> None:
    photo = load_image(SAMPLES / "photo_cat.jpg")
    png = encode_step_png(photo)
    with PillowImage.open(io.BytesIO(png)) as found:
        assert found.mode == "RGB"
        np.testing.assert_array_equal(np.asarray(found), photo)
