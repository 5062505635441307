"""The page in a real browser: a reading is corrected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from browser_support import SMALL, until
from vision_scenes import draw, photo
from web_browser_support import (
    assert_fits,
    centre,
    give,
    idle,
    open_emblem,
    open_typed,
    solved_up_to_here,
    text,
    view,
)
from web_reading_support import asking_shot

from imgpuzzle.core.board import Board, FullBoard
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.render.drawing.tiles import TileSet, render_position


def test_exchanged_tiles_and_the_way_back(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    page.click("[data-view=check]")
    # A corner that is put right leaves the way as it is.
    page.focus(".handle.top_left")
    with page.expect_response("**/api/read/*"):
        page.keyboard.press("ArrowRight")
    idle(page)
    assert "20 moves" in text(page, "#solve")
    cell = "#overlay .cell[data-cell='{}']"
    page.click(cell.format(0))
    assert page.locator(cell.format(0)).get_attribute("aria-pressed") == "true"
    page.click(cell.format(4))
    until(page, "document.querySelector('#verdict').innerText.includes('exchange')")
    assert page.locator("[data-view=follow]").is_disabled()
    assert page.locator("#solve").is_hidden()
    page.click(cell.format(0))
    page.click(cell.format(4))
    until(page, "document.querySelector('#solve').innerText.includes('20 moves')")
    # By keyboard, and in the picture of the goal: a second exchange mends the first.
    page.focus("#goal .mosaic-cell[tabindex='0']")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#verdict').innerText.includes('exchange')")
    page.click(cell.format(5))
    page.click(cell.format(7))
    until(page, "document.querySelector('#solve').innerText.includes('moves')")
    assert "As you corrected it" in text(page, "#verdict")
    page.click("#solve")
    solved_up_to_here(page)
    assert "proven shortest" in text(page, "#claim")


def test_changes_are_answered_in_order(visit: Callable[..., Any]) -> None:
    page = visit()
    with page.expect_response("**/api/read") as first:
        open_emblem(page)
    known = first.value.json()
    doubtful = {**known, "certain": False, "confidence": 0.7}
    doubtful["reading"] = {**known["reading"], "certain": False, "doubts": ["hm"]}
    page.click("[data-view=check]")
    running, most, grids = [0], [0], []

    def late(route: Any) -> None:
        """The first answer is slow, and would undo what the second one says."""
        running[0] += 1
        most[0] = max(most[0], running[0])
        grids.append(route.request.post_data_json["grid"])
        if len(grids) == 1:
            page.wait_for_timeout(400)
        running[0] -= 1
        route.fulfill(json=doubtful if len(grids) == 1 else known)

    page.route("**/api/read/*", late)
    # At once: a slow machine would have the first answer between two clicks.
    page.evaluate(
        "for (const id of ['rows-more', 'cols-more', 'rows-less', 'cols-less'])"
        " document.getElementById(id).click()"
    )
    idle(page)
    # One at a time; what came meanwhile was put together.
    assert most == [1]
    assert grids == ["4x3", "3x3"]
    assert page.locator("#rows-count").inner_text() == "3"
    assert text(page, "#verdict").startswith("Read with certainty: 3 × 3")


RUSSIAN_DOUBT = "Другая расстановка объясняет картинку почти так же хорошо."


def test_an_unlikely_reading_is_to_be_corrected(visit: Callable[..., Any]) -> None:
    page = visit(locale="ru-RU", viewport=SMALL)

    def answer(route: Any) -> None:
        known = route.fetch().json()
        doubt = Message(Doubt.ARRANGEMENT)
        doubts, codes = [str(doubt), "hm"], [doubt.to_dict(), {"kind": "new"}]
        unlikely = {"certain": False, "confidence": 0.31, "doubtful": [[0, 1], [2, 2]]}
        known["reading"] |= {"certain": False, "confidence": 0.31, "doubts": doubts}
        known["reading"] |= {"doubt_codes": codes}
        route.fulfill(json=known | unlikely)

    page.route("**/api/read", answer)
    page.click("[data-sample=emblem]")
    view(page, "check")
    idle(page)
    lines = page.locator("#verdict li")
    said = [line.replace("\xa0", " ") for line in lines.all_inner_texts()]
    assert said[0] == RUSSIAN_DOUBT
    assert said[2].startswith("Под сомнением 2 места из 9: строка 1, столбец 2")
    # What nobody has words for stays English, and says so.
    assert page.locator("#verdict [lang=en]").all_inner_texts() == ["hm"]
    # The pictures lie right above the questions about them.
    tops = [centre(page, one)[1] for one in ("#verdict", "#shot", "#check-actions")]
    assert tops == sorted(tops)
    primary = page.locator("#check-actions .primary:visible")
    assert primary.all_inner_texts() == ["Исправить то, что под сомнением"]
    primary.click()
    assert page.evaluate("document.activeElement.dataset.cell") == "1"
    page.click("#solve")
    view(page, "follow")


def test_nothing_old_is_solved_or_saved_while_it_is_read_anew(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    open_typed(page, "1 2 3\n4 5 6\n0 7 8")
    held: list[Any] = []
    page.route("**/api/read/*", lambda route: held.append(route))
    page.click("[data-view=check]")
    page.click(".typed-picture .mosaic-cell[data-cell='0']")
    page.click(".typed-picture .mosaic-cell[data-cell='1']")
    until(page, "document.querySelector('#view-check').ariaBusy === 'true'")
    for name in ("follow", "save"):
        assert page.locator(f"[data-view={name}]").is_disabled()
    assert page.locator("#make").get_attribute("aria-disabled") == "true"
    assert page.locator("#elsewhere").get_attribute("aria-disabled") == "true"
    assert page.locator("#solve").get_attribute("aria-disabled") == "true"
    page.evaluate("document.querySelector('#solve').click()")
    assert page.evaluate("document.body.dataset.view") == "check"
    held[0].continue_()
    idle(page)
    assert "exchange" in text(page, "#verdict")
    page.unroute("**/api/read/*")
    page.click(".typed-picture .mosaic-cell[data-cell='0']")
    page.click(".typed-picture .mosaic-cell[data-cell='1']")
    until(page, "document.querySelector('#solve').innerText.includes('2 moves')")
    assert page.locator("#solve").get_attribute("aria-disabled") == "false"


def test_what_is_read_anew_can_be_cancelled(visit: Callable[..., Any]) -> None:
    page = visit()
    open_emblem(page)
    page.click("[data-view=check]")
    held: list[Any] = []
    page.route("**/api/read/*", lambda route: held.append(route))
    page.click("#rows-more")
    page.click("#cols-more")
    until(page, "document.querySelector('#view-check').ariaBusy === 'true'")
    page.click("#check-cancel")
    idle(page)
    assert page.evaluate("document.activeElement.id") == "check-title"
    # What was known holds, is shown, and can be followed and changed.
    assert text(page, "#verdict").startswith("Read with certainty: 3 × 3")
    assert text(page, "#rows-count") == text(page, "#cols-count") == "3"
    assert page.locator("#overlay .cell").count() == 9
    assert page.locator("#check-cancel").count() == 0
    assert len(held) == 1
    page.unroute("**/api/read/*")
    page.click("#rows-more")
    until(page, "document.querySelector('#rows-count').innerText === '4'")
    idle(page)
    assert not text(page, "#verdict").startswith("Read with certainty: 3 × 3")


def test_a_goal_that_can_be_reached(visit: Callable[..., Any]) -> None:
    page = visit()
    page.click("#typed summary")
    page.fill("#typed-board", "1 2 3\n4 5 6\n8 7 0")
    page.click("#typed-form button")
    view(page, "check")
    # No slip is guessed where nothing was in doubt.
    assert page.locator("#take-suggestion").count() == 0
    assert "The usual goal cannot be reached" in text(page, "#verdict")
    goals = page.locator("#goal-list .other")
    goals.first.wait_for()
    moves = text(page, "#goal-list .other:first-child .small")
    assert moves.endswith(" moves")
    goals.first.dblclick()
    solved_up_to_here(page)
    assert text(page, "#claim") == f"{moves}, proven shortest"
    page.go_back()
    view(page, "check")
    assert goals.first.get_attribute("aria-pressed") == "true"
    assert page.locator("#goals-title").inner_text() == "Choose another goal"


def test_the_solved_picture_is_one_click_away(visit: Callable[..., Any]) -> None:
    page = visit(locale="ru-RU", viewport=SMALL)
    give(page, "paste", shot=asking_shot())
    view(page, "check")
    idle(page)
    answers = page.locator("#answers .answer")
    answers.first.wait_for()
    count = answers.count()
    assert count in (2, 3)
    assert text(page, "#question-title") == "Какая из картинок собрана верно?"
    assert text(page, "#answers .answer:first-child strong") == "Картинка 1"
    assert_fits(page)
    # The question comes before the screenshot, and is all that is asked.
    tops = [centre(page, one)[1] for one in ("#verdict", "#question", "#shot")]
    assert tops == sorted(tops)
    assert page.locator("#check-actions > button:visible").count() == 0
    assert (
        page.locator("#goal, #others, #suggestion").locator("visible=true").count() == 0
    )
    # By keyboard, with the next one in the order of tabs.
    page.focus("#answers .answer:first-child")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.answer") == "2"
    page.keyboard.press("Enter")
    solved_up_to_here(page)
    page.click("[data-view=check]")
    assert text(page, "#verdict").startswith("Выбрано вами: 3 × 3")
    pressed = page.locator("#answers .answer[aria-pressed=true]")
    assert pressed.get_attribute("data-answer") == "2"
    # Another one can still be chosen.
    answers.nth(0).click()
    until(page, "document.querySelector('[data-answer=\"1\"]').ariaPressed === 'true'")
    assert page.locator("#answer-none").is_hidden()


def test_whether_a_tile_is_missing_is_asked(visit: Callable[..., Any]) -> None:
    """Some games show the piece that others leave out, and it lies at home here."""
    page = visit()
    board = FullBoard.parse("4 8 6 / 3 7 5 / 2 1 9")
    tiles = {"tile": (80, 80), "at": (30, 24), "gap": 2, "canvas": (300, 300)}
    goal = FullBoard.parse("1 2 3 / 4 5 6 / 7 8 9")
    give(
        page,
        "paste",
        shot=draw(photo("photo_cat.jpg"), board, goal, **tiles).screenshot,
    )
    view(page, "check")
    idle(page)
    answers = page.locator("#answers .answer")
    answers.first.wait_for()
    assert text(page, "#question-title") == "Is a tile missing here?"
    assert answers.count() == 2
    assert "A cell may be empty" in text(page, "#verdict")
    page.click("#answer-none")
    until(page, "document.querySelector('#verdict').innerText.includes('empty after')")
    # What is in doubt is not stated.
    assert "Every tile is there and" not in text(page, "#verdict")


def test_goals_of_numbers_are_no_pictures(visit: Callable[..., Any]) -> None:
    page = visit(viewport=SMALL)
    start = Board.parse("8 1 2 / 3 0 4 / 6 5 7")
    shot = render_position(tuple(range(9)), TileSet.numbered(start))
    give(page, "paste", shot=shot)
    view(page, "check")
    idle(page)
    page.locator("#answers .answer").first.wait_for()
    assert text(page, "#question-title") == "Which goal does your game have?"
    assert text(page, "#answers .answer:first-child strong") == "Goal 1"
    assert "The numbers do not say which goal" in text(page, "#verdict")
    # The corners of this board are those of the picture, at the edges of the page.
    assert_fits(page)
    page.click("#answers .answer:nth-child(2)")
    solved_up_to_here(page)
    page.click("[data-view=check]")
    assert text(page, "#goal-words") == "This is where the tiles will end."
    assert text(page, ".goal-figure h2") == "The goal"
