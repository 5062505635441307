"""A solution in words: as a text file for people, and as Markdown for writers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from imgpuzzle.core.board import Board
from imgpuzzle.core.language import words
from imgpuzzle.core.moves import told_together
from imgpuzzle.core.naming import Naming, capitalised
from imgpuzzle.core.solution import Solution

if TYPE_CHECKING:
    from imgpuzzle.core.stages import Stage

_LINE = 72
"""Letters in a line of a text file."""


def moves_text(
    solution: Solution,
    naming: Naming,
    *,
    title: str = "",
    remark: str = "",
    pictures: Sequence[str] = (),
) -> str:
    """The contents of ``moves.txt``: what was found, each move in words, summaries.

    The letters name the way each TILE moves (U D L R, in every language), in
    groups of five. Tiles are called as ``naming`` has it; the last lines are these
    names alone, in the order of the moves. A ``title`` comes first, and a ``remark``
    after what is proven. There is no place for ``pictures``.
    """
    _ = words(naming.language).gettext
    blocks = [[" ".join(title.split())]] if title.strip() else []
    blocks.append(
        [claim_words(solution, naming.language), *([remark] if remark else [])]
    )
    if not naming.numbers:
        zero = [_("0 is the empty cell.")] if solution.start.has_blank else []
        blocks.append([_homes_words(naming.language), *zero])
    for heading, board in ((_("Start"), solution.start), (_("Goal"), solution.goal)):
        lines = (f"  {line}" for line in str(board).splitlines())
        blocks.append([f"{heading}:", *lines])
    return _joined([*blocks, *move_blocks(solution, naming)])


def move_blocks(
    solution: Solution, naming: Naming, most: int | None = None
) -> Iterator[list[str]]:
    """The moves in words below a heading, or below those of stages; then in short.

    With ``most`` they are told in one way only, and more of them in short alone.
    """
    chapters = _chapters(solution, naming)
    is_told = most is None or solution.run_count <= most
    lists = _lists(solution, naming)[: most and 1] if is_told else []
    for heading, sentences in lists:
        digits = len(str(len(sentences)))
        moves = [f"{n:>{digits}}. {text}" for n, text in enumerate(sentences, 1)]
        for begin, end in itertools.pairwise([*(chapters or [1]), len(moves) + 1]):
            above = _above(chapters[begin]) if chapters else [f"{heading}:"]
            yield [*above, *moves[begin - 1 : end - 1]]
        chapters = {}
    yield from map(_above, chapters.values())
    for heading, parts in _short(solution, naming):
        yield [heading, *_wrapped(parts, 2)]


def _above(chapter: Sequence[str]) -> list[str]:
    name, explained = chapter
    return [name, *_wrapped(explained.split(), 2)]


def moves_markdown(
    solution: Solution,
    naming: Naming,
    *,
    title: str = "",
    remark: str = "",
    pictures: Sequence[str] = (),
) -> str:
    """A solution as Markdown, for those who write a guide to a game.

    The same as ``moves_text``, with a heading (``title``, or the size of the board) and
    start and goal as tables with their rows and columns numbered. Tables are those of
    GitHub's Markdown (GFM, section 4.10); lines do not end in spaces.

    ``pictures`` are the names of the step pictures that lie beside the text, the
    solved board's last: each move is then followed by its picture.
    """
    language = naming.language
    _ = words(language).gettext
    heading = solution.title.worded(words(language))
    blocks = [["# " + (_escaped(title) if title.strip() else heading)]]
    blocks.append([claim_words(solution, language)])
    blocks += [[_escaped(remark)]] if remark else []
    blocks += [] if naming.numbers else [[_homes_words(language)]]
    for heading, board in ((_("Start"), solution.start), (_("Goal"), solution.goal)):
        blocks += [[f"## {heading}"], _table(board)]
    chapters = _chapters(solution, naming)
    for heading, sentences in _lists(solution, naming):
        blocks.append([f"## {heading}"])
        moves = [f"{n}. {capitalised(text)}." for n, text in enumerate(sentences, 1)]
        blocks += _told(moves, pictures, chapters, language)
        # Pictures and chapters go with what they count, which is first.
        pictures, chapters = (), {}
    blocks += [["## " + _("In short")]] if solution.moves else []
    for heading, parts in _short(solution, naming):
        blocks += [[heading], ["```", *_wrapped(parts, 0), "```"]]
    return _joined(blocks)


def _joined(blocks: Iterable[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _chapters(solution: Solution, naming: Naming) -> dict[int, list[str]]:
    """The words of the stages by their first moves."""
    stages = solution.stages
    return {one.first_move: stage_words(solution, one, naming) for one in stages}


def _lists(solution: Solution, naming: Naming) -> list[tuple[str, list[str]]]:
    """The moves in words, with a heading: by what counts, then the other way.

    Where slides are not what counts, each says for which moves it stands.
    """
    if not solution.moves:
        return []
    _ = words(naming.language).gettext
    slide = solution.in_slides
    heading = _("One tile at a time") if slide else _("Moves")
    single = heading, [step.told(naming) for step in solution.steps()]
    if solution.slide_count == solution.move_count:
        return [single]
    runs = []
    for steps in solution.slides():
        numbers = span_words(steps[0].number, steps[-1].number, naming.language)
        told = told_together(steps, naming)
        runs.append(told if slide else f"{told} ({numbers})")
    together = _("With tiles in a line moved at once"), runs
    return [together, single] if slide else [single, together]


def _short(solution: Solution, naming: Naming) -> list[tuple[str, list[str]]]:
    """Letters and names of the moves, with headings."""
    if not solution.moves:
        return []
    _ = words(naming.language).gettext
    named, otherwise = (
        [step.called(naming._replace(numbers=numbers)) for step in solution.steps()]
        for numbers in (naming.numbers, not naming.numbers)
    )
    heading = _("The cells to click in this order (columns A, B ..., rows 1, 2 ...):")
    if named == otherwise:
        # Lines, or blocks of tiles.
        heading = _("The moves in this order:")
    elif naming.numbers:
        heading = _("The tiles in this order:")
    names = heading, named
    if not solution.letters:
        return [names]
    letters = letter_groups(solution.letters)
    heading = _("The way each tile moves (U up, D down, L left, R right):")
    return [(heading, letters), names]


def claim_words(solution: Solution, language: str = "en") -> str:
    """How long the solution is, and whether it is proven that none is shorter."""
    catalogue = words(language)
    _ = catalogue.gettext
    if not solution.moves:
        return _("Solved already: no move is needed.")
    if solution.in_stages:
        return solution.price(language)
    amount, bound = solution.counted.worded(catalogue), solution.lower_bound
    if solution.in_slides:
        count = solution.move_count
        single = catalogue.ngettext(
            "{count} single move", "{count} single moves", count
        )
        amount = _("{slides} ({moves})").format(
            slides=amount, moves=single.format(count=count)
        )
    if solution.is_optimal:
        return _("{moves}, proven shortest").format(moves=amount)
    if bound < 1:
        return _("{moves}, not proven shortest").format(moves=amount)
    return catalogue.ngettext(
        "{moves}, not proven shortest: at least {bound} is needed",
        "{moves}, not proven shortest: at least {bound} are needed",
        bound,
    ).format(moves=amount, bound=bound)


def stage_words(solution: Solution, stage: Stage, naming: Naming) -> list[str]:
    """A stage's name and moves, and what to do in it."""
    heading = stage.heading(solution.start.shape, naming)
    return [heading, stage.explained(solution.goal, naming)]


def span_words(first: int, last: int, language: str, *, slides: bool = False) -> str:
    """``"move 4"`` or ``"moves 4 to 6"``, or with ``slides`` these."""
    _ = words(language).gettext
    if first == last:
        message = _("slide {number}") if slides else _("move {number}")
        return message.format(number=first)
    message = _("slides {first} to {last}") if slides else _("moves {first} to {last}")
    return message.format(first=first, last=last)


def page_heading(
    number: int, count: int, steps: Sequence[int], language: str, *, slides: bool
) -> str:
    """``"Page 2 of 7: moves 21 to 40"``, or with ``slides`` these."""
    _ = words(language).gettext
    page = _("Page {number} of {count}").format(number=number, count=count)
    moves = _moves_on(steps, language, slides=slides)
    return f"{page}: {moves}" if moves else page


def page_name(steps: Sequence[int], language: str, *, slides: bool) -> str:
    """``"Moves 1 to 20"``, or ``"Solved"``."""
    moves = _moves_on(steps, language, slides=slides)
    return capitalised(moves) or words(language).gettext("Solved")


def _moves_on(steps: Sequence[int], language: str, *, slides: bool) -> str:
    """``"moves 21 to 40"`` for the panels of a page; empty where it has none."""
    if not any(steps):
        return ""
    return span_words(steps[0], max(steps), language, slides=slides)


def letter_groups(letters: str) -> list[str]:
    """The letters in groups that the eye can count; the last may be shorter."""
    return [letters[i : i + 5] for i in range(0, len(letters), 5)]


def _homes_words(language: str) -> str:
    """What the numbers of boards mean where tiles do not show them."""
    _ = words(language).gettext
    return _("The numbers say where each tile belongs: cells are counted row by row.")


def in_lines(parts: Iterable[str], fits: Callable[[str], bool]) -> list[str]:
    """Parts that are never broken, as many on each line as fit; one is always there."""
    lines: list[str] = []
    line = ""
    for part in parts:
        longer = f"{line} {part}" if line else part
        if line and not fits(longer):
            lines.append(line)
            longer = part
        line = longer
    return [*lines, line]


def _wrapped(parts: Sequence[str], indent: int) -> list[str]:
    lines = in_lines(parts, lambda line: indent + len(line) <= _LINE)
    return [" " * indent + line for line in lines]


def _told(
    moves: Sequence[str],
    pictures: Sequence[str],
    chapters: Mapping[int, Sequence[str]],
    language: str,
) -> Iterator[list[str]]:
    """Blocks of text: a list of moves below the chapters that begin with them.

    With pictures each move is a paragraph, followed by its own, not as a list: many
    wikis begin to count again after a picture.
    """
    solved = words(language).gettext("The puzzle is solved.")
    ends = [*sorted({1, *chapters}), len(moves) + 1]
    for begin, end in itertools.pairwise(ends):
        if begin in chapters:
            heading, explained = chapters[begin]
            yield from ([f"### {heading}"], [explained])
        if not pictures:
            yield list(moves[begin - 1 : end - 1])
            continue
        last = [solved] if end > len(moves) else []
        shown = [*moves[begin - 1 : end - 1], *last]
        beside = pictures[begin - 1 : end - 1 + len(last)]
        for line, picture in zip(shown, beside, strict=True):
            number, _, text = line.partition(". ")
            yield [f"**{number}.** {text}" if text else f"**{line}**"]
            # The move stands in words where the picture cannot be shown.
            yield [f"![{text or line}]({picture})"]


def _table(board: Board) -> list[str]:
    """The board as a table: the first column and the header count from 1."""
    cols = board.shape.cols
    rows = [["", *(str(col) for col in range(1, cols + 1))]]
    for number, row in enumerate(board.one_line().split(" / "), 1):
        labels = ("" if label == "0" else label for label in row.split())
        rows.append([f"**{number}**", *labels])
    # Three dashes at least, and all cells of the source equally wide.
    width = max(3, *(len(cell) for row in rows for cell in row))
    lines = [_bar([cell.rjust(width) for cell in row]) for row in rows]
    return [lines[0], _bar([f"{'-' * (width - 1)}:"] * (cols + 1)), *lines[1:]]


def _bar(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """``text`` as one line in which nothing has a meaning in Markdown."""
    # CommonMark 0.31, section 2.4: a backslash before ASCII punctuation.
    return re.sub(r"([\\`*_{}\[\]<>()#+\-!|~$&])", r"\\\1", " ".join(text.split()))
