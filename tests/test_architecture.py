"""The rules of the house: imports run downward, and nothing heavy loads early."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import imgpuzzle

PACKAGE = Path(imgpuzzle.__file__).parent

# Each layer may use itself (unless it is a set of siblings) and those below.
LAYERS = (
    {"errors", "messages"},
    {
        *("board", "boardfile", "control", "folder", "goals", "image", "language"),
        *("naming", "reading", "scramble", "solution", "solvability", "temporary"),
    },
    {"render", "solver", "vision"},
    {"outputs", "pipeline"},
    {"cli", "web", "__main__"},
)
SIBLINGS = LAYERS[2]
HEAVY = {
    *("cv2", "ctypes", "imageio", "filelock", "lap", "numpy", "PIL", "platformdirs"),
    *("rich", "scipy", "skimage"),
}


def modules() -> dict[str, ast.Module]:
    """Every module of the package by its dotted name below the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        tree = ast.parse(path.read_text("utf-8"), str(path))
        found[".".join(parts)] = tree
    return found


MODULES = modules()


def nodes(tree: ast.AST, *, functions: bool) -> Iterator[ast.AST]:
    """The parts of a module that run; those in functions only on request."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            yield from child.orelse
            continue
        inside = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        if inside and not functions:
            continue
        yield child
        yield from nodes(child, functions=functions)


def imports(name: str, *, functions: bool = True) -> Iterator[str]:
    """The dotted names that a module imports, absolute, at run time."""
    for node in nodes(MODULES[name], functions=functions):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative imports are not used here"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


def inner_imports(name: str, *, functions: bool = True) -> set[str]:
    """The package's own modules among them, without the package's name."""
    found = set()
    for target in imports(name, functions=functions):
        if not target.startswith("imgpuzzle."):
            continue
        parts = target.split(".")[1:]
        while parts and ".".join(parts) not in MODULES:
            parts.pop()
        if parts:
            found.add(".".join(parts))
    return found - {name}


def layer(name: str) -> int:
    top = name.split(".")[0]
    for number, members in enumerate(LAYERS):
        if top in members:
            return number
    raise AssertionError(f"{name} belongs to no layer: add it to LAYERS")


@pytest.mark.parametrize("name", sorted(set(MODULES) - {""}))
def test_imports_run_downward(name: str) -> None:
    for target in inner_imports(name):
        assert layer(target) <= layer(name), f"{name} imports {target}"
        top, other = name.split(".")[0], target.split(".")[0]
        if top in SIBLINGS and other in SIBLINGS:
            assert top == other, f"{name} imports its sibling {target}"


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {name: inner_imports(name, functions=False) for name in MODULES}
    list(graphlib.TopologicalSorter(graph).static_order())


def test_only_the_command_line_prints_and_exits() -> None:
    for name, tree in MODULES.items():
        if name.split(".")[0] == "cli":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                call = ast.unparse(node.func)
                assert call not in {"print", "exit", "sys.exit", "quit"}, name


def test_errors_are_raised_by_class_and_not_bare() -> None:
    for name, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                assert ast.unparse(node.exc.func) not in {"Exception", "BaseException"}
            if isinstance(node, ast.ExceptHandler):
                assert node.type is not None, f"{name}: bare except"


def test_files_stay_readable() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 700, path


def test_every_module_says_what_it_is_for() -> None:
    for name, tree in MODULES.items():
        if any(not isinstance(node, ast.Expr) for node in tree.body):
            assert ast.get_docstring(tree), f"{name} has no docstring"


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {module.split(".")[0] for module in done.stdout.split()}


QUIET_MAIN = """
import contextlib, io
from imgpuzzle.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main({args!r})
"""


@pytest.mark.parametrize(
    "code",
    [
        "import imgpuzzle; dir(imgpuzzle)",
        QUIET_MAIN.format(args=["--help"]),
        QUIET_MAIN.format(args=["--version"]),
        QUIET_MAIN.format(args=["check", "1 2 3 / 4 0 5 / 7 8 6"]),
    ],
    ids=["import", "help", "version", "check"],
)
def test_nothing_heavy_is_loaded_early(code: str) -> None:
    assert not loaded_by(code) & HEAVY


def test_a_text_board_is_solved_without_pictures() -> None:
    code = QUIET_MAIN.format(
        args=["solve", "--board", "1 2 3 / 4 0 5 / 7 8 6", "--no-files"]
    )
    assert not loaded_by(code) & {"cv2", "PIL", "scipy"}


@pytest.mark.xdist_group("this")
def test_groups_of_tests_reach_those_who_share_them_out(
    request: pytest.FixtureRequest,
) -> None:
    """Otherwise each process has a browser, servers and readings of its own."""
    if not hasattr(request.config, "workerinput"):
        pytest.skip("all tests run in one process")
    assert request.node.nodeid.endswith("@this")


def test_the_public_names_are_sorted_and_all_there() -> None:
    names = imgpuzzle.__all__
    assert names == sorted(names)
    assert len(names) == len(set(names))
    for name in names:
        assert getattr(imgpuzzle, name) is not None
        assert name in dir(imgpuzzle)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = imgpuzzle.nonsense


def test_all_equals_what_the_package_announces() -> None:
    announced = {*imgpuzzle._MODULE_OF, *imgpuzzle._SUBMODULES, "__version__"}
    assert announced == set(imgpuzzle.__all__)
    checked = {
        alias.asname or alias.name
        for node in ast.walk(MODULES[""])
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("imgp")
        for alias in node.names
    }
    assert checked | {"__version__"} == set(imgpuzzle.__all__)


def test_every_error_is_public() -> None:
    from imgpuzzle import errors

    assert set(errors.__all__) <= set(imgpuzzle.__all__)
    for name in errors.__all__:
        assert name in (errors.__doc__ or ""), f"{name} is missing in the tree"
