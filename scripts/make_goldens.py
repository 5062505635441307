"""Draw the goldens of the tests anew: ``python scripts/make_goldens.py``.

Says which of them changed; look at those before you commit them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from golden_pictures import pictures  # noqa: E402

from imgpuzzle.files.image import load_image, write_atomically  # noqa: E402
from imgpuzzle.render.files.png import encode_step_png  # noqa: E402

TARGET = ROOT / "tests" / "goldens"


def main() -> None:
    """Write what differs, and remove what is no longer drawn."""
    TARGET.mkdir(exist_ok=True)
    names = set()
    for name, picture in pictures():
        path = TARGET / f"{name}.png"
        names.add(path)
        if path.exists() and np.array_equal(load_image(path), picture):
            continue
        print(f"{'changed' if path.exists() else 'new'} {path.name}")
        write_atomically(path, encode_step_png(picture))
    for path in sorted(set(TARGET.glob("*.png")) - names):
        print(f"removed {path.name}")
        path.unlink()


if __name__ == "__main__":
    main()
