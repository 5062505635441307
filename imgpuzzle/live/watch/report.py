"""What is said of a game as it was played, and the guide that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from imgpuzzle.core.language import words
from imgpuzzle.core.naming import (
    Naming,
    capitalised,
    moves_words,
    number_words,
    tenths_words,
)
from imgpuzzle.errors import UsageError
from imgpuzzle.guide import Guide
from imgpuzzle.live.watch.review import Game
from imgpuzzle.render.drawing.style import Style


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
    unit = game.played.counted.kind

    def moves_of(count: int) -> str:
        return moves_words(count, language, unit)

    def tenths(value: float) -> str:
        return tenths_words(value, language)

    since, first_at = game.unknown_since, tenths(game.times[0])
    head, facts, moves, rest = [], [], [], []
    if since is not None:
        hidden = _("From {since} s to {at} s it cannot be seen how the tiles lie.")
        head.append(hidden.format(since=tenths(since), at=first_at))
    elif number:
        begins = _("From {at} s on: another game, or a gap in the recording.")
        head.append(begins.format(at=first_at))
    made = _("{grid} puzzle: {moves} made").format(
        grid=game.reading.shape, moves=moves_of(count)
    )
    if count and game.seconds:
        rate = _("{seconds} s, {rate} a second")
        seconds, often = tenths(game.seconds), tenths(count / game.seconds)
        made = f"{made}, {rate.format(seconds=seconds, rate=often)}"
    head.append(f"{made}.")
    if game.best is None:
        facts.append(_("No moves lead from here to the goal."))
    elif game.best.is_optimal:
        fewest = _("The fewest possible from there: {moves}.")
        facts.append(fewest.format(moves=moves_of(game.best.move_count)))
    else:
        fewest = _("The fewest known from there: {moves}; at least {bound} are needed.")
        best, bound = moves_of(game.best.move_count), game.best.lower_bound
        facts.append(fewest.format(moves=best, bound=number_words(bound, language)))
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
        when = _("{seconds} s").format(seconds=tenths(game.times[step.number]))
        move = capitalised(step.told(naming))
        moves.append(f"{step.number:4}  {when:>8}  {move}{note}")
    if game.worst is not None:
        first, last, lost = game.worst
        most = _("Most was lost from move {first} to {last}: {moves}.")
        if first == last:
            most = _("Most was lost at move {first}: {moves}.")
        rest.append(most.format(first=first, last=last, moves=moves_of(lost)))
    if away and not game.is_proven:
        rest.append(_("Whether a move led away is said as far as it is known."))
    for at, long in game.pauses:
        pause = _("A pause of {seconds} s at {at} s.")
        rest.append(pause.format(seconds=tenths(long), at=tenths(at)))
    if count:
        said = _("Solution: {letters}") if game.is_solved else _("Moves: {letters}")
        rest.append(said.format(letters=game.letters))
    if game.replay is not None:
        rest.append(_("Replay: {link}").format(link=game.replay))
    return Told(head, str(game.boards[0]), facts, moves, rest)


def guide_of(game: Game, language: str) -> tuple[Guide, Style]:
    """The moves as they were made, as a guide; the shortest way where none was made.

    What is known of the game stands beside the proof. ``judge`` was called of it.

    Raises:
        UsageError: Where nothing was moved, and no moves lead to the goal.
    """
    _ = words(language).gettext
    style = Style(language=language)
    if len(game.boards) > 1:
        said = told([game], 0, language)
        remark = " ".join((*said.facts, *said.rest[:1])) if game.lost else ""
        title = _("The game as it was played")
        style = replace(style, title=title, remark=remark or " ".join(said.facts))
        return Guide(game.played, game.reading), style
    if game.best is None:
        raise UsageError.said("expected a game with moves to write, found none")
    return Guide(game.best, game.reading), style
