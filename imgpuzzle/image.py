"""Pictures as arrays: H x W x 3, uint8, RGB. Only this file reads picture files."""

from __future__ import annotations

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

__all__ = ["MAX_PIXELS", "Image", "load_image", "save_image", "write_atomically"]

MAX_PIXELS = 80_000_000
"""Larger pictures are refused before they are decoded (an 8K screen has 33 million)."""

MIN_SIDE_PX = 16


def load_image(path: str | os.PathLike[str]) -> Image:
    """Read a picture file as an RGB array, H x W x 3, uint8.

    The camera's orientation is applied, transparency is laid over white, 16-bit
    values are scaled to 8 bits and of an animation the first frame is taken.
    Raises ``InvalidImageError`` for everything that is no usable picture.
    """
    import numpy as np
    from PIL import Image as PillowImage
    from PIL import ImageOps, UnidentifiedImageError

    name = os.fspath(path)
    if os.path.isdir(name):
        raise InvalidImageError(f"expected a picture file, found the folder {name!r}")
    try:
        with warnings.catch_warnings():
            # Pillow only warns up to twice its own limit; ours is checked below.
            warnings.simplefilter("ignore", PillowImage.DecompressionBombWarning)
            with PillowImage.open(name) as picture:
                width, height = picture.size
                if width * height > MAX_PIXELS:
                    raise InvalidImageError(_too_large(name, width, height))
                if min(width, height) < MIN_SIDE_PX:
                    raise InvalidImageError(
                        f"expected a picture of at least {MIN_SIDE_PX}x{MIN_SIDE_PX} "
                        f"px, found {width}x{height} in {name!r}"
                    )
                picture.load()
                return np.asarray(_to_rgb(ImageOps.exif_transpose(picture)))
    except InvalidImageError:
        raise
    except FileNotFoundError:
        raise InvalidImageError(f"expected a picture file, found no {name!r}") from None
    except PillowImage.DecompressionBombError:
        raise InvalidImageError(
            f"expected at most {MAX_PIXELS // 1_000_000} million px, "
            f"found far more in {name!r}"
        ) from None
    except UnidentifiedImageError:
        found = "an empty file" if _is_empty(name) else "no known picture format"
        raise InvalidImageError(
            f"expected a picture (PNG, JPEG, WebP, GIF ...), found {found} in {name!r}"
        ) from None
    except (
        OSError,
        SyntaxError,
        ValueError,
        EOFError,
        MemoryError,
        OverflowError,
    ) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InvalidImageError(
            f"expected a complete picture, could not read {name!r}: {why}"
        ) from None


def _too_large(name: str, width: int, height: int) -> str:
    return (
        f"expected at most {MAX_PIXELS // 1_000_000} million px, "
        f"found {width}x{height} in {name!r}"
    )


def _is_empty(name: str) -> bool:
    try:
        return os.path.getsize(name) == 0
    except OSError:
        return False


def _to_rgb(picture: PillowImage.Image) -> PillowImage.Image:
    import numpy as np
    from PIL import Image as PillowImage

    if picture.mode.startswith("I") or picture.mode == "F":
        # Pillow clips wide integers at 255 instead of scaling them.
        values = np.asarray(picture, dtype=np.float64)
        top = values.max(initial=0.0)
        scale = 65535.0 if top > 255 else 255.0
        grey = np.clip(values * (255.0 / scale), 0, 255).astype(np.uint8)
        return PillowImage.fromarray(grey).convert("RGB")
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        white = PillowImage.new("RGBA", layer.size, "white")
        return PillowImage.alpha_composite(white, layer).convert("RGB")
    return picture.convert("RGB")


def save_image(image: Image, path: str | os.PathLike[str], **options: Any) -> None:
    """Write an RGB array; the suffix chooses the format. Never leaves half a file."""
    import io

    from PIL import Image as PillowImage

    target = Path(path)
    suffix = target.suffix.lower()
    formats = PillowImage.registered_extensions()
    if suffix not in formats:
        raise OutputError(
            f"expected a picture suffix such as .png, found {suffix!r} in {str(path)!r}"
        )
    buffer = io.BytesIO()
    PillowImage.fromarray(image).save(buffer, formats[suffix], **options)
    write_atomically(target, buffer.getvalue())


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under a temporary name beside its place, then rename it.

    Raises ``OutputError`` when that is impossible; the old file, if there is
    one, is then untouched.
    """
    target = Path(path)
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}."
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        # mkstemp makes private files; these are meant to be shared.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise OutputError(
            f"could not write {str(target)!r}: {error.strerror or error}"
        ) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
