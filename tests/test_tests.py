"""Tests of the tests: each can fail, and none depends on how busy the machine is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
FILES = sorted(TESTS.rglob("test_*.py"))
CLOCKS = {"perf_counter", "process_time", "monotonic", "thread_time"}

CHECKED_ELSEWHERE = {"verify", "raises", "warns", "fail"}
"""Calls that fail a test by themselves, besides all whose names begin with assert."""


Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(tree(path)):
        if isinstance(node, Function):
            yield node


def names_of_calls(node: ast.AST) -> set[str]:
    """What is called, and what is named besides: fixtures are only named."""
    found = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute):
            found.add(one.attr)
        elif isinstance(one, ast.Name):
            found.add(one.id)
        elif isinstance(one, ast.arg):
            found.add(one.arg)
    return found


def may_fail(node: ast.AST) -> bool:
    """Whether it asserts anything itself."""
    return any(
        isinstance(one, (ast.Assert, ast.Raise)) for one in ast.walk(node)
    ) or any(
        name in CHECKED_ELSEWHERE or name.startswith("assert")
        for name in names_of_calls(node)
    )


@cache
def that_check() -> frozenset[str]:
    """Names of all helpers that check something, themselves or through others."""
    every = [one for path in TESTS.rglob("*.py") for one in functions(path)]
    found = {one.name for one in every if may_fail(one)}
    calls = {one.name: names_of_calls(one) for one in every}
    while more := {n for n, of in calls.items() if n not in found and of & found}:
        found |= more
    return frozenset(found)


def test_each_checks_something() -> None:
    idle = [
        f"{path.name}: {one.name}"
        for path in FILES
        for one in functions(path)
        if one.name.startswith("test_")
        and not may_fail(one)
        and not names_of_calls(one) & that_check()
    ]
    assert idle == []
    assert not that_check() & {"len", "print", "range", "str"}


def is_always_true(test: ast.expr) -> bool:
    """A constant, a tuple, a thing compared with itself, or a count from 0."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, (ast.Tuple, ast.List)):
        return bool(test.elts)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(map(is_always_true, test.values))
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, (right,), (how,) = test.left, test.comparators, test.ops
        if isinstance(how, (ast.GtE, ast.LtE)) and ast.dump(left) == ast.dump(right):
            return True
        counts = isinstance(left, ast.Call) and getattr(left.func, "id", "") == "len"
        return (
            counts
            and isinstance(how, ast.GtE)
            and isinstance(right, ast.Constant)
            and right.value == 0
        )
    return False


def assertions(path: Path) -> Iterator[tuple[str, ast.Assert]]:
    """Each with the place where it stands."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Assert):
            yield f"{path.name}:{node.lineno}", node


def test_no_assertion_is_always_true() -> None:
    every = [one for path in FILES for one in assertions(path)]
    assert len(every) > 1000
    assert [place for place, node in every if is_always_true(node.test)] == []


def test_what_is_always_true_is_known() -> None:
    for text in ("True", "(a, b)", "a or 1", "len(a) >= 0", "a >= a"):
        assert is_always_true(ast.parse(text, mode="eval").body), text
    for text in ("a", "()", "len(a) > 0", "a == a", "f(a) >= 0"):
        assert not is_always_true(ast.parse(text, mode="eval").body), text


def test_no_assertion_looks_at_a_clock() -> None:
    # Patience with a process that may hang is a helper's, and a loop's.
    found = [
        f"{path.name}:{node.lineno}"
        for path in FILES
        for one in functions(path)
        if one.name.startswith("test_")
        for node in ast.walk(one)
        if isinstance(node, ast.Assert) and names_of_calls(node.test) & CLOCKS
    ]
    assert found == []
