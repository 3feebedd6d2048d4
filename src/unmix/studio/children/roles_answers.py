"""Questions about roles: an access file before it is mined, mined roles under review, why somebody has something."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

MOST_PERMISSIONS = 2000  # offered by name


def access(path: str, attributes: str | None = None) -> dict[str, Any]:
    """Who-has-what in numbers, what is odd in it, and the names that rules may use."""
    from unmix.roles import read
    from unmix.roles.access.permission import as_text

    found = read(path, attributes=attributes)
    per_user = found.matrix.getnnz(axis=1) if hasattr(found.matrix, "getnnz") else found.matrix.sum(axis=1)
    return {
        "users": len(found.users),
        "permissions": len(found.permissions),
        "grants": int(found.matrix.nnz),
        "most": int(per_user.max(initial=0)),
        "problems": [problem.sentence for problem in found.problems],
        "names": [as_text(name) for name in found.permissions[:MOST_PERMISSIONS]],
    }


@lru_cache(maxsize=1)
def document_of(folder: str, stamp: float) -> dict[str, Any]:
    from unmix.roles.access.folder import read_document

    return read_document(Path(folder))


def mined(folder: str) -> dict[str, Any]:
    return document_of(folder, (Path(folder) / "roles.json").stat().st_mtime)


def drafted(folder: str, steps: list[dict[str, Any]]) -> Any:
    from unmix.studio.review.draft import Draft
    from unmix.studio.review.steps import take

    draft = Draft.of(mined(folder))
    for step in steps:
        take(draft, step)
    return draft


def reviewed(folder: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The document after these steps, with the picture of it, its cost, and which entries are decided."""
    from unmix.report.roles.matrix import matrix
    from unmix.studio.review.cost import cost
    from unmix.studio.review.draft import Draft
    from unmix.studio.review.result import reviewed as as_document

    tree, draft = mined(folder), drafted(folder, steps)
    found = as_document(tree, draft, len(steps))
    decided = [[*pair, status] for pair, status in draft.decided.items()]
    status = {role.id: role.status for role in draft.roles.values()}
    before, at_first = cost(Draft.of(tree)), {tuple(pair) for pair in tree["lost"]} - set(draft.decided)
    drawn = found | {"lost": [pair for pair in found["lost"] if tuple(pair) in at_first]}  # what was revoked is gone
    return {"tree": found, "matrix": matrix(drawn), "cost": cost(draft), "mined": before, "decided": decided,
            "entries": tree["exceptions"], "status": status}  # fmt: skip


def what_if(folder: str, steps: list[dict[str, Any]], step: dict[str, Any]) -> dict[str, Any]:
    """What one more step would change."""
    from unmix.studio.review.cost import taken

    return taken(mined(folder), drafted(folder, steps), step)


def review_files(folder: str, steps: list[dict[str, Any]]) -> dict[str, str]:
    """Every file of the result, and all of them in one archive, as base64."""
    from unmix.studio.review.files import bundle, zipped
    from unmix.studio.review.result import reviewed as as_document

    done = [one["step"] for one in steps]
    files = bundle(mined(folder), as_document(mined(folder), drafted(folder, done), len(done)), steps)
    files["review.zip"] = zipped(files)
    return {name: base64.b64encode(content).decode() for name, content in files.items()}


def why(folder: str, steps: list[dict[str, Any]], user: str, permission: str) -> list[str]:
    from unmix.roles.explanation.why import why as explain_grant
    from unmix.studio.review.result import reviewed as as_document

    return explain_grant(as_document(mined(folder), drafted(folder, steps), len(steps)), user, permission)


ANSWERS: dict[str, Callable[..., Any]] = {
    "access": access,
    "reviewed": reviewed,
    "what_if": what_if,
    "review_files": review_files,
    "why": why,
}
