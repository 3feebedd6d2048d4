"""Takes away each guard of the studio, one at a time in a copy of the tree, and asks the tests to notice.

`python -m tests.studio.guards [words …]`: all of them, or those with one of these words in their name. Each prints the
first test that failed; one that nobody missed ends the program with 1.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
SLOW = ("httpx2", "numpy", "polars", "scipy.sparse", "starlette.testclient", "uvicorn")
PATIENCE = 600  # seconds of a guard's tests, on a loaded machine


class Taken(NamedTuple):
    """What stands in `file` and what is left of it without the guard; `tests` must fail then."""

    file: str
    guard: str
    left: str
    tests: str = "guard"


GATE, SESSION, AUDIT, UPLOAD = (
    f"studio/{name}.py" for name in ("access/guard", "access/session", "access/audit", "store/upload")
)
ANSWERS, CHANGES, READER = (f"studio/{name}.py" for name in ("views/answers", "views/changes", "children/reader"))

GUARDS: dict[str, Taken] = {
    "listening on this machine alone": Taken("studio/serve.py", 'LOOPBACK = "127.0.0.1"', 'LOOPBACK = ""'),
    "host": Taken(GATE, ' or headers.get("host") not in self.hosts', ""),
    "one host": Taken(GATE, 'headers.getlist("host") != [headers.get("host")] or ', ""),
    "origin": Taken(GATE, "if origin is not None and origin not in own:", "if False:"),
    "origin of changes": Taken(GATE, " and (method in _safe or origin is not None)", ""),
    "page of another site": Taken(GATE, 'site in ("same-origin", "none") and ', ""),
    "cookie": Taken(GATE, "if not self.session.knows(asked.cookies.get(self.cookie)):", "if False:"),
    "token": Taken(GATE, " and self.session.enter(token)", ""),
    "token on the first page alone": Taken(GATE, ' and asked.url.path == "/"', ""),
    "token for looking alone": Taken(GATE, 'method == "GET" and asked', "asked"),
    "token once": Taken(
        SESSION, "        self.token = secrets.token_urlsafe(24)\n        self.on_new", "        self.on_new"
    ),
    "cookie that is not the token": Taken(GATE, "self.cookie, self.session.secret", "self.cookie, self.session.token"),
    "cookie that scripts cannot read": Taken(GATE, "httponly=True", "httponly=False"),
    "cookie that other sites cannot send": Taken(GATE, 'samesite="strict"', 'samesite="none"'),
    "cookie drawn anew": Taken(SESSION, "secrets.token_urlsafe(32)", '"a" * 43'),
    "cookie of odd bytes": Taken(SESSION, 'given.encode("utf-8", "surrogateescape"), own.encode()', "given, own"),
    "length that is told": Taken(GATE, "int(length) <= limit", "True"),
    "length that is a number": Taken(GATE, "length.isdecimal() and ", ""),
    "length that is counted": Taken(GATE, "if seen > limit:", "if False:"),
    "length of JSON": Taken(GATE, "else MOST_JSON", "else self.most_upload * 1000"),
    "length of a group": Taken(GATE, "return MOST_ROWS if", "return self.most_upload * 10**6 if"),
    "web socket": Taken(GATE, 'if scope["type"] != "http":', "if False:"),
    "policy of refusals": Taken(
        GATE, "await response(scope, receive, with_headers(send, OUTSIDE))", "await response(scope, receive, send)"
    ),
    "policy of refusals without scripts": Taken(GATE, "with_headers(send, OUTSIDE)", "with_headers(send)"),
    "policy of answers": Taken(GATE, '(scope["path"])), with_headers(send))', '(scope["path"])), send)'),
    "audit of the gate": Taken(GATE, "        self.audit.refuse(why, f", "        str(f"),
    "audit of answers": Taken("studio/app.py", "    asked.app.state.audit.refuse(words, f", "    str(f"),
    "audit of web sockets": Taken(GATE, 'self.audit.refuse("a web socket", ', "str("),
    "audit of files": Taken(
        ANSWERS, "        asked.app.state.audit.refuse(str(error), f", "        str(f", "pages or upload"
    ),
    "audit line that cannot be forged": Taken(
        AUDIT,
        'json.dumps({"time": moment, "refused": why, "asked": asked[:LONGEST]})',
        '\'{"time": "%s", "refused": "%s", "asked": "%s"}\' % (moment, why, asked[:LONGEST])',
    ),
    "audit line that is short": Taken(AUDIT, "asked[:LONGEST]", "asked"),
    "audit that is short": Taken(AUDIT, "self.path.stat().st_size > MOST_BYTES", "False"),
    "audit that must not fail": Taken(AUDIT, "with self.lock, suppress(OSError):", "with self.lock:"),
    "assets alone": Taken(ANSWERS, "if name not in ASSETS:", "if False:"),
    "files of a run alone": Taken(
        ANSWERS,
        "if not may_be_saved(record, name) or ",
        "if ",
        "runs or pages or roles_workspace or signals_workspace or guard",
    ),
    "group under its own run": Taken(ANSWERS, 'if found["run"] != record["id"]:', "if False:", "pages"),
    "name in a header": Taken(ANSWERS, "quote(found['name'] + '.csv', safe='')", "found['name'] + '.csv'", "pages"),
    "JSON said to be JSON": Taken(
        CHANGES, 'asked.headers.get("content-type", "").partition(";")[0] != "application/json"', "False", "malformed"
    ),
    "JSON too deep": Taken(CHANGES, "except (ValueError, RecursionError):", "except ValueError:", "malformed"),
    "JSON that is an object": Taken(CHANGES, "if not isinstance(sent, dict):", "if False:", "malformed"),
    "kind of a run": Taken(CHANGES, " or not isinstance(kind, str) or kind not in KINDS", "", "malformed"),
    "rows of a group": Taken(
        "studio/store/groups.py",
        "isinstance(row, int) and not isinstance(row, bool) and 1 <= row <= n_rows",
        "True",
        "malformed or runs",
    ),
    "sound by its name": Taken(
        "studio/views/signals.py", "if match is None or not tree", "if not tree", "signals_workspace"
    ),
    "sources that are there": Taken(
        "studio/views/signals.py", " and int(one) <= n for one", " for one", "signals_workspace"
    ),
    "files of a review that are there": Taken(
        "studio/views/roles.py",
        "    if name not in files:\n        raise HTTPException(404)\n",
        "",
        "compare_roles",
    ),
    "settings that are known": Taken(
        "studio/store/settings.py",
        "elif name in CHOICES and value in CHOICES[name]:",
        "else:  # noqa\n        found[name] = value\n    if False:",
        "settings",
    ),
    "settings of a length": Taken("studio/store/settings.py", "if len(query) > LONGEST:", "if False:", "settings"),
    "settings of a number": Taken("studio/store/settings.py", ", max_num_fields=2000", "", "settings"),
    "options of a length": Taken("studio/store/options.py", "if len(query) > LONGEST:", "if False:", "roles_workspace"),
    "options that are known": Taken(
        "studio/store/options.py", "        if form is None:\n", "        if False:\n", "roles_workspace"
    ),
    "files of the workspace by their key": Taken(
        "studio/store/options.py",
        'if form in ("file", "more") and not _key.fullmatch(value):',
        "if False:",
        "roles_workspace",
    ),
    "name without folders": Taken(UPLOAD, 're.split(r"[/\\\\]", given)[-1]', "given", "upload"),
    "name without odd signs": Taken(
        UPLOAD, '_no_name.sub("_", name.encode("utf-8", "replace").decode())', "name", "upload"
    ),
    "name without dots before it": Taken(UPLOAD, '.lstrip(". -")', "", "upload"),
    "name of a table": Taken(
        UPLOAD, "if ending_of(Path(name)) not in (*endings(), DECISIONS) or not stem:", "if False:", "upload"
    ),
    "name of a length": Taken(UPLOAD, "stem[: LONGEST_NAME - len(ending)]", "stem", "upload"),
    "unpacked size": Taken(UPLOAD, "    if size > most:", "    if False:", "upload"),
    "unpacked size of archives": Taken(UPLOAD, "if ending_of(path) in _zipped:", "if False:", "upload"),
    "unpacking that ends": Taken(UPLOAD, "while seen <= most and (part", "while (part", "upload"),
    "JSON that is a decision file": Taken(
        UPLOAD, "if ending_of(path) == DECISIONS and not is_decision_file(path):", "if False:", "upload"
    ),
    "nothing left of what is refused": Taken(
        UPLOAD,
        "key, name, most)\n    except BaseException:\n        shutil.rmtree(folder, ignore_errors=True)",
        "key, name, most)\n    except BaseException:\n        pass",
    ),
    "no pickle in .npy": Taken(
        "io/readers/arrays.py",
        "np.load(path, mmap_mode, allow_pickle=False)",
        "np.load(path, None, allow_pickle=True)",
        "upload",
    ),
    "no pickle in .npz": Taken(
        "io/readers/arrays.py", "np.load(file, allow_pickle=False)", "np.load(file, allow_pickle=True)", "upload"
    ),
    "cells that stay text": Taken(
        "report/drawing/markup.py", 'escape(CONTROL_CHARACTERS.sub("�", str(value)), quote=True)', "str(value)", "pages"
    ),
    "cells that no spreadsheet runs": Taken(READER, "        return guard(value)\n", "        return value\n", "runs"),
    "names that no spreadsheet runs": Taken(READER, "guard(group)", "group", "runs"),
    "module beside a table": Taken("studio/runs/process.py", ', "PYTHONSAFEPATH": "1"', "", "workspace"),
    "workspace of one user": Taken("studio/store/workspace.py", "mode=0o700, ", "", "workspace"),
    "workspace of one studio": Taken(
        "studio/store/workspace.py", "fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)", "pass", "workspace"
    ),
    "errors of the disk": Taken("studio/app.py", "ValueError, OSError, sqlite3.Error", "ValueError", "workspace"),
}
POLICY = {  # of answers and of refusals; a rule that stands in both, with what stands beside it
    **dict.fromkeys(("script-src 'self'; ", "style-src 'self'; ", "img-src 'self' data:; ", "media-src 'self'; "), ""),
    **dict.fromkeys(("connect-src 'self'; ", "; frame-ancestors 'none'"), ""),
    "default-src 'none'; script": "script",
    "connect-src 'self'; base-uri 'none'; ": "connect-src 'self'; ",
    "form-action 'none'; frame": "frame",
    "default-src 'none'; style": "style",
    "{STYLE_DIGEST}; base-uri 'none'; ": "{STYLE_DIGEST}; ",
}
HEADERS = ("X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy",
           "Cross-Origin-Resource-Policy", "Cache-Control")  # fmt: skip
GUARDS |= {f"policy: {rule.strip('; ')}": Taken(GATE, rule, left) for rule, left in POLICY.items()}
GUARDS |= {f"header: {name}": Taken(GATE, f'"{name}"', '"X-Nothing"') for name in HEADERS}


def without(source: str, taken: Taken) -> str:
    """The source without its guard, which must stand there once."""
    if source.count(taken.guard) != 1:
        raise ValueError(f"{taken.file} holds {taken.guard!r} {source.count(taken.guard)} times; mend this list.")
    return source.replace(taken.guard, taken.left)


class FirstFailure:
    """Keeps the name of the first test that failed."""

    def __init__(self) -> None:
        self.name = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid.rpartition("::")[2] + (f" ({report.when})" if report.when != "call" else "")


def failing(taken: Taken, tree: Path) -> str:
    """The first test that fails without the guard; nothing where all pass. In a process of its own."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        signal.alarm(PATIENCE)
        try:
            os.write(writing, first_failure(taken, tree).encode())
        except BaseException as error:
            os.write(writing, f"(no test: {error!r})".encode())
        finally:
            os._exit(0)  # nothing of the parent is tidied up here
    os.close(writing)
    with os.fdopen(reading) as told:
        name = told.read()
    os.waitpid(child, 0)
    return name


def first_failure(taken: Taken, tree: Path) -> str:
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    first = FirstFailure()
    files = [str(tree / "tests" / "studio" / f"test_{name}.py") for name in taken.tests.split(" or ")]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-n", "0", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    ended = pytest.main([*options, f"--rootdir={tree}", *files], plugins=[first])
    if ended not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"pytest ended with {ended!r}")
    return first.name


def tried(tree: Path, words: list[str]) -> Iterator[tuple[str, str]]:
    """Every guard with the test that missed it."""
    for name, taken in GUARDS.items():
        if words and not any(word in name for word in words):
            continue
        path = tree / "src" / "unmix" / taken.file
        source = path.read_text(encoding="utf-8")
        path.write_text(without(source, taken), encoding="utf-8")
        yield name, failing(taken, tree)
        path.write_text(source, encoding="utf-8")


def main(words: list[str]) -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for part in ("src", "tests", "examples"):
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("pyproject.toml", "SECURITY.md"):
            shutil.copyfile(ROOT / part, tree / part)
        os.chdir(tree)
        sys.path[:0] = [str(tree / "src"), str(tree)]
        os.environ.update(PYTHONPATH=f"{tree / 'src'}{os.pathsep}{tree}", PYTHONDONTWRITEBYTECODE="1")
        for name in [name for name in sys.modules if name.partition(".")[0] in ("unmix", "tests")]:
            del sys.modules[name]
        for name in SLOW:  # once instead of in every process
            import_module(name)
        for name, test in tried(tree, words):
            print(f"{name}: {test or 'nobody missed it'}", flush=True)
            missed += not test or test.startswith("(")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
