"""Who may come in: a link that works once gives the browser a cookie, and the cookie is asked for ever after.

The link stands in the terminal and on the command line of the browser that is started, where others on the machine may
see it; the cookie stands nowhere. When a link was used the next one is made, for another browser.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable


class Session:
    """One secret for the cookie, one for the link, which leads to `start`; `on_new_link` hears of every new link."""

    def __init__(self, on_new_link: Callable[[str], None] = lambda token: None, start: str = "/") -> None:
        self.secret, self.on_new_link, self.start = secrets.token_urlsafe(32), on_new_link, start
        self.token = secrets.token_urlsafe(24)

    def enter(self, token: str) -> bool:
        """Whether this is the link that was not used yet; it is used now."""
        if not _same(token, self.token):
            return False
        self.token = secrets.token_urlsafe(24)
        self.on_new_link(self.token)
        return True

    def knows(self, cookie: str | None) -> bool:
        return cookie is not None and _same(cookie, self.secret)


def _same(given: str, own: str) -> bool:
    """In a time that does not tell how much of it was right."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), own.encode())
