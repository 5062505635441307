"""A solution in words: as a text file for people, and as Markdown for writers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from imgpuzzle.core.board import Board
from imgpuzzle.core.language import words
from imgpuzzle.core.naming import Naming, capitalised
from imgpuzzle.core.solution import Solution
from imgpuzzle.core.stages import Stage
from imgpuzzle.messages import Count, Message

__all__ = [
    "claim_words",
    "count_words",
    "letter_groups",
    "letters_heading",
    "moves_markdown",
    "moves_text",
    "names_heading",
    "slide_words",
    "span_words",
    "stage_words",
]

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
    language = naming.language
    _ = words(language).gettext
    steps = list(solution.steps())
    lines = [" ".join(title.split()), ""] if title.strip() else []
    lines += [claim_words(solution, language), *([remark] if remark else [])]
    if solution.metric == "single" and solution.slide_count < solution.move_count:
        message = _("Moving tiles in a line at once: {slides}.")
        lines.append(message.format(slides=slide_words(solution, language)))
    if not naming.numbers:
        lines += ["", _homes_words(language)]
        lines += [_("0 is the empty cell.")] if solution.start.has_blank else []
    lines += ["", _("Start:"), *_indented(str(solution.start)), ""]
    lines += [_("Goal:"), *_indented(str(solution.goal))]
    if not steps:
        return "\n".join(lines) + "\n"
    if solution.metric == "slide":
        sentences = [naming.slide(slide) for slide in solution.slides()]
        lines += ["", _("Slides:"), *_numbered(sentences)]
        lines += ["", _("The same, one tile at a time:")]
    else:
        lines += ["", _("Moves:")]
    numbered = _numbered([step.told(naming) for step in steps])
    for stage in solution.stages:
        heading, explained = stage_words(solution, stage, naming)
        lines += ["", heading, *_wrapped(explained.split(), 2)]
        lines += numbered[stage.first_move - 1 : stage.last_move]
    if not solution.stages:
        lines += numbered
    if solution.letters:
        lines += ["", letters_heading(language)]
        lines += _wrapped(letter_groups(solution.letters), 2)
    lines += ["", names_heading(naming)]
    lines += _wrapped([step.called(naming) for step in steps], 2)
    return "\n".join(lines) + "\n"


def moves_markdown(
    solution: Solution,
    naming: Naming,
    *,
    title: str = "",
    remark: str = "",
    pictures: Sequence[str] = (),
) -> str:
    """A solution as Markdown, for those who write a guide to a game.

    A heading (``title``, or the size of the board), what was proven, a ``remark``,
    start and goal as tables with their rows and columns numbered, the moves as a
    list, the same with tiles that follow one another moved at once, the letters
    of ``moves_text`` and the names of the tiles, see there. Tables are those of
    GitHub's Markdown (GFM, section 4.10); lines do not end in blanks.

    ``pictures`` are the names of the step pictures that lie beside the text, the
    solved board's last: each move is then followed by its picture.
    """
    language = naming.language
    _ = words(language).gettext
    heading = solution.title.worded(words(language))
    if title.strip():
        heading = _escaped(title)
    blocks = [
        ["# " + heading],
        [claim_words(solution, language)],
        *([[_escaped(remark)]] if remark else []),
        *([] if naming.numbers else [[_homes_words(language)]]),
        ["## " + _("Start")],
        _table(solution.start),
        ["## " + _("Goal")],
        _table(solution.goal),
    ]
    steps = list(solution.steps())
    slide = solution.metric == "slide"
    grouped = solution.slide_count < solution.move_count
    chapters = {
        stage.first_move: stage_words(solution, stage, naming)
        for stage in solution.stages
    }
    # Pictures go with what they count.
    by_run = slide and grouped
    moves = _listed([step.told(naming) for step in steps])
    single = [["## " + (_("One tile at a time") if slide else _("Moves"))]]
    single += _told(moves, () if by_run else pictures, chapters, naming.language)
    runs = [["## " + _("With tiles in a line moved at once")]]
    lines = _listed(_run_lines(solution, naming))
    runs += _told(lines, pictures if by_run else (), {}, naming.language)
    if steps:
        order = [runs, single] if slide else [single, runs]
        for part in order:
            blocks += part if grouped or part is single else []
        groups = _wrapped(letter_groups(solution.letters), 0)
        tiles = _wrapped([step.called(naming) for step in steps], 0)
        spelled = [[letters_heading(language)], ["```", *groups, "```"]]
        blocks += [
            ["## " + _("In short")],
            *(spelled if solution.letters else []),
            [names_heading(naming)],
            ["```", *tiles, "```"],
        ]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def claim_words(solution: Solution, language: str = "en") -> str:
    """How long the solution is, and whether it is proven that none is shorter."""
    _ = words(language).gettext
    if solution.length == 0:
        return _("Solved already: no move is needed.")
    if solution.in_stages:
        return solution.price(language) + "."
    if solution.is_optimal:
        message = _("{moves}: proven shortest, every solution needs at least {bound}.")
    else:
        message = _(
            "{moves}: not proven shortest, every solution needs at least {bound}."
        )
    return message.format(
        moves=count_words(solution, language), bound=solution.lower_bound
    )


def stage_words(solution: Solution, stage: Stage, naming: Naming) -> list[str]:
    """A stage's name and moves, and what to do in it."""
    heading = stage.heading(solution.start.shape, naming)
    return [heading, stage.explained(solution.goal, naming)]


def count_words(solution: Solution, language: str = "en") -> str:
    """The length in its metric: ``"20 moves"``, ``"9 slides (20 single moves)"``."""
    catalogue = words(language)
    count = solution.move_count
    if solution.metric != "slide":
        return solution.counted.worded(catalogue)
    message = catalogue.ngettext("{count} single move", "{count} single moves", count)
    return catalogue.gettext("{slides} ({moves})").format(
        slides=slide_words(solution, language), moves=message.format(count=count)
    )


def slide_words(solution: Solution, language: str) -> str:
    """How many slides the moves make: ``"9 slides"``."""
    return Message(Count.SLIDES, count=solution.slide_count).worded(words(language))


def span_words(first: int, last: int, language: str, *, slides: bool = False) -> str:
    """``"move 4"`` or ``"moves 4 to 6"``, or with ``slides`` these."""
    _ = words(language).gettext
    if first == last:
        message = _("slide {number}") if slides else _("move {number}")
        return message.format(number=first)
    message = _("slides {first} to {last}") if slides else _("moves {first} to {last}")
    return message.format(first=first, last=last)


def letter_groups(letters: str, size: int = 5) -> list[str]:
    """The letters in groups that the eye can count; the last may be shorter."""
    return [letters[i : i + size] for i in range(0, len(letters), size)]


def letters_heading(language: str) -> str:
    """What the letters mean, as a heading."""
    _ = words(language).gettext
    return _("The way each tile moves (U up, D down, L left, R right):")


def _homes_words(language: str) -> str:
    """What the numbers of boards mean where tiles do not show them."""
    _ = words(language).gettext
    return _("The numbers say where each tile belongs: cells are counted row by row.")


def names_heading(naming: Naming) -> str:
    """What the short names of tiles are, as a heading."""
    _ = words(naming.language).gettext
    if naming.numbers:
        return _("The tiles in this order:")
    return _("The cells to click in this order (columns A, B ..., rows 1, 2 ...):")


def _run_lines(solution: Solution, naming: Naming) -> list[str]:
    """One sentence a slide, with the numbers of the moves that it stands for.

    Where slides are what counts, the list's own numbers are those of the pictures.
    """
    if solution.metric == "slide":
        return [naming.slide(slide) for slide in solution.slides()]
    return [
        f"{naming.run(slide)} "
        f"({span_words(slide[0].number, slide[-1].number, naming.language)})"
        for slide in solution.slides()
    ]


def _numbered(sentences: Sequence[str]) -> list[str]:
    digits = len(str(len(sentences)))
    return [f"{number:>{digits}}. {text}" for number, text in enumerate(sentences, 1)]


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


def _wrapped(parts: Sequence[str], indent: int) -> list[str]:
    lines, line = [], ""
    for part in parts:
        if line and indent + len(line) + 1 + len(part) > _LINE:
            lines.append(" " * indent + line)
            line = ""
        line += f" {part}" if line else part
    return [*lines, " " * indent + line]


def _listed(sentences: Sequence[str]) -> list[str]:
    return [
        f"{number}. {capitalised(text)}." for number, text in enumerate(sentences, 1)
    ]


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
    for number, row in enumerate(board.rows(), 1):
        rows.append([f"**{number}**", *(str(label) if label else "" for label in row)])
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
