"""Files that are no screenshots: one clear line, the right status, nothing left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_support import SAMPLES, error_line, everything, run
from PIL import Image as PillowImage
from test_image import encoded, png_header

pytestmark = pytest.mark.usefixtures("in_empty_folder")

SHOT = SAMPLES / "emblem_screenshot.png"
REFERENCE = SAMPLES / "emblem_reference.png"


UNREADABLE = {
    "text.png": b"It was a dark and stormy night; the rain fell in torrents.\n",
    "blank.png": b" \n\n",
    "huge.png": png_header(30_000, 30_000),
    "binary.dat": bytes(range(256)) * 40,
    "script.eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 90\nshowpage\n",
    "archive.zip": b"PK\x03\x04" + bytes(200),
}
"""Others are refused by ``test_image``."""


@pytest.mark.parametrize("command", ["read", "solve"])
@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_files(tmp_path: Path, command: str, name: str) -> None:
    (tmp_path / name).write_bytes(UNREADABLE[name])
    result = run(command, name, "--reference", REFERENCE)
    # What can be read as text was meant as a board.
    is_text = name in ("text.png", "blank.png", "script.eps")
    assert name in error_line(result, 2 if is_text else 3)
    assert result.stdout == ""
    assert everything(tmp_path) == [name]


def half() -> PillowImage.Image:
    """The emblem at half of its size, which is read in less time."""
    with PillowImage.open(SHOT) as picture:
        return picture.convert("RGB").reduce(2)


def rotated() -> bytes:
    exif = PillowImage.Exif()
    exif[0x0112] = 6
    turned = half().transpose(PillowImage.Transpose.ROTATE_90)
    return encoded(turned, "JPEG", exif=exif, quality=95)


def sixteen_bits() -> bytes:
    grey = np.asarray(half().convert("L")).astype(np.uint16) * 257
    return encoded(PillowImage.fromarray(grey))


def animated() -> bytes:
    frames = [PillowImage.new("RGB", half().size, "black")]
    return encoded(half(), "GIF", save_all=True, append_images=frames, duration=50)


UNUSUAL = {
    "sixteen.png": sixteen_bits,
    "rotated.jpg": rotated,
    "animated.gif": animated,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_pictures_work_or_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(UNUSUAL[name]())
    # Place and grid are no question here, and take longest.
    place = ("--grid", "3x3", "--region", "27,79,370,370")
    result = run("solve", name, "--reference", REFERENCE, "--no-files", *place)
    if result.exit_code == 0:
        assert "20 moves, proven shortest" in result.stdout
        assert result.stderr == ""
    else:
        # Doubt is allowed, a wrong answer or a confused message is not.
        assert result.exit_code in {4, 5}
        error_line(result, result.exit_code)
    assert everything(tmp_path) == [name]


# -- real processes: streams and encodings that only exist there ------------------


def process(
    *args: str, environment: dict[str, str] | None = None, **options: object
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "imgpuzzle", *args],
        env={**os.environ, **(environment or {})},
        timeout=300,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},  # type: ignore[call-overload]
    )


@pytest.mark.slow
def test_names_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    name = b"b\xf0\x9f\xa7\xa9\xff rd.txt" if os.name == "posix" else b"b rd.txt"
    path = os.path.join(os.fsencode(tmp_path), name)
    with open(path, "wb") as file:
        file.write(b"1 2 3\n4 0 5\n7 8 6\n")
    done = process(
        *("solve", os.fsdecode(path), "--output", os.fsdecode(path) + ".d"),
        environment=ascii_only,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"2 moves" in done.stdout
    missing = process("solve", os.fsdecode(path) + "x", environment=ascii_only)
    assert missing.returncode == 3
    assert len(missing.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("{imgpuzzle} solve - <&-", 3, "standard input"),
        ("{imgpuzzle} solve - </dev/null", 3, "found nothing"),
        ("{imgpuzzle} check '1 2 / 3 0' >&-", 0, ""),
        ("{imgpuzzle} check '1 2 / 3' 2>&-", 2, ""),
        ("{imgpuzzle} check '1 2 / 3 0' >/dev/full", 2, "No space left"),
        ("{imgpuzzle} --help >/dev/full", 2, "could not write: the disk is full"),
        ("echo '1 2 0 3' | {imgpuzzle} solve /dev/stdin", 0, ""),
        ("{imgpuzzle} scramble --seed 1 | exit 0", 0, ""),
        ("{{ {imgpuzzle} solve --board '1 2 / 0 3'; echo $? >&2; }} | :", 0, "0"),
    ],
)
def test_streams(tmp_path: Path, line: str, code: int, message: str) -> None:
    command = line.format(imgpuzzle=f"{sys.executable} -m imgpuzzle")
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == code
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == bool(message)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_while_files_are_written(tmp_path: Path, name: str) -> None:
    program = f"""
import os, signal
import imgpuzzle.render.files.animation as animation
from imgpuzzle.cli import main

def interrupted(*_, **__):
    os.kill(os.getpid(), signal.{name})
    raise AssertionError("still here")

animation.write_animation = interrupted
# A shell that starts the tests in the background has SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
main(["solve", "--board", "1 2 3 / 4 0 5 / 7 8 6"])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=300, check=False
    )
    expected = {"SIGTERM": 143, "SIGHUP": 129, "SIGINT": 130}[name]
    assert done.returncode == expected, done.stderr
    assert b"Traceback" not in done.stderr
    assert everything(tmp_path) == []


def test_the_module_and_its_version() -> None:
    import imgpuzzle

    done = process("--version")
    assert done.stdout.decode().strip() == f"imgpuzzle {imgpuzzle.__version__}"
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="bash completion")
def test_shell_completion() -> None:
    done = process(
        environment={
            "_IMGPUZZLE_COMPLETE": "bash_complete",
            "COMP_WORDS": "imgpuzzle s",
            "COMP_CWORD": "1",
        }
    )
    assert done.stdout.decode().split() == [
        "plain,solve",
        "plain,scramble",
        "plain,study",
    ]
