"""The report of ``imgpuzzle batch`` in a real browser: sorted, searched, its links."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from batch_support import (
    DOUBTFUL,
    NO_BOARD,
    UNSOLVABLE,
    lines_of,
    pipeline,
    read_quickly,
    write_picture,
)
from browser_support import CHROMIUM, DESKTOP, PHONE, Heard
from cli_support import run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
KINDS = {2: DOUBTFUL, 5: NO_BOARD, 6: UNSOLVABLE}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The report of eleven screenshots, one of them called as an attack."""
    folder = tmp_path_factory.mktemp("batch")
    for number in range(10):
        write_picture(
            folder / "shots" / f"shot{number}.png", number, KINDS.get(number, 0)
        )
    write_picture(folder / "shots" / "a b#c?d%20&<i>x.png", 30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "read_image", read_quickly)
        run("batch", folder / "shots", "-o", folder / "out", "--jobs", "1")
    yield folder / "out" / "report.html"
    CHROMIUM.close()


def opened(report: Path, heard: Heard) -> Any:
    return heard.opened(CHROMIUM.profile(viewport=DESKTOP), report.as_uri())


def names(page: Any) -> list[str]:
    """The screenshots that are shown, in their order."""
    shown: list[str] = page.evaluate(
        "[...document.querySelectorAll('#rows tr:not([hidden]) .name')]"
        ".map((one) => one.textContent)"
    )
    return shown


def test_sorted_and_searched(report: Path) -> None:
    heard = Heard()
    page = opened(report, heard)
    lines = {line["name"]: line for line in lines_of(report.parent)}
    first = names(page)
    assert first[:3] == ["shot2.png", "shot6.png", "shot5.png"]
    assert len(first) == len(lines) == 11
    page.click("th button[data-by=name]")
    by_name = ["a b#c?d%20&<i>x.png", *(f"shot{number}.png" for number in range(10))]
    assert names(page) == by_name
    page.click("th button[data-by=name]")
    assert names(page) == by_name[::-1]
    page.click("th button[data-by=moves]")
    moves = [lines[name]["moves"] for name in names(page)]
    known = [count for count in moves if count is not None]
    assert moves == [*sorted(known), None, None, None]
    page.click("th button[data-by=moves]")
    moves = [lines[name]["moves"] for name in names(page)]
    assert moves == [*sorted(known, reverse=True), None, None, None]
    assert page.get_attribute("th:has([data-by=moves])", "aria-sort") == "descending"
    page.click(".chip.doubtful")
    assert names(page) == ["shot2.png"]
    page.click(".chip[data-show='']")
    page.fill("#search", "SHOT")
    assert len(names(page)) == 10
    page.fill("#search", "shot cannot solved")
    assert names(page) == ["shot6.png"]
    page.fill("#search", "nothing of the kind")
    assert names(page) == []
    assert page.is_visible("#empty")
    assert heard.said == []
    heard.assert_asked_only("file:", "data:")
    page.close()


def test_links_lead_somewhere(report: Path) -> None:
    heard = Heard()
    page = opened(report, heard)
    links = page.evaluate("[...document.querySelectorAll('a')].map((a) => a.href)")
    assert len(set(links)) == 11 + 10 + 8  # screenshots, readings, guides
    for link in set(links):
        assert link.startswith("file:")
        assert Path(unquote(urlsplit(link).path)).is_file(), link
    page.close()


def test_it_fits_and_can_be_read(report: Path) -> None:
    page = opened(report, Heard())
    pictures = page.evaluate(
        "Promise.all([...document.images].map((one) => (one.loading = 'eager', "
        "one.decode().then(() => one.naturalWidth))))"
    )
    assert len(pictures) == 11
    assert min(pictures) > 50
    for settings in (DESKTOP, PHONE):
        page.set_viewport_size(settings)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= settings["width"]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        # Ink and ground of a badge and of the page: 4.5 to 1 as WCAG 2.2 asks.
        for name in (".badge.doubtful", ".badge.failed", ".badge.proven", ".result p"):
            assert page.evaluate(CONTRAST, name) >= 4.5, name
    page.close()


CONTRAST = """(name) => {
    const numbers = (colour) => colour.match(/[0-9.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = numbers(colour).slice(0, 3).map((value) => {
            const share = value / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const one = document.querySelector(name);
    let ground = one;
    while (numbers(getComputedStyle(ground).backgroundColor)[3] === 0) {
        ground = ground.parentElement;
    }
    const colours = [getComputedStyle(one).color];
    colours.push(getComputedStyle(ground).backgroundColor);
    const [less, more] = colours.map(light).sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
}"""
