"""What SECURITY.md says is held by tests: they exist, and every line has one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")


def named_tests(path: Path) -> set[str]:
    """The tests of a file, those of classes as ``Class::test``."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        found |= {
            prefix + one.name for one in inner if isinstance(one, ast.FunctionDef)
        }
    return found


def rows() -> list[list[str]]:
    lines = [line for line in TEXT.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_threat_has_tests_that_exist() -> None:
    assert len(rows()) > 10
    for threat, _, tests in rows():
        names = re.findall(r"`([\w/]+\.py)::([\w:]+)`", tests)
        assert names, threat
        for file, name in names:
            assert name in named_tests(ROOT / "tests" / file), f"{file}::{name}"


def test_its_attacks_exist() -> None:
    from benchmarks.robust.attack import KINDS

    said = TEXT[TEXT.index("## Trying it") :]
    assert all(kind in said for kind in KINDS)
