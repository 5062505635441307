"""What is said of many screenshots at once: of folders, and of each picture."""

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
