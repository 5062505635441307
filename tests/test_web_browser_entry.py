"""The page in a real browser: how one gets in by an address that holds a secret."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import web_browser_support
from browser_support import CHROMIUM, PATIENCE_MS

from benchmarks.web.server import running

del web_browser_support

# With the other tests in a browser: after the last of them it is closed.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


@contextmanager
def linking_to(address: str) -> Iterator[str]:
    """A page of another site with a link to ``address``."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f'<a href="{address}">here</a>'.encode())

        def log_message(self, *about: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        # Another name is another site, another port is not.
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The whole address of a server that others can reach."""
    settings = {"host": "0.0.0.0", "warm": False}
    with running(tmp_path_factory.mktemp("server"), settings=settings) as server:
        yield server.line.split()[-1]


@pytest.fixture
def page() -> Iterator[Any]:
    """A page in a browser that was never here before."""
    profile = CHROMIUM.new_profile(locale="en-GB")
    page = profile.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    profile.close()


def is_in(page: Any, plain: str) -> bool:
    """Whether the page is there, at its plain address, and is answered."""
    page.locator("#sample-cards button").first.wait_for()
    return bool(page.url == plain)


@pytest.mark.parametrize("own", [True, False], ids=["this machine", "another"])
def test_the_secret_is_seen_once(page: Any, printed: str, own: bool) -> None:
    # As others reach it, a browser trusts the address less than this machine's.
    start = re.sub(r"//[^/]*:", "//127.0.0.1:", printed) if own else printed
    plain = start.partition("?")[0]
    page.goto(start)
    assert is_in(page, plain)
    page.reload()
    assert is_in(page, plain)
    page.goto("about:blank")
    page.goto(plain)
    assert is_in(page, plain)
    # Scanned or clicked a second time.
    page.goto(start)
    assert is_in(page, plain)
    # Whoever goes back through the history does not find it either.
    page.go_back()
    assert "token" not in page.url


def test_strangers_are_told_what_to_open_and_a_link_in_a_chat_leads_in(
    page: Any, printed: str
) -> None:
    here = re.sub(r"//[^/]*:", "//127.0.0.1:", printed)
    plain = here.partition("?")[0]
    page.goto(plain)
    assert "whole address" in page.content()
    for address in (here, plain):
        with linking_to(address) as chat:
            page.goto(chat)
            page.click("a")
            assert is_in(page, plain)
