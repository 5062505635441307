"""The page in a real browser: what is given to it is read, and solved."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from browser_support import until
from test_vision_beside import a_board, pasted
from test_vision_turned import turned
from test_vision_whole import complete
from web_browser_support import (
    EMBLEM,
    SAMPLES,
    centre,
    corner,
    give,
    idle,
    open_emblem,
    smaller,
    solved_up_to_here,
    text,
    view,
)

from imgpuzzle.core.board import Shape, TurnedBoard
from imgpuzzle.messages import Doubt, Message, Note
from imgpuzzle.puzzles.kind import KINDS

ROLLED = """() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const twin = this.classList.contains("twin") && this.querySelector("canvas");
    if (twin) {
      const { width, height } = twin;
      const { data } = twin.getContext("2d").getImageData(0, 0, width, height);
      window.rolled = window.rolled !== false && data.some(Boolean);
    }
    return animate.apply(this, how);
  };
}"""
"""Notes whether there is something on every second picture of a tile."""


def test_two_pictures_are_screenshot_and_solved_picture(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    reference, shot = smaller(SAMPLES / "emblem_reference.png", 3), smaller(EMBLEM, 3)
    give(page, "drop", one=shot, two=reference, three=shot)
    page.locator("#alerts .toast").wait_for()
    assert text(page, "#alerts").startswith("3 pictures are too many at once")
    # Their names say what is wrong: nothing is found the first two times.
    answers = iter(range(2))

    def found_none(route: Any) -> None:
        if next(answers, None) is None:
            route.continue_()
        else:
            error = {"message": "expected a board, found none", "code": 4}
            error |= {"kind": "BoardNotFoundError"}
            route.fulfill(status=422, json={"error": error})

    page.route("**/api/read", found_none)
    give(page, "drop", solved=shot, screenshot=reference)
    solved_up_to_here(page)
    assert "solved.png as the screenshot" in text(page, "#toasts")
    assert text(page, "#claim") == "20 moves, proven shortest"
    page.click("[data-view=check]")
    assert "Read with certainty: 3 × 3" in text(page, "#verdict")
    assert "with the solved picture" in text(page, "#verdict")
    # One click, and they are read the other way round.
    page.click("#pair-swap")
    name = "document.querySelector('#pair-screenshot-name').textContent"
    until(page, f"{name} === 'screenshot.png'")
    page.click("#start-cancel")


def test_tiles_come_when_the_connection_does(visit: Callable[..., Any]) -> None:
    page = visit()
    lost = iter(range(2))

    def cut_off(route: Any) -> None:
        if next(lost, None) is None:
            route.continue_()
        else:
            route.fulfill(status=404)

    page.route("**/tiles.png*", cut_off)
    open_emblem(page)


def test_what_is_no_picture_is_not_pasted_in_silence(visit: Callable[..., Any]) -> None:
    page = visit()
    give(page, "paste")
    page.locator("#alerts .toast").wait_for()
    assert text(page, "#alerts") == "There is no picture on the clipboard."


def test_a_folder_that_is_dropped_is_called_one(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    page = visit()
    folder = tmp_path / "shots.png"
    folder.mkdir()
    driver = page.context.new_cdp_session(page)
    given = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    x, y = centre(page, "#drop")
    for name in ("dragEnter", "dragOver", "drop"):
        event = {"type": name, "x": x, "y": y, "data": given}
        driver.send("Input.dispatchDragEvent", event)
    page.locator("#alerts .toast").wait_for()
    assert text(page, "#alerts").startswith("shots.png is a folder. Open it")


def test_a_solved_picture_of_another_puzzle_is_left_out(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    wrong = smaller(SAMPLES / "photo_cat.jpg", 2)
    shot = smaller(SAMPLES / "coffee_screenshot.png", 2)
    give(page, "drop", screenshot=shot, my_reference=wrong)
    until(page, "document.querySelector('#toasts').innerText.includes('without it')")
    assert "does not seem to fit" in text(page, "#toasts")
    # That is no success.
    assert page.locator("#toasts use[href='#i-check']").count() == 0
    until(page, "document.querySelector('#claim').innerText.includes('proven')")
    # It is said where the picture stays, until that is removed.
    page.click("[data-view=check]")
    assert "does not seem to fit" in text(page, "#verdict")
    page.click("#reference-unused")
    solved_up_to_here(page)
    page.click("[data-view=check]")
    assert "does not seem to fit" not in text(page, "#verdict")
    assert page.locator("#reference-unused").count() == 0


def test_what_is_doubtful_is_told_and_not_solved_by_the_main_button(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    doubt, cells = Message(Doubt.SLIDING_TILE), 1
    notes: list[Message] = []
    known: list[Any] = []

    def doubtful(route: Any) -> None:
        known.extend([] if known else [route.fetch().json()])
        answer = copy.deepcopy(known[0])
        answer |= {"certain": False, "confidence": 0.998}
        answer["doubtful"] = [[cell // 3, cell % 3] for cell in range(cells)]
        said = {"doubts": [doubt], "notes": notes}
        for name, found in said.items():
            codes = [one.to_dict() for one in found]
            answer["reading"] |= {name: [str(one) for one in found]}
            answer["reading"] |= {f"{name[:-1]}_codes": codes}
        route.fulfill(json=answer)

    page.route("**/api/read", doubtful)

    def main_buttons() -> list[str]:
        page.click("[data-sample=emblem]")
        view(page, "check")
        idle(page)
        assert "%" not in text(page, "#verdict")
        main = page.locator("#check-actions .button.primary:visible")
        return [one.inner_text() for one in main.all()]

    # Of a tile on its way only another screenshot tells more.
    assert main_buttons() == ["New screenshot"]
    page.click("#mend")
    page.locator("[data-sample=emblem]").wait_for()
    # Nobody should believe what is in doubt almost everywhere; a cell can be looked at.
    doubt, cells = Message(Doubt.EQUAL_TILES), 7
    assert main_buttons() == ["Correct what is in doubt"]
    page.click("#fresh")
    cells = 2
    assert main_buttons() == ["It is right as shown: solve it"]
    page.click("#fresh")
    # Doubts about the whole come with no high share.
    doubt, cells = Message(Doubt.ARRANGEMENT), 9
    notes.append(Message(Note.WITHOUT_REFERENCE))
    main_buttons()
    assert "9 of 9 cells are in doubt" in text(page, "#verdict")
    assert "as a whole" in text(page, "#verdict")
    page.click("#fresh")
    small = np.zeros((9, 9, 3), np.uint8)
    give(page, "drop", screenshot=small, my_reference=small)
    view(page, "check")
    # What was not used is not said to have been.
    assert "does not seem to fit" in text(page, "#toasts")
    assert "Both are used" not in text(page, "#toasts")


def test_a_long_wait_can_be_seen_and_ended(visit: Callable[..., Any]) -> None:
    page = visit()
    page.locator("[data-sample=emblem]").wait_for()
    page.clock.install()
    page.route("**/api/read", lambda route: None)
    page.click("[data-sample=emblem]")
    page.locator("#start-busy").wait_for()
    page.clock.run_for(3000)
    assert text(page, "#start-time") == "3 s."
    assert text(page, "#start-long") == ""
    page.clock.run_for(8000)
    assert "takes longer" in text(page, "#start-long")
    page.click("#fresh")
    page.locator("#drop").wait_for()
    page.locator("#start-busy").wait_for(state="hidden")
    page.locator("#fresh").wait_for(state="hidden")


def test_of_two_boards_one_is_proposed(visit: Callable[..., Any]) -> None:
    page = visit()
    first, second = a_board(3), a_board(7, at=(360, 50))
    give(page, "drop", screenshot=pasted(first, second))
    verdict = "document.querySelector('#verdict').innerText"
    until(page, f"{verdict}.includes('There are two boards')")
    box = first.box
    assert np.allclose(corner(page, "top_left"), (box.left, box.top), atol=2)
    page.click("#solve")
    until(page, f"{verdict}.includes('Read with certainty')")
    assert np.allclose(corner(page, "bottom_right"), (box.right, box.bottom), atol=2)


def test_what_is_no_board_can_be_helped(visit: Callable[..., Any]) -> None:
    page = visit()
    shade = np.linspace(60, 200, 240).astype(np.uint8)
    give(page, "paste", wall=np.tile(shade[None, :, None], (180, 1, 3)))
    view(page, "check")
    idle(page)
    assert "No board was found" in text(page, "#verdict")
    assert page.locator(".handle").count() == 4
    assert text(page, "#solve") == "Read with this grid"
    page.dblclick("#fresh")
    view(page, "start")
    page.click("#toasts .button:has-text('Back to it')")
    until(page, "document.querySelector('#verdict').innerText.includes('No board')")
    view(page, "check")
    page.click("#fresh")
    view(page, "start")
    for name, content in (("notes.txt", "hello"), ("shot.png", ""), ("game.mp4", "")):
        page.evaluate(
            """([name, content]) => {
                const data = new DataTransfer();
                data.items.add(new File([content], name));
                const about = { bubbles: true, cancelable: true, dataTransfer: data };
                document.body.dispatchEvent(new DragEvent("drop", about));
            }""",
            [name, content],
        )
        page.locator(f"#alerts .toast:has-text('{name} is not a picture')").wait_for()


def test_turned_tiles_are_asked_for_their_way_up_and_their_kind(
    visit: Callable[..., Any],
) -> None:
    page = visit()
    board = TurnedBoard.parse("3r 7 1d / 9l 5r 2 / 4 6d 8l")
    give(page, "drop", screenshot=turned(board, tile=(90, 90)).screenshot)
    page.locator("#answers .answer").nth(3).wait_for()
    assert "which way up the picture is" in text(page, "#verdict")
    assert "empty" not in text(page, "#answers")
    page.click("#answers .answer >> nth=1")
    cards = page.locator("#kind-list button")
    cards.first.wait_for()
    names = cards.evaluate_all("all => all.map(one => one.dataset.kind)")
    assert names == ["twiddle-turn", "turn", "turn-both", "turn-swap"]
    page.click("[data-kind=turn-swap]")
    page.locator("#view-follow:not([hidden]) #claim:not([hidden])").wait_for()


def test_a_board_with_all_its_tiles_is_solved_once_its_kind_is_chosen(
    visit: Callable[..., Any],
) -> None:
    page = visit(reduced_motion="no-preference")
    drawn = complete(Shape(3, 3), 5)
    give(page, "drop", screenshot=drawn.screenshot, solved=drawn.reference)
    until(page, "document.querySelector('#verdict').textContent.includes('Every tile')")
    assert "no cell is empty, so this is no sliding puzzle" in text(page, "#verdict")
    assert page.locator("#goal").is_visible()
    names = [*KINDS][1:]
    cards = page.locator("#kind-list button")
    assert cards.evaluate_all("all => all.map(one => one.dataset.kind)") == names
    # Each has a drawing of its own.
    drawings = cards.locator("svg").evaluate_all("all => all.map(one => one.innerHTML)")
    assert len({*drawings}) == len(names)
    # What goes over the rim is seen as it comes in.
    page.evaluate(ROLLED)
    for name in ("turn-swap", "twiddle", "shift"):
        page.click("[data-view=check]")
        page.click(f"[data-kind={name}]")
        page.locator("#view-follow:not([hidden]) #claim:not([hidden])").wait_for()
        count = int(text(page, "#claim").split()[0])
        assert page.locator("#modes").is_hidden()
        for _step in range(count):
            page.click("#next")
        until(page, "!document.querySelector('#board').dataset.sliding")
        assert text(page, "#words") == "Solved"
        homes = page.locator("#board .tile:not(.twin)").evaluate_all(
            "all => all.map((one) => 3 * one.style.getPropertyValue('--r')"
            " + Number(one.style.getPropertyValue('--c')))"
        )
        assert homes == [label - 1 for label in drawn.board.cells]
    assert page.evaluate("window.rolled") is True
