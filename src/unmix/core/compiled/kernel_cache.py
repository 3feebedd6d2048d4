"""Compiled kernels on disk, found again by what they were made of.

The name of an entry is a digest of the text of the kernel's file and of every file of its package that this one imports
(and so on), of the signature, and of Python, numba and the processor. So a reinstalled or upgraded package finds what
did not change, and a kernel whose inner function changed in another file is compiled again. An entry is one file that
is written aside and moved into place: processes that compile the same kernel at once do not meet.

The folder is ``unmix`` in NUMBA_CACHE_DIR, or the user's cache, or the package itself: the first that can be used. One
that cannot be written, as in an image, is read all the same. Nothing here is ever an error: at worst a kernel compiles.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite.binding import address_of_symbol
from numba import config
from numba.core import compiler, serialize, types
from numba.core.runtime import rtsys

SUFFIX = ".nbc"
DIGEST = 16  # bytes
MOST_BYTES = 512 * 2**20  # beyond it, the entries that were not used for longest go
DAY = 86400.0
DECORATOR = "unmix.core.compiled.kernel"  # how it watches and where it keeps things is no part of a kernel
IMPORTS = re.compile(r"^(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+([\w.]+))", re.MULTILINE)
SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")  # of numba, that change code


def keep_on_disk(dispatcher: Any) -> None:
    """Give a kernel its place on disk, or numba's own cache where ours cannot tell one kernel from another."""
    function = dispatcher.py_func
    file = str(_file(function.__module__))
    parts = (compiler.CompileResult, "_reduce"), (compiler.CompileResult, "_rebuild"), (dispatcher, "_cache")
    known = all(hasattr(*part) for part in parts)  # numba's inside is as we know it
    with suppress(OSError, RuntimeError):  # a file that cannot be read; numba finds no folder
        if known and not function.__closure__ and file.endswith(".py") and os.path.isfile(file):
            dispatcher._cache = KernelCache(function)
        else:
            dispatcher.enable_caching()


class KernelCache:
    """The entries of one kernel, with the methods that numba's dispatcher calls."""

    def __init__(self, function: Any) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}"
        place = (self.name, function.__code__.co_firstlineno)
        self._made_of = (*place, source_digest([function.__module__]), function.__code__.co_code)
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        folder = cache_folder()
        return None if folder is None else str(folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled kernel, or None."""
        with suppress(Exception):
            path = self._path(signature, target.codegen())
            if self._enabled and path is not None:
                stored, called, parts = pickle.loads(_read(path))
                if stored == signature:
                    _make_callable(called, target)
                    return compiler.CompileResult._rebuild(target, *parts)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        with suppress(Exception):
            path = self._path(signature, result.codegen)
            if self._enabled and path is not None and not result.lifted and not result.library.has_dynamic_globals:
                called = _called_from_outside(result.library._final_module)
                _write(path, serialize.dumps((signature, called, result._reduce())))
                forget_oldest(path.parent)

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        if folder is None or any(isinstance(kind, types.Dispatcher) for kind in _arguments(signature)):
            return None  # a function that is handed over has no name that another process would know
        made_of = (self._made_of, _describe(signature), codegen.magic_tuple(), _environment())
        digest = hashlib.blake2b(repr(made_of).encode(), digest_size=DIGEST).hexdigest()
        name = self.name.replace("<", "").replace(">", "")
        return folder / f"{name}-{digest}{SUFFIX}"

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Forget every entry of this kernel: `recompile` asks for it."""
        folder = cache_folder()
        for path in folder.glob(f"{self.name}-*{SUFFIX}") if folder else ():
            path.unlink(missing_ok=True)


def _called_from_outside(module: Any) -> list[str]:
    """Names that a compiled module uses and does not hold."""
    outside = (part.name for part in (*module.functions, *module.global_variables) if part.is_declaration)
    return [name for name in outside if not name.startswith("llvm.")]


def _make_callable(names: list[str], target: Any) -> None:
    """Have an address for each, without all that numba loads to compile, a fifth of a second, where none lies there."""
    rtsys.initialize(target)
    if any(address_of_symbol(name) is None for name in names):
        target.refresh()


def source_digest(modules: list[str]) -> str:
    """A digest of the text of these modules and of all modules of their packages, or of unmix, that they import.

    What was typed at a prompt has no text to compare, and gets a digest that never comes again.
    """
    packages = {"unmix", *(module.partition(".")[0] for module in modules)}
    waiting, texts = list(modules), {m: uuid.uuid4().hex for m in modules if _file(m) is None}
    while waiting:
        module = waiting.pop()
        file = _file(module)
        if module in texts or file is None or module.partition(".")[0] not in packages:
            continue
        status = os.stat(file)
        texts[module], imported = _read_source(file, status.st_mtime_ns, status.st_size)
        waiting += imported if module != DECORATOR else []
    return hashlib.blake2b(repr(sorted(texts.items())).encode(), digest_size=DIGEST).hexdigest()


def _file(module: str) -> str | None:
    return getattr(sys.modules.get(module), "__file__", None)


@cache
def _read_source(file: str, changed: int, size: int) -> tuple[str, list[str]]:
    """The digest of a file and the modules whose names its own level may hold; indented imports come too late."""
    text = Path(file).read_bytes()
    imported = []
    for parent, names, module in IMPORTS.findall(text.decode(errors="replace")):
        imported += [module or parent, *(f"{parent}.{name}" for name in re.findall(r"\w+", names))]
    return hashlib.blake2b(text, digest_size=DIGEST).hexdigest(), imported


def _arguments(signature: Any) -> tuple[Any, ...]:
    return tuple(getattr(signature, "args", signature))


def _describe(signature: Any) -> str:
    """Its types by name; classes of named tuples with their modules, since names alone may be shared."""
    classes = [getattr(kind, "instance_class", None) for kind in _arguments(signature)]
    return f"{signature} {[kind and (kind.__module__, kind.__qualname__) for kind in classes]}"


def _environment() -> tuple[Any, ...]:
    settings = tuple(str(getattr(config, name, "")) for name in SETTINGS)
    return sys.implementation.cache_tag, sys.platform, numba.__version__, llvmlite.__version__, settings


def cache_folder() -> Path | None:
    """Where kernels are kept; None where there is no place for them."""
    return _first_usable(str(config.CACHE_DIR or ""))


def has_kernels() -> bool:
    """Whether any were kept: then most that a process needs are there."""
    folder = cache_folder()
    return folder is not None and any(folder.glob(f"*{SUFFIX}"))


@cache
def _first_usable(given: str) -> Path | None:
    places = [Path(given).absolute() / "unmix"] if given else []
    places += [_user_cache() / "unmix" / "kernels", Path(__file__).parents[2] / "__pycache__" / "kernels"]
    return next((place for place in places if place.is_absolute() and _usable(place)), None)


def _user_cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if home:
        return Path(home)
    mac = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path(os.path.expanduser("~")) / mac


def _usable(place: Path) -> bool:
    """Can be written, or read and has something in it."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return os.access(place, os.R_OK | os.X_OK) and any(place.glob(f"*{SUFFIX}"))
    return True


def _read(path: Path) -> bytes:
    """What was written, if it is whole; the time of the file says when it was last used, to the day."""
    with path.open("rb") as file:
        digest, content = file.read(DIGEST), file.read()
        used = os.fstat(file.fileno()).st_mtime
    if digest != hashlib.blake2b(content, digest_size=DIGEST).digest():
        raise ValueError(f"{path} is not whole")
    if time.time() - used > DAY:
        with suppress(OSError):
            os.utime(path)
    return content


def _write(path: Path, content: bytes) -> None:
    aside = path.with_suffix(f".{uuid.uuid4().hex}")
    try:
        aside.write_bytes(hashlib.blake2b(content, digest_size=DIGEST).digest() + content)
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


@cache
def forget_oldest(folder: Path, most: int = MOST_BYTES) -> None:
    """Once in a process that compiles: keep the entries used last, as many as fit; leftovers of broken runs go too."""
    entries = [(path, path.stat()) for path in folder.iterdir()]
    room = most
    for path, status in sorted(entries, key=lambda entry: entry[1].st_mtime, reverse=True):
        room -= status.st_size
        left_over = path.suffix != SUFFIX and time.time() - status.st_mtime > DAY
        if room < 0 or left_over:
            path.unlink(missing_ok=True)
