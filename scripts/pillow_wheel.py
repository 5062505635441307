"""Make Pillow's wheel for Pyodide, for tests: ``python scripts/pillow_wheel.py``.

Pyodide's own is on no package index, and npm does not carry it. This one is Pillow of
the version that Pyodide's lock file names, from its source, with JPEG, WebP and
FreeType of Debian's sources; zlib is in Pyodide itself. Zig compiles it (``pip install
ziglang``); ``apt-get`` brings the sources and the headers of Python 3.13 into a folder,
and installs nothing. The wheel then lies where tests look for it. It is never given
away: who makes the page for others takes Pyodide's own, by its digest.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.web import wasm

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
SUITE = f"deb [signed-by={KEYS}] http://deb.debian.org/debian trixie main\n"
SOURCES = ("freetype", "libjpeg-turbo", "libwebp", "zlib")
HEADERS = "libpython3.13-dev"
ZIG = (sys.executable, "-m", "ziglang")
FLAGS = (
    *("cc", "-target", "wasm32-emscripten", "-fPIC", "-O2", "-g0", "-w", "-DNDEBUG"),
    # Errors of FreeType and of JPEG are long jumps, done as Pyodide does them.
    *("-fvisibility=hidden", "-mllvm", "-wasm-enable-sjlj", "-mexception-handling"),
)
FEATURES = "mutable-globals,sign-ext,bulk-memory,nontrapping-fptoint,exception-handling"
LINK = (
    *("wasm-ld", "--experimental-pic", "-shared", "-s", "--no-check-features"),
    # Without sums in constants, which not all browsers and Nodes know.
    *("--unresolved-symbols=import-dynamic", f"--features={FEATURES}"),
)
FREETYPE = (
    *("base/ftsystem", "base/ftinit", "base/ftdebug", "base/ftbase", "base/ftbbox"),
    *("base/ftglyph", "base/ftbitmap", "base/ftstroke", "base/ftmm", "base/ftfstype"),
    *("base/ftsynth", "base/fttype1", "base/ftbdf", "base/ftpfr", "base/ftcid"),
    *("base/ftgasp", "base/ftgxval", "base/ftotval", "base/ftpatent", "base/ftwinfnt"),
    *("truetype/truetype", "type1/type1", "cff/cff", "cid/type1cid", "pfr/pfr"),
    *("type42/type42", "winfonts/winfnt", "pcf/pcf", "bdf/bdf", "sfnt/sfnt"),
    *("autofit/autofit", "pshinter/pshinter", "raster/raster", "smooth/smooth"),
    *("svg/svg", "sdf/sdf", "psaux/psaux", "psnames/psmodule", "gzip/ftgzip"),
    *("lzw/ftlzw", "cache/ftcache"),
)
"""Each is a part of it as a whole."""
WEBP = (
    *("src/dec", "src/enc", "src/dsp", "src/utils", "src/mux", "src/demux"),
    "sharpyuv",
)
JPEG_ABOUT = {
    "jconfig.h": """
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 2.1.5
#define LIBJPEG_TURBO_VERSION_NUMBER 2001005
#define MEM_SRCDST_SUPPORTED 1
#define BITS_IN_JSAMPLE 8
""",
    "jconfigint.h": """
#define BUILD "0"
#define INLINE inline __attribute__((always_inline))
#define THREAD_LOCAL
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "2.1.5"
#define SIZEOF_SIZE_T 4
#define FALLTHROUGH __attribute__((fallthrough));
#define HAVE_BUILTIN_CTZL
""",
}


@dataclass(frozen=True)
class Part:
    """Sources that are compiled alike."""

    sources: Sequence[Path]
    flags: Sequence[str] = ()


def fetched(folder: Path, version: str) -> dict[str, Path]:
    """The sources by their names, and Python's headers as ``python``, unpacked."""
    lists = folder / "sources.list"
    lists.write_text(SUITE + SUITE.replace("deb ", "deb-src ", 1))
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "cache/archives/partial").mkdir(parents=True)
    options = {
        "Dir::Etc::sourcelist": lists,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={one}" for name, one in options.items())]
    _run([*apt, "update"], folder)
    _run([*apt, "download", HEADERS], folder)
    for name in SOURCES:
        # What Debian adds is not needed, and is not always there.
        _run([*apt, "source", "--download-only", name], folder, check=False)
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
    _run([*pip, "--no-binary", ":all:", f"pillow=={version}"], folder)
    (package,) = folder.glob(f"{HEADERS}*.deb")
    _run(["dpkg-deb", "-x", str(package), "python"], folder)
    for packed in [*folder.glob("*.orig.tar.[gx]z"), *folder.glob("pillow*.tar.gz")]:
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
    found = {name: next(folder.glob(f"{name}-*/")) for name in (*SOURCES, "pillow")}
    return {**found, "python": folder / "python/usr/include"}


def headers(out: Path, found: dict[str, Path]) -> list[str]:
    """The options that name Python's headers, zlib's and those of a C library.

    Emscripten's is musl; that of a machine of 32 bits is like it but for a few types.
    """
    import ziglang

    libc = Path(ziglang.__file__).parent / "lib/libc/include"
    shutil.copytree(libc / "arm-linux-musl", out / "musl")
    types = out / "musl/bits/alltypes.h"
    text = types.read_text().replace("#define _REDIR_TIME64 1\n", "")
    text = text.replace("#define _Addr int", "#define _Addr long")
    types.write_text(text.replace("typedef unsigned wchar_t", "typedef int wchar_t"))
    python = found["python"] / "python3.13"
    about = next(found["python"].glob("x86_64*/python3.13/pyconfig.h")).read_text()
    wide = r"#define ((?:SIZEOF|ALIGNOF)_(?:LONG|SIZE_T|UINTPTR_T|VOID_P)) 8\n"
    (python / "pyconfig.h").write_text(re.sub(wide, r"#define \1 4\n", about))
    zlib = found["zlib"]
    shutil.copyfile(zlib / "zconf.h.in", zlib / "zconf.h")
    jpeg = found["libjpeg-turbo"]
    for name, content in JPEG_ABOUT.items():
        (jpeg / name).write_text(content)
    years = re.sub(r"@\w+@", "2024", (jpeg / "jversion.h.in").read_text())
    (jpeg / "jversion.h").write_text(years)
    system = (f"-isystem{out / 'musl'}", f"-isystem{libc / 'generic-musl'}")
    return [*system, f"-I{python}", f"-I{zlib}", f"-I{jpeg}"]


def modules(found: dict[str, Path], version: str) -> dict[str, list[Part]]:
    """What each module of Pillow is compiled of."""
    pillow, jpeg, freetype = (
        found[name] for name in ("pillow", "libjpeg-turbo", "freetype")
    )
    webp, src = found["libwebp"], pillow / "src"
    listed = (jpeg / "CMakeLists.txt").read_text()
    in_jpeg = _words(r"set\(JPEG_SOURCES (.*?)\)", listed, r"\w+\.c")
    setup = (pillow / "setup.py").read_text()
    core = _words(r"_IMAGING = \((.*?)\)", setup, r"\w+")
    imaging = _words(r"_LIB_IMAGING = \((.*?)\)", setup, r"\w+")
    own = [f'-DPILLOW_VERSION="{version}"', f"-I{src}", f"-I{src / 'libImaging'}"]
    own += [f"-I{freetype / 'include'}", f"-I{webp / 'src'}"]
    own += ["-DHAVE_LIBZ", "-DHAVE_LIBJPEG"]
    inside = [src / f"{one}.c" for one in ("_imaging", *core)]
    inside += [src / f"libImaging/{one}.c" for one in imaging]
    jpegs = Part([jpeg / one for one in (*in_jpeg, "jsimd_none.c")])
    webps = [one for place in WEBP for one in sorted((webp / place).glob("*.c"))]
    letters = [freetype / f"src/{one}.c" for one in FREETYPE]
    faces = Part(letters, ["-DFT2_BUILD_LIBRARY", f"-I{freetype / 'include'}"])
    return {
        "_imaging": [Part(inside, own), jpegs],
        "_imagingft": [Part([src / "_imagingft.c"], own), faces],
        "_webp": [
            Part([src / "_webp.c"], own),
            Part(webps, [f"-I{webp}", f"-I{webp / 'src'}"]),
        ],
        "_imagingmath": [Part([src / "_imagingmath.c"], own)],
        "_imagingmorph": [Part([src / "_imagingmorph.c"], own)],
    }


def compiled(
    name: str, parts: Sequence[Part], common: Sequence[str], out: Path
) -> Path:
    """One module of Pillow, as Pyodide loads it."""
    made = out / name
    made.mkdir()
    calls = [
        [
            *ZIG,
            *FLAGS,
            *part.flags,
            *common,
            "-c",
            str(one),
            f"-o{made}/{at}-{one.stem}.o",
        ]
        for at, part in enumerate(parts)
        for one in part.sources
    ]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda call: _run(call, out), calls))
    library = out / f"{name}.cpython-313-wasm32-emscripten.so"
    objects = sorted(map(str, made.glob("*.o")))
    _run([*ZIG, *LINK, f"--export=PyInit_{name}", f"-o{library}", *objects], out)
    return library


def main() -> None:
    """Make it, unless it is there."""
    cache = wasm.cache_folder()
    wasm.fetched(cache)
    lock = json.loads((cache / "pyodide/pyodide-lock.json").read_text())
    about = lock["packages"]["pillow"]
    wheel = cache / "wheels" / about["file_name"]
    if wheel.exists():
        print(wheel)
        return
    with tempfile.TemporaryDirectory(prefix="pillow-") as folder:
        found = fetched(Path(folder), about["version"])
        out = Path(folder) / "made"
        out.mkdir()
        common = headers(out, found)
        parts = modules(found, about["version"])
        libraries = [compiled(name, one, common, out) for name, one in parts.items()]
        part = out / wheel.name
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in [*(found["pillow"] / "src/PIL").glob("*.py"), *libraries]:
                archive.write(path, f"PIL/{path.name}")
        shutil.move(part, wheel)
    print(wheel)


def _words(within: str, text: str, word: str) -> list[str]:
    found = re.search(within, text, re.DOTALL)
    assert found is not None, within
    return re.findall(word, found[1])


def _run(command: Sequence[str], folder: Path, *, check: bool = True) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if check and done.returncode:
        raise SystemExit(f"tried {command[:4]} … {command[-1]}: {done.stderr[-2000:]}")


if __name__ == "__main__":
    main()
