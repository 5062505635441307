"""What is built from a checkout: nothing stray in it, and it runs by itself."""

from __future__ import annotations

import ast
import fnmatch
import importlib.metadata
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import hatch_build as build
from benchmarks.web.server import running
from imgpuzzle.kernels import sources

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "imgpuzzle"
SAMPLES = ROOT / "sample_images"

# All that may lie in the package besides its modules. What is new is added here, after
# a look at whether people need it.
DATA = (
    "py.typed",
    "data/*.css",
    "data/*.html",
    "data/*.js",
    "data/help.txt",
    "data/kinds.json",
    "locale/*/LC_MESSAGES/imgpuzzle.mo",
    "messages/extension.toml",
    "messages/page.toml",
    "render/fonts/Inter-*.otf",
    "render/fonts/Inter-*.ttf",
    "render/fonts/LICENSE.txt",
    "solver/beam/border.bin",
    "solver/beam/homes.bin",
    "solver/beam/rank.json",
    "solver/classic/automaton.bin",
    "kernels/compiled.*",
    "vision/numbers/digits.onnx",
    "vision/propose/finder.onnx",
    "vision/seams/*.npz",
    "web/site/*.js",
    "web/site/extension/*.html",
    "web/site/extension/*.js",
    "web/site/extension/*.json",
    "web/site/extension/*.png",
    "web/static/*.css",
    "web/static/*.html",
    "web/static/*.js",
    "web/static/*.svg",
)
SOURCES_ONLY = (
    "locale/*/LC_MESSAGES/imgpuzzle.po",
    "kernels/*.c",
    "kernels/*.h",
)
BUILT = "kernels/compiled.*"
"""In the wheel, and in a checkout where it was installed from."""
OFFERED = ("README.md", "*_screenshot.png", "*_reference.*")
"""The samples that the page offers, and their licences."""

WHEEL_BYTES = 4_000_000
SDIST_BYTES = 4_000_000

# One process builds and installs; the others have enough to do.
pytestmark = pytest.mark.xdist_group("package")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    # The build tools are those of this environment: nothing is fetched.
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


def call(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def one(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def wheel_names(built: Path) -> set[str]:
    with zipfile.ZipFile(one(built, "*.whl")) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    # As in a shell, a star does not cross a slash.
    return any(
        name.count("/") == pattern.count("/") and fnmatch.fnmatch(name, pattern)
        for pattern in patterns
    )


def files_below(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_package_holds_modules_and_known_data() -> None:
    stray = {
        name
        for name in files_below(PACKAGE)
        if not name.endswith(".py") and not is_one_of(name, DATA + SOURCES_ONLY)
    }
    assert not stray


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_the_samples_and_nothing_else(
    built: Path,
) -> None:
    package = {
        f"imgpuzzle/{name}"
        for name in files_below(PACKAGE)
        if not is_one_of(name, SOURCES_ONLY)
    }
    samples = {
        f"imgpuzzle/web/samples/{name}"
        for name in files_below(SAMPLES)
        if is_one_of(name, OFFERED)
    }
    names = wheel_names(built)
    records = {name for name in names if ".dist-info/" in name}
    assert names - records == package | samples
    assert {name.split("/", 1)[1] for name in records} == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"),
    }
    assert one(built, "*.whl").stat().st_size < WHEEL_BYTES


@pytest.mark.slow
def test_the_same_sources_make_the_same_library_anywhere(
    built: Path, tmp_path: Path
) -> None:
    """The wheel's came from the sources of the sdist, unpacked somewhere else."""
    compiler = build.find_compiler()
    if compiler is None:
        pytest.skip("there is no C compiler")
    made = tmp_path / "made"
    build.compile_library(compiler, sources, made)
    with zipfile.ZipFile(one(built, "*.whl")) as archive:
        place = f"imgpuzzle/kernels/{sources.LIBRARY}"
        assert made.read_bytes() == archive.read(place)
    assert str(ROOT).encode() not in made.read_bytes()


@pytest.mark.slow
def test_the_sdist_holds_what_builds_the_wheel_and_nothing_else(built: Path) -> None:
    with tarfile.open(one(built, "*.tar.gz")) as archive:
        names = {entry.name.split("/", 1)[1] for entry in archive if entry.isfile()}
    package = {
        f"imgpuzzle/{name}"
        for name in files_below(PACKAGE)
        if not is_one_of(name, (BUILT,))
    }
    samples = {
        f"sample_images/{name}"
        for name in files_below(SAMPLES)
        if not name.startswith("solution")
    }
    rest = {
        *("CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "pyproject.toml"),
        *(".gitignore", "LICENCES.md", "PKG-INFO", "hatch_build.py"),
    }
    assert names == package | samples | rest
    assert one(built, "*.tar.gz").stat().st_size < SDIST_BYTES


@pytest.mark.slow
def test_one_wheel_serves_all_versions_of_python_on_one_platform(built: Path) -> None:
    name = one(built, "*.whl").name
    version, abi, platform = name.removesuffix(".whl").split("-")[2:]
    assert (version, abi) == ("py3", "none")
    assert platform == re.sub(r"[-.]", "_", sysconfig.get_platform())
    with zipfile.ZipFile(one(built, "*.whl")) as archive:
        (record,) = (name for name in archive.namelist() if name.endswith("/WHEEL"))
        assert f"Tag: py3-none-{platform}\n" in archive.read(record).decode()


ELSEWHERE = {"pywinctl": ["PyWinCtl"], "pynput": ["pynput"]}
"""What is imported on Windows and macOS only, and the distributions it is in."""
EXTRAS = {"av": "video"} | dict.fromkeys(
    ("mss", "pynput", "python-xlib", "pywinctl"), "live"
)


def requirements(built: Path) -> dict[str, str]:
    """The distributions that the wheel asks for, with the extra that brings them."""
    with zipfile.ZipFile(one(built, "*.whl")) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        text = archive.read(name).decode()
    found = {}
    for line in re.findall(r"^Requires-Dist: (.+)$", text, re.MULTILINE):
        distribution = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == '(\w+)'", line)
        assert distribution is not None
        if extra is None or extra[1] not in ("test", "overlay"):
            # Those have what others have, too.
            found[plain(distribution[0])] = extra[1] if extra else ""
    return found


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported() -> set[str]:
    """The first names of all modules that the package imports, wherever it does."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"imgpuzzle"}


@pytest.mark.slow
def test_the_wheel_asks_for_what_the_package_imports(built: Path) -> None:
    homes = {**importlib.metadata.packages_distributions(), **ELSEWHERE}
    needed = {plain(home) for module in imported() for home in homes[module]}
    asked = requirements(built)
    assert needed <= asked.keys()
    in_extras = {name: asked[name] for name in needed if asked[name]}
    assert in_extras == EXTRAS
    # Whoever installs it has the page: what only it needs is in no extra.
    assert not {"starlette", "uvicorn", "segno", "python-multipart"} - {
        name for name, extra in asked.items() if not extra
    }


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel, and sees this one's other libraries.

    A path that a ``.pth`` file adds is searched for modules, but ``.pth`` files in it
    are not read: the checkout, installed there as editable, stays out of reach.
    """
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    call(
        *(sys.executable, "-m", "pip", "--python", programs / "python"),
        *("install", "--quiet", "--no-compile", "--no-deps", "--no-index"),
        one(built, "*.whl"),
    )
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    here = sysconfig.get_paths()
    lines = sorted({here["purelib"], here["platlib"]})
    Path(paths["purelib"], "libraries.pth").write_text("\n".join(lines))
    return programs


@pytest.mark.slow
def test_the_wheel_runs_outside_the_checkout(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    where = call(
        installed / "python", "-c", "import imgpuzzle; print(imgpuzzle.__file__)"
    )
    assert Path(where.strip()).is_relative_to(installed.parent)
    board = "1 2 3 / 4 0 5 / 7 8 6"
    text = call(installed / "imgpuzzle", "solve", "--board", board, "--no-files")
    assert "2 moves" in text
    # This one needs the library.
    board = "5 15 4 1 / 13 10 9 6 / 7 8 12 3 / 11 0 14 2"
    text = call(installed / "imgpuzzle", "solve", "--board", board, "--no-files")
    assert "50 moves" in text
    monkeypatch.setattr(sys, "executable", str(installed / "python"))
    with running(tmp_path) as server:
        assert b"<html" in server.get("/").body
        for source in SAMPLES.glob("*_screenshot.png"):
            shot = server.get(f"/static/samples/{source.name}")
            assert shot.status == 200
            assert shot.body == source.read_bytes()
