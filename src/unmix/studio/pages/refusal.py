"""The page of who may not come in: no other file is sent along, so its style stands in it and is known by a digest.

style-src 'sha256-…'   lets the browser apply this style and no other (Content Security Policy Level 3)
"""

from __future__ import annotations

import hashlib
from base64 import b64encode

from unmix.report.drawing.markup import Markup, element

STYLE = (
    ":root{color-scheme:light dark}"
    "body{margin:0;padding:12vh 24px 24px;background:light-dark(#f6f6f3,#111317);color:light-dark(#1b1f26,#e9ebee);"
    "font:17px/1.5 system-ui,sans-serif}"
    "main{max-width:40rem;margin:0 auto}"
    "h1{margin:0 0 12px;font-size:2rem;line-height:1.2;letter-spacing:-0.012em}"
    "p{margin:0 0 20px;color:light-dark(#5a626d,#a3abb6)}"
)
STYLE_DIGEST = f"'sha256-{b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"


def refusal_page(title: str, words: str) -> str:
    head = [
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width">'),
        element("title", f"{title} · unmix studio"),
        Markup(f"<style>{STYLE}</style>"),
    ]
    body = element("main", element("p", "unmix studio"), element("h1", title), element("p", words))
    return f"<!doctype html>\n{element('html', element('head', head), element('body', body), lang='en')}"
