"""What commands and the page say: kept, and compared after a change.

    python -m benchmarks frozen-commands freeze FILE.json
    python -m benchmarks frozen-commands compare BEFORE.json AFTER.json

``freeze`` runs each line of ``commands.txt`` in a folder of its own, with the samples,
and sends each request of ``requests.txt`` to a server of the page. It keeps the status,
what is printed, the names of the files made, and each answer. ``compare`` lists every
change; seconds, ids and the like, which are others each time, are none.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import command
from benchmarks.web import server

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "sample_images"
VARIABLE = {
    r"\b\d+(\.\d+)?(e-?\d+)? s\b": "# s",
    r'"(seconds|nodes|margin)": ?[\d.e-]+': r'"\1": #',
    r"(?<=[/\"])[\w-]{22}(?=[/\"])": "ID",
    r"127\.0\.0\.1:\d+": "HERE",
    r"seed \d+": "seed #",
    r"/tmp/tmp\w+": "CACHE",
    r"\d+ a second": "# a second",
    r"[\d.]+ с\b": "# с",
    r'"code":"\d{6}"': '"code":"#"',
}


def plain(text: str, folder: str) -> str:
    text = text.replace(folder, "FOLDER")
    for pattern, put in VARIABLE.items():
        text = re.sub(pattern, put, text)
    return text


def lines(name: str) -> Iterator[str]:
    for line in (HERE / name).read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def ran(line: str, cache: str) -> dict[str, Any]:
    """What one command did; ``TEXT |`` before it is what it is given to read."""
    given, _, words = line.rpartition(" | ")
    with tempfile.TemporaryDirectory() as folder:
        for sample in SAMPLES.iterdir():
            shutil.copy(sample, folder)
        own = {"IMGPUZZLE_CACHE_DIR": cache, "COLUMNS": "88"}
        own["LANGUAGE"] = "de" if words.startswith("DE ") else "en"
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "imgpuzzle",
                *shlex.split(words.removeprefix("DE ")),
            ],
            cwd=folder,
            env={**os.environ, **own},
            input=given.encode().replace(b"\\n", b"\n"),
            capture_output=True,
            timeout=120,
        )
        made = [path for path in Path(folder).rglob("*") if path.is_file()]
        names = {path.relative_to(folder).as_posix() for path in made}
        return {
            "status": done.returncode,
            "stdout": plain(done.stdout.decode(), folder),
            "stderr": plain(done.stderr.decode(), folder),
            "files": sorted(names - set(os.listdir(SAMPLES))),
        }


def asked(here: server.Server, line: str, known: dict[str, str]) -> dict[str, Any]:
    """The answer to a request, in which {reading} and {job} are the latest ids."""
    for name, value in known.items():
        line = line.replace(f"{{{name}}}", value)
    method, path, *rest = line.split(" ", 2)
    if rest and rest[0].startswith("FORM"):
        given = (field.split("=", 1) for field in shlex.split(rest[0])[1:])
        fields = {
            name: (SAMPLES / value[1:]).read_bytes() if value[0] == "@" else value
            for name, value in given
        }
        answer = here.upload(path, fields)
    else:
        body = rest[0].encode() if rest else None
        kind = {"Content-Type": "application/json"} if body else {}
        answer = here.send(method, path, body, kind)
    found = f"{len(answer.body)} bytes"
    if answer.headers.get("content-type") == "application/json":
        found = plain(answer.body.decode(), str(here.folder))
        said = answer.json()
        if isinstance(said, dict):
            known.update({"reading": said["id"]} if "screenshot" in said else {})
            known.update({"job": said["job"]} if "job" in said else {})
    return {"status": answer.status, "answer": found}


def freeze() -> dict[str, Any]:
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as cache:
        for line in lines("commands.txt"):
            found[line] = ran(line, cache)
    known: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, server.running(Path(folder)) as here:
        for number, line in enumerate(lines("requests.txt")):
            found[f"{number} {line}"] = asked(here, line, known)
    return found


def main() -> int:
    arguments = command.parser(__doc__)
    arguments.add_argument("what", choices=("freeze", "compare"))
    arguments.add_argument("files", type=Path, nargs="+")
    given = arguments.parse_args()
    if given.what == "freeze":
        command.save(given.files[0], freeze())
        return 0
    before, after = (json.loads(path.read_text("utf-8")) for path in given.files)
    changed = 0
    for key in {**before, **after}:
        old, new = (
            json.dumps(side.get(key), indent=1, ensure_ascii=False)
            .replace("\\n", "\n")
            .splitlines()
            for side in (before, after)
        )
        if old != new:
            changed += 1
            print(
                f"== {key}", *difflib.unified_diff(old, new, lineterm="", n=0), sep="\n"
            )
    print(f"{changed} of {len(after)} changed")
    return int(changed > 0)
