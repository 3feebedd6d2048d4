"""What is said to whoever asked for something that is not to be had: a page for people, JSON for scripts."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response

from unmix.report.drawing.markup import element
from unmix.studio.pages.frame import opening, page

TITLES = {
    401: "This browser is not known here",
    403: "Not from another page",
    404: "There is nothing at this address",
    413: "Too large for the studio",
    421: "Not the studio's address",
}


def message(asked: HTTPConnection, status: int, words: str) -> Response:
    if "text/html" not in asked.headers.get("accept", "") or asked.url.path.startswith("/api/"):
        return JSONResponse({"error": words}, status)
    home = (
        element("p", element("a", "To the tables", href="/"), class_="lede") if status not in (401, 403, 421) else None
    )
    title = TITLES.get(status, "This cannot be done")
    body = opening(title, element("p", words, class_="lede") if words != title else None, home)
    return HTMLResponse(page(title, headline=body), status)
