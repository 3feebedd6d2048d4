"""Who is let in: each guard refuses what it stands against, says so, leaves a line, and lets the rest pass."""

import asyncio
import hashlib
import json
from base64 import b64encode

import pytest

from tests.report.seen import Seen
from tests.studio.conftest import MOST, OWN, PORT
from unmix.studio.access.audit import LONGEST
from unmix.studio.access.session import Session

PAGES = ["/", "/tables/000000000000", "/runs/000000000000", "/compare", "/assets/report.css", "/nothing"]
PAGES += [
    f"/{place}"
    for kind, rest in (("tables", ["roles", "signals"]), ("runs", ["why", "review/roles.csv", "sound/source-1.wav"]))
    for place in (f"{kind}/{'0' * 12}/{one}" for one in rest)
]


def audit(workspace) -> list[dict]:
    path = workspace.folder / "audit.log"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_shown_without_the_cookie(stranger, workspace, page):
    answer = stranger.get(page)
    assert answer.status_code == 401
    assert "unmix studio printed" in answer.json()["error"]
    assert [line["refused"] for line in audit(workspace)] == ["no cookie of this studio"]


def test_a_wrong_cookie_is_none(stranger):
    for cookie in (b"", b"x" * 43, "é".encode(), b"\xff\xfe"):
        assert stranger.get("/", headers={b"cookie": f"unmix-studio-{PORT}=".encode() + cookie}).status_code == 401


def test_a_link_works_once_and_its_cookie_from_then_on(stranger, session):
    token = session.token
    assert stranger.get("/?token=wrong").status_code == 401
    answer = stranger.get(f"/?token={token}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    said = answer.headers["set-cookie"].lower()
    assert "httponly" in said and "samesite=strict" in said and token.lower() not in said
    assert stranger.get("/").status_code == 200
    stranger.cookies.clear()
    assert stranger.get(f"/?token={token}").status_code == 401
    assert session.token != token


def test_a_link_is_for_looking_at_the_first_page_alone(stranger, session):
    token = session.token
    assert stranger.post(f"/?token={token}", headers={"origin": OWN}).status_code == 401
    assert [stranger.get(f"{page}?token={token}").status_code for page in PAGES[1:]] == [401] * len(PAGES[1:])
    assert session.token == token and stranger.get(f"/?token={token}").status_code == 303


def test_links_and_cookies_are_drawn_anew(session):
    drawn = [session.token, session.secret, Session().token, Session().secret]
    assert session.enter(session.token)
    assert len({*drawn, session.token}) == 5 and min(map(len, [*drawn, session.token])) >= 32  # of 64 signs each


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""])
def test_another_host_is_refused(client, workspace, host):
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert audit(workspace)[-1]["refused"] == "the host is not this studio"


@pytest.mark.parametrize("hosts", [(f"127.0.0.1:{PORT}", "evil.example"), (f"127.0.0.1:{PORT}",) * 2, ()])
def test_one_host_is_named_and_no_more(stranger, session, workspace, hosts):
    """What stands before a studio may read the first of two names, and the studio the other."""
    cookie = ("cookie", f"unmix-studio-{PORT}={session.secret}")
    assert asked_with(stranger.app, [*(("host", one) for one in hosts), cookie]) == 421
    assert audit(workspace)[-1]["refused"] == "the host is not this studio"
    assert asked_with(stranger.app, [("host", f"127.0.0.1:{PORT}"), cookie]) == 200


def asked_with(app, headers: list[tuple[str, str]]) -> int:
    """The status of the first page for exactly these headers, which no client would send."""
    raw, statuses = [(name.encode(), value.encode("latin-1")) for name, value in headers], []

    async def receive() -> dict:
        return {"type": "http.request", "body": b""}

    async def send(part: dict) -> None:
        statuses.extend([part["status"]] if part["type"] == "http.response.start" else [])

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": raw, "scheme": "http"}
    asyncio.run(app(scope, receive, send))
    return statuses[0]


def test_both_names_of_this_machine_are_its_own(client):
    client.cookies.set(f"unmix-studio-{PORT}", next(iter(client.cookies.values())), domain="localhost.local")
    cookie = {"cookie": f"unmix-studio-{PORT}={client.cookies.get(f'unmix-studio-{PORT}', domain='127.0.0.1')}"}
    assert client.get("/", headers={"host": f"localhost:{PORT}"} | cookie).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"http://127.0.0.1:{PORT + 1}", "http://127.0.0.1"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_another_origin_is_refused(client, workspace, origin, method):
    answer = client.request(method, "/api/runs", headers={"origin": origin})
    assert answer.status_code == 403
    assert audit(workspace)[-1]["refused"] == "the request comes from another page"


def test_who_changes_something_says_where_from(client):
    """A form of an old browser sends no origin: what changes something is refused, what only looks is not."""
    del client.headers["origin"]
    assert client.get("/").status_code == 200
    assert client.post("/api/runs", json={}).status_code == 403


@pytest.mark.parametrize("site, status", [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)])
def test_a_page_of_another_site_cannot_even_look(client, site, status):
    assert client.get("/", headers={"sec-fetch-site": site}).status_code == status


POLICY = {
    **dict.fromkeys(("default-src", "base-uri", "form-action", "frame-ancestors"), "'none'"),
    **dict.fromkeys(("script-src", "style-src", "media-src", "connect-src"), "'self'"),
    "img-src": "'self' data:",
}
CLOSED = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def is_closed(headers, policy: dict = POLICY) -> bool:
    """No script, frame, form or base of others, no guessing of types, nothing for other pages and nothing kept."""
    found = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    return found == policy and {name: headers.get(name) for name in CLOSED} == CLOSED


@pytest.mark.parametrize("page", [*PAGES, "/?token=wrong"])
def test_every_refusal_forbids_all_but_its_own_style(stranger, page):
    answer = stranger.get(page, headers={"accept": "text/html"})
    style = answer.text.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    nothing = dict.fromkeys(("default-src", "base-uri", "form-action", "frame-ancestors"), "'none'")
    assert style and is_closed(answer.headers, nothing | {"style-src": f"'sha256-{digest}'"})
    assert stranger.get(page).headers["content-security-policy"] == answer.headers["content-security-policy"]


def test_every_answer_forbids_scripts_of_others(client, upload):
    for page in (*PAGES, f"/tables/{upload()}"):
        assert is_closed(client.get(page).headers), page
    assert is_closed(client.post("/api/runs", json={}).headers)


def test_only_this_machine_is_listened_to():
    pytest.importorskip("uvicorn", reason="the studio is an extra: pip install 'unmix[studio]'")
    from unmix.studio.serve import bind

    with bind(0) as bound:
        assert bound.getsockname()[0] == "127.0.0.1"


def test_a_web_socket_is_closed(client, workspace):
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/"):
        pass
    assert audit(workspace)[-1]["refused"] == "a web socket"


def test_an_audit_that_cannot_be_written_refuses_all_the_same(client, workspace):
    (workspace.folder / "audit.log").mkdir()
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421


def test_json_has_a_limit_and_so_has_an_upload(client, workspace):
    assert client.post("/api/runs", json={"query": "x" * 2**21}).status_code == 413
    rows = f"/api/runs/{'0' * 12}/groups"  # a lasso around many rows: longer, and limited all the same
    lengths = (2**21, 2**24 + 1)
    assert [client.post(rows, json={"name": "x" * n}).status_code for n in lengths] == [404, 413]
    answer = client.post("/api/tables?name=a.csv", content=b"x" * (MOST + 1))
    assert answer.status_code == 413
    assert audit(workspace)[-1]["refused"] == "the body is too long"
    assert list((workspace.folder / "tables").iterdir()) == []


@pytest.mark.parametrize("length", ["x", "", "-1", "1.5", "1e3", "0x1", "1 1", "\xb2", "9" * 30])
def test_a_length_that_is_no_number_is_too_long(stranger, session, length):
    cookie = ("cookie", f"unmix-studio-{PORT}={session.secret}")
    assert asked_with(stranger.app, [("host", f"127.0.0.1:{PORT}"), cookie, ("content-length", length)]) == 413


def test_a_length_that_is_not_told_is_counted(client, workspace):
    """In pieces, without a length: refused where it is too much, with nothing left behind."""
    answer = client.post("/api/tables?name=a.csv", content=(b"x" * 10_000 for _ in range(11)))
    assert answer.status_code == 413
    assert "too large" in audit(workspace)[-1]["refused"]
    assert list((workspace.folder / "tables").iterdir()) == []


def test_no_line_of_the_audit_can_be_forged(client, workspace):
    client.get("/%0a%7B%22refused%22:%22nothing%22%7D", headers={"host": "evil"})
    assert len(audit(workspace)) == 1


def test_lines_of_the_audit_are_short_and_so_is_the_file(client, workspace, monkeypatch):
    client.get("/" + "x" * 5000)
    assert len(audit(workspace)[-1]["asked"]) == LONGEST
    monkeypatch.setattr("unmix.studio.access.audit.MOST_BYTES", 1000)
    for i in range(30):
        client.get(f"/nothing-{i}")
    sizes = {path.name: path.stat().st_size for path in workspace.folder.glob("audit.log*")}
    assert set(sizes) == {"audit.log", "audit.log.1"} and max(sizes.values()) < 1500
    assert audit(workspace)[-1]["asked"] == "GET /nothing-29"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/%2e%2e",
        "/assets/../app.py",
        "/assets/..%2fapp.py",
        "/assets/%2e%2e/%2e%2e/io/read.py",
        "/assets/app.py",
    ],
)
def test_no_other_file_has_an_address(client, path):
    assert client.get(path).status_code == 404


def test_pages_of_refusals_are_for_people(stranger):
    answer = stranger.get("/", headers={"accept": "text/html"})
    assert answer.status_code == 401 and "This browser is not known here" in answer.text
    assert OWN not in answer.text and not {"script", "link", "a"} & set(Seen(answer.text).tags)  # all would be refused
