"""``imgpuzzle review``: a game as it was played, from a recording of it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imgpuzzle.cli import options, speech, values
from imgpuzzle.cli.looking import fps_option, reading_options
from imgpuzzle.cli.speech import gettext as _
from imgpuzzle.cli.terminal import say, say_json
from imgpuzzle.core.options import ReadOptions
from imgpuzzle.errors import SourceLostError
from imgpuzzle.messages import LiveFault, Message

if TYPE_CHECKING:
    from imgpuzzle.live.watch.review import Game

__all__ = ["command"]


@click.command("review", cls=options.PuzzleCommand)
@click.argument("recording", type=values.PathType())
@reading_options
@fps_option()
@click.option(
    "-o",
    "--output",
    type=values.PathType(),
    metavar="DIR",
    help="Write a page with a player, a picture of the moves left, and the shortest "
    "way as a GIF.",
)
@options.language_option
@options.json_option
def command(given: options.Given) -> None:
    """Say how a game was played, from a RECORDING of it.

    RECORDING is a GIF, a film (MP4, WebM ...; pip install "imgpuzzle[video]") or a
    folder of pictures. Each move has its time; those that led away from the goal are
    marked, by the shortest ways that are known. Where a recording does not show how
    one position became another, or a new game begins, a new part begins: nothing is
    guessed.
    """
    from imgpuzzle.files.folder import check_folder
    from imgpuzzle.live.sources import Recording
    from imgpuzzle.live.watch.review import games_of
    from imgpuzzle.live.watch.watching import Watcher

    output = given.output
    if output is not None:
        check_folder(output)
    watcher = Watcher(
        Recording(given.recording, given.fps),
        reference=given.reference,
        options=given.of(ReadOptions),
        trust=given.trust,
        is_planned=False,
    )
    parts = games_of(watcher.events())
    if not parts:
        raise watcher.refused or SourceLostError(Message(LiveFault.NEVER_SEEN))
    for part in parts:
        part.judge()
    lines = [line for number in range(len(parts)) for line in _lines(parts, number)]
    if output is not None:
        _write(output, max(parts, key=lambda part: len(part.boards)), lines)
    if given.as_json:
        say_json({"parts": [part.to_dict() for part in parts]})
        return
    for line in lines:
        say(line)


def _lines(parts: Sequence[Game], number: int) -> list[str]:
    """One part of a recording in words."""
    from imgpuzzle.core.naming import Naming, capitalised

    game = parts[number]
    count = len(game.boards) - 1
    lines = []
    since, first_at = game.unknown_since, f"{game.times[0]:.1f}"
    if number:
        lines.append("")
    if since is not None:
        hidden = _("From {since} s to {at} s it cannot be seen how the tiles lie.")
        lines.append(hidden.format(since=f"{since:.1f}", at=first_at))
    elif number:
        begins = _("From {at} s on: another game, or a gap in the recording.")
        lines.append(begins.format(at=first_at))
    head = _("{grid} puzzle: {moves} made").format(
        grid=game.reading.shape, moves=speech.moves(count)
    )
    if count and game.seconds:
        rate = _("{seconds} s, {rate} a second")
        words = rate.format(
            seconds=f"{game.seconds:.1f}", rate=f"{count / game.seconds:.1f}"
        )
        head = f"{head}, {words}"
    lines += [f"{head}.", *str(game.boards[0]).splitlines()]
    if game.best is None:
        lines.append(_("No moves lead from here to the goal."))
    elif game.best.is_optimal:
        fewest = _("The fewest possible from there: {moves}.")
        lines.append(fewest.format(moves=speech.moves(game.best.move_count)))
    else:
        fewest = _("The fewest known from there: {moves}; at least {bound} are needed.")
        words = speech.moves(game.best.move_count)
        bound = speech.number(game.best.lower_bound)
        lines.append(fewest.format(moves=words, bound=bound))
    if count and game.is_solved:
        lines.append(_("Solved."))
    naming, away = Naming(speech.language(), game.reading.numbered), set(game.lost)
    for step in game.played.steps():
        notes = []
        if step.number in away:
            notes.append(_("away from the goal"))
        if step.number in game.inferred:
            notes.append(_("inferred"))
        note = f"  ({', '.join(notes)})" if notes else ""
        when = f"{game.times[step.number]:.1f} s"
        move = capitalised(naming.move(step))
        lines.append(f"{step.number:4}  {when:>8}  {move}{note}")
    if game.worst is not None:
        first, last, lost = game.worst
        words = _("Most was lost from move {first} to {last}: {moves}.")
        lines.append(words.format(first=first, last=last, moves=speech.moves(lost)))
    if away and not game.is_proven:
        lines.append(_("Whether a move led away is said as far as it is known."))
    for at, long in game.pauses:
        words = _("A pause of {seconds} s at {at} s.")
        lines.append(words.format(seconds=f"{long:.1f}", at=f"{at:.1f}"))
    if count:
        lines.append(_("Solution: {letters}").format(letters=game.letters))
    if game.replay is not None:
        lines.append(_("Replay: {link}").format(link=game.replay))
    return lines


def _write(output: Path, game: Game, lines: Sequence[str]) -> None:
    """The page, its player, the picture and the shortest way, all or none of them."""
    from imgpuzzle.files.folder import Delivery
    from imgpuzzle.fleet.plots import plot_left
    from imgpuzzle.guide import Guide

    output.mkdir(parents=True, exist_ok=True)
    with Delivery() as delivery:
        shown = ""
        if game.left and game.best is not None:
            words = _("moves left"), _("seconds"), _("away from the goal")
            picture = plot_left(game.times, game.left, game.lost, words)["png"]
            delivery.add_file(output / "moves.png", picture)
            shown += '<img src="moves.png" alt="">\n'
            best = Guide(game.best, game.reading)
            best.add(delivery, output / "shortest.gif")
        if len(game.boards) > 1:
            Guide(game.played, game.reading).add(delivery, output / "played.html")
            shown += '<iframe src="played.html"></iframe>\n'
        if game.best is not None:
            shown += '<img class="way" src="shortest.gif" alt="">\n'
        text = html.escape("\n".join(lines))
        page = PAGE.format(language=speech.language(), shown=shown, text=text)
        delivery.add_file(output / "review.html", page.encode())
        delivery.finish()


PAGE = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><title>imgpuzzle review</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; }}
img {{ max-width: 100%; }} img.way {{ max-width: 20rem; }}
iframe {{ width: 100%; height: 44rem; border: 1px solid #bbb; border-radius: .5rem; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
</style>
{shown}<pre>{text}</pre>
</html>
"""
