"""What is said to whoever asked for something that is not to be had: a page for people, JSON for scripts."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response

from unmix.report.drawing.markup import element
from unmix.studio.pages.frame import opening, page
from unmix.studio.pages.refusal import refusal_page

TITLES = {
    401: "This browser is not known here",
    403: "Not from another page",
    404: "There is nothing at this address",
    413: "Too large for the studio",
    421: "Not the studio's address",
}

HINTS = {404: "It may have been deleted, or it belongs to another workspace."}


def message(asked: HTTPConnection, status: int, words: str, inside: bool = True) -> Response:
    """`inside` for who may look at the other pages, to which this one leads."""
    if "text/html" not in asked.headers.get("accept", "") or asked.url.path.startswith("/api/"):
        return JSONResponse({"error": words}, status)
    title = TITLES.get(status, "This cannot be done")
    if not inside:
        return HTMLResponse(refusal_page(title, words), status)
    home = element("p", element("a", "To the tables", href="/"), class_="lede")
    said = words if words != title else HINTS.get(status)
    body = opening(title, element("p", said, class_="lede") if said else None, home)
    return HTMLResponse(page(title, headline=body), status)
