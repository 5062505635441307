"""The extension of browsers: packages that hold the engine, and need nothing else.

``static_site`` makes them. A browser loads a folder that lies unpacked, and its store
takes the archive beside it.
"""

from __future__ import annotations

import io
import json
import shutil
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from imgpuzzle import __version__, messages
from imgpuzzle.core.language import LANGUAGES, words
from imgpuzzle.errors import UsageError
from imgpuzzle.files.image import write_atomically
from imgpuzzle.web.http.page_files import load_page

SOURCES = Path(__file__).parent / "site" / "extension"
WORDS = Path(messages.__file__).with_name("extension.toml")
SHARED = ("engine.js", "asking.js")
"""The engine of the page without a server, and what it is asked with."""
OF_PAGE = (
    *("api.js", "sayings.js", "line.js", "elements.js"),
    *("i18n.js", "languages.js", "dom.js", "prefs.js", "puzzles.js"),
)
"""How the page asks its engine, words what that says, and follows a way."""
MANIFEST = "manifest.json"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "connect-src 'self' data:; object-src 'none'"
)
"""Of all that runs in the extension: no request leaves it, and pictures are data."""
BROWSERS: dict[str, dict[str, Any]] = {
    "chrome": {
        "minimum_chrome_version": "120",
        # Its background has neither workers nor a long life: the engine's is a
        # document that nobody sees.
        "permissions": ["activeTab", "scripting", "offscreen"],
        "background": {"service_worker": "background.js", "type": "module"},
    },
    "firefox": {
        "permissions": ["activeTab", "scripting"],
        "background": {"page": "host.html"},
        "browser_specific_settings": {
            "gecko": {
                "id": "imgpuzzle@imgpuzzle.example",
                # The first that knows what is said of data below.
                "strict_min_version": "140.0",
                "data_collection_permissions": {"required": ["none"]},
            }
        },
    },
}
"""What is not the same for all of them."""
_LOCALE = "_locales/{}/messages.json"
_DAY = (1980, 1, 1, 0, 0, 0)
"""Of all files in an archive, so that it is the same twice."""


def make(out: Path, engine: Mapping[str, bytes]) -> list[Path]:
    """Make a folder and an archive for each browser; returns the archives.

    Raises ``UsageError`` where another folder is in the way.
    """
    files = {
        path.relative_to(SOURCES).as_posix(): path.read_bytes()
        for path in sorted(SOURCES.rglob("*"))
        if path.is_file()
    }
    page = load_page()
    files |= {name: page[name][0] for name in OF_PAGE}
    files |= {name: (SOURCES.parent / name).read_bytes() for name in SHARED}
    files |= {_LOCALE.format(one): _words(one) for one in LANGUAGES}
    files |= engine
    common = json.loads(files[MANIFEST])
    made = []
    for browser, own in BROWSERS.items():
        manifest = {
            **common,
            "version": __version__,
            "content_security_policy": {"extension_pages": POLICY},
            **own,
        }
        files[MANIFEST] = json.dumps(manifest, indent=2).encode()
        _write(out / browser, files)
        path = out / f"imgpuzzle-{browser}.zip"
        write_atomically(path, packed(files))
        made.append(path)
    return made


def _words(language: str) -> bytes:
    """The words of ``extension.toml`` as browsers want them."""
    translated = words(language).gettext
    said = {
        name: {"message": translated(text)}
        for name, text in tomllib.loads(WORDS.read_text("utf-8")).items()
    }
    return json.dumps(said, ensure_ascii=False, indent=1).encode()


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """All files, in place of an extension that was there before."""
    if folder.exists() and not (folder / MANIFEST).is_file():
        raise UsageError(f"expected a folder of an extension, found {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def packed(files: Mapping[str, bytes]) -> bytes:
    """An archive of files, by their paths; the same twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _DAY), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
