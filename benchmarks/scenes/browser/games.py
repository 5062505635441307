"""Ten designs of games, on which nothing was ever mended."""

from __future__ import annotations

from benchmarks.scenes.browser.board import Deal, Look, Page, board_html
from benchmarks.scenes.browser.parts import (
    MIDDLE,
    SANS,
    SERIF,
    Rng,
    buttons,
    lorem,
    page_html,
    photo,
    pick,
    sides,
    thumb,
    window,
)


def svg_board(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    look = Look(
        *sides(deal.shape, pick(rng, 380.5, 455.3, 512)),
        gap=pick(rng, 0, 1.5, 3.3),
        tile=pick(rng, "", "border-radius:5px;", "outline:1px solid #0006;"),
        frame="padding:5px;border:2px dashed #777",
        blank=pick(rng, "none", "#fff", "#9aa"),
        fit=pick(rng, "cover", "fill"),
        covers=bool(rng.random() < 0.5),
    )
    body = (
        '<div style="padding:36px 12%"><h2>Tile game</h2><p>Click a tile next to the '
        "gap."
        f"</p><br>{board_html(deal, look)}<p>Score {rng.integers(999)}</p></div>"
    )
    return Page(page_html(body, "body{background:#f3ede2}"), width, height)


def dark_rounded(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    look = Look(
        *sides(deal.shape, pick(rng, 400, 440)),
        gap=pick(rng, 4, 8),
        tile=f"border-radius:{pick(rng, 8, 14)}px;",
        frame="padding:10px;background:#1e2430;border-radius:18px",
        blank=pick(rng, "none", "#2a3242", "0.15"),
        fit="cover",
        covers=bool(rng.random() < 0.3),
    )
    small = thumb(*sides(deal.shape, 150), "cover", "border-radius:8px;opacity:.95")
    body = (
        '<div style="text-align:center;color:#cdd6e6;padding-top:16px"><h2>NIGHT '
        "SLIDER</h2>"
        f"<br>{board_html(deal, look)}<br><br>"
        f"{small if rng.random() < 0.6 else ''}</div>"
    )
    return Page(page_html(body, "body{background:#0f131a}"), width, height)


def phone_dark(rng: Rng, deal: Deal) -> Page:
    look = Look(
        *sides(deal.shape, 396),
        gap=pick(rng, 0, 1, 2),
        tile=pick(rng, "", "border:1px solid #0009;"),
        blank=pick(rng, "#111", "#000", "0.2"),
        fit="cover",
    )
    body = (
        '<div style="padding:8px 20px;font-size:13px">14:07 &nbsp; &#9679; &#9679;'
        "</div>"
        '<div style="padding:14px 20px;font-size:20px">&#8592; &nbsp; Slide '
        "puzzle</div>"
        f'<div style="padding:20px 8px">{board_html(deal, look)}</div>'
        f'<div style="padding:10px 20px">Moves {rng.integers(300)} &middot; best '
        f"87</div>"
        '<div style="position:absolute;bottom:0;width:100%;height:64px;background:#222;'
        'display:flex;justify-content:space-around;align-items:center">'
        "<b>Home</b><b>Daily</b><b>Shop</b></div>"
    )
    return Page(page_html(body, "body{background:#101010;color:#eee}"), 412, 915, 2.625)


def tablet(rng: Rng, deal: Deal) -> Page:
    wide = 700
    look = Look(
        wide,
        wide * pick(rng, 0.8, 1.0, 1.2),
        gap=pick(rng, 1, 2, 4),
        tile="box-shadow:0 1px 3px #0007;",
        frame="padding:12px;background:#fff;border-radius:10px;box-shadow:0 4px 16px "
        "#0003",
        blank=pick(rng, "none", "#e5e5ea", "0.25"),
        fit="cover",
    )
    blue = "background:#007aff;color:#fff"
    body = (
        '<div style="padding:10px 24px">Mon 9 June</div><div style="text-align:center">'
        f'<h1 style="margin:14px">Jigslide</h1>{board_html(deal, look)}<p>'
        f"{buttons('Menu', 'Shuffle', 'Preview', style=blue)}"
        "</p></div>"
    )
    return Page(page_html(body, "body{background:#f2f2f7}"), 820, 1180, 2.0)


def inner_shadow(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    look = Look(
        *sides(deal.shape, pick(rng, 390, 470)),
        gap=pick(rng, 0, 2, 4),
        tile=f"border-radius:{pick(rng, 0, 3)}px;",
        frame="padding:8px;background:#37474f;box-shadow:inset 0 0 14px #000",
        blank="none",
        number="position:absolute;inset:0;box-shadow:inset 0 0 "
        f"{pick(rng, 6, 10)}px rgba(0,0,0,.7);font-size:0",
        marked="filter:brightness(1.2);",
        fit="cover",
    )
    body = (
        '<div style="text-align:center;padding-top:40px"><h1>Mystic Squares</h1><br>'
        f"{board_html(deal, look)}</div>"
    )
    return Page(page_html(body, "body{background:#90a4ae}"), width, height)


def modal(rng: Rng, deal: Deal) -> Page:
    width, height = pick(rng, (1366, 768), (1600, 900))
    look = Look(
        *sides(deal.shape, pick(rng, 360, 420)),
        gap=pick(rng, 0, 2, 3),
        tile=pick(rng, "", "border:1px solid #fff;"),
        blank=pick(rng, "none", "#f0f0f0", "#444"),
        fit="cover",
    )
    back = "".join(
        photo(deal, n, "width:300px;height:200px;object-fit:cover;margin:12px")
        for n in range(12)
    )
    body = (
        f'<div style="padding:10px"><h1>Gallery</h1>{back}</div>'
        '<div style="position:absolute;inset:0;background:rgba(0,0,0,.55);display:flex;'
        'align-items:center;justify-content:center"><div style="background:#fff;'
        'border-radius:12px;padding:24px;text-align:center"><h3>Prove that you are '
        "human"
        f"</h3><br>{board_html(deal, look)}<p>{buttons('Cancel', 'Submit')}</p>"
        f"</div></div>"
    )
    return Page(page_html(body), width, height)


def forum(rng: Rng, deal: Deal) -> Page:
    width, height = 1280, 1000
    look = Look(
        *sides(deal.shape, pick(rng, 320, 400)),
        gap=pick(rng, 0, 1),
        tile="border:1px solid #555;",
        frame="border:1px solid #aaa;padding:2px;background:#fff",
        blank=pick(rng, "#fff", "#808080", "none"),
        fit=pick(rng, "cover", "fill"),
    )
    post = (
        "border:1px solid #c5d0e0;background:#f4f7fb;margin:10px 40px;padding:12px;"
        "display:flex;gap:20px"
    )
    avatar = "width:90px;height:90px;object-fit:cover"
    small = thumb(*sides(deal.shape, 130), look.fit) if rng.random() < 0.4 else ""
    body = (
        '<div style="background:#2d5a88;color:#fff;padding:16px 40px">Board index</div>'
        f'<div style="{post}">{photo(deal, 0, avatar)}<div><p>{lorem(rng, 50)}</p>'
        f"{photo(deal, 1, 'height:150px')}</div></div>"
        f'<div style="{post}">{photo(deal, 2, avatar)}<div><p>{lorem(rng, 20)}</p>'
        f"<br>"
        f"{board_html(deal, look)}{small}</div></div>"
    )
    return Page(page_html(body, "body{background:#e4ebf3}"), width, height)


def numbers_serif(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    faces = pick(
        rng,
        ("#6d4c41",),
        ("linear-gradient(#c49a6c,#a97c50)",),
        ("#00695c", "#00695c", "#b71c1c"),
        ("#fdfdfd",),
    )
    wide, high = sides(deal.shape, pick(rng, 300, 420))
    size = wide / deal.shape.cols * pick(rng, 0.4, 0.5)
    outline = "-webkit-text-stroke:1.5px #000;"
    ink = "color:#fff;" + (outline if faces == ("#fdfdfd",) else pick(rng, "", outline))
    look = Look(
        wide,
        high,
        gap=pick(rng, 1, 3, 5),
        tile=pick(rng, "", "border:2px outset #ccc;", "border-radius:7px;"),
        frame="padding:10px;background:#3e2723;border:6px ridge #8d6e63",
        number=f"{MIDDLE}{SERIF}{ink}font-size:{size}px",
        faces=faces,
    )
    body = (
        f'<div style="{SERIF}text-align:center;padding-top:20px"><h1>The Game of '
        f"Fifteen</h1>"
        f"<br>{board_html(deal, look)}<p>{rng.integers(500)} moves so far</p></div>"
    )
    return Page(page_html(body, "body{background:#efe6d5}"), width, height)


def metal_frame(rng: Rng, deal: Deal) -> Page:
    zoom = pick(rng, 0.75, 1.0, 1.25)
    width, height = round(1366 / zoom), round(768 / zoom)
    look = Look(
        *sides(deal.shape, pick(rng, 350, 430)),
        gap=pick(rng, 0, 1, 2),
        tile=f"border-radius:{pick(rng, 0, 3)}px;",
        frame="padding:18px;border-radius:10px;"
        "background:linear-gradient(160deg,#eee,#999 "
        "40%,#ccc 60%,#777)",
        blank=pick(rng, "#fff", "#000", "#888", "0.3"),
        fit=pick(rng, "cover", "fill"),
    )
    body = (
        f'<div style="padding:30px 90px;display:flex;gap:50px">'
        f"{board_html(deal, look)}<div>"
        f"<h2>How to play</h2><p style='width:260px'>{lorem(rng, 50)}</p></div></div>"
    )
    return Page(page_html(body, "body{background:#cfd8dc}"), width, height, zoom)


def outlined_over(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    wide, high = sides(deal.shape, pick(rng, 420, 500))
    size = wide / deal.shape.cols * pick(rng, 0.22, 0.35)
    look = Look(
        wide,
        high,
        gap=pick(rng, 0, 3),
        tile=pick(rng, "", "border:2px solid #fff;"),
        number=f"position:absolute;right:6px;bottom:2px;{SANS}font-weight:bold;"
        f"color:#ffeb3b;"
        f"font-size:{size}px;text-shadow:1px 1px 0 #000,-1px -1px 0 #000,1px -1px 0 "
        f"#000,"
        "-1px 1px 0 #000",
        blank=pick(rng, "none", "#000", "0.2"),
        fit="cover",
    )
    body = (
        f'<div style="padding:24px 20%"><h1>Number picture</h1><br>'
        f"{board_html(deal, look)}</div>"
    )
    return Page(page_html(body, "body{background:#e0f2f1}"), width, height)
