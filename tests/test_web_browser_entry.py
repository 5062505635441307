"""The page in a real browser: how one gets in by an address that holds a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import web_browser_support
from browser_support import CHROMIUM, PATIENCE_MS

from benchmarks.web.server import running, site

del web_browser_support

# With the other tests in a browser: after the last of them it is closed.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


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
    page: Any, printed: str, tmp_path: Path
) -> None:
    here = re.sub(r"//[^/]*:", "//127.0.0.1:", printed)
    plain = here.partition("?")[0]
    page.goto(plain)
    assert "whole address" in page.content()
    for address in (here, plain):
        (tmp_path / "index.html").write_text(f'<a href="{address}">here</a>')
        with site(tmp_path) as chat:
            # Another name is another site, another port is not.
            page.goto(chat.replace("127.0.0.1", "localhost"))
            page.click("a")
            assert is_in(page, plain)
