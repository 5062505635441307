"""Pictures as arrays: H x W x 3, uint8, RGB. Only this file reads picture files."""

from __future__ import annotations

import io
import os
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from imgpuzzle.errors import InvalidImageError, OutputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image as PillowImage

    Image: TypeAlias = NDArray[np.uint8]
else:
    Image = Any

__all__ = [
    "MAX_PIXELS",
    "Image",
    "check_image",
    "check_picture_suffix",
    "decode_image",
    "load_image",
    "read_bytes",
    "save_image",
    "write_atomically",
]

MAX_PIXELS = 80_000_000
"""Larger pictures are refused before they are decoded (an 8K screen has 33 million)."""

MAX_BYTES = 400_000_000
"""Larger files are refused before they are read."""

MIN_SIDE_PX = 16

# Pillow knows more formats; some of the others start outside programs when they
# are decoded (EPS), or are recognised in almost any file (TGA).
_READABLE = frozenset(
    {"AVIF", "BMP", "DIB", "GIF", "ICO", "JPEG", "JPEG2000", "MPO", "PNG"}
    | {"PPM", "QOI", "TIFF", "WEBP"}
)

_WRITABLE = {
    ".avif": "AVIF",
    ".bmp": "BMP",
    ".gif": "GIF",
    ".jpeg": "JPEG",
    ".jpg": "JPEG",
    ".png": "PNG",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".webp": "WEBP",
}

_ORIENTATION_TAG = 0x0112


def load_image(path: str | os.PathLike[str]) -> Image:
    """Read a picture file.

    The camera's orientation is applied, transparency is laid over white, 16-bit
    values are scaled to 8 bits and of an animation the first frame is taken.

    Args:
        path: The file: PNG, JPEG, WebP, GIF, AVIF, BMP, TIFF and some more.

    Returns:
        An RGB array, height x width x 3, uint8.

    Raises:
        InvalidImageError: For anything that is no usable picture.
    """
    return decode_image(read_bytes(path), name=os.fspath(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a whole input file.

    Raises ``InvalidImageError`` for a folder, for what is missing, unreadable
    or larger than ``MAX_BYTES``.
    """
    name = os.fspath(path)
    if os.path.isdir(name):
        raise InvalidImageError(f"expected a file, found the folder {name!r}")
    try:
        with open(name, "rb") as file:
            # A device such as /dev/zero has no size and no end.
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InvalidImageError(f"expected a file, found no {name!r}") from None
    except (OSError, ValueError, MemoryError) as error:
        raise InvalidImageError(f"could not read {name!r}: {_why(error)}") from None
    if len(data) > MAX_BYTES:
        raise InvalidImageError(
            f"expected at most {MAX_BYTES // 1_000_000} MB, found more in {name!r}"
        )
    return data


def decode_image(data: bytes, *, name: str = "the data") -> Image:
    """Decode the bytes of a picture file as ``load_image`` does.

    ``name`` is what error messages call them.
    """
    import numpy as np
    from PIL import Image as PillowImage
    from PIL import UnidentifiedImageError

    if not data:
        raise InvalidImageError(
            f"expected a picture (PNG, JPEG, WebP, GIF ...), "
            f"found an empty file in {name!r}"
        )
    try:
        with warnings.catch_warnings():
            # Pillow warns of damaged metadata, which does not matter here, and of
            # pictures up to twice its own limit; ours is checked below.
            warnings.simplefilter("ignore")
            with PillowImage.open(io.BytesIO(data)) as picture:
                _check_header(picture, name)
                picture.load()
                # A copy, because the memory that Pillow exports is read-only.
                return np.array(_to_rgb(_upright(picture)), dtype=np.uint8)
    except InvalidImageError:
        raise
    except PillowImage.DecompressionBombError:
        raise InvalidImageError(
            f"expected at most {MAX_PIXELS // 1_000_000} million px, "
            f"found far more in {name!r}"
        ) from None
    except UnidentifiedImageError:
        raise InvalidImageError(
            "expected a picture (PNG, JPEG, WebP, GIF ...), "
            f"found no known picture format in {name!r}"
        ) from None
    except Exception as error:
        # On damaged files the decoders raise nearly everything: OSError,
        # SyntaxError, ValueError, struct.error, KeyError, zlib.error ...
        raise InvalidImageError(
            f"expected a complete picture, could not read {name!r}: {_why(error)}"
        ) from None


def check_image(image: Image) -> Image:
    """Return ``image`` when it is an RGB array as this package uses them.

    Raises ``InvalidImageError`` otherwise.
    """
    shape = getattr(image, "shape", None)
    kind = str(getattr(image, "dtype", type(image).__name__))
    if shape is None or len(shape) != 3 or shape[2] != 3 or kind != "uint8":
        raise InvalidImageError(
            "expected an RGB array, height x width x 3, uint8, "
            f"found {'no array' if shape is None else shape} of {kind}"
        )
    height, width = shape[:2]
    _check_size(width, height, "the array")
    return image


def _check_header(picture: PillowImage.Image, name: str) -> None:
    if picture.format not in _READABLE:
        raise InvalidImageError(
            "expected a picture (PNG, JPEG, WebP, GIF ...), "
            f"found the unsupported format {picture.format} in {name!r}"
        )
    _check_size(*picture.size, repr(name))


def _check_size(width: int, height: int, where: str) -> None:
    if width * height > MAX_PIXELS:
        raise InvalidImageError(
            f"expected at most {MAX_PIXELS // 1_000_000} million px, "
            f"found {width}x{height} in {where}"
        )
    if min(width, height) < MIN_SIDE_PX:
        raise InvalidImageError(
            f"expected a picture of at least {MIN_SIDE_PX}x{MIN_SIDE_PX} px, "
            f"found {width}x{height} in {where}"
        )


def _why(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _upright(picture: PillowImage.Image) -> PillowImage.Image:
    from PIL.Image import Transpose

    try:
        orientation = picture.getexif().get(_ORIENTATION_TAG)
    except Exception:
        # Damaged metadata is no reason to refuse the picture itself.
        return picture
    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    if orientation in turns:
        return picture.transpose(turns[orientation])
    return picture


def _to_rgb(picture: PillowImage.Image) -> PillowImage.Image:
    from PIL import Image as PillowImage

    if picture.mode.startswith("I") or picture.mode == "F":
        return _wide_to_rgb(picture)
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        white = PillowImage.new("RGBA", layer.size, "white")
        return PillowImage.alpha_composite(white, layer).convert("RGB")
    return picture.convert("RGB")


def _wide_to_rgb(picture: PillowImage.Image) -> PillowImage.Image:
    # Pillow clips wide values at 255 instead of scaling them.
    import numpy as np
    from PIL import Image as PillowImage

    values = np.nan_to_num(np.asarray(picture, dtype=np.float64))
    top = float(values.max(initial=0.0))
    if picture.mode.startswith("I;16"):
        white = 65535.0
    else:
        # 32-bit files do not say what white is: the smallest usual one that fits.
        usual = (1.0,) if picture.mode == "F" else ()
        white = next((w for w in (*usual, 255.0, 65535.0) if top <= w), top)
    grey = np.clip(values * (255.0 / white) + 0.5, 0, 255).astype(np.uint8)
    return PillowImage.fromarray(grey).convert("RGB")


def check_picture_suffix(path: str | os.PathLike[str]) -> str:
    """The format that the suffix of ``path`` names; ``OutputError`` for others."""
    suffix = Path(path).suffix.lower()
    if suffix not in _WRITABLE:
        raise OutputError(
            f"expected a picture suffix such as .png, found {suffix!r} "
            f"in {os.fspath(path)!r}"
        )
    return _WRITABLE[suffix]


def save_image(image: Image, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a picture file, whole or not at all.

    Args:
        image: An RGB array, height x width x 3, uint8.
        path: The file; its suffix chooses the format.
        **options: What Pillow's writer of that format takes.

    Raises:
        OutputError: For another suffix, or a place that cannot be written.
    """
    from PIL import Image as PillowImage

    kind = check_picture_suffix(path)
    buffer = io.BytesIO()
    PillowImage.fromarray(image).save(buffer, kind, **options)
    write_atomically(path, buffer.getvalue())


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under a temporary name beside its place, then rename it.

    Raises ``OutputError`` when that is impossible; the old file, if there is
    one, is then untouched.
    """
    target = Path(path)
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(
            dir=target.parent, prefix=".imgpuzzle-"
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        # mkstemp makes private files; these are meant to be shared.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException as error:
        # Ctrl-C must not leave the temporary file behind either.
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OutputError(
                f"could not write {str(target)!r}: {_why(error)}"
            ) from None
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
