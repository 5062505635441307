"""The rules of the house: imports run downward, and nothing heavy loads early."""

from __future__ import annotations

import ast
import graphlib
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import click
import pytest

import imgpuzzle
from imgpuzzle.cli import main

PACKAGE = Path(imgpuzzle.__file__).parent

# Each layer may use itself (unless it is a set of siblings) and those below.
LAYERS = (
    {"errors", "messages", "spec"},
    {"files", "kernels"},
    {"core"},
    {"puzzles"},
    {"render", "solver", "vision"},
    {"outputs"},
    {"guide"},
    {"pipeline"},
    {"live"},
    {"cli", "fleet", "web", "__main__"},
)
SIBLINGS = LAYERS[4]
CARRIERS = {"vision.trail"}
"""It holds what knows it, and imports it for the types alone."""
HEAVY = {
    *("cv2", "ctypes", "imageio", "numpy", "PIL", "platformdirs"),
    *("rich", "scipy", "skimage"),
}


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name below the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        found[".".join(parts)] = path
    return found


MODULES = modules()
ROOMS = sorted({name.rpartition(".")[0] for name in MODULES})


@cache
def tree_of(name: str) -> ast.Module:
    """What a module says; not before a test asks, because all workers come by here."""
    return ast.parse(MODULES[name].read_text("utf-8"), str(MODULES[name]))


@pytest.fixture(scope="module", autouse=True)
def trees_go() -> Iterator[None]:
    """Half a million nodes would slow every collection of garbage in later tests."""
    yield
    tree_of.cache_clear()


def trees() -> Iterator[tuple[str, ast.Module]]:
    return ((name, tree_of(name)) for name in MODULES)


def is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def statements(tree: ast.AST, *, types: bool) -> Iterator[ast.AST]:
    """The statements of a module that run; those for the types only on request."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.expr):
            continue
        if isinstance(child, ast.If) and is_for_types(child.test):
            yield from child.orelse
            if not types:
                continue
        yield child
        yield from statements(child, types=types)


@cache
def imports(name: str, *, types: bool = False) -> tuple[str, ...]:
    """The dotted names that a module imports, absolute, in functions, too."""
    return tuple(_imports(name, types=types))


def _imports(name: str, *, types: bool) -> Iterator[str]:
    for node in statements(tree_of(name), types=types):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative imports are not used here"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"


def inner_imports(name: str, *, types: bool = False) -> set[str]:
    """The package's own modules among them, without the package's name."""
    found = set()
    for target in imports(name, types=types):
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


def test_imports_run_downward() -> None:
    """Also those for the types, which siblings may know of each other."""
    for name in set(MODULES) - {""}:
        for target in inner_imports(name, types=True):
            assert layer(target) <= layer(name), f"{name} imports {target}"
        for target in inner_imports(name):
            top, other = name.split(".")[0], target.split(".")[0]
            if top in SIBLINGS and other in SIBLINGS:
                assert top == other, f"{name} imports its sibling {target}"


def test_the_server_s_work_knows_nothing_of_http() -> None:
    for name, path in MODULES.items():
        said = path.read_text("utf-8")
        if name.startswith("web.work."):
            assert "imgpuzzle.web.http" not in said, name
        if not name.startswith("web."):
            assert name == "cli.commands.web" or "imgpuzzle.web" not in said, name


def test_names_with_an_underscore_stay_at_home() -> None:
    """No list beside them says what others may use: their names do."""
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                used = {alias.name for alias in node.names if node.module}
                private = {one for one in used if one.startswith("_")}
                assert private <= {"__version__"}, f"{name}: {node.module}"


# Errors of other libraries, which say what they are in no other way.
FOREIGN = {"kernels.library", "web.work.worker"}


def is_sentence(node: ast.AST) -> bool:
    """Whether an expression is the text of an error or of a message."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "str":
        return False
    words = ("error", "message", "doubt", "note", "reason", "refusal")
    return any(word in ast.unparse(node) for word in words)


def test_nothing_is_steered_by_sentences() -> None:
    for name, tree in trees():
        for node in ast.walk(tree):
            looked_at: list[ast.AST] = []
            if isinstance(node, ast.Compare):
                looked_at = [node.left, *node.comparators]
            elif isinstance(node, ast.Call):
                of = getattr(node.func, "value", None)
                if isinstance(of, ast.Name) and of.id == "re":
                    looked_at = list(node.args)
                elif isinstance(node.func, ast.Attribute):
                    looked_at = [node.func.value] if node.func.attr != "format" else []
            found = any(map(is_sentence, looked_at))
            assert not found or name in FOREIGN, f"{name}:{node.lineno}"  # type: ignore[attr-defined]


def test_no_module_imports_itself_in_a_circle() -> None:
    """Not in functions either, and not for the types."""
    graph = {name: inner_imports(name, types=name not in CARRIERS) for name in MODULES}
    graph[""] = set()  # the package looks its public names up
    list(graphlib.TopologicalSorter(graph).static_order())


def test_no_room_imports_itself_in_a_circle() -> None:
    """Of two rooms, or a room and a module, of one folder only one knows the other."""
    for folder in ROOMS:
        inside = f"{folder}." if folder else ""
        graph: dict[str, set[str]] = {}
        for name in MODULES:
            if name and name.startswith(inside):
                room = name.removeprefix(inside).split(".")[0]
                found = {
                    target.removeprefix(inside).split(".")[0]
                    for target in inner_imports(name)
                    if target.startswith(inside)
                }
                graph.setdefault(room, set()).update(found - {room})
        list(graphlib.TopologicalSorter(graph).static_order())


def test_rooms_of_the_solver_import_only_those_before_them() -> None:
    rooms = ("tables", "first", "beam", "classic", "slides")
    for name in MODULES:
        for target in inner_imports(name) if name.startswith("solver.") else ():
            room, other = (one.split(".")[1] for one in (name, f"{target}."))
            if room in rooms and other in rooms:
                assert rooms.index(other) <= rooms.index(room), f"{name}: {target}"


def options_of(command: click.Command) -> set[str]:
    """The names of all that a command, and those in its group, may be given."""
    names = {param.name or "" for param in command.params}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            names |= options_of(inner)
    return names


def test_commands_ask_only_for_what_they_were_given() -> None:
    """A type checker does not know the options: they are values by their names."""
    for name in MODULES:
        if not name.startswith("cli"):
            continue
        module = importlib.import_module(f"imgpuzzle.{name}")
        known = options_of(getattr(module, "command", main)) | {"of", "but"}
        for node in ast.walk(tree_of(name)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "given":
                assert node.attr in known, f"{name}, line {node.lineno}: {node.attr}"


def test_files_stay_readable() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 700, path


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
    ("code", "heavy"),
    [
        ("import imgpuzzle; dir(imgpuzzle)", HEAVY),
        (
            "import imgpuzzle.solver.search, imgpuzzle.core.scramble",
            {"click", *HEAVY},
        ),
        *(
            (QUIET_MAIN.format(args=args), HEAVY)
            for args in (
                *(["--help"], ["--version"], ["tables", "build", "--help"]),
                ["check", "1 2 3 / 4 0 5 / 7 8 6"],
            )
        ),
        (
            QUIET_MAIN.format(args=["solve", "1 2 3 / 4 0 5 / 7 8 6", "--no-files"]),
            {"cv2", "PIL", "scipy"},
        ),
        # A browser has Pillow only for files.
        (
            "from imgpuzzle.web.work import tasks; tasks.IN_BROWSER = True; "
            "tasks.prepare('read'); import imgpuzzle.render.drawing.hollow",
            {"PIL"},
        ),
    ],
    ids=[
        *("import", "solver", "help", "version", "help of tables", "check", "solve"),
        "reading in a browser",
    ],
)
def test_nothing_heavy_is_loaded_early(code: str, heavy: set[str]) -> None:
    assert not loaded_by(code) & heavy


def test_the_public_names_are_sorted_and_all_there() -> None:
    names = imgpuzzle.__all__
    assert names == sorted(names)
    assert len(names) == len(set(names))
    for name in names:
        assert getattr(imgpuzzle, name) is not None
    assert dir(imgpuzzle) == names
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = imgpuzzle.nonsense


def test_all_equals_what_the_package_announces() -> None:
    announced = {*imgpuzzle._MODULE_OF, *imgpuzzle._SUBMODULES, "__version__"}
    assert announced == set(imgpuzzle.__all__)
    checked = {
        alias.asname or alias.name
        for node in ast.walk(tree_of(""))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("imgp")
        for alias in node.names
    }
    assert checked | {"__version__"} == set(imgpuzzle.__all__)


def test_every_error_is_public() -> None:
    from imgpuzzle import errors
    from imgpuzzle.core import reading

    others = vars(errors)
    beside = [n for n in vars(reading) if n.endswith("Error") and n not in others]
    assert {*errors.__all__, *beside} <= set(imgpuzzle.__all__)
    for name in (*errors.__all__, *beside):
        assert name in (errors.__doc__ or ""), f"{name} is missing in the tree"


def test_every_number_of_a_tuning_is_explained() -> None:
    """By a text below it, which neighbours may share, or in the class's own."""
    silent = []
    for name, tree in trees():
        for kind in tree.body:
            if not (isinstance(kind, ast.ClassDef) and kind.name == "Tuning"):
                continue
            own = ast.get_docstring(kind) or ""
            waiting: list[str] = []
            for node in kind.body:
                if isinstance(node, ast.AnnAssign):
                    field = ast.unparse(node.target)
                    waiting += [] if f"{field}:" in own else [f"{name}.{field}"]
                elif isinstance(node, ast.Expr):
                    waiting = []
            silent += waiting
    assert not silent


def test_what_is_installed_is_used() -> None:
    """A library that no module imports is a download for nothing."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    asked = {re.split(r"[<>=;]", one)[0] for one in project["project"]["dependencies"]}
    sources = "\n".join(one.read_text("utf-8") for one in PACKAGE.rglob("*.py"))
    provided: dict[str, set[str]] = {}
    for module, libraries in metadata.packages_distributions().items():
        for library in libraries:
            provided.setdefault(library.lower(), set()).add(module)
    unused = {
        library
        for library in asked
        if not any(
            re.search(rf"^\s*(import|from) {module}\b", sources, re.MULTILINE)
            for module in provided[library.lower()]
        )
    }
    # What starlette needs to take forms, and does not ask for itself.
    assert unused == {"python-multipart"}
