"""Print what the package needs, in its lowest versions, as requirements for pip.

``python scripts/lowest.py [EXTRA ...] > lowest.txt`` takes the dependencies of the
package and of the extras that are named; with ``--any`` before them, any versions that
pyproject.toml allows. ``.ci/run`` installs both and runs the tests that are marked
``smoke``, so that the floors are true.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def wanted(extras: list[str]) -> list[str]:
    """The requirements of the package and of some extras."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    lines = list(project["dependencies"])
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return lines


def lowest(line: str) -> str:
    """A requirement in its lowest version, where it has a floor."""
    floor = re.match(r"([\w.-]+)\s*>=\s*([\w.]+)", line)
    return f"{floor[1]}=={floor[2]}" if floor else line


def main() -> None:
    """Print them, one a line."""
    given = sys.argv[1:]
    is_any = given[:1] == ["--any"]
    for line in wanted(given[is_any:]):
        print(line if is_any else lowest(line))


if __name__ == "__main__":
    main()
