"""What is said while a running game is looked at, or played."""

from __future__ import annotations

from imgpuzzle.messages.message import Kind
from imgpuzzle.messages.message import sentence as _


class Happening(Kind):
    """What happens while a game is played."""

    WAY = _("this game is played {way}; {moves} to go")
    MOVED = _("{moves} to go.")
    LOST = _("a move had no effect; once more, {moves} to go")
    OTHER = _("another move was made; going on from there")
    COVERED = _("the board is not free; waiting")
    BACK = _("the board is free again; {moves} to go")
    SOLVED = _("solved: the goal is on the screen, after {moves}")
    CLOSED = _(
        "solved, after {moves}: the last one was made, and the game shows its board "
        "no more"
    )


class PlayedBy(Kind):
    """How a game has its tiles moved, by the names of ``core.moves.Way``."""

    CLICK = _("by clicks")
    OTHER_CLICK = _("by clicks, right for left")
    DRAG = _("by drags of the tile")
    KEYS = _("by arrow keys that move the tile")
    BLANK_KEYS = _("by arrow keys that move the gap")


class LiveFault(Kind):
    """Why a game cannot be looked at or played, or why that ended."""

    SHOW_A_MOVE = _(
        "no cell is empty: which puzzle is it? make a move yourself, which shows it, "
        "or pass --puzzle"
    )
    NO_PART = _(
        'expected {part}, it is not installed; pip install "imgpuzzle[{extra}]"'
    )
    NO_DISPLAY = _(
        "expected a screen to look at, found none ({why}); --frames takes pictures "
        "from a folder, --adb a phone's screen"
    )
    NO_SCREEN = _("expected for --screen a number from 1 to {last}, found {found}")
    OFF_SCREEN = _(
        "expected a place on the screen of {width} x {height} px, found {region}"
    )
    NOBODY_TO_ASK = _(
        "expected --yes, because there is no terminal to ask before the first click"
    )
    NO_GAME_IN_FRAMES = _(
        "expected a running game to play, found --frames; imgpuzzle watch takes those"
    )
    CAPTCHA = _(
        "expected a game to play, found a page that tells people from programs "
        "({title!r}); nothing was clicked"
    )
    NO_WINDOW = _(
        "expected a window with {title!r} in its title, found none; without "
        "--window the whole screen is looked at"
    )
    OR_WINDOW = _("{fault}, or --window TITLE for that in one window")
    WINDOW_GONE = _("the window {title!r} is gone")
    SCREEN_GONE = _("the screen is gone ({why})")
    NO_ADB = _(
        "expected the program adb for --adb, found none; it is in Android's tools"
    )
    NO_PHONE = _(
        "expected a phone that adb reaches, found none; plug it in and allow USB "
        "debugging there"
    )
    MANY_PHONES = _("expected one phone, found {names:, }; --adb takes the name of one")
    PHONE_GONE = _("the phone cannot be reached any more ({why})")
    FRAMES_END = _("there are no more pictures in {name!r}")
    NO_FRAMES = _("expected pictures in the folder {name!r}, found none")
    MANY_SOURCES = _("expected one place to look at, found {found:, }")
    NEVER_SEEN = _("no puzzle was to be seen")
    NUMBERS_OVERLAY = _(
        "expected --overlay with --numbers, which says what is drawn over the game"
    )
    NO_OVERLAY = _(
        "expected a screen of X11 for --overlay, found something else to look at"
    )
    BOARD_GONE = _("the board is not to be seen any more; start again when it is back")
    OTHER_PUZZLE = _(
        "where the board was is another puzzle now; start again to play that one"
    )
    STAYS_COVERED = _(
        "something has covered the board for {seconds} s; start again without it"
    )
    GONE_IN_THE_END = _(
        "the last move was made, and where the board was is something else now: "
        "the game is probably won, but the goal is not to be seen"
    )
    NO_WAY = _(
        "the game moves no tile: neither by clicks nor by drags nor by arrow keys; "
        "is it waiting for something?"
    )
    NO_EFFECT = _(
        "{count} moves in a row had no effect on the game, so no more are made"
    )
    TAKEN_OVER = _("stopped, because the mouse was moved or a key was pressed")
