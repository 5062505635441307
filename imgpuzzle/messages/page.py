"""The words of the page of ``imgpuzzle web``, by the names that its scripts use.

They stand in ``page.toml``, a row each, and are translated with all others, in
``imgpuzzle/locale``. ``error_<kind>`` and
``say_<kind>`` are how the page words a ``Kind``, for players instead of for those who
type options.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

PAGE_TABLE = Path(__file__).with_name("page.toml")

PAGE: dict[str, str | tuple[str, str]] = {
    **{
        name: text if isinstance(text, str) else (text[0], text[1])
        for name, text in tomllib.loads(PAGE_TABLE.read_text("utf-8")).items()
    },
    "grid_size": "{rows}\xa0×\xa0{cols}",
}
