"""Write the table of LICENCES.md: what a run of imgpuzzle loads, by whom, under what.

``python scripts/licences.py`` reads the dependencies from pyproject.toml, follows what
they need themselves, and takes the licences that they state where they are installed.
It needs packaging. The tests fail until the table is up to date.
"""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LIST = ROOT / "LICENCES.md"
BEGIN, END = "<!-- libraries -->\n", "<!-- end of libraries -->\n"

_HERE = {
    "extra": "",
    "python_version": "3.11",
    "python_full_version": "3.11.0",
    "sys_platform": "linux",
    "platform_system": "Linux",
}
"""The same list wherever it is written; what Windows needs besides stands there."""

_PLAIN = {"Apache 2.0": "Apache-2.0", "BSD License": "BSD-3-Clause"} | {
    "MIT License": "MIT",
    "LGPLv2+": "LGPL-2.1-or-later",
}
"""What is stated in other words than those of SPDX; their files were looked at."""


def table() -> str:
    """The table in Markdown, by the names of the libraries."""
    rows = [f"| {name} | {licence} |" for name, licence in sorted(_found().items())]
    return "\n".join(["| library | licence |", "|---|---|", *rows]) + "\n"


def written() -> str:
    """The table as LICENCES.md has it."""
    return LIST.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def _found() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = map(Requirement, project["dependencies"] + extras["video"] + extras["live"])
    todo = [
        one.name for one in asked if one.marker is None or one.marker.evaluate(_HERE)
    ]
    found: dict[str, str] = {}
    while todo:
        name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        if name in found:
            continue
        one = metadata.distribution(name)
        found[name] = _licence(one)
        for line in one.requires or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate(_HERE):
                todo.append(needed.name)
    return found


def _licence(one: metadata.Distribution) -> str:
    stated = one.metadata.get("License-Expression") or one.metadata.get("License")
    if not stated:
        classes = one.metadata.get_all("Classifier") or []
        stated = next(
            line.rpartition(" :: ")[2] for line in classes if line.startswith("License")
        )
    # Some state all of its text.
    stated = stated.splitlines()[0]
    return _PLAIN.get(stated, stated)


def main() -> None:
    """Write the table into LICENCES.md."""
    text = LIST.read_text("utf-8")
    before, rest = text.split(BEGIN)
    LIST.write_text(before + BEGIN + table() + END + rest.split(END)[1], "utf-8")


if __name__ == "__main__":
    main()
