"""What is wrong with a command, in the user's language.

Errors of the library and of the options' types carry a message as a value. click
raises others, of which the type and the attributes are looked at, never the sentence.
A line is either all in the other language or, where a part of it is not known here,
all English.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import click

from imgpuzzle.cli import speech
from imgpuzzle.cli.options import BadValueError, WrongUsageError
from imgpuzzle.cli.speech import gettext
from imgpuzzle.messages import Message, Term, UsageFault

__all__ = ["nearest", "usage_words"]


def usage_words(error: click.ClickException) -> str:
    """One line: what is wrong, and where there is help."""
    message = _message(error)
    sentence = error.format_message().rstrip(".")
    if isinstance(message, Message) and isinstance(
        error, (click.NoSuchOption, WrongUsageError)
    ):
        sentence = str(message)
    context = getattr(error, "ctx", None)
    if speech.language() == "en" or message is None:
        if context is None:
            return sentence
        return f"{sentence} (see {context.command_path} --help)"
    words = speech.worded(message)
    if context is None:
        return words
    see = gettext("see {command}").format(command=f"{context.command_path} --help")
    return f"{words} ({see})"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """What was meant by a name that is mistyped, if one of the known ones is near."""
    return next(iter(difflib.get_close_matches(name.lower(), known, 1)), None)


def _message(error: click.ClickException) -> Message | None:
    """What click or a command says, as a value; ``None`` for what is not known here."""
    if isinstance(error, WrongUsageError):
        return error.said
    if isinstance(error, click.NoSuchOption):
        return _no_option(error)
    if isinstance(error, click.MissingParameter):
        if error.param is None:
            return None
        return Message(UsageFault.LACKING, name=_name(error.param))
    if isinstance(error, BadValueError):
        if error.param is None or isinstance(error.said, str):
            return None
        name = _name(error.param)
        return Message(Term.OF_FIELD, name=name, fault=error.said)
    if isinstance(error, click.BadOptionUsage):
        return _misused(error)
    return None


def _no_option(error: click.NoSuchOption) -> Message:
    params = [] if error.ctx is None else error.ctx.command.params
    names = [name for one in params for name in one.opts if name.startswith("--")]
    meant = nearest(error.option_name, names)
    if meant is None:
        return Message(UsageFault.NO_OPTION, name=error.option_name)
    return Message(UsageFault.OTHER_OPTION, name=error.option_name, meant=meant)


def _misused(error: click.BadOptionUsage) -> Message | None:
    """An option without the value it needs, or with one that it does not take."""
    for param in () if error.ctx is None else error.ctx.command.params:
        if error.option_name in (*param.opts, *param.secondary_opts):
            is_flag = getattr(param, "is_flag", False)
            kind = UsageFault.NO_VALUE_WANTED if is_flag else UsageFault.VALUE_LACKING
            return Message(kind, name=error.option_name)
    return None


def _name(param: click.Parameter) -> str:
    """``--output`` for an option, ``GRIDS`` for an argument."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.human_readable_name
