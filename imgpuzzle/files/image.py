"""Pictures as arrays: H x W x 3, uint8, RGB. Only this file reads picture files."""

from __future__ import annotations

import contextlib
import gc
import io
import math
import os
import re
import warnings
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from imgpuzzle.errors import InvalidImageError, OutputError
from imgpuzzle.files.temporary import replacing, why, writing
from imgpuzzle.messages import Message, PictureFault
from imgpuzzle.spec import check_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image as PillowImage

    Image: TypeAlias = NDArray[np.uint8]
else:
    Image = Any

MAX_PIXELS = 80_000_000
"""Larger pictures are refused before they are decoded (an 8K screen has 33 million)."""

REFERENCE_PX = 9_000_000
"""Pictures of the goal up to this size are compared as they are, larger ones reduced:
all that the reader makes of one takes about 40 bytes a px."""

OPAQUE = 255
"""The alpha value of what is not transparent at all."""

MAX_BYTES = 400_000_000
"""Larger files are refused before they are read."""

LEAST_SECONDS, USUAL_SECONDS = 0.02, 0.1
"""A frame of an animated picture that asks for less than the first is shown for the
second, as in browsers."""

MIN_SIDE_PX = 16
"""Nothing can be made out in less."""

STRIP_PIXELS = 1 << 20
"""A decoded picture is turned into an array in strips of about so many px: of a large
one there is then never more than Pillow's copy and ours."""

# Pillow knows more formats; some of the others start outside programs when they
# are decoded (EPS), or are recognised in almost any file (TGA).
_READABLE = frozenset(
    {"AVIF", "BMP", "DIB", "GIF", "ICO", "JPEG", "JPEG2000", "MPO", "PNG"}
    | {"PPM", "QOI", "WEBP"}
)

_WRITABLE = frozenset({".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".webp"})

_PLAIN = re.compile(rb"P6\n(\d{1,6}) (\d{1,6})\n255\n")
"""How a PPM without comments begins, which is read here: that is what a browser hands
on, where there may be no Pillow."""

_PNG = b"\x89PNG\r\n\x1a\n"
"""How a PNG begins."""

_ORIENTATION_TAG = 0x0112
"""How the camera was held, in the metadata of a photograph (Exif 2.3)."""


def load_image(path: str | os.PathLike[str], *, most_px: int | None = None) -> Image:
    """Read a picture file.

    The camera's orientation is applied, transparency is laid over white, 16-bit
    values are scaled to 8 bits and of an animation the first frame is taken.

    Args:
        path: The file: PNG, JPEG, WebP, GIF, AVIF, BMP and some more.
        most_px: Make a larger picture smaller by the least whole factor that leaves so
            many; its sides are rounded up.

    Returns:
        An RGB array, height x width x 3, uint8.

    Raises:
        InvalidImageError: For anything that is no usable picture.
        UsageError: For ``most_px`` below 1.
    """
    if most_px is not None:
        check_whole(most_px, "most_px", 1)
    return decode_image(read_bytes(path), name=os.fspath(path), most_px=most_px)


def read_bytes(path: str | os.PathLike[str], name: str = "") -> bytes:
    """Read a whole input file, which messages call ``name`` or by its path.

    Raises ``InvalidImageError`` for a folder, for what is missing, unreadable
    or larger than ``MAX_BYTES``.
    """
    name = name or os.fspath(path)
    if os.path.isdir(path):
        raise InvalidImageError.said(PictureFault.FOLDER_AS_FILE, name=name)
    try:
        with open(path, "rb") as file:
            # A device such as /dev/zero has no size and no end.
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InvalidImageError.said(PictureFault.NO_FILE, name=name) from None
    except (OSError, ValueError, MemoryError) as error:
        raise InvalidImageError.said(
            PictureFault.UNREADABLE_FILE, name=name, why=why(error)
        ) from None
    if len(data) > MAX_BYTES:
        raise InvalidImageError.said(
            PictureFault.LARGE_FILE, most=MAX_BYTES // 1_000_000, name=name
        )
    return data


def decode_image(
    data: bytes, *, name: str = "the data", most_px: int | None = None
) -> Image:
    """Decode the bytes of a picture file as ``load_image`` does.

    ``name`` is what error messages call them.
    """
    plain = _plain(data, name, most_px)
    if plain is not None:
        return plain
    import logging

    from PIL import Image as PillowImage
    from PIL import UnidentifiedImageError

    pillow = logging.getLogger("PIL")
    if not pillow.handlers:
        # What is wrong with a file is raised, and not told to the terminal as well.
        pillow.addHandler(logging.NullHandler())
    if not data:
        raise InvalidImageError.said(PictureFault.EMPTY_FILE, name=name)
    try:
        with warnings.catch_warnings():
            # Pillow warns of damaged metadata, which does not matter here, and of
            # pictures up to twice its own limit; ours is checked below.
            warnings.simplefilter("ignore")
            with _opened(data) as picture:
                if picture.format not in _READABLE:
                    kind = str(picture.format)
                    raise InvalidImageError.said(
                        PictureFault.OTHER_FORMAT, format=kind, name=name
                    )
                check_size(*picture.size, repr(name))
                # What a file holds may be larger than what it says (ICO).
                warnings.simplefilter("error", PillowImage.DecompressionBombWarning)
                picture.load()
                check_size(*picture.size, repr(name))
                return _as_array(picture, most_px)
    except InvalidImageError:
        raise
    except (PillowImage.DecompressionBombError, PillowImage.DecompressionBombWarning):
        raise InvalidImageError.said(
            PictureFault.FAR_TOO_MANY_PX, most=MAX_PIXELS // 1_000_000, name=name
        ) from None
    except UnidentifiedImageError:
        message = Message(PictureFault.NO_PICTURE, name=name)
        if data[4:8] == b"ftyp" and b"hei" in data[8:40]:  # as telephones make them
            message = Message(PictureFault.OTHER_FORMAT, format="HEIC", name=name)
        raise InvalidImageError(message) from None
    except Exception as error:
        # On damaged files the decoders raise nearly everything: OSError,
        # SyntaxError, ValueError, struct.error, KeyError, zlib.error ...
        raise InvalidImageError.said(
            PictureFault.DAMAGED, name=name, why=why(error)
        ) from None


def _opened(data: bytes) -> PillowImage.Image:
    """What Pillow makes of a file, which looks at nothing before it has five readers.

    Most pictures here are PNG. One that its reader refuses goes the usual way, as does
    a very large one, so that what is wrong is told as for all others.
    """
    from PIL import Image as PillowImage

    if data.startswith(_PNG):
        from PIL.PngImagePlugin import PngImageFile

        with contextlib.suppress(Exception):
            picture = PngImageFile(io.BytesIO(data))
            if math.prod(picture.size) <= MAX_PIXELS:
                return picture
    return PillowImage.open(io.BytesIO(data))


def _plain(data: bytes, name: str, most_px: int | None) -> Image | None:
    """The pixels of a plain PPM, copied; ``None`` where there is more to do."""
    import numpy as np

    found = _PLAIN.match(data)
    if found is None:
        return None
    width, height = int(found[1]), int(found[2])
    size, begin = width * height, found.end()
    if size > (most_px or MAX_PIXELS) or len(data) < begin + 3 * size:
        return None
    check_size(width, height, repr(name))
    pixels = np.frombuffer(data, np.uint8, 3 * size, begin)
    return pixels.reshape(height, width, 3).copy()


def animated_frames(path: str | os.PathLike[str]) -> Generator[tuple[float, Image]]:
    """The frames of an animated picture, with the seconds from its beginning to each.

    Only the newest one is held. A frame that says no time, or less than two hundredths
    of a second, lasts a tenth of one, as in browsers.

    Raises:
        InvalidImageError: For anything that is no usable picture.
    """
    from PIL import Image as PillowImage

    name = os.fspath(path)
    # Also refuses what is none.
    decode_image(data := read_bytes(path), name=name)
    seconds = 0.0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with PillowImage.open(io.BytesIO(data)) as picture:
                for number in range(getattr(picture, "n_frames", 1)):
                    picture.seek(number)
                    yield seconds, _as_array(picture, None)
                    shown = float(picture.info.get("duration") or 0.0) / 1000
                    seconds += shown if shown >= LEAST_SECONDS else USUAL_SECONDS
    except (GeneratorExit, InvalidImageError):
        raise
    except Exception as error:
        raise InvalidImageError.said(
            PictureFault.DAMAGED, name=name, why=why(error)
        ) from None


def give_memory_back() -> None:
    """Let the system have what a reading or a picture needed.

    Readings hold cycles, and glibc keeps freed arrays between others: without this a
    worker grows by some 100 MB a reading of the same picture, and by 10 MB a picture.
    """
    import ctypes

    gc.collect()
    # Other systems and C libraries have no such function.
    trim = (
        None if os.name != "posix" else getattr(ctypes.CDLL(None), "malloc_trim", None)
    )
    if trim is not None:
        trim(0)


def check_image(image: Image) -> Image:
    """Return ``image`` when it is an RGB array as this package uses them.

    Raises ``InvalidImageError`` otherwise.
    """
    if not _has_bytes(image) or len(image.shape) != 3 or image.shape[2] != 3:
        raise _no_rgb(image)
    height, width = image.shape[:2]
    check_size(width, height, "the array")
    return image


def _has_bytes(image: Any) -> bool:
    """Whether it is an array of bytes."""
    return str(getattr(image, "dtype", "")) == "uint8"


def _no_rgb(found: Any) -> InvalidImageError:
    if hasattr(found, "dtype"):
        what = f"{found.shape} of {found.dtype}"
    else:
        what = f"no array of {type(found).__name__}"
    return InvalidImageError(
        f"expected an RGB array, height x width x 3, uint8, found {what}"
    )


def check_size(width: int, height: int, where: str) -> None:
    """Raise ``InvalidImageError`` for sides that no picture here has, in px."""
    if width * height > MAX_PIXELS:
        raise InvalidImageError.said(
            PictureFault.TOO_MANY_PX,
            most=MAX_PIXELS // 1_000_000,
            size=f"{width}x{height}",
            where=where,
        )
    if min(width, height) < MIN_SIDE_PX:
        raise InvalidImageError.said(
            PictureFault.TOO_FEW_PX,
            least=f"{MIN_SIDE_PX}x{MIN_SIDE_PX}",
            size=f"{width}x{height}",
            where=where,
        )


def _as_array(picture: PillowImage.Image, most_px: int | None) -> Image:
    """A decoded picture upright and in RGB, height x width x 3, uint8."""
    import numpy as np

    width, height = picture.size
    factor = 1
    if most_px is not None:
        factor = max(math.ceil(math.sqrt(width * height / most_px)), 1)
    wide, high = -(-width // factor), -(-height // factor)
    orientation = _orientation(picture)
    size = (wide, high) if orientation >= _FIRST_LYING else (high, wide)
    result = np.empty((*size, 3), dtype=np.uint8)
    stored = _as_stored(result, orientation)
    to_rgb = _converter(picture)
    rows = max(STRIP_PIXELS // width // factor, 1)
    for first in range(0, high, rows):
        last = min(first + rows, high)
        box = (0, first * factor, width, min(last * factor, height))
        strip = to_rgb(picture.crop(box))
        if factor > 1:
            strip = strip.reduce(factor)
        stored[first:last] = np.asarray(strip)
    return result


_FIRST_LYING = 5
"""From this value of the camera's orientation on, rows are stored as columns."""


def _orientation(picture: PillowImage.Image) -> int:
    """How the camera was held, from 1 (upright) to 8."""
    try:
        value = picture.getexif().get(_ORIENTATION_TAG)
    except Exception:
        # Damaged metadata is no reason to refuse the picture itself.
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _as_stored(upright: Image, orientation: int) -> Image:
    """The pixels of an upright picture in the order in which the camera stored them."""
    turned = upright.swapaxes(0, 1) if orientation >= _FIRST_LYING else upright
    # Where the first row, or column, that was stored is the last one of the scene.
    down = -1 if orientation in (3, 4, 6, 7) else 1
    across = -1 if orientation in (2, 3, 7, 8) else 1
    return turned[::down, ::across]


def _converter(
    picture: PillowImage.Image,
) -> Callable[[PillowImage.Image], PillowImage.Image]:
    """What turns strips of a picture into RGB."""
    if picture.mode.startswith("I"):
        return _wide_to_rgb
    if picture.has_transparency_data:
        return _over_white
    return lambda strip: strip.convert("RGB")


def _over_white(picture: PillowImage.Image) -> PillowImage.Image:
    from PIL import Image as PillowImage

    layer = picture.convert("RGBA")
    if layer.getchannel("A").getextrema()[0] == OPAQUE:
        return layer.convert("RGB")
    white = PillowImage.new("RGBA", layer.size, "white")
    return PillowImage.alpha_composite(white, layer).convert("RGB")


def _wide_to_rgb(picture: PillowImage.Image) -> PillowImage.Image:
    """Grey of 16 bits; Pillow clips such values at 255 instead of scaling them."""
    import numpy as np
    from PIL import Image as PillowImage

    values = np.asarray(picture, dtype=np.float64)
    grey = np.clip(values / 257 + 0.5, 0, 255).astype(np.uint8)
    return PillowImage.fromarray(grey).convert("RGB")


def check_picture_suffix(path: str | os.PathLike[str]) -> str:
    """The suffix of ``path``, of a picture's format; ``OutputError`` for others."""
    suffix = Path(path).suffix.lower()
    if suffix not in _WRITABLE:
        raise OutputError.said(
            "expected a picture suffix such as .png, found {suffix!r} in {path!r}",
            suffix=suffix,
            path=os.fspath(path),
        )
    return suffix


def reduced(picture: Image, side_px: int) -> Image:
    """A picture whose longer side has at most so many px."""
    import cv2
    import numpy as np

    height, width = picture.shape[:2]
    scale = side_px / max(height, width)
    if scale >= 1:
        return picture
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def save_image(image: Image, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a picture file, whole or not at all.

    Args:
        image: An RGB array, height x width x 3, uint8.
        path: The file; its suffix chooses the format.
        **options: What Pillow's writer of that format takes.

    Raises:
        InvalidImageError: For what is no such array.
        OutputError: For another suffix, or a place that cannot be written.
    """
    if not _has_bytes(image) or not image.size:
        raise _no_rgb(image)
    write_atomically(path, encoded(image, check_picture_suffix(path), **options))


def encoded(image: Image, suffix: str, **options: Any) -> memoryview:
    """The file that ``save_image`` writes, of the format of a suffix (``".png"``)."""
    import imageio.v3 as imageio

    buffer = io.BytesIO()
    imageio.imwrite(buffer, image, extension=suffix, plugin="pillow", **options)
    return buffer.getbuffer()


def write_atomically(path: str | os.PathLike[str], data: bytes | memoryview) -> None:
    """Write a file under a temporary name beside its place, then rename it.

    Raises ``OutputError`` when that is impossible; the old file, if there is
    one, is then untouched.
    """
    target = Path(path)
    with writing(target), replacing(target) as file:
        file.write(data)
