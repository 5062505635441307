"""Pictures of every kind end as the same RGB values, or with one clear error."""

from __future__ import annotations

import io
import os
import stat
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as PillowImage
from PIL import ImageOps

from imgpuzzle.core.board import Board
from imgpuzzle.errors import InvalidImageError, OutputError
from imgpuzzle.files import image as image_module
from imgpuzzle.files.image import (
    MAX_PIXELS,
    check_image,
    check_picture_suffix,
    decode_image,
    load_image,
    save_image,
    write_atomically,
)

HIGH, WIDE = 24, 40


def scene() -> PillowImage.Image:
    """Four flat quarters: every format keeps their middles."""
    picture = PillowImage.new("RGB", (WIDE, HIGH), (200, 40, 40))
    picture.paste((40, 200, 40), (WIDE // 2, 0, WIDE, HIGH // 2))
    picture.paste((40, 40, 200), (0, HIGH // 2, WIDE // 2, HIGH))
    return picture


def encoded(picture: PillowImage.Image, kind: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def png_header(width: int, height: int) -> bytes:
    """A PNG that promises ``width`` x ``height`` px and ends soon after."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


def check_scene(image: np.ndarray, slack: int = 0) -> None:
    assert image.shape == (HIGH, WIDE, 3)
    assert image.dtype == np.uint8
    assert image.flags.writeable
    assert image.flags.c_contiguous
    for row, col, colour in (
        (6, 10, (200, 40, 40)),
        (6, 30, (40, 200, 40)),
        (18, 10, (40, 40, 200)),
        (18, 30, (200, 40, 40)),
    ):
        assert np.abs(image[row, col].astype(int) - colour).max() <= slack


@pytest.mark.parametrize("kind", ["PNG", "BMP", "PPM", "QOI"])
def test_lossless_formats_keep_every_value(kind: str) -> None:
    try:
        data = encoded(scene(), kind)
    except (KeyError, OSError):
        pytest.skip(f"this Pillow writes no {kind}")
    image = decode_image(data)
    check_scene(image)
    assert (image == np.asarray(scene())).all()


BLACK = PillowImage.new("RGB", (WIDE, HIGH), "black")
SEVERAL = {"save_all": True, "append_images": [BLACK]}


@pytest.mark.parametrize(
    ("mode", "kind", "how"),
    [
        *(("RGB", kind, {}) for kind in ("JPEG", "WEBP", "GIF")),
        *((mode, "PNG", {}) for mode in ("P", "RGBA")),
        ("CMYK", "JPEG", {"quality": 95}),
        ("RGB", "JPEG", {"progressive": True}),
        # Of several pictures the first.
        ("RGB", "GIF", {**SEVERAL, "duration": 40}),
        ("RGB", "MPO", {**SEVERAL, "quality": 95}),
    ],
)
def test_other_formats_and_modes_come_close(
    mode: str, kind: str, how: dict[str, Any]
) -> None:
    slack = 40 if kind in ("JPEG", "WEBP", "MPO") else 12
    check_scene(decode_image(encoded(scene().convert(mode), kind, **how)), slack)


@pytest.mark.parametrize("mode", ["1", "L", "LA"])
def test_modes_without_colours(mode: str) -> None:
    image = decode_image(encoded(scene().convert(mode)))
    assert (image[..., 0] == image[..., 1]).all()
    assert (image[..., 1] == image[..., 2]).all()


def test_transparency_is_laid_over_white() -> None:
    picture = scene().convert("RGBA")
    picture.putalpha(PillowImage.new("L", picture.size, 0))
    assert (decode_image(encoded(picture)) == 255).all()
    grey = PillowImage.new("LA", (WIDE, HIGH), (0, 0))
    assert (decode_image(encoded(grey)) == 255).all()
    half = PillowImage.new("RGBA", (WIDE, HIGH), (0, 0, 0, 128))
    assert np.abs(decode_image(encoded(half)).astype(int) - 127).max() <= 1


def test_palette_with_transparency() -> None:
    picture = scene().quantize(8)
    index = picture.getpixel((10, 6))
    image = decode_image(encoded(picture, transparency=index))
    assert (image[6, 10] == 255).all()
    assert np.abs(image[6, 30].astype(int) - (40, 200, 40)).max() <= 4


def test_a_transparent_colour_without_alpha_channel() -> None:
    image = decode_image(encoded(scene(), transparency=(200, 40, 40)))
    assert (image[6, 10] == 255).all()
    assert tuple(image[6, 30]) == (40, 200, 40)


def test_sixteen_bits_are_scaled_not_clipped() -> None:
    ramp = np.linspace(0, 65535, WIDE).astype(np.uint16)
    values = np.repeat(ramp[None, :], HIGH, axis=0)
    image = decode_image(encoded(PillowImage.fromarray(values)))
    assert image[0, 0, 0] == 0
    assert image[0, -1, 0] == 255
    assert abs(int(image[0, WIDE // 2, 0]) - 131) <= 1
    dark = PillowImage.fromarray(np.full((HIGH, WIDE), 200, np.uint16))
    assert decode_image(encoded(dark)).max() == 1


def test_damaged_metadata_does_not_matter() -> None:
    data = encoded(scene(), "JPEG", exif=b"Exif\0\0" + b"II*\0" + b"\xff" * 60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_scene(decode_image(data), slack=40)


@pytest.mark.parametrize("head", [b"P6\n40 30\n255\n", b"P6 # plain\n40 30 255\n"])
def test_a_plain_ppm_needs_no_decoder_and_others_are_the_same(head: bytes) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (30, 40, 3), np.uint8)
    data = head + pixels.tobytes()
    assert (decode_image(data) == pixels).all()
    decode_image(data)[:] = 0  # it is the caller's
    with pytest.raises(InvalidImageError):
        decode_image(data[:-1])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"no picture at all", "no known picture format"),
        (b"\x89PNG\r\n\x1a\n", "no known picture format|could not read"),
        (encoded(scene())[:90], "complete picture"),
        (encoded(scene(), "JPEG")[:-200], "complete picture"),
        (encoded(scene(), "JPEG", progressive=True)[:-200], "complete picture"),
        (encoded(PillowImage.new("RGB", (1, 1))), "at least 16x16 px, found 1x1"),
        (encoded(PillowImage.new("RGB", (400, 15))), "at least"),
        (png_header(9_000, 9_000), "at most 80 million px, found 9000x9000"),
        (png_header(12_000, 12_000), "at most 80 million px, found 12000x12000"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 90\n", "unsupported|known"),
        (encoded(scene(), "TIFF"), "TIFF"),
    ],
)
def test_what_is_no_usable_picture_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InvalidImageError, match=message) as caught:
        decode_image(data, name="shot.png")
    assert "\n" not in str(caught.value)


def jpeg_header(width: int, height: int) -> bytes:
    """A small JPEG that promises ``width`` x ``height`` px."""
    data = bytearray(encoded(scene(), "JPEG"))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def gif_canvas(width: int, height: int) -> bytes:
    data = bytearray(encoded(scene(), "GIF"))
    data[6:10] = struct.pack("<HH", width, height)
    return bytes(data)


def icon_of(png: bytes) -> bytes:
    """An icon that says 256x256 px and holds any PNG."""
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(png), 22)
    return struct.pack("<HHH", 0, 1, 1) + entry + png


def text_chunk() -> bytes:
    """A PNG of 64x64 px with 100 MB of text, packed."""
    body = b"zTXt" + b"a\0\0" + zlib.compress(bytes(100_000_000), 9)
    chunk = struct.pack(">I", len(body) - 4) + body
    head, tail = png_header(64, 64)[:33], png_header(64, 64)[33:]
    return head + chunk + struct.pack(">I", zlib.crc32(body)) + tail


BOMBS = {
    "png": lambda: png_header(100_000, 100_000),
    "jpeg": lambda: jpeg_header(65_535, 65_535),
    "gif": lambda: gif_canvas(65_535, 65_535),
    "icon": lambda: icon_of(encoded(PillowImage.new("1", (9_000, 9_000)))),
    "larger icon": lambda: icon_of(encoded(PillowImage.new("1", (10_000, 10_000)))),
    "pnm": lambda: b"P6 100000 100000 255\n" + bytes(100),
    "qoi": lambda: b"qoif" + struct.pack(">IIBB", 100_000, 100_000, 3, 0) + bytes(50),
}


@pytest.mark.parametrize("name", BOMBS)
def test_pictures_of_far_too_many_px_are_refused(name: str) -> None:
    with pytest.raises(InvalidImageError, match="at most 80 million px") as caught:
        decode_image(BOMBS[name](), name="shot")
    assert "\n" not in str(caught.value)


def test_packed_text_in_a_picture_is_not_unpacked() -> None:
    with pytest.raises(InvalidImageError, match="could not read 'shot'"):
        decode_image(text_chunk(), name="shot")


def test_only_the_first_of_many_frames_is_decoded() -> None:
    still = encoded(scene().quantize(8), "GIF")
    start = still.rindex(b",\0\0\0\0")
    data = still[:start] + still[start:-1] * 20_000 + b";"
    check_scene(decode_image(data), slack=40)


def test_pictures_are_decoded_in_several_threads_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        for image in pool.map(decode_image, [encoded(scene())] * 40):
            check_scene(image)


@pytest.mark.parametrize("orientation", range(10))
def test_strips_of_a_picture_held_in_any_way(
    orientation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = orientation
    stored = np.random.default_rng(0).integers(0, 256, (37, 53, 3), dtype=np.uint8)
    data = encoded(PillowImage.fromarray(stored), exif=exif)
    with PillowImage.open(io.BytesIO(data)) as picture:
        upright = np.asarray(ImageOps.exif_transpose(picture))
    monkeypatch.setattr(image_module, "STRIP_PIXELS", 200)
    assert np.array_equal(decode_image(data), upright)
    # By 2, the last row and column from half as many px.
    half = decode_image(data, most_px=37 * 53 // 2)
    assert half.shape == ((upright.shape[0] + 1) // 2, (upright.shape[1] + 1) // 2, 3)
    mean = upright[2:4, 4:6].astype(float).mean(axis=(0, 1))
    if orientation < 2:
        assert np.abs(half[1, 2] - mean).max() <= 1


def test_every_truncation_is_an_error_or_a_picture() -> None:
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "BMP"):
        data = encoded(scene(), kind)
        for end in range(0, len(data), 7):
            try:
                image = decode_image(data[:end])
            except InvalidImageError:
                continue
            assert image.shape == (HIGH, WIDE, 3)


def test_damaged_bytes_are_an_error_or_a_picture() -> None:
    random = np.random.default_rng(5)
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "PPM"):
        original = np.frombuffer(encoded(scene(), kind), np.uint8)
        for _ in range(60):
            damaged = original.copy()
            places = random.integers(0, len(damaged), 6)
            damaged[places] = random.integers(0, 256, 6)
            try:
                image = decode_image(damaged.tobytes())
            except InvalidImageError:
                continue
            assert image.dtype == np.uint8


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(InvalidImageError, match="folder"):
        load_image(tmp_path)
    with pytest.raises(InvalidImageError, match="found no"):
        load_image(tmp_path / "absent.png")
    with pytest.raises(InvalidImageError, match="null"):
        load_image("a\0b.png")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "shot.png"
    path.write_bytes(encoded(scene()))
    path.chmod(0)
    with pytest.raises(InvalidImageError, match=r"[Pp]ermission"):
        load_image(path)


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    image = decode_image(encoded(scene()))
    path = tmp_path / "out.PNG"
    save_image(image, path)
    assert (load_image(path) == image).all()
    assert [file.name for file in tmp_path.iterdir()] == ["out.PNG"]
    if os.name == "posix":
        mask = os.umask(0)
        os.umask(mask)
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("name", ["out.txt", "out", "out.eps", ".png"])
def test_only_picture_suffixes_are_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match="suffix"):
        save_image(np.zeros((20, 20, 3), np.uint8), tmp_path / name)
    assert not any(tmp_path.iterdir())
    assert check_picture_suffix("x.JPG") == ".jpg"


def test_a_failing_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.bin"
    target.write_bytes(b"old")

    for error in (OSError(28, "No space left on device"), KeyboardInterrupt()):

        def fail(*_: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(os, "replace", fail)
        with pytest.raises((OutputError, KeyboardInterrupt)):
            write_atomically(target, b"new")
        assert target.read_bytes() == b"old"
        assert [file.name for file in tmp_path.iterdir()] == ["out.bin"]


def test_a_folder_in_the_way_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "out.png").mkdir()
    with pytest.raises(OutputError, match="could not write"):
        write_atomically(tmp_path / "out.png", b"data")
    with pytest.raises(OutputError, match="could not write"):
        write_atomically(tmp_path / "absent" / "out.png", b"data")


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((20, 20), np.uint8),
        np.zeros((20, 20, 4), np.uint8),
        np.zeros((20, 20, 3), np.float32),
        np.zeros((20, 4, 3), np.uint8),
        [[1, 2], [3, 4]],
        None,
        Board.parse("1 2 / 3 0"),
    ],
)
def test_only_rgb_arrays_pass(array: object) -> None:
    with pytest.raises(InvalidImageError, match="expected"):
        check_image(array)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "array", [np.zeros((20, 20, 3)), np.zeros((0, 20, 3), np.uint8), "x.png", None]
)
def test_only_arrays_of_bytes_are_saved(array: Any, tmp_path: Path) -> None:
    with pytest.raises(InvalidImageError, match="expected an RGB array"):
        save_image(array, tmp_path / "out.png")
    assert not any(tmp_path.iterdir())


def test_an_rgb_array_passes_unchanged() -> None:
    image = np.zeros((20, 30, 3), np.uint8)
    assert check_image(image) is image
    assert MAX_PIXELS >= 33_177_600
