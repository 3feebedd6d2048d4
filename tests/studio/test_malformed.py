"""A thousand requests that nobody should send: each is answered, none by an error of ours, and the studio goes on."""

import errno
import random
import socket
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.report.made_up import made_up
from tests.studio.server import Server

JUNK = ["", "0", "x" * 5000, "../..", "%00", "%ff%fe", "null", "0" * 12, "é", "' OR 1=1 --", "{}", "-1", "1e999", "🐧"]
PATHS = [
    "/", "/tables/{}", "/runs/{}", "/runs/{}/events", "/runs/{}/files/{}", "/runs/{}/groups/{}.csv", "/assets/{}",
    "/compare?old={}&new={}", "/api/tables?name={}", "/api/tables/{}", "/api/runs", "/api/runs/{}", "/{}",
    "/api/runs/{}/cancel", "/api/runs/{}/again", "/api/runs/{}/groups", "/api/runs/{}/merge", "/api/groups/{}",
    "/tables/{}?{}={}", "/tables/{}/roles?{}={}", "/tables/{}/signals?more={}", "/runs/{}/why?user={}&permission={}",
    "/runs/{}/review/{}", "/runs/{}/sound/{}", "/runs/{}/remix.csv?keep={}", "/runs/{}?keep={}", "/api/runs/{}/what-if",
    "/api/runs/{}/steps", "/api/runs/{}/undo",
]  # fmt: skip
BODIES = [
    b"", b"{", b"[]", b"null", b'{"table": 1}', b'{"table": "%s", "query": 5}', b'{"query": "k=x"}', b"\xff\xfe",
    b"NaN", b'{"name": null, "rows": {}}', b'{"groups": "abc"}', b'{"name": ["x"], "note": 1e999}', b"{}",
    b'{"cluster": true}',
    b'{"table": "%s", "query": "drop=%%00&type=x"}', b'{"name": "\\ud800", "rows": [1]}', b'"' + b"x" * 3000 + b'"',
    b"[" * 100_000, b'{"groups": [[], {}, null]}', b'{"name": "x", "rows": [[1], {}, 1e400]}', b'{"table": ["%s"]}',
    b'{"name": "x", "cluster": 99999999999999999999999}',
    b'{"step": {"do": "merge", "roles": [{}, 1e999]}}', b'{"step": [[]], "who": 3}',
    b'{"table": "%s", "kind": "roles", "query": "forbid"}',
    b'{"step": {"do": "rename", "role": "R1", "name": "\\ud800"}, "who": "x", "note": {}}',
    b'{"table": "%s", "kind": ["roles"], "query": "forbid=a"}',
    b'{"table": "%s", "kind": "separate", "query": "more=1"}',
]  # fmt: skip
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW"]
KINDS = ["application/json", "text/plain", "application/x-www-form-urlencoded", "", "application/json; charset=utf-16"]


def requests(table: str, run: str, group: str) -> Iterator[tuple[str, str, bytes, str]]:
    """Every body to whoever reads bodies, then anything to anybody."""
    takes = [("POST", "/api/runs"), ("POST", f"/api/runs/{run}/groups"), ("POST", f"/api/runs/{run}/merge")]
    for body in BODIES:
        for method, path in [*takes, ("POST", f"/api/runs/{run}/steps"), ("PATCH", f"/api/groups/{group}")]:
            yield method, path, body, KINDS[0]
    draw, known = random.Random(0), [*JUNK, table, run, group]
    for _ in range(1000 - 5 * len(BODIES)):
        path = draw.choice(PATHS)
        path = path.format(*(draw.choice(known) for _ in range(path.count("{}"))))
        method = draw.choice(METHODS[:5] if draw.random() < 0.8 else METHODS)
        yield method, path, draw.choice(BODIES), draw.choice(KINDS)


def test_a_thousand_malformed_requests(client, upload, workspace, monkeypatch):
    monkeypatch.setattr(workspace, "findings", lambda run: made_up())
    table = upload()
    run = workspace.insert("runs", of=table, query="", state="done")
    (workspace.folder / "runs" / run).mkdir()
    group = workspace.insert("groups", run=run, name="g", note="", rows="[1]")
    statuses = Counter()
    for method, path, body, kind in requests(table, run, group):
        if method == "DELETE" and path in (f"/api/tables/{table}", f"/api/runs/{run}", f"/api/groups/{group}"):
            continue  # that is not malformed
        answer = client.request(
            method, path, content=body.replace(b"%s", table.encode()), headers={"content-type": kind}
        )
        statuses[answer.status_code] += 1
        assert answer.status_code < 500, (method, path, body[:100])
    assert {200, 400, 404, 405, 415, 422} <= set(statuses)
    assert statuses.total() > 950
    assert client.get("/").status_code == 200


def said_to(port: int, request: bytes) -> bytes:
    """What the server answers; nothing, where it dropped the connection, which it may do at any byte."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
        try:
            wire.sendall(request)
            wire.shutdown(socket.SHUT_WR)
            return wire.recv(2**16)
        except OSError as dropped:
            if dropped.errno not in {errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN}:
                raise
            return b""


@pytest.mark.long
def test_what_is_no_http_is_answered_or_dropped(tmp_path):
    server = Server(tmp_path / "studio").enter()
    draw = random.Random(0)
    lines = [
        b"GET / HTTP/1.1\r\n",
        b"GET  HTTP/9.9\r\n",
        b"\x16\x03\x01",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n",
        b"Host: a\r\nHost: b\r\n",
    ]
    lines += [
        b"X: " + b"y" * 70_000 + b"\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\r\n\r\n",
        b"Content-Length: 9" * 9,
        b"\0" * 100,
    ]
    try:
        for _ in range(300):
            answer = said_to(server.port, b"".join(draw.choices(lines, k=4)))
            assert not answer.startswith(b"HTTP/1.1 5"), answer
        assert server.raw("GET", "/")[0].status == 200
    finally:
        server.stop()
