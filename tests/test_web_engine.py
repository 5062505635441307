"""The engine of the page without a server, run here: what it answers is what the server
answers, and what the folder of the site is made of is checked."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_reading_support import GRID, PIXELS, REFERENCE, REGION, SHOT, upload
from web_support import ok

from imgpuzzle.files.image import load_image
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.web import extension, static_site
from imgpuzzle.web.engine import Engine, worked

FAR = "8 6 7 / 2 5 4 / 3 0 1"


def ppm(pixels: Any) -> bytes:
    height, width = pixels.shape[:2]
    return b"P6\n%d %d\n255\n" % (width, height) + pixels.tobytes()


SOLVED = ppm(load_image(REFERENCE))
"""With it, a board is read in a third of the time."""


class Browser:
    """What the worker of the page does for its engine, in this process."""

    def __init__(self) -> None:
        self.loaded: list[str] = []
        self.ended = 0
        self.holds: asyncio.Event | None = None

    async def load(self, names: str) -> None:
        self.loaded += names.split(",")

    async def search(self, request: str, told: Callable[[str], None]) -> str:
        if self.holds is not None:
            await self.holds.wait()
        return worked(request, told)

    def end_search(self) -> None:
        self.ended += 1


class Page:
    """What the page sends, and what it gets."""

    def __init__(self) -> None:
        self.browser = Browser()
        self.engine = Engine(self.browser)

    async def ask(self, path: str, json_: Any = None, **form: Any) -> Any:
        files = {name: one for name, one in form.items() if isinstance(one, bytes)}
        request = {
            "path": path,
            "json": "" if json_ is None else json.dumps(json_),
            "fields": {name: one for name, one in form.items() if name not in files},
            "files": files,
            "names": {name: f"{name}.png" for name in files},
        }
        status, kind, data = await self.engine.answered(request)
        return status, json.loads(data) if kind == "application/json" else data

    async def board(self, text: str) -> str:
        status, answer = await self.ask("/api/board", {"board": text})
        assert status == 200
        return str(answer["id"])

    async def ended(self, job: str) -> Any:
        version = -1
        while True:
            status, news = await self.ask(f"/api/jobs/{job}?after={version}")
            assert status == 200
            if news["state"] in ("done", "failed", "cancelled"):
                return news
            version = news["version"]


def without_place(answer: Any) -> Any:
    """An answer without what names it, which differs each time."""
    names = ("id", "tiles", "screenshot", "seconds")
    return {name: one for name, one in answer.items() if name not in names}


def test_a_reading_is_that_of_the_server(web: Any) -> None:
    async def read() -> tuple[Any, bytes]:
        page = Page()
        given = {"grid": GRID, "region": REGION, "reference": SOLVED}
        status, answer = await page.ask("/api/read", screenshot=ppm(PIXELS), **given)
        assert status == 200
        assert "pillow" not in page.browser.loaded
        _, tiles = await page.ask(answer["tiles"])
        return answer, tiles

    answer, tiles = asyncio.run(read())
    form = {"screenshot": SHOT, "reference": REFERENCE.read_bytes()}
    other = ok(upload(web, **form, grid=GRID, region=REGION))
    assert without_place(answer) == without_place(other)
    assert tiles == web.get(other["tiles"]).content


def test_what_the_browser_cannot_decode_is_left_to_pillow() -> None:
    async def read() -> None:
        page = Page()
        given = {"screenshot": SHOT, "reference": SOLVED, "region": REGION}
        status, answer = await page.ask("/api/read", grid=GRID, **given)
        assert status == 200
        assert answer["rows"] == 3
        assert "pillow" in page.browser.loaded
        status, answer = await page.ask("/api/read", screenshot=b"P6 no picture")
        assert status == 422
        assert answer["error"]["kind"] == "InvalidImageError"

    asyncio.run(read())


def test_a_board_is_solved_corrected_and_solved_again() -> None:
    async def solve() -> None:
        page = Page()
        name = await page.board("1 2 3 / 4 0 5 / 7 8 6")
        _, begun = await page.ask("/api/solve", {"reading": name})
        assert (await page.ended(begun["job"]))["result"]["move_count"] == 2
        status, again = await page.ask(f"/api/read/{name}", {"swap": [[0, 0], [0, 1]]})
        assert status == 200
        assert not again["solvable"]
        status, answer = await page.ask("/api/solve", {"reading": name})
        assert status == 422
        assert answer["error"]["kind"] == "UnsolvableError"

    asyncio.run(solve())


def test_a_reading_is_brought_back_at_a_later_visit() -> None:
    async def visits() -> None:
        first, later = Page(), Page()
        given = {"grid": GRID, "region": REGION}
        pictures = {"screenshot": ppm(PIXELS), "reference": SOLVED}
        _, answer = await first.ask("/api/read", **given, **pictures)
        place = f"/api/read/{answer['id']}"
        assert (await later.ask(place))[0] == 404
        kept = first.engine.kept(answer["id"])
        assert later.engine.bring_back(kept, pictures)
        assert await later.ask(place) == (200, answer)
        change = {"swap": [[0, 0], [0, 1]]}
        status, changed = await later.ask(place, change)
        assert status == 200
        _, here = await first.ask(place, change)
        assert without_place(changed) == without_place(here)
        assert not Page().engine.bring_back(b"of another version", {})

    asyncio.run(visits())


def test_to_cancel_a_search_ends_its_worker_and_the_next_one_is_done() -> None:
    async def cancel() -> None:
        page = Page()
        name = await page.board(FAR)
        page.browser.holds = asyncio.Event()
        _, first = await page.ask("/api/solve", {"reading": name})
        await asyncio.sleep(0)
        _, second = await page.ask("/api/solve", {"reading": name})
        await page.ask(f"/api/jobs/{first['job']}/cancel", {})
        assert (await page.ended(first["job"]))["state"] == "cancelled"
        page.browser.holds.set()
        assert (await page.ended(second["job"]))["result"]["move_count"] == 31
        assert page.browser.ended == 1

    asyncio.run(cancel())


@pytest.mark.parametrize("path", ["/api/nothing", "/nothing"])
def test_what_it_cannot_do_is_said(path: str) -> None:
    status, answer = asyncio.run(Page().ask(path, {}))
    assert status == 501
    assert answer["error"]["message_code"]["kind"] == "not_here"


ABSENT = ("av", "click", "fpdf", "imageio", "multipart", "platformdirs", "starlette")
"""What the package has besides elsewhere."""


def test_what_is_offered_is_made_without_more_libraries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ABSENT:
        monkeypatch.setitem(sys.modules, name, None)

    async def save() -> None:
        page = Page()
        name = await page.board("1 2 3 / 4 0 5 / 7 8 6")
        _, solving = await page.ask("/api/solve", {"reading": name})
        await page.ended(solving["job"])
        given = {"reading": name, "job": solving["job"], "style": {}, "options": {}}
        for one in FORMATS.values():
            _, begun = await page.ask("/api/render", {**given, "format": one.name})
            ended = await page.ended(begun["job"])
            assert ended["state"] == "done" or one.suffix in static_site.BEYOND, ended
        status, _ = await page.ask("/api/code", {"text": "https://example.org/#b=1"})
        assert status == 200

    asyncio.run(save())


# The folder.

FILES = ("__init__.py", "LICENSE.txt", "__init__.pyi", "core/tests/test_core.py")
"""Of a package: the last two are not needed there."""


@pytest.fixture
def given(tmp_path: Path) -> dict[str, Path]:
    """A distribution of one package, whose digest its lock file has."""
    pyodide, wheels = tmp_path / "pyodide", tmp_path / "wheels"
    pyodide.mkdir()
    wheels.mkdir()
    packages = {}
    for name in static_site.PACKAGES:
        data = extension.packed({f"{name}/{one}": one.encode() for one in FILES})
        (wheels / f"{name}.whl").write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        packages[name] = {"file_name": f"{name}.whl", "sha256": digest}
    for name in static_site.CORE:
        (pyodide / name).write_text(name)
    (pyodide / "pyodide-lock.json").write_text(json.dumps({"packages": packages}))
    own = tmp_path / "imgpuzzle.whl"
    own.write_bytes(extension.packed({"imgpuzzle/__init__.py": b"own"}))
    return {"pyodide": pyodide, "wheels": wheels, "own": own}


def make(out: Path, given: dict[str, Path], **how: Any) -> dict[str, int]:
    wheels = str(given["wheels"])
    engine = static_site.engine_files(given["pyodide"], wheels, given["own"], **how)
    return static_site.make(out, engine)


def test_the_folder_is_the_same_twice_and_knows_its_own_digests(
    tmp_path: Path, given: dict[str, Path]
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    sizes = make(one, given)
    make(other, given)
    found = {p.relative_to(one).as_posix(): p for p in one.rglob("*") if p.is_file()}
    assert {name: path.stat().st_size for name, path in found.items()} == sizes
    assert all(p.read_bytes() == (other / n).read_bytes() for n, p in found.items())
    first = (one / "offline.js").read_text().partition("\n")[0]
    digests = json.loads(first.removeprefix("const FILES = ").removesuffix(";"))
    assert digests.keys() == found.keys() - {"offline.js"}
    for name, digest in digests.items():
        assert hashlib.sha256(found[name].read_bytes()).hexdigest() == digest


def test_a_package_is_its_files_one_after_the_other(
    tmp_path: Path, given: dict[str, Path]
) -> None:
    make(tmp_path / "out", given)
    static = tmp_path / "out" / "static"
    listed = (static / "parts.js").read_text().removeprefix("export default ")
    packages = json.loads(listed.removesuffix(";\n"))["packages"]
    assert packages.keys() == {"imgpuzzle", "segno", *static_site.PACKAGES}
    numpy = packages["numpy"]
    packed = (static / "engine" / numpy["file"]).read_bytes()
    assert len(packed) == numpy["bytes"]
    assert dict(numpy["holds"]) == {
        f"numpy/{one}": len(one) for one in ("__init__.py", "LICENSE.txt")
    }
    data = "".join(path.partition("/")[2] for path, _ in numpy["holds"])
    assert gzip.decompress(packed).decode() == data


def test_a_package_that_was_changed_is_refused(
    tmp_path: Path, given: dict[str, Path]
) -> None:
    (given["wheels"] / "numpy.whl").write_bytes(b"another one")
    with pytest.raises(static_site.UsageError, match="SHA-256"):
        make(tmp_path / "out", given)
    assert not (tmp_path / "out").exists()
    (given["wheels"] / "numpy.whl").unlink()
    with pytest.raises(static_site.UsageError, match="none"):
        make(tmp_path / "out", given)
    assert make(tmp_path / "out", given, accept_others=True)


def test_a_folder_of_other_things_is_left_alone(
    tmp_path: Path, given: dict[str, Path]
) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(static_site.UsageError, match="empty"):
        make(tmp_path, given)
    out = tmp_path / "out"
    make(out, given)
    (out / "CNAME").write_text("kept")
    (out / "static" / "mine.js").write_text("kept")
    keeper = out / "offline.js"
    keeper.write_text(keeper.read_text().replace("{", '{"static/old.js": "0", ', 1))
    (out / "static" / "old.js").write_text("of a site of before")
    make(out, given)
    assert (out / "CNAME").read_text() == "kept"
    assert (out / "static" / "mine.js").read_text() == "kept"
    assert not (out / "static" / "old.js").exists()
