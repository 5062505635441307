"""What the server of the page says beyond that."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _


class ServerFault(Kind):
    """Requests that cannot be carried out, and why."""

    LATE = _("expected work of at most {seconds:g} s, it took longer and was ended")
    DIED = _(
        "expected a picture or board that can be worked on, the worker process "
        "died of this one, twice; a smaller picture or board may help"
    )
    MEMORY_FULL = _(
        "expected work that fits into memory, found too much; a smaller picture or "
        "board may help"
    )
    NO_WORKER = _(
        "expected a worker process, none can be started or stays; try again in a "
        "moment, the server may be short of memory"
    )
    FILE_FORGOTTEN = _("the file was forgotten; make it again")
    LARGE_UPLOAD = _("expected a file of at most {most} MB, found a larger one")
    NO_RECORDING = _(
        "expected a recording (GIF, MP4, WebM, MKV, MOV, AVI), found another kind of "
        "file as {name}"
    )
    LONG_BOARD = _("expected at most {most} letters, found {found}")
    LARGE_BOARD = _("expected a board of at most {most}, found {found}")
    OTHER_GOAL = _("expected a goal of {wanted} like the board, found {found}")
    OTHER_CORRECTION = _("expected a {name} of {wanted}, found {found}")
    NOT_HERE = _(
        "expected something that a page without a program can do, found something "
        "else; imgpuzzle web, on a computer, can do it"
    )
    TYPED_READING = _("expected a reading of a screenshot, found a board")
    TYPED_READING_FOR = _(
        "expected a reading of a screenshot for {what}, found a board"
    )
