"""What the server of the page says beyond that."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _

__all__ = ["ServerFault"]


class ServerFault(Kind):
    """Requests that cannot be carried out, and why."""

    LATE = (
        "late",
        _("expected work of at most {seconds:g} s, it took longer and was ended"),
    )
    DIED = (
        "died",
        _(
            "expected a picture or board that can be worked on, the worker process "
            "died of this one, twice; a smaller picture or board may help"
        ),
    )
    MEMORY_FULL = (
        "memory_full",
        _(
            "expected work that fits into memory, found too much; a smaller picture or "
            "board may help"
        ),
    )
    NO_WORKER = (
        "no_worker",
        _(
            "expected a worker process, none can be started or stays; try again in a "
            "moment, the server may be short of memory"
        ),
    )
    FILE_FORGOTTEN = ("file_forgotten", _("the file was forgotten; make it again"))
    LARGE_UPLOAD = (
        "large_upload",
        _("expected a file of at most {most} MB, found a larger one"),
    )
    OTHER_FILE = (
        "other_file",
        _(
            "expected a picture (PNG, JPEG, WebP, GIF ...), found another kind of file "
            "as {name}"
        ),
    )
    LONG_BOARD = ("long_board", _("expected at most {most} letters, found {found}"))
    LARGE_BOARD = (
        "large_board",
        _("expected a board of at most {most}, found {found}"),
    )
    OTHER_GOAL = (
        "other_goal",
        _("expected a goal of {wanted} like the board, found {found}"),
    )
    OTHER_CORRECTION = (
        "other_correction",
        _("expected a {name} of {wanted}, found {found}"),
    )
    TYPED_READING = (
        "typed_reading",
        _("expected a reading of a screenshot, found a board"),
    )
    WRONG_CODE = (
        "wrong_code",
        _(
            "expected the code that the page shows now, found another one, or one "
            "that has ended; ask the page for a new code"
        ),
    )
    NOT_PAIRED = (
        "not_paired",
        _(
            "expected an extension that was paired since the server was started; ask "
            "the page for a code and type it into the extension"
        ),
    )
    TYPED_READING_FOR = (
        "typed_reading_for",
        _("expected a reading of a screenshot for {what}, found a board"),
    )
