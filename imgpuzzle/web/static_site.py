"""Make the page as a folder that any plain file server serves, engine included.

    python -m imgpuzzle.web.static_site OUT --pyodide FOLDER --wheels FOLDER --own WHEEL
        [--extension FOLDER]

``--pyodide`` is Pyodide's package for npm, unpacked; ``--wheels`` a folder or an
address with the packages that its lock file names. Nothing is taken whose SHA-256 is
not the one there. ``--own`` is this project's wheel for ``wasm32``. ``--extension`` has
the packages of the browsers' extension made beside the page (``extension``).
"""

from __future__ import annotations

import gzip
import hashlib
import html
import io
import json
import re
import urllib.request
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import click

from imgpuzzle.errors import UsageError
from imgpuzzle.files.folder import is_empty_folder
from imgpuzzle.files.image import write_atomically
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.messages.page import PAGE
from imgpuzzle.web import extension as packages
from imgpuzzle.web.http.page_files import load_page
from imgpuzzle.web.http.safety import CONTENT_POLICY

SITE = Path(__file__).with_name("site")
WEB_ASSEMBLY = "pyodide.asm.wasm"
CORE = (
    *("pyodide.mjs", "pyodide.asm.js", WEB_ASSEMBLY),
    *("python_stdlib.zip", "pyodide-lock.json"),
)
"""What Pyodide itself asks for when it starts."""
PACKAGES = ("numpy", "opencv-python", "pillow")
"""By the names of the lock file; the last one is loaded when it is needed."""
PURE = "segno"
"""Plain Python besides, taken as it is installed here."""
BEYOND = dict.fromkeys((".avif", ".mp4", ".pdf"), Message(ServerFault.NOT_HERE))
"""Formats whose libraries are not among Pyodide's packages, or not in its Pillow."""
ENGINE = "engine"
PACKED = ".packed"
_UNNEEDED = re.compile(r"/tests?/|^cv2/data/.*xml$|\.(pyi|h|a|c|pxd|pyx)$")
"""Of packages: what only tests, compilers and finders of faces read."""
KEEPER = "offline.js"
_LISTED = re.compile(r"const FILES = (\{.*\});\n")
"""How it begins: with the digests of all other files, by their paths."""
ICON_PX = (192, 512)
POLICY = (
    CONTENT_POLICY.replace("; frame-ancestors 'none'", "").replace(
        "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"
    )
    + "; worker-src 'self'"
)
"""That of the server, without what only a header can say, and with WebAssembly."""


def make(out: Path, engine: Mapping[str, bytes]) -> dict[str, int]:
    """Make the folder; returns the bytes of its files by their paths.

    ``engine`` is what ``engine_files`` has found.
    """
    files = {f"static/{name}": data for name, (data, _) in load_page(BEYOND).items()}
    index = files.pop("static/index.html").decode()
    for path in SITE.glob("*.js"):
        files[f"static/{path.name}"] = path.read_bytes()
    offline = files.pop(f"static/{KEEPER}").decode()
    files |= {f"static/{name}": data for name, data in engine.items()}
    for side in ICON_PX:
        files[f"static/icon-{side}.png"] = _icon(side)
    files["app.webmanifest"] = json.dumps(_manifest(), indent=1).encode()
    files["index.html"] = _with_policy(index).encode()
    digests = {name: _digest(data) for name, data in sorted(files.items())}
    known = {"FILES": digests, "POLICY": POLICY}
    head = [f"const {name} = {json.dumps(value)};" for name, value in known.items()]
    files[KEEPER] = "\n".join([*head, offline]).encode()
    _write(out, files)
    return {name: len(data) for name, data in files.items()}


def engine_files(
    pyodide: Path, wheels: str, own: Path, *, accept_others: bool = False
) -> dict[str, bytes]:
    """What the worker loads, by paths from where it lies, and the list of it.

    Raises ``UsageError`` for a package whose digest is not that of the lock file,
    unless others are accepted, which is for tests.
    """
    core = {name: (pyodide / name).read_bytes() for name in CORE}
    locked = json.loads(core["pyodide-lock.json"])["packages"]
    found = {"imgpuzzle": _needed(own.read_bytes()), PURE: _installed(PURE)}
    for name in PACKAGES:
        file, digest = locked[name]["file_name"], locked[name]["sha256"]
        data = _fetched(wheels, file)
        if not accept_others and (data is None or _digest(data) != digest):
            what = "none" if data is None else "another one"
            raise UsageError(f"expected {file} with SHA-256 {digest}, found {what}")
        if data is not None:
            found[name] = _needed(data)
    # Servers of plain files seldom compress, and this is made to a third of its size.
    core[f"{WEB_ASSEMBLY}{PACKED}"] = _packed(core.pop(WEB_ASSEMBLY))
    # Python's memory is kept as it is once these have begun it.
    begins = [*core.values(), (SITE / "engine.js").read_bytes()]
    packed = {f"{one}{PACKED}": _packed(b"".join(found[one].values())) for one in found}
    holds = [
        [(path, len(data)) for path, data in one.items()] for one in found.values()
    ]
    parts = {
        "begun": _digest(b"".join(begins)),
        "core": [_part(*one) for one in core.items()],
        "packages": {
            name: {**_part(*one), "holds": held}
            for name, one, held in zip(found, packed.items(), holds, strict=True)
        },
    }
    listed = f"export default {json.dumps(parts)};\n".encode()
    files = {f"{ENGINE}/{name}": data for name, data in (core | packed).items()}
    return {**files, "parts.js": listed}


def _packed(data: bytes) -> bytes:
    """So that browsers unpack it themselves; the same twice."""
    return gzip.compress(data, mtime=0)


def _needed(wheel: bytes) -> dict[str, bytes]:
    """The files of a wheel by their paths, without what nobody asks for there."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        names = [one.filename for one in archive.infolist() if not one.is_dir()]
        return {one: archive.read(one) for one in names if not _UNNEEDED.search(one)}


def _fetched(place: str, file: str) -> bytes | None:
    """A package, from a folder or an address; ``None`` where it is not."""
    if "://" not in place:
        path = Path(place) / file
        return path.read_bytes() if path.exists() else None
    with urllib.request.urlopen(f"{place.rstrip('/')}/{file}") as answer:
        data: bytes = answer.read()
    return data


def _installed(name: str) -> dict[str, bytes]:
    """The modules of an installed package, by their paths."""
    files = metadata.files(name) or ()
    wanted = [one for one in files if one.suffix == ".py" or "LICENSE" in one.name]
    return {one.as_posix(): one.read_binary() for one in wanted}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _part(file: str, data: bytes) -> dict[str, Any]:
    return {"file": file, "bytes": len(data)}


def _with_policy(index: str) -> str:
    """The first page, which says itself what a server would say in headers."""
    policy = html.escape(POLICY, quote=False)
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<link rel="manifest" href="app.webmanifest">\n'
        f'<link rel="apple-touch-icon" href="static/icon-{ICON_PX[0]}.png">\n'
    )
    index = re.sub(r'(<meta charset="utf-8">\n)', rf"\1{head}", index, count=1)
    return index.replace('accept="image/*,video/*,.mkv"', 'accept="image/*"')


def _manifest() -> dict[str, Any]:
    """What an installed app is called, and that it takes pictures of others."""
    icons = [
        {"src": f"static/icon-{px}.png", "sizes": f"{px}x{px}", "type": "image/png"}
        for px in ICON_PX
    ]
    return {
        "name": "imgpuzzle",
        "short_name": "imgpuzzle",
        "description": PAGE["start_text"],
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#16181d",
        "theme_color": "#16181d",
        "icons": [*icons, {**icons[-1], "purpose": "maskable"}],
        "share_target": {
            "action": "share",
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {"files": [{"name": "picture", "accept": ["image/*"]}]},
        },
    }


def _icon(side: int) -> bytes:
    """``icon.svg`` as PNG, filled to its edges: systems cut their own shape out."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (side, side), "#16181d")
    pencil = ImageDraw.Draw(picture)
    for left, top in ((3, 3), (8.25, 3), (3, 8.25)):
        box = (left, top, left + 4.75, top + 4.75)
        pencil.rectangle([round(one * side / 16) for one in box], fill="#ffb000")
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _write(out: Path, files: dict[str, bytes]) -> None:
    """All files, in place of those that an earlier run has left there."""
    earlier = _made_before(out / KEEPER)
    if not earlier and out.exists() and not is_empty_folder(out):
        raise UsageError(f"expected an empty folder, or a site of before, found {out}")
    for name in sorted(earlier - set(files)):
        (out / name).unlink(missing_ok=True)
    for name, data in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)


def _made_before(keeper: Path) -> set[str]:
    """The files of an earlier run, by what it wrote about them."""
    if not keeper.is_file():
        return set()
    found = _LISTED.match(keeper.read_text(encoding="utf-8"))
    return set() if found is None else {KEEPER, *json.loads(found[1])}


_THERE = click.Path(path_type=Path, exists=True)


@click.command(help=(__doc__ or "").partition("\n\n")[0])
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--pyodide", type=_THERE, required=True, help="Its package for npm.")
@click.option("--wheels", required=True, help="Folder or address of its packages.")
@click.option("--own", type=_THERE, required=True, help="Our wheel for wasm32.")
@click.option(
    "--extension",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the extension of browsers, made of the same parts.",
)
@click.option(
    "--accept-other-wheels",
    is_flag=True,
    help="For tests: take wheels with other digests, and do without those missing.",
)
def main(
    out: Path,
    pyodide: Path,
    wheels: str,
    own: Path,
    extension: Path | None,
    accept_other_wheels: bool,
) -> None:
    """The command."""
    engine = engine_files(pyodide, wheels, own, accept_others=accept_other_wheels)
    page = sum(make(out, engine).values())
    size = sum(map(len, engine.values()))
    click.echo(f"{out}: page {(page - size) / 1e6:.1f} MB, engine {size / 1e6:.1f} MB")
    if extension is not None:
        for path in packages.make(extension, engine):
            click.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
