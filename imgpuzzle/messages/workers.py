"""What is said of work for others: by the page's server, and of whole folders."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _


class BatchFault(Kind):
    """Folders and pictures that cannot be worked on."""

    NO_PLAIN_FILE = _(
        "expected a picture file, found a pipe, socket or device {name!r}"
    )
    UNEXPECTED = _("could not be worked on, which is a mistake of imgpuzzle: {why}")
    TOO_LARGE_FOR_MEMORY = _(
        "expected a picture that fits into memory, found too large a one"
    )
    WORKER_LOST = _(
        "the process that worked at this picture ended, more than once; memory may "
        "be short: a smaller picture or fewer --jobs may help"
    )
    NO_PATH = _("expected a picture or a folder, found no {name!r}")
    UNREADABLE_FOLDER = _("could not read the folder {name!r}: {why}")
    NO_PICTURES = _("expected pictures, found none in {names}")
    NO_REFERENCES = _(
        "expected a folder of pictures for --references, found none in {name!r}"
    )
    EARLIER_BATCH = _(
        "found an earlier batch in {name!r}; --resume goes on with it, another "
        "--output begins anew"
    )
    FOLDER_IN_USE = _(
        "another run works in {name!r}; wait for it, or pass another --output"
    )


class ReferenceWay(Kind):
    """Why a picture was taken for the goal of a screenshot, or why none was."""

    GIVEN = _("given for all screenshots")
    SAME_NAME = _("it has the screenshot's name")
    BESIDE = _("it lies beside the screenshot")
    UNREADABLE = _("not used: it could not be read")
    NOT_NEEDED = _("none needed")
    NONE_FOUND = _("none found")


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
