"""Ten designs of games, for tuning."""

from __future__ import annotations

from benchmarks.scenes.browser.board import Deal, Look, Page, board_html, canvas_html
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


def canvas_plain(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    look = Look(
        *sides(deal.shape, pick(rng, 400, 480, 540)),
        gap=pick(rng, 0, 1, 2),
        frame="border:1px solid #444;background:" + pick(rng, "#fff", "#222", "#ccc"),
        blank=pick(rng, "none", "#ffffff", "#000000", "#bbbbbb"),
        fit=pick(rng, "cover", "fill"),
    )
    board = canvas_html(deal, look, pick(rng, "", "#000", "#fff"))
    body = (
        '<div style="text-align:center;padding-top:20px"><h1>Sliding Puzzle</h1>'
        f"<p>Moves: {rng.integers(200)} &nbsp; Time: 01:{rng.integers(10, 60)}</p><br>"
        f"{board}<br>{buttons('Shuffle', 'Solve', 'New picture')}</div>"
    )
    return Page(page_html(body), width, height)


def grid_shadow(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    shadow = pick(rng, "0 2px 5px rgba(0,0,0,.4)", "0 4px 10px rgba(0,0,0,.35)")
    look = Look(
        *sides(deal.shape, pick(rng, 420, 500)),
        gap=pick(rng, 4, 6, 10),
        tile=f"box-shadow:{shadow};border-radius:{pick(rng, 0, 4, 8)}px;",
        frame="padding:14px;background:rgba(255,255,255,.25);border-radius:14px",
        covers=bool(rng.random() < 0.3),
        fit="cover",
    )
    one, two = pick(
        rng, ("#667eea", "#764ba2"), ("#f6d365", "#fda085"), ("#89f7fe", "#66a6ff")
    )
    body = (
        '<div style="text-align:center;padding-top:24px;color:#fff">'
        f'<h1 style="margin-bottom:16px">Picture Slide</h1>{board_html(deal, look)}'
        f"<p>{buttons('Restart', 'Hint', style='background:#fff')}</p></div>"
    )
    css = f"body{{background:linear-gradient(135deg,{one},{two});min-height:100vh}}"
    return Page(page_html(body, css), width, height)


def phone_bright(rng: Rng, deal: Deal) -> Page:
    look = Look(
        *sides(deal.shape, 358),
        gap=pick(rng, 2, 3, 5),
        tile=f"border-radius:{pick(rng, 4, 8, 12)}px;",
        frame="padding:6px;background:#e8eef7;border-radius:14px",
        blank=pick(rng, "none", "#d5dfec", "0.2"),
        fit="cover",
    )
    bar = (
        "display:flex;justify-content:space-between;padding:14px 24px 6px;"
        "font-weight:bold"
    )
    body = (
        f'<div style="{bar}"><span>9:41</span><span>5G &#9646;&#9646;</span></div>'
        '<div style="height:56px;margin:6px 12px;'
        "background:linear-gradient(90deg,#ffd54f,"
        '#ff8a65);border-radius:6px;padding:8px;box-sizing:border-box"><b>Play '
        "MegaFarm now!"
        "</b><br><small>Free &middot; 4.8 stars</small></div>"
        f'<h2 style="text-align:center;margin:12px">Level {rng.integers(1, 90)}</h2>'
        f'<div style="text-align:center">{board_html(deal, look)}</div>'
        '<div style="display:flex;justify-content:space-around;padding:18px">'
        f"{thumb(84, 84, 'cover') if rng.random() < 0.4 else ''}"
        f"{buttons('Undo', 'Hint', 'Pause', style='background:#3b82f6;color:#fff')}"
        "</div>"
    )
    return Page(page_html(body, "body{background:#f7f9fc}"), 390, 844, 3.0)


def wood_frame(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    wood = (
        "repeating-linear-gradient(92deg,#8b5a2b 0 7px,#95622f 7px 12px,#83521f 12px "
        "19px)"
    )
    bevel = "inset 2px 2px 3px rgba(255,255,255,.5),inset -2px -2px 3px rgba(0,0,0,.5)"
    look = Look(
        *sides(deal.shape, pick(rng, 360, 450, 520)),
        gap=pick(rng, 0, 1, 2),
        frame=f"padding:26px;background:{wood};box-shadow:0 8px 20px #0008;"
        "border-radius:6px",
        blank=pick(rng, "#5a3716", "#3d250f", "none"),
        fit=pick(rng, "cover", "fill"),
    )
    html = board_html(deal, look)
    # An image hides the shadow of its own box, so the bevel lies over it.
    over = f'<i style="position:absolute;inset:0;box-shadow:{bevel}"></i></div>'
    html = html.replace('px"></div>', f'px">{over}') if rng.random() < 0.6 else html
    body = f'<div style="text-align:center;padding-top:30px">{html}</div>'
    return Page(page_html(body, "body{background:#2f4f3a}"), width, height)


def corner_numbers(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    badge = "position:absolute;left:3px;top:3px;padding:1px 5px;font-size:13px;" + pick(
        rng,
        "background:rgba(0,0,0,.6);color:#fff;border-radius:4px;",
        "background:#fff;color:#222;border-radius:9px;",
        "color:#fff;text-shadow:0 0 3px #000,0 0 3px #000;font-weight:bold;",
    )
    look = Look(
        *sides(deal.shape, pick(rng, 420, 500, 560)),
        gap=pick(rng, 0, 2, 4),
        tile="border:1px solid " + pick(rng, "#fff;", "#333;"),
        blank=pick(rng, "0.15", "0.2", "0.3", "#eee"),
        number=badge,
        fit="cover",
    )
    body = (
        '<div style="display:flex;gap:40px;padding:40px 80px"><div><h2>Puzzle of the '
        "day"
        f"</h2><br>{board_html(deal, look)}</div><div><h3>Moves</h3><p>"
        f"{rng.integers(300)}"
        f"</p><h3>Best</h3><p>{rng.integers(90)}</p>{buttons('Reset')}</div></div>"
    )
    return Page(page_html(body), width, height)


def shop_page(rng: Rng, deal: Deal) -> Page:
    width, height = pick(rng, (1366, 900), (1536, 960))
    look = Look(
        *sides(deal.shape, 400),
        gap=pick(rng, 0, 1, 3),
        tile=pick(rng, "", "border:1px solid #999;"),
        frame="border:8px solid #222",
        blank=pick(rng, "#222", "#fff", "none"),
        fit="cover",
    )
    card = "border:1px solid #ddd;border-radius:8px;padding:10px;width:200px"
    cards = "".join(
        f'<div style="{card}">'
        f"{photo(deal, number, 'width:200px;height:150px;object-fit:cover')}"
        f"<p>{lorem(rng, 4)}</p><b>$ {rng.integers(5, 90)}.99</b></div>"
        for number in range(4)
    )
    body = (
        '<div style="background:#131921;color:#fff;padding:14px 30px;font-size:20px">'
        'PuzzleShop &nbsp; <input style="width:400px;padding:6px"></div>'
        f'<div style="display:flex;gap:40px;padding:24px">{board_html(deal, look)}'
        f'<div style="display:grid;grid-template-columns:1fr 1fr;gap:14px">'
        f"{cards}</div>"
        f'<div style="width:220px">{lorem(rng, 60)}</div></div>'
    )
    return Page(page_html(body), width, height)


def numbers_gradient(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    faces = pick(
        rng,
        ("linear-gradient(145deg,#ff9a9e,#f76b8a)",),
        ("linear-gradient(#4facfe,#0066cc)",),
        (
            "linear-gradient(135deg,#f6d365,#e07a3f)",
            "linear-gradient(135deg,#8fd3f4,#3a7bd5)",
        ),
    )
    wide, high = sides(deal.shape, pick(rng, 320, 400, 480))
    size = wide / deal.shape.cols * pick(rng, 0.35, 0.45)
    look = Look(
        wide,
        high,
        gap=pick(rng, 3, 6, 10),
        tile=f"border-radius:{pick(rng, 0, 6, 12)}px;box-shadow:0 3px 6px "
        f"rgba(0,0,0,.3);",
        frame="padding:12px;background:#34495e;border-radius:12px",
        number=f"{MIDDLE}{SANS}font-weight:bold;color:#fff;font-size:{size}px",
        faces=faces,
    )
    body = (
        f'<div style="text-align:center;padding-top:30px"><h1>15</h1>'
        f"{board_html(deal, look)}"
        f"<p>{rng.integers(400)} moves</p></div>"
    )
    return Page(
        page_html(body, "body{background:#ecf0f1}"), width, height, has_picture=False
    )


def table_classic(rng: Rng, deal: Deal) -> Page:
    width, height = 1280, 900
    look = Look(
        *sides(deal.shape, pick(rng, 300, 360, 420)),
        gap=pick(rng, 0, 2),
        tile=f"border:{pick(rng, 1, 2, 3)}px {pick(rng, 'outset #ddd', 'solid #000')};",
        frame="border:3px inset #ccc;background:#c0c0c0",
        blank=pick(rng, "none", "#fff", "#000"),
        fit=pick(rng, "cover", "fill"),
    )
    side = pick(rng, 120, 160)
    small = thumb(*sides(deal.shape, side), look.fit)
    body = (
        f'<div style="{SERIF}padding:20px"><h1>My puzzle page</h1><hr><p>'
        f"{lorem(rng, 40)}</p>"
        f'<br><table><tr><td>{board_html(deal, look)}<td style="padding:30px"><p>'
        f"The picture:</p>{small}</table><p>{lorem(rng, 30)}</p><a href=x>Back</a>"
        f"</div>"
    )
    return Page(page_html(body, "body{background:#ffffe8}"), width, height)


def zoomed_cover(rng: Rng, deal: Deal) -> Page:
    zoom = pick(rng, 0.67, 0.8, 0.9, 1.1, 1.25, 1.5)
    width, height = round(1440 / zoom), round(900 / zoom)
    wide = pick(rng, 420, 510)
    look = Look(
        wide,
        wide * pick(rng, 0.66, 0.75, 1.0),
        gap=pick(rng, 0, 1, 2, 3),
        tile=pick(rng, "", "border:1px solid rgba(255,255,255,.6);"),
        frame="outline:2px solid #888",
        blank=pick(rng, "none", "#ddd", "0.25"),
        fit="cover",
    )
    body = (
        '<div style="padding:30px 60px"><h2>Slide the tiles</h2><br>'
        f"{board_html(deal, look)}<p>{buttons('Easy', 'Normal', 'Hard')}</p></div>"
    )
    return Page(page_html(body, "body{background:#fafafa}"), width, height, zoom)


def numbers_over(rng: Rng, deal: Deal) -> Page:
    width, height = window(rng)
    wide, high = sides(deal.shape, pick(rng, 400, 480))
    size = round(wide / deal.shape.cols * pick(rng, 0.3, 0.4))
    look = Look(
        wide,
        high,
        gap=pick(rng, 0, 2),
        frame="border:4px solid #333;background:#555",
        number=f"bold {size}px Liberation Sans",
        fit="cover",
    )
    body = (
        f'<div style="text-align:center;padding:24px"><h1>Fifteen</h1>'
        f"{canvas_html(deal, look)}</div>"
    )
    return Page(page_html(body, "body{background:#dfe6e9}"), width, height)
