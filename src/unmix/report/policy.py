"""The page's content security policy: nothing may be fetched, and only the page's own style and script may run.

Each inline block is allowed by the hash of its exact text, so even markup that slipped through could not execute.
"""

from __future__ import annotations

import base64
import hashlib


def digest(block: str) -> str:
    """The hash source of an inline block, as the policy wants it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()}'"


def policy(styles: list[str], scripts: list[str], sound: bool = False) -> str:
    """The value of the Content-Security-Policy header; ``sound`` allows what the page itself holds to be played."""
    rules = {
        "default-src": "'none'",
        "style-src": " ".join(map(digest, styles)),
        "script-src": " ".join(map(digest, scripts)),
        "img-src": "data:",  # the page's own icon
        **({"media-src": "data:"} if sound else {}),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items())
