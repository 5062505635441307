"""What is said of a game as it was played, and the page that shows it."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from imgpuzzle.core.language import words
from imgpuzzle.core.naming import Naming, capitalised, moves_words, number_words
from imgpuzzle.core.options import SaveOptions
from imgpuzzle.files.temporary import in_memory
from imgpuzzle.guide import Guide
from imgpuzzle.live.watch.review import Game
from imgpuzzle.outputs import make
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.templates import data_uri

PAGE_NAME = "review.html"


@dataclass(frozen=True, slots=True)
class Told:
    """One part of a recording in words.

    Attributes:
        head: How many moves, in what time; before it, from when on another part begins.
        start: The first position, as numbers.
        facts: What is known of the way from its start.
        moves: A line for each move.
        rest: Where most was lost, pauses, and the moves as text.
    """

    head: list[str]
    start: str
    facts: list[str]
    moves: list[str]
    rest: list[str]

    @property
    def lines(self) -> list[str]:
        """All of it, as a terminal shows it."""
        board = self.start.splitlines()
        return [*self.head, *board, *self.facts, *self.moves, *self.rest]


def told(parts: Sequence[Game], number: int, language: str) -> Told:
    """Word a part, which ``judge`` was called of."""
    _ = words(language).gettext
    game, count = parts[number], len(parts[number].boards) - 1
    since, first_at = game.unknown_since, f"{game.times[0]:.1f}"
    head, facts, moves, rest = [], [], [], []
    if since is not None:
        hidden = _("From {since} s to {at} s it cannot be seen how the tiles lie.")
        head.append(hidden.format(since=f"{since:.1f}", at=first_at))
    elif number:
        begins = _("From {at} s on: another game, or a gap in the recording.")
        head.append(begins.format(at=first_at))
    made = _("{grid} puzzle: {moves} made").format(
        grid=game.reading.shape, moves=moves_words(count, language)
    )
    if count and game.seconds:
        rate = _("{seconds} s, {rate} a second")
        seconds, often = f"{game.seconds:.1f}", f"{count / game.seconds:.1f}"
        made = f"{made}, {rate.format(seconds=seconds, rate=often)}"
    head.append(f"{made}.")
    if game.best is None:
        facts.append(_("No moves lead from here to the goal."))
    elif game.best.is_optimal:
        fewest = _("The fewest possible from there: {moves}.")
        facts.append(fewest.format(moves=moves_words(game.best.move_count, language)))
    else:
        fewest = _("The fewest known from there: {moves}; at least {bound} are needed.")
        best, bound = (
            game.best.move_count,
            number_words(game.best.lower_bound, language),
        )
        facts.append(fewest.format(moves=moves_words(best, language), bound=bound))
    if count and game.is_solved:
        facts.append(_("Solved."))
    naming, away = Naming(language, game.reading.numbered), set(game.lost)
    for step in game.played.steps():
        notes = []
        if step.number in away:
            notes.append(_("away from the goal"))
        if step.number in game.inferred:
            notes.append(_("inferred"))
        note = f"  ({', '.join(notes)})" if notes else ""
        when = _("{seconds} s").format(seconds=f"{game.times[step.number]:.1f}")
        move = capitalised(step.told(naming))
        moves.append(f"{step.number:4}  {when:>8}  {move}{note}")
    if game.worst is not None:
        first, last, lost = game.worst
        most = _("Most was lost from move {first} to {last}: {moves}.")
        rest.append(
            most.format(first=first, last=last, moves=moves_words(lost, language))
        )
    if away and not game.is_proven:
        rest.append(_("Whether a move led away is said as far as it is known."))
    for at, long in game.pauses:
        pause = _("A pause of {seconds} s at {at} s.")
        rest.append(pause.format(seconds=f"{long:.1f}", at=f"{at:.1f}"))
    if count:
        said = _("Solution: {letters}") if game.is_solved else _("Moves: {letters}")
        rest.append(said.format(letters=game.letters))
    if game.replay is not None:
        rest.append(_("Replay: {link}").format(link=game.replay))
    return Told(head, str(game.boards[0]), facts, moves, rest)


def files_of(game: Game, lines: Sequence[str], language: str) -> dict[str, bytes]:
    """The page, which needs no other file, and its parts, by their names.

    Args:
        game: The part of the recording that is shown, which ``judge`` was called of.
        lines: What is said on the page.
        language: Of the page's words.
    """
    _ = words(language).gettext
    found: dict[str, bytes] = {}
    shown = ""
    style = Style(language=language)
    played = _("The game as it was played")
    if game.left and game.best is not None:
        found["moves.svg"] = plot(game, language)
        shown += f'<img src="{data_uri("image/svg+xml", found["moves.svg"])}" alt="">\n'
    if len(game.boards) > 1:
        guide = Guide(game.played, game.reading)
        made = _made(guide, ".html", replace(style, title=played))
        found["played.html"] = made
        shown += f'<iframe srcdoc="{html.escape(made.decode())}"></iframe>\n'
    if game.best is not None:
        made = _made(Guide(game.best, game.reading), ".gif", style)
        found["shortest.gif"] = made
        shown += f"<h2>{_('The shortest way known from its start')}</h2>\n"
        shown += f'<img class="way" src="{data_uri("image/gif", made)}" alt="">\n'
    text = html.escape("\n".join(lines))
    page = _PAGE.format(language=language, title=played, shown=shown, text=text)
    return {PAGE_NAME: page.encode(), **found}


WAY_PX = 480
"""Of the longer side of the shortest way's pictures."""


def _made(guide: Guide, suffix: str, style: Style) -> bytes:
    ((_, content),) = make(guide, suffix, style, SaveOptions(size=WAY_PX))
    return in_memory(content)


WIDE, HIGH = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 24, 50
_LINES = 6
"""At most so many lines of a scale."""


def plot(game: Game, language: str) -> bytes:
    """The moves left while a game was played, as SVG; those that lost are marked."""
    _ = words(language).gettext
    begins, ends = game.times[0], max(game.times[-1], game.times[0] + 0.1)
    # Room above the highest, whose mark would be cut off.
    top = max(1.0, 1.06 * max(game.left))

    def x(seconds: float) -> float:
        share = (seconds - begins) / (ends - begins)
        return round(_LEFT + share * (WIDE - _LEFT - _RIGHT), 1)

    def y(left: float) -> float:
        return round(HIGH - _BOTTOM - left / top * (HIGH - _TOP - _BOTTOM), 1)

    parts = []
    for one in _scale(0, top):
        parts.append(f'<path class="line" d="M{_LEFT} {y(one)}H{WIDE - _RIGHT}"/>')
        parts.append(
            f'<text x="{_LEFT - 8}" y="{y(one) + 4}" class="end">{one:g}</text>'
        )
    for one in _scale(begins, ends):
        place = f'x="{x(one)}" y="{HIGH - _BOTTOM + 20}"'
        parts.append(f'<text {place} class="middle">{one:g}</text>')
    steps = "".join(
        f"H{x(at)}V{y(left)}"
        for at, left in zip(game.times[1:], game.left[1:], strict=True)
    )
    way = f"M{x(begins)} {y(game.left[0])}{steps}H{x(ends)}"
    parts.append(f'<path class="way" d="{way}"/>')
    for number in game.lost:
        place = f'cx="{x(game.times[number])}" cy="{y(game.left[number])}"'
        parts.append(f'<circle {place} r="4"/>')
    named = [(_LEFT, _TOP - 8, "", _("moves left"))]
    named.append((WIDE - _RIGHT, HIGH - 6, "end", _("seconds")))
    if game.lost:
        parts.append(f'<circle cx="{WIDE - _RIGHT - 4}" cy="{_TOP - 12}" r="4"/>')
        named.append((WIDE - _RIGHT - 16, _TOP - 8, "end", _("away from the goal")))
    for left, base, kind, text in named:
        place = f'x="{left}" y="{base}" class="{kind}"'
        parts.append(f"<text {place}>{html.escape(text)}</text>")
    return _PLOT.format(wide=WIDE, high=HIGH, parts="\n".join(parts)).encode()


def _scale(low: float, high: float) -> list[float]:
    """Round numbers between the two, not many."""
    raw = (high - low) / _LINES
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * many for many in (1, 2, 5, 10) if unit * many >= raw)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(number * step, 6) for number in range(first, last + 1)]


_PLOT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">
<style>
text {{ font: 13px system-ui, sans-serif; fill: #444; }}
.end {{ text-anchor: end; }} .middle {{ text-anchor: middle; }}
.line {{ stroke: #ddd; }} .way {{ fill: none; stroke: #1f5fbf; stroke-width: 2; }}
circle {{ fill: #c2571a; }} rect {{ fill: #fff; }}
@media (max-width: 30rem) {{ text {{ font-size: 20px; }} }}
@media (prefers-color-scheme: dark) {{
  text {{ fill: #bbb; }} .line {{ stroke: #444; }} rect {{ fill: #121212; }}
  .way {{ stroke: #7ab0ff; }} circle {{ fill: #ff9a5c; }}
}}
</style>
<rect width="{wide}" height="{high}"/>
{parts}
</svg>
"""

_PAGE = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><title>imgpuzzle review</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem;
  padding: 0 1rem; }}
img {{ max-width: 100%; }} img.way {{ max-width: min(100%, 20rem); }}
h1, h2 {{ font-size: 1.4rem; line-height: 1.2; }} h2 {{ font-size: 1.1rem; }}
iframe {{ width: 100%; height: 44rem; border: 1px solid #bbb; border-radius: .5rem; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem;
  overflow: auto; border: 1px solid #bbb; border-radius: .5rem; padding: .5rem 1rem; }}
</style>
<h1>{title}</h1>
<pre>{text}</pre>
{shown}</html>
"""
