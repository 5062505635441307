"""The command line: the only part that prints, exits and maps errors to statuses.

Each sub-command is a module of ``commands``, imported when it is called, so that
``imgpuzzle --help`` answers at once. Beside it is what commands share: ``options`` and
``values`` (their types), ``source`` (what comes in), ``searching``, ``report`` and
``speech`` (what is said), ``writing`` (what is written) and ``terminal``.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from imgpuzzle import INTERRUPTED, __version__, help_text
from imgpuzzle.cli import speech
from imgpuzzle.cli.terminal import note, settle_streams, silence_stdout
from imgpuzzle.errors import LimitReachedError, PuzzleError, UsageError
from imgpuzzle.messages import Message

COMMANDS = tuple(
    line.split()[0] for line in help_text().partition("Commands:\n")[2].splitlines()
)
"""As the general help lists them."""

_ROOMS = {"play": "live.", "review": "live.", "watch": "live."}
"""The folders of ``commands`` in which some of them are."""


class _Commands(click.Group):
    """Sub-commands by name, and one way out for every error."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(
            f"imgpuzzle.cli.commands.{_ROOMS.get(cmd_name, '')}{cmd_name}"
        )
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in COMMANDS or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from imgpuzzle.cli.options import no_command

        meant = None
        if os.path.exists(name) or "." in name or os.sep in name:
            meant = "solve " + (name if " " not in name else f'"{name}"')
        raise no_command(ctx, COMMANDS, name, meant)

    def get_help(self, ctx: click.Context) -> str:
        """The text that is told where click is not loaded, and never another."""
        return help_text().rstrip()

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # Here and not below, because click prints an empty line for it.
            raise click.Abort from None
        except BrokenPipeError:
            # So is this: whoever reads, such as head, has seen enough, which click
            # takes for a failure.
            silence_stdout()
            return None

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, **extra: Any
    ) -> NoReturn:
        """Run, and exit with the documented status."""
        settle_streams()
        speech.speak()
        # The linear algebra here is small: starting NumPy's threads for it costs
        # more than a whole 3x3 board.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        extra.update(prog_name="imgpuzzle", standalone_mode=False)
        asked = sys.argv[1:] if args is None else args
        words = ""
        try:
            # Outside its standalone mode click returns the status of an exit;
            # the commands themselves return nothing.
            status = super().main(args, **extra) or 0
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx and error.ctx.get_help(), err=True)
            status = error.exit_code
        except click.ClickException as error:
            from imgpuzzle.cli.options import usage_words

            words, status = usage_words(error, asked), error.exit_code
        except PuzzleError as error:
            words, status = _error_words(error, asked), error.exit_code
        except (click.Abort, KeyboardInterrupt):
            words, status = speech.gettext("interrupted"), INTERRUPTED
        except OSError as error:
            # A full disk behind standard output, a folder that went away ...
            silence_stdout()
            words, status = _system_words(error), UsageError.exit_code
        except MemoryError:
            words = speech.gettext(
                "out of memory; a smaller picture or --time-limit may help"
            )
            status = LimitReachedError.exit_code
        if words:
            note(f"imgpuzzle: {_cut(words)}")
        sys.exit(status)


LONGEST_WORD, LONGEST_LINE = 300, 2000
"""Characters of an error that are shown; paths are shorter, and lists of doubts."""


def _cut(line: str) -> str:
    """The line without the middle of what is endless, such as a value of 400 digits."""
    line = re.sub(
        rf"\S{{{LONGEST_WORD},}}",
        lambda long: f"{long[0][:40]}...{long[0][-20:]}",
        line,
    )
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 4 :]}"
    return line


def _system_words(error: OSError) -> str:
    from imgpuzzle.files.temporary import is_full, why

    if error.filename is not None:
        return f"{os.fsdecode(error.filename)!r}: {why(error)}"
    return f"could not write: {why(error)}" if is_full(error) else why(error)


def _error_words(error: PuzzleError, asked: Sequence[str]) -> str:
    message = error.message
    if message is None:
        return str(error)
    if any(word.startswith("--assembled") for word in asked):
        from imgpuzzle.messages import Term

        # That is written already, and no help any more.
        drawn = {Message(Term.HELP_ASSEMBLED): Message(Term.HELP_DRAWN)}
        message = message.replaced(drawn)
    return speech.worded(message)


@click.command(
    cls=_Commands,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 88,
        "show_default": True,
    },
)
@click.version_option(
    __version__, prog_name="imgpuzzle", message="%(prog)s %(version)s"
)
def main() -> None:
    """From a screenshot of a sliding picture puzzle to the shortest solution."""
