"""``imgpuzzle review``: a game as it was played, from a recording of it."""

from __future__ import annotations

import click

from imgpuzzle.cli import looking, options, speech, values
from imgpuzzle.cli.source import check_targets, settled
from imgpuzzle.cli.terminal import note, say, say_json
from imgpuzzle.cli.writing import check_output, written_words
from imgpuzzle.errors import SourceLostError
from imgpuzzle.messages import LiveFault


@click.command("review", cls=options.PuzzleCommand)
@click.argument("recording", type=values.PathType())
@looking.part_option("the recording")
@looking.reading_options
@looking.fps_option()
@options.path_option(
    "--output",
    "PATH",
    "Write the moves as they were made, of the longest part, as a guide: a folder, or "
    "a file of any format of imgpuzzle solve.",
    type=values.OutputType(),
)
@options.language_option
@options.json_option
@options.slide_option
def command(given: options.Given) -> None:
    """Say how a game was played, from a RECORDING of it.

    RECORDING is a GIF, a film (MP4, WebM ...; pip install "imgpuzzle[video]") or a
    folder of pictures. Each move has its time; those that led away from the goal are
    marked, by the shortest ways that are known. Where a recording does not show how
    one position became another, or a new game begins, a new part begins: nothing is
    guessed.
    """
    from imgpuzzle.live.watch.report import guide_of, told
    from imgpuzzle.live.watch.review import games_of
    from imgpuzzle.live.watch.watching import Watcher

    check_targets(given, given.recording, given.reference, given.goal)
    given, output = settled(given), given.output
    if output is not None:
        check_output(output, given.recording)
    tracker = looking.tracked(looking.recorded(given.recording, given), given)
    parts = games_of(Watcher(tracker, is_planned=False).events())
    if not parts:
        raise tracker.refused or SourceLostError.said(LiveFault.NEVER_SEEN)
    for part in parts:
        part.judge()
    lines: list[str] = []
    for number in range(len(parts)):
        lines += [""] if number else []
        lines += told(parts, number, speech.language()).lines
    if output is not None:
        shown = max(parts, key=lambda part: len(part.boards))
        guide, style = guide_of(shown, speech.language())
        existed = output.exists()
        files = guide.save(output, style=style)
        for one in [output] if output.is_dir() else files:
            note(written_words(one, replaced=existed and not output.is_dir()))
        if len(parts) > 1:
            words = speech.gettext("of {count} parts it has the longest, number {part}")
            note(words.format(count=len(parts), part=parts.index(shown) + 1))
    if given.as_json:
        say_json({"parts": [part.to_dict() for part in parts]})
        return
    for line in lines:
        say(line)
