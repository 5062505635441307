"""The page in a real browser: everything fits, and errors hide nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser_support import DESKTOP, PHONE, SMALL, until
from web_browser_support import assert_fits, solved_up_to_here, text, view


def test_errors_hide_nothing_and_go_when_something_succeeds(
    visit: Callable[..., Any],
) -> None:
    page = visit(viewport=SMALL, locale="ru-RU")
    page.click("#typed summary")
    page.fill("#typed-board", "1 2 3\n4 5 6\n7 7 8")
    page.click("#typed-form button")
    alert = page.locator("#alerts .toast")
    alert.wait_for()
    assert page.locator("#alerts").get_attribute("role") == "alert"
    shown = "Эти числа — не поле. Нет пустого места: его пишут как 0."
    assert text(page, "#alerts") == shown
    assert_fits(page)
    # At the top of the page it has a place of its own, and nothing lies below it.
    page.evaluate("scrollTo(0, 0)")
    box, main = alert.bounding_box(), page.locator("main").bounding_box()
    head = page.locator("header").bounding_box()
    assert head["y"] + head["height"] <= box["y"]
    assert box["y"] + box["height"] <= main["y"]
    alert.locator("button").click()
    assert alert.count() == 0
    page.click("#typed-form button")
    alert.wait_for()
    page.fill("#typed-board", "1 2 3\n4 5 6\n7 0 8")
    page.click("#typed-form button")
    view(page, "follow")
    alert.wait_for(state="detached")


OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"

SMALL_TARGETS = """() => [...document.querySelectorAll("button, select, summary")]
    .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5)
    .map((one) => one.outerHTML.slice(0, 80))"""


def test_other_languages_fit_every_screen(visit: Callable[..., Any]) -> None:
    german = visit(viewport=SMALL, locale="de-DE")
    german.evaluate(OPEN_ALL)
    assert_fits(german)
    assert text(german, "#start-title").startswith("Screenshot rein")
    page = visit(viewport=SMALL, locale="ru-RU", color_scheme="dark")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert text(page, "#start-title").startswith("Снимок")
    page.evaluate(OPEN_ALL)
    for viewport in (SMALL, PHONE, DESKTOP):
        page.set_viewport_size(viewport)
        assert_fits(page)
    page.click("[data-sample=emblem]")
    solved_up_to_here(page)
    assert text(page, "#claim") == "20 ходов, доказано: короче нельзя"
    page.evaluate(OPEN_ALL)
    for name in ("follow", "check", "save"):
        page.click(f"[data-view={name}]")
        for viewport in (SMALL, PHONE, DESKTOP):
            page.set_viewport_size(viewport)
            assert_fits(page)
            assert page.evaluate(SMALL_TARGETS) == []
    page.select_option("#language", "en")
    assert text(page, "#save-title") == "Save the guide"
    # Its empty cell is dark: it is hatched on a dark page, and as it is on a light one.
    page.click("[data-view=follow]")
    hatch = page.locator(".hollow .hatch").first
    assert hatch.is_visible()
    page.click("#theme")
    assert page.locator("html").get_attribute("data-theme") == "light"
    assert hatch.is_hidden()
    page.reload()
    assert text(page, "#start-title") == "Screenshot in, solution out"
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_colours_follow_the_system_until_the_visitor_chooses(
    visit: Callable[..., Any],
) -> None:
    page = visit(color_scheme="light")

    def shown(theme: str) -> None:
        page.wait_for_selector(f"html[data-theme={theme}]", state="attached")

    for system in ("dark", "light"):
        page.emulate_media(color_scheme=system)
        shown(system)
    page.click("#theme")
    for system in ("dark", "light"):
        page.emulate_media(color_scheme=system)
        until(page, f"matchMedia('(prefers-color-scheme: {system})').matches")
        # The page gets the change from the frame that made it.
        page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
        shown("dark")
    page.reload()
    shown("dark")
    # Back to what the system asks for: no choice any more.
    page.click("#theme")
    shown("light")
    page.emulate_media(color_scheme="dark")
    shown("dark")
