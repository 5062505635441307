"""The page in a real browser: nothing that was done is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser_support import PHONE, at, until
from web_browser_support import open_emblem, open_typed, solved_up_to_here, text, view


def test_back_leads_through_the_views(visit: Callable[..., Any], address: str) -> None:
    page = visit(viewport=PHONE, has_touch=True)
    open_emblem(page)
    page.click("#next")
    page.click("#next")
    page.click("[data-view=save]")
    page.click("[data-view=check]")
    page.go_back()
    view(page, "save")
    page.go_back()
    view(page, "follow")
    assert at(page) == 2
    # What lies above the page goes first; phones are not offered keys.
    page.click("#elsewhere")
    keys = "[...document.querySelectorAll('kbd')].filter((one) => one.offsetParent)"
    assert page.evaluate(f"{keys}.length") == 0
    page.go_back()
    until(page, "!document.querySelector('dialog[open]')")
    view(page, "follow")
    page.go_back()
    view(page, "start")
    page.go_forward()
    view(page, "follow")
    until(page, "document.querySelector('#board').dataset.at === '2'")
    # However fast: what is shown in the end is where the history stands.
    page.evaluate("for (const by of [-1, 1, 1, 1, -2, 1, -2, 1]) history.go(by)")
    page.wait_for_timeout(300)
    until(page, "document.body.dataset.view === history.state.view")
    assert page.url == address


def test_a_new_puzzle_keeps_the_old_one(visit: Callable[..., Any]) -> None:
    page = visit()
    open_typed(page)
    page.click("#next")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    page.dblclick("#fresh")
    view(page, "start")
    page.click("#toasts .button:has-text('Back to it')")
    solved_up_to_here(page)
    assert at(page) == 1
    page.click("#home")
    assert text(page, ".recent-card") == "3 × 3\n20 moves"
    # Known again, and neither read nor solved anew.
    page.click(".recent-card")
    solved_up_to_here(page)
    assert at(page) == 1
    assert text(page, "#claim") == "20 moves, proven shortest"
    assert not [one for one in asked if one != "GET"]


def test_a_reload_does_not_lose_a_picture_in_silence(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    page.route("**/api/read", lambda route: None)
    page.click("[data-sample=emblem]")
    page.locator("#start-busy").wait_for()
    page.reload()
    view(page, "start")
    said = "This page was loaded anew and no longer has what you gave."
    page.locator("#alerts .toast").wait_for()
    assert text(page, "#alerts").startswith(said)
    # Once, and not of what was taken back or is known.
    page.reload()
    view(page, "start")
    page.click("[data-sample=emblem]")
    page.click("#start-cancel")
    page.reload()
    page.unroute("**/api/read")
    open_emblem(page)
    page.reload()
    solved_up_to_here(page)
    assert page.locator("#alerts .toast").count() == 0


def test_a_solution_that_may_not_be_shortest_is_no_warning(
    visit: Callable[..., Any],
) -> None:
    page = visit()

    def unproven(route: Any) -> None:
        job = route.fetch().json()
        for best in (job["best"], job["result"]):
            if best:
                best |= {"optimal": False, "lower_bound": 15}
        if job["state"] == "done" and not release:
            job |= {"state": "running", "result": None}
        route.fulfill(json=job)

    release: list[bool] = []
    page.route("**/api/jobs/*", unproven)
    page.click("#typed summary")
    page.fill("#typed-board", "2 1 7\n5 3 6\n4 8 0")
    page.click("#typed-form button")
    claim = "document.querySelector('#claim').innerText"
    so_far = "20 moves; at least 15 are needed; looking for shorter ones"
    until(page, f"{claim} === {so_far!r}")
    assert "Shorter ones are on the way" in text(page, "#search-words")
    release.append(True)
    until(page, f"{claim} === '20 moves; at least 15 are needed'")
    assert page.locator("#claim").get_attribute("class") == "claim calm"
    assert page.locator(".care:visible").count() == 0
    page.unroute("**/api/jobs/*")
