"""Requests to the studio that nobody should send, over all its addresses: each is answered, none by an error of ours.

Uploads of the odd files that readers are given, bodies of wrong kinds, unknown and foreign names, a full disk, and a
workspace that was damaged.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.broken_disk import no_file_beyond
from tests.faults.commands import TABLE, invoke, unclear
from tests.faults.odd_tables import corpus
from tests.faults.part import Case, is_sentence, short_of

PORT = 8000
OWN = f"http://127.0.0.1:{PORT}"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW")
JUNK = ("", "0", "x" * 3000, "..", "%2e%2e", "%00", "%ff", "null", "0" * 12, "%F0%9F%90%A7", "'--", "a%0db", "a%0ab")
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**70, 1.5, "", "x", "x" * 3000, "\ud800", "<script>alert(1)</script>", "k=1&k=x", [], {}, [[]],
    [1, 1, 10**9], [None], {"a": 1}, "__class__",
)  # fmt: skip
KEYS = ("table", "query", "name", "note", "rows", "cluster", "groups", "kind", "settings", "step", "user", "role")
QUERIES = ("k", "max_k", "seed", "sample", "drop", "use", "type", "target", "as_", "old", "new", "name", "token", "x")


class Studio:
    """An application over a workspace, asked as a browser does that came by the link."""

    def __init__(self, folder: Path) -> None:
        from starlette.testclient import TestClient

        from unmix.studio.access.session import Session
        from unmix.studio.app import make_app
        from unmix.studio.store.workspace import Workspace

        session = Session()
        self.workspace = Workspace(folder)
        app = make_app(self.workspace, PORT, session, most_upload=200_000)
        self.client: Any = TestClient(app, base_url=OWN, follow_redirects=False, raise_server_exceptions=False)
        self.client.__enter__()
        self.client.get(f"/?token={session.token}")
        self.client.headers["origin"] = OWN

    def close(self) -> None:
        self.client.__exit__(None, None, None)
        self.workspace.close()

    def ask(self, method: str, path: str, **content: Any) -> str | None:
        """What is wrong with the answer."""
        try:
            answer = self.client.request(method, path, **content)
        except Exception as error:
            return short_of(error)
        if answer.status_code >= 500 and answer.status_code != 507:  # no room on the disk
            return f"status {answer.status_code}: {answer.text[:80]!a}"
        if "default-src 'none'" not in answer.headers.get("content-security-policy", ""):
            return "an answer without the policy"
        if answer.status_code >= 400 and method != "HEAD" and not is_sentence(reason_in(answer)):
            return f"no sentence: {answer.text[:80]!a}"
        return None


def reason_in(answer: Any) -> str:
    """Why it was refused: the error of a JSON answer, or the alert of a page without its markup."""
    if not answer.headers.get("content-type", "").startswith("text/html"):
        return str(answer.json().get("error", ""))
    alert = re.search(r'<p[^>]* role="alert"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    return re.sub(r"<[^>]*>", "", alert[1]) if alert else ""


def requests(folder: Path, short: bool) -> Iterator[Case]:
    studio = Studio(folder / "studio")
    before = outside(folder)
    try:
        table = studio.client.post("/api/tables?name=x.csv", content=TABLE.encode()).json()["table"]
        run = studio.workspace.insert("runs", of=table, query="", state="failed", error="x")
        group = studio.workspace.insert("groups", run=run, name="g", note="", rows="[1]")
        yield from _drawn(studio, [table, run, group], 150 if short else 4000)
        yield from _uploads(studio, 30 if short else 2)
        yield from _full(studio)
        yield "the studio goes on", studio.ask("GET", "/")
        yield "nothing is written outside the workspace", None if outside(folder) == before else "something is"
    finally:
        studio.close()
    if not short:
        yield from _damaged(folder)


def outside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _drawn(studio: Studio, known: list[str], n: int) -> Iterator[Case]:
    """Any method to any address the application has, with known and unknown names, queries and bodies."""
    from unmix.studio.app import ROUTES

    draw = random.Random(0)
    for number in range(n):
        route = draw.choice(ROUTES)
        names = {name: draw.choice((*known, *JUNK)) for name in route.param_convertors}
        path = route.path.format(**names)
        if "events" in path and known[1] in path:
            continue  # told for as long as the run lives
        if draw.random() < 0.4:
            path += "?" + "&".join(f"{draw.choice(QUERIES)}={draw.choice(JUNK)}" for _ in range(draw.randrange(1, 4)))
        method = draw.choice([*route.methods] * 3 + list(METHODS))
        if method == "DELETE":  # of unknown ones only, so that there is something to ask about
            path = path.replace(known[0], "0" * 12).replace(known[1], "0" * 12).replace(known[2], "0" * 12)
        yield f"{number}: {method} {path[:80]!a}", studio.ask(method, path, **_content(draw, known))


def _content(draw: random.Random, known: list[str]) -> dict[str, Any]:
    """A body: an object with keys that are used, of values of any kind; or what is no JSON."""
    if draw.random() < 0.15:
        return {"content": draw.choice((b"", b"{", b"\xff\xfe", b"[" * 50_000, b"NaN", b'{"a":1}{')), "headers": KIND}
    body = {draw.choice(KEYS): draw.choice((*VALUES, *known)) for _ in range(draw.randrange(4))}
    kind = KIND if draw.random() < 0.9 else {"content-type": draw.choice(("", "text/plain", "multipart/form-data"))}
    return {"content": json.dumps(body).encode(), "headers": kind}


KIND = {"content-type": "application/json"}


def _uploads(studio: Studio, every: int) -> Iterator[Case]:
    """Odd files are taken and looked at, or refused."""
    for case, name, data in list(corpus())[::every]:
        if len(data) > 150_000:
            continue
        sent = studio.client.post("/api/tables", params={"name": name}, content=data)
        if sent.status_code == 201:
            table = sent.json()["table"]
            yield f"upload of {case}", studio.ask("GET", f"/tables/{table}")
            studio.client.delete(f"/api/tables/{table}")
        else:
            clear = 400 <= sent.status_code < 500 and is_sentence(sent.json().get("error", ""))
            yield f"upload of {case}", None if clear else f"status {sent.status_code}: {sent.text[:80]!a}"


def _full(studio: Studio) -> Iterator[Case]:
    """No room for an upload: a sentence, and nothing is left of it."""
    tables = studio.workspace.folder / "tables"
    before = sorted(path.name for path in tables.iterdir())
    for size in (0, 1000):
        with no_file_beyond(size):
            problem = studio.ask("POST", "/api/tables?name=big.csv", content=b"a,b\n" + b"1,2\n" * 2000)
            problem = problem or studio.ask("GET", "/nothing")  # which leaves a line in the audit
        left = sorted(path.name for path in tables.iterdir())
        yield (
            f"an upload where no file may have more than {size} bytes",
            problem or (None if left == before else "half a table is left"),
        )


def _damaged(folder: Path) -> Iterator[Case]:
    """A workspace with another index, or that is none, is refused in one sentence by the command."""
    for name, content in (
        ("index.sqlite", b"no database" * 200),
        ("index.sqlite", None),
        ("lock", None),
        ("tables", b"x"),
    ):
        place = folder / "damaged"
        place.mkdir()
        (place / name).mkdir() if content is None else (place / name).write_bytes(content)
        result = invoke(["studio", "--no-browser", "--workspace", "damaged", "x.csv"], folder)
        yield (
            f"a workspace whose {name} is {'a folder' if content is None else 'something else'}",
            unclear(result, (2,)),
        )
        shutil.rmtree(place)
    (folder / "file").write_text("x")
    yield "a workspace that is a file", unclear(invoke(["studio", "--no-browser", "--workspace", "file"], folder), (2,))
