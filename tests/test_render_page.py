"""The HTML guide as a file: what is in it, and that nothing in it can break out.

``test_page_browser_*.py`` open it in a browser.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image as PillowImage
from render_oracles import (
    CASE,
    CASE_GOAL,
    CASE_IN_STAGES,
    CASE_START,
    flat_tiles,
    noise_tiles,
    puzzles,
    wandering,
)

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import load_image
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.tiles import TileSet
from imgpuzzle.render.page import render_page

SAMPLES = Path(__file__).resolve().parent.parent / "sample_images"
VOID = {"meta", "link", "input", "img", "br", "hr", "path"}


class Page(HTMLParser):
    """A page taken apart: elements with attributes, and texts by element."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.visible: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]][-1] += data
            if not {"style", "script"} & set(self._open):
                self.visible.append(data)

    def attributes(self, name: str) -> list[str]:
        return [attrs[name] for _, attrs in self.tags if name in attrs]

    def classed(self, name: str) -> list[dict[str, str]]:
        return [a for _, a in self.tags if name in a.get("class", "").split()]

    @property
    def data(self) -> dict[str, Any]:
        text = self.texts["script"][0]
        loaded: dict[str, Any] = json.loads(text)
        return loaded


def replayed(data: dict[str, Any]) -> list[int]:
    """The labels in the end, by plain list work on the page's own data."""
    cells, blank = list(data["labels"]), data["blank"]
    assert cells[blank] == 0
    for _look, arrow, cell, target in data["moves"]:
        assert arrow == target == blank
        apart = abs(cell // data["cols"] - blank // data["cols"])
        apart += abs(cell % data["cols"] - blank % data["cols"])
        assert apart == 1
        cells[blank], cells[cell] = cells[cell], cells[blank]
        blank = cell
    return cells


@given(puzzles())
def test_the_data_replay_to_the_goal(puzzle: tuple[Solution, TileSet]) -> None:
    solution, tiles = puzzle
    data = Page(render_page(solution, tiles)).data
    assert replayed(data) == list(solution.goal.cells)
    assert (data["rows"], data["cols"]) == (tiles.shape.rows, tiles.shape.cols)


@given(puzzles())
def test_each_element_shows_its_own_tile(puzzle: tuple[Solution, TileSet]) -> None:
    solution, tiles = puzzle
    page = render_page(solution, tiles)
    rule = re.search(
        r'url\("data:image/webp;base64,([^"]+)"\); background-size: (\S+)% (\S+)%', page
    )
    assert rule
    picture = PillowImage.open(io.BytesIO(base64.b64decode(rule[1])))
    sheet = np.asarray(picture.convert("RGB"))
    # The element is as large as a tile of the file, so this is what CSS does.
    high, wide = tiles.tiles[0].shape[:2]
    assert sheet.shape[1] == pytest.approx(float(rule[2]) * wide / 100, abs=0.01)
    assert sheet.shape[0] == pytest.approx(float(rule[3]) * high / 100, abs=0.01)
    share = {k: float(v) for k, v in re.findall(r"--(\w+-[xy]): ([\d.]+)%", page)}
    for way, count in (("x", tiles.shape.cols), ("y", tiles.shape.rows)):
        step, tile = share[f"step-{way}"], share[f"tile-{way}"]
        assert step == pytest.approx(tile + share[f"gap-{way}"], abs=0.001)
        assert (count - 1) * step + tile == pytest.approx(100, abs=0.001)
    shown = Page(page)
    elements = shown.classed("tile") + shown.classed("hollow")[:1]
    assert len(elements) == tiles.shape.size
    for element in elements:
        style = dict(part.split(":") for part in element["style"].split(";"))
        cell = int(style["--r"]) * tiles.shape.cols + int(style["--c"])
        x, y = (float(part[:-1]) / 100 for part in style["background-position"].split())
        left, top = x * (sheet.shape[1] - wide), y * (sheet.shape[0] - high)
        assert left == pytest.approx(round(left), abs=0.01)
        part = sheet[round(top) : round(top) + high, round(left) : round(left) + wide]
        np.testing.assert_array_equal(part, tiles.tiles[cell])  # few colours: exact
        if "data-tile" in element:
            assert int(element["data-tile"]) == cell


def test_a_full_page_stays_small() -> None:
    emblem = load_image(SAMPLES / "emblem_reference.png")
    tiles = TileSet.cut(emblem, CASE_START, CASE_GOAL)
    assert tiles.width == 741
    assert len(render_page(CASE, tiles).encode()) < 400_000
    large = noise_tiles(Shape(3, 3), 900, 900, top=256)
    data = Page(render_page(CASE, large)).data
    assert (data["width"], data["height"]) == (1440, 1440)


def test_nothing_is_loaded_from_anywhere() -> None:
    page = render_page(CASE, flat_tiles(Shape(3, 3), 9, 9))
    shown = Page(page)
    for name in ("src", "href", "action", "data", "poster", "srcset", "background"):
        for value in shown.attributes(name):
            assert value.startswith("data:"), (name, value)
    assert all(url.startswith("data:") for url in re.findall(r'url\("?([^")]+)', page))
    assert "@import" not in page
    assert not {"iframe", "object", "embed", "base", "form"} & {
        t for t, _ in shown.tags
    }
    known = {"http://www.w3.org/2000/svg"}  # a name of a format, never fetched
    assert set(re.findall(r"https?://[^\s'\"<>]+", page)) <= known
    for call in ("fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "eval("):
        assert call not in page


def test_the_policy_allows_just_this_script() -> None:
    page = render_page(CASE, flat_tiles(Shape(3, 3), 9, 9))
    shown = Page(page)
    policy = next(a["content"] for _, a in shown.tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; img-src data:;")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy
    assert not [n for _, attrs in shown.tags for n in attrs if n.startswith("on")]


# Parsers show a NUL as another sign.
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40))
@example("</title><script>alert(1)</script>")
@example('"><img src=x onerror=alert(1)>')
@example("{{data}} {{script}} \\1 \\g<0>")
@example("<!-- & &amp; ' \u2028")
def test_a_title_stays_a_title(title: str) -> None:
    plain = Page(render_page(CASE, TILES, Style(title="plain")))
    shown = Page(render_page(CASE, TILES, Style(title=title)))
    assert [tag for tag, _ in shown.tags] == [tag for tag, _ in plain.tags]
    # What is no sign is a space; of several spaces one is left, and none at the ends.
    wanted = re.sub("[ \0-\x1f\x7f-\x9f\u2028\u2029]+", " ", title).strip()
    for element in ("title", "h1"):
        assert shown.texts[element][0] == (wanted or "Sliding puzzle 3\u00a0×\u00a03")


TILES = flat_tiles(Shape(3, 3), 4, 4)


def test_the_data_cannot_end_their_element(monkeypatch: pytest.MonkeyPatch) -> None:
    from imgpuzzle.render import page as module

    evil = {"solved": "</script><script>alert(1)</script>\u2028<!--", "move": {}}
    real = module._script_words

    def words(solution: Solution, language: str) -> dict[str, object]:
        return real(solution, language) | evil

    monkeypatch.setattr(module, "_script_words", words)
    shown = Page(render_page(CASE, TILES))
    assert shown.data["words"]["solved"] == evil["solved"]
    assert "<" not in shown.texts["script"][0]
    assert len(shown.texts["script"]) == 2


@pytest.mark.parametrize(
    ("start", "moves", "bound", "metric", "claim"),
    [
        (
            "1 2 3 / 4 5 6 / 7 8 0",
            (),
            0,
            "single",
            "Solved already: no move is needed.",
        ),
        ("1 2 3 / 4 5 6 / 7 0 8", (8,), 1, "single", "1 move, proven shortest"),
        (
            "1 2 3 / 4 5 6 / 0 7 8",
            (7, 6, 7, 8),
            2,
            "single",
            "4 moves, not proven shortest: at least 2 are needed",
        ),
        (
            "1 2 3 / 4 5 6 / 0 7 8",
            (7, 8),
            1,
            "slide",
            "1 slide (2 single moves), proven shortest",
        ),
    ],
)
def test_the_claim_is_what_was_proven(
    start: str, moves: tuple[int, ...], bound: int, metric: str, claim: str
) -> None:
    solution = Solution(Board.parse(start), CASE_GOAL, moves, bound, metric=metric)
    solution.verify()
    page = render_page(solution, TILES)
    found = re.search(r'<p class="claim (\w+)">.*?<span>(.*?)</span>', page)
    assert found
    assert found[2] == claim
    assert found[1] == ("care" if "not proven" in claim else "good")


def test_stages_are_chapters() -> None:
    page = render_page(CASE_IN_STAGES, TILES)
    assert "20 moves in 2 stages; the shortest known solution has 18" in page
    shown = Page(page).data["stages"]
    assert [stage["first"] for stage in shown] == [0, 15]
    assert [stage["name"] for stage in shown] == ["First row", "Last 2\u00a0×\u00a03"]
    assert f'<p class="chapter" id="chapter">{shown[0]["words"]}</p>' in page
    # Without scripts each is said before its first move.
    lead = f"<li><strong>{shown[1]['heading']} {shown[1]['words']}</strong><br>"
    assert page.count(lead) == 1
    plain = render_page(CASE, TILES)
    assert "stages" not in Page(plain).data
    assert 'id="chapter"' not in plain.split("<script")[0]


def leaves(value: Any) -> list[str]:
    """All texts in nested dictionaries and lists."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for part in value for text in leaves(part)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_complete(language: str) -> None:
    metric = "slide"
    for solution in (
        Solution(CASE_START, CASE_GOAL, CASE.moves, 5, metric=metric),
        Solution(CASE_START, CASE_GOAL, CASE.moves, 0, metric=metric),
        Solution(CASE_START, CASE_GOAL, CASE.moves, 20 if metric == "single" else 18),
        Solution(CASE_GOAL, CASE_GOAL, (), 0, metric=metric),
    ):
        page = render_page(solution, TILES, Style(language=language, ahead=3))
        shown = Page(page)
        assert ("html", {"lang": language}) in shown.tags
        texts = [*shown.visible, *shown.attributes("aria-label"), *leaves(shown.data)]
        text = re.sub(r"\{\w+\}", "", " ".join([*texts, *shown.attributes("title")]))
        if language == "en":
            assert not re.search("[А-Яа-яЁё]", text)
        elif language == "de":
            # Short words that German has not, and what stands on every page.
            assert not re.search(r"\b(the|and|step|move|tile|solved|of)\b", text, re.I)
            assert re.search(r"Schritt|Zug", text)
        elif language == "ru":
            foreign = set(re.findall("[A-Za-z]{2,}", re.sub("#[0-9a-f]{6}", "", text)))
            assert foreign <= {"JavaScript", "Home", "End"}
            assert len(re.findall("[А-Яа-яЁё]+", text)) > 100


def test_the_moves_stand_there_without_scripts_too() -> None:
    page = render_page(CASE, TILES)
    plain = re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL)[-1]
    items = re.findall(r"<li>(.*?)</li>", plain)
    assert items == [
        f"Move the tile at row {step.origin // 3 + 1}, column {step.origin % 3 + 1} "
        f"{step.direction.word}"
        for step in CASE.steps()
    ]
    numbered = render_page(CASE, TILES, Style(numbers=True, coordinates="letters"))
    first = re.search(r"<li>(.*?)</li>", numbered)
    assert first
    assert first[1] == "Move tile 6 at C2 down"


def test_equal_tiles_are_separate_elements() -> None:
    goal = Board.parse("1 1 1 / 2 2 2 / 2 2 0")
    solution = wandering(goal, 12, 3)
    shown = Page(render_page(solution, TileSet.numbered(solution.start)))
    ids = [int(element["data-tile"]) for element in shown.classed("tile")]
    assert sorted([*ids, solution.start.blank]) == list(range(9))


def test_the_first_tile_to_move_is_marked_without_scripts_too() -> None:
    shown = Page(render_page(CASE, TILES))
    (marked,) = shown.classed("next")
    assert int(marked["data-tile"]) == CASE.moves[0]
    solved = Page(render_page(Solution(CASE_GOAL, CASE_GOAL, (), 0), TILES))
    assert not solved.classed("next")
