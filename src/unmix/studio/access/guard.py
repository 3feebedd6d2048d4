"""What stands before every page: the right host, the right origin, the cookie, a body that is not too long.

Host      a name that was made to point at 127.0.0.1 (DNS rebinding) brings its own name along, and is refused
Origin    a page of somebody else that sends a form or a request says where it is from, and is refused
Cookie    who did not come by the link has none; SameSite=Strict keeps it from requests that other pages make
Policy    no script but those of the package runs in the page, whatever a table holds; none at all in a refusal
"""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from unmix.studio.access.audit import Audit
from unmix.studio.access.session import Session
from unmix.studio.pages.message import message
from unmix.studio.pages.refusal import STYLE_DIGEST

MOST_JSON = 2**20  # bytes of a request that is no upload
MOST_ROWS = 2**24  # bytes of a group: two million rows by their numbers
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
OUTSIDE = HEADERS | {
    "Content-Security-Policy": f"default-src 'none'; style-src {STYLE_DIGEST}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
}
_safe = ("GET", "HEAD")
_uploads = "/api/tables"
_groups = re.compile(r"/api/runs/[0-9a-f]{12}/groups")


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, *, port: int, session: Session, audit: Audit, most_upload: int) -> None:
        self.app, self.session, self.audit, self.most_upload = app, session, audit, most_upload
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.cookie = f"unmix-studio-{port}"  # cookies do not know ports: two studios must not share one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks over a web socket
            self.audit.refuse("a web socket", f"{scope['type']} {scope['path']}")
            await send({"type": "websocket.close", "code": 1008})
            return
        response = self.refusal(HTTPConnection(scope), scope["method"])
        if response is not None:
            await response(scope, receive, with_headers(send, OUTSIDE))
            return
        await self.app(scope, limited(receive, self.limit(scope["path"])), with_headers(send))

    def refusal(self, asked: HTTPConnection, method: str) -> Response | None:
        """The answer to whoever may not come in, or who just did; None to go on."""
        headers = asked.headers
        if headers.getlist("host") != [headers.get("host")] or headers.get("host") not in self.hosts:
            return self.refuse(asked, method, 421, "the host is not this studio", "This address is not the studio's.")
        if not self.own_origin(headers, method):
            return self.refuse(asked, method, 403, "the request comes from another page", "Another page asked for it.")
        token = asked.query_params.get("token")
        if method == "GET" and asked.url.path == "/" and token is not None and self.session.enter(token):
            return self.welcome()
        if not self.session.knows(asked.cookies.get(self.cookie)):
            words = "Open the link that unmix studio printed in the terminal; each link works once."
            return self.refuse(asked, method, 401, "no cookie of this studio", words)
        length, limit = headers.get("content-length", "0"), self.limit(asked.url.path)
        if not (length.isdecimal() and len(length) < 20 and int(length) <= limit):
            return self.refuse(asked, method, 413, "the body is too long", too_long(limit))
        return None

    def limit(self, path: str) -> int:
        if path == _uploads:
            return self.most_upload
        return MOST_ROWS if _groups.fullmatch(path) else MOST_JSON

    def own_origin(self, headers: Headers, method: str) -> bool:
        """What a browser says of the page that asks; whoever changes something must say it."""
        own = {f"http://{host}" for host in self.hosts}
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        if origin is not None and origin not in own:
            return False
        return site in ("same-origin", "none") and (method in _safe or origin is not None)

    def welcome(self) -> Response:
        response = RedirectResponse(self.session.start, status_code=303)
        response.set_cookie(self.cookie, self.session.secret, httponly=True, samesite="strict", path="/")
        return response

    def refuse(self, asked: HTTPConnection, method: str, status: int, why: str, words: str) -> Response:
        self.audit.refuse(why, f"{method} {asked.url.path} host={asked.headers.get('host')}")
        return message(asked, status, words, inside=False)


def too_long(limit: int) -> str:
    return f"The file is too large for the studio: at most {limit / 1e9:.3g} GB. Use unmix explore on it instead."


class TooLong(Exception):
    """More bytes came than are read."""


def limited(receive: Receive, limit: int) -> Receive:
    """The body as it comes, for as long as it is not too long: a length may be wrong or not given."""
    seen = 0

    async def receive_some() -> Message:
        nonlocal seen
        part = await receive()
        seen += len(part.get("body", b""))
        if seen > limit:
            raise TooLong(too_long(limit))
        return part

    return receive_some


def with_headers(send: Send, policy: dict[str, str] = HEADERS) -> Send:
    """Every answer carries the policy."""

    async def send_more(part: Message) -> None:
        if part["type"] == "http.response.start":
            headers = MutableHeaders(scope=part)
            for name, value in policy.items():
                headers[name] = value
        await send(part)

    return send_more
