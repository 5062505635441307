"""The extension in Chromium: what it shows in a tab, and its button, pressed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any


class Panel:
    """What the extension shows in a tab, where no script of the page can look."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._devtools = page.context.new_cdp_session(page)
        self._nodes: list[dict[str, Any]] = []

    def look(self) -> None:
        """Take what is shown now for the questions that follow."""
        self._nodes = []
        # Only the children of the root: what the page holds may be large.
        root = self._devtools.send("DOM.getDocument", {"depth": 2})["root"]
        html = next(one for one in root["children"] if one["nodeName"] == "HTML")
        for child in html.get("children", ()):
            if child["nodeName"] == "DIV":
                asked = {"nodeId": child["nodeId"], "depth": -1, "pierce": True}
                self._keep(self._devtools.send("DOM.describeNode", asked)["node"])

    def _keep(self, node: dict[str, Any]) -> None:
        self._nodes.append(node)
        for child in (*node.get("children", ()), *node.get("shadowRoots", ())):
            self._keep(child)

    @property
    def words(self) -> str:
        """The line of the panel."""
        for node in self._nodes:
            if node["nodeName"] == "P":
                return "".join(one["nodeValue"] for one in node.get("children", ()))
        return ""

    @property
    def numbers(self) -> list[tuple[float, float, int]]:
        """The numbers over the board with their places, CSS px."""
        found = []
        for node in self._nodes:
            if node["nodeName"] == "text":
                kept = _attributes(node)
                value = node["children"][0]["nodeValue"]
                if value.isdigit():  # else how often a tile is turned
                    found.append((float(kept["x"]), float(kept["y"]), int(value)))
        return found

    @property
    def mark(self) -> tuple[float, float] | None:
        """The middle of the tile that is marked, CSS px: of several the last."""
        return next(iter(self.marks[::-1]), None)

    @property
    def marks(self) -> list[tuple[float, float]]:
        """The middles of all tiles that are marked."""
        outlines = [
            {name: float(kept[name]) for name in ("x", "y", "width", "height")}
            for node in self._nodes
            if node["nodeName"] == "rect"
            for kept in [_attributes(node)]
            if kept.get("opacity") == "1"
        ]
        middles = (
            (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            for box in outlines
        )
        return [*dict.fromkeys(middles)]

    def press(self, text: str) -> bool:
        """Click a button, if it is there."""
        for node in self._nodes:
            children = node.get("children", ())
            is_button = node["nodeName"] == "BUTTON"
            if is_button and text in (children[0]["nodeValue"], _title(node)):
                asked = {"backendNodeId": node["backendNodeId"]}
                try:
                    model = self._devtools.send("DOM.getBoxModel", asked)["model"]
                except Exception:  # playwright's own: a button that is not drawn
                    return False
                box = model["content"]
                middle = (box[0] + box[4]) / 2, (box[1] + box[5]) / 2
                self._page.mouse.click(*middle)
                return True
        return False


def _title(node: dict[str, Any]) -> str:
    return _attributes(node).get("title", "")


def _attributes(node: dict[str, Any]) -> dict[str, str]:
    given = node["attributes"]
    return dict(zip(given[::2], given[1::2], strict=True))


PRESS = """
chrome.runtime.onMessage.addListener(({ press }) => {
  if (press) chrome.tabs.query({ url: `${press}*` }).then(([tab]) => pressed(tab));
});
"""


def trial_copy(made: Path, folder: Path) -> Path:
    """A copy of an extension for a browser that nobody sits before.

    Whoever clicks its button lets it look at the tab. Nobody can click there from here,
    so this copy may look at all tabs, and has its button pressed by a message.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["host_permissions"] = ["<all_urls>"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with (folder / "background.js").open("a") as background:
        background.write(PRESS)
    return folder


def own_page(context: Any) -> Any:
    """A page of the extension that asks for nothing by itself."""
    if not context.service_workers:
        context.wait_for_event("serviceworker")
    own = context.service_workers[0].url.rpartition("/")[0]
    page = context.new_page()
    page.goto(f"{own}/manifest.json")
    return page


def press_button(context: Any, address: str) -> None:
    """Have the extension's button pressed in the tab with that address."""
    page = own_page(context)
    page.evaluate("(press) => { chrome.runtime.sendMessage({ press }); }", address)
    page.close()
