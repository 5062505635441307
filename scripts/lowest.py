"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

``python scripts/lowest.py [EXTRA ...] > constraints.txt`` takes the dependencies of
the package and of the extras that are named. ``.ci/run`` installs these versions and
runs the tests that are marked ``smoke``, so that the floors are true.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest(extras: list[str]) -> dict[str, str]:
    """The lowest allowed version of each dependency that has a floor, by its name."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    found = {}
    for line in wanted:
        name = re.match(r"[\w.-]+", line)
        floor = re.search(r">=\s*([\w.]+)", line)
        if name and floor:
            found[name[0]] = floor[1]
    return found


def main() -> None:
    """Print them, one a line."""
    for name, version in lowest(sys.argv[1:]).items():
        print(f"{name}=={version}")


if __name__ == "__main__":
    main()
