"""``imgpuzzle review``: a game as it was played, from a recording of it."""

from __future__ import annotations

import click

from imgpuzzle.cli import options, speech, values
from imgpuzzle.cli.looking import fps_option, part_option, reading_options, tracked
from imgpuzzle.cli.source import check_targets, settled
from imgpuzzle.cli.terminal import say, say_json
from imgpuzzle.errors import SourceLostError
from imgpuzzle.messages import LiveFault, Message


@click.command("review", cls=options.PuzzleCommand)
@click.argument("recording", type=values.PathType())
@part_option("the recording")
@reading_options
@fps_option()
@options.path_option(
    "--output",
    "DIR",
    "Write a page with a player, a picture of the moves left, and the shortest "
    "way as a GIF.",
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
    from imgpuzzle.files.folder import Delivery, check_folder
    from imgpuzzle.live.sources import Recording
    from imgpuzzle.live.watch.report import files_of, told
    from imgpuzzle.live.watch.review import games_of
    from imgpuzzle.live.watch.watching import Watcher

    check_targets(given, given.recording, given.reference, given.goal)
    given, output = settled(given), given.output
    if output is not None:
        check_folder(output)
    recording = Recording(given.recording, given.fps, region=given.place)
    tracker = tracked(recording, given)
    parts = games_of(Watcher(tracker, is_planned=False).events())
    if not parts:
        raise tracker.refused or SourceLostError(Message(LiveFault.NEVER_SEEN))
    for part in parts:
        part.judge()
    lines: list[str] = []
    for number in range(len(parts)):
        lines += [""] if number else []
        lines += told(parts, number, speech.language()).lines
    if output is not None:
        shown = max(parts, key=lambda part: len(part.boards))
        output.mkdir(parents=True, exist_ok=True)
        with Delivery() as delivery:
            for name, data in files_of(shown, lines, speech.language()).items():
                delivery.add_file(output / name, data)
            delivery.finish()
    if given.as_json:
        say_json({"parts": [part.to_dict() for part in parts]})
        return
    for line in lines:
        say(line)
