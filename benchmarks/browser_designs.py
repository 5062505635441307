"""Twenty designs of web and phone games with a sliding puzzle, half of them for tuning.

Each takes a random generator and says which board it wants; then it writes the page.
``TUNE`` and ``TEST`` share no design: what is mended is mended on the first half.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.browser_board import (
    Deal,
    Look,
    Page,
    board_html,
    canvas_html,
    data_uri,
)
from imgpuzzle.board import Shape

__all__ = ["DESIGNS", "NUMBERS_ONLY", "TEST", "TUNE", "wanted"]

Rng = np.random.Generator

SHAPES: dict[str, tuple[str, ...]] = {
    "zoomed-cover": ("3x4", "4x3", "4x6", "3x5", "5x4"),
    "tablet": ("4x6", "5x4", "4x4", "6x6", "4x3"),
    "numbers-gradient": ("4x4", "3x3", "5x5", "4x4", "6x6"),
    "numbers-serif": ("4x4", "3x3", "5x5", "4x4", "4x5"),
    "phone-bright": ("3x3", "4x4", "4x3", "5x5", "6x4"),
    "phone-dark": ("4x4", "3x3", "5x5", "5x4", "6x6"),
}
USUAL = ("3x3", "4x4", "4x4", "5x5", "3x3", "6x6", "3x4")
HOMES = (0.7, 0.15, 0.15)

SANS = "font-family:'Liberation Sans',sans-serif;"
SERIF = "font-family:'Liberation Serif',serif;"
MIDDLE = (
    "position:absolute;inset:0;display:flex;align-items:center;justify-content:center;"
)


def wanted(rng: Rng, name: str) -> tuple[Shape, int]:
    """The grid, and the cell where the blank belongs: last, first or another."""
    shapes = SHAPES.get(name, USUAL)
    shape = Shape.parse(shapes[int(rng.integers(len(shapes)))])
    homes = shape.size - 1, 0, int(rng.integers(shape.size))
    return shape, homes[int(rng.choice(3, p=HOMES))]


def _pick(rng: Rng, *choices):
    return choices[int(rng.integers(len(choices)))]


def _sides(shape: Shape, longest: float) -> tuple[float, float]:
    """Width and height of a board of square tiles."""
    tile = longest / max(shape.rows, shape.cols)
    return tile * shape.cols, tile * shape.rows


def _window(rng: Rng) -> tuple[int, int]:
    return _pick(rng, (1280, 800), (1366, 768), (1536, 864), (1920, 1080))


def _page(body: str, css: str = "") -> str:
    return (
        "<!doctype html><meta charset=utf-8><style>*{margin:0}"
        f"body{{{SANS}overflow:hidden}}{css}</style><body>{body}</body>"
    )


def _photo(deal: Deal, number: int, style: str) -> str:
    others = deal.others
    return f'<img src="{data_uri(others[number % len(others)], 500)}" style="{style}">'


def _thumb(width: float, height: float, fit: str = "fill", more: str = "") -> str:
    style = f"width:{width:.0f}px;height:{height:.0f}px;object-fit:{fit};{more}"
    return f'<img class="pic" style="{style}">'


def _buttons(*words: str, style: str = "") -> str:
    one = "padding:10px 18px;border-radius:8px;border:0;margin:6px;font-size:15px;"
    return "".join(f'<button style="{one}{style}">{word}</button>' for word in words)


def _lorem(rng: Rng, count: int) -> str:
    words = (
        "the lake was quiet when we came back from town and every window shone".split()
    )
    return " ".join(words[int(rng.integers(len(words)))] for _ in range(count)) + "."


# ---- the half for tuning


def canvas_plain(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    look = Look(
        *_sides(deal.shape, _pick(rng, 400, 480, 540)),
        gap=_pick(rng, 0, 1, 2),
        frame="border:1px solid #444;background:" + _pick(rng, "#fff", "#222", "#ccc"),
        blank=_pick(rng, "none", "#ffffff", "#000000", "#bbbbbb"),
        fit=_pick(rng, "cover", "fill"),
    )
    board = canvas_html(deal, look, _pick(rng, "", "#000", "#fff"))
    body = (
        '<div style="text-align:center;padding-top:20px"><h1>Sliding Puzzle</h1>'
        f"<p>Moves: {rng.integers(200)} &nbsp; Time: 01:{rng.integers(10, 60)}</p><br>"
        f"{board}<br>{_buttons('Shuffle', 'Solve', 'New picture')}</div>"
    )
    return Page(_page(body), width, height)


def grid_shadow(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    shadow = _pick(rng, "0 2px 5px rgba(0,0,0,.4)", "0 4px 10px rgba(0,0,0,.35)")
    look = Look(
        *_sides(deal.shape, _pick(rng, 420, 500)),
        gap=_pick(rng, 4, 6, 10),
        tile=f"box-shadow:{shadow};border-radius:{_pick(rng, 0, 4, 8)}px;",
        frame="padding:14px;background:rgba(255,255,255,.25);border-radius:14px",
        covers=bool(rng.random() < 0.3),
        fit="cover",
    )
    one, two = _pick(
        rng, ("#667eea", "#764ba2"), ("#f6d365", "#fda085"), ("#89f7fe", "#66a6ff")
    )
    body = (
        '<div style="text-align:center;padding-top:24px;color:#fff">'
        f'<h1 style="margin-bottom:16px">Picture Slide</h1>{board_html(deal, look)}'
        f"<p>{_buttons('Restart', 'Hint', style='background:#fff')}</p></div>"
    )
    css = f"body{{background:linear-gradient(135deg,{one},{two});min-height:100vh}}"
    return Page(_page(body, css), width, height)


def phone_bright(rng: Rng, deal: Deal) -> Page:
    look = Look(
        *_sides(deal.shape, 358),
        gap=_pick(rng, 2, 3, 5),
        tile=f"border-radius:{_pick(rng, 4, 8, 12)}px;",
        frame="padding:6px;background:#e8eef7;border-radius:14px",
        blank=_pick(rng, "none", "#d5dfec", "0.2"),
        fit="cover",
    )
    bar = "display:flex;justify-content:space-between;padding:14px 24px 6px;font-weight:bold"
    body = (
        f'<div style="{bar}"><span>9:41</span><span>5G &#9646;&#9646;</span></div>'
        '<div style="height:56px;margin:6px 12px;background:linear-gradient(90deg,#ffd54f,'
        '#ff8a65);border-radius:6px;padding:8px;box-sizing:border-box"><b>Play MegaFarm now!'
        "</b><br><small>Free &middot; 4.8 stars</small></div>"
        f'<h2 style="text-align:center;margin:12px">Level {rng.integers(1, 90)}</h2>'
        f'<div style="text-align:center">{board_html(deal, look)}</div>'
        '<div style="display:flex;justify-content:space-around;padding:18px">'
        f"{_thumb(84, 84, 'cover') if rng.random() < 0.4 else ''}"
        f"{_buttons('Undo', 'Hint', 'Pause', style='background:#3b82f6;color:#fff')}</div>"
    )
    return Page(_page(body, "body{background:#f7f9fc}"), 390, 844, 3.0)


def wood_frame(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    wood = "repeating-linear-gradient(92deg,#8b5a2b 0 7px,#95622f 7px 12px,#83521f 12px 19px)"
    bevel = "inset 2px 2px 3px rgba(255,255,255,.5),inset -2px -2px 3px rgba(0,0,0,.5)"
    look = Look(
        *_sides(deal.shape, _pick(rng, 360, 450, 520)),
        gap=_pick(rng, 0, 1, 2),
        frame=f"padding:26px;background:{wood};box-shadow:0 8px 20px #0008;"
        "border-radius:6px",
        blank=_pick(rng, "#5a3716", "#3d250f", "none"),
        fit=_pick(rng, "cover", "fill"),
    )
    html = board_html(deal, look)
    # An image hides the shadow of its own box, so the bevel lies over it.
    over = f'<i style="position:absolute;inset:0;box-shadow:{bevel}"></i></div>'
    html = html.replace('px"></div>', f'px">{over}') if rng.random() < 0.6 else html
    body = f'<div style="text-align:center;padding-top:30px">{html}</div>'
    return Page(_page(body, "body{background:#2f4f3a}"), width, height)


def corner_numbers(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    badge = (
        "position:absolute;left:3px;top:3px;padding:1px 5px;font-size:13px;"
        + _pick(
            rng,
            "background:rgba(0,0,0,.6);color:#fff;border-radius:4px;",
            "background:#fff;color:#222;border-radius:9px;",
            "color:#fff;text-shadow:0 0 3px #000,0 0 3px #000;font-weight:bold;",
        )
    )
    look = Look(
        *_sides(deal.shape, _pick(rng, 420, 500, 560)),
        gap=_pick(rng, 0, 2, 4),
        tile="border:1px solid " + _pick(rng, "#fff;", "#333;"),
        blank=_pick(rng, "0.15", "0.2", "0.3", "#eee"),
        number=badge,
        fit="cover",
    )
    body = (
        '<div style="display:flex;gap:40px;padding:40px 80px"><div><h2>Puzzle of the day'
        f"</h2><br>{board_html(deal, look)}</div><div><h3>Moves</h3><p>{rng.integers(300)}"
        f"</p><h3>Best</h3><p>{rng.integers(90)}</p>{_buttons('Reset')}</div></div>"
    )
    return Page(_page(body), width, height)


def shop_page(rng: Rng, deal: Deal) -> Page:
    width, height = _pick(rng, (1366, 900), (1536, 960))
    look = Look(
        *_sides(deal.shape, 400),
        gap=_pick(rng, 0, 1, 3),
        tile=_pick(rng, "", "border:1px solid #999;"),
        frame="border:8px solid #222",
        blank=_pick(rng, "#222", "#fff", "none"),
        fit="cover",
    )
    card = "border:1px solid #ddd;border-radius:8px;padding:10px;width:200px"
    cards = "".join(
        f'<div style="{card}">'
        f"{_photo(deal, number, 'width:200px;height:150px;object-fit:cover')}"
        f"<p>{_lorem(rng, 4)}</p><b>$ {rng.integers(5, 90)}.99</b></div>"
        for number in range(4)
    )
    body = (
        '<div style="background:#131921;color:#fff;padding:14px 30px;font-size:20px">'
        'PuzzleShop &nbsp; <input style="width:400px;padding:6px"></div>'
        f'<div style="display:flex;gap:40px;padding:24px">{board_html(deal, look)}'
        f'<div style="display:grid;grid-template-columns:1fr 1fr;gap:14px">{cards}</div>'
        f'<div style="width:220px">{_lorem(rng, 60)}</div></div>'
    )
    return Page(_page(body), width, height)


def numbers_gradient(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    faces = _pick(
        rng,
        ("linear-gradient(145deg,#ff9a9e,#f76b8a)",),
        ("linear-gradient(#4facfe,#0066cc)",),
        (
            "linear-gradient(135deg,#f6d365,#e07a3f)",
            "linear-gradient(135deg,#8fd3f4,#3a7bd5)",
        ),
    )
    wide, high = _sides(deal.shape, _pick(rng, 320, 400, 480))
    size = wide / deal.shape.cols * _pick(rng, 0.35, 0.45)
    look = Look(
        wide,
        high,
        gap=_pick(rng, 3, 6, 10),
        tile=f"border-radius:{_pick(rng, 0, 6, 12)}px;box-shadow:0 3px 6px rgba(0,0,0,.3);",
        frame="padding:12px;background:#34495e;border-radius:12px",
        number=f"{MIDDLE}{SANS}font-weight:bold;color:#fff;font-size:{size}px",
        faces=faces,
    )
    body = (
        f'<div style="text-align:center;padding-top:30px"><h1>15</h1>{board_html(deal, look)}'
        f"<p>{rng.integers(400)} moves</p></div>"
    )
    return Page(
        _page(body, "body{background:#ecf0f1}"), width, height, has_picture=False
    )


def table_classic(rng: Rng, deal: Deal) -> Page:
    width, height = 1280, 900
    look = Look(
        *_sides(deal.shape, _pick(rng, 300, 360, 420)),
        gap=_pick(rng, 0, 2),
        tile=f"border:{_pick(rng, 1, 2, 3)}px {_pick(rng, 'outset #ddd', 'solid #000')};",
        frame="border:3px inset #ccc;background:#c0c0c0",
        blank=_pick(rng, "none", "#fff", "#000"),
        fit=_pick(rng, "cover", "fill"),
    )
    side = _pick(rng, 120, 160)
    thumb = _thumb(*_sides(deal.shape, side), look.fit)
    body = (
        f'<div style="{SERIF}padding:20px"><h1>My puzzle page</h1><hr><p>{_lorem(rng, 40)}</p>'
        f'<br><table><tr><td>{board_html(deal, look)}<td style="padding:30px"><p>'
        f"The picture:</p>{thumb}</table><p>{_lorem(rng, 30)}</p><a href=x>Back</a></div>"
    )
    return Page(_page(body, "body{background:#ffffe8}"), width, height)


def zoomed_cover(rng: Rng, deal: Deal) -> Page:
    zoom = _pick(rng, 0.67, 0.8, 0.9, 1.1, 1.25, 1.5)
    width, height = round(1440 / zoom), round(900 / zoom)
    wide = _pick(rng, 420, 510)
    look = Look(
        wide,
        wide * _pick(rng, 0.66, 0.75, 1.0),
        gap=_pick(rng, 0, 1, 2, 3),
        tile=_pick(rng, "", "border:1px solid rgba(255,255,255,.6);"),
        frame="outline:2px solid #888",
        blank=_pick(rng, "none", "#ddd", "0.25"),
        fit="cover",
    )
    body = (
        '<div style="padding:30px 60px"><h2>Slide the tiles</h2><br>'
        f"{board_html(deal, look)}<p>{_buttons('Easy', 'Normal', 'Hard')}</p></div>"
    )
    return Page(_page(body, "body{background:#fafafa}"), width, height, zoom)


def numbers_over(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    wide, high = _sides(deal.shape, _pick(rng, 400, 480))
    size = round(wide / deal.shape.cols * _pick(rng, 0.3, 0.4))
    look = Look(
        wide,
        high,
        gap=_pick(rng, 0, 2),
        frame="border:4px solid #333;background:#555",
        number=f"bold {size}px Liberation Sans",
        fit="cover",
    )
    body = f'<div style="text-align:center;padding:24px"><h1>Fifteen</h1>{canvas_html(deal, look)}</div>'
    return Page(_page(body, "body{background:#dfe6e9}"), width, height)


# ---- the half for testing


def svg_board(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    look = Look(
        *_sides(deal.shape, _pick(rng, 380.5, 455.3, 512)),
        gap=_pick(rng, 0, 1.5, 3.3),
        tile=_pick(rng, "", "border-radius:5px;", "outline:1px solid #0006;"),
        frame="padding:5px;border:2px dashed #777",
        blank=_pick(rng, "none", "#fff", "#9aa"),
        fit=_pick(rng, "cover", "fill"),
        covers=bool(rng.random() < 0.5),
    )
    body = (
        '<div style="padding:36px 12%"><h2>Tile game</h2><p>Click a tile next to the gap.'
        f"</p><br>{board_html(deal, look)}<p>Score {rng.integers(999)}</p></div>"
    )
    return Page(_page(body, "body{background:#f3ede2}"), width, height)


def dark_rounded(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    look = Look(
        *_sides(deal.shape, _pick(rng, 400, 440)),
        gap=_pick(rng, 4, 8),
        tile=f"border-radius:{_pick(rng, 8, 14)}px;",
        frame="padding:10px;background:#1e2430;border-radius:18px",
        blank=_pick(rng, "none", "#2a3242", "0.15"),
        fit="cover",
        covers=bool(rng.random() < 0.3),
    )
    thumb = _thumb(*_sides(deal.shape, 150), "cover", "border-radius:8px;opacity:.95")
    body = (
        '<div style="text-align:center;color:#cdd6e6;padding-top:16px"><h2>NIGHT SLIDER</h2>'
        f"<br>{board_html(deal, look)}<br><br>{thumb if rng.random() < 0.6 else ''}</div>"
    )
    return Page(_page(body, "body{background:#0f131a}"), width, height)


def phone_dark(rng: Rng, deal: Deal) -> Page:
    look = Look(
        *_sides(deal.shape, 396),
        gap=_pick(rng, 0, 1, 2),
        tile=_pick(rng, "", "border:1px solid #0009;"),
        blank=_pick(rng, "#111", "#000", "0.2"),
        fit="cover",
    )
    body = (
        '<div style="padding:8px 20px;font-size:13px">14:07 &nbsp; &#9679; &#9679;</div>'
        '<div style="padding:14px 20px;font-size:20px">&#8592; &nbsp; Slide puzzle</div>'
        f'<div style="padding:20px 8px">{board_html(deal, look)}</div>'
        f'<div style="padding:10px 20px">Moves {rng.integers(300)} &middot; best 87</div>'
        '<div style="position:absolute;bottom:0;width:100%;height:64px;background:#222;'
        'display:flex;justify-content:space-around;align-items:center">'
        "<b>Home</b><b>Daily</b><b>Shop</b></div>"
    )
    return Page(_page(body, "body{background:#101010;color:#eee}"), 412, 915, 2.625)


def tablet(rng: Rng, deal: Deal) -> Page:
    wide = 700
    look = Look(
        wide,
        wide * _pick(rng, 0.8, 1.0, 1.2),
        gap=_pick(rng, 1, 2, 4),
        tile="box-shadow:0 1px 3px #0007;",
        frame="padding:12px;background:#fff;border-radius:10px;box-shadow:0 4px 16px #0003",
        blank=_pick(rng, "none", "#e5e5ea", "0.25"),
        fit="cover",
    )
    body = (
        '<div style="padding:10px 24px">Mon 9 June</div><div style="text-align:center">'
        f'<h1 style="margin:14px">Jigslide</h1>{board_html(deal, look)}<p>'
        f"{_buttons('Menu', 'Shuffle', 'Preview', style='background:#007aff;color:#fff')}"
        "</p></div>"
    )
    return Page(_page(body, "body{background:#f2f2f7}"), 820, 1180, 2.0)


def inner_shadow(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    look = Look(
        *_sides(deal.shape, _pick(rng, 390, 470)),
        gap=_pick(rng, 0, 2, 4),
        tile=f"border-radius:{_pick(rng, 0, 3)}px;",
        frame="padding:8px;background:#37474f;box-shadow:inset 0 0 14px #000",
        blank="none",
        number="position:absolute;inset:0;box-shadow:inset 0 0 "
        f"{_pick(rng, 6, 10)}px rgba(0,0,0,.7);font-size:0",
        marked="filter:brightness(1.2);",
        fit="cover",
    )
    body = (
        '<div style="text-align:center;padding-top:40px"><h1>Mystic Squares</h1><br>'
        f"{board_html(deal, look)}</div>"
    )
    return Page(_page(body, "body{background:#90a4ae}"), width, height)


def modal(rng: Rng, deal: Deal) -> Page:
    width, height = _pick(rng, (1366, 768), (1600, 900))
    look = Look(
        *_sides(deal.shape, _pick(rng, 360, 420)),
        gap=_pick(rng, 0, 2, 3),
        tile=_pick(rng, "", "border:1px solid #fff;"),
        blank=_pick(rng, "none", "#f0f0f0", "#444"),
        fit="cover",
    )
    back = "".join(
        _photo(deal, n, "width:300px;height:200px;object-fit:cover;margin:12px")
        for n in range(12)
    )
    body = (
        f'<div style="padding:10px"><h1>Gallery</h1>{back}</div>'
        '<div style="position:absolute;inset:0;background:rgba(0,0,0,.55);display:flex;'
        'align-items:center;justify-content:center"><div style="background:#fff;'
        'border-radius:12px;padding:24px;text-align:center"><h3>Prove that you are human'
        f"</h3><br>{board_html(deal, look)}<p>{_buttons('Cancel', 'Submit')}</p></div></div>"
    )
    return Page(_page(body), width, height)


def forum(rng: Rng, deal: Deal) -> Page:
    width, height = 1280, 1000
    look = Look(
        *_sides(deal.shape, _pick(rng, 320, 400)),
        gap=_pick(rng, 0, 1),
        tile="border:1px solid #555;",
        frame="border:1px solid #aaa;padding:2px;background:#fff",
        blank=_pick(rng, "#fff", "#808080", "none"),
        fit=_pick(rng, "cover", "fill"),
    )
    post = "border:1px solid #c5d0e0;background:#f4f7fb;margin:10px 40px;padding:12px;display:flex;gap:20px"
    avatar = "width:90px;height:90px;object-fit:cover"
    thumb = _thumb(*_sides(deal.shape, 130), look.fit) if rng.random() < 0.4 else ""
    body = (
        '<div style="background:#2d5a88;color:#fff;padding:16px 40px">Board index</div>'
        f'<div style="{post}">{_photo(deal, 0, avatar)}<div><p>{_lorem(rng, 50)}</p>'
        f"{_photo(deal, 1, 'height:150px')}</div></div>"
        f'<div style="{post}">{_photo(deal, 2, avatar)}<div><p>{_lorem(rng, 20)}</p><br>'
        f"{board_html(deal, look)}{thumb}</div></div>"
    )
    return Page(_page(body, "body{background:#e4ebf3}"), width, height)


def numbers_serif(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    faces = _pick(
        rng,
        ("#6d4c41",),
        ("linear-gradient(#c49a6c,#a97c50)",),
        ("#00695c", "#00695c", "#b71c1c"),
        ("#fdfdfd",),
    )
    wide, high = _sides(deal.shape, _pick(rng, 300, 420))
    size = wide / deal.shape.cols * _pick(rng, 0.4, 0.5)
    outline = "-webkit-text-stroke:1.5px #000;"
    ink = "color:#fff;" + (
        outline if faces == ("#fdfdfd",) else _pick(rng, "", outline)
    )
    look = Look(
        wide,
        high,
        gap=_pick(rng, 1, 3, 5),
        tile=_pick(rng, "", "border:2px outset #ccc;", "border-radius:7px;"),
        frame="padding:10px;background:#3e2723;border:6px ridge #8d6e63",
        number=f"{MIDDLE}{SERIF}{ink}font-size:{size}px",
        faces=faces,
    )
    body = (
        f'<div style="{SERIF}text-align:center;padding-top:20px"><h1>The Game of Fifteen</h1>'
        f"<br>{board_html(deal, look)}<p>{rng.integers(500)} moves so far</p></div>"
    )
    return Page(
        _page(body, "body{background:#efe6d5}"), width, height, has_picture=False
    )


def metal_frame(rng: Rng, deal: Deal) -> Page:
    zoom = _pick(rng, 0.75, 1.0, 1.25)
    width, height = round(1366 / zoom), round(768 / zoom)
    look = Look(
        *_sides(deal.shape, _pick(rng, 350, 430)),
        gap=_pick(rng, 0, 1, 2),
        tile=f"border-radius:{_pick(rng, 0, 3)}px;",
        frame="padding:18px;border-radius:10px;background:linear-gradient(160deg,#eee,#999 "
        "40%,#ccc 60%,#777)",
        blank=_pick(rng, "#fff", "#000", "#888", "0.3"),
        fit=_pick(rng, "cover", "fill"),
    )
    body = (
        f'<div style="padding:30px 90px;display:flex;gap:50px">{board_html(deal, look)}<div>'
        f"<h2>How to play</h2><p style='width:260px'>{_lorem(rng, 50)}</p></div></div>"
    )
    return Page(_page(body, "body{background:#cfd8dc}"), width, height, zoom)


def outlined_over(rng: Rng, deal: Deal) -> Page:
    width, height = _window(rng)
    wide, high = _sides(deal.shape, _pick(rng, 420, 500))
    size = wide / deal.shape.cols * _pick(rng, 0.22, 0.35)
    look = Look(
        wide,
        high,
        gap=_pick(rng, 0, 3),
        tile=_pick(rng, "", "border:2px solid #fff;"),
        number=f"position:absolute;right:6px;bottom:2px;{SANS}font-weight:bold;color:#ffeb3b;"
        f"font-size:{size}px;text-shadow:1px 1px 0 #000,-1px -1px 0 #000,1px -1px 0 #000,"
        "-1px 1px 0 #000",
        blank=_pick(rng, "none", "#000", "0.2"),
        fit="cover",
    )
    body = f'<div style="padding:24px 20%"><h1>Number picture</h1><br>{board_html(deal, look)}</div>'
    return Page(_page(body, "body{background:#e0f2f1}"), width, height)


DESIGNS: dict[str, Callable[[Rng, Deal], Page]] = {
    "canvas-plain": canvas_plain,
    "grid-shadow": grid_shadow,
    "phone-bright": phone_bright,
    "wood-frame": wood_frame,
    "corner-numbers": corner_numbers,
    "shop-page": shop_page,
    "numbers-gradient": numbers_gradient,
    "table-classic": table_classic,
    "zoomed-cover": zoomed_cover,
    "numbers-over": numbers_over,
    "svg-board": svg_board,
    "dark-rounded": dark_rounded,
    "phone-dark": phone_dark,
    "tablet": tablet,
    "inner-shadow": inner_shadow,
    "modal": modal,
    "forum": forum,
    "numbers-serif": numbers_serif,
    "metal-frame": metal_frame,
    "outlined-over": outlined_over,
}
TUNE = tuple(DESIGNS)[:10]
TEST = tuple(DESIGNS)[10:]
NUMBERS_ONLY = ("numbers-gradient", "numbers-serif")
