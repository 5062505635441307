"""What pages of games are made of: headings, buttons, pictures, letters."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from benchmarks.scenes.browser.board import Deal, data_uri
from imgpuzzle.core.board import Shape

Rng = np.random.Generator
One = TypeVar("One")

SANS = "font-family:'Liberation Sans',sans-serif;"
SERIF = "font-family:'Liberation Serif',serif;"
MIDDLE = (
    "position:absolute;inset:0;display:flex;align-items:center;justify-content:center;"
)
WORDS = "the lake was quiet when we came back from town and every window shone"


def pick(rng: Rng, *choices: One) -> One:
    return choices[int(rng.integers(len(choices)))]


def sides(shape: Shape, longest: float) -> tuple[float, float]:
    """Width and height of a board of square tiles."""
    tile = longest / max(shape.rows, shape.cols)
    return tile * shape.cols, tile * shape.rows


def window(rng: Rng) -> tuple[int, int]:
    return pick(rng, (1280, 800), (1366, 768), (1536, 864), (1920, 1080))


def page_html(body: str, css: str = "") -> str:
    return (
        "<!doctype html><meta charset=utf-8><style>*{margin:0}"
        f"body{{{SANS}overflow:hidden}}{css}</style><body>{body}</body>"
    )


def photo(deal: Deal, number: int, style: str) -> str:
    others = deal.others
    return f'<img src="{data_uri(others[number % len(others)], 500)}" style="{style}">'


def thumb(width: float, height: float, fit: str = "fill", more: str = "") -> str:
    style = f"width:{width:.0f}px;height:{height:.0f}px;object-fit:{fit};{more}"
    return f'<img class="pic" style="{style}">'


def buttons(*words: str, style: str = "") -> str:
    one = "padding:10px 18px;border-radius:8px;border:0;margin:6px;font-size:15px;"
    return "".join(f'<button style="{one}{style}">{word}</button>' for word in words)


def lorem(rng: Rng, count: int) -> str:
    words = WORDS.split()
    return " ".join(words[int(rng.integers(len(words)))] for _ in range(count)) + "."
