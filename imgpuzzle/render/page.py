"""The guide as one HTML file that needs nothing else, on a phone or a desktop.

The tiles are one picture in the file; the page shows its parts as elements that
slide, and draws all small boards from it as well. Everything that is inserted is
escaped, and a content security policy allows the page's own script only and no
address but ``data:``.
"""

from __future__ import annotations

import dataclasses
import functools
import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from imgpuzzle.core.language import words
from imgpuzzle.core.naming import Naming, capitalised, column_name
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.stages import stage_at
from imgpuzzle.messages import Count, Message
from imgpuzzle.render import shown, templates
from imgpuzzle.render.drawing.hollow import hatched, melts
from imgpuzzle.render.drawing.looks import luminance, needs_outline
from imgpuzzle.render.drawing.painter import check_fit
from imgpuzzle.render.drawing.sprite import GUTTER, Sprite, encode_sprite
from imgpuzzle.render.drawing.style import MOST_AHEAD, Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.sheets.text import claim_words, stage_words

MAX_BOARD_PX = 1440
"""A board of 720 px in CSS on a screen of double density; more is not seen."""

_THUMB_PX, _WIDE_THUMB_PX, _CELL_PX = 96, 160, 12
"""How wide small boards are shown, of many cells, and for each row more than six."""
_MODULES = ("elements.js", "line.js", "stepping.js")
_SHARED = (
    "BoardView, Steps, Tour, drawBoard, drawTile, find, make, markInList, shownMoves"
)
"""What the guide's script takes of these modules."""

_ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    "<rect width='16' height='16' rx='3' fill='#16181d'/>"
    "<path d='M2 2h5.5v5.5H2zM8.5 2H14v5.5H8.5zM2 8.5h5.5V14H2z' fill='#ffb000'/>"
    "</svg>"
)
_CHECK_ICON = "M4 13l5 5L20 6"
_NOTE_ICON = "M12 7v6M12 17v.01M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19"


@dataclasses.dataclass(frozen=True, slots=True)
class _Staging:
    """What the page shows: tiles as large as they are seen, and how they are marked.

    ``framed`` are the start cells of the tiles that get a frame.
    """

    solution: Solution
    tiles: TileSet
    sprite: Sprite
    style: Style
    naming: Naming
    framed: list[int]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [
            column_name(col) if self.naming.letters else str(col)
            for col in range(1, self.tiles.shape.cols + 1)
        ]

    @property
    def reach(self) -> int:
        """How many moves ahead can be shown."""
        return self.style.ahead or MOST_AHEAD


def render_page(
    solution: Solution, tileset: TileSet, style: Style | None = None
) -> str:
    """Return an HTML document (UTF-8) that leads through ``solution``.

    Pictures wider or higher than 1440 px are scaled down. The style's title is the
    heading, else the board's size stands there. What it says of coordinates, numbers
    and moves ahead is shown at first; the reader can switch each on and off. With
    ``"letters"`` columns are called A, B, C, in the sentences too. Its ``frame_ms``
    says how long a step stands while the page plays by itself, ``slide_ms`` how long
    a tile slides.

    Raises ``UsageError`` for a language that is not there, and ``InvalidImageError``
    when the tiles do not fit the board.
    """
    check_fit(solution, tileset)
    style = style or Style()
    tiles = tileset.scaled(MAX_BOARD_PX / max(tileset.height, tileset.width))
    start = solution.start
    if start.has_blank and melts(tiles, start.blank, style):
        pictures = list(tiles.tiles)
        pictures[start.blank] = hatched(pictures[start.blank])
        tiles = dataclasses.replace(tiles, tiles=tuple(pictures))
    scene = _Staging(
        solution,
        tiles,
        encode_sprite(tiles),
        style,
        style.on_tiles(numbered=tileset.has_numbers).naming(),
        framed=[
            cell
            for cell, tile in enumerate(tiles.tiles)
            if needs_outline(tile, style, tiles.background)
        ],
    )
    texts, markup = _texts(scene), _markup(scene)
    return templates.filled("guide.html", style.language, texts, markup)


def _data(scene: _Staging) -> dict[str, Any]:
    """What the page's script is told."""
    solution, tiles, style = scene.solution, scene.tiles, scene.style
    data = {
        "rows": tiles.shape.rows,
        "cols": tiles.shape.cols,
        "labels": list(solution.start.cells),
        "blank": solution.start.blank if solution.start.has_blank else -1,
        **shown.shown_moves(solution, tiles, scene.naming),
        "slides": solution.slide_count,
        # For each move the slide that it is part of, when slides are what counts.
        "slide_of": [n for n, run in enumerate(solution.slides(), 1) for _ in run]
        if solution.in_slides
        else None,
        "column_names": scene.columns,
        "numbered": tiles.has_numbers,
        "tile_width": tiles.tile_width,
        "tile_height": tiles.tile_height,
        "width": tiles.width,
        "height": tiles.height,
        "gap": tiles.gap_px,
        "gutter": GUTTER,
        "background": _hex(tiles.background),
        # Percent of a tile's own size, for slides.
        "step_x": 100 * (tiles.tile_width + tiles.gap_px) / tiles.tile_width,
        "step_y": 100 * (tiles.tile_height + tiles.gap_px) / tiles.tile_height,
        "ahead": scene.reach,
        "frame_ms": style.frame_ms,
        "slide_ms": style.slide_ms,
        "words": _script_words(solution, scene.naming.language),
    }
    if solution.stages:
        data["stages"] = shown.shown_stages(solution, scene.naming)
    return data


def _claim_more(solution: Solution, language: str) -> str:
    """How many slides the moves make, when that is fewer; else nothing.

    Where slides are what counts: that the page goes by single moves all the same.
    """
    if solution.slide_count == solution.move_count:
        return ""
    if solution.in_slides:
        message = words(language).gettext("This page goes by single moves: {moves}.")
        return message.format(moves=solution.move_count)
    slides = Message(Count.SLIDES, count=solution.slide_count).worded(words(language))
    message = words(language).gettext("{slides} when tiles in a line move at once")
    return message.format(slides=slides)


def _script_words(solution: Solution, language: str) -> dict[str, object]:
    """The messages that the page's script fills in while it runs."""
    catalogue = words(language)
    _ = catalogue.gettext
    count = solution.move_count
    after = catalogue.ngettext(
        "Solved after {count} move", "Solved after {count} moves", count
    )
    return {
        "step": _("Single move {number} of {count}")
        if solution.in_slides
        else _("Step {number} of {count}"),
        "slide": _("Slide {number} of {count}"),
        "solved": _("Solved"),
        "reached": _("Goal reached"),
        "solved_after": after.format(count=count)
        if count
        else _("Nothing is left to do"),
        "play": _("Play"),
        "pause": _("Pause"),
        "empty": _("empty"),
        "board": _("The board, row by row: {rows}"),
        "homes": _("The board, row by row, by where each tile belongs: {rows}"),
        "cell": _("Row {row}, column {column}"),
        "shown": _("{shown} of {total} positions"),
    }


def _texts(scene: _Staging) -> dict[str, str]:
    """What stands on the page as text, by the names of the template."""
    solution, style, naming = scene.solution, scene.style, scene.naming
    language = naming.language
    texts = _script_words(solution, language)
    next_moves = words(language).ngettext(
        "Show the move after it", "Show the next {count} moves", scene.reach
    )
    first = next(solution.steps(), None)
    count = len(solution.moves)
    # One in stages is as long as was asked for.
    proven = solution.is_optimal or not count or solution.in_stages
    step_text = str(texts["step"] if count else texts["reached"])
    first_words = str(texts["solved_after"])
    if first is not None:
        first_words = capitalised(first.told(naming))
    board = str(texts["board" if naming.numbers else "homes"])
    rows = "; ".join(
        " ".join(str(label or texts["empty"]) for label in row)
        for row in solution.start.rows()
    )
    looks = {
        "still solved": not count,
        "lifting": style.brighten,
        "arrowless": not style.arrow,
    }
    return {
        "ahead": next_moves.format(count=scene.reach),
        "language": language,
        "title": style.title or solution.title.worded(words(language)),
        "icon": templates.data_uri("image/svg+xml", _ICON.encode()),
        "claim": claim_words(solution, language),
        "claim_class": "good" if proven else "care",
        "claim_icon": _CHECK_ICON if proven else _NOTE_ICON,
        "count": step_text.format(number=1, count=count),
        "first_words": first_words,
        "board_label": board.format(rows=rows),
        "moves": str(count),
        "example": str(min(12, max(1, count))),
        "script_hash": templates.script_hash(_script()),
        "scheme": templates.scheme(style.theme),
        "body_class": " ".join(name for name, is_so in looks.items() if is_so),
    }


def _markup(scene: _Staging) -> dict[str, str]:
    """What is inserted as it is: style, script, data and elements."""
    solution, tiles, style = scene.solution, scene.tiles, scene.style
    more = _claim_more(solution, scene.naming.language)
    rules = templates.data_file("player.css") + "\n" + templates.data_file("guide.css")
    first = next(solution.steps(), None)
    look = shown.look_of(first, tiles) if first else shown.ShownArrow(0, "", 0.0)
    row, col = tiles.shape.row_col(look.cell)
    turned = f"--r:{row};--c:{col};--turn:{look.turn}deg"
    chapter = remark = ""
    if solution.stages:
        # What to do in the first stage; the script goes on from there.
        explained = solution.stages[0].explained(solution.goal, scene.naming)
        chapter = f'<p class="chapter" id="chapter">{html.escape(explained)}</p>'
    if style.remark:
        remark = (
            '<p class="claim care">'
            '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">'
            f'<path d="{_NOTE_ICON}"/></svg>{_spans([style.remark])}</p>'
        )
    return {
        "style": templates.themed(rules, style.theme),
        "geometry": _geometry(tiles, scene.sprite),
        "script": _script(),
        "data": _json(_data(scene)),
        "claim_more": f'<p class="claim-more">{html.escape(more)}</p>' if more else "",
        "chapter": chapter,
        "remark": remark,
        "columns": _spans(scene.columns),
        "rows": _spans(str(row + 1) for row in range(tiles.shape.rows)),
        "tiles": _tiles(scene),
        "arrow": f'style="{turned}"' if first else 'hidden style="--r:0;--c:0"',
        "arrow_path": look.path,
        "arrow_times": shown.times_words(look.times),
        "moves_list": "\n".join(_items(solution, scene.naming)),
        "numbers_checked": " checked" if style.numbers else "",
        "coordinates_checked": " checked" if style.coordinates != "none" else "",
        "ahead_checked": " checked" if style.ahead else "",
    }


@functools.cache
def _script() -> str:
    """The page's script, in a scope of its own.

    What it shares with the page of the server are modules there, and a function here.
    """
    modules = "\n".join(templates.data_file(name) for name in _MODULES)
    shared = re.sub(r"^import .*\n|^export ", "", modules, flags=re.MULTILINE)
    parts = [
        f"const {{ {_SHARED} }} = (() => {{\n{shared}\nreturn {{ {_SHARED} }};\n}})();",
        templates.data_file("guide.js"),
        templates.data_file("guide_views.js"),
    ]
    return "{\n" + "\n\n".join(parts) + "\n}"


def _json(value: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _hex(colour: Iterable[int]) -> str:
    return "#" + "".join(f"{value:02x}" for value in colour)


def _items(solution: Solution, naming: Naming) -> Iterator[str]:
    """The list of moves for a browser without scripts."""
    for step in solution.steps():
        text = capitalised(step.told(naming))
        stage = stage_at(solution.stages, step.number)
        lead = ""
        if stage is not None and stage.first_move == step.number:
            lead = html.escape(" ".join(stage_words(solution, stage, naming)))
            lead = f"<strong>{lead}</strong><br>"
        yield f"<li>{lead}{html.escape(text)}</li>"


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.5f}%" if whole else "0%"


def _geometry(tiles: TileSet, sprite: Sprite) -> str:
    """Style rules with the picture, the board's measures in shares of it, and marks."""
    wide, high = tiles.tile_width, tiles.tile_height
    floor = luminance(np.array(tiles.background))
    thumb = _THUMB_PX + _CELL_PX * max(0, max(tiles.shape.rows, tiles.shape.cols) - 6)
    values = {
        "--ratio": f"{tiles.width / tiles.height:.6f}",
        "--floor": _hex(tiles.background),
        # Whichever reads better, 4.5 to 1 or more on any colour: both contrasts are
        # equal at a relative luminance of 0.179.
        "--on-floor": "#000000" if floor > 0.179 else "#ffffff",
        "--columns": str(tiles.shape.cols),
        "--tile-x": _percent(wide, tiles.width),
        "--tile-y": _percent(high, tiles.height),
        "--step-x": _percent(wide + tiles.gap_px, tiles.width),
        "--step-y": _percent(high + tiles.gap_px, tiles.height),
        "--gap-x": _percent(tiles.gap_px, tiles.width),
        "--gap-y": _percent(tiles.gap_px, tiles.height),
        "--short": f"{100 * min(wide, high) / tiles.width:.5f}",
        "--thumb": f"{min(_WIDE_THUMB_PX, thumb)}px",
    }
    rules = "".join(f"{name}: {value}; " for name, value in values.items())
    size = f"{_percent(sprite.width, wide)} {_percent(sprite.height, high)}"
    picture = templates.data_uri("image/webp", sprite.data)
    return (
        f":root {{ {rules}}}\n"
        f'.tile, .hollow {{ background-image: url("{picture}"); '
        f"background-size: {size}; }}"
    )


def _tiles(scene: _Staging) -> str:
    """The elements of the start position: tiles, and the hollow below twice.

    Twice because a tile that slides uncovers the cell it leaves before it covers
    the one it goes to.
    """
    solution, sprite = scene.solution, scene.sprite
    first = next(solution.steps(), None)
    marked = {motion.origin for motion in first.motions} if first else set()
    shape = scene.tiles.shape
    rows, cols = shape.rows, shape.cols
    pitch_x, pitch_y = sprite.width / cols, sprite.height / rows
    free_x = sprite.width - (pitch_x - 2 * GUTTER)
    free_y = sprite.height - (pitch_y - 2 * GUTTER)
    lines = []
    for cell, label in enumerate(solution.start.cells):
        row, col = shape.row_col(cell)
        x = _percent(col * pitch_x + GUTTER, free_x)
        y = _percent(row * pitch_y + GUTTER, free_y)
        style = f"--r:{row};--c:{col};background-position:{x} {y}"
        if label == 0:
            lines += [f'<div class="hollow" style="{style}"></div>'] * 2
            continue
        name = "tile framed" if cell in scene.framed else "tile"
        name += " next" if cell in marked else ""
        levels = scene.style.brighten
        if levels:
            style += f";--lift:rgb({levels} {levels} {levels})"
        lines.append(
            f'<div class="{name}" data-tile="{cell}" style="{style}">'
            f"<b>{label}</b></div>"
        )
    if not solution.start.has_blank:
        # Below tiles that change places there is bare ground.
        bare = '<div class="hollow bare" style="--r:0;--c:0"></div>'
        lines += [bare] * max((len(one.motions) for one in solution.steps()), default=0)
    return "\n".join(lines)


def _spans(texts: Iterable[str]) -> str:
    return "".join(f"<span>{html.escape(text)}</span>" for text in texts)
