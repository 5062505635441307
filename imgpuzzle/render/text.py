"""A solution as a text file for people."""

from __future__ import annotations

from collections.abc import Sequence

from imgpuzzle.solution import Solution, slide_words

__all__ = ["moves_text"]

_LINE = 72


def moves_text(solution: Solution) -> str:
    """The contents of ``moves.txt``: what was found, each move in words, summaries.

    The letters name the way each TILE moves (U D L R), in groups of five; the
    tile numbers are the labels of the board, in the order of the moves.
    """
    steps = list(solution.steps())
    lines = [_headline(solution)]
    if solution.metric == "single" and solution.slide_count < solution.move_count:
        slides = _number(solution.slide_count, "slide")
        lines.append(f"Moving tiles that follow one another at once: {slides}.")
    lines.append("")
    lines += ["Start:", *_indented(str(solution.start)), ""]
    lines += ["Goal:", *_indented(str(solution.goal))]
    if not steps:
        return "\n".join(lines) + "\n"
    digits = len(str(len(steps)))
    if solution.metric == "slide":
        lines += ["", "Slides:"]
        slides_digits = len(str(solution.slide_count))
        lines += [
            f"{number:>{slides_digits}}. {slide_words(slide)}"
            for number, slide in enumerate(solution.slides(), start=1)
        ]
        lines += ["", "The same, one tile at a time:"]
    else:
        lines += ["", "Moves:"]
    lines += [f"{step.number:>{digits}}. {step.words()}" for step in steps]
    letters = "".join(step.direction.value for step in steps)
    fives = [letters[i : i + 5] for i in range(0, len(letters), 5)]
    lines += ["", "The way each tile moves (U up, D down, L left, R right):"]
    lines += _wrapped(fives)
    lines += ["", "The tiles in this order:", *_wrapped([str(s.tile) for s in steps])]
    return "\n".join(lines) + "\n"


def _headline(solution: Solution) -> str:
    count = solution.length
    if count == 0:
        return "Solved already: no move is needed."
    if solution.metric == "slide":
        single = _number(solution.move_count, "single move")
        moves = f"{_number(count, 'slide')} ({single})"
    else:
        moves = _number(count, "move")
    if solution.is_optimal:
        return f"{moves}: proven shortest, every solution needs at least {count}."
    return (
        f"{moves}: not proven shortest, every solution needs at least "
        f"{solution.lower_bound}."
    )


def _number(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


def _wrapped(words: Sequence[str]) -> list[str]:
    lines, line = [], " "
    for word in words:
        if len(line) + 1 + len(word) > _LINE:
            lines.append(line)
            line = " "
        line += f" {word}"
    return [*lines, line]
