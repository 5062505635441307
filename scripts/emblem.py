"""The emblem: an invented coat of arms whose nine parts all look different."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from painter import (
    Painter,
    Point,
    around,
    conic,
    curve,
    linear,
    plain,
    radial,
    star,
)

SIDE = 741
CENTRE: Point = (370.5, 358.0)

GOLD = ("#6b430c", "#f7d774", "#a8701a", "#fff1b8", "#8a5a14", "#e9bd53", "#6b430c")
BRONZE = ("#4a2812", "#c98a4b", "#6d3d1c", "#e8b27a", "#5a3216", "#b97a40", "#4a2812")


def draw_emblem() -> NDArray[np.uint8]:
    """Draw the emblem, 741 x 741 px."""
    painter = Painter(SIDE, SIDE)
    _night(painter)
    _sunset(painter)
    _sea(painter)
    _meadow(painter)
    _bands(painter)
    _key(painter)
    _branch(painter)
    _gear(painter)
    _numerals(painter)
    _rose(painter)
    _crown(painter)
    _ribbon(painter)
    _border(painter)
    return painter.picture()


def _box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _night(p: Painter) -> None:
    sky = linear((0, 0), (300, 380), "#0a1038", "#27256b", "#5b3f94")
    p.polygon(_box(0, 0, 371, 371), sky)
    p.disc((92, 96), 96, radial((92, 96), 96, "#8f86d8", "#2b2a70"), opacity=0.35)
    mask, pencil = p.mask()
    pencil.ellipse(p.circle((92, 96), 54), fill=255)
    pencil.ellipse(p.circle((116, 84), 47), fill=0)
    p.fill(mask, linear((40, 60), (110, 150), "#fffbe0", "#f2cf7a"))
    for x, y, r in ((57, 112, 7), (72, 131, 4.5), (51, 88, 3.5)):
        p.disc((x, y), r, plain("#d9b062"), opacity=0.7)
    sparks = [(176, 58), (222, 92), (206, 148), (150, 170), (176, 214), (112, 222)]
    p.line(sparks, plain("#b9c4ff"), 1.6, 0.55)
    for i, spot in enumerate(sparks):
        p.polygon(star(spot, 11 + 3 * (i % 3), 3.4, 4, 9.0 * i), plain("#fdfdff"))
    small = ((46, 190), (70, 260), (140, 108), (240, 44), (36, 36), (250, 170))
    for i, spot in enumerate(small):
        p.polygon(star(spot, 6, 2.4, 5, 20.0 * i), plain("#ffe9a8"))


def _sunset(p: Painter) -> None:
    sky = linear((420, 0), (700, 380), "#ffd978", "#f7923c", "#c83a3a", "#7d1f4b")
    p.polygon(_box(370, 0, 741, 371), sky)
    sun: Point = (646, 98)
    for i in range(18):
        turn = 20.0 * i + 4
        tip = around(sun, 104 if i % 2 else 82, turn + (5 if i % 2 else -3))
        ray = [around(sun, 50, turn - 6), tip, around(sun, 50, turn + 6)]
        p.polygon(ray, radial(sun, 104, "#fff6c0", "#ffe07a", "#ff9d3c"))
    p.disc(sun, 47, radial((634, 84), 62, "#fffef0", "#ffe15e", "#f39a1d"))
    p.disc(sun, 47, plain("#b4541a"), hole=44.5, opacity=0.8)
    for x, y, size in ((520, 62, 15), (552, 92, 11), (500, 116, 9)):
        left = curve((x - size, y - size * 0.5), (x - size * 0.4, y - size), (x, y))
        right = curve((x, y), (x + size * 0.4, y - size), (x + size, y - size * 0.5))
        p.line([*left, *right], plain("#5a1230"), 3.2)
    for x, y, r in ((575, 204, 20), (601, 194, 25), (632, 200, 19), (655, 208, 13)):
        p.disc((x, y), r, linear((0, 170), (0, 222), "#fff0d2", "#f4a27b"))
    p.polygon(
        _box(566, 208, 664, 221), linear((0, 208), (0, 221), "#f8c09a", "#f0956f")
    )
    for i in range(4):
        y = 250 + 22 * i
        p.line(
            curve((560, y), (620, y - 16), (680, y + 14), (741, y - 4)),
            plain("#ffd9a0"),
            2.2,
            0.45,
        )


def _sea(p: Painter) -> None:
    water = linear((0, 371), (120, 741), "#59c7cf", "#1685a4", "#0a3f6b", "#062448")
    p.polygon(_box(0, 370, 371, 741), water)
    for row in range(9):
        y = 566 + 22 * row
        for col in range(-1, 13):
            x = col * 34 + (17 if row % 2 else 0)
            tone = ("#0e6f95", "#0b5a83", "#0a4770")[(row + col) % 3]
            p.disc((x, y + 17), 19, plain(tone), edge="#8fe3e6", width=1.8, opacity=0.9)
    hull = [(44, 556), (176, 556), (158, 590), (120, 598), (66, 592)]
    p.line([(108, 556), (108, 436)], plain("#4a2a14"), 6)
    p.line([(150, 556), (150, 474)], plain("#4a2a14"), 4)
    main = [*curve((112, 444), (168, 470), (148, 530)), (112, 540)]
    p.polygon(main, linear((112, 440), (160, 540), "#fff7e6", "#e4c79c"), lift=3)
    aft = [*curve((103, 450), (46, 486), (52, 540)), (103, 536)]
    p.polygon(aft, linear((50, 450), (103, 540), "#ffffff", "#d9534f"), lift=3)
    p.polygon([(108, 434), (108, 416), (140, 425)], plain("#e6382f"))
    p.polygon(hull, linear((44, 550), (100, 600), "#a8642c", "#5a2f12"), lift=4)
    p.line([(50, 566), (172, 566)], plain("#f2cc72"), 3)
    for x in (76, 100, 124, 148):
        p.disc((x, 577), 3.6, plain("#ffe7a0"))
    x, y = 66, 690
    tail = [(x - 26, y), (x - 44, y - 15), (x - 40, y), (x - 46, y + 16)]
    p.polygon(tail, plain("#ef7b2f"), edge="#7a3410", width=1.2)
    back = curve((x - 32, y), (x, y - 34), (x + 32, y))
    belly = curve((x + 32, y), (x, y + 34), (x - 32, y))
    scales = linear((x - 32, y - 20), (x + 32, y + 20), "#ffe27a", "#ef7b2f")
    p.polygon([*back, *belly], scales, edge="#7a3410", width=1.2, lift=2)
    p.disc((x + 18, y - 5), 3.4, plain("#25130a"))


def _meadow(p: Painter) -> None:
    sky = linear((371, 371), (560, 741), "#d9f2c4", "#8fd07a", "#3f9a4c", "#145232")
    p.polygon(_box(370, 370, 741, 741), sky)
    hills = [(370, 741), (370, 640), *curve((480, 600), (600, 520), (741, 590))]
    p.polygon([*hills, (741, 741)], linear((0, 540), (0, 741), "#5fb54a", "#17603a"))
    near = [(370, 741), *curve((430, 700), (560, 590), (741, 660)), (741, 741)]
    p.polygon(near, linear((0, 610), (0, 741), "#3d8f3f", "#0c4028"))
    for x, y, r, tone in (
        (548, 574, 25, "#1f6b3a"),
        (575, 590, 20, "#2c8447"),
        (524, 596, 17, "#2c8447"),
    ):
        p.polygon(_box(x - 3, y, x + 3, y + r + 22), plain("#5b3a1d"))
        p.disc((x, y), r, radial((x - 7, y - 8), r * 1.4, "#8fd06a", tone), lift=2)
    stone = linear((606, 0), (690, 0), "#f0e2c8", "#c7ad87", "#7d6549")
    p.polygon(_box(610, 462, 680, 640), stone, lift=5)
    for i in range(4):
        left = 602 + 23.5 * i
        p.polygon(_box(left, 440, left + 14, 466), stone)
    p.polygon(_box(602, 456, 687, 472), stone)
    for row in range(9):
        y = 484 + 17 * row
        p.line([(611, y), (679, y)], plain("#6d573f"), 1.3, 0.6)
        for x in range(622 + 9 * (row % 2), 680, 19):
            p.line([(x, y), (x, y + 17)], plain("#6d573f"), 1.2, 0.6)
    door = [(632, 640), (632, 602), *curve((632, 602), (645, 576), (658, 602))]
    p.polygon([*door, (658, 640)], plain("#3a2413"))
    p.polygon(_box(652, 504, 664, 528), plain("#2b2f55"))
    p.polygon(_box(624, 536, 636, 560), plain("#f7d35c"))
    p.line([(645, 440), (645, 388)], plain("#4b3a2a"), 3)
    flag = [(646, 389), *curve((646, 389), (676, 380), (690, 402), (714, 392))]
    flag += [(710, 416), *curve((710, 416), (684, 424), (672, 406), (646, 414))]
    p.polygon(flag, linear((646, 0), (714, 0), "#7b2fb8", "#d061d8"), lift=2)
    for i in range(13):
        spot = (470 + 21.4 * i, 694 + 9 * math.sin(1.7 * i))
        tone = ("#ff5e8a", "#fff2f2", "#ffd23e")[i % 3]
        p.polygon(star(spot, 6.5, 3, 5, 31.0 * i), plain(tone))


def _bands(p: Painter) -> None:
    across = linear((0, 360), (0, 382), *GOLD[:5])
    down = linear((360, 0), (382, 0), *GOLD[:5])
    p.polygon(_box(360, 0, 381, 741), down, lift=3)
    p.polygon(_box(0, 360, 741, 381), across, lift=3)


def _key(p: Painter) -> None:
    metal = linear((40, 262), (86, 470), "#fff3c0", "#d49a2e", "#8a5410")
    p.disc((63, 285), 27, metal, hole=15, edge="#5d3708", width=1.6, lift=4)
    for turn in (120.0, 240.0):
        p.disc(around((63, 285), 27, turn), 8, metal, edge="#5d3708", width=1.4)
    p.polygon(_box(58, 310, 68, 462), metal, edge="#5d3708", width=1.4, lift=4)
    bit = [(68, 420), (94, 420), (94, 432), (84, 432), (84, 440), (98, 440)]
    bit += [(98, 456), (68, 456)]
    p.polygon(bit, metal, edge="#5d3708", width=1.4, lift=3)
    p.disc((63, 326), 9, metal, edge="#5d3708", width=1.4)
    p.disc((63, 285), 9, radial((60, 281), 12, "#ffd9e0", "#d81e4a", "#6b0a24"))


def _branch(p: Painter) -> None:
    stem = curve((668, 366), (708, 320), (668, 262), (694, 196))
    p.line(stem, plain("#4d3216"), 5)
    for i in range(9):
        x, y = stem[4 + 4 * i]
        turn = (-1 if i % 2 else 1) * (60.0 - 4 * i)
        tip = around((x, y), 42 - 1.5 * i, turn)
        left, right = (around((x, y), 25, turn + off) for off in (-34, 34))
        leaf = curve((x, y), left, tip) + curve(tip, right, (x, y))
        green = ("#b9dd55", "#4f9d33") if i % 3 else ("#f0b64a", "#b3541c")
        p.polygon(leaf, linear((x, y), tip, *green), edge="#1f4a1a", width=1.3, lift=2)
        p.line([(x, y), around((x, y), 33 - 1.5 * i, turn)], plain("#1f4a1a"), 1.4)
    for x, y in ((708, 330), (700, 344), (714, 347)):
        shine = radial((x - 2, y - 3), 10, "#ffb0a0", "#d8202c", "#7a0a16")
        p.disc((x, y), 8, shine, lift=2)


def _gear(p: Painter) -> None:
    outline: list[Point] = []
    teeth = 20
    for i in range(teeth):
        for offset, radius in ((-5.6, 222), (-4.0, 243), (4.0, 243), (5.6, 222)):
            outline.append(around(CENTRE, radius, 360.0 / teeth * i + offset))
    p.polygon(outline, conic(CENTRE, *BRONZE), edge="#2a1508", width=2, lift=9)
    p.disc(CENTRE, 221, conic(CENTRE, *BRONZE[::-1]), edge="#2a1508", width=1.5)
    for i in range(teeth):
        spot = around(CENTRE, 231, 360.0 / teeth * i)
        p.disc(spot, 4, radial(spot, 4, "#ffe2b0", "#5a3216"))
    p.disc(CENTRE, 211, conic(CENTRE, *GOLD), edge="#3b2206", width=1.5)
    p.disc(CENTRE, 204, linear((200, 150), (540, 560), "#12285c", "#1d4a7a", "#0b1a40"))


def _numerals(p: Painter) -> None:
    names = ("XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")
    for i in range(60):
        inner = 194 if i % 5 else 188
        ends = [around(CENTRE, inner, 6.0 * i), around(CENTRE, 201, 6.0 * i)]
        p.line(ends, plain("#f4d98a"), 1.4 if i % 5 else 3.0)
    for i, name in enumerate(names):
        spot = around(CENTRE, 170, 30.0 * i)
        ink = linear((0, spot[1] - 14), (0, spot[1] + 14), "#fff6cf", "#e2ab3e")
        p.text(name, spot, 29, ink, turn=30.0 * i, bold=0.7, lift=1.5)
    p.disc(CENTRE, 152, conic(CENTRE, *GOLD[::-1]), edge="#3b2206", width=1.5, lift=4)
    glow = radial(CENTRE, 146, "#fdf6df", "#f0dfb4", "#caa468")
    p.disc(CENTRE, 145, glow, edge="#3b2206", width=1.2)


def _rose(p: Painter) -> None:
    gems = ("#c2263a", "#e07b1c", "#d9b112", "#4e9a2e", "#1d8f86", "#2463b5")
    gems += ("#5a3aa8", "#a52f90")
    for i, gem in enumerate(gems):
        start, end = 45.0 * i + 12, 45.0 * i + 57
        arc = [around(CENTRE, 138, start + (end - start) * k / 20) for k in range(21)]
        arc += [around(CENTRE, 118, end - (end - start) * k / 20) for k in range(21)]
        p.polygon(arc, plain(gem), edge="#fff3d0", width=1.4, opacity=0.92)
    for i in range(24):
        spot = around(CENTRE, 108, 15.0 * i)
        p.disc(spot, 2.6 if i % 3 else 4.6, plain("#7a4f1c"))
    for i in (1, 3, 5, 7, 0, 2, 4, 6):
        turn = 45.0 * i + 12
        reach = 84 if i % 2 else 130
        tip, root = around(CENTRE, reach, turn), 26 if i % 2 else 30
        left, right = (around(CENTRE, root, turn + off) for off in (-45, 45))
        bright, dark = ("#fdfaf0", "#8c97ad") if i % 2 else ("#3f6fc4", "#142a5e")
        if i == 0:
            bright, dark = "#ff6a4d", "#a3121f"
        p.polygon([CENTRE, left, tip, right], plain(dark), lift=3)
        p.polygon([CENTRE, left, tip], plain(bright))
        outline = [left, tip, right]
        p.line(outline, plain("#2a1c10"), 1.5)
    p.disc(CENTRE, 27, conic(CENTRE, *GOLD), edge="#3b2206", width=1.5, lift=3)
    p.disc(CENTRE, 20, radial((363, 350), 30, "#e8fff4", "#1fb07a", "#064a35"))
    p.polygon(star((363, 350), 9, 2, 4), plain("#ffffff"), opacity=0.9)


def _crown(p: Painter) -> None:
    base = [(296, 108), (284, 42), (316, 74), (334, 30), (358, 72), (372, 22)]
    base += [(388, 72), (414, 34), (428, 74), (462, 46), (446, 108)]
    metal = linear((284, 30), (450, 110), "#fff4b8", "#efc04a", "#b3741a", "#ffe28a")
    p.polygon(base, metal, edge="#4d2d06", width=2, lift=5)
    band = [(292, 96), *curve((292, 96), (371, 112), (450, 96)), (446, 120)]
    band += curve((446, 120), (371, 136), (296, 120))
    p.polygon(band, linear((292, 0), (450, 0), *GOLD), edge="#4d2d06", width=1.6)
    tips = ((284, 40), (334, 28), (372, 20), (414, 32), (462, 44))
    for spot, tone in zip(
        tips, ("#3fa7ff", "#ff5a5a", "#ffffff", "#6fe06f", "#c58bff"), strict=True
    ):
        shine = radial((spot[0] - 2, spot[1] - 2), 9, "#ffffff", tone)
        p.disc(spot, 7, shine, edge="#4d2d06", width=1.2)
    jewels = ((318, "#d81e4a"), (345, "#1d8fd8"), (372, "#1fae5a"), (402, "#d81e4a"))
    for x, tone in jewels:
        y = 115 - 0.0012 * (x - 371) ** 2
        gem = [(x - 9, y), (x, y - 8), (x + 9, y), (x, y + 8)]
        p.polygon(gem, radial((x - 3, y - 3), 12, "#ffffff", tone), lift=1)


def _ribbon(p: Painter) -> None:
    cloth = linear((90, 600), (650, 700), "#f6e6c0", "#fffaf0", "#ecd6a2", "#fff6de")
    for side in (-1, 1):
        x = 370.5 + side * 232
        tail = [(x, 600), (x + side * 86, 588), (x + side * 66, 618)]
        tail += [(x + side * 90, 648), (x, 662)]
        tone = "#b23a3a" if side < 0 else "#8f2f6b"
        p.polygon(tail, linear((x, 590), (x, 660), tone, "#4d1220"), lift=4)
    top = curve((112, 618), (250, 668), (490, 668), (629, 618))
    low = curve((629, 672), (490, 722), (250, 722), (112, 672))
    p.polygon([*top, *low], cloth, edge="#6b4a18", width=2, lift=6)
    p.line([(x, y + 7) for x, y in top[2:-2]], plain("#b8863a"), 1.6)
    p.line([(x, y - 7) for x, y in low[2:-2]], plain("#b8863a"), 1.6)
    motto = "PER TESSERAS AD FORMAM"
    for i, letter in enumerate(motto):
        t = 0.055 + 0.89 * i / (len(motto) - 1)
        x = 112 + (629 - 112) * t
        y = 618 + 3 * 50 * t * (1 - t) + 27
        turn = math.degrees(math.atan2(150 * (1 - 2 * t), 517))
        p.text(letter, (x, y), 27, plain("#4a1526"), turn=turn, bold=0.6)


def _border(p: Painter) -> None:
    mask, pencil = p.mask()
    full = mask.width
    pencil.rectangle((0, 0, full, full), fill=255)
    pencil.rounded_rectangle((48, 48, full - 49, full - 49), 40, fill=0)
    p.shadow(mask, 2, 3, 5, 0.7)
    p.fill(mask, linear((0, 0), (741, 741), *GOLD, *GOLD[1:]))
    gems = ("#e0314b", "#2f7fe0", "#2fae5f", "#e0a92f", "#8d3fd0", "#e86fb0", "#35c6c6")
    for i in range(28):
        side, place = divmod(i, 7)
        along = 62 + 103 * place + (11 if side % 2 else -7)
        spot = ((along, 8), (733, along), (741 - along, 733), (8, 741 - along))[side]
        tone = gems[(i * i + side) % 7]
        shine = radial((spot[0] - 2, spot[1] - 2), 7, "#ffffff", tone)
        p.disc(spot, 5.2, shine, edge="#4d2d06", width=1.2)
