"""``imgpuzzle web``: the page in the browser."""

from __future__ import annotations

import contextlib
import os
import threading
import webbrowser

import click

from imgpuzzle.cli import options, values
from imgpuzzle.cli.terminal import note, say, unwinding_when_terminated


@click.command("web", cls=options.PlainCommand)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="The address to listen on. With 0.0.0.0 other machines can open the page, "
    "too, but only by the address that is printed, which holds a secret.",
)
@click.option(
    "--port",
    type=values.WholeRange(0, 65535),
    metavar="NUMBER",
    help="The port; by default 8765, or the next one that is free.",
)
@options.flag_option("--no-browser", "Only print the address.")
def command(given: options.Given) -> None:
    """Read, correct and solve in the browser.

    Serves a page on this machine until Ctrl-C. Pictures stay on this machine.
    """
    import segno

    from imgpuzzle.web.http import serving
    from imgpuzzle.web.settings import Settings

    sock = serving.bind(given.host, given.port)
    settings = serving.settle(Settings(host=given.host), sock)
    address = serving.address(settings)
    say(f"imgpuzzle web: {address}")
    if settings.token is not None:
        with contextlib.suppress(OSError, UnicodeError):
            segno.make(address, micro=False).terminal(compact=True)
    if not given.no_browser:
        threading.Thread(target=_open, args=(address,), daemon=True).start()
    # Ctrl-C is how this ends, and no error.
    with (
        unwinding_when_terminated(),
        contextlib.suppress(KeyboardInterrupt),
        contextlib.closing(sock),
    ):
        serving.serve(settings, sock, note)


def _open(address: str) -> None:
    """Open the page, unless there are only browsers that would take the terminal."""
    with contextlib.suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        if type(browser) is webbrowser.GenericBrowser and "BROWSER" not in os.environ:
            return
        browser.open(address)
