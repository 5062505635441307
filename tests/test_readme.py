"""What the README and the documentation show is run: commands, Python, and JSON.

A block after a comment ``<!-- not run: why -->`` is only looked at.
"""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from cli_support import run
from docs_support import write_sample

from imgpuzzle import cli
from imgpuzzle.vision import read

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SETUP = "python3 -m venv .venv && .venv/bin/pip install -q -e "

# All of them work on one small sample, whose readings are remembered.
pytestmark = pytest.mark.xdist_group("readme")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and whether it is run."""

    page: str
    kind: str
    text: str
    runs: bool

    def commands(self) -> list[str]:
        return [line for line in self.text.splitlines() if line.strip()]


FENCE = re.compile(
    r"^(<!-- not run: [^>]+ -->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
BLOCKS = [
    Block(path.name, kind, text, not skipped)
    for path in PAGES
    for skipped, kind, text in FENCE.findall(path.read_text("utf-8"))
]
SETUP_LINES = [line for line in README.splitlines() if line.startswith(SETUP)]
COMMANDS = [
    pytest.param(line, id=f"{block.page}: {line}")
    for block in BLOCKS
    if block.kind == "sh" and block.runs
    for line in block.commands()
    if line not in SETUP_LINES
]


def test_both_setup_lines_are_one_line_each() -> None:
    assert len(SETUP_LINES) == 2
    solve, test = SETUP_LINES
    checks = (ROOT / ".ci" / "run").read_text("utf-8")
    install, _, tests = test.rpartition(" && ")
    # Apart, because in a chain of && a failure would not end that script.
    for part in install.split(" && "):
        assert f"\n{part}\n" in checks
    assert f"\n{tests} " in checks
    _, command = solve.rsplit(" && ", 1)
    for name in re.findall(r"sample_images/\S+", command):
        assert (ROOT / name).is_file()
    (windows,) = (block.text for block in BLOCKS if "sample_images\\" in block.text)
    assert command.replace("/", "\\").replace("\\bin\\", "\\Scripts\\") in windows


def test_every_block_is_of_a_kind_that_is_looked_at() -> None:
    found = {block.kind for block in BLOCKS}
    assert found <= {"json", "powershell", "python", "sh", "text"}
    text = "".join(path.read_text("utf-8") for path in PAGES)
    assert text.count("```") == 2 * len(BLOCKS), "a block that the pattern misses"
    assert len(COMMANDS) > 25


def test_every_option_that_is_named_exists() -> None:
    context = cli.main.make_context("imgpuzzle", [], resilient_parsing=True)
    for block in BLOCKS:
        if block.kind not in ("sh", "powershell"):
            continue
        for words in programs(block.text.replace("\\", "/")):
            command = cli.main.get_command(context, words[0])
            if command is None:
                assert words[0].startswith("--"), words
                continue
            if isinstance(command, click.Group):
                inner = command.commands
                command = inner.get(words[1])
                assert command is not None, words
            known = {name for option in command.params for name in option.opts}
            for word in words[1:]:
                if word.startswith("-") and word != "-":
                    assert word in known, words


def programs(text: str) -> Iterator[list[str]]:
    """The words after ``imgpuzzle`` of all commands of a block."""
    for line in text.splitlines():
        for part in re.split(r" && |; |\|", line.split(" #")[0]):
            words = shlex.split(part) if "$(" not in part else []
            if words and words[0].rpartition("/")[2] == "imgpuzzle":
                yield words[1:]


def test_options_in_tables_exist() -> None:
    context = cli.main.make_context("imgpuzzle", [], resilient_parsing=True)
    known = set()
    for name in cli.main.list_commands(context):
        command = cli.main.get_command(context, name)
        known |= {name for option in command.params for name in option.opts}
    for path in PAGES:
        prose = FENCE.sub("", path.read_text("utf-8"))
        for word in re.findall(r"`(--[a-z][a-z-]+)", prose):
            assert word in known, f"{word} in {path.name}"


Reading = Callable[..., Any]
READINGS: dict[str, Any] = {}


@pytest.fixture(scope="module")
def remembered() -> Iterator[None]:
    """Read each screenshot once with the same options: that takes longest."""
    really = read.read_puzzle

    def read_puzzle(screenshot: Any, known: Any, *, reference: Any, **how: Any) -> Any:
        pictures = screenshot, reference
        hashes = [p if p is None else hash(p.tobytes()) for p in pictures]
        key = repr((known, how, hashes))
        if key not in READINGS:
            READINGS[key] = really(screenshot, known, reference=reference, **how)
        return READINGS[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read, "read_puzzle", read_puzzle)
        yield


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remembered: None) -> None:
    write_sample(tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("line", COMMANDS)
def test_commands(line: str) -> None:
    words, _, remark = line.partition(" #")
    words, _, target = words.partition(" > ")
    status = re.search(r"status (\d+)", remark)
    output: bytes | None = None
    *first, last = words.split(" | ")
    for part in first:
        done = run(*arguments(part), stdin=output)
        assert done.exit_code == 0, done.output
        output = done.stdout_bytes
    done = run(*arguments(last), stdin=output)
    assert done.exit_code == (int(status[1]) if status else 0), done.output
    assert done.output or target


def arguments(command: str) -> list[str]:
    program, *rest = shlex.split(command)
    assert program == "imgpuzzle", command
    return rest


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    "page", sorted({block.page for block in BLOCKS if block.kind == "python"})
)
def test_python(page: str) -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        if block.page == page and block.kind == "python" and block.runs:
            exec(compile(block.text, page, "exec"), names)


JSON_BLOCKS = [
    pytest.param(command.text.strip(), shown.text, id=command.text.strip())
    for command, shown in itertools.pairwise(BLOCKS)
    if shown.kind == "json"
]


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(("line", "text"), JSON_BLOCKS)
def test_json(line: str, text: str) -> None:
    shown, printed = json.loads(text), json.loads(run(*arguments(line)).stdout)
    assert list(shown) == list(printed)
    if "reachable_goals" in shown:
        # Only where the list begins.
        beginning = shown.pop("reachable_goals")
        assert printed.pop("reachable_goals")[: len(beginning)] == beginning
    assert shapes(shown) == shapes(printed)
    for key in ("board", "start", "goal", "moves", "grid", "region", "exchanged"):
        assert shown.get(key) == printed.get(key)


def shapes(value: Any) -> Any:
    """The keys and kinds of all that lies in an object."""
    if isinstance(value, dict):
        return {key: shapes(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shapes(inner) for inner in value]
    return "number" if isinstance(value, float) else type(value).__name__


def test_the_board_file_of_the_documentation() -> None:
    from imgpuzzle.core.boardfile import parse_boards
    from imgpuzzle.core.solvability import is_solvable

    texts = [block.text for block in BLOCKS if "goal:" in block.text]
    boards = [parse_boards(text) for text in texts]
    assert [start.one_line() for start, _ in boards] == [
        "2 8 3 / 1 6 4 / 7 0 5",
        "5 1 4 8 / 2 6 8 3 / 4 7 5 2 / 3 6 7 0",
    ]
    for start, goal in boards:
        assert goal is not None
        assert is_solvable(start, goal)
